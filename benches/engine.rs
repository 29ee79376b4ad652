//! Speed of the engine on one core: whole games replayed, and lists of legal commands.
//!
//! `cargo bench --bench engine` prints a line per measure: the median and the best of its samples.

use std::{hint::black_box, time::Instant};

use playledger::{
    engine::{Chance, Format, Seats, Seed, Viewer},
    rulesets::{AnyCommand, AnyOptions, AnyStatus, AnyTable, RulesetId},
};

const GAMES: u64 = 200;
const SAMPLES: usize = 15;

/// A whole game: options, seed and commands.
struct Game {
    options: AnyOptions,
    seats: Seats,
    seed: u8,
    commands: Vec<(playledger::engine::Seat, AnyCommand)>,
}

impl Game {
    fn table(&self) -> AnyTable {
        AnyTable::start(&self.options, self.seats, Chance::seeded(Seed::new(Format::Three, [self.seed; 32])))
    }
}

fn main() {
    for ruleset in RulesetId::ALL {
        let games: Vec<Game> = (0..GAMES).map(|number| random_game(*ruleset, number)).collect();
        let commands: usize = games.iter().map(|game| game.commands.len()).sum();
        println!("{}: {GAMES} games, {commands} commands", ruleset.name());
        measure("commands replayed from the seed", commands, || {
            for game in &games {
                let mut table = game.table();
                for (seat, command) in &game.commands {
                    let _ = black_box(table.submit(*seat, command));
                }
            }
        });
        let tables: Vec<AnyTable> = games.iter().map(halfway).collect();
        measure("legal lists", tables.len() * 100, || {
            for table in tables.iter().cycle().take(tables.len() * 100) {
                if let AnyStatus::ToAct(seat) = table.status() {
                    black_box(table.legal(seat));
                }
            }
        });
        measure("views", tables.len() * 100, || {
            for table in tables.iter().cycle().take(tables.len() * 100) {
                black_box(table.view(Viewer::Spectator));
            }
        });
    }
}

fn halfway(game: &Game) -> AnyTable {
    let mut table = game.table();
    for (seat, command) in &game.commands[..game.commands.len() / 2] {
        let _ = table.submit(*seat, command);
    }
    table
}

/// A game of listed commands, chosen without taste but always the same for the same number.
fn random_game(ruleset: RulesetId, number: u64) -> Game {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = move |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % bound
    };
    let Some(seats) = Seats::new(2 + number % 3) else { unreachable!("2 to 4 seats") };
    let Ok(options) = ruleset.read_options(&serde_json::json!({}), seats) else {
        unreachable!("the defaults are options")
    };
    let seed = u8::try_from(number % 256).unwrap_or(0);
    let mut game = Game { options, seats, seed, commands: Vec::new() };
    let mut table = game.table();
    while let AnyStatus::ToAct(seat) = table.status() {
        let mut listed = table.legal(seat).commands;
        let command = listed.swap_remove(below(listed.len())).command;
        let accepted = table.submit(seat, &command);
        assert!(accepted.is_ok(), "a listed command is accepted");
        game.commands.push((seat, command));
    }
    game
}

/// Measures some work several times, and prints the amount per second.
fn measure(name: &str, amount: usize, mut work: impl FnMut()) {
    work();
    let mut rates: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let begin = Instant::now();
            work();
            f64::from(u32::try_from(amount).unwrap_or(u32::MAX)) / begin.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    let (median, best) = (rates[SAMPLES / 2], rates[SAMPLES - 1]);
    println!("  {name}: {:.2} million a second (best {:.2})", median / 1e6, best / 1e6);
}
