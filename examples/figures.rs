//! How Ecopolis plays between machines of one level: lengths, ends, idle turns, trades, areas that win.
//!
//! `cargo run --release --no-default-features --example figures -- middle 200`: a level, and the games for
//! each number of seats. A third argument holds the options as JSON.
#![allow(clippy::unwrap_used, clippy::cast_precision_loss)]

use std::{collections::BTreeMap, env, sync::Mutex, thread};

use playledger::{
    bots::{Level, Playable, Thought},
    engine::{
        Chance, Format, Lang, Ruleset, Seat, Seats, Seed, Status, Table, Viewer, id::Id, random_words::mix,
    },
    rulesets::{
        board::OnBoard as _,
        ecopolis::{Ecopolis, EventView as E, Territory, View},
    },
};
use serde_json::{Value, json};

/// Counts over some games.
#[derive(Default)]
struct Figures {
    rounds: Vec<u64>,
    commands: Vec<u64>,
    counts: BTreeMap<&'static str, u64>,
    /// Wins by the place in the order of play.
    wins: [f64; 4],
    areas: BTreeMap<&'static str, u64>,
    credits: u64,
}

impl Figures {
    fn add(&mut self, name: &'static str, count: u64) {
        *self.counts.entry(name).or_default() += count;
    }

    fn of(&self, name: &str) -> f64 {
        self.counts.get(name).copied().unwrap_or_default() as f64
    }
}

/// Deeds of a seat in its turn.
#[derive(Default)]
struct Turn {
    acted: bool,
    exchanged: bool,
    on_event: bool,
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let level = arguments.get(1).and_then(|id| Level::from_word(id)).unwrap_or(Level::Middle);
    let games = arguments.get(2).map_or(200, |count| count.parse().unwrap());
    let options = arguments.get(3).map_or(json!({}), |text| serde_json::from_str(text).unwrap());
    for count in 2..=4 {
        let figures = Mutex::new(Figures::default());
        let next = Mutex::new(0_u64);
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    loop {
                        let number = {
                            let mut next = next.lock().unwrap();
                            *next += 1;
                            *next - 1
                        };
                        if number >= games {
                            break;
                        }
                        play(number, count, level, &options, &figures);
                    }
                });
            }
        });
        print(count, games as f64, &mut figures.into_inner().unwrap());
    }
}

fn play(number: u64, count: u8, level: Level, options: &Value, figures: &Mutex<Figures>) {
    let seats = Seats::new(count.into()).unwrap();
    let options = Ecopolis::read_options(options, seats).unwrap();
    let mut seed = [0x2f; 32];
    seed[..8].copy_from_slice(&number.to_be_bytes());
    let mut table =
        Table::<Ecopolis>::start(&options, seats, Chance::seeded(Seed::new(Format::default(), seed)));
    let (mut commands, mut mine) = (0, Figures::default());
    let mut turn = Turn::default();
    while let Status::ToAct(seat) = table.status() {
        let command =
            Thought::of(&table, seat, mix(number << 20 | commands)).decide(Ecopolis::style(level)).unwrap();
        table.submit(seat, &command).unwrap();
        commands += 1;
        for event in table.events(Viewer::Spectator) {
            count_event(&event, &mut turn, &mut mine);
        }
    }
    let view = table.view(Viewer::Spectator);
    let mut all = figures.lock().unwrap();
    all.commands.push(commands);
    all.rounds.push(view.round);
    count_end(&view, options.winning_balance(), &mut all);
    for (name, count) in mine.counts {
        all.add(name, count);
    }
}

