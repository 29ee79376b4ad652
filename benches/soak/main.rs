//! A soak test of everything at once: tables of both games with people, bots, signatures, plans and
//! takebacks; streams, inboxes, lists, audits, webhooks to a failing receiver, a tree with a witness, and
//! senseless requests. Servers are killed regularly. The end compares all acknowledgements with the final
//! state.
//!
//! `cargo bench --bench soak -- 30` runs for 30 minutes (default: 1) with a kill each minute; `-- 30 0` kills
//! no server, and shows whether memory grows. `DATABASE=postgres://...` names an empty database for two
//! servers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "an unexpected answer is a finding, which ends the run"
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

/// Tables played at the same time.
const TABLES: usize = 16;
/// Clients with senseless requests.
const NUISANCES: usize = 2;
/// Whether a client found a failure.
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
    // From now on all pending messages arrive.
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

/// Waits until `look` returns a value.
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
