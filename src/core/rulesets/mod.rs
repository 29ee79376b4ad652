//! The games: pure rules with the contract of [`crate::engine`].
//!
//! A new game is a folder here and two lines below. A new version of its rules is a line beside the old one,
//! and running games keep theirs.

pub mod board;
#[cfg(any(test, feature = "testing"))]
mod count;
pub mod ecopolis;
pub mod industrial_waste;

mod registry;
mod tables;
mod thinking;

#[cfg(any(test, feature = "testing"))]
use count::{count_1, count_2};

registry::rulesets! {
    offered {
        IndustrialWaste = "industrial-waste" => industrial_waste,
        Ecopolis = "ecopolis" => ecopolis,
    }
    other {
        #[cfg(any(test, feature = "testing"))]
        Count1 = "count" => count_1,
        #[cfg(any(test, feature = "testing"))]
        Count2 = "count" => count_2,
    }
}
