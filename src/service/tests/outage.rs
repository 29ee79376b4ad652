//! A time without a server counts for no clock, and is in the log.

use serde_json::{Value, json};
use uuid::Uuid;

use super::fixture::{Fixture, id, wait};
use crate::service::{
    request::Request as _,
    tables::{
        Act,
        new_table::{JoinRequest, NewTable},
    },
};

const HOUR: u64 = 3_600_000;

/// The bodies of a game's log.
async fn bodies(fixture: &Fixture, game: Uuid) -> Vec<Value> {
    let page = fixture.service.reading.log(game, None, None, 100).await.unwrap();
    page.items.iter().map(|item| serde_json::from_str(item.body.get()).unwrap()).collect()
}

#[test]
fn an_outage_takes_no_time_from_anyone() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.player("Ada").await, fixture.player("Bob").await);
        let new = json!({
            "ruleset": "ecopolis", "seats": 2, "options": {"first_seat": 0}, "clock": {"move_seconds": 3_600},
        });
        let game = id(&fixture.act(&ada, Act::Create(Box::new(NewTable::read(&new).unwrap()))).await);
        fixture.act(&bob, Act::Join(game, JoinRequest::read(&json!({})).unwrap())).await;
        fixture.clock.advance(HOUR / 2);
        fixture.service.tables.beat().await.unwrap();
        fixture.clock.advance(1_000);
        let fixture = fixture.reopened().await;
        assert_eq!(fixture.service.tables.give_back_outage().await.unwrap(), 0, "a restart is no outage");
        fixture.clock.advance(3 * HOUR);
        let fixture = fixture.reopened().await;
        assert_eq!(fixture.service.tables.give_back_outage().await.unwrap(), 1);
        assert_eq!(fixture.service.tables.give_back_outage().await.unwrap(), 0, "once");
        fixture.service.tables.act_on_deadlines().await.unwrap();
        let log = bodies(&fixture, game).await;
        let last = &log[log.len() - 1];
        assert_eq!((&last["type"], &last["ms"]), (&json!("outage"), &json!(3 * HOUR)));
        fixture.clock.advance(HOUR / 2);
        fixture.service.tables.act_on_deadlines().await.unwrap();
        let log = bodies(&fixture, game).await;
        assert_eq!(
            (&log[log.len() - 1]["by"], &log[log.len() - 1]["seat"]),
            (&json!("autopilot"), &json!(0))
        );
    });
}
