//! The worked examples of the rules, with the rules that they show.

use super::{
    super::{
        debt::Owed,
        event::EventView as E,
        phase::{Moment, Phase},
        tables::Territory::*,
    },
    given::{Given, seat},
};
use crate::engine::cases::Case;

const ROLL: &str = r#"{"type":"roll"}"#;

#[rustfmt::skip]
pub const EXAMPLES: &[(&[&str], Case<Given>)] = &[
    (&["CO-3.1", "CO-5.1"], Case::kept("CO-5.1", "example 1: the costs of two territories are owed at VIA",
        || Given::rolling_to(2, 0).owns(0, 0, &[Campogalliano, CastelfrancoEmilia]), &[(0, ROLL)],
        |after| {
            assert!(after.happened(&E::BalanceSettled { seat: seat(0), balance: -5 }));
            assert!(after.happened(&E::Paid { seat: seat(0), to: None, euros: 0, credits: 5 }));
            assert_eq!(after.player(0).credits, 9);
        })),
    (&["CO-3.1", "CO-6.7"], Case::kept("CO-6.7", "example 2: the first action of Campogalliano",
        || Given::standing(2, 1).owns(0, 0, &[Campogalliano, CastelfrancoEmilia]), &[(0, r#"{"type":"implement_action","territory":"campogalliano"}"#)],
        |after| assert_eq!((after.balance(0), after.state.rent(Campogalliano), after.player(0).credits), (-4, 300, 13)))),
    (&["CO-3.1", "CO-3.2"], Case::kept("CO-3.1", "example 3: an area of costs 2, 3, 2 and bonuses 4, 5, 4 is worth 18, which is no win",
        || Given::standing(2, 1).owns(0, 4, &[Campogalliano, Carpi]).owns(0, 3, &[Soliera]), &[(0, r#"{"type":"implement_action","territory":"soliera"}"#)],
        |after| assert_eq!((after.balance(0), &after.state.phase), (18, &Phase::Turn(Moment::Square))))),
    (&["CO-3.1", "CO-3.2"], Case::kept("CO-3.2", "example 3: with a territory of cost 2 and all four actions it is 20, which wins",
        || Given::standing(2, 1).owns(0, 4, &[Campogalliano, Carpi, Soliera]).owns(0, 3, &[Vignola]), &[(0, r#"{"type":"implement_action","territory":"vignola"}"#)],
        |after| assert!(after.balance(0) == 20 && matches!(after.state.phase, Phase::Finished(_))))),
    (&["CO-5.1", "CO-7.1", "CO-7.2"], Case::kept("CO-7.2", "example 4: two credits are bought, the engine pays six, and the turn goes on with the square",
        || Given::rolling_to(2, 1).owns(0, 0, &[Carpi, ModenaCentro]).owns(1, 0, &[Sestola]).money(0, 1_000, 4), &[(0, ROLL), (0, r#"{"type":"buy_credits","count":2}"#)],
        |after| {
            assert!(after.happened(&E::DebtIncurred { seat: seat(0), to: None, euros: 0, credits: 6 }));
            assert!(after.happened(&E::RentDue { seat: seat(0), owner: seat(1), territory: Sestola, euros: 200 }));
            assert_eq!((after.money(0), after.money(1).0), ((600, 0), 5_700));
        })),
    (&["CO-7.1", "CO-7.4"], Case::kept("CO-7.4", "example 5: a territory settles the rent, and the turn goes on",
        rent, &[(0, OFFER), (1, r#"{"type":"accept_trade"}"#)],
        |after| {
            assert!(after.happened(&E::DebtSettled { seat: seat(0), to: seat(1) }));
            assert_eq!((after.money(0).0, after.state.owner(Zocca), &after.state.phase), (300, Some(seat(1)), &Phase::Turn(Moment::Square)));
        })),
    (&["CO-7.5", "CO-8.5"], Case::kept("CO-7.5", "example 5: if it is rejected it may try again, or go bankrupt",
        rent, &[(0, OFFER), (1, r#"{"type":"reject_trade"}"#), (0, OFFER), (1, r#"{"type":"reject_trade"}"#), (0, r#"{"type":"declare_bankruptcy"}"#)],
        |after| assert_eq!((after.money(1).0, after.state.turn_seat), (5_800, seat(1))))),
];

const OFFER: &str =
    r#"{"type":"propose_trade","to":1,"give":{"territories":["zocca"]},"take":{},"settles_debt":true}"#;

/// A rent of 400 with 300 euros.
fn rent() -> Given {
    Given::owing(3, 2, Owed::Euros { amount: 400, to: Some(seat(1)) })
        .owns(1, 2, &[PavulloNelFrignano])
        .owns(0, 0, &[Zocca])
        .money(0, 300, 14)
}

#[test]
fn every_worked_example_holds() {
    for (rules, example) in EXAMPLES {
        assert!(rules.contains(&example.rule), "{} names its rule", example.name);
        example.check();
    }
}
