//! The rules of trades (sections 7 and 8), kept and broken.

use super::{
    super::{
        Ecopolis,
        cards::Action,
        debt::Owed,
        event::EventView as E,
        phase::{Moment, Phase},
        state::Dice,
        tables::Territory::*,
    },
    examples::{GUIGLIA_FOR_4, bill_at_via},
    given::{Given, seat},
};
use crate::engine::{
    Chance, Format, Refusal, Ruleset as _, Seats, Seed, Table,
    cases::{CASE_SEED, Case, Given as _},
    id::Id as _,
    json,
};

const ROLL: &str = r#"{"type":"roll"}"#;
const END: &str = r#"{"type":"end_turn"}"#;
const ACCEPT: &str = r#"{"type":"accept_trade"}"#;
const REJECT: &str = r#"{"type":"reject_trade"}"#;
const WITHDRAW: &str = r#"{"type":"withdraw_trade"}"#;
const MONEY: &str = r#"{"type":"propose_trade","to":1,"give":{"euros":300},"take":{"credits":2}}"#;
const CARDS: &str = r#"{"type":"propose_trade","to":1,"give":{"actions":["water_saving"]},"take":{"actions":["renewable_energy"]}}"#;
const ZOCCA_FOR_200: &str =
    r#"{"type":"propose_trade","to":1,"give":{"territories":["zocca"]},"take":{"euros":200}}"#;
const ZOCCA_FOR_CARPI: &str =
    r#"{"type":"propose_trade","to":1,"give":{"territories":["zocca"]},"take":{"territories":["carpi"]}}"#;
const CARPI_FOR_ZOCCA: &str =
    r#"{"type":"propose_trade","to":0,"give":{"territories":["carpi"]},"take":{"territories":["zocca"]}}"#;
const COUNTER: &str = r#"{"type":"counter_trade","give":{"credits":2},"take":{"euros":400}}"#;
const SETTLE: &str = r#"{"type":"propose_trade","to":1,"give":{"credits":1},"settles_debt":true}"#;
const FORGIVE: &str = r#"{"type":"propose_trade","to":1,"settles_debt":true}"#;

/// Seat 0 owns Zocca with one action, and may roll.
fn zocca() -> Given {
    Given::rolling(3).owns(0, 1, &[Zocca]).owns(1, 0, &[Carpi])
}

/// Seat 0 owes seat 1 more than its money.
fn owing() -> Given {
    Given::owing(3, 2, Owed::Euros { amount: 400, to: Some(seat(1)) }).owns(0, 0, &[Zocca]).money(0, 300, 14)
}

/// An area worth 16 that lacks only Carpi, owned by seat 1, and two territories worth 2 each.
fn gift() -> Given {
    let own = [Campogalliano, Soliera, Spilamberto, Vignola];
    Given::rolling(2).owns(0, 4, &own).owns(1, 4, &[Carpi]).owns(0, 0, &[Zocca])
}

fn is(phase: &Phase, moment: Moment) -> bool {
    *phase == Phase::Turn(moment)
}

