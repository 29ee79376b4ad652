//! Every numbered rule, kept and broken.

use std::collections::BTreeSet;

use serde_json::json;

use super::{
    super::{
        Ecopolis,
        cards::Action,
        debt::Owed,
        event::EventView as E,
        phase::{Moment, Phase},
        state::{Exchange, State},
        tables::{
            EventCard,
            Territory::{self, *},
        },
    },
    examples::EXAMPLES,
    given::{Given, first_throw, seat},
    trades::TRADES,
};
use crate::engine::{
    Chance, Format, Refusal, Ruleset, Seats, Seed, Table, Viewer,
    cases::{self, AfterCase, Case, Given as _},
    id::Id,
};

const ROLL: &str = r#"{"type":"roll"}"#;
const BUY: &str = r#"{"type":"buy_territory"}"#;
const END: &str = r#"{"type":"end_turn"}"#;
const BANKRUPT: &str = r#"{"type":"declare_bankruptcy"}"#;
const CREDIT: &str = r#"{"type":"buy_credits","count":1}"#;
const CREDITS_2: &str = r#"{"type":"buy_credits","count":2}"#;
const CREDITS_5: &str = r#"{"type":"buy_credits","count":5}"#;
const ON_ZOCCA: &str = r#"{"type":"implement_action","territory":"zocca"}"#;
const ON_SESTOLA: &str = r#"{"type":"implement_action","territory":"sestola"}"#;
const ON_VIGNOLA: &str = r#"{"type":"implement_action","territory":"vignola"}"#;
const EXCHANGE: &str = r#"{"type":"exchange_actions","actions":["water_saving","biodiversity"]}"#;
const ANY_EXCHANGE: &str = r#"{"type":"exchange_actions","actions":["energy_saving","public_transport"]}"#;
const PAY: &str = r#"{"type":"pay_in_credits"}"#;
const ZOCCA_BACK: &str = r#"{"type":"return_territory","territory":"zocca"}"#;
const ACCEPT: &str = r#"{"type":"accept_trade"}"#;

// Squares: a CO2 square, two territories, and the event square of biodiversity.
const CO2: u8 = 10;
const ON_SQUARE_OF_ZOCCA: u8 = 9;
const ON_SQUARE_OF_PAVULLO: u8 = 2;
const EVENT: u8 = 28;

/// Seat 0 draws this event next.
fn drawing(seats: u64, event: EventCard) -> Given {
    Given::rolling_to(seats, EVENT).next_event(event)
}

/// Territories with a total cost of 16.
const BAD: [Territory; 5] = [Sassuolo, FioranoModenese, Maranello, Carpi, Pievepelago];

/// Seat 0 owes seat 1 a rent beyond its money.
fn rent_owed(seats: u64) -> Given {
    let owed = Owed::Euros { amount: 400, to: Some(seat(1)) };
    Given::owing(seats, ON_SQUARE_OF_PAVULLO, owed).owns(1, 2, &[PavulloNelFrignano]).money(0, 300, 3)
}

fn is_roll(phase: &Phase) -> bool {
    *phase == Phase::Turn(Moment::Roll)
}

fn is_square(phase: &Phase) -> bool {
    *phase == Phase::Turn(Moment::Square)
}

