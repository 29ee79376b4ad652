//! The component of notes and messages.

use serde_json::json;

use super::fixture::{Fixture, wait};
use crate::service::{
    ServiceError,
    request::Request as _,
    talk::{NewMessage, NewNote},
};

#[test]
fn a_note_is_its_writers_alone() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.player("Ada").await, fixture.player("Bob").await);
        let game = fixture.game_of([&ada, &bob]).await;
        let talk = &fixture.service.talk;
        let note = NewNote::read(&json!({"text": "watch the dump"})).unwrap();
        talk.set_note(game, &ada, note).await.unwrap();
        let text = async |player| serde_json::to_value(talk.note(game, player).await.unwrap()).unwrap();
        assert_eq!(text(&ada).await["text"], "watch the dump");
        assert_ne!(text(&bob).await["text"], "watch the dump");
    });
}

#[test]
fn a_muted_player_is_not_heard_by_the_one_who_muted() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.player("Ada").await, fixture.player("Bob").await);
        let game = fixture.game_of([&ada, &bob]).await;
        let talk = &fixture.service.talk;
        talk.mute(game, &bob, 0, true).await.unwrap();
        let said = NewMessage::read(&json!({"text": "hello"})).unwrap();
        talk.say(game, &ada, said).await.unwrap();
        assert_eq!(talk.messages(game, &ada, 0, 10).await.unwrap().items.len(), 1);
        assert!(talk.messages(game, &bob, 0, 10).await.unwrap().items.is_empty());
    });
}

#[test]
fn a_stranger_says_nothing() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob, eve) =
            (fixture.player("Ada").await, fixture.player("Bob").await, fixture.player("Eve").await);
        let game = fixture.game_of([&ada, &bob]).await;
        let said = NewMessage::read(&json!({"text": "hello"})).unwrap();
        let refused = fixture.service.talk.say(game, &eve, said).await;
        assert!(matches!(refused, Err(ServiceError::NotSeated)));
    });
}
