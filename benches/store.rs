//! How fast the store is: durable appends a second by how many callers wait at once, with few and with a million
//! games in the file; the same with a transaction a write; reading a game cold; starting; bytes an entry.
//!
//! `cargo bench --bench store` takes some minutes and 2 GB of disk; `-- 20000` makes do with 20,000 games.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use playledger::{
    store::{
        AccountChange, Change, Entry, GameFacts, GameKey, Keeper as _, NewPlayer, PlayerKey, Store,
        StoreError, Write, sqlite::Settings,
    },
    words::{Status, Visibility},
};
use uuid::Uuid;

const ROUND: Duration = Duration::from_secs(2);
/// Games that are played at once.
const LIVE: usize = 1_000;
/// Two, as the service has on a machine of two cores.
const WORKERS: usize = 2;

fn main() -> Result<(), StoreError> {
    let many = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(1_000_000);
    let folder = tempfile::tempdir()?;
    let mut rates = Vec::new();
    for games in [LIVE as u64, many] {
        let path = folder.path().join(format!("{games}.db"));
        println!("{games} games in the file");
        rates.push(measure(&path, games)?);
    }
    println!("ratio at 64 callers, {many} to {LIVE} games: {:.2}", rates[1] / rates[0]);
    Ok(())
}

fn measure(path: &Path, games: u64) -> Result<f64, StoreError> {
    let keys = fill(path, games)?;
    let begin = Instant::now();
    let store = Arc::new(Store::open(path, &Settings::default())?);
    println!("  start: {:.1} ms", begin.elapsed().as_secs_f64() * 1e3);

    let apart = (keys.len() / LIVE).max(1);
    let live = keys.iter().step_by(apart).map(|key| Live { key: *key, next: AtomicU64::new(4) });
    let live: Arc<Vec<Live>> = Arc::new(live.collect());
    let size_before = file_size(path);
    let mut appended = 0;
    let mut at_64 = 0.0;
    for callers in [1, 16, 64, 256] {
        let (count, rate) = append(&store, &live, callers)?;
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

struct Live {
    key: GameKey,
    next: AtomicU64,
}

/// An entry of the size that a command of a game has.
fn entry(seq: u64) -> Entry {
    let body = format!(
        r#"{{"at":1770000000000,"by":"player","cmd":{{"advisor":false,"type":"complete_order"}},"seat":1,"seq":{seq},"type":"cmd"}}"#
    );
    Entry { seq, x: [7; 32], head: [9; 32], body: body.into_bytes(), secret: None }
}

/// Makes games of four entries, each in a segment of its own.
fn fill(path: &Path, games: u64) -> Result<Vec<GameKey>, StoreError> {
    let store = Store::open(path, &Settings { queue: 100_000, ..Settings::default() })?;
    let player = store.new_player_key();
    let runtime = runtime()?;
    runtime.block_on(store.write(Write::of(Change::Account(AccountChange::AddPlayer(NewPlayer {
        key: player,
        uuid: Uuid::now_v7(),
        name: "somebody".into(),
        recovery: Some([1; 32]),
        level: None,
        created_at: 0,
    })))))?;
    let mut keys = Vec::new();
    for _ in 0..games.div_ceil(500) {
        let waiting: Vec<_> = (0..500.min(games - keys.len() as u64))
            .map(|_| {
                let key = store.new_game_key();
                keys.push(key);
                store.write(new_game(key, player))
            })
            .collect();
        for written in waiting {
            runtime.block_on(written)?;
        }
    }
    Ok(keys)
}

fn new_game(key: GameKey, creator: PlayerKey) -> Write {
    Write::of(Change::AddGame(Box::new(GameFacts {
        key,
        uuid: Uuid::now_v7(),
        creator,
        ruleset: "industrial-waste".into(),
        version: 1,
        seats: 2,
        options: r#"{"first_seat":null,"max_rounds":40,"open_cash":false}"#.into(),
        title: None,
        visibility: Visibility::Public,
        invite: None,
        move_seconds: None,
        bank_seconds: 0,
        takebacks: false,
        substitutes: false,
        format: 2,
        server_seed: [3; 32],
        created_at: 0,
        rematch_of: None,
    })))
    .and(Change::Append { game: key, entries: (0..4).map(entry).collect(), claim: None })
    .and(Change::SetStatus { game: key, status: Status::Finished, at: 0, ended: None })
}

/// Lets callers append for a while, each waiting for its answer before it goes on.
fn append(store: &Arc<Store>, live: &Arc<Vec<Live>>, callers: usize) -> Result<(u64, f64), StoreError> {
    let begin = Instant::now();
    let workers: Vec<_> = (0..WORKERS.min(callers))
        .map(|worker| {
            let (store, live) = (Arc::clone(store), Arc::clone(live));
            std::thread::spawn(move || {
                work(&store, &live, (worker..callers).step_by(WORKERS), callers, begin)
            })
        })
        .collect();
    let mut count = 0;
    for worker in workers {
        count += worker.join().map_err(|_| StoreError::Stopped)??;
    }
    Ok((count, per_second(count, begin)))
}

/// One worker: a runtime on one thread, as a worker of the service is, with its share of the callers.
fn work(
    store: &Arc<Store>,
    live: &Arc<Vec<Live>>,
    callers: impl Iterator<Item = usize>,
    of: usize,
    begin: Instant,
) -> Result<u64, StoreError> {
    let tasks = tokio::task::LocalSet::new();
    let handles: Vec<_> = callers
        .map(|caller| {
            let (store, live) = (Arc::clone(store), Arc::clone(live));
            tasks.spawn_local(async move {
                let mut count = 0;
                // The games are shared out, so that no two callers play the same.
                for game in live.iter().skip(caller).step_by(of).cycle() {
                    if begin.elapsed() > ROUND {
                        break;
                    }
                    let seq = game.next.fetch_add(1, Ordering::Relaxed);
                    let append = Change::Append { game: game.key, entries: vec![entry(seq)], claim: None };
                    store.write(Write::of(append)).await?;
                    count += 1;
                }
                Ok::<u64, StoreError>(count)
            })
        })
        .collect();
    runtime()?.block_on(tasks.run_until(async {
        let mut count = 0;
        for handle in handles {
            count += handle.await.map_err(|_| StoreError::Stopped)??;
        }
        Ok(count)
    }))
}

/// What a transaction a row gives in the same file system, with nothing around it.
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

/// Reads games of 300 entries that a new store has never read.
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

fn runtime() -> Result<tokio::runtime::Runtime, StoreError> {
    Ok(tokio::runtime::Builder::new_current_thread().build()?)
}

fn file_size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

fn per_second(count: u64, begin: Instant) -> f64 {
    float(count) / begin.elapsed().as_secs_f64()
}

fn float(number: u64) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
