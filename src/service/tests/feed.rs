//! The component `Feed`.

use serde_json::json;

use super::fixture::{Fixture, wait};
use crate::service::feed::{Heard, Inbox};

/// Waits for a notice of this kind.
async fn hears(inbox: &mut Inbox, kind: &str) -> u64 {
    loop {
        match inbox.next().await {
            Some(Heard::Notice(notice)) if notice.kind.news().word() == kind => return notice.seq,
            heard => assert!(heard.is_some(), "{kind} is not heard"),
        }
    }
}

#[test]
fn a_listener_hears_when_its_turn_comes() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.session("Ada").await, fixture.session("Bob").await);
        let game = fixture.game_of([&ada.player, &bob.player]).await;
        let mut inbox = fixture.service.feed.inbox(&bob, None, None).await.unwrap();
        let mut played = fixture.play_first(game, &ada.player).await;
        while played["view"]["to_act"] == json!([0]) {
            played = fixture.play_first(game, &ada.player).await;
        }
        assert_eq!(hears(&mut inbox, "turn").await, played["view"]["seq"].as_u64().unwrap());
    });
}

#[test]
fn a_listener_who_comes_back_hears_what_it_missed() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.session("Ada").await, fixture.session("Bob").await);
        let feed = &fixture.service.feed;
        let begin = feed.inbox(&bob, None, None).await.unwrap().begin();
        fixture.game_of([&bob.player, &ada.player]).await;
        let mut inbox = feed.inbox(&bob, Some(begin), None).await.unwrap();
        hears(&mut inbox, "turn").await;
    });
}

#[test]
fn a_feed_that_closes_ends_its_listeners() {
    wait(async {
        let fixture = Fixture::new().await;
        let ada = fixture.session("Ada").await;
        let mut inbox = fixture.service.feed.inbox(&ada, None, None).await.unwrap();
        fixture.service.stop();
        assert!(inbox.next().await.is_none());
    });
}
