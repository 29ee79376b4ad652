//! The worked examples of the rules, with the rules that they show.

use super::{
    super::{cards::Kind::*, company::Needs, event::EventView as E, phase::Phase},
    given::{Given, seat},
};
use crate::engine::cases::Case;

#[rustfmt::skip]
pub const EXAMPLES: &[(&[&str], Case<Given>)] = &[
    (&["IW-7.6"], Case::kept("IW-7.6", "example 1: a first order", || Given::playing(2).cards(0, &[Order, Growth]), &[(0, r#"{"type":"complete_order"}"#)],
        |after| assert_eq!((after.company(0).materials, after.company(0).cash, after.company(0).waste), (0, 29, 5)))),
    (&["IW-7.5", "IW-7.6", "IW-7.9", "IW-9.1", "IW-9.2", "IW-9.3"], Case::kept("IW-9.3", "example 2: the seller outbids all, innovates, and its order takes 4",
        || Given::playing(4).cards(0, &[RawMaterials, Innovation, Order, Growth]),
        &[
            (0, r#"{"type":"sell_materials"}"#),
            (1, r#"{"type":"bid","amount":4}"#),
            (2, r#"{"type":"pass_bid"}"#),
            (3, r#"{"type":"bid","amount":6}"#),
            (0, r#"{"type":"bid","amount":7}"#),
            (0, r#"{"type":"innovate","areas":["raw_materials"]}"#),
            (0, r#"{"type":"complete_order"}"#),
        ],
        |after| {
            assert!(after.happened(&E::LotSold { seller: seat(0), buyer: seat(0), lot: 5, price: 7 }));
            assert!([1, 2, 3].iter().all(|n| after.company(*n).cash == 15));
            // 15 - 7 - 5 + 14 for the order on column 14.
            assert_eq!((after.company(0).cash, after.company(0).materials, after.company(0).needs.raw_materials), (17, 6, 4));
        })),
    (&["IW-7.4", "IW-7.7", "IW-7.10"], Case::kept("IW-7.10", "example 3: waste disposal with an advisor, growth, raw materials saved",
        || Given::playing(2).cards(0, &[Advisor, WasteDisposal, Growth, RawMaterials]).cards(1, &[Growth, Growth, Growth]).company(0, |c| c.waste = 11),
        &[(0, r#"{"type":"dispose_waste","advisor":true}"#), (1, r#"{"type":"grow"}"#), (0, r#"{"type":"grow"}"#), (1, r#"{"type":"grow"}"#), (0, r#"{"type":"save_card"}"#)],
        |after| {
            assert!(after.happened(&E::WasteDisposed { seat: seat(0), advisor: true, waste: 5 }));
            assert_eq!((after.company(0).column, after.company(0).saved), (15, Some(RawMaterials)));
        })),
    (&["IW-7.6", "IW-10.1", "IW-11.3"], Case::kept("IW-11.3", "example 4: what an order, the costs and the end count",
        || Given::playing(2).cards(0, &[Order]).company(0, |c| {
            (c.column, c.row, c.cash) = (16, 4, 0);
            c.needs = Needs { rationalization: 4, raw_materials: 5, waste_reduction: 3 };
        }).with(|state| state.final_round = true),
        &[(0, r#"{"type":"complete_order"}"#)],
        |after| {
            assert!(after.happened(&E::OrderCompleted { seat: seat(0), advisor: false, materials: 5, income: 16, waste: 3 }));
            assert!(after.happened(&E::BasicCostsPaid { seat: seat(0), amount: 4 }));
            let result = after.state.outcome();
            let parts = &result.0.iter().find(|score| score.seat == seat(0)).unwrap().parts;
            assert_eq!((parts.growth, parts.rationalization, parts.raw_materials, parts.waste_reduction), (16, 3, 1, 6));
        })),
    (&["IW-3.2", "IW-8.1", "IW-8.2"], Case::kept("IW-8.1", "example 5: yellow on column 14 with cash 3 is not asked for its bribery",
        || final_accident(9, 14, 3), &[(1, r#"{"type":"save_card"}"#)],
        |after| assert_eq!((after.company(0).loans, after.company(0).cash, after.company(0).column), (1, 8, 14)))),
    (&["IW-3.2", "IW-8.2"], Case::kept("IW-8.2", "example 5: red on column 15 without cash bribes",
        || final_accident(13, 15, 0), &[(1, r#"{"type":"save_card"}"#), (0, r#"{"type":"bribe"}"#)],
        |after| assert_eq!((after.company(0).loans, after.company(0).cash, after.company(0).column), (2, 9, 15)))),
    (&["IW-3.2", "IW-8.1", "IW-8.2"], Case::kept("IW-8.2", "example 5: the same without the bribe",
        || final_accident(13, 15, 0), &[(1, r#"{"type":"save_card"}"#), (0, r#"{"type":"accept_accident"}"#)],
        |after| assert_eq!((after.company(0).loans, after.company(0).cash, after.company(0).column), (1, 0, 14)))),
    (&["IW-11.3"], Case::kept("IW-11.3", "example 6: a final score of 71",
        || Given::last_turn(2).with(|state| state.final_round = true).company(1, |c| {
            // 5 more for the basic costs of row 5, paid before the scoring.
            (c.column, c.cash) = (20, 22 + 5);
            c.needs = Needs { rationalization: 1, raw_materials: 2, waste_reduction: 1 };
        }), &[(0, r#"{"type":"save_card"}"#)],
        |after| {
            let Phase::Finished(result) = &after.state.phase else { panic!("not finished") };
            assert_eq!((result.0[0].seat, result.0[0].place, result.0[0].score), (seat(1), 1, 71));
            assert_eq!(result.0[0].parts.cash, 11);
        })),
];

/// The last turn of the game is seat 1's; then seat 0, with a bribery, is settled after its costs of 5.
fn final_accident(waste: u8, column: u8, cash: u64) -> Given {
    Given::playing(2)
        .cards(1, &[Growth])
        .saved(0, Bribery)
        .company(0, move |company| {
            (company.waste, company.column, company.cash) = (waste, column, cash + 5);
        })
        .with(|state| {
            state.final_round = true;
            state.phase = Phase::Playing { turn: seat(1) };
        })
}

#[test]
fn every_worked_example_holds() {
    for (rules, example) in EXAMPLES {
        assert!(rules.contains(&example.rule), "{} names its rule", example.name);
        example.check();
    }
}
