//! Tables that stay open.

use serde_json::json;

use super::fixture::{Fixture, id, wait};
use crate::{
    service::{
        DAY,
        request::Request as _,
        tables::{Act, new_table::NewTable},
    },
    words::Status,
};

#[test]
fn a_table_that_nobody_fills_is_closed_after_a_while() {
    wait(async {
        let fixture = Fixture::new().await;
        let ada = fixture.player("Ada").await;
        let new = NewTable::read(&json!({"ruleset": "ecopolis", "seats": 2})).unwrap();
        let game = id(&fixture.act(&ada, Act::Create(Box::new(new))).await);
        let service = &fixture.service;
        fixture.clock.advance(29 * DAY);
        assert_eq!(service.tables.close_forgotten().await.unwrap(), 0);
        fixture.clock.advance(2 * DAY);
        assert_eq!(service.tables.close_forgotten().await.unwrap(), 1);
        assert_eq!(service.tables.close_forgotten().await.unwrap(), 0);
        assert_eq!(service.reading.game(game, None).await.unwrap().status, Status::Void);
    });
}
