//! What a command needs and what it does, one file a verb.
//!
//! Each file has a `check`, which may refuse and can change nothing, and a `play`, which acts on a command
//! that passed.

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
/// Refuses with this reason unless the condition holds.
fn ensure(holds: bool, otherwise: Rejection) -> Verdict {
    if holds { Ok(()) } else { Err(otherwise) }
}

/// How far a card moves things: once, or twice with an advisor.
const fn steps(advisor: bool) -> u8 {
    if advisor { 2 } else { 1 }
}
