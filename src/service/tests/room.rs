//! What a request holds while it waits. Many wait at once, and what they hold is moved, and displaces in the processor's
//! memory what the others need: a future of a few kilobytes slowed all commands down by a twentieth. So what is rare is
//! in a box, and each request has room for what is common alone.

use uuid::Uuid;

use super::fixture::{Fixture, wait};
use crate::service::{
    act::{Act, IdempotencyKey},
    read::{sight::Wish, view::Eyes},
};

#[test]
fn a_request_that_waits_holds_little() {
    wait(async {
        let fixture = Fixture::new().await;
        let player = fixture.player("Ada").await;
        let (service, act) = (&fixture.service, Act::Leave(Uuid::nil()));
        let key = IdempotencyKey { text: "key".into(), fingerprint: [0; 16] };
        let session = [0; 32];
        for (what, held, most) in [
            ("an act", size_of_val(&service.carry_out(&player, &act, Some(&key), |_| None)), 1_024),
            ("a view", size_of_val(&service.view(Uuid::nil(), None, None, Eyes::Own, Wish::default())), 320),
            ("whose token it is", size_of_val(&service.session(&session)), 96),
        ] {
            assert!(held <= most, "{what} holds {held} bytes");
        }
        assert!(size_of::<Act>() <= 160, "an act that was asked for has {} bytes", size_of::<Act>());
    });
}
