//! Consequences: entries that the server adds without a request. They follow from the game alone.

use super::{
    entry::{Body, By, Reason},
    game::Game,
    places,
    plan::{MOST_IN_A_ROW, Plan},
    replay::{Fault, written},
    standing::{Control, Due, Sitting},
};
use crate::{
    engine::Seat,
    rulesets::{AnyCommand, AnyStatus},
    words::{Share, Status},
};

/// An entry that follows from the game.
pub enum Consequence {
    Entry(Body),
    /// A command of the autopilot, with its entry.
    Command(Body, AnyCommand),
}

impl Game {
    /// Returns the next consequence, unless a player must act first.
    pub fn consequence(&self) -> Result<Option<Consequence>, Fault> {
        let seats = &self.standing.seats;
        let next = match self.status() {
            // A table of bots alone does not start.
            Status::Open if seats.iter().flatten().all(|sitting| sitting.holder.bot.is_some()) => {
                Some(Body::void())
            }
            Status::Sealed if !seats.iter().flatten().any(owes_bytes) => Some(Body::Start),
            Status::Running => return self.consequence_of_play(),
            Status::Open | Status::Sealed | Status::Finished | Status::Void => None,
        };
        Ok(next.map(Consequence::Entry))
    }

    fn consequence_of_play(&self) -> Result<Option<Consequence>, Fault> {
        let Some(table) = &self.table else { return Ok(None) };
        if let AnyStatus::Finished(outcome) = table.status() {
            let result = places::behind(written(&outcome)?, &self.standing);
            return Ok(Some(Consequence::Entry(Body::end(Reason::Finished, result))));
        }
        match self.standing.due.clone() {
            Some(Due::Autopilot(seat)) => {
                return Ok(Some(Consequence::Entry(Body::Autopilot { seat })));
            }
            Some(Due::End(reason, result)) => {
                return Ok(Some(Consequence::Entry(Body::end(reason, result))));
            }
            None => {}
        }
        if self.clocks.is_paused() {
            return Ok(None);
        }
        let next = self.next_of_autopilot();
        next.map(|(seat, command)| Self::of_autopilot(seat, command)).transpose()
    }

    /// Returns the autopilot's command for a seat whose time has run out.
    pub fn time_out(&self, seat: Seat) -> Result<Option<Consequence>, Fault> {
        let command = self.table.as_ref().and_then(|table| table.autopilot(seat));
        command.map(|command| Self::of_autopilot(seat, command)).transpose()
    }

    /// Returns the command of a plan, with its entry.
    pub fn by_plan(&self, seat: Seat, plan: &Plan) -> Result<Option<Consequence>, Fault> {
        let Some(command) = self.planned(seat, plan) else { return Ok(None) };
        let by = By::Plan(Box::new(plan.clone()));
        let body = Body::cmd(seat.number().into(), by, written(&command)?);
        Ok(Some(Consequence::Command(body, command)))
    }

    /// Returns the command of a plan, if its seat must decide and the plan may still act alone. `Clocks`
    /// forbids decisions during a pause.
    pub fn planned(&self, seat: Seat, plan: &Plan) -> Option<AnyCommand> {
        let may = self.clocks.waits_for() == Some(seat)
            && self.sitting(seat).is_some_and(|sitting| sitting.planned < MOST_IN_A_ROW);
        self.table.as_ref().filter(|_| may).and_then(|table| plan.choice(table, seat))
    }

    fn of_autopilot(seat: Seat, command: AnyCommand) -> Result<Consequence, Fault> {
        let body = Body::cmd(seat.number().into(), By::Autopilot, written(&command)?);
        Ok(Consequence::Command(body, command))
    }

    /// Returns the next command of the autopilot for one of its seats. A seat may have to act out of turn,
    /// for example to withdraw an offer.
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
