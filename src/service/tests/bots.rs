//! The component of bots.

use serde_json::json;

use super::fixture::{Fixture, id, wait};
use crate::service::{
    reading::context::ViewOptions,
    request::Request as _,
    tables::{Act, new_table::NewTable},
};

/// Returns a game in which the built-in bot of seat 1 must act.
async fn bot_to_act(fixture: &Fixture) -> uuid::Uuid {
    let ada = fixture.player("Ada").await;
    let new = json!({"ruleset": "ecopolis", "seats": 2, "options": {"first_seat": 1}, "bots": [{"seat": 1, "level": "easy"}]});
    id(&fixture.act(&ada, Act::Create(Box::new(NewTable::read(&new).unwrap()))).await)
}

#[test]
fn a_bot_whose_turn_it_is_decides_and_acts_at_a_step_of_time() {
    wait(async {
        let fixture = Fixture::new().await;
        let game = bot_to_act(&fixture).await;
        let bots = &fixture.service.bots;
        let before = fixture.view(game, None, None, ViewOptions::default()).await;
        let decided = bots.next_decision().await.unwrap().expect("a decision");
        assert_eq!(decided.game, game);
        fixture.clock.advance(u64::try_from(bots.wait_of(&decided).as_millis()).unwrap());
        bots.play_decided(&decided).await.unwrap();
        let after = fixture.view(game, None, None, ViewOptions::default()).await;
        assert!(after["seq"].as_u64() > before["seq"].as_u64());
        // The game has moved on, so the same decision is not written twice.
        bots.play_decided(&decided).await.unwrap();
        assert_eq!(fixture.view(game, None, None, ViewOptions::default()).await["seq"], after["seq"]);
    });
}

#[test]
fn a_service_that_starts_finds_the_games_that_wait_for_bots() {
    wait(async {
        let fixture = Fixture::new().await;
        let game = bot_to_act(&fixture).await;
        let fixture = fixture.reopened().await;
        fixture.service.bots.find_waiting().await.unwrap();
        let decided = fixture.service.bots.next_decision().await.unwrap().expect("a decision");
        assert_eq!(decided.game, game);
    });
}
