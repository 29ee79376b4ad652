//! Speed of the store: durable appends per second by number of callers, with few and with a million games in
//! the file, with and without shared transactions; cold reads, starts, and bytes per entry.
//!
//! `cargo bench --bench store` takes some minutes and 2 GB of disk; `-- 20000` uses 20,000 games.
//! `DATABASE=postgres://... cargo bench --bench store` compares an empty shared database with a file.

mod file;
#[path = "../machine.rs"]
mod machine;
mod shared;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use playledger::{
    store::{
        AccountChange, Change, Entry, GameFacts, GameKey, NewPlayerRow, Newest, PlayerKey, Store, StoreError,
        Write,
    },
    words::{Status, Visibility},
};
use uuid::Uuid;

const ROUND: Duration = Duration::from_secs(2);
/// Games played at the same time.
const LIVE: usize = 1_000;
/// Two, as the service has on a machine of two cores.
const WORKERS: usize = 2;

fn main() -> Result<(), StoreError> {
    if let Ok(url) = std::env::var("DATABASE") {
        return shared::measure(url);
    }
    let many = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(1_000_000);
    let folder = tempfile::tempdir()?;
    let mut rates = Vec::new();
    for games in [LIVE as u64, many] {
        let path = folder.path().join(format!("{games}.db"));
        println!("{games} games in the file");
        rates.push(file::measure(&path, games)?);
    }
    println!("ratio at 64 callers, {many} to {LIVE} games: {:.2}", rates[1] / rates[0]);
    Ok(())
}

struct Live {
    key: GameKey,
    next: AtomicU64,
}

impl Live {
    /// Returns new games.
    fn all<'k>(keys: impl Iterator<Item = &'k GameKey>) -> Arc<Vec<Self>> {
        Arc::new(keys.map(|key| Self { key: *key, next: AtomicU64::new(4) }).collect())
    }
}

/// Returns an entry with the size of a command.
fn entry(seq: u64) -> Entry {
    let body = format!(
        r#"{{"at":1770000000000,"by":"player","cmd":{{"advisor":false,"type":"complete_order"}},"seat":1,"seq":{seq},"type":"cmd"}}"#
    );
    Entry { seq, x: [7; 32], head: [9; 32], body: body.into_bytes(), secret: None, is_landmark: false }
}

/// Makes games of four entries, each in a segment of its own.
fn fill(store: &Store, games: u64) -> Result<Vec<GameKey>, StoreError> {
    let (player, uuid) = (store.new_player_key(), Uuid::now_v7());
    let mut recovery = [0; 32];
    recovery[..16].copy_from_slice(uuid.as_bytes());
    let runtime = runtime()?;
    runtime.block_on(store.write(Write::of(Change::Account(AccountChange::AddPlayer(NewPlayerRow {
        key: player,
        uuid,
        name: "somebody".into(),
        recovery: Some(recovery),
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
        rated: false,
        format: 3,
        server_seed: [3; 32],
        created_at: 0,
        rematch_of: None,
    })))
    .and(Change::Append { game: key, entries: (0..4).map(entry).collect(), claim: None })
    .and(Change::SetStatus { game: key, status: Status::Finished, at: 0, ended: None })
}

/// Whether waiting writes share a transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Together,
    /// Each write has its own transaction, because it also changes the row of its game.
    Alone,
}

/// Appends for a while. Each caller waits for its answer.
fn append(
    store: &Arc<Store>,
    live: &Arc<Vec<Live>>,
    callers: usize,
    written: Written,
) -> Result<(u64, f64), StoreError> {
    let begin = Instant::now();
    let workers: Vec<_> = (0..WORKERS.min(callers))
        .map(|worker| {
            let (store, live) = (Arc::clone(store), Arc::clone(live));
            std::thread::spawn(move || {
                work(&store, &live, (worker..callers).step_by(WORKERS), callers, (written, begin))
            })
        })
        .collect();
    let mut count = 0;
    for worker in workers {
        count += worker.join().map_err(|_| StoreError::Stopped)??;
    }
    Ok((count, per_second(count, begin)))
}

/// A worker of the service: a runtime on one thread, with its share of the callers.
fn work(
    store: &Arc<Store>,
    live: &Arc<Vec<Live>>,
    callers: impl Iterator<Item = usize>,
    of: usize,
    (written, begin): (Written, Instant),
) -> Result<u64, StoreError> {
    let tasks = tokio::task::LocalSet::new();
    let handles: Vec<_> = callers
        .map(|caller| {
            let (store, live) = (Arc::clone(store), Arc::clone(live));
            tasks.spawn_local(async move {
                let mut count = 0;
                // Each game has one caller.
                for game in live.iter().skip(caller).step_by(of).cycle() {
                    if begin.elapsed() > ROUND {
                        break;
                    }
                    let seq = game.next.fetch_add(1, Ordering::Relaxed);
                    let append = Change::Append { game: game.key, entries: vec![entry(seq)], claim: None };
                    let newest = Newest { seq, head: [9; 32] };
                    let write = match written {
                        Written::Together => Write::of(append),
                        Written::Alone => Write::of(append).and(Change::SetNewest { game: game.key, newest }),
                    };
                    store.write(write).await?;
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

fn runtime() -> Result<tokio::runtime::Runtime, StoreError> {
    Ok(tokio::runtime::Builder::new_current_thread().build()?)
}

fn per_second(count: u64, begin: Instant) -> f64 {
    float(count) / begin.elapsed().as_secs_f64()
}

fn float(number: u64) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