#[rustfmt::skip]
const CASES: &[Case<Given>] = &[
    Case::kept("CO-1.3", "a card is drawn from the bag for the one that is used", || Given::standing(2, 1).owns(0, 0, &[Zocca]), &[(0, ON_ZOCCA)],
        |after| assert_eq!((after.state.bag.total(), after.state.done(Zocca)), (96 - 12 - 1, 1))),
    Case::kept("CO-1.5", "the discards become a new deck when an event is to be drawn",
        || Given::rolling_to(2, EVENT).with(|state| { let drawn = std::mem::take(&mut state.event_deck); state.event_discards.extend(drawn); }), &[(0, ROLL)],
        |after| {
            assert!(after.happened(&E::EventsShuffled { cards: 18 }));
            assert_eq!((after.state.event_deck.len(), after.state.event_discards.total()), (17, 1));
        }),
    Case::kept("CO-1.6", "the bank takes and gives without end", || drawing(2, EventCard::Fair).money(0, 9_000_000, 0), &[(0, ROLL)],
        |after| assert_eq!(after.money(0), (9_000_300, 0))),

    Case::kept("CO-3.1", "actions less costs, and the bonuses of a whole area", || Given::standing(2, 1).owns(0, 4, &[Sestola, PavulloNelFrignano, Fanano]).owns(0, 1, &[Maranello]), &[(0, END)],
        |after| assert_eq!(after.balance(0), 12 - 5 + 8 + 1 - 4)),
    Case::kept("CO-3.1", "without the last action there is no bonus", || Given::standing(2, 1).owns(0, 4, &[Sestola, PavulloNelFrignano]).owns(0, 3, &[Fanano]), &[(0, END)],
        |after| assert_eq!(after.balance(0), 11 - 5)),
    Case::kept("CO-3.1", "an area of two owners has no bonus", || Given::standing(2, 1).owns(0, 4, &[Sestola, PavulloNelFrignano]).owns(1, 4, &[Fanano]), &[(0, END)],
        |after| assert_eq!((after.balance(0), after.balance(1)), (8 - 4, 4 - 1))),
    Case::kept("CO-3.2", "20 wins at once, after the card is drawn", || nearly_won(3), &[(0, ON_VIGNOLA)],
        |after| {
            let Phase::Finished(result) = &after.state.phase else { panic!("not finished") };
            assert_eq!((result.0[0].seat, result.0[0].place, result.0[0].balance), (seat(0), 1, 20));
            assert_eq!(after.player(0).hand.total(), 6);
        }),
    Case::kept("CO-3.2", "19 does not", || nearly_won(2), &[(0, ON_VIGNOLA)],
        |after| assert_eq!((after.balance(0), is_square(&after.state.phase)), (19, true))),
    Case::kept("CO-3.2", "in a long game 20 does not, either", || nearly_won(3).options(&json!({"length": "long"})), &[(0, ON_VIGNOLA)],
        |after| assert_eq!((after.balance(0), is_square(&after.state.phase)), (20, true))),
    Case::kept("CO-3.2", "a territory that goes back to the bank may win, and the debt stays unpaid", || rent_owed(2).owns(0, 4, &[Campogalliano, Carpi, Soliera, Vignola, Nonantola]).owns(0, 0, &[Zocca]).money(0, 0, 0), &[(0, r#"{"type":"return_territory","territory":"zocca"}"#)],
        |after| {
            assert!(matches!(after.state.phase, Phase::Finished(_)));
            assert_eq!((after.balance(0), after.money(0), after.state.phase.debt()), (20, (300, 0), None));
        }),
    Case::kept("CO-3.3", "a purchase may lead to -19", || Given::standing(2, 24).owns(0, 0, &BAD[..4]), &[(0, BUY)],
        |after| assert_eq!((after.balance(0), after.state.owner(ModenaMarzaglia)), (-19, Some(seat(0))))),
    Case::broken("CO-3.3", "a purchase that leads to -20", || Given::standing(2, 24).owns(0, 0, &BAD), &[(0, BUY)]),
    Case::kept("CO-3.3", "an event that leads to -20 eliminates", || drawing(3, EventCard::Flood).owns(0, 0, &BAD).owns(0, 1, &[ModenaMarzaglia]), &[(0, ROLL)],
        |after| {
            assert!(after.happened(&E::ActionUndone { seat: seat(0), territory: ModenaMarzaglia, action: Action::PublicTransport }));
            assert!(after.player(0).eliminated.is_some() && is_roll(&after.state.phase));
            assert_eq!((after.state.turn_seat, after.state.owner(Carpi)), (seat(1), None));
        }),

    Case::kept("CO-4.1", "a turn: the throw, the move, the square, the end", || Given::rolling_to(2, ON_SQUARE_OF_ZOCCA), &[(0, ROLL), (0, BUY), (0, END)],
        |after| assert_eq!((after.state.turn_seat, after.state.owner(Zocca)), (seat(1), Some(seat(0))))),
    Case::broken("CO-4.1", "buying before the throw", || Given::rolling(2), &[(0, BUY)]),
    Case::broken("CO-4.1", "a second throw", || Given::standing(2, CO2), &[(0, ROLL)]),
    Case::broken("CO-4.1", "an answer without an offer", || Given::standing(2, CO2), &[(0, ACCEPT)]),
    Case::kept("CO-4.2", "the pawn moves by the sum and shares its square", || Given::rolling_to(2, CO2).player(1, |player| player.square = CO2), &[(0, ROLL)],
        |after| {
            assert_eq!(after.state.dice.unwrap().sum(), first_throw());
            assert_eq!((after.player(0).square, after.player(1).square), (CO2, CO2));
        }),
    Case::kept("CO-4.3", "eliminated seats are passed over", || Given::standing(4, CO2).with(|state| out(state, 1, 0)), &[(0, END)],
        |after| assert!(after.state.turn_seat == seat(2) && is_roll(&after.state.phase))),
    Case::broken("CO-4.3", "another seat's turn", || Given::rolling(2), &[(1, ROLL)]),
    Case::broken("CO-4.3", "an answer of another seat without an offer", || Given::rolling(2), &[(1, ACCEPT)]),
    Case::kept("CO-4.4", "who used the last card draws one of the four that a finished territory gives back", || Given::standing(4, 1).empty_bag().with(|state| {
            // Seat 0 gets the card of the last slot of its territory, and gives its first one for it.
            let (first, last) = (Action::EnergySaving, Action::Biodiversity);
            let holder = state.seats.iter().find(|seat| state.players[*seat].hand.holds(last)).unwrap();
            state.players[holder].hand.remove(last);
            state.players[holder].hand.add(first);
            state.players[seat(0)].hand.remove(first);
            state.players[seat(0)].hand.add(last);
        }), &[(0, ON_SESTOLA)],
        |after| assert_eq!((after.player(0).hand.total(), after.state.bag.total()), (6, 3))),

    Case::kept("CO-5.1", "a positive balance is received in passing", || Given::rolling_to(2, 1).owns(0, 4, &[Sestola]), &[(0, ROLL)],
        |after| {
            assert!(after.happened(&E::BalanceSettled { seat: seat(0), balance: 2 }));
            assert_eq!((after.player(0).square, after.player(0).credits), (1, 16));
        }),
    Case::kept("CO-5.1", "a negative balance is paid on reaching VIA", || Given::rolling_to(2, 0).owns(0, 0, &[Sassuolo]), &[(0, ROLL)],
        |after| assert_eq!((after.player(0).square, after.player(0).credits), (0, 10))),
    Case::kept("CO-5.1", "who does not reach VIA settles nothing", || Given::rolling_to(2, CO2 + 10).owns(0, 0, &[Sassuolo]), &[(0, ROLL)],
        |after| assert_eq!(after.player(0).credits, 14)),
    Case::kept("CO-5.1", "who passed VIA and is sent there settles twice", || Given::rolling_to(2, 3).owns(0, 0, &[Sassuolo]).next_event(EventCard::Via), &[(0, ROLL)],
        |after| assert_eq!((after.player(0).square, after.player(0).credits), (0, 14 - 4 - 4))),

    Case::kept("CO-6.1", "actions on an own territory, this one or another", || Given::standing(2, 2).owns(0, 0, &[PavulloNelFrignano, Zocca]), &[(0, ON_ZOCCA), (0, r#"{"type":"implement_action","territory":"pavullo_nel_frignano"}"#)],
        |after| assert_eq!((after.state.done(Zocca), after.state.done(PavulloNelFrignano), after.player(0).credits), (1, 1, 12))),
    Case::kept("CO-6.2", "buying, and actions on the others", || Given::standing(2, 1).owns(0, 0, &[Zocca]), &[(0, BUY), (0, ON_ZOCCA)],
        |after| assert_eq!((after.state.owner(Sestola), after.state.done(Zocca)), (Some(seat(0)), 1))),
    Case::kept("CO-6.3", "the rent of the actions done, then actions of one's own", || Given::rolling_to(2, 17).owns(1, 2, &[Carpi]).owns(0, 0, &[Zocca]), &[(0, ROLL), (0, ON_ZOCCA)],
        |after| {
            assert!(after.happened(&E::RentDue { seat: seat(0), owner: seat(1), territory: Carpi, euros: 500 }));
            assert_eq!((after.money(0).0, after.money(1).0, after.state.done(Zocca)), (5_000, 6_000, 1));
        }),
    Case::kept("CO-6.3", "half as much again, rounded up, with the efficiency bonus", || Given::rolling_to(2, 19).owns(1, 4, &[Campogalliano, Carpi, Soliera]), &[(0, ROLL)],
        |after| assert_eq!((after.money(0).0, after.state.rent(Soliera), after.state.rent(Carpi)), (4_400, 1_100, 1_500))),
    Case::kept("CO-6.4", "the credit of a CO2 square comes before the action is paid for", || Given::standing(2, CO2).owns(0, 0, &[Zocca]).money(0, 0, 0), &[(0, ON_ZOCCA)],
        |after| assert!(after.player(0).credits == 0 && after.state.turn.credit_taken)),
    Case::kept("CO-6.4", "VIA is a CO2 square too", || Given::standing(2, 0), &[(0, END)],
        |after| assert_eq!(after.player(0).credits, 15)),
    Case::kept("CO-6.5", "an event is drawn by the move, and the turn gives no credit", || drawing(2, EventCard::Fair), &[(0, ROLL), (0, END)],
        |after| {
            assert!(after.happened(&E::EventDrawn { seat: seat(0), event: EventCard::Fair }));
            assert_eq!(after.money(0), (5_800, 14));
        }),
    Case::broken("CO-6.5", "an action after an event", || drawing(2, EventCard::Fair).owns(0, 0, &[Zocca]), &[(0, ROLL), (0, ON_ZOCCA)]),
    Case::kept("CO-6.5", "VIA gives nothing to a pawn that an event sent there", || drawing(2, EventCard::Via), &[(0, ROLL), (0, END)],
        |after| assert_eq!(after.player(0).credits, 14)),
    Case::broken("CO-6.5", "an exchange where an event sent the pawn, after the one in passing", || drawing(2, EventCard::Via), &[(0, ROLL), (0, EXCHANGE), (0, ANY_EXCHANGE)]),
    Case::kept("CO-6.6", "the price is paid and the card taken", || Given::standing(2, ON_SQUARE_OF_ZOCCA), &[(0, BUY)],
        |after| assert_eq!((after.money(0), after.state.owner(Zocca), after.balance(0)), ((5_000, 14), Some(seat(0)), -1))),
    Case::broken("CO-6.6", "a territory that is owned", || Given::standing(2, ON_SQUARE_OF_ZOCCA).owns(1, 0, &[Zocca]), &[(0, BUY)]),
    Case::broken("CO-6.6", "twice", || Given::standing(2, ON_SQUARE_OF_ZOCCA), &[(0, BUY), (0, BUY)]),
    Case::broken("CO-6.6", "a square that is no territory", || Given::standing(2, CO2), &[(0, BUY)]),
    Case::broken("CO-6.6", "too little money", || Given::standing(2, ON_SQUARE_OF_ZOCCA).money(0, 300, 14), &[(0, BUY)]),
    Case::kept("CO-6.7", "the next slot in order takes the card and a credit", || Given::standing(2, 1).owns(0, 1, &[Zocca]), &[(0, ON_ZOCCA)],
        |after| {
            assert!(after.happened(&E::ActionImplemented { seat: seat(0), territory: Zocca, action: Action::WaterSaving }));
            assert_eq!((after.state.done(Zocca), after.player(0).credits, after.balance(0)), (2, 13, 1));
        }),
    Case::kept("CO-6.7", "the four cards of a finished territory go back into the bag before the draw", || Given::standing(2, 1).owns(0, 3, &[Zocca]).holds(Action::GreenBuilding), &[(0, ON_ZOCCA)],
        |after| {
            assert!(after.happened(&E::TerritoryFinished { seat: seat(0), territory: Zocca }));
            assert_eq!((after.state.done(Zocca), after.player(0).hand.total(), after.state.bag.total()), (4, 6, 96 - 12));
        }),
    Case::broken("CO-6.7", "another's territory", || Given::standing(2, 1).owns(1, 0, &[Zocca]), &[(0, ON_ZOCCA)]),
    Case::broken("CO-6.7", "a free territory", || Given::standing(2, 1), &[(0, ON_ZOCCA)]),
    Case::broken("CO-6.7", "the territory that was bought in this turn", || Given::standing(2, ON_SQUARE_OF_ZOCCA), &[(0, BUY), (0, ON_ZOCCA)]),
    Case::broken("CO-6.7", "a territory that is full", || Given::standing(2, 1).owns(0, 4, &[Zocca]), &[(0, ON_ZOCCA)]),
    Case::broken("CO-6.7", "without the card", || Given::standing(2, 1).owns(0, 0, &[Sestola]), &[(0, ON_SESTOLA)]),
    Case::broken("CO-6.7", "without a credit", || Given::standing(2, 1).owns(0, 0, &[Zocca]).money(0, 5_000, 0), &[(0, ON_ZOCCA)]),
    Case::kept("CO-6.8", "a credit for standing still", || Given::standing(2, 1), &[(0, END)],
        |after| assert_eq!(after.player(0).credits, 15)),
    Case::kept("CO-6.8", "none after a purchase or an action", || Given::standing(2, 1).owns(0, 0, &[Zocca]), &[(0, ON_ZOCCA), (0, END)],
        |after| assert_eq!(after.player(0).credits, 13)),
    Case::kept("CO-6.8", "the credit of a CO2 square is given once", || Given::standing(2, CO2).owns(0, 0, &[Zocca]), &[(0, ON_ZOCCA), (0, ON_ZOCCA), (0, END)],
        |after| assert_eq!(after.player(0).credits, 14 + 1 - 2)),
    Case::kept("CO-6.9", "two cards are drawn and two go back, and the turn ends without the credit", || Given::standing(2, CO2), &[(0, EXCHANGE)],
        |after| {
            assert!(after.happened(&E::ActionsExchanged { seat: seat(0), actions: vec![Action::WaterSaving, Action::Biodiversity], passing: false }));
            assert_eq!((after.player(0).hand.total(), after.state.bag.total(), after.player(0).credits), (6, 84, 14));
            assert_eq!(after.state.turn_seat, seat(1));
        }),
    Case::kept("CO-6.9", "a bag with just two", || Given::standing(4, CO2).empty_bag().with(|state| {
            for territory in &Territory::ALL[1..3] {
                state.holdings[territory.index()].as_mut().unwrap().done = 2;
                state.bag.add(territory.deed().slots[2]);
            }
        }), &[(0, r#"{"type":"exchange_actions","actions":["energy_saving","water_saving"]}"#)],
        |after| assert_eq!(after.state.turn_seat, seat(1))),
    Case::broken("CO-6.9", "not on a CO2 square", || Given::standing(2, 1), &[(0, EXCHANGE)]),
    Case::broken("CO-6.9", "after an action", || Given::standing(2, CO2).owns(0, 0, &[Zocca]), &[(0, ON_ZOCCA), (0, EXCHANGE)]),
    Case::broken("CO-6.9", "one card", || Given::standing(2, CO2), &[(0, r#"{"type":"exchange_actions","actions":["water_saving"]}"#)]),
    Case::broken("CO-6.9", "three cards", || Given::standing(2, CO2), &[(0, r#"{"type":"exchange_actions","actions":["water_saving","biodiversity","green_building"]}"#)]),
    Case::broken("CO-6.9", "one card named twice", || Given::standing(2, CO2), &[(0, r#"{"type":"exchange_actions","actions":["water_saving","water_saving"]}"#)]),
    Case::broken("CO-6.9", "a bag with fewer than two", || Given::standing(4, CO2).empty_bag(), &[(0, r#"{"type":"exchange_actions","actions":["energy_saving","water_saving"]}"#)]),
    Case::kept("CO-6.9", "after an exchange in passing, where the pawn stops", || Given::passing(2, CO2), &[(0, EXCHANGE), (0, ANY_EXCHANGE)],
        |after| assert_eq!((after.state.turn_seat, after.player(0).credits), (seat(1), 14))),
    Case::broken("CO-6.9", "a second one where the pawn stops on a territory", || Given::passing(2, 1), &[(0, EXCHANGE), (0, ANY_EXCHANGE)]),
    Case::kept("CO-6.11", "a throw over CO2 squares allows one exchange, and the turn continues", || Given::rolling_to(2, 12).owns(0, 0, &[Zocca]), &[(0, ROLL), (0, EXCHANGE), (0, END)],
        |after| {
            assert!(after.happened(&E::ActionsExchanged { seat: seat(0), actions: vec![Action::WaterSaving, Action::Biodiversity], passing: true }));
            assert_eq!((after.player(0).hand.total(), after.state.bag.total(), after.player(0).credits), (6, 84, 15));
        }),
    Case::kept("CO-6.11", "a purchase does not end it, and it does not end the credit", || Given::passing(2, ON_SQUARE_OF_ZOCCA), &[(0, BUY), (0, EXCHANGE)],
        |after| assert!(is_square(&after.state.phase) && after.state.exchange().is_none())),
    Case::kept("CO-6.11", "the first action ends it", || Given::passing(2, 1).owns(0, 0, &[Zocca]), &[(0, ON_ZOCCA)],
        |after| assert_eq!(after.state.exchange(), None)),
    Case::kept("CO-6.11", "after an event", || drawing(2, EventCard::Fair), &[(0, ROLL), (0, EXCHANGE)],
        |after| assert!(is_square(&after.state.phase) && after.player(0).hand.total() == 6)),
    Case::kept("CO-6.11", "it lasts while VIA's debt is settled", || Given::rolling_to(2, 1).owns(0, 0, &[Carpi]).money(0, 300, 0), &[(0, ROLL), (0, r#"{"type":"buy_credits","count":3}"#)],
        |after| assert_eq!(after.state.exchange(), Some(Exchange::Passing))),
    Case::broken("CO-6.11", "one card", || Given::passing(2, CO2), &[(0, r#"{"type":"exchange_actions","actions":["water_saving"]}"#)]),
    Case::broken("CO-6.11", "a card that is not in the hand", || Given::passing(2, 1), &[(0, r#"{"type":"exchange_actions","actions":["water_saving","water_saving"]}"#)]),
    Case::broken("CO-6.11", "a bag with fewer than two", || Given::passing(4, CO2).empty_bag(), &[(0, r#"{"type":"exchange_actions","actions":["energy_saving","water_saving"]}"#)]),
    Case::kept("CO-6.10", "the turn goes to the next seat", || Given::standing(2, CO2), &[(0, END), (1, ROLL)],
        |after| assert!(after.happened(&E::TurnEnded { seat: seat(0) }))),

    Case::kept("CO-7.1", "what cannot be paid whole stays whole, and the move goes on after it", || Given::rolling_to(2, 17).owns(1, 2, &[Carpi]).money(0, 400, 14), &[(0, ROLL)],
        |after| {
            assert!(after.happened(&E::DebtIncurred { seat: seat(0), to: Some(seat(1)), euros: 500, credits: 0 }));
            assert_eq!((after.money(0), after.money(1).0), ((400, 14), 5_500));
        }),
    Case::broken("CO-7.1", "the turn does not end in debt", || rent_owed(2), &[(0, END)]),
    Case::broken("CO-7.1", "an answer without an offer, in debt", || rent_owed(2), &[(0, ACCEPT)]),
    Case::kept("CO-7.2", "a debt of the heat wave is paid as soon as there are credits", || drawing(2, EventCard::HeatWave).owns(0, 0, &BAD).money(0, 500, 1), &[(0, ROLL), (0, CREDITS_2), (0, CREDITS_2)],
        |after| assert!(after.money(0) == (100, 0) && is_square(&after.state.phase))),
    Case::broken("CO-7.2", "more than are missing", || Given::owing(2, 1, Owed::Credits(3)).money(0, 900, 2), &[(0, CREDITS_2)]),
    Case::broken("CO-7.2", "none", || Given::owing(2, 1, Owed::Credits(3)).money(0, 900, 2), &[(0, r#"{"type":"buy_credits","count":0}"#)]),
    Case::broken("CO-7.2", "more than there is money for", || Given::owing(2, 1, Owed::Credits(9)).money(0, 100, 2), &[(0, CREDITS_2)]),
    Case::broken("CO-7.2", "for a debt in euros", || rent_owed(2), &[(0, CREDIT)]),
    Case::broken("CO-7.2", "outside a debt", || Given::standing(2, CO2), &[(0, CREDIT)]),
    Case::broken("CO-7.2", "before the throw", || Given::rolling(2), &[(0, CREDIT)]),
    Case::broken("CO-7.2", "a sixth from the carbon market", || drawing(2, EventCard::CarbonMarket), &[(0, ROLL), (0, CREDITS_5), (0, CREDIT)]),
    Case::kept("CO-7.5", "a bankrupt gives what it has to the seat that it owes", || big_debt(3).owns(0, 1, &[Zocca]), &[(0, BANKRUPT)],
        |after| {
            assert_eq!((after.money(0), after.money(1)), ((0, 0), (5_800, 17)));
            assert_eq!((after.state.owner(Zocca), after.state.turn_seat), (None, seat(1)));
        }),
    Case::broken("CO-7.5", "with land that pays the rest", || big_debt(3).owns(0, 1, &[Zocca, Guiglia]), &[(0, BANKRUPT)]),
    Case::broken("CO-7.5", "in a rent that credits pay", || rent_owed(3), &[(0, BANKRUPT)]),
    Case::broken("CO-7.5", "without a debt", || Given::standing(2, CO2), &[(0, BANKRUPT)]),
    Case::broken("CO-7.5", "before the throw", || Given::rolling(2), &[(0, BANKRUPT)]),
    Case::broken("CO-7.5", "in a debt that credits would pay", || Given::owing(2, 1, Owed::Credits(9)).money(0, 400, 5), &[(0, BANKRUPT)]),

    Case::kept("CO-7.6", "all euros, and the rest in credits, go to the creditor, and the move continues", || rent_owed(2), &[(0, PAY)],
        |after| {
            assert!(after.happened(&E::Paid { seat: seat(0), to: Some(seat(1)), euros: 300, credits: 1 }));
            assert_eq!((after.money(0), after.money(1)), ((0, 2), (5_800, 15)));
            assert!(is_square(&after.state.phase));
        }),
    Case::kept("CO-7.6", "a fine to the bank", || drawing(2, EventCard::Inspection).money(0, 0, 3), &[(0, ROLL), (0, PAY)],
        |after| assert_eq!(after.money(0), (0, 1))),
    Case::broken("CO-7.6", "without a debt", || Given::rolling(2), &[(0, PAY)]),
    Case::broken("CO-7.6", "in a debt in credits", || Given::owing(2, 1, Owed::Credits(15)), &[(0, PAY)]),
    Case::broken("CO-7.6", "too few credits", || big_debt(2), &[(0, PAY)]),
    Case::kept("CO-7.7", "half the price, and the territory is free without its actions", || big_debt(2).owns(0, 2, &[Carpi]).owns(0, 4, &[Zocca]), &[(0, r#"{"type":"return_territory","territory":"carpi"}"#)],
        |after| {
            assert!(after.happened(&E::TerritoryReturned { seat: seat(0), territory: Carpi, euros: 500 }));
            assert_eq!((after.money(0), after.state.owner(Carpi), after.state.done(Carpi)), ((800, 3), None, 0));
            assert_eq!(after.state.bag.total(), 96 - 12 - 2, "the two cards are back, those of the neighbour's actions not");
        }),
    Case::kept("CO-7.7", "no card moves for a finished territory", || big_debt(2).owns(0, 4, &[Zocca]), &[(0, ZOCCA_BACK)],
        |after| assert_eq!((after.state.owner(Zocca), after.state.bag.total()), (None, 96 - 12 - 2))),
    Case::kept("CO-7.7", "euros that suffice pay the debt at once", || Given::owing(2, 2, Owed::Euros { amount: 600, to: Some(seat(1)) }).money(0, 300, 0).owns(0, 0, &[Zocca]), &[(0, ZOCCA_BACK)],
        |after| assert!(is_square(&after.state.phase) && after.money(0) == (0, 0) && after.money(1).0 == 6_100)),
    Case::kept("CO-7.7", "a territory that rests may go back", || big_debt(2).owns(0, 0, &[Zocca]).with(|state| state.holdings[Zocca.index()].as_mut().unwrap().rests = 1), &[(0, ZOCCA_BACK)],
        |after| assert_eq!(after.state.owner(Zocca), None)),
    Case::broken("CO-7.7", "without a debt", || Given::rolling(2).owns(0, 0, &[Zocca]), &[(0, ZOCCA_BACK)]),
    Case::broken("CO-7.7", "in a debt that euros and credits pay", || rent_owed(2).owns(0, 0, &[Zocca]), &[(0, ZOCCA_BACK)]),
    Case::broken("CO-7.7", "another's territory", || big_debt(2).owns(1, 0, &[Zocca]), &[(0, ZOCCA_BACK)]),
    Case::broken("CO-3.3", "a return that leads to -20", || big_debt(2).owns(0, 0, &BAD).owns(0, 0, &[ModenaMarzaglia]).owns(0, 3, &[Zocca]), &[(0, ZOCCA_BACK)]),

    Case::kept("CO-9.1", "in debt to the bank all goes to it, and the cards into the bag", || Given::owing(3, 1, Owed::Credits(20)).money(0, 300, 5).owns(0, 2, &[Zocca]), &[(0, BANKRUPT)],
        |after| {
            assert!(after.happened(&E::SeatEliminated { seat: seat(0), to: None, euros: 300, credits: 5, territories: vec![Zocca] }));
            assert_eq!((after.money(1), after.money(2), after.state.bag.total()), ((5_500, 14), (5_500, 14), 96 - 12));
        }),
    Case::kept("CO-9.2", "the last one wins and nothing more is drawn", || big_debt(2).owns(0, 1, &[Zocca]), &[(0, BANKRUPT)],
        |after| {
            let Phase::Finished(result) = &after.state.phase else { panic!("not finished") };
            assert_eq!((result.0[0].seat, result.0[1].seat, result.0[1].place, result.0[1].eliminated), (seat(1), seat(0), 2, true));
            assert_eq!(after.state.turn_seat, seat(0));
        }),
    Case::broken("CO-9.2", "a throw after the end", || big_debt(2), &[(0, BANKRUPT), (1, ROLL)]),
    Case::kept("CO-9.3", "a round begins at the place of the first seat", || Given::standing(3, CO2).with(|state| state.first_seat = seat(1)), &[(0, END)],
        |after| assert_eq!((after.state.round, after.state.turn_seat), (2, seat(1)))),
    Case::kept("CO-9.3", "also when play passes over it", || Given::standing(3, CO2).with(|state| { state.first_seat = seat(1); out(state, 1, 0); }), &[(0, END)],
        |after| assert_eq!((after.state.round, after.state.turn_seat), (2, seat(2)))),
    Case::kept("CO-9.3", "the last round ends the game", || Given::standing(2, CO2).with(|state| (state.first_seat, state.round) = (seat(1), 60)), &[(0, END)],
        |after| {
            assert!(matches!(after.state.phase, Phase::Finished(_)));
            assert!(after.state.dice.is_some() && after.state.turn.credit_taken && after.state.last_turn.is_none());
        }),
    Case::kept("CO-9.5", "without elimination a bankrupt starts again where its pawn is", || big_debt(2).owns(0, 1, &[Zocca]).options(&json!({"elimination": false})), &[(0, BANKRUPT)],
        |after| {
            assert!(after.happened(&E::SeatRestarted { seat: seat(0), to: Some(seat(1)), euros: 300, credits: 3, territories: vec![Zocca] }));
            assert_eq!((after.money(0), after.money(1), after.player(0).hand.total()), ((1_000, 0), (5_800, 17), 6));
            assert_eq!((after.state.turn_seat, after.player(0).eliminated, after.player(0).square), (seat(1), None, ON_SQUARE_OF_PAVULLO));
        }),
    Case::kept("CO-9.5", "nor does an event put anybody out", || drawing(3, EventCard::Flood).owns(0, 0, &BAD).owns(0, 1, &[ModenaMarzaglia]).options(&json!({"elimination": false})), &[(0, ROLL)],
        |after| assert_eq!((after.money(0), after.state.turn_seat, after.state.owner(Carpi)), ((1_000, 0), seat(1), None))),
    Case::kept("CO-9.4", "who is level shares the place; the eliminated last, the later one ahead", || last_turn_of_3().with(|state| { out(state, 2, 0); out(state, 0, 1); }), &[(3, END)],
        |after| assert_eq!(places(after), [(1, 1), (3, 1), (0, 3), (2, 4)])),
    Case::kept("CO-9.4", "balance before credits before euros", || last_turn_of_3().owns(2, 2, &[Zocca]).money(2, 0, 0).money(0, 100, 16).money(1, 9_000, 15).money(3, 8_000, 15), &[(3, END)],
        |after| assert_eq!(places(after), [(2, 1), (0, 2), (1, 3), (3, 4)])),

    Case::kept("CO-13.3", "solar grant", || drawing(2, EventCard::SolarGrant), &[(0, ROLL)], |after| assert_eq!(after.money(0), (5_500, 16))),
    Case::kept("CO-13.3", "regional fund: every seat with the lowest balance", || drawing(3, EventCard::RegionalFund).owns(0, 1, &[Zocca]), &[(0, ROLL)],
        |after| assert_eq!((after.player(0).credits, after.player(1).credits, after.player(2).credits), (16, 16, 16))),
    Case::kept("CO-13.3", "regional fund: not the others", || drawing(3, EventCard::RegionalFund).owns(0, 2, &[Zocca]).owns(2, 0, &[Carpi]), &[(0, ROLL)],
        |after| assert_eq!((after.player(0).credits, after.player(1).credits, after.player(2).credits), (14, 14, 16))),
    Case::kept("CO-13.3", "ecotourism", || drawing(2, EventCard::Ecotourism).owns(0, 1, &[Zocca, Carpi]).owns(0, 0, &[Sestola]), &[(0, ROLL)], |after| assert_eq!(after.money(0).0, 5_700)),
    Case::kept("CO-13.3", "new ideas", || drawing(2, EventCard::NewIdeas), &[(0, ROLL)],
        |after| {
            assert!(after.happened(&E::HandReturned { seat: seat(0), cards: 6 }));
            assert_eq!((after.player(0).hand.total(), after.state.bag.total()), (6, 84));
        }),
    Case::kept("CO-13.3", "open site: actions, but no credit", || drawing(2, EventCard::OpenSite).owns(0, 0, &[Zocca]), &[(0, ROLL), (0, ON_ZOCCA), (0, END)],
        |after| assert_eq!((after.state.done(Zocca), after.player(0).credits), (1, 13))),
    Case::kept("CO-13.3", "best practice: the actions of the square's kind", || drawing(2, EventCard::BestPractice).owns(0, 1, &[Zocca, Vignola, Nonantola]).owns(0, 3, &[Bomporto]), &[(0, ROLL)],
        |after| assert_eq!(after.player(0).credits, 18)),
    Case::kept("CO-13.3", "inspection: without an action of the kind", || drawing(2, EventCard::Inspection).owns(0, 3, &[Sestola]), &[(0, ROLL)], |after| assert_eq!(after.money(0).0, 5_300)),
    Case::kept("CO-13.3", "inspection: with one", || drawing(2, EventCard::Inspection).owns(0, 2, &[Bomporto]), &[(0, ROLL)], |after| assert_eq!(after.money(0).0, 5_500)),
    Case::kept("CO-13.3", "heat wave", || drawing(2, EventCard::HeatWave).owns(0, 0, &[Zocca, Carpi]).owns(0, 1, &[Sestola]), &[(0, ROLL)], |after| assert_eq!(after.player(0).credits, 12)),
    Case::kept("CO-13.3", "flood: of equals the lowest number", || drawing(2, EventCard::Flood).owns(0, 2, &[Zocca, Carpi]).owns(0, 1, &[Sestola]), &[(0, ROLL)],
        |after| assert_eq!((after.state.done(Zocca), after.state.done(Carpi), after.state.done(Sestola)), (1, 2, 1))),
    Case::kept("CO-13.3", "flood: finished territories are spared", || drawing(2, EventCard::Flood).owns(0, 4, &[Zocca]).owns(0, 1, &[Carpi]), &[(0, ROLL)],
        |after| assert_eq!((after.state.done(Zocca), after.state.done(Carpi)), (4, 0))),
    Case::kept("CO-13.3", "flood: nothing to undo", || drawing(2, EventCard::Flood).owns(0, 0, &[Zocca]), &[(0, ROLL)], |after| assert!(is_square(&after.state.phase))),
    Case::kept("CO-13.3", "carbon market", || drawing(2, EventCard::CarbonMarket), &[(0, ROLL), (0, CREDIT), (0, CREDITS_2)],
        |after| assert_eq!((after.money(0), after.state.turn.market_left), ((5_200, 17), 2))),
    Case::kept("CO-13.3", "via", || drawing(2, EventCard::Via).owns(0, 4, &[Zocca]), &[(0, ROLL)], |after| assert_eq!((after.player(0).square, after.player(0).credits), (0, 17))),
];

/// Seat 0 has the card for the next slot of Vignola, and an area worth 16 with a second leg worth 2; Vignola
/// costs 2.
fn nearly_won(done: u8) -> Given {
    Given::standing(2, 1).owns(0, 4, &[Campogalliano, Carpi, Soliera, Nonantola]).owns(0, done, &[Vignola])
}

/// Seat 0 owes seat 1 a rent beyond its money and credits.
fn big_debt(seats: u64) -> Given {
    let owed = Owed::Euros { amount: 1_000, to: Some(seat(1)) };
    Given::owing(seats, ON_SQUARE_OF_PAVULLO, owed).owns(1, 2, &[PavulloNelFrignano]).money(0, 300, 3)
}

/// The last turn of the game, after an event; seat 0 was the first.
fn last_turn_of_3() -> Given {
    Given::standing(4, CO2)
        .after_event(EventCard::Fair)
        .with(|state| (state.turn_seat, state.round) = (seat(3), 60))
}

fn out(state: &mut State, number: u64, before: u8) {
    let player = &mut state.players[seat(number)];
    (player.euros, player.credits, player.eliminated) = (0, 0, Some(before));
    let hand = std::mem::take(&mut player.hand);
    state.bag.extend(hand.sorted());
}

/// Returns the places of all seats.
fn places(after: &AfterCase<Ecopolis>) -> Vec<(u8, u8)> {
    let Phase::Finished(result) = &after.state.phase else { panic!("not finished") };
    result.0.iter().map(|standing| (standing.seat.number(), standing.place)).collect()
}

#[test]
fn every_case_holds() {
    let cases: Vec<&Case<Given>> = CASES.iter().chain(TRADES).collect();
    cases::check(&cases, "rulesets/ecopolis/golden/refusals.txt");
}

/// Rules without cases: tables, the set-up, views (below) and options.
const SHOWN_ELSEWHERE: [&str; 14] = [
    "CO-1.1", "CO-1.2", "CO-1.4", "CO-2.1", "CO-2.2", "CO-4.5", "CO-10.1", "CO-10.2", "CO-10.3", "CO-11.1",
    "CO-13.1", "CO-13.2", "CO-14.1", "CO-14.2",
];

#[test]
fn every_rule_has_a_case_and_every_refusal_is_seen() {
    let examples = EXAMPLES.iter().map(|(_, case)| case);
    let cases: Vec<&Case<Given>> = CASES.iter().chain(TRADES).chain(examples).collect();
    let broken = [
        "CO-3.3", "CO-4.1", "CO-4.3", "CO-6.5", "CO-6.6", "CO-6.7", "CO-6.9", "CO-6.11", "CO-7.1", "CO-7.2",
        "CO-7.4", "CO-7.5", "CO-7.6", "CO-7.7", "CO-8.1", "CO-8.2", "CO-8.3", "CO-8.4", "CO-8.5", "CO-8.6",
        "CO-8.7", "CO-8.8", "CO-9.2",
    ];
    cases::assert_complete(&cases, &SHOWN_ELSEWHERE, &broken);
}

/// CO-4.5: the first broken rule refuses.
#[test]
fn refusals_name_the_first_rule() {
    let refused = |given: Given, number: u64, sent: &str| {
        let state = given.state();
        let command = Ecopolis::read_command(&serde_json::from_str(sent).unwrap()).unwrap();
        let refusal: Refusal = Ecopolis::check(&state, seat(number), &command).unwrap_err().into();
        refusal.rule
    };
    let finished = || Given::standing(2, 1).with(|state| state.phase = Phase::Finished(state.outcome()));
    let all = [ROLL, BUY, END, ON_ZOCCA, EXCHANGE, CREDIT, BANKRUPT, ACCEPT, PAY, ZOCCA_BACK];
    for sent in all {
        assert_eq!(refused(finished(), 1, sent), "CO-9.2", "{sent}");
        assert_eq!(refused(rent_owed(2), 1, sent), "CO-4.3", "{sent}");
    }
    for sent in [ROLL, BUY, END, ON_ZOCCA, EXCHANGE, ACCEPT] {
        assert_eq!(refused(rent_owed(2), 0, sent), "CO-7.1", "{sent}");
    }
    for sent in [BUY, END, ON_ZOCCA, EXCHANGE, ACCEPT] {
        assert_eq!(refused(Given::rolling(2), 0, sent), "CO-4.1", "{sent}");
    }
    // These break their own rules out of place.
    for (sent, rule) in [(CREDIT, "CO-7.2"), (PAY, "CO-7.6"), (ZOCCA_BACK, "CO-7.7"), (BANKRUPT, "CO-7.5")] {
        assert_eq!(refused(Given::rolling(2), 0, sent), rule, "{sent}");
    }
    assert_eq!(refused(Given::standing(2, EVENT).after_event(EventCard::Fair), 0, EXCHANGE), "CO-6.9");
    assert_eq!(refused(Given::standing(2, 0).after_event(EventCard::Via), 0, EXCHANGE), "CO-6.5");
}

/// CO-2.1 and CO-2.2.
#[test]
fn the_set_up_is_that_of_the_rules() {
    for count in 2..=4 {
        let seats = Seats::new(count).unwrap();
        let start = |first: serde_json::Value, seed| {
            let options = Ecopolis::read_options(&json!({"first_seat": first}), seats).unwrap();
            Table::<Ecopolis>::start(&options, seats, Chance::seeded(Seed::new(Format::Three, [seed; 32])))
        };
        let table = start(json!(1), 1);
        let state = table.state();
        assert!(state.first_seat == seat(1) && state.turn_seat == seat(1) && is_roll(&state.phase));
        let drawn: Vec<&str> = table.draws().iter().map(|draw| &*draw.label).collect();
        assert_eq!(drawn[..3], ["territories", "events", "bag"], "a seat that is named is not drawn");
        assert_eq!(drawn.len() as u64, 2 + 6 * count);
        let dealt = table.draws()[0].out.chunks(2);
        for ((owner, player), dealt) in state.players.iter().zip(dealt) {
            assert_eq!((player.square, player.euros, player.credits), (0, 5_500, 14));
            assert_eq!(player.hand.total(), 6);
            assert_eq!(state.owned(owner).count(), 2);
            for no in dealt {
                assert_eq!(state.owner(Territory::ALL[*no as usize]), Some(owner));
            }
        }
        let options = Ecopolis::read_options(&json!({"first_seat": 1, "even_start": true}), seats).unwrap();
        let even =
            Table::<Ecopolis>::start(&options, seats, Chance::seeded(Seed::new(Format::Three, [1; 32])));
        let euros: Vec<u64> =
            seats.clockwise_from(seat(1)).map(|seat| even.state().players[seat].euros).collect();
        assert_eq!(euros, [5_500, 6_000, 6_500, 7_000][..seats.count().into()]);
        let firsts: BTreeSet<_> = (0..40).map(|seed| start(json!(null), seed).state().first_seat).collect();
        assert_eq!(firsts.len() as u64, count, "every seat may be drawn to start");
    }
}

/// CO-10.1 to CO-10.3.
#[test]
fn hands_are_seen_by_their_owners_alone_until_the_end() {
    let hands = |given: Given, viewer: Viewer| -> Vec<bool> {
        Ecopolis::view(&given.state(), viewer).seats.iter().map(|seat| seat.hand.is_some()).collect()
    };
    let (own, spectator) = (Viewer::Seat(seat(1)), Viewer::Spectator);
    assert_eq!(hands(Given::rolling(3), own), [false, true, false]);
    assert_eq!(hands(Given::rolling(3), spectator), [false; 3]);
    let open = || Given::rolling(3).with(|state| state.options.open_hands = true);
    assert_eq!(hands(open(), spectator), [true; 3]);
    let finished = || Given::rolling(3).with(|state| state.phase = Phase::Finished(state.outcome()));
    assert_eq!(hands(finished(), spectator), [true; 3]);
}

#[test]
fn options_are_read_strictly() {
    let seats = Seats::new(2).unwrap();
    let read = |options: serde_json::Value| Ecopolis::read_options(&options, seats);
    let defaults = serde_json::to_value(read(json!({})).unwrap()).unwrap();
    assert_eq!(
        defaults,
        json!({"length": "normal", "max_rounds": null, "elimination": true, "even_start": false, "open_hands": false, "first_seat": null})
    );
    for wrong in [
        json!({"max_rounds": 0}),
        json!({"max_rounds": 201}),
        json!({"length": "endless"}),
        json!({"length": null}),
        json!({"elimination": null}),
        json!({"even_start": 500}),
        json!({"first_seat": 2}),
        json!({"open_hands": 1}),
        json!({"open_cash": true}),
        json!([]),
    ] {
        assert!(read(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn parts_of_a_trade_that_are_missing_are_empty() {
    let read = |sent: serde_json::Value| Ecopolis::read_command(&sent);
    let short = read(json!({"type": "propose_trade", "to": 1, "give": {"euros": 100}})).unwrap();
    let empty = json!({"territories": [], "euros": 0, "credits": 0, "actions": []});
    let written = serde_json::to_value(&short).unwrap();
    assert_eq!(written["take"], empty);
    assert_eq!(written["give"], json!({"territories": [], "euros": 100, "credits": 0, "actions": []}));
    assert_eq!(written["settles_debt"], json!(false));
    for wrong in [
        json!({"type": "propose_trade"}),
        json!({"type": "propose_trade", "to": "1"}),
        json!({"type": "propose_trade", "to": 1, "give": null}),
        json!({"type": "propose_trade", "to": 1, "give": []}),
        json!({"type": "propose_trade", "to": 1, "give": {"euros": -100}}),
        json!({"type": "propose_trade", "to": 1, "give": {"cash": 100}}),
        json!({"type": "propose_trade", "to": 1, "take": {"territories": ["atlantis"]}}),
        json!({"type": "propose_trade", "to": 1, "take": {"actions": [0]}}),
    ] {
        assert!(read(wrong.clone()).is_err(), "{wrong}");
    }
}
