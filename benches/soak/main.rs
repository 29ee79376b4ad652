//! Everything at once, for long: tables of both games with people, machines, signatures, plans and takebacks; streams, inboxes,
//! lists, audits, hooks to a receiver that fails, a tree with a witness, and requests that make no sense. Every so often a
//! server is killed as a loss of power would kill it. In the end what was acknowledged and told is held against what is there.
//!
//! `cargo bench --bench soak -- 30` soaks for 30 minutes (1 unless it is said) with a kill each minute; `-- 30 0` kills nobody,
//! and shows whether anything grows. `DATABASE=postgres://...` names an empty database for two servers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "whatever cannot be read here is a finding, and ends the run with a word of where it was met"
)]

mod judge;
mod nuisance;
#[path = "../../http-tests/support/receiver.rs"]
#[allow(dead_code, reason = "tests need the rest")]
mod receiver;
mod servers;
mod streams;
mod table;
mod world;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use receiver::{Receiver, Reply};
use servers::Servers;
use world::World;

/// How many tables are played at once.
const TABLES: usize = 16;
/// How many ask for nothing good.
const NUISANCES: usize = 2;
/// Whether anybody met what must not be.
static FOUND: AtomicBool = AtomicBool::new(false);

fn main() {
    let numbers: Vec<u64> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let lasts = Duration::from_mins(numbers.first().copied().unwrap_or(1));
    let between_kills = Duration::from_secs(numbers.get(1).copied().unwrap_or(60));
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        usual(info);
        FOUND.store(true, Ordering::Relaxed);
    }));
    let receiver = Receiver::start();
    let mut servers = Servers::start(&receiver.flags());
    let world = World::of(servers.addresses());
    receiver.answer(world.failing());
    let players: Vec<_> = (0..TABLES)
        .map(|number| {
            let (world, hook) = (Arc::clone(&world), receiver.url(&format!("/{number}")));
            thread::spawn(move || table::play_on(&world, number, &hook))
        })
        .collect();
    let nuisances: Vec<_> = (0..NUISANCES)
        .map(|_| {
            let world = Arc::clone(&world);
            thread::spawn(move || nuisance::ask(&world))
        })
        .collect();
    soak(&mut servers, &world, lasts, between_kills);
    world.stop();
    let circles: Vec<_> = players.into_iter().map(|player| player.join().unwrap()).collect();
    for nuisance in nuisances {
        nuisance.join().unwrap();
    }
    // From here on all that is still to be told arrives.
    receiver.answer(|_| Reply::Echo(200));
    judge::judge(&world, &servers, &receiver, &circles);
}

/// Waits until the time is over, and kills one server after another.
fn soak(servers: &mut Servers, world: &World, lasts: Duration, between_kills: Duration) {
    let begin = Instant::now();
    let pause = if between_kills.is_zero() { Duration::from_mins(1) } else { between_kills };
    while begin.elapsed() < lasts {
        let next = Instant::now() + pause;
        while Instant::now() < next {
            assert!(
                !FOUND.load(Ordering::Relaxed),
                "there is a finding: what comes after it could not be believed"
            );
            thread::sleep(Duration::from_millis(200));
        }
        println!("{:>5} s: {}; {}", begin.elapsed().as_secs(), world.so_far(), servers.sizes());
        servers.follow_the_tree();
        if !between_kills.is_zero() {
            servers.kill_next();
        }
    }
}

/// Waits until something is there.
fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_mins(2), "after two minutes it is still not so that {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