#[rustfmt::skip]
pub const TRADES: &[Case<Given>] = &[
    Case::kept("CO-7.3", "a trade brings the money and the debt is paid", owing, &[(0, r#"{"type":"propose_trade","to":2,"give":{"credits":1},"take":{"euros":100}}"#), (2, ACCEPT)],
        |after| assert!(after.money(0) == (0, 13) && after.money(1).0 == 5_900 && is(&after.state.phase, Moment::Square))),
    Case::kept("CO-7.3", "a trade that brings too little leaves the debt", || owing().money(0, 200, 14), &[(0, r#"{"type":"propose_trade","to":2,"give":{"credits":1},"take":{"euros":100}}"#), (2, ACCEPT)],
        |after| assert!(matches!(after.state.phase, Phase::Turn(Moment::Debt(_))))),
    Case::kept("CO-7.3", "credits from a trade pay a debt in credits, and the square follows", || Given::owing(2, 1, Owed::Credits(15)).owns(1, 0, &[Sestola]), &[(0, MONEY), (1, ACCEPT)],
        |after| assert!(after.money(0) == (5_000, 1) && is(&after.state.phase, Moment::Square))),
    Case::kept("CO-7.4", "whatever it gave, it settles", owing, &[(0, SETTLE), (1, ACCEPT)],
        |after| assert!(after.money(0) == (300, 13) && after.money(1) == (5_500, 15) && is(&after.state.phase, Moment::Square))),
    Case::kept("CO-7.4", "even nothing", owing, &[(0, FORGIVE), (1, ACCEPT)],
        |after| assert!(after.money(0) == (300, 14) && after.happened(&E::DebtSettled { seat: seat(0), to: seat(1) }))),
    Case::broken("CO-7.4", "without a debt", zocca, &[(0, SETTLE)]),
    Case::broken("CO-7.4", "to another than the creditor", owing, &[(0, r#"{"type":"propose_trade","to":2,"give":{"credits":1},"settles_debt":true}"#)]),
    Case::broken("CO-7.4", "for a debt to the bank", || Given::owing(2, 1, Owed::Credits(15)), &[(0, SETTLE)]),

    Case::kept("CO-8.1", "euros for credits, before the throw", || Given::rolling(2), &[(0, MONEY), (1, ACCEPT)],
        |after| assert!(after.money(0) == (5_200, 16) && after.money(1) == (5_800, 12) && is(&after.state.phase, Moment::Roll))),
    Case::broken("CO-8.1", "with oneself", || Given::rolling(2), &[(0, r#"{"type":"propose_trade","to":0,"give":{"euros":100},"take":{"credits":1}}"#)]),
    Case::broken("CO-8.1", "with a seat that is not there", || Given::rolling(2), &[(0, r#"{"type":"propose_trade","to":2,"give":{"euros":100},"take":{"credits":1}}"#)]),
    Case::broken("CO-8.1", "with nobody at all", || Given::rolling(2), &[(0, r#"{"type":"propose_trade","to":9007199254740991}"#)]),
    Case::broken("CO-8.1", "with a seat that is out", || Given::rolling(3).with(|state| {
            let player = &mut state.players[seat(2)];
            (player.euros, player.credits, player.eliminated) = (0, 0, Some(0));
            let hand = std::mem::take(&mut player.hand);
            state.bag.extend(hand.sorted());
        }), &[(0, r#"{"type":"propose_trade","to":2,"give":{"euros":100},"take":{"credits":1}}"#)]),
    Case::broken("CO-8.1", "odd euros", || Given::rolling(2), &[(0, r#"{"type":"propose_trade","to":1,"give":{"euros":150},"take":{"credits":1}}"#)]),
    Case::broken("CO-8.1", "a territory named twice", zocca, &[(0, r#"{"type":"propose_trade","to":1,"give":{"territories":["zocca","zocca"]},"take":{"euros":900}}"#)]),
    Case::kept("CO-8.2", "the present rent of the territory that the other gives more", zocca, &[(0, ZOCCA_FOR_200), (1, ACCEPT)],
        |after| {
            // A territory keeps its actions and its cost (CO-3.1).
            assert_eq!((after.balance(0), after.balance(1), after.money(0).0, after.state.done(Zocca)), (0, -3, 5_700, 1));
        }),
    Case::kept("CO-8.2", "of two for one, the lower rent", || zocca().owns(0, 4, &[Maranello]), &[(0, r#"{"type":"propose_trade","to":1,"give":{"territories":["maranello","zocca"]},"take":{"territories":["carpi"],"euros":200}}"#)],
        |after| assert!(after.state.phase.offer().is_some())),
    Case::broken("CO-8.2", "less than the rent", zocca, &[(0, r#"{"type":"propose_trade","to":1,"give":{"territories":["zocca"]},"take":{"euros":100,"credits":9}}"#)]),
    Case::broken("CO-8.2", "a side that gives nothing", || Given::rolling(2), &[(0, r#"{"type":"propose_trade","to":1,"give":{"euros":100}}"#)]),
    Case::broken("CO-8.2", "a side that is to give for nothing", || Given::rolling(2), &[(0, r#"{"type":"propose_trade","to":1,"take":{"euros":100}}"#)]),
    Case::broken("CO-8.2", "unequal numbers of cards", || Given::rolling(2), &[(0, r#"{"type":"propose_trade","to":1,"give":{"actions":["water_saving"]},"take":{"credits":1}}"#)]),
    Case::broken("CO-8.2", "unequal numbers of cards in a settlement", owing, &[(0, r#"{"type":"propose_trade","to":1,"give":{"actions":["water_saving"]},"settles_debt":true}"#)]),
    Case::kept("CO-8.3", "the proposer withdraws", || Given::rolling(2), &[(0, MONEY), (0, WITHDRAW)],
        |after| assert!(is(&after.state.phase, Moment::Roll) && after.state.offers_left() == 2 && after.money(0) == (5_500, 14))),
    Case::kept("CO-8.3", "a rejected offer leaves the turn where it was", owing, &[(0, SETTLE), (1, REJECT)],
        |after| assert!(matches!(after.state.phase, Phase::Turn(Moment::Debt(_))) && after.state.offers_left() == 4)),
    Case::broken("CO-8.3", "the proposer does something else", || Given::rolling(2), &[(0, MONEY), (0, ROLL)]),
    Case::broken("CO-8.3", "the proposer answers", || Given::rolling(2), &[(0, MONEY), (0, ACCEPT)]),
    Case::broken("CO-8.3", "the addressee does something else", || Given::rolling(2), &[(0, MONEY), (1, ROLL)]),
    Case::broken("CO-8.3", "the addressee withdraws", || Given::rolling(2), &[(0, MONEY), (1, WITHDRAW)]),
    Case::broken("CO-8.3", "a third seat answers", || Given::rolling(3), &[(0, MONEY), (2, REJECT)]),
    Case::broken("CO-8.3", "credits while an offer stands", owing, &[(0, SETTLE), (0, r#"{"type":"buy_credits","count":1}"#)]),
    Case::kept("CO-8.4", "cards change hands", || Given::rolling(2), &[(0, CARDS), (1, ACCEPT)],
        |after| assert!(after.player(0).hand.holds(Action::RenewableEnergy) && after.player(0).hand.total() == 6)),
    Case::kept("CO-8.4", "the proposal does not look at the cards of the addressee", || Given::rolling(2), &[(0, r#"{"type":"propose_trade","to":1,"give":{"actions":["water_saving"]},"take":{"actions":["biodiversity"]}}"#), (1, REJECT)],
        |after| assert!(is(&after.state.phase, Moment::Roll))),
    Case::broken("CO-8.4", "an acceptance without the card", || Given::rolling(2), &[(0, r#"{"type":"propose_trade","to":1,"give":{"actions":["water_saving"]},"take":{"actions":["biodiversity"]}}"#), (1, ACCEPT)]),
    Case::broken("CO-8.4", "a card that the proposer lacks", || Given::rolling(2), &[(0, r#"{"type":"propose_trade","to":1,"give":{"actions":["renewable_energy"]},"take":{"actions":["biodiversity"]}}"#)]),
    Case::broken("CO-8.4", "another's territory", zocca, &[(0, r#"{"type":"propose_trade","to":1,"give":{"territories":["carpi"]},"take":{"euros":900}}"#)]),
    Case::broken("CO-8.4", "a free territory is asked for", zocca, &[(0, r#"{"type":"propose_trade","to":1,"give":{"euros":900},"take":{"territories":["sestola"]}}"#)]),
    Case::broken("CO-8.4", "more euros than the addressee has", zocca, &[(0, r#"{"type":"propose_trade","to":1,"give":{"credits":1},"take":{"euros":5600}}"#)]),
    Case::broken("CO-8.4", "more credits than the proposer has", zocca, &[(0, r#"{"type":"propose_trade","to":1,"give":{"credits":15},"take":{"euros":100}}"#)]),
    Case::kept("CO-8.5", "in debt five", owing, &[(0, SETTLE), (1, REJECT), (0, SETTLE), (0, WITHDRAW), (0, SETTLE), (1, REJECT), (0, SETTLE), (1, REJECT), (0, SETTLE)],
        |after| assert_eq!(after.state.offers_left(), 0)),
    Case::kept("CO-8.5", "counter-offers do not count", || Given::rolling(2), &[(0, MONEY), (1, COUNTER), (0, REJECT), (0, MONEY), (1, COUNTER), (0, REJECT), (0, MONEY)],
        |after| assert_eq!(after.state.offers_left(), 0)),
    Case::kept("CO-8.5", "what was offered before a debt counts in it", || owing().with(|state| state.turn.offers = 3), &[(0, SETTLE)],
        |after| assert_eq!(after.state.offers_left(), 1)),
    Case::broken("CO-8.5", "a fourth offer", || Given::rolling(2), &[(0, MONEY), (1, REJECT), (0, MONEY), (0, WITHDRAW), (0, MONEY), (1, REJECT), (0, MONEY)]),
    Case::broken("CO-8.5", "a sixth offer in debt", owing, &[(0, SETTLE), (1, REJECT), (0, SETTLE), (0, WITHDRAW), (0, SETTLE), (1, REJECT), (0, SETTLE), (1, REJECT), (0, SETTLE), (1, REJECT), (0, SETTLE)]),
    Case::kept("CO-8.6", "what the proposer received may go on after its next turn", || zocca().with(|state| (state.dice, state.phase) = (Some(Dice::new([1, 2])), Phase::Turn(Moment::Square))),
        &[(0, ZOCCA_FOR_CARPI), (1, ACCEPT), (0, END)],
        |after| {
            let rests = |territory| after.state.holding(territory).unwrap().rests;
            assert_eq!((rests(Carpi), rests(Zocca)), (1, 1));
        }),
    Case::broken("CO-8.6", "at once", zocca, &[(0, ZOCCA_FOR_CARPI), (1, ACCEPT), (0, r#"{"type":"propose_trade","to":2,"give":{"territories":["carpi"]},"take":{"euros":900}}"#)]),
    Case::broken("CO-8.6", "in the next turn", || zocca().with(|state| state.phase = Phase::Turn(Moment::Square)), &[(0, ZOCCA_FOR_CARPI), (1, ACCEPT), (0, END), (1, r#"{"type":"propose_trade","to":0,"give":{"territories":["zocca"]},"take":{"euros":900}}"#)]),
    Case::broken("CO-8.6", "nor back", || zocca().with(|state| state.phase = Phase::Turn(Moment::Square)), &[(0, ZOCCA_FOR_CARPI), (1, ACCEPT), (0, END), (1, r#"{"type":"propose_trade","to":0,"give":{"euros":900},"take":{"territories":["carpi"]}}"#)]),
    Case::kept("CO-8.7", "19 by a trade", || gift().owns(0, 0, &[Pievepelago, Guiglia]), &[(0, ZOCCA_FOR_CARPI)],
        |after| assert!(after.state.phase.offer().is_some())),
    Case::broken("CO-8.7", "20 by a trade", gift, &[(0, ZOCCA_FOR_CARPI)]),
    Case::broken("CO-8.7", "20 of the addressee", || gift().with(|state| state.turn_seat = seat(1)), &[(1, CARPI_FOR_ZOCCA)]),
    Case::kept("CO-8.8", "the addressee offers something else, and the turn continues after the answer", || Given::rolling(2), &[(0, MONEY), (1, COUNTER), (0, ACCEPT)],
        |after| {
            assert!(after.money(0) == (5_100, 16) && after.money(1) == (5_900, 12) && is(&after.state.phase, Moment::Roll));
            assert_eq!(after.state.turn_seat, seat(0));
        }),
    Case::kept("CO-8.8", "a rejected counter-offer leaves neither", || Given::rolling(2), &[(0, MONEY), (1, COUNTER), (0, REJECT)],
        |after| assert!(is(&after.state.phase, Moment::Roll) && after.money(0) == (5_500, 14))),
    Case::kept("CO-8.8", "a withdrawn counter-offer leaves neither", || Given::rolling(2), &[(0, MONEY), (1, COUNTER), (1, WITHDRAW)],
        |after| assert!(is(&after.state.phase, Moment::Roll))),
    Case::kept("CO-8.8", "it may repeat the first offer", || Given::rolling(2), &[(0, MONEY), (1, r#"{"type":"counter_trade","give":{"credits":2},"take":{"euros":300}}"#)],
        |after| assert!(after.state.phase.offer().is_some_and(|offer| offer.counter && offer.to == seat(0)))),
    Case::kept("CO-8.8", "it settles the debt that the first offer was to settle", owing, &[(0, SETTLE), (1, r#"{"type":"counter_trade","take":{"credits":3}}"#), (0, ACCEPT)],
        |after| {
            assert!(after.happened(&E::DebtSettled { seat: seat(0), to: seat(1) }));
            assert!(after.money(0) == (300, 11) && is(&after.state.phase, Moment::Square));
        }),
    Case::kept("CO-8.8", "without it, what the debtor got pays the debt", owing, &[(0, r#"{"type":"propose_trade","to":1,"give":{"credits":1},"take":{"euros":100}}"#), (1, r#"{"type":"counter_trade","give":{"euros":100},"take":{"credits":2}}"#), (0, ACCEPT)],
        |after| assert!(after.money(0) == (0, 12) && is(&after.state.phase, Moment::Square))),
    Case::kept("CO-8.8", "it is not checked for the cards of the seat in turn", || Given::rolling(2), &[(0, MONEY), (1, r#"{"type":"counter_trade","give":{"actions":["renewable_energy"]},"take":{"actions":["renewable_energy"]}}"#)],
        |after| assert!(after.state.phase.offer().is_some())),
    Case::broken("CO-8.8", "an answer to a counter-offer", || Given::rolling(2), &[(0, MONEY), (1, COUNTER), (0, COUNTER)]),
    Case::broken("CO-8.3", "a counter-offer of the proposer", || Given::rolling(2), &[(0, MONEY), (0, COUNTER)]),
    Case::broken("CO-8.3", "a counter-offer of a third seat", || Given::rolling(3), &[(0, MONEY), (2, COUNTER)]),
    Case::broken("CO-8.3", "the addressee of a counter-offer withdraws it", || Given::rolling(2), &[(0, MONEY), (1, COUNTER), (0, WITHDRAW)]),
    Case::broken("CO-8.1", "a counter-offer of odd euros", || Given::rolling(2), &[(0, MONEY), (1, r#"{"type":"counter_trade","give":{"credits":2},"take":{"euros":350}}"#)]),
    Case::broken("CO-8.2", "a counter-offer that takes nothing", || Given::rolling(2), &[(0, MONEY), (1, r#"{"type":"counter_trade","give":{"credits":2}}"#)]),
    Case::broken("CO-8.4", "a counter-offer of what one does not have", || Given::rolling(2), &[(0, MONEY), (1, r#"{"type":"counter_trade","give":{"credits":15},"take":{"euros":300}}"#)]),
    Case::broken("CO-8.7", "a counter-offer that would win", gift, &[(0, MONEY), (1, r#"{"type":"counter_trade","give":{"territories":["carpi"]},"take":{"territories":["zocca"]}}"#)]),
    Case::broken("CO-8.2", "land for credits that do not cover the debt", || bill_at_via().owns(0, 0, &[Guiglia]), &[(0, r#"{"type":"propose_trade","to":1,"give":{"territories":["guiglia"]},"take":{"credits":3}}"#)]),
    Case::broken("CO-8.2", "land for credits before there is a debt", || Given::rolling(2).owns(0, 0, &[Guiglia]).money(0, 200, 0), &[(0, GUIGLIA_FOR_4)]),
    Case::broken("CO-8.2", "land for too little, in a debt that money pays", || owing().owns(0, 0, &[Guiglia]), &[(0, GUIGLIA_FOR_4)]),
    Case::kept("CO-8.2", "a debtor's land in a counter-offer has no least price, if it covers the debt", || bill_at_via().owns(0, 0, &[Guiglia]), &[(0, r#"{"type":"propose_trade","to":1,"give":{"euros":100},"take":{"credits":1}}"#), (1, r#"{"type":"counter_trade","give":{"credits":4},"take":{"territories":["guiglia"]}}"#)],
        |after| assert!(after.state.phase.offer().is_some_and(|offer| offer.counter))),
    Case::broken("CO-3.3", "-20 by a trade", || Given::rolling(2).owns(0, 0, &[Sassuolo, FioranoModenese, Maranello, ModenaMarzaglia, Guiglia, Zocca]).owns(1, 0, &[Carpi]), &[(0, ZOCCA_FOR_CARPI)]),
];

/// A resigned seat withdraws its offer, and answers offers.
#[test]
fn the_autopilot_ends_a_trade_for_either_side() {
    let mut table = Table::<Ecopolis>::at(
        Seats::new(3).unwrap(),
        zocca().state(),
        Chance::seeded(Seed::new(Format::Three, CASE_SEED)),
    );
    let command = |text: &str| Ecopolis::read_command(&json::parse(text.as_bytes()).unwrap()).unwrap();
    table.submit(seat(0), &command(ZOCCA_FOR_200)).unwrap();
    let decided = |table: &Table<Ecopolis>| [0, 1, 2].map(|number| table.autopilot(seat(number)));
    assert_eq!(decided(&table), [Some(command(WITHDRAW)), Some(command(REJECT)), None]);
    table.submit(seat(1), &command(REJECT)).unwrap();
    assert_eq!(decided(&table), [Some(command(ROLL)), None, None], "nobody is played out of turn");
}

/// An uninvolved seat is out of turn. For the addressee, the command is wrong.
#[test]
fn while_an_offer_stands_only_a_third_seat_is_out_of_turn() {
    let read = |text: &str| Ecopolis::read_command(&json::parse(text.as_bytes()).unwrap()).unwrap();
    let chance = Chance::seeded(Seed::new(Format::Three, CASE_SEED));
    let mut table = Table::<Ecopolis>::at(Seats::new(3).unwrap(), zocca().state(), chance);
    table.submit(seat(0), &read(ZOCCA_FOR_200)).unwrap();
    let is_out_of_turn = [0, 1, 2].map(|number| {
        let refusal: Refusal = table.check(seat(number), &read(ROLL)).unwrap_err().into();
        refusal.is_out_of_turn
    });
    assert_eq!(is_out_of_turn, [false, false, true]);
}

/// All missing goods are reported together.
#[test]
fn every_condition_that_an_offer_breaks_is_named() {
    const BAD: &str = r#"{"type":"propose_trade","to":1,"give":{"territories":["zocca"],"euros":150},"take":{"actions":["water_saving"],"credits":99}}"#;
    let refusal = |given: Given, sent: &str| {
        let command = Ecopolis::read_command(&json::parse(sent.as_bytes()).unwrap()).unwrap();
        Refusal::from(Ecopolis::check(&given.state(), seat(0), &command).unwrap_err())
    };
    let named = |refusal: &Refusal| refusal.also.iter().map(|one| one.rule).collect::<Vec<_>>();
    let rested = zocca().with(|state| state.holdings[Zocca.index()].as_mut().unwrap().rests = 1);
    let bad = refusal(rested, BAD);
    assert_eq!((bad.rule, named(&bad)), ("CO-8.1", vec!["CO-8.2", "CO-8.2", "CO-8.4", "CO-8.6"]), "{bad:?}");
    let one = refusal(zocca(), r#"{"type":"propose_trade","to":1,"give":{"euros":100}}"#);
    assert_eq!((one.rule, named(&one)), ("CO-8.2", vec![]), "{one:?}");
    // Absent goods have no balance.
    let unheld = r#"{"type":"propose_trade","to":1,"give":{"territories":["zocca"],"credits":99},"take":{"territories":["carpi"]}}"#;
    assert_eq!(named(&refusal(gift(), unheld)), Vec::<&str>::new());
}
