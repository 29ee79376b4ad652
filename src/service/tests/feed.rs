//! The component that announces.

use serde_json::json;

use super::fixture::{Fixture, wait};
use crate::service::feed::{Heard, Inbox};

/// The kind and game of each notice that is ready.
fn kinds(inbox: &mut Inbox) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    while let Some(Some(heard)) = futures_util::FutureExt::now_or_never(inbox.next()) {
        if let Heard::Notice(notice) = heard {
            kinds.push(notice.kind.news().word());
        }
    }
    kinds
}

#[test]
fn a_listener_hears_of_its_turn_and_the_mover_does_not() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.session("Ada").await, fixture.session("Bob").await);
        let game = fixture.game_of([&ada.player, &bob.player]).await;
        let feed = &fixture.service.feed;
        let mut of_ada = feed.inbox(&ada, None, None).await.unwrap();
        let mut of_bob = feed.inbox(&bob, None, None).await.unwrap();
        while fixture.play_first(game, &ada.player).await["view"]["to_act"] == json!([0]) {}
        let Some(Heard::Notice(heard)) = of_bob.next().await else { unreachable!("a notice") };
        assert_eq!(heard.kind.news().word(), "turn");
        assert!(kinds(&mut of_ada).is_empty());
    });
}

#[test]
fn a_listener_who_comes_back_hears_what_it_missed_once() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.session("Ada").await, fixture.session("Bob").await);
        let feed = &fixture.service.feed;
        let begin = feed.inbox(&bob, None, None).await.unwrap().begin();
        fixture.game_of([&bob.player, &ada.player]).await;
        let mut inbox = feed.inbox(&bob, Some(begin), None).await.unwrap();
        assert!(kinds(&mut inbox).contains(&"turn"));
        let mut inbox = feed.inbox(&bob, None, None).await.unwrap();
        assert!(kinds(&mut inbox).is_empty());
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
