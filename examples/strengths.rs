//! Strength of the levels: the table of the README, line by line.
//!
//! `cargo run --release --no-default-features --example strengths` takes half an hour. An argument is the
//! percentage of games to play. A deal is played once from every seat. Wins have 95 % intervals; times are
//! per decision.

use std::{env, io, time::Duration};

use playledger::{
    arena::{Contest, Contestant, ContestantTally, Share},
    bots::Level,
    engine::Seats,
    rulesets::RulesetId,
};

const EASY: Contestant = Contestant::Level(Level::Easy);
const MIDDLE: Contestant = Contestant::Level(Level::Middle);
const HARD: Contestant = Contestant::Level(Level::Hard);
const HARDEST: Contestant = Contestant::Level(Level::Hardest);

/// Seats, one contestant, its opponents, and the number of games.
const PAIRINGS: [(u8, Contestant, Contestant, u64); 9] = [
    (2, EASY, Contestant::Random, 400),
    (2, EASY, Contestant::Autopilot, 400),
    (2, MIDDLE, EASY, 400),
    (2, HARD, MIDDLE, 400),
    (2, HARDEST, MIDDLE, 200),
    (2, HARDEST, HARD, 100),
    // The value of skill against random play.
    (2, HARDEST, Contestant::Random, 200),
    (4, HARD, MIDDLE, 200),
    (4, HARDEST, MIDDLE, 80),
];

fn main() -> io::Result<()> {
    let percent: u64 = env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    println!(
        "| game | seats | one | among | games | wins | p50 | p99 |\n| --- | --- | --- | --- | --- | --- | --- | --- |"
    );
    for ruleset in RulesetId::ALL {
        for (seats, one, others, games) in PAIRINGS {
            let games = (games * percent / 100).max(u64::from(seats));
            let tally = meet(*ruleset, seats, &one, &others, games)?;
            println!("{}", line(*ruleset, seats, &one, &others, &tally));
        }
    }
    Ok(())
}

fn meet(
    ruleset: RulesetId,
    count: u8,
    one: &Contestant,
    others: &Contestant,
    games: u64,
) -> io::Result<ContestantTally> {
    let broken = |what: &str| io::Error::other(what.to_owned());
    let seats = Seats::new(count.into()).ok_or_else(|| broken("no such table"))?;
    let options =
        ruleset.read_options(&serde_json::json!({}), seats).map_err(|_| broken("no such options"))?;
    let contestants = (0..count).map(|seat| if seat == 0 { one.clone() } else { others.clone() }).collect();
    let contest = Contest {
        ruleset,
        options,
        seats,
        contestants,
        games,
        seed: 4242,
        patience: Duration::from_secs(1),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        replays: None,
    };
    let standings = contest.run()?;
    standings.tallies().first().cloned().ok_or_else(|| broken("nobody played"))
}

fn line(
    ruleset: RulesetId,
    seats: u8,
    one: &Contestant,
    others: &Contestant,
    tally: &ContestantTally,
) -> String {
    let Share { of_all, low, high } = tally.wins();
    let [of_all, low, high] = [of_all, low, high].map(|share| share * 100.0);
    let [half, most] = [50, 99].map(|percent| tally.thought_within(percent).as_secs_f64() * 1_000.0);
    let (game, games) = (ruleset.title(playledger::engine::Lang::En), tally.games);
    format!(
        "| {game} | {seats} | {one} | {others} | {games} | {of_all:.1} % ({low:.1} to {high:.1}) | {half:.2} ms | {most:.2} ms |"
    )
}
