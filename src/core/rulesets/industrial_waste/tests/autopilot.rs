//! Decisions of the autopilot, which are predictable (IW-14.1).

use super::{
    super::{IndustrialWaste, cards::Kind::*},
    given::{Given, seat},
};
use crate::engine::{
    Chance, Format, Ruleset as _, Seats, Seed, Table,
    cases::{CASE_SEED, Given as _},
    json,
};

/// Returns the autopilot's commands for both seats after these commands of seat 0.
fn decides(given: Given, sent: &[&str]) -> [Option<serde_json::Value>; 2] {
    let chance = Chance::seeded(Seed::new(Format::Three, CASE_SEED));
    let mut table = Table::<IndustrialWaste>::at(Seats::new(2).unwrap(), given.state(), chance);
    for text in sent {
        let command = IndustrialWaste::read_command(&json::parse(text.as_bytes()).unwrap()).unwrap();
        table.submit(seat(0), &command).unwrap();
    }
    [0, 1].map(|number| table.autopilot(seat(number)).map(|command| serde_json::to_value(command).unwrap()))
}

fn sends(command: &str) -> Option<serde_json::Value> {
    serde_json::from_str(command).ok()
}

#[test]
fn the_autopilot_takes_the_lowest_column_that_is_left() {
    let offer = || {
        Given::choosing(
            2,
            &[[Order, Growth, Advisor], [Order, Innovation, Bribery], [Order, Growth, Advisor]],
        )
    };
    let take_0 = r#"{"type":"choose_combination","column":0}"#;
    assert_eq!(decides(offer(), &[]), [sends(take_0), None]);
    let then = sends(r#"{"type":"choose_combination","column":1}"#);
    assert_eq!(decides(offer(), &[take_0]), [None, then]);
}

#[test]
fn the_autopilot_discards_its_first_card_and_keeps_the_last() {
    let cards = |cards| decides(Given::playing(2).cards(0, cards), &[]);
    assert_eq!(cards(&[Growth]), [sends(r#"{"type":"save_card"}"#), None]);
    let discard = |card: &str| sends(&format!(r#"{{"type":"discard","card":"{card}"}}"#));
    assert_eq!(cards(&[Innovation, Growth]), [discard("growth"), None], "in the order of IW-1.1");
    assert_eq!(cards(&[RawMaterials, Advisor]), [discard("advisor"), None]);
    let sell = sends(r#"{"type":"sell_materials","advisor":false}"#);
    assert_eq!(cards(&[RawMaterials, RawMaterials]), [sell, None]);
}

#[test]
fn the_autopilot_passes_and_accepts() {
    let auction = Given::playing(2).cards(0, &[RawMaterials, Order]).cards(1, &[Growth]);
    let passes = sends(r#"{"type":"pass_bid"}"#);
    assert_eq!(decides(auction, &[r#"{"type":"sell_materials"}"#]), [None, passes]);
    let accident = Given::playing(2)
        .cards(0, &[Bribery])
        .with(|state| state.final_round = true)
        .company(0, |company| (company.waste, company.column) = (9, 16));
    let [mine, other] = decides(accident, &[r#"{"type":"save_card"}"#]);
    assert_eq!((mine, other), (sends(r#"{"type":"accept_accident"}"#), None));
}
