//! Conditions and effects of commands, a file for each verb.
//!
//! Each file has a `check`, which may refuse and cannot change anything, and a `play`, which carries out a
//! command that passed.

pub mod bankruptcy;
pub mod buy;
pub mod credits;
pub mod end;
pub mod exchange;
pub mod give_back;
pub mod implement;
pub mod kind;
pub mod trade;

use super::{Game, rejection::Rejection, state::State};
use crate::engine::Seat;

type Verdict = Result<(), Rejection>;
/// Refuses unless the condition holds.
fn ensure(holds: bool, otherwise: Rejection) -> Verdict {
    if holds { Ok(()) } else { Err(otherwise) }
}
