//! Where the entries of fairlog/2 may stand, as far as the log alone tells. In fairlog/1 the log's order is that of seats
//! and status alone, and all else is found when it is played again.

use super::{
    entry::{Body, By, Join, Op, Reason},
    standing::{Control, Due, Standing},
};
use crate::{engine::Format, words::Status};

/// How many entries of a seat there may be without a command of the game between them. So nobody goes on for
/// ever making stale what another is about to sign.
pub const MOST_OTHERS: u8 = 8;

impl Standing {
    /// Refuses an entry that does not belong here; called before it is placed.
    pub fn refuse(&self, body: &Body) -> Result<(), String> {
        if self.format == Format::One {
            return Ok(());
        }
        self.refuse_for_what_is_due(body)?;
        self.refuse_by_terms(body)?;
        match body {
            Body::Join(Join { commit: Some(promise), .. }) if self.promises.contains(promise) => {
                Err("a promise stands in this game a second time".into())
            }
            Body::Keys { seat, .. }
                if self.sitting(*seat).is_some_and(|sitting| sitting.holder.bot.is_some()) =>
            {
                Err(format!("seat {seat} is a bot's, which has no keys"))
            }
            Body::Keys { seat, .. }
            | Body::Hand { seat, .. }
            | Body::Takeback { seat, .. }
            | Body::Sys { seat, .. }
                if self.sitting(*seat).is_some_and(|sitting| sitting.others >= MOST_OTHERS) =>
            {
                Err(format!(
                    "seat {seat} has {MOST_OTHERS} entries without a command of the game between them"
                ))
            }
            _ => Ok(()),
        }
    }

    fn refuse_for_what_is_due(&self, body: &Body) -> Result<(), String> {
        let is_it = match (&self.due, body) {
            (Some(Due::Autopilot(due)), Body::Sys { op: Op::Autopilot, seat, .. }) => seat == due,
            (Some(Due::Autopilot(_)), Body::End { reason: Reason::Finished, .. }) => true,
            (Some(Due::End(due, expected)), Body::End { reason, result }) => {
                (due, expected) == (reason, result)
            }
            (Some(_), _) | (None, Body::Sys { op: Op::Autopilot, .. }) => false,
            (None, Body::End { reason, .. }) => !matches!(reason, Reason::Resigned | Reason::Abandoned),
            (None, _) => true,
        };
        match &self.due {
            _ if is_it => Ok(()),
            Some(Due::Autopilot(seat)) => Err(format!("seat {seat} must go to the autopilot here")),
            Some(Due::End(reason, _)) => Err(format!("the game must end here as {}", reason.word())),
            None if matches!(body, Body::End { .. }) => Err("nothing ends the game in this way here".into()),
            None => Err("no seat goes to the autopilot here".into()),
        }
    }

    /// What the table has not agreed on.
    fn refuse_by_terms(&self, body: &Body) -> Result<(), String> {
        let players =
            |seat: &u64| self.sitting(*seat).is_some_and(|sitting| sitting.control == Control::Player);
        let needs_clock = match body {
            Body::Sys { op, .. } => matches!(op, Op::Pause | Op::Continue | Op::Autopilot),
            Body::Cmd { seat, by: By::Autopilot, .. } => players(seat),
            _ => false,
        };
        let missing = match body {
            _ if self.status != Status::Running => None,
            Body::Takeback { .. } if !self.terms.takebacks => Some("takebacks"),
            Body::Hand { .. } if !self.terms.substitutes => Some("substitutes"),
            _ if needs_clock && self.terms.clock.is_none() => Some("a clock"),
            _ => None,
        };
        missing.map_or(Ok(()), |what| Err(format!("this table was opened without {what}")))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::ledger::{entry::Holder, terms::Terms};

    fn open() -> Standing {
        let mut standing = Standing::of(Format::Two, 2, Terms::default());
        for seat in 0..2 {
            let holder = Holder::person(format!("player-{seat}"));
            standing.place(&Body::Join(Join { seat, holder, commit: None })).unwrap();
        }
        standing
    }

    fn running() -> Standing {
        let mut standing = open();
        standing.place(&Body::Seal).unwrap();
        standing.place(&Body::Start).unwrap();
        standing
    }

    fn why(standing: &Standing, body: &Body) -> String {
        standing.refuse(body).unwrap_err()
    }

    fn takeback() -> Body {
        Body::Takeback { seat: 0, to: 1, signed: None }
    }

    fn cmd(by: By) -> Body {
        Body::Cmd { seat: 0, by, cmd: Value::Null, signed: None }
    }

    #[test]
    fn what_is_not_due_is_refused_by_its_name() {
        let running = running();
        let end = |reason| Body::End { reason, result: Value::Null };
        assert_eq!(why(&running, &end(Reason::Abandoned)), "nothing ends the game in this way here");
        assert_eq!(why(&running, &Body::sys(Op::Autopilot, 0)), "no seat goes to the autopilot here");
        assert_eq!(running.refuse(&end(Reason::Finished)), Ok(()), "which the rules of the game judge");
    }

    #[test]
    fn what_a_table_has_not_agreed_on_is_refused_while_it_is_played_at() {
        let running = running();
        let misses = |body, what| {
            assert_eq!(why(&running, &body), format!("this table was opened without {what}"));
        };
        misses(takeback(), "takebacks");
        misses(Body::Hand { seat: 0, holder: Holder::person("another"), signed: None }, "substitutes");
        misses(Body::sys(Op::Pause, 0), "a clock");
        misses(cmd(By::Autopilot), "a clock");
        assert_eq!(running.refuse(&cmd(By::Player)), Ok(()));
        // Before it begins there is a better reason to refuse it.
        assert_eq!(open().refuse(&takeback()), Ok(()));
    }
}
