//! Answers of bots to offers.

use super::super::{Ecopolis, command::Command, phase::Phase, tables::Territory, trade::Side};
use crate::{
    bots::{Level, Playable as _, Thought},
    engine::{Chance, Format, Ruleset as _, Seat, Seats, Seed, Status, Table},
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
        if matches!(table.state().phase, Phase::Turn(super::super::phase::Moment::Roll)) {
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
                land.map(|land| (euros(500), land)),
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
