//! A damaged log is an internal error, not an absent game and not a client's mistake.

use serde_json::json;

use super::fixture::{Fixture, id, wait};
use crate::{
    service::{
        ServiceError,
        request::Request as _,
        tables::{
            Act,
            new_table::{JoinRequest, NewTable},
        },
    },
    store::{Change, Entry, Write},
};

#[test]
fn a_log_that_the_rules_refuse_is_an_internal_fault() {
    for body in [
        // Seat 1 rolls in the turn of seat 0.
        r#"{"at":1,"by":"player","cmd":{"type":"roll"},"seat":1,"seq":5,"type":"cmd"}"#,
        r#"{"at":1,"seq":5,"type":"seal"}"#,
        r#"{"at":1,"seat":9,"seq":5,"type":"leave"}"#,
        "no JSON",
    ] {
        wait(async {
            let fixture = Fixture::new().await;
            let (ada, bob) = (fixture.player("Ada").await, fixture.player("Bob").await);
            let new = json!({"ruleset": "ecopolis", "seats": 2, "options": {"first_seat": 0}});
            let new = Act::Create(Box::new(NewTable::read(&new).unwrap()));
            let game = id(&fixture.act(&ada, new).await);
            fixture.act(&bob, Act::Join(game, JoinRequest::read(&json!({})).unwrap())).await;
            let store = &fixture.service.base.store;
            let key = store.game_key(game).await.unwrap().unwrap();
            let entry = Entry {
                seq: 4,
                x: [0; 32],
                head: [0; 32],
                body: body.into(),
                secret: None,
                is_landmark: false,
            };
            let append = Change::Append { game: key, entries: vec![entry], claim: None };
            store.write(Write::of(append)).await.unwrap();
            let fixture = fixture.reopened().await;
            let told = fixture.service.reading.game(game, None).await.err();
            assert!(matches!(told, Some(ServiceError::Internal(_))), "{body}: {told:?}");
        });
    }
}
