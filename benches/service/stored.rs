//! A file full of finished games.

use std::{path::Path, time::Duration};

use playledger::{
    engine::{Format, Seats},
    ledger::{
        chain::Link,
        consequence::Consequence,
        entry::{Body, Genesis, Holder, Join},
        game::{Dealer, Game},
        seed::ServerSeed,
        terms::{Clock, Terms},
    },
    rulesets::RulesetId,
    store::{self, AccountChange, Change, GameFacts, NewPlayerRow, Newest, Store, Write, sqlite::Settings},
    words::{Status, Visibility},
};
use serde_json::json;
use uuid::Uuid;

use crate::client::Failure;

/// Writes finished games; all are the same game but for their names.
pub fn fill(path: &Path, games: usize) -> Result<(), Failure> {
    let store = Store::open(path, &Settings { queue: 100_000, ..Settings::default() })?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let player = store.new_player_key();
    let new = NewPlayerRow {
        key: player,
        uuid: Uuid::now_v7(),
        name: "Bot".into(),
        recovery: Some([1; 32]),
        level: None,
        created_at: 0,
    };
    runtime.block_on(store.write(Write::of(Change::Account(AccountChange::AddPlayer(new)))))?;
    let (options, entries) = finished_game()?;
    let newest = entries.last().map(|last| Newest { seq: last.seq, head: last.head }).ok_or("no entries")?;
    for _ in 0..games.div_ceil(100) {
        let waiting: Vec<_> = (0..100)
            .map(|_| {
                let key = store.new_game_key();
                let added = GameFacts {
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
                    bank_seconds: 0,
                    takebacks: false,
                    rated: false,
                    substitutes: false,
                    format: 1,
                    server_seed: [3; 32],
                    created_at: 0,
                    rematch_of: None,
                };
                let over = Change::SetStatus { game: key, status: Status::Finished, at: 0, ended: None };
                let log = Change::Append { game: key, entries: entries.clone(), claim: None };
                let end = Change::SetNewest { game: key, newest };
                store.write(Write::of(Change::AddGame(Box::new(added))).and(log).and(over).and(end))
            })
            .collect();
        waiting.into_iter().try_for_each(|written| runtime.block_on(written))?;
    }
    rest(path)
}

/// Waits until the log is as short as without load.
fn rest(path: &Path) -> Result<(), Failure> {
    let connection = rusqlite::Connection::open(path)?;
    let most = i64::try_from(Settings::default().log_rows)?;
    while connection.query_row("SELECT max(id) - min(id) FROM log", [], |row| row.get::<_, i64>(0))? >= most {
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Returns the log of a short game played by autopilots.
fn finished_game() -> Result<(String, Vec<store::Entry>), Failure> {
    let ruleset = RulesetId::current("ecopolis").ok_or("no such ruleset")?;
    let seats = Seats::new(2).ok_or("no seats")?;
    let options = ruleset.read_options(&json!({"max_rounds": 12}), seats)?;
    let written = serde_json::to_value(&options)?;
    let seed = ServerSeed::new([3; 32]);
    let genesis = Genesis {
        format: Format::Three,
        game: "bench".into(),
        commit: seed.commitment(),
        terms: Terms {
            clock: Some(Clock { move_seconds: 60, bank_seconds: 0 }),
            ..Terms::of(ruleset.name(), ruleset.version().into(), written.clone(), 2)
        },
    };
    let mut game = Game::open(&genesis, Dealer::Seed(seed))?;
    let genesis = Body::Genesis(Box::new(genesis));
    let join = |seat| Body::Join(Join { seat, holder: Holder::person("bench"), commit: None, signed: None });
    let mut links = Vec::new();
    for body in [genesis, join(0), join(1)] {
        links.push(game.decide(1, &body)?);
    }
    loop {
        let next = match (game.consequence()?, game.to_act()) {
            (Some(next), _) => next,
            (None, Some(seat)) => game.time_out(seat)?.ok_or("nothing to do")?,
            (None, None) => break,
        };
        links.push(match next {
            Consequence::Entry(body) => game.decide(1, &body)?,
            Consequence::Command(body, command) => game.decide_command(1, &body, &command)?,
        });
    }
    let entry = |Link { seq, x, head, body, secret, is_landmark, .. }: Link| store::Entry {
        seq,
        x,
        head,
        body,
        secret,
        is_landmark,
    };
    Ok((written.to_string(), links.into_iter().map(entry).collect()))
}
