//! A file full of finished games.

use std::{path::Path, time::Duration};

use playledger::{
    engine::{Chance, Seats, Seed},
    ledger::{
        chain::{Chain, Link},
        entry::{Body, By, Genesis, Reason},
        seed::ServerSeed,
    },
    rulesets::{AnyStatus, AnyTable, RulesetId},
    store::{self, Change, NewGame, NewPlayer, Settings, Status, Store, Visibility, Write},
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::client::Failure;

/// Writes so many finished games; all are the same game but for their names.
pub fn fill(path: &Path, games: usize) -> Result<(), Failure> {
    let store = Store::open(path, &Settings { queue: 100_000, ..Settings::default() })?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let player = store.new_player_key();
    let new =
        NewPlayer { key: player, uuid: Uuid::now_v7(), name: "Bot".into(), token: [1; 32], created_at: 0 };
    runtime.block_on(store.write(Write::of(Change::AddPlayer(new))))?;
    let (options, entries) = finished_game()?;
    for _ in 0..games.div_ceil(100) {
        let waiting: Vec<_> = (0..100)
            .map(|_| {
                let key = store.new_game_key();
                let added = NewGame {
                    key,
                    uuid: Uuid::now_v7(),
                    creator: player,
                    ruleset: "ecopolis".into(),
                    version: 1,
                    seats: 2,
                    options: options.clone(),
                    title: None,
                    visibility: Visibility::Public,
                    invite: None,
                    move_seconds: None,
                    server_seed: [3; 32],
                    created_at: 0,
                };
                let over = Change::SetStatus { game: key, status: Status::Finished, at: 0, result: None };
                let log = Change::Append { game: key, entries: entries.clone() };
                store.write(Write::of(Change::AddGame(Box::new(added))).and(log).and(over))
            })
            .collect();
        waiting.into_iter().try_for_each(|written| runtime.block_on(written))?;
    }
    rest(path)
}

/// Waits until the log is as short as it is when nobody plays.
fn rest(path: &Path) -> Result<(), Failure> {
    let connection = rusqlite::Connection::open(path)?;
    let most = i64::try_from(Settings::default().whole_tail)?;
    while connection.query_row("SELECT max(id) - min(id) FROM log", [], |row| row.get::<_, i64>(0))? >= most {
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// The log of a short game that the autopilots played.
fn finished_game() -> Result<(String, Vec<store::Entry>), Failure> {
    let id = RulesetId::current("ecopolis").ok_or("no such ruleset")?;
    let seats = Seats::new(2).ok_or("no seats")?;
    let options = id.read_options(&json!({"max_rounds": 12}), seats)?;
    let seed = ServerSeed::new([3; 32]);
    let (mut chain, mut entries) = (Chain::default(), Vec::new());
    let mut add =
        |chain: &mut Chain, body: &Body, draws: &[playledger::engine::Draw]| -> Result<(), Failure> {
            let Link { seq, x, head, body, secret, .. } = chain.append(&seed, 1, body, draws)?;
            entries.push(store::Entry { seq, x, head, body, secret });
            Ok(())
        };
    let written = serde_json::to_value(&options)?;
    let genesis = Genesis {
        game: "bench".into(),
        ruleset: id.name().into(),
        version: id.version().into(),
        options: written.clone(),
        seats: 2,
        commit: seed.commitment(),
    };
    add(&mut chain, &Body::Genesis(genesis), &[])?;
    for seat in 0..2 {
        add(&mut chain, &Body::Join { seat, player: "bench".into(), commit: None }, &[])?;
    }
    add(&mut chain, &Body::Seal, &[])?;
    let mut table = AnyTable::start(&options, seats, Chance::seeded(Seed::new([5; 32])));
    add(&mut chain, &Body::Start, table.draws())?;
    let result: Value = loop {
        match table.status() {
            AnyStatus::Finished(outcome) => break serde_json::to_value(outcome)?,
            AnyStatus::ToAct(seat) => {
                let command = table.autopilot(seat).ok_or("nothing to do")?;
                table.submit(seat, &command).map_err(|_| "refused")?;
                let cmd = serde_json::to_value(&command)?;
                let body = Body::Cmd { seat: seat.number().into(), by: By::Autopilot, cmd };
                add(&mut chain, &body, table.draws())?;
            }
        }
    };
    add(&mut chain, &Body::End { reason: Reason::Finished, result }, &[])?;
    Ok((written.to_string(), entries))
}
