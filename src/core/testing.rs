//! Help for tests of this crate and of the crates above.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::{
    engine::{Chance, Format, Seats, Seed},
    rulesets::{AnyTable, RulesetId},
};

/// The randomness of a test: the same for the same number.
pub struct TestDice(ChaCha20Rng);

impl TestDice {
    pub fn new(number: u64) -> Self {
        Self(ChaCha20Rng::seed_from_u64(number))
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    pub fn often(&mut self) -> bool {
        self.below(4) > 0
    }

    pub fn seldom(&mut self) -> bool {
        self.below(10) == 0
    }

    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[usize::try_from(self.below(items.len() as u64)).unwrap()]
    }

    pub fn seed(&mut self) -> Seed {
        let mut bytes = [0; 32];
        self.0.fill_bytes(&mut bytes);
        Seed::new(Format::Three, bytes)
    }

    /// Returns a number, mostly small, sometimes absurd.
    pub fn number(&mut self) -> Value {
        match self.below(12) {
            0 => json!(-1),
            1 => json!((1_u64 << 53) - 1),
            2 => json!(1_u64 << 53),
            3 => json!(u64::MAX),
            4 => json!(0.5),
            5 => json!("1"),
            _ => json!(self.below(25)),
        }
    }
}

/// Returns a short random game: one ruleset after the other by number.
pub fn short_table(number: u64, seats: u64, rounds: u64, dice: &mut TestDice) -> AnyTable {
    let ruleset = RulesetId::ALL[usize::try_from(number).unwrap() % RulesetId::ALL.len()];
    let seats = Seats::new(seats).unwrap();
    let options = ruleset.read_options(&short_options(ruleset, seats, rounds), seats).unwrap();
    AnyTable::start(&options, seats, Chance::seeded(dice.seed()))
}

/// Returns options for a game of few rounds, if the ruleset counts rounds.
pub fn short_options(ruleset: RulesetId, seats: Seats, rounds: u64) -> Value {
    let short = json!({"max_rounds": rounds});
    if ruleset.read_options(&short, seats).is_ok() { short } else { json!({}) }
}
