//! Every numbered rule, kept and broken.

use std::collections::BTreeSet;

use super::{
    super::{
        IndustrialWaste,
        cards::{BOX, Kind::*},
        company::{Needs, Zone},
        event::EventView as E,
        phase::{Phase, PhaseName},
    },
    examples::EXAMPLES,
    given::{Given, seat},
};
use crate::engine::{
    Chance, Format, Ruleset, Seats, Seed, Table, Viewer,
    cases::{self, Case},
};

const GROW: &str = r#"{"type":"grow"}"#;
const GROW_2: &str = r#"{"type":"grow","advisor":true}"#;
const ORDER: &str = r#"{"type":"complete_order"}"#;
const ORDER_5: &str = r#"{"type":"complete_order","advisor":true}"#;
const SELL: &str = r#"{"type":"sell_materials"}"#;
const SELL_2: &str = r#"{"type":"sell_materials","advisor":true}"#;
const HIRE: &str = r#"{"type":"adjust_workforce","direction":"hire"}"#;
const FIRE: &str = r#"{"type":"adjust_workforce","direction":"fire"}"#;
const FIRE_2: &str = r#"{"type":"adjust_workforce","direction":"fire","advisor":true}"#;
const STORE: &str = r#"{"type":"dispose_waste"}"#;
const STORE_2: &str = r#"{"type":"dispose_waste","advisor":true}"#;
const REMOVE: &str = r#"{"type":"remove_waste"}"#;
const REMOVE_2: &str = r#"{"type":"remove_waste","advisor":true}"#;
const SAVE: &str = r#"{"type":"save_card"}"#;
const REPAY: &str = r#"{"type":"repay_loan"}"#;
const PASS: &str = r#"{"type":"pass_bid"}"#;
const BRIBE: &str = r#"{"type":"bribe"}"#;
const ACCEPT: &str = r#"{"type":"accept_accident"}"#;
const LOAN: &str = r#"{"type":"take_loan","count":1}"#;
const BID_0: &str = r#"{"type":"bid","amount":0}"#;
const BID_1: &str = r#"{"type":"bid","amount":1}"#;
const BID_3: &str = r#"{"type":"bid","amount":3}"#;
const BID_16: &str = r#"{"type":"bid","amount":16}"#;
const TAKE_0: &str = r#"{"type":"choose_combination","column":0}"#;
const TAKE_1: &str = r#"{"type":"choose_combination","column":1}"#;
const TAKE_3: &str = r#"{"type":"choose_combination","column":3}"#;
const INNOVATE: &str = r#"{"type":"innovate","areas":["rationalization"]}"#;
const INNOVATE_TWICE: &str =
    r#"{"type":"innovate","areas":["raw_materials","raw_materials"],"advisor":true}"#;
const INNOVATE_BOTH: &str =
    r#"{"type":"innovate","areas":["raw_materials","waste_reduction"],"advisor":true}"#;

/// Nine cards for three columns without a duplicate.
const DEAL: [super::super::cards::Kind; 9] =
    [Order, Innovation, Growth, Advisor, HiringFiring, WasteRemoval, RawMaterials, WasteDisposal, Bribery];

fn offer() -> Given {
    Given::choosing(
        2,
        &[[Order, Growth, Advisor], [Order, Innovation, Bribery], [RawMaterials, WasteDisposal, Growth]],
    )
}

/// A round about to end with an accident as the first card of the next deal.
fn accident(waste: u8, column: u8) -> Given {
    Given::last_turn(2).on_top(&DEAL).on_top(&[Accident]).company(1, move_to(waste, column))
}

fn move_to(waste: u8, column: u8) -> impl Fn(&mut super::super::company::Company) {
    move |company| (company.waste, company.column) = (waste, column)
}

fn final_round(waste: u8, column: u8) -> Given {
    Given::last_turn(2).with(|state| state.final_round = true).company(1, move_to(waste, column))
}