fn count_event(event: &E, turn: &mut Turn, figures: &mut Figures) {
    match event {
        E::TurnBegan { .. } => *turn = Turn::default(),
        E::TurnEnded { .. } => {
            figures.add("turns", 1);
            figures.add("idle", u64::from(!turn.acted && !turn.exchanged));
            figures.add("credit-only", u64::from(!turn.acted && !turn.on_event));
            figures.add("on land", u64::from(!turn.on_event));
        }
        E::EventDrawn { .. } => turn.on_event = true,
        E::TerritoryBought { .. } => (turn.acted, ()) = (true, figures.add("bought", 1)),
        E::ActionImplemented { .. } => (turn.acted, ()) = (true, figures.add("actions", 1)),
        E::ActionsExchanged { passing, .. } => {
            turn.exchanged = true;
            turn.acted |= !passing;
            figures.add("exchanges", 1);
        }
        E::TradeProposed { .. } => figures.add("offers", 1),
        E::TradeCountered { .. } => figures.add("counters", 1),
        E::TradeAccepted { .. } => (turn.acted, ()) = (true, figures.add("accepted", 1)),
        E::Paid { euros, credits, .. } if *euros > 0 && *credits > 0 => figures.add("in credits", 1),
        E::TerritoryReturned { .. } => figures.add("returned", 1),
        E::CreditsBought { count, .. } => figures.add("credits bought", *count),
        E::SeatEliminated { .. } => figures.add("out", 1),
        _ => {}
    }
}

fn count_end(view: &View, wins: i64, figures: &mut Figures) {
    let result = view.result.as_ref().unwrap();
    let best = &result.0[0];
    let left = result.0.iter().filter(|score| !score.eliminated).count();
    figures.add(
        if best.balance >= wins {
            "by balance"
        } else if left == 1 {
            "last seat"
        } else {
            "limit"
        },
        1,
    );
    let winners: Vec<Seat> =
        result.0.iter().filter(|score| score.place == 1).map(|score| score.seat).collect();
    let count = view.seats.len();
    for winner in &winners {
        let place = (usize::from(winner.number()) + count - usize::from(view.first_seat.number())) % count;
        figures.wins[place] += 1.0 / winners.len() as f64;
    }
    let board = Ecopolis::board(Lang::En);
    for area in 0..Territory::ALL.len() / 3 {
        let whole = view.territories[area * 3..area * 3 + 3]
            .iter()
            .all(|shown| shown.owner == winners.first().copied() && shown.actions_done == 4);
        if whole {
            *figures.areas.entry(board.territories[area * 3].area).or_default() += 1;
        }
    }
    figures.credits += view.seats.iter().map(|seat| seat.credits).sum::<u64>();
    figures.add("seats", count as u64);
}

fn print(count: u8, games: f64, figures: &mut Figures) {
    figures.rounds.sort_unstable();
    figures.commands.sort_unstable();
    let at = |all: &[u64], percent: usize| all[(all.len() - 1) * percent / 100];
    let spread = |all: &[u64]| format!("{} / {} / {}", at(all, 10), at(all, 50), at(all, 90));
    let share = |name: &str, of: f64| 100.0 * figures.of(name) / of;
    let turns = figures.of("turns");
    println!("{count} seats, {games} games");
    println!(
        "  rounds p10 / p50 / p90: {}; commands: {}",
        spread(&figures.rounds),
        spread(&figures.commands)
    );
    println!(
        "  won by balance / last seat / limit: {:.0} / {:.0} / {:.0} %; seats out: {:.1} %",
        share("by balance", games),
        share("last seat", games),
        share("limit", games),
        share("out", figures.of("seats"))
    );
    println!(
        "  idle turns: {:.0} %; credit-only turns: {:.0} %",
        share("idle", turns),
        share("credit-only", figures.of("on land"))
    );
    let wins: Vec<String> =
        figures.wins[..count.into()].iter().map(|wins| format!("{:.0}", 100.0 * wins / games)).collect();
    println!("  wins from the first seat on: {} %", wins.join(" / "));
    let finished: u64 = figures.areas.values().sum();
    let areas: Vec<String> = figures
        .areas
        .iter()
        .map(|(area, times)| format!("{area} {:.0}", 100.0 * *times as f64 / finished.max(1) as f64))
        .collect();
    println!("  winners' finished areas, %: {}", areas.join(", "));
    let a_game = |name: &str| figures.of(name) / games;
    println!(
        "  a game: {:.1} offers, {:.1} counter-offers, {:.1} accepted; {:.2} paid in credits, {:.2} territories returned, {:.2} credits bought",
        a_game("offers"),
        a_game("counters"),
        a_game("accepted"),
        a_game("in credits"),
        a_game("returned"),
        a_game("credits bought")
    );
    println!(
        "  a turn: {:.2} actions, {:.2} exchanges; credits a seat at the end: {:.0}",
        figures.of("actions") / turns,
        figures.of("exchanges") / turns,
        figures.credits as f64 / figures.of("seats")
    );
}
