//! A game being changed.

use std::sync::Arc;

use super::{
    ServiceError,
    game::{Game, Sitting},
    happening::Outline,
    news::{Bulletin, Told},
    notice::{Notice, Tiding},
};
use crate::{
    engine::{Draw, Seat, Viewer, hash::Bytes32},
    ledger::{
        chain::Link,
        entry::{Body, By, Op, Reason},
    },
    rulesets::{AnyCommand, AnyStatus, AnyTable},
    store::{self, Change, Control, Entropy, PlayerKey, Status},
};

/// After so many decisions of the autopilot in a row a seat is left to it.
const MOST_TIMEOUTS: u8 = 3;

/// A game being changed: what happens is done in memory and noted for the store. If the store refuses, the game in
/// memory is thrown away.
pub struct Draft<'g> {
    pub game: &'g mut Game,
    now: u64,
    reveal_for: u64,
    /// Whether somebody watches, for whom what happens must be written out.
    watched: bool,
    entries: Vec<store::Entry>,
    changes: Vec<Change>,
    told: Vec<Told>,
    notices: Vec<(PlayerKey, Notice)>,
}

/// The place of an entry in the chain, for its receipt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    pub seq: u64,
    pub head: Bytes32,
}

impl<'g> Draft<'g> {
    pub fn new(game: &'g mut Game, now: u64, reveal_for: u64, watched: bool) -> Self {
        let (entries, changes, told, notices) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { game, now, reveal_for, watched, entries, changes, told, notices }
    }