#[rustfmt::skip]
const CASES: &[Case<Given>] = &[
    Case::kept("IW-1.1", "a card that was played is in the discards, and there again for the next supply", || Given::playing(2).cards(0, &[Growth, Order]), &[(0, GROW)],
        |after| assert_eq!((BOX.total(), after.state.discards.count(Growth)), (53, 1))),
    Case::kept("IW-1.2", "what no company holds is the common supply", || Given::playing(3).cards(0, &[Order, Growth]), &[(0, ORDER)],
        |after| assert_eq!(after.state.common_materials, 40)),
    Case::kept("IW-1.3", "factories share a space", || Given::playing(2).cards(0, &[Growth, Order]).company(1, |c| c.column = 15), &[(0, GROW)],
        |after| assert_eq!(after.company(0).column, after.company(1).column)),
    Case::kept("IW-1.4", "a marker moves from need 5 to need 4", || Given::playing(2).cards(0, &[Innovation, Order]), &[(0, INNOVATE)],
        |after| assert_eq!(after.company(0).needs, Needs { rationalization: 4, ..Needs::START })),
    Case::kept("IW-1.5", "8 waste is green, 9 yellow", || accident(8, 16), &[(0, SAVE)],
        |after| assert!(after.happened(&E::AccidentSettled { seat: seat(1), zone: Zone::Green, paid: 0, bribed: false, column: 16 }))),
    Case::kept("IW-1.6", "forced loans go beyond the tokens of the box", || Given::last_turn(2).on_top(&DEAL).company(1, |c| (c.loans, c.cash) = (16, 0)), &[(0, SAVE)],
        |after| assert_eq!((after.company(1).loans, after.company(1).cash), (17, 5))),

    Case::kept("IW-3.1", "a loan out of turn changes nobody's turn", || Given::playing(2).cards(0, &[Growth]), &[(1, LOAN)],
        |after| {
            assert_eq!((after.company(1).loans, after.company(1).cash), (1, 25));
            assert_eq!(after.state.phase, Phase::Playing { turn: seat(0) });
        }),
    Case::broken("IW-3.1", "no loan at all", || Given::playing(2).cards(0, &[Growth]), &[(0, r#"{"type":"take_loan","count":0}"#)]),
    Case::broken("IW-3.1", "a loan after the end", || final_round(0, 14), &[(0, SAVE), (0, LOAN)]),
    Case::kept("IW-3.2", "the smallest number of loans that pays", || accident(16, 14).company(1, |c| c.cash = 0), &[(0, SAVE)],
        |after| {
            // Basic costs of 5 take a loan, and the remaining 5 do not pay the fine of 10.
            assert_eq!((after.company(1).loans, after.company(1).cash), (2, 5));
        }),
    Case::broken("IW-3.2", "an innovation forces no loan", || Given::playing(2).cards(0, &[Innovation]).company(0, |c| c.cash = 4), &[(0, INNOVATE)]),
    Case::kept("IW-3.3", "an advisor pays a loan back", || Given::playing(2).cards(0, &[Advisor, Order]).company(0, |c| c.loans = 2), &[(0, REPAY)],
        |after| assert_eq!((after.company(0).loans, after.company(0).cash), (1, 5))),
    Case::kept("IW-3.4", "up to 16 loans", || Given::playing(2).cards(0, &[Growth]), &[(1, r#"{"type":"take_loan","count":16}"#)],
        |after| assert_eq!((after.company(1).loans, after.company(1).cash), (16, 175))),
    Case::broken("IW-3.4", "forced loans count", || Given::playing(2).cards(0, &[Growth]).company(1, |c| c.loans = 16), &[(1, LOAN)]),
    Case::broken("IW-3.4", "a number beyond all bounds", || Given::playing(2).cards(0, &[Growth]), &[(1, r#"{"type":"take_loan","count":9007199254740991}"#)]),

    Case::kept("IW-4.1", "a round goes through its phases", || Given::last_turn(2).on_top(&DEAL), &[(0, SAVE)],
        |after| {
            assert_eq!(after.state.round, 2);
            assert!(after.happened(&E::RoundStarted { round: 2, starting_seat: seat(1), final_round: false }));
        }),
    Case::kept("IW-5.1", "one column more than seats, dealt row by row", || Given::last_turn(2).on_top(&DEAL), &[(0, SAVE)],
        |after| {
            let offer = after.state.phase.offer().unwrap();
            assert_eq!(offer.len(), 3);
            assert_eq!(offer.get(0).unwrap().as_slice(), [Order, Advisor, RawMaterials]);
            assert_eq!(offer.get(2).unwrap().as_slice(), [Growth, WasteRemoval, Bribery]);
        }),
    Case::kept("IW-5.2", "a kind that lies in the column is discarded",
        || Given::last_turn(2).on_top(&[HiringFiring, WasteRemoval, RawMaterials, WasteDisposal, Bribery]).on_top(&[Order, Innovation, Growth, Order, Advisor]), &[(0, SAVE)],
        |after| {
            assert!(after.happened(&E::DuplicateDiscarded { column: 0, card: Order }));
            assert_eq!(after.state.phase.offer().unwrap().get(0).unwrap().as_slice(), [Order, Advisor, RawMaterials]);
        }),
    Case::kept("IW-5.3", "the discards become the supply", || Given::last_turn(2).on_top(&DEAL).supply_of(5), &[(0, SAVE)],
        |after| {
            let made_anew = after.events.iter().any(|event| matches!(event, E::SupplyShuffled { cards: 47 }));
            assert!(made_anew, "{:?}", after.events);
            assert!(after.state.phase.offer().unwrap().left().all(|(_, cards)| cards.len() == 3));
        }),
    Case::kept("IW-5.4", "the deal goes on after the accident", || accident(0, 14), &[(0, SAVE)],
        |after| {
            assert!(after.state.accident_aside);
            assert_eq!(after.state.phase.offer().unwrap().get(0).unwrap().as_slice(), [Order, Advisor, RawMaterials]);
        }),
    Case::kept("IW-5.5", "three kinds in each column", || Given::last_turn(2).supply_of(20), &[(0, SAVE)],
        |after| for (_, cards) in after.state.phase.offer().unwrap().left() {
            assert!(cards[0] != cards[1] && cards[1] != cards[2] && cards[0] != cards[2] && !cards.contains(&Accident));
        }),

    Case::kept("IW-6.1", "the cards of a column lie before its taker", offer, &[(0, TAKE_1)],
        |after| {
            assert!(after.company(0).cards.sorted().eq([Order, Innovation, Bribery]));
            assert_eq!(after.state.phase.to_act(), Some(seat(1)));
        }),
    Case::broken("IW-6.1", "a column that is taken", offer, &[(0, TAKE_1), (1, TAKE_1)]),
    Case::broken("IW-6.1", "a column that is not there", offer, &[(0, TAKE_3)]),
    Case::broken("IW-6.1", "another seat's choice", offer, &[(1, TAKE_1)]),
    Case::broken("IW-6.1", "something else than a choice", offer, &[(0, GROW)]),
    Case::kept("IW-6.2", "the last column is discarded", offer, &[(0, TAKE_1), (1, TAKE_0)],
        |after| assert!(after.state.discards.sorted().eq([RawMaterials, Growth, WasteDisposal]))),
    Case::kept("IW-6.3", "saved cards are turned up for all at once", || offer().saved(0, Bribery).saved(1, Order), &[(0, TAKE_1), (1, TAKE_0)],
        |after| {
            assert!(after.company(0).cards.sorted().eq([Order, Innovation, Bribery, Bribery]));
            assert!(after.company(1).cards.sorted().eq([Order, Order, Growth, Advisor]));
            assert_eq!((after.company(0).saved, after.company(1).saved), (None, None));
        }),

    Case::kept("IW-7.1", "seats that are out are passed over", || Given::playing(3).cards(0, &[Growth, Order]).cards(2, &[Growth]), &[(0, GROW)],
        |after| assert_eq!(after.state.phase, Phase::Playing { turn: seat(2) })),
    Case::broken("IW-7.1", "another seat's turn", || Given::playing(2).cards(0, &[Growth]).cards(1, &[Growth]), &[(1, GROW)]),
    Case::broken("IW-7.1", "a bid without an auction", || Given::playing(2).cards(0, &[Growth]), &[(0, BID_1)]),
    Case::kept("IW-7.2", "a card and its advisor are one turn", || Given::playing(2).cards(0, &[Growth, Advisor, Order]).cards(1, &[Growth]), &[(0, GROW_2)],
        |after| {
            assert!(after.state.discards.sorted().eq([Growth, Advisor]));
            assert_eq!(after.state.phase.to_act(), Some(seat(1)));
        }),
    Case::kept("IW-7.3", "a discarded card has no effect", || Given::playing(2).cards(0, &[Growth, Order]), &[(0, r#"{"type":"discard","card":"growth"}"#)],
        |after| {
            assert_eq!(after.company(0).column, 14);
            assert!(after.state.discards.sorted().eq([Growth]));
        }),
    Case::broken("IW-7.3", "raw materials are never discarded", || Given::playing(2).cards(0, &[RawMaterials, Order]), &[(0, r#"{"type":"discard","card":"raw_materials"}"#)]),
    Case::kept("IW-7.4", "who saves is out", || Given::playing(2).cards(0, &[Growth]).cards(1, &[Growth, Order]), &[(0, SAVE), (1, GROW)],
        |after| {
            assert_eq!((after.company(0).saved, after.company(0).out), (Some(Growth), true));
            assert_eq!(after.state.phase.to_act(), Some(seat(1)));
        }),
    Case::broken("IW-7.4", "two cards are left", || Given::playing(2).cards(0, &[Growth, Growth]), &[(0, SAVE)]),
    Case::kept("IW-7.5", "an advisor doubles the lot", || Given::playing(2).cards(0, &[RawMaterials, Advisor]), &[(0, SELL_2)],
        |after| assert!(after.happened(&E::LotOffered { seat: seat(0), advisor: true, lot: 10 }))),
    Case::kept("IW-7.5", "the lot is what is there", || Given::playing(2).cards(0, &[RawMaterials, Order]).materials(1, 42), &[(0, SELL)],
        |after| assert!(after.happened(&E::LotOffered { seat: seat(0), advisor: false, lot: 3 }))),
    Case::kept("IW-7.5", "nothing is there", || Given::playing(2).cards(0, &[RawMaterials, Order]).materials(1, 45), &[(0, SELL)],
        |after| {
            assert!(after.happened(&E::NothingSold { seat: seat(0), advisor: false }));
            assert!(after.state.discards.sorted().eq([RawMaterials]));
            assert_eq!(after.state.phase, Phase::Playing { turn: seat(0) });
        }),
    Case::kept("IW-7.6", "an advisor brings 5 more", || Given::playing(2).cards(0, &[Order, Advisor, Growth]), &[(0, ORDER_5)],
        |after| assert_eq!((after.company(0).cash, after.company(0).materials, after.company(0).waste), (34, 0, 5))),
    Case::broken("IW-7.6", "too few co-workers", || Given::playing(2).cards(0, &[Order]).company(0, |c| c.row = 4), &[(0, ORDER)]),
    Case::broken("IW-7.6", "too few raw materials", || Given::playing(2).cards(0, &[Order]).materials(0, 4), &[(0, ORDER)]),
    Case::broken("IW-7.6", "no room for the waste", || Given::playing(2).cards(0, &[Order]).company(0, |c| c.waste = 12), &[(0, ORDER)]),
    Case::kept("IW-7.6", "just room for the waste", || Given::playing(2).cards(0, &[Order, Growth]).company(0, |c| c.waste = 11), &[(0, ORDER)],
        |after| assert_eq!(after.company(0).waste, 16)),
    Case::kept("IW-7.7", "one column, two with an advisor", || Given::playing(2).cards(0, &[Growth, Growth, Advisor, Order]), &[(0, GROW), (0, GROW_2)],
        |after| assert_eq!(after.company(0).column, 17)),
    Case::kept("IW-7.8", "hiring goes up, firing down", || Given::playing(2).cards(0, &[HiringFiring, HiringFiring, Advisor, Order]).company(0, |c| c.row = 4), &[(0, HIRE), (0, FIRE_2)],
        |after| assert_eq!(after.company(0).row, 3)),
    Case::kept("IW-7.9", "one area twice", || Given::playing(2).cards(0, &[Innovation, Advisor, Order]), &[(0, INNOVATE_TWICE)],
        |after| assert_eq!((after.company(0).needs.raw_materials, after.company(0).cash), (3, 5))),
    Case::kept("IW-7.9", "two areas", || Given::playing(2).cards(0, &[Innovation, Advisor, Order]), &[(0, INNOVATE_BOTH)],
        |after| assert_eq!(after.company(0).needs, Needs { rationalization: 5, raw_materials: 4, waste_reduction: 4 })),
    Case::broken("IW-7.9", "no area", || Given::playing(2).cards(0, &[Innovation]), &[(0, r#"{"type":"innovate","areas":[]}"#)]),
    Case::broken("IW-7.9", "two areas without an advisor", || Given::playing(2).cards(0, &[Innovation]), &[(0, r#"{"type":"innovate","areas":["raw_materials","raw_materials"]}"#)]),
    Case::broken("IW-7.9", "one area with an advisor", || Given::playing(2).cards(0, &[Innovation, Advisor]), &[(0, r#"{"type":"innovate","areas":["raw_materials"],"advisor":true}"#)]),
    Case::kept("IW-7.10", "3, or 6 with an advisor, and not below 0", || Given::playing(2).cards(0, &[WasteDisposal, WasteDisposal, WasteDisposal, Advisor, Order]).company(0, |c| c.waste = 10),
        &[(0, STORE), (0, STORE_2), (0, STORE)],
        |after| assert_eq!(after.company(0).waste, 0)),
    Case::kept("IW-7.11", "the others' waste rises, not above 16", || Given::playing(3).cards(0, &[WasteRemoval, WasteRemoval, Advisor, Order]).company(0, |c| c.waste = 1).company(2, |c| c.waste = 15),
        &[(0, REMOVE_2), (0, REMOVE)],
        |after| assert_eq!([0, 1, 2].map(|n| after.company(n).waste), [0, 3, 16])),
    Case::kept("IW-7.12", "bribery and advisor may be discarded", || Given::playing(2).cards(0, &[Bribery, Advisor, Growth]), &[(0, r#"{"type":"discard","card":"bribery"}"#), (0, r#"{"type":"discard","card":"advisor"}"#)],
        |after| assert!(after.state.discards.sorted().eq([Advisor, Bribery]))),
    Case::kept("IW-7.13", "a loan may be taken to repay one", || Given::playing(2).cards(0, &[Advisor, Order]).company(0, |c| (c.cash, c.loans) = (0, 1)), &[(0, LOAN), (0, REPAY)],
        |after| assert_eq!((after.company(0).loans, after.company(0).cash), (1, 0))),
    Case::broken("IW-7.13", "no loan to repay", || Given::playing(2).cards(0, &[Advisor]), &[(0, REPAY)]),
    Case::broken("IW-7.13", "too little cash", || Given::playing(2).cards(0, &[Advisor]).company(0, |c| (c.cash, c.loans) = (9, 1)), &[(0, REPAY)]),
    Case::kept("IW-7.14", "to the very end of the tracks", || Given::playing(2).cards(0, &[HiringFiring, Growth, Order]).company(0, |c| (c.row, c.column) = (2, 19)), &[(0, FIRE), (0, GROW)],
        |after| assert_eq!((after.company(0).row, after.company(0).column), (1, 20))),
    Case::broken("IW-7.14", "a factory beyond column 20", || Given::playing(2).cards(0, &[Growth, Advisor]).company(0, |c| c.column = 19), &[(0, GROW_2)]),
    Case::broken("IW-7.14", "a factory above row 5", || Given::playing(2).cards(0, &[HiringFiring]), &[(0, HIRE)]),
    Case::broken("IW-7.14", "a factory below row 1", || Given::playing(2).cards(0, &[HiringFiring, Advisor]).company(0, |c| c.row = 2), &[(0, FIRE_2)]),
    Case::broken("IW-7.14", "a marker off the mat, before cash", || Given::playing(2).cards(0, &[Innovation, Advisor]).company(0, |c| (c.needs.raw_materials, c.cash) = (2, 0)), &[(0, INNOVATE_TWICE)]),
    Case::kept("IW-7.15", "an advisor lies beside the card", || Given::playing(2).cards(0, &[Growth, Advisor, Order]), &[(0, GROW_2)],
        |after| assert_eq!(after.company(0).column, 16)),
    Case::broken("IW-7.15", "a card that the seat does not hold", || Given::playing(2).cards(0, &[Growth]), &[(0, ORDER)]),
    Case::broken("IW-7.15", "an advisor that the seat does not hold", || Given::playing(2).cards(0, &[Growth]), &[(0, GROW_2)]),
    Case::broken("IW-7.15", "nobody holds the accident", || Given::playing(2).cards(0, &[Growth]), &[(0, r#"{"type":"discard","card":"accident"}"#)]),

    Case::kept("IW-8.1", "yellow pays 5 and moves 1, red pays 10 and moves 2", || accident(9, 16).company(0, |c| (c.waste, c.column) = (13, 17)), &[(0, SAVE)],
        |after| {
            assert!(after.happened(&E::AccidentSettled { seat: seat(1), zone: Zone::Yellow, paid: 5, bribed: false, column: 15 }));
            assert!(after.happened(&E::AccidentSettled { seat: seat(0), zone: Zone::Red, paid: 10, bribed: false, column: 15 }));
            let order: Vec<_> = after.events.iter().filter_map(|event| match event { E::AccidentSettled { seat, .. } => Some(seat.number()), _ => None }).collect();
            assert_eq!(order, [1, 0], "from the starting seat, which has passed to seat 1");
        }),
    Case::kept("IW-8.1", "red on column 15 stops at 14", || accident(16, 15), &[(0, SAVE)],
        |after| assert_eq!((after.company(1).column, after.company(1).cash), (14, 0))),
    Case::kept("IW-8.2", "a bribe keeps the factory and costs 1 more", || accident(9, 16).saved(1, Bribery), &[(0, SAVE), (1, BRIBE)],
        |after| {
            assert_eq!((after.company(1).column, after.company(1).cash), (16, 4));
            assert_eq!(after.state.phase.name(), PhaseName::Choosing);
        }),
    Case::kept("IW-8.2", "an accident may be accepted", || accident(9, 16).saved(1, Bribery), &[(0, SAVE), (1, ACCEPT)],
        |after| {
            assert_eq!((after.company(1).column, after.company(1).cash), (15, 5));
            assert_eq!(after.company(1).saved, Some(Bribery));
        }),
    Case::kept("IW-8.2", "the deal waits for the decision", || accident(9, 16).saved(1, Bribery), &[(0, SAVE)],
        |after| {
            assert_eq!(after.state.phase.name(), PhaseName::Accident);
            assert_eq!(after.state.phase.to_settle().unwrap().as_slice(), [seat(1), seat(0)]);
            assert!(after.state.phase.offer().unwrap().columns().all(|cards| cards.unwrap().is_empty()));
        }),
    Case::kept("IW-8.2", "on column 14 nobody is asked", || accident(9, 14).saved(1, Bribery), &[(0, SAVE)],
        |after| assert_eq!((after.state.phase.name(), after.company(1).saved), (PhaseName::Choosing, Some(Bribery)))),
    Case::kept("IW-8.2", "in the final accident the card saved in this round counts", || Given::playing(2).cards(0, &[Bribery]).company(0, move_to(9, 16)).with(|state| state.final_round = true), &[(0, SAVE), (0, BRIBE)],
        |after| assert_eq!((after.company(0).column, after.state.phase.name()), (16, PhaseName::Finished))),
    Case::broken("IW-8.2", "another seat's decision", || accident(9, 16).saved(1, Bribery), &[(0, SAVE), (0, BRIBE)]),
    Case::broken("IW-8.2", "something else while the accident waits", || accident(9, 16).saved(1, Bribery), &[(0, SAVE), (1, TAKE_0)]),
    Case::broken("IW-7.1", "a bribe without an accident", || Given::playing(2).cards(0, &[Bribery]), &[(0, BRIBE)]),
    Case::kept("IW-8.3", "the bribery is used up and the waste stays", || accident(9, 16).saved(1, Bribery), &[(0, SAVE), (1, BRIBE)],
        |after| {
            assert_eq!((after.company(1).saved, after.company(1).waste), (None, 9));
            assert!(after.state.discards.holds(Bribery));
        }),

    Case::kept("IW-9.1", "from the left neighbour on, the seller last", || Given::playing(3).cards(0, &[RawMaterials, Order]), &[(0, SELL), (1, PASS)],
        |after| match &after.state.phase {
            Phase::Auction(auction) => assert_eq!(auction.still_to_bid.as_slice(), [seat(2), seat(0)]),
            other => panic!("{other:?}"),
        }),
    Case::broken("IW-9.1", "a bid out of order", || Given::playing(3).cards(0, &[RawMaterials, Order]), &[(0, SELL), (2, BID_1)]),
    Case::broken("IW-9.1", "a card in an auction", || Given::playing(2).cards(0, &[RawMaterials]).cards(1, &[Growth]), &[(0, SELL), (1, GROW)]),
    Case::kept("IW-9.2", "all the cash may be bid", || Given::playing(2).cards(0, &[RawMaterials, Order]), &[(0, SELL), (1, r#"{"type":"bid","amount":15}"#)],
        |after| assert!(after.happened(&E::BidMade { seat: seat(1), amount: 15 }))),
    Case::broken("IW-9.2", "a bid of 0", || Given::playing(2).cards(0, &[RawMaterials]), &[(0, SELL), (1, BID_0)]),
    Case::broken("IW-9.2", "a bid that is not higher", || Given::playing(2).cards(0, &[RawMaterials]), &[(0, SELL), (1, BID_3), (0, BID_3)]),
    Case::broken("IW-9.2", "a bid beyond the cash", || Given::playing(2).cards(0, &[RawMaterials]), &[(0, SELL), (1, BID_16)]),
    Case::kept("IW-9.3", "another seat pays the seller", || Given::playing(2).cards(0, &[RawMaterials, Order]), &[(0, SELL), (1, BID_3), (0, PASS)],
        |after| {
            assert_eq!((after.company(0).cash, after.company(1).cash, after.company(1).materials), (18, 12, 10));
        }),
    Case::kept("IW-9.3", "the seller pays the bank", || Given::playing(2).cards(0, &[RawMaterials, Order]), &[(0, SELL), (1, BID_1), (0, BID_3)],
        |after| assert_eq!((after.company(0).cash, after.company(0).materials, after.company(1).cash), (12, 10, 15))),
    Case::kept("IW-9.3", "a lot without a bid goes back", || Given::playing(2).cards(0, &[RawMaterials, Order]), &[(0, SELL), (1, PASS), (0, PASS)],
        |after| assert_eq!((after.state.common_materials, after.company(0).cash), (40, 15))),
    Case::kept("IW-9.4", "a loan before the bid", || Given::playing(2).cards(0, &[RawMaterials, Order]), &[(0, SELL), (1, LOAN), (1, BID_16), (0, PASS)],
        |after| assert_eq!((after.company(1).cash, after.company(1).loans), (9, 1))),

    Case::kept("IW-10.1", "basic costs are the row", || Given::last_turn(2).on_top(&DEAL).company(1, |c| c.row = 2), &[(0, SAVE)],
        |after| assert_eq!((after.company(0).cash, after.company(1).cash), (10, 13))),
    Case::kept("IW-10.2", "the accident goes back with everything else", || Given::last_turn(2).with(|state| {
            state.supply.retain(|card| *card != Accident);
            state.accident_aside = true;
        }).supply_of(30), &[(0, SAVE)],
        |after| {
            assert!(after.happened(&E::AccidentReturned {}));
            assert!(after.happened(&E::SupplyShuffled { cards: 52 }));
        }),
    Case::kept("IW-10.3", "the start passes to the left", || Given::last_turn(2).on_top(&DEAL), &[(0, SAVE)],
        |after| assert_eq!((after.state.starting_seat, after.state.phase.to_act()), (seat(1), Some(seat(1))))),

    Case::kept("IW-11.1", "column 20 begins the final round at once", || Given::playing(2).cards(0, &[Growth, Order]).company(0, |c| c.column = 19), &[(0, GROW)],
        |after| {
            assert!(after.state.final_round);
            assert!(after.happened(&E::FinalRoundReached { seat: seat(0) }));
            assert_eq!(after.state.phase.name(), PhaseName::Playing);
        }),
    Case::kept("IW-11.1", "a second factory there changes nothing", || Given::playing(2).cards(0, &[Growth, Order]).company(0, |c| c.column = 19).with(|state| state.final_round = true), &[(0, GROW)],
        |after| {
            assert_eq!(after.company(0).column, 20);
            assert!(!after.happened(&E::FinalRoundReached { seat: seat(0) }), "it is told once");
        }),
    Case::kept("IW-11.2", "the game ends even if the final accident moves the factory back", || final_round(9, 20), &[(0, SAVE)],
        |after| {
            assert_eq!((after.company(1).column, after.state.phase.name()), (19, PhaseName::Finished));
            assert!(after.happened(&E::BasicCostsPaid { seat: seat(0), amount: 5 }), "costs come before the end");
        }),
    Case::kept("IW-11.3", "loans cost 10 points, and a score may be negative", || final_round(0, 14).company(1, |c| (c.loans, c.cash) = (4, 12)), &[(0, SAVE)],
        |after| {
            let result = after.state.outcome();
            let score = result.0.iter().find(|score| score.seat == seat(1)).unwrap();
            assert_eq!((score.score, score.parts.cash, score.parts.loans), (14 + 3 + 3 - 40, 3, -40));
        }),
    Case::kept("IW-11.4", "cash breaks a tie, and who is still tied shares the place", || Given::last_turn(4).with(|state| state.final_round = true).company(1, |c| c.cash = 14).company(3, |c| c.cash = 14).company(2, |c| c.cash = 16), &[(0, SAVE)],
        |after| {
            let places: Vec<_> = after.state.outcome().0.iter().map(|score| (score.seat.number(), score.place, score.score)).collect();
            assert_eq!(places, [(2, 1, 22), (0, 2, 22), (1, 3, 21), (3, 3, 21)]);
        }),
    Case::kept("IW-11.4", "the place after a shared one is skipped", || Given::last_turn(3).with(|state| state.final_round = true).company(2, |c| c.cash = 5), &[(0, SAVE)],
        |after| {
            let places: Vec<_> = after.state.outcome().0.iter().map(|score| (score.seat.number(), score.place)).collect();
            assert_eq!(places, [(0, 1), (1, 1), (2, 3)]);
        }),
    Case::kept("IW-11.5", "the last round that was agreed is final from its start", || Given::last_turn(2).on_top(&DEAL).with(|state| state.options.max_rounds = 2), &[(0, SAVE)],
        |after| assert!(after.state.final_round)),

    Case::kept("IW-12.1", "cash is its owner's secret, and the supply everybody's", || Given::playing(2).cards(0, &[Growth, Order]), &[(0, GROW)],
        |after| {
            let seen = |viewer| IndustrialWaste::view(&after.state, viewer).companies.into_iter().map(|c| c.cash).collect::<Vec<_>>();
            assert_eq!(seen(Viewer::Seat(seat(0))), [Some(15), None]);
            assert_eq!(seen(Viewer::Spectator), [None, None]);
            assert_eq!(IndustrialWaste::view(&after.state, Viewer::Spectator).supply, 51);
        }),
    Case::kept("IW-12.1", "with open cash all see it", || Given::playing(2).cards(0, &[Growth, Order]).with(|state| state.options.open_cash = true), &[(0, GROW)],
        |after| assert!(IndustrialWaste::view(&after.state, Viewer::Spectator).companies.iter().all(|c| c.cash == Some(15)))),
    Case::kept("IW-12.2", "everything is open at the end", || final_round(0, 14), &[(0, SAVE)],
        |after| assert!(IndustrialWaste::view(&after.state, Viewer::Spectator).companies.iter().all(|c| c.cash.is_some()))),
    Case::broken("IW-9.2", "IW-12.3: the refusal of a bid speaks of the bidder's cash alone", || Given::playing(2).cards(0, &[RawMaterials]).company(0, |c| c.cash = 77), &[(0, SELL), (1, BID_16)]),
    Case::kept("IW-12.3", "a refusal says nothing of others", || Given::playing(2).cards(0, &[RawMaterials]).company(0, |c| c.cash = 77), &[(0, SELL)],
        |after| {
            let command = super::super::command::Command::Bid { amount: 16 };
            let refusal: crate::engine::Refusal = IndustrialWaste::check(&after.state, seat(1), &command).unwrap_err().into();
            assert!(!refusal.text.en.contains("77") && refusal.text.en.contains("15"), "{}", refusal.text.en);
        }),
    Case::broken("IW-7.1", "IW-12.4: the turn comes before the cards", || Given::playing(2).cards(0, &[Growth]), &[(1, ORDER)]),
    Case::broken("IW-7.15", "IW-12.4: the cards come before the conditions", || Given::playing(2).cards(0, &[Growth]).materials(0, 0), &[(0, ORDER)]),
    Case::broken("IW-7.9", "IW-12.4: the numbers come before the board and the cash", || Given::playing(2).cards(0, &[Innovation]).company(0, |c| (c.needs.raw_materials, c.cash) = (1, 0)), &[(0, r#"{"type":"innovate","areas":["raw_materials","raw_materials"]}"#)]),
];

#[test]
fn every_case_holds() {
    let cases: Vec<&Case<Given>> = CASES.iter().collect();
    cases::check(&cases, "rulesets/industrial_waste/golden/refusals.txt");
}

/// Rules without cases: the set-up (below), and options.
const SHOWN_ELSEWHERE: [&str; 8] =
    ["IW-2.1", "IW-2.2", "IW-2.3", "IW-2.4", "IW-12.4", "IW-13.1", "IW-14.1", "IW-14.2"];

#[test]
fn every_rule_has_a_case_and_every_refusal_is_seen() {
    let cases: Vec<&Case<Given>> = CASES.iter().chain(EXAMPLES.iter().map(|(_, case)| case)).collect();
    let broken = [
        "IW-3.1", "IW-3.2", "IW-3.4", "IW-6.1", "IW-7.1", "IW-7.3", "IW-7.4", "IW-7.6", "IW-7.9", "IW-7.13",
        "IW-7.14", "IW-7.15", "IW-8.2", "IW-9.1", "IW-9.2",
    ];
    cases::assert_complete(&cases, &SHOWN_ELSEWHERE, &broken);
}

/// IW-2.1 to IW-2.4.
#[test]
fn the_set_up_is_that_of_the_rules() {
    for count in 2..=4 {
        let seats = Seats::new(count).unwrap();
        let start = |first: serde_json::Value, seed| {
            let options = serde_json::json!({"first_seat": first});
            let options = IndustrialWaste::read_options(&options, seats).unwrap();
            Table::<IndustrialWaste>::start(
                &options,
                seats,
                Chance::seeded(Seed::new(Format::Three, [seed; 32])),
            )
        };
        let table = start(serde_json::json!(1), 1);
        let state = table.state();
        assert_eq!(u64::from(state.common_materials), 50 - 5 * count);
        assert_eq!(state.starting_seat, seat(1));
        let drawn: Vec<String> = table.draws().iter().map(|draw| draw.label.to_string()).collect();
        assert_eq!(drawn, ["deck"], "a seat that is named is not drawn");
        for (_, company) in state.companies.iter() {
            assert_eq!((company.column, company.row, company.waste), (14, 5, 0));
            assert_eq!((company.cash, company.materials, company.loans), (15, 5, 0));
            assert_eq!(company.needs, Needs::START);
            assert!(company.cards.is_empty());
        }
        let firsts: BTreeSet<_> =
            (0..40).map(|seed| start(serde_json::Value::Null, seed).state().starting_seat).collect();
        assert_eq!(firsts.len() as u64, count, "every seat may be drawn to start");
    }
}

#[test]
fn options_are_read_strictly() {
    use serde_json::json;
    let seats = Seats::new(2).unwrap();
    let read = |options: serde_json::Value| IndustrialWaste::read_options(&options, seats);
    let defaults = serde_json::to_value(read(json!({})).unwrap()).unwrap();
    assert_eq!(defaults, json!({"open_cash": false, "max_rounds": 40, "first_seat": null}));
    for wrong in [
        json!({"max_rounds": 0}),
        json!({"max_rounds": 201}),
        json!({"max_rounds": null}),
        json!({"first_seat": 2}),
        json!({"first_seat": -1}),
        json!({"open_cash": 1}),
        json!({"open": true}),
        json!([]),
    ] {
        assert!(read(wrong.clone()).is_err(), "{wrong}");
    }
}
