//! Conditions and effects of commands, a file for each verb.
//!
//! Each file has a `check`, which may refuse and cannot change anything, and a `play`, which carries out a
//! command that passed.

pub mod auction;
pub mod choose;
pub mod discard;
pub mod grow;
pub mod innovate;
pub mod loan;
pub mod order;
pub mod sell;
pub mod waste;
pub mod workforce;

use super::{Game, rejection::Rejection, state::State};
use crate::engine::Seat;

type Verdict = Result<(), Rejection>;
/// Refuses unless the condition holds.
fn ensure(holds: bool, otherwise: Rejection) -> Verdict {
    if holds { Ok(()) } else { Err(otherwise) }
}

/// Returns the steps of a card: one, or two with an advisor.
const fn steps(advisor: bool) -> u8 {
    if advisor { 2 } else { 1 }
}
