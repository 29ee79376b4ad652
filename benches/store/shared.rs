//! A shared database against a file, in turn: appends per second, processor time and log bytes of each.

use std::sync::Arc;

use playledger::store::{Store, StoreError, postgres};
use tokio_postgres::{Client, NoTls};

use super::{
    LIVE, Live, Written, append, file, fill, float,
    machine::{busy, rest},
};

const ROUNDS: usize = 5;

pub fn measure(url: String) -> Result<(), StoreError> {
    let folder = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (asks, wire) = runtime.block_on(tokio_postgres::connect(&url, NoTls)).map_err(unreachable)?;
    runtime.spawn(wire);
    let shared = postgres::Settings { standbys: 0, queue: 100_000, ..postgres::Settings::of(url) };
    let stores = [
        Store::open(&folder.path().join("games.db"), &file::filling())?,
        runtime.block_on(Store::connect(&shared))?,
    ];
    let mut both = Vec::new();
    for store in stores {
        let live = Live::all(fill(&store, LIVE as u64)?.iter());
        both.push((Arc::new(store), live));
    }
    for callers in [1, 16, 64, 256] {
        let mut rates = [Vec::new(), Vec::new()];
        let mut costs = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for (which, (store, live)) in both.iter().enumerate() {
                let (before, written) = (busy()?, runtime.block_on(written(&asks))?);
                let (count, rate) = append(store, live, callers, Written::Together)?;
                rates[which].push(rate);
                rest()?;
                costs[which].push((busy()? - before) / float(count));
                if which == 1 && callers == 64 {
                    let bytes = runtime.block_on(self::written(&asks))? - written;
                    println!("    {:.0} bytes of the database's own log for each", bytes / float(count));
                }
            }
        }
        let [[file, shared], [cost, shared_cost]] = [rates.map(median), costs.map(median)];
        println!(
            "{callers} callers: a file {file:.0} a second at {cost:.1} us of processor, shared {shared:.0} at {shared_cost:.1}: \
             {:.2}",
            shared / file
        );
    }
    let (store, live) = &both[1];
    let other = Arc::new(runtime.block_on(Store::connect(&shared))?);
    let others = Live::all(fill(&other, LIVE as u64)?.iter());
    let (mut one, mut two, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        rest()?;
        alone.push(append(store, live, 64, Written::Alone)?.1);
        rest()?;
        one.push(append(store, live, 64, Written::Together)?.1);
        rest()?;
        let there = std::thread::spawn({
            let (other, others) = (Arc::clone(&other), Arc::clone(&others));
            move || append(&other, &others, 32, Written::Together)
        });
        let here = append(store, live, 32, Written::Together)?.1;
        two.push(here + there.join().map_err(|_| StoreError::Stopped)??.1);
    }
    let (one, two, alone) = (median(one), median(two), median(alone));
    println!("64 callers, written together {one:.0} a second, each alone {alone:.0}: {:.1}", one / alone);
    println!("64 callers of one server {one:.0} a second, 32 of each of two {two:.0}: {:.2}", two / one);
    Ok(())
}

fn unreachable(error: tokio_postgres::Error) -> StoreError {
    StoreError::Io(std::io::Error::other(error))
}

/// Returns the size of the database's log.
async fn written(asks: &Client) -> Result<f64, StoreError> {
    let asked = "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8";
    Ok(asks.query_one(asked, &[]).await.map_err(unreachable)?.get(0))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
