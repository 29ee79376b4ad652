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