    pub fn note(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// Writes an entry that draws nothing.
    pub fn add(&mut self, body: &Body) -> Result<Placed, ServiceError> {
        self.link(body, &[])
    }

    fn link(&mut self, body: &Body, draws: &[Draw]) -> Result<Placed, ServiceError> {
        let seed = self.game.server_seed();
        let link = self.game.chain.append(&seed, self.now, body, draws)?;
        let Link { seq, at, body: bytes, secret, x, head } = link;
        self.now = at;
        self.entries.push(store::Entry { seq, x, head, body: bytes, secret });
        for tiding in self.game.note(body, at) {
            self.announce(seq, tiding);
        }
        if self.watched {
            self.tell(seq, body)?;
        }
        Ok(Placed { seq, head })
    }

    /// Puts down a tiding for those whom it concerns.
    fn announce(&mut self, seq: u64, tiding: Tiding) {
        let notice = Notice::new(self.game.row.uuid, seq, self.now, tiding);
        let concerned = |seat: &Seat| !matches!(tiding, Tiding::Turn(turn) if turn != *seat);
        for seat in self.game.setting.seats.iter().filter(concerned) {
            if let Some(sitting) = self.game.sitting(seat) {
                self.notices.push((sitting.player, notice.clone()));
            }
        }
    }

    /// Writes out what the entry did, for each viewer.
    fn tell(&mut self, seq: u64, body: &Body) -> Result<(), ServiceError> {
        let seats = self.game.setting.seats;
        let outline = Outline::of(seats, self.now, body);
        let write_out = |viewer| -> Result<Arc<str>, ServiceError> {
            outline.fill(self.game.table.as_ref(), viewer, seq).text()
        };
        let texts = Viewer::all(seats).map(write_out).collect::<Result<_, _>>()?;
        let seating = matches!(body, Body::Join { .. } | Body::Leave { .. });
        self.told.push(Told::new(seq, seating, texts));
        Ok(())
    }

    /// Writes the entry for what the table did last, with what it drew.
    fn add_played(&mut self, body: &Body) -> Result<Placed, ServiceError> {
        let draws = self.game.table.as_ref().map_or_else(Vec::new, |table| table.draws().to_vec());
        self.link(body, &draws)
    }

    pub fn join(&mut self, seat: u8, sitting: Sitting) -> Result<Placed, ServiceError> {
        let (player, commit) = (sitting.uuid.to_string(), sitting.promise);
        let entropy = sitting.entropy();
        self.note(Change::TakeSeat { game: self.game.row.key, seat, player: sitting.player, entropy });
        self.game.seats[usize::from(seat)] = Some(sitting);
        self.add(&Body::Join { seat: seat.into(), player, commit })
    }

    /// Seals the table if it is full, and starts it if nothing is left to be revealed.
    pub fn seal_if_full(&mut self) -> Result<(), ServiceError> {
        if self.game.seats.iter().any(Option::is_none) {
            return Ok(());
        }
        self.game.head_of_seal = self.add(&Body::Seal)?.head;
        self.set_status(Status::Sealed, None);
        self.start_if_revealed()
    }

    pub fn start_if_revealed(&mut self) -> Result<(), ServiceError> {
        let waits = |place: &Option<Sitting>| {
            place.as_ref().is_some_and(|sitting| sitting.entropy() == Entropy::Promised)
        };
        if self.game.seats.iter().any(waits) {
            return Ok(());
        }
        self.game.table =
            Some(AnyTable::start(&self.game.setting.options, self.game.setting.seats, self.game.chance()));
        self.add_played(&Body::Start)?;
        self.set_status(Status::Running, None);
        Ok(())
    }

    /// Writes a command that the table has just carried out.
    pub fn add_command(
        &mut self,
        seat: Seat,
        by: By,
        cmd: serde_json::Value,
    ) -> Result<Placed, ServiceError> {
        self.add_played(&Body::Cmd { seat: seat.number().into(), by, cmd })
    }

    pub fn sys(&mut self, seat: Seat, op: Op) -> Result<Placed, ServiceError> {
        self.game.with(seat.number().into(), |sitting| sitting.follow(op));
        let control = self.game.sitting(seat).map_or(Control::Player, |sitting| sitting.control);
        self.note(Change::SetControl { game: self.game.row.key, seat: seat.number(), control });
        self.add(&Body::Sys { op, seat: seat.number().into() })
    }

    /// Decides for a seat whose time has run out; after three times in a row the autopilot keeps it.
    pub fn time_out(&mut self, seat: Seat) -> Result<(), ServiceError> {
        let command = self.game.table.as_ref().and_then(|table| table.autopilot(seat));
        let command =
            command.ok_or_else(|| ServiceError::Internal("the autopilot has nothing to do".into()))?;
        self.autopilot(seat, &command)?;
        if self.game.sitting(seat).is_some_and(|sitting| sitting.timeouts >= MOST_TIMEOUTS)
            && self.game.to_act().is_some()
        {
            self.sys(seat, Op::Autopilot)?;
        }
        self.play_on()
    }

    /// Lets the autopilot play every seat that is its own until a player must decide, and ends a game that is over.
    pub fn play_on(&mut self) -> Result<(), ServiceError> {
        while let Some((seat, command)) = self.game.autopilots_next() {
            self.autopilot(seat, &command)?;
        }
        let status = self.game.table.as_ref().map(AnyTable::status);
        if let Some(AnyStatus::Finished(outcome)) = status {
            let result = to_value(&outcome)?;
            self.add(&Body::End { reason: Reason::Finished, result: result.clone() })?;
            self.set_status(Status::Finished, Some(result.to_string()));
        }
        Ok(())
    }

    fn autopilot(&mut self, seat: Seat, command: &AnyCommand) -> Result<(), ServiceError> {
        let stuck = || ServiceError::Internal("the autopilot's command is not legal".into());
        let table = self.game.table.as_mut().ok_or_else(stuck)?;
        table.submit(seat, command).map_err(|_| stuck())?;
        self.add_command(seat, By::Autopilot, to_value(command)?)?;
        Ok(())
    }

    pub fn make_void(&mut self) -> Result<Placed, ServiceError> {
        let placed = self.add(&Body::End { reason: Reason::Void, result: serde_json::Value::Null })?;
        self.set_status(Status::Void, None);
        Ok(placed)
    }

    fn set_status(&mut self, status: Status, result: Option<String>) {
        let at = self.now;
        let row = &mut self.game.row;
        row.status = status;
        row.result.clone_from(&result);
        match status {
            Status::Open => {}
            Status::Sealed => row.sealed_at = Some(at),
            Status::Running => row.started_at = Some(at),
            Status::Finished | Status::Void => row.finished_at = Some(at),
        }
        let game = row.key;
        self.note(Change::SetStatus { game, status, at, result });
    }

    /// Everything that the store must write, and what is to be told once it has.
    pub fn finish(mut self) -> (store::Write, Bulletin) {
        let deadline = self.game.deadline(self.reveal_for);
        if deadline != self.game.row.deadline {
            self.game.row.deadline = deadline;
            self.note(Change::SetDeadline { game: self.game.row.key, at: deadline });
        }
        let append = Change::Append { game: self.game.row.key, entries: self.entries };
        let write = self.changes.into_iter().fold(store::Write::default(), store::Write::and).and(append);
        let (game, seq) = (self.game.row.uuid, self.game.seq());
        (write, Bulletin { game, seq, told: self.told, notices: self.notices })
    }
}

pub fn to_value(value: &impl serde::Serialize) -> Result<serde_json::Value, ServiceError> {
    serde_json::to_value(value).map_err(|error| ServiceError::Internal(error.to_string()))
}
