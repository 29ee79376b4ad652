//! What the service needs of the outside world.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970.
    fn now(&self) -> u64;
}

/// Bytes that nobody can guess.
pub trait Entropy: Send + Sync {
    fn bytes(&self) -> Result<[u8; 32], getrandom::Error>;
}

/// The clock and the randomness of the machine.
pub struct System;

impl Clock for System {
    fn now(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

impl Entropy for System {
    fn bytes(&self) -> Result<[u8; 32], getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(bytes)
    }
}
