//! Where a game stands by its log alone: who sits where, what was promised, who plays each seat, and whether it is over.

use std::collections::BTreeSet;

use super::entry::{Body, By, Op, Reason};
use crate::{
    engine::hash::Bytes32,
    words::{PlayedBy, Share, Status},
};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    pub status: Status,
    pub seats: Vec<Option<Sitting>>,
    /// All that was ever promised here, also for a seat that was left again.
    pub promises: BTreeSet<Bytes32>,
    /// The head of the chain after the seal, on which the seed hangs. Zeros before it.
    pub head_of_seal: Bytes32,
}

/// Who sits on a seat, and what the log says of the seat since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sitting {
    /// The id of the player.
    pub player: String,
    /// What the player promised, and what it revealed.
    pub promise: Option<Bytes32>,
    pub revealed: Option<Bytes32>,
    pub control: Control,
    /// How many decisions in a row the autopilot has made for the seat.
    pub timeouts: u8,
    /// The entry with which its player sat down, and the newest that the player caused.
    pub joined: u64,
    pub acted: u64,
}

/// In whose hands a seat is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    Player,
    Autopilot,
    /// The autopilot plays it to the end.
    Resigned,
}

impl Control {
    pub const fn played_by(self) -> PlayedBy {
        match self {
            Self::Player => PlayedBy::Player,
            Self::Autopilot | Self::Resigned => PlayedBy::Autopilot,
        }
    }
}

impl Sitting {
    pub const fn share(&self) -> Share {
        match (self.promise, self.revealed) {
            (None, _) => Share::None,
            (Some(_), None) => Share::Promised,
            (Some(_), Some(_)) => Share::Revealed,
        }
    }
}

impl Standing {
    /// A table with this many seats, all of them free.
    pub fn new(seats: u64) -> Self {
        let seats = vec![None; usize::try_from(seats).unwrap_or_default()];
        Self { status: Status::Open, seats, promises: BTreeSet::new(), head_of_seal: [0; 32] }
    }

    pub fn sitting(&self, seat: u64) -> Option<&Sitting> {
        self.seats.get(usize::try_from(seat).ok()?)?.as_ref()
    }

    fn sitting_mut(&mut self, seat: u64) -> Option<&mut Sitting> {
        self.seats.get_mut(usize::try_from(seat).ok()?)?.as_mut()
    }

    /// Takes an entry in where it may stand, as far as seats and status go. A refusal says why and changes nothing.
    pub fn place(&mut self, body: &Body) -> Result<(), String> {
        match (body, self.status) {
            (Body::Genesis(_), _) => Err("a second genesis stands here".into()),
            (Body::Join { seat, player, commit }, Status::Open) => {
                let seat = self.seat(*seat, false)?;
                let (player, promise) = (player.clone(), *commit);
                let control = Control::Player;
                self.promises.extend(promise);
                self.seats[seat] = Some(Sitting {
                    player,
                    promise,
                    revealed: None,
                    control,
                    timeouts: 0,
                    joined: 0,
                    acted: 0,
                });
                Ok(())
            }
            (Body::Leave { seat }, Status::Open) => {
                let seat = self.seat(*seat, true)?;
                self.seats[seat] = None;
                Ok(())
            }
            (Body::Seal, Status::Open) if self.seats.iter().all(Option::is_some) => {
                self.status = Status::Sealed;
                Ok(())
            }
            (Body::Seal, Status::Open) => Err("the table is sealed before it is full".into()),
            (Body::Reveal { seat, entropy }, Status::Sealed) => {
                self.seat(*seat, true)?;
                match self.sitting_mut(*seat) {
                    Some(Sitting { revealed: Some(_), .. }) | None => {
                        Err(format!("seat {seat} reveals a second time"))
                    }
                    Some(sitting) => {
                        sitting.revealed = Some(*entropy);
                        Ok(())
                    }
                }
            }
            (Body::Start, Status::Sealed) => {
                self.status = Status::Running;
                Ok(())
            }
            (Body::Cmd { seat, .. } | Body::Sys { seat, .. }, Status::Running) => {
                self.seat(*seat, true).map(|_| ())
            }
            (Body::End { reason: Reason::Finished, .. }, Status::Running) => {
                self.status = Status::Finished;
                Ok(())
            }
            (Body::End { reason: Reason::Void, result }, Status::Open | Status::Sealed)
                if result.is_null() =>
            {
                self.status = Status::Void;
                Ok(())
            }
            (body, _) => Err(format!("an entry of the type `{}` may not stand here", body.kind())),
        }
    }

    /// The place of a seat that must be taken, or free.
    fn seat(&self, number: u64, taken: bool) -> Result<usize, String> {
        let fits = |place: &usize| self.seats.get(*place).is_some_and(|seat| seat.is_some() == taken);
        usize::try_from(number).ok().filter(fits).ok_or_else(|| {
            let state = if taken { "is not taken" } else { "is not free" };
            format!("seat {number} {state} at this table")
        })
    }

    /// Hands a seat over where the entry does so, and refuses an entry of a seat that is not in its player's hands.
    /// A seat that resigned stays with the autopilot; one that went to it is its player's again after a `resume`.
    pub fn hand_over(&mut self, body: &Body) -> Result<(), String> {
        let (seat, op) = match body {
            Body::Sys { seat, op } => (*seat, Some(*op)),
            Body::Cmd { seat, by: By::Player, .. } => (*seat, None),
            _ => return Ok(()),
        };
        let Some(sitting) = self.sitting_mut(seat) else { return Ok(()) };
        sitting.control = match (sitting.control, op) {
            (Control::Player, None) => Control::Player,
            (Control::Player, Some(Op::Autopilot)) => Control::Autopilot,
            (Control::Player | Control::Autopilot, Some(Op::Resign)) => Control::Resigned,
            (Control::Autopilot, Some(Op::Resume)) => {
                sitting.timeouts = 0;
                Control::Player
            }
            (Control::Resigned, _) => return Err(format!("seat {seat} has resigned")),
            (Control::Autopilot, _) => {
                return Err(format!("seat {seat} is the autopilot's until it resumes"));
            }
            (Control::Player, Some(Op::Resume)) => {
                return Err(format!("seat {seat} is its player's already"));
            }
        };
        Ok(())
    }

    /// Counts who decided for a seat.
    pub fn decided(&mut self, seat: u64, by: By) {
        if let Some(sitting) = self.sitting_mut(seat) {
            sitting.timeouts = match by {
                By::Player => 0,
                By::Autopilot => sitting.timeouts.saturating_add(1),
            };
        }
    }

    /// Notes that the player of a seat caused this entry, if one did.
    pub fn note_act(&mut self, body: &Body, seq: u64) {
        let seat = match body {
            Body::Join { seat, .. }
            | Body::Reveal { seat, .. }
            | Body::Cmd { seat, by: By::Player, .. }
            | Body::Sys { seat, op: Op::Resign | Op::Resume } => *seat,
            _ => return,
        };
        if let Some(sitting) = self.sitting_mut(seat) {
            sitting.acted = seq;
            if matches!(body, Body::Join { .. }) {
                sitting.joined = seq;
            }
        }
    }

    /// What each seat revealed.
    pub fn revealed(&self) -> Vec<Option<Bytes32>> {
        self.seats.iter().map(|seat| seat.as_ref().and_then(|sitting| sitting.revealed)).collect()
    }
}
