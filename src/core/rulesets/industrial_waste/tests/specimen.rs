//! Additions of this game for the suite of all rulesets.

use serde_json::{Value, json};

use super::super::{
    IndustrialWaste,
    cards::{BOX, Kind},
    company::{Area, Direction},
    phase::Phase,
    state::State,
};
use crate::engine::{
    Seats,
    conformance::{Specimen, TestDice},
    id::Id,
};

impl Specimen for IndustrialWaste {
    const MOST_COMMANDS: usize = 2_000;

    fn some_options(dice: &mut TestDice, seats: Seats) -> Value {
        let first = dice.below(u64::from(seats.count()) + 1);
        let first_seat = seats.seat(first).map_or(Value::Null, |seat| json!(seat));
        json!({
            "open_cash": dice.seldom(),
            "max_rounds": if dice.seldom() { 1 + dice.below(4) } else { 40 },
            "first_seat": first_seat,
        })
    }

    fn some_command(dice: &mut TestDice) -> Value {
        let advisor = dice.below(2) == 0;
        let kind = *dice.pick(Kind::ALL);
        let areas: Vec<Area> = (0..dice.below(4)).map(|_| *dice.pick(Area::ALL)).collect();
        match dice.below(16) {
            0 => json!({"type": "take_loan", "count": dice.number()}),
            1 => json!({"type": "choose_combination", "column": dice.number()}),
            2 => json!({"type": "sell_materials", "advisor": advisor}),
            3 => json!({"type": "complete_order", "advisor": advisor}),
            4 => json!({"type": "grow", "advisor": advisor}),
            5 => {
                json!({"type": "adjust_workforce", "direction": dice.pick(Direction::ALL), "advisor": advisor})
            }
            6 | 7 => json!({"type": "innovate", "areas": areas, "advisor": advisor}),
            8 => json!({"type": "dispose_waste", "advisor": advisor}),
            9 => json!({"type": "remove_waste", "advisor": advisor}),
            10 => json!({"type": "repay_loan"}),
            11 => json!({"type": "discard", "card": kind}),
            12 => json!({"type": "save_card"}),
            13 => json!({"type": "bid", "amount": dice.number()}),
            14 => json!({"type": "pass_bid"}),
            _ => json!({"type": *dice.pick(&["bribe", "accept_accident"])}),
        }
    }

    fn assert_conserved(state: &State) {
        let mut cards = state.discards;
        cards.extend(state.supply.iter().copied());
        cards.extend(state.accident_aside.then_some(Kind::Accident));
        for (_, company) in state.companies.iter() {
            cards.extend(company.cards.sorted().chain(company.saved));
        }
        if let Some(offer) = state.phase.offer() {
            cards.extend(offer.left().flat_map(|(_, cards)| cards.iter().copied()));
        }
        assert_eq!(cards, BOX, "the 53 cards");

        let lot = if let Phase::Auction(auction) = &state.phase { auction.lot } else { 0 };
        let held: u8 = state.companies.iter().map(|(_, company)| company.materials).sum();
        assert_eq!(held + lot + state.common_materials, 50, "the 50 raw materials");

        for (_, company) in state.companies.iter() {
            assert!(company.waste <= 16, "waste");
            assert!((14..=20).contains(&company.column), "column");
            assert!((1..=5).contains(&company.row), "row");
            assert!(Area::ALL.iter().all(|area| (1..=5).contains(&company.needs.of(*area))), "needs");
            assert!(company.cash < 100_000, "cash never wraps below 0");
        }
    }
}
