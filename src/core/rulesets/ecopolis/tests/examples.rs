//! The worked examples of the rules, with the rules that they show.

use super::{
    super::{
        cards::Action::{Biodiversity, GreenBuilding},
        debt::Owed,
        event::EventView as E,
        phase::{Moment, Phase},
        state::Exchange,
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
    (&["CO-3.1", "CO-3.2"], Case::kept("CO-3.1", "example 3: an area of costs 2, 3, 2 and bonuses 3, 5, 3 is worth 16, which is no win",
        || Given::standing(2, 1).owns(0, 4, &[Campogalliano, Carpi]).owns(0, 3, &[Soliera]).holds(Biodiversity), &[(0, r#"{"type":"implement_action","territory":"soliera"}"#)],
        |after| assert_eq!((after.balance(0), &after.state.phase), (16, &Phase::Turn(Moment::Square))))),
    (&["CO-3.1", "CO-3.2"], Case::kept("CO-3.2", "example 3: with a second leg it is 20, which wins at once, after the four cards are back and one is drawn",
        || Given::standing(2, 1).owns(0, 4, &[Campogalliano, Carpi, Soliera, Nonantola]).owns(0, 3, &[Bomporto]), &[(0, r#"{"type":"implement_action","territory":"bomporto"}"#)],
        |after| {
            assert!(after.balance(0) == 20 && matches!(after.state.phase, Phase::Finished(_)));
            assert_eq!((after.state.bag.total(), after.player(0).hand.total()), (96 - 12, 6));
        })),
    (&["CO-3.1", "CO-3.2"], Case::kept("CO-3.2", "example 3: the ceramics area wins alone",
        || Given::standing(2, 1).owns(0, 4, &[FioranoModenese, Sassuolo]).owns(0, 3, &[Maranello]).holds(GreenBuilding), &[(0, r#"{"type":"implement_action","territory":"maranello"}"#)],
        |after| assert!(after.balance(0) == 21 && matches!(after.state.phase, Phase::Finished(_))))),
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
    (&["CO-7.6"], Case::kept("CO-7.6", "example 5: 300 euros and a credit pay a rent of 400",
        rent, &[(0, PAY)],
        |after| {
            assert!(after.happened(&E::Paid { seat: seat(0), to: Some(seat(1)), euros: 300, credits: 1 }));
            assert_eq!((after.money(0), &after.state.phase), ((0, 13), &Phase::Turn(Moment::Square)));
        })),
    (&["CO-7.7"], Case::kept("CO-7.7", "example 6: two territories go back for a rent of 700, and a credit pays the rest",
        || Given::owing(3, 2, Owed::Euros { amount: 700, to: Some(seat(1)) }).owns(0, 0, &[Zocca]).owns(0, 1, &[Soliera]).money(0, 0, 2),
        &[(0, r#"{"type":"return_territory","territory":"soliera"}"#), (0, r#"{"type":"return_territory","territory":"zocca"}"#), (0, PAY)],
        |after| assert_eq!((after.money(0), after.money(1), after.state.bag.total()), ((0, 1), (6_100, 15), 96 - 18)))),
    (&["CO-7.5"], Case::kept("CO-7.5", "example 6: 400 of 700 at most is bankruptcy",
        || Given::owing(3, 2, Owed::Euros { amount: 700, to: Some(seat(1)) }).owns(0, 0, &[Zocca]).money(0, 100, 0), &[(0, r#"{"type":"declare_bankruptcy"}"#)],
        |after| assert_eq!((after.money(1).0, after.state.turn_seat), (5_600, seat(1))))),
    (&["CO-6.11"], Case::kept("CO-6.11", "example 7: from 38 a throw of 4 passes VIA, which is settled first",
        || Given::rolling_to(2, 2).owns(0, 4, &[Zocca]), &[(0, ROLL)],
        |after| assert_eq!((after.player(0).credits, after.state.exchange()), (17, Some(Exchange::Passing))))),
    (&["CO-8.8", "CO-8.6"], Case::kept("CO-8.8", "example 8: a counter-offer of 900 euros is accepted, and the territory rests",
        || Given::rolling(2).owns(0, 0, &[Guiglia]).owns(1, 0, &[Zocca]), &[(0, r#"{"type":"propose_trade","to":1,"give":{"euros":600},"take":{"territories":["zocca"]}}"#), (1, r#"{"type":"counter_trade","give":{"territories":["zocca"]},"take":{"euros":900}}"#), (0, r#"{"type":"accept_trade"}"#)],
        |after| {
            assert_eq!((after.state.owner(Zocca), after.money(0).0, after.state.offers_left()), (Some(seat(0)), 4_600, 2));
            assert_eq!(after.state.holding(Zocca).unwrap().rests, 2);
        })),
    (&["CO-8.2", "CO-7.2"], Case::kept("CO-8.2", "example 9: land for a neighbour's credits has no least price, if they cover the debt",
        || bill_at_via().owns(0, 0, &[Guiglia]), &[(0, GUIGLIA_FOR_4), (1, r#"{"type":"accept_trade"}"#), (0, r#"{"type":"buy_credits","count":2}"#)],
        |after| assert_eq!((after.money(0), after.state.owner(Guiglia), &after.state.phase), ((0, 0), Some(seat(1)), &Phase::Turn(Moment::Square))))),
];

const PAY: &str = r#"{"type":"pay_in_credits"}"#;
pub const GUIGLIA_FOR_4: &str =
    r#"{"type":"propose_trade","to":1,"give":{"territories":["guiglia"]},"take":{"credits":4}}"#;

/// A debt of 6 credits with 200 euros.
pub fn bill_at_via() -> Given {
    Given::owing(2, 0, Owed::Credits(6)).money(0, 200, 0)
}

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
