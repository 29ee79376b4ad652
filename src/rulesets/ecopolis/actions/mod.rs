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

use super::{rejection::Rejection, rules::Ecopolis, state::State};
use crate::engine::{Seat, Step};

type Verdict = Result<(), Rejection>;
type Game<'t> = Step<'t, Ecopolis>;

/// Refuses with this reason unless the condition holds.
const fn ensure(holds: bool, otherwise: Rejection) -> Verdict {
    if holds { Ok(()) } else { Err(otherwise) }
}
