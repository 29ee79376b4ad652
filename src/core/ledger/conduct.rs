//! The order of entries, as far as public bodies show it.

use super::{
    entry::{Body, By, End, Join, PlainAct, Reason},
    finding::{Finding, finding},
    standing::{Control, Due, Sitting, Standing, is_limited},
};
use crate::{engine::hash::Bytes32, words::Status};

/// Largest number of entries other than commands that a seat may add between two commands of the game.
/// Without this limit a player could make every signature of another player stale.
pub const MOST_OTHERS: u8 = 8;

impl Standing {
    /// Checks whether an entry may follow. `gap` is the time since the previous entry.
    pub fn admit(&self, body: &Body, gap: u64) -> Result<(), Finding> {
        self.admit_due(body)?;
        self.admit_stage(body)?;
        self.admit_seat(body)?;
        self.admit_terms(body, gap)?;
        self.admit_once(body)?;
        match body.seat().and_then(|seat| self.sitting(seat)) {
            Some(sitting) if is_limited(body) && sitting.others >= MOST_OTHERS => {
                Err(finding!("too_many_entries", seat = body.seat().unwrap_or_default(), most = MOST_OTHERS))
            }
            _ => Ok(()),
        }
    }

    fn admit_due(&self, body: &Body) -> Result<(), Finding> {
        let end = match body {
            Body::End(End { reason, result, .. }) => Some((reason, result)),
            _ => None,
        };
        match (&self.due, body, end) {
            (Some(Due::Autopilot(due)), Body::Autopilot { seat }, _) if seat == due => Ok(()),
            (Some(Due::Autopilot(_)), _, Some((Reason::Finished, _))) => Ok(()),
            (Some(Due::Autopilot(due)), ..) => Err(finding!("autopilot_due", seat = due)),
            (Some(Due::End(due, expected)), _, Some((reason, result)))
                if (due, expected) == (reason, result) =>
            {
                Ok(())
            }
            (Some(Due::End(due, _)), ..) => Err(finding!("end_due", reason = due.word())),
            (None, Body::Autopilot { seat }, _) => Err(finding!("autopilot_not_due", seat = seat)),
            (None, _, Some((reason @ (Reason::Resigned | Reason::Abandoned), _))) => {
                Err(finding!("end_not_due", reason = reason.word()))
            }
            (None, ..) => Ok(()),
        }
    }

    fn admit_stage(&self, body: &Body) -> Result<(), Finding> {
        use Status::{Open, Running, Sealed};
        let is_there = match body {
            Body::Genesis(_) => false,
            Body::Join(_) | Body::Leave { .. } => self.status == Open,
            Body::Reveal { .. } | Body::Start => self.status == Sealed,
            Body::End(End { reason, .. }) => match reason {
                Reason::Void => matches!(self.status, Open | Sealed),
                Reason::Halted => matches!(self.status, Open | Sealed | Running),
                Reason::Finished | Reason::Resigned | Reason::Abandoned => self.status == Running,
            },
            _ => self.status == Running,
        };
        if is_there { Ok(()) } else { Err(finding!("not_here", kind = body.kind())) }
    }

    /// The seat must be free, or taken and under the right control.
    fn admit_seat(&self, body: &Body) -> Result<(), Finding> {
        let Some(seat) = body.seat() else { return Ok(()) };
        let place = usize::try_from(seat).ok().and_then(|seat| self.seats.get(seat));
        let taken = place.ok_or_else(|| finding!("no_such_seat", seat = seat))?;
        let sitting = match (body, taken) {
            (Body::Join(_), None) => return Ok(()),
            (Body::Join(_), Some(_)) => return Err(finding!("seat_not_free", seat = seat)),
            (_, None) => return Err(finding!("seat_not_taken", seat = seat)),
            (_, Some(sitting)) => sitting,
        };
        admit_control(body, sitting, seat)
    }

    /// Checks entries that need consent in the terms of the table.
    fn admit_terms(&self, body: &Body, gap: u64) -> Result<(), Finding> {
        let has_player =
            |seat: &u64| self.sitting(*seat).is_some_and(|sitting| sitting.control == Control::Player);
        let needs_clock = match body {
            Body::Act { act, .. } => matches!(act, PlainAct::Pause | PlainAct::Continue),
            Body::Cmd { seat, by: By::Autopilot, .. } => has_player(seat),
            Body::Autopilot { .. } | Body::Outage { .. } => true,
            _ => false,
        };
        match body {
            _ if needs_clock && self.terms.clock.is_none() => Err(finding!("no_clock")),
            Body::Takeback { .. } if !self.terms.takebacks => Err(finding!("no_takebacks")),
            Body::Hand { .. } if !self.terms.substitutes => Err(finding!("no_substitutes")),
            Body::Outage { ms } if *ms > gap => Err(finding!("outage_too_long", ms = ms, gap = gap)),
            _ => Ok(()),
        }
    }

    /// Promises and nonces are there once in a game.
    fn admit_once(&self, body: &Body) -> Result<(), Finding> {
        let promise = match body {
            Body::Join(Join { commit, .. }) => commit.as_ref(),
            _ => None,
        };
        if promise.is_some_and(|promise: &Bytes32| self.promises.contains(promise)) {
            return Err(finding!("promise_twice"));
        }
        if body.claim().is_some_and(|claim| self.nonces.contains(&claim.nonce)) {
            return Err(finding!("nonce_twice"));
        }
        Ok(())
    }
}

fn admit_control(body: &Body, sitting: &Sitting, seat: u64) -> Result<(), Finding> {
    let needs_player = match body {
        Body::Cmd { by, .. } => !matches!(by, By::Autopilot),
        Body::Takeback { .. } => true,
        Body::Act { act, .. } => matches!(act, PlainAct::Pause | PlainAct::Continue),
        _ => false,
    };
    let needs_to_stay = matches!(body, Body::Act { .. } | Body::Revoke { .. } | Body::Remove { .. });
    let needs_no_bot = match body {
        Body::Revoke { .. } => true,
        Body::Act { act, .. } => matches!(act, PlainAct::Pause | PlainAct::Continue | PlainAct::Rekey),
        _ => false,
    };
    match sitting.control {
        Control::Resigned if needs_to_stay || needs_player => Err(finding!("seat_resigned", seat = seat)),
        Control::Autopilot if needs_player => Err(finding!("seat_autopilots", seat = seat)),
        _ if needs_no_bot && sitting.holder.bot.is_some() => Err(finding!("seat_bots", seat = seat)),
        _ => Ok(()),
    }
}
