//! What the server writes by itself after an entry: it follows from the game alone.

use super::{
    entry::{Body, By, Op, Reason},
    game::Game,
    replay::{Fault, written},
    standing::{Control, Sitting},
};
use crate::{
    engine::Seat,
    rulesets::{AnyCommand, AnyStatus},
    words::{Share, Status},
};

/// After this many decisions of the autopilot in a row a seat is left to it.
const MOST_TIMEOUTS: u8 = 3;

/// An entry that follows by itself.
pub enum Consequence {
    Entry(Body),
    /// A command of the autopilot, and the entry for it.
    Command(Body, AnyCommand),
}

impl Game {
    /// The next thing that follows by itself, if a player need not do something first.
    pub fn consequence(&self) -> Result<Option<Consequence>, Fault> {
        let seats = &self.standing.seats;
        let next = match self.status() {
            Status::Open if seats.iter().all(Option::is_none) => Some(Body::void()),
            Status::Open if seats.iter().all(Option::is_some) => Some(Body::Seal),
            Status::Sealed if !seats.iter().flatten().any(owes_bytes) => Some(Body::Start),
            Status::Running => return self.consequence_of_play(),
            Status::Open | Status::Sealed | Status::Finished | Status::Void => None,
        };
        Ok(next.map(Consequence::Entry))
    }

    fn consequence_of_play(&self) -> Result<Option<Consequence>, Fault> {
        let Some(table) = &self.table else { return Ok(None) };
        if let AnyStatus::Finished(outcome) = table.status() {
            let end = Body::End { reason: Reason::Finished, result: written(&outcome)? };
            return Ok(Some(Consequence::Entry(end)));
        }
        let is_left_to_it = |seat: &Seat| {
            self.sitting(*seat).is_some_and(|sitting| {
                sitting.control == Control::Player && sitting.timeouts >= MOST_TIMEOUTS
            })
        };
        if let Some(seat) = self.setting.seats.iter().find(is_left_to_it) {
            let taken = Body::Sys { op: Op::Autopilot, seat: seat.number().into() };
            return Ok(Some(Consequence::Entry(taken)));
        }
        let next = self.next_of_autopilot();
        next.map(|(seat, command)| Self::of_autopilot(seat, command)).transpose()
    }

    /// What the autopilot decides for a seat whose time has run out.
    pub fn time_out(&self, seat: Seat) -> Result<Option<Consequence>, Fault> {
        let command = self.table.as_ref().and_then(|table| table.autopilot(seat));
        command.map(|command| Self::of_autopilot(seat, command)).transpose()
    }

    fn of_autopilot(seat: Seat, command: AnyCommand) -> Result<Consequence, Fault> {
        let body = Body::Cmd { seat: seat.number().into(), by: By::Autopilot, cmd: written(&command)? };
        Ok(Consequence::Command(body, command))
    }

    /// What the autopilot plays next, for a seat of its own. A seat may have something to do although another must
    /// decide: take back an offer, for instance.
    fn next_of_autopilot(&self) -> Option<(Seat, AnyCommand)> {
        let table = self.table.as_ref()?;
        let is_autopilots =
            |seat: &Seat| self.sitting(*seat).is_some_and(|sitting| sitting.control != Control::Player);
        let mut seats = self.setting.seats.iter().filter(is_autopilots);
        seats.find_map(|seat| Some((seat, table.autopilot(seat)?)))
    }
}

fn owes_bytes(sitting: &Sitting) -> bool {
    sitting.share() == Share::Promised
}
