//! Answers of bots to offers.

use std::collections::BTreeMap;

use super::super::{
    Ecopolis,
    command::Command,
    event::EventView as E,
    phase::{Moment, Phase},
    tables::Territory,
    trade::{Offer, Side},
};
use crate::{
    bots::{Level, Playable as _, Thought},
    engine::{Chance, Format, Ruleset as _, Seat, Seats, Seed, Status, Table, Viewer},
};

/// Plays a game of bots. `ask` may make an offer before each roll.
fn with_offers(number: u8, mut ask: impl FnMut(&Table<Ecopolis>, Seat)) {
    let seats = Seats::new(2 + u64::from(number % 2)).unwrap();
    let options = Ecopolis::read_options(&serde_json::json!({}), seats).unwrap();
    let chance = Chance::seeded(Seed::new(Format::default(), [number; 32]));
    let mut table = Table::<Ecopolis>::start(&options, seats, chance);
    let mut step = 0;
    while let Status::ToAct(seat) = table.status() {
        step += 1;
        if matches!(table.state().phase, Phase::Turn(Moment::Roll)) {
            ask(&table, seat);
        }
        let command = Thought::of(&table, seat, step).decide(Ecopolis::style(Level::Middle)).unwrap();
        table.submit(seat, &command).unwrap();
    }
}

/// Returns whether a bot accepts a possible offer.
fn takes(
    table: &Table<Ecopolis>,
    from: Seat,
    to: Seat,
    give: Side,
    take: Side,
    level: Level,
) -> Option<bool> {
    let offer = Command::ProposeTrade {
        to: to.number().into(),
        give: give.into(),
        take: take.into(),
        settles_debt: false,
    };
    let mut table = table.clone();
    table.submit(from, &offer).ok()?;
    let answer = Thought::of(&table, to, 7).decide(Ecopolis::style(level).with_part(50)).unwrap();
    Some(answer == Command::AcceptTrade {})
}

/// Bots refuse to give land for little money, and money for nothing.
#[test]
fn nobody_milks_a_machine() {
    let (mut asked, mut taken) = (0, 0);
    for number in 0..6 {
        with_offers(number, |table, from| {
            let to = table.seats().after(from);
            let euros = |euros| Side { euros, ..Side::default() };
            let lands: Vec<Territory> = table.state().owned(to).map(|(territory, _)| territory).collect();
            let land = lands.first().map(|land| Side { territories: vec![*land], ..Side::default() });
            let milking = [
                land.map(|land| (euros(land.territories[0].return_price()), land)),
                Some((Side { credits: 1, ..Side::default() }, euros(500))),
                Some((euros(100), Side { credits: 5, ..Side::default() })),
            ];
            for (give, take) in milking.into_iter().flatten() {
                for level in [Level::Middle, Level::Hardest] {
                    if let Some(is_taken) = takes(table, from, to, give.clone(), take.clone(), level) {
                        asked += 1;
                        taken += i32::from(is_taken);
                    }
                }
            }
        });
    }
    println!("{taken} of {asked}");
    assert!(asked > 500 && taken * 50 < asked, "{taken} of {asked}");
}

/// A present is taken.
#[test]
fn a_machine_takes_what_is_plainly_good() {
    let (mut asked, mut taken) = (0, 0);
    with_offers(2, |table, from| {
        let to = table.seats().after(from);
        let give = Side { euros: 2_000, ..Side::default() };
        let take = Side { credits: 1, ..Side::default() };
        if let Some(is_taken) = takes(table, from, to, give, take, Level::Hardest) {
            asked += 1;
            taken += i32::from(is_taken);
        }
    });
    println!("{taken} of {asked}");
    assert!(asked > 3 && taken * 2 > asked, "{taken} of {asked}");
}

/// Plays a game of middle bots, and returns its events with the rounds in which they happened.
fn played(number: u8) -> Vec<(u64, E)> {
    let seats = Seats::new(3 + u64::from(number % 2)).unwrap();
    let options = Ecopolis::read_options(&serde_json::json!({}), seats).unwrap();
    let chance = Chance::seeded(Seed::new(Format::default(), [number; 32]));
    let mut table = Table::<Ecopolis>::start(&options, seats, chance);
    let (mut events, mut step) = (Vec::new(), 0);
    while let Status::ToAct(seat) = table.status() {
        step += 1;
        let command = Thought::of(&table, seat, step).decide(Ecopolis::style(Level::Middle)).unwrap();
        table.submit(seat, &command).unwrap();
        let round = table.state().round;
        events.extend(table.events(Viewer::Spectator).into_iter().map(|event| (round, event)));
    }
    events
}

#[test]
fn machines_propose_accept_counter_exchange_and_pay_in_kind() {
    let all: Vec<E> = (0..40).flat_map(played).map(|(_, event)| event).collect();
    let count = |is: fn(&E) -> bool| all.iter().filter(|event| is(event)).count();
    let offers = count(|event| matches!(event, E::TradeProposed { .. }));
    let accepted = count(|event| matches!(event, E::TradeAccepted { .. }));
    assert!(accepted * 2 > offers && accepted > 80, "{accepted} of {offers} offers were accepted");
    assert!(count(|event| matches!(event, E::TradeCountered { .. })) > 0);
    assert!(count(|event| matches!(event, E::ActionsExchanged { passing: true, .. })) > 1_000);
    assert!(count(|event| matches!(event, E::Paid { credits: 1.., euros: 1.., .. })) > 0);
    assert!(count(|event| matches!(event, E::DebtSettled { .. } | E::TerritoryReturned { .. })) > 0);
}

/// Offers of machines are few, and none is repeated.
#[test]
fn machines_pester_nobody() {
    for (number, game) in (0..40).map(|number| (number, played(number))) {
        let mut asked: Vec<Seat> = Vec::new();
        let mut wanted: BTreeMap<(Seat, Territory), u64> = BTreeMap::new();
        for (round, event) in game {
            match event {
                E::TurnBegan { .. } => asked.clear(),
                E::TradeProposed { trade } => {
                    let Offer { from, to, take, .. } = *trade;
                    assert!(!asked.contains(&to), "game {number}: one offer to each partner a turn");
                    asked.push(to);
                    assert!(asked.len() <= 3, "game {number}: few offers a turn");
                    for territory in take.territories {
                        let before = wanted.insert((from, territory), round);
                        let waits = before.is_none_or(|before| before + 3 <= round);
                        assert!(waits, "game {number}: {territory:?} again after {before:?} in {round}");
                    }
                }
                _ => {}
            }
        }
    }
}
