//! The file: start, growth, transactions of one row, cold reads of games.

use std::{path::Path, sync::Arc, time::Instant};

use playledger::store::{Change, Entry, GameKey, Store, StoreError, Write, sqlite::Settings};

use super::{LIVE, Live, ROUND, Written, append, entry, fill, float, per_second, runtime};

pub fn measure(path: &Path, games: u64) -> Result<f64, StoreError> {
    let keys = fill(&Store::open(path, &filling())?, games)?;
    let begin = Instant::now();
    let store = Arc::new(Store::open(path, &Settings::default())?);
    println!("  start: {:.1} ms", begin.elapsed().as_secs_f64() * 1e3);

    let apart = (keys.len() / LIVE).max(1);
    let live = Live::all(keys.iter().step_by(apart));
    let size_before = file_size(path);
    let mut appended = 0;
    let mut at_64 = 0.0;
    for callers in [1, 16, 64, 256] {
        let (count, rate) = append(&store, &live, callers, Written::Together)?;
        appended += count;
        println!("  {callers} callers: {rate:.0} durable appends a second");
        if callers == 64 {
            at_64 = rate;
        }
    }
    let alone = one_transaction_each(path)?;
    println!(
        "  one-row transactions, one writer: {alone:.0} a second; 64 callers make {:.1} times that",
        at_64 / alone
    );
    drop(store);
    let grown = file_size(path).saturating_sub(size_before);
    println!("  {:.0} bytes an entry on disk", float(grown / 1000) * 1e3 / float(appended));
    cold_load(path, &keys)?;
    Ok(at_64)
}

/// Many games at once need a longer queue.
pub fn filling() -> Settings {
    Settings { queue: 100_000, ..Settings::default() }
}

/// Returns the rate of one-row transactions in the same file system, without a store.
fn one_transaction_each(beside: &Path) -> Result<f64, StoreError> {
    let connection = rusqlite::Connection::open(beside.with_extension("plain"))?;
    connection.execute_batch(
        "PRAGMA journal_mode = wal; PRAGMA synchronous = full;
         CREATE TABLE log (id INTEGER PRIMARY KEY, game INTEGER, seq INTEGER, x BLOB, head BLOB, body BLOB)",
    )?;
    let begin = Instant::now();
    let mut count = 0;
    while begin.elapsed() < ROUND {
        let Entry { seq, x, head, body, .. } = entry(count);
        connection
            .prepare_cached("INSERT INTO log (game, seq, x, head, body) VALUES (1, ?1, ?2, ?3, ?4)")?
            .execute((seq.cast_signed(), x, head, body))?;
        count += 1;
    }
    Ok(per_second(count, begin))
}

/// Reads games of 300 entries with a new store.
fn cold_load(path: &Path, keys: &[GameKey]) -> Result<(), StoreError> {
    let store = Store::open(path, &Settings::default())?;
    let runtime = runtime()?;
    let some: Vec<GameKey> = keys.iter().rev().copied().step_by(7).take(50).collect();
    for game in &some {
        let from = runtime.block_on(store.entries(*game, 0, u64::MAX))?.len() as u64;
        for seq in from..300 {
            runtime.block_on(store.write(Write::of(Change::Append {
                game: *game,
                entries: vec![entry(seq)],
                claim: None,
            })))?;
        }
    }
    drop(store);
    let store = Store::open(path, &Settings::default())?;
    let mut times: Vec<f64> = Vec::new();
    for game in &some {
        let begin = Instant::now();
        let read = runtime.block_on(store.entries(*game, 0, u64::MAX))?.len();
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        assert!(read >= 300, "the whole game is read");
    }
    times.sort_by(f64::total_cmp);
    println!("  a game of 300 entries read cold: {:.2} ms, at worst {:.2} ms", times[25], times[49]);
    Ok(())
}

fn file_size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}
