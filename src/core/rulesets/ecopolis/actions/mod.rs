//! What a command needs and what it does, one file a verb.
//!
//! Each file has a `check`, which may refuse and can change nothing, and a `play`, which acts on a command
//! that passed.

pub mod bankruptcy;
pub mod buy;
pub mod credits;
pub mod end;
pub mod exchange;
pub mod implement;
pub mod trade;

use super::{Game, rejection::Rejection, state::State};
use crate::engine::Seat;

type Verdict = Result<(), Rejection>;
/// Refuses with this reason unless the condition holds.
fn ensure(holds: bool, otherwise: Rejection) -> Verdict {
    if holds { Ok(()) } else { Err(otherwise) }
}
