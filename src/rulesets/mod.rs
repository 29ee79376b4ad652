//! The games: pure rules over the contract of [`crate::engine`].
//!
//! A new game is a folder here and two lines below. A new version of a game's rules stands beside the old one, which stays for the
//! games that were begun under it.

pub mod ecopolis;
pub mod industrial_waste;

mod registry;
mod thinking;

registry::rulesets! {
    IndustrialWaste => industrial_waste,
    Ecopolis => ecopolis,
}

/// A game of one ruleset after the other, that is over after some rounds, as these dice deal it.
#[cfg(test)]
pub fn short_table(
    number: u64,
    seats: u64,
    rounds: u64,
    dice: &mut crate::engine::conformance::Dice,
) -> AnyTable {
    let ruleset = RulesetId::ALL[usize::try_from(number).unwrap() % RulesetId::ALL.len()];
    let seats = Seats::new(seats).unwrap();
    let options = ruleset.read_options(&short_options(ruleset, seats, rounds), seats).unwrap();
    AnyTable::start(&options, seats, Chance::seeded(dice.seed()))
}

/// Options under which a game is over after some rounds, where it has rounds to count.
#[cfg(test)]
pub fn short_options(ruleset: RulesetId, seats: Seats, rounds: u64) -> Value {
    let short = serde_json::json!({"max_rounds": rounds});
    if ruleset.read_options(&short, seats).is_ok() { short } else { serde_json::json!({}) }
}
