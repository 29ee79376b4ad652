//! Unique row numbers in the order of time, without a question to the database.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

/// The first of January 2026, in milliseconds.
const BEGIN: i64 = 1_767_225_600_000;

#[derive(Default)]
pub struct Numbers {
    last: AtomicI64,
    last_small: AtomicI64,
}

impl Numbers {
    /// Returns a number of 63 bits: the time, and 22 random bits.
    pub fn next(&self) -> i64 {
        draw(&self.last, now(), 22)
    }

    /// Returns a number of the time and 12 random bits, exact in JavaScript and unique in a game. The order
    /// matters to readers, so the time is the database's.
    pub fn next_small(&self, at: i64) -> i64 {
        draw(&self.last_small, at, 12)
    }
}

fn draw(last: &AtomicI64, at: i64, bits: u32) -> i64 {
    let chance = crate::id::fresh().as_u128() & ((1 << bits) - 1);
    let drawn = ((at - BEGIN) << bits) | i64::try_from(chance).unwrap_or_default();
    let next = |last: i64| Some(drawn.max(last + 1));
    last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).map_or(drawn, |last| drawn.max(last + 1))
}

/// Returns the time of this machine, in milliseconds.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_grow_and_stay_small_enough() {
        let numbers = Numbers::default();
        let drawn: Vec<i64> = (0..10_000).map(|_| numbers.next()).collect();
        assert!(drawn.is_sorted_by(|a, b| a < b));
        assert!(numbers.next_small(now()) < (1 << 53));
    }
}
