//! The component `Reading`.

use serde_json::json;
use uuid::Uuid;

use super::fixture::{Fixture, wait};
use crate::service::{
    ServiceError,
    reading::{context::ViewOptions, view::Perspective},
};

#[test]
fn a_private_game_exists_only_for_its_players() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob, eve) =
            (fixture.player("Ada").await, fixture.player("Bob").await, fixture.player("Eve").await);
        let game = fixture.game_with([&ada, &bob], json!({"visibility": "private"})).await;
        let reading = &fixture.service.reading;
        for stranger in [None, Some(&eve)] {
            let view = reading.view(game, stranger, None, Perspective::Own, ViewOptions::default()).await;
            assert!(matches!(view, Err(ServiceError::NoGame)));
            assert!(matches!(reading.game(game, stranger).await, Err(ServiceError::NoGame)));
        }
        assert!(reading.game(game, Some(&bob)).await.is_ok());
    });
}

#[test]
fn a_position_of_the_past_is_shown_as_it_was() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.player("Ada").await, fixture.player("Bob").await);
        let game = fixture.game_of([&ada, &bob]).await;
        let before = fixture.view(game, None, None, ViewOptions::default()).await;
        fixture.play_first(game, &ada).await;
        let now = fixture.view(game, None, None, ViewOptions::default()).await;
        assert!(now["seq"].as_u64() > before["seq"].as_u64());
        let past = fixture.view(game, None, before["seq"].as_u64(), ViewOptions::default()).await;
        assert_eq!(past["state"], before["state"]);
        assert_eq!(past["head"], before["head"]);
        let beyond = fixture
            .service
            .reading
            .view(game, None, Some(1_000), Perspective::Own, ViewOptions::default())
            .await;
        assert!(matches!(beyond, Err(ServiceError::NoEntry { .. })));
    });
}

#[test]
fn a_game_that_is_not_there_is_kept_nowhere() {
    wait(async {
        let fixture = Fixture::new().await;
        for number in 0..100 {
            let found = fixture.service.reading.game(Uuid::from_u128(number), None).await;
            assert!(matches!(found, Err(ServiceError::NoGame)));
        }
        assert_eq!(fixture.service.games.count(), 0);
    });
}
