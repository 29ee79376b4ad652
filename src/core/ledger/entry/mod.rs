//! Entries of a log, by type. `write` and `read` have the members of each type.

mod command;
mod read;
mod secret;
mod write;

use serde_json::Value;

use super::{
    plan::Plan,
    seat_key::SeatKey,
    signed::{Claim, PartOfRequest, Signed},
    terms::Terms,
};
use crate::{
    engine::{Draw, Format, hash::Bytes32},
    words::Ending,
};

pub use read::{is_public_text, time_of};
pub use secret::write as write_secret;
pub use write::{write_claim, write_terms};

/// Most keys in force for a seat, and most keys that an entry revokes.
pub const MOST_KEYS: usize = 8;
/// Longest public text of the operator, in bytes.
pub const MOST_TEXT: usize = 1_000;

/// An entry: number, time and body.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub seq: u64,
    /// Milliseconds since 1970 by the server's clock.
    pub at: u64,
    pub body: Body,
    pub draws: Vec<Draw>,
}

/// The body of an entry. Seats are plain numbers, since a document may name absent seats.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    Genesis(Box<Genesis>),
    Join(Join),
    Leave {
        seat: u64,
    },
    Reveal {
        seat: u64,
        entropy: Bytes32,
    },
    Start,
    Cmd {
        seat: u64,
        by: By,
        cmd: Value,
        signed: Option<PartOfRequest>,
    },
    /// The game continues from the state after the entry `to`.
    Takeback {
        seat: u64,
        to: u64,
        signed: Option<Signed>,
    },
    /// An act without further members.
    Act {
        seat: u64,
        act: PlainAct,
        signed: Option<Signed>,
    },
    /// Another player gets the seat. `taken` is the new player's signature, `signed` the old player's
    /// consent.
    Hand {
        seat: u64,
        holder: Holder,
        taken: Option<Claim>,
        signed: Option<Signed>,
    },
    /// The keys may never sign for the seat again.
    Revoke {
        seat: u64,
        keys: Vec<SeatKey>,
        signed: Option<Signed>,
    },
    /// The autopilot takes the seat over after three timeouts.
    Autopilot {
        seat: u64,
    },
    /// The operator removes the seat's player.
    Remove {
        seat: u64,
        text: Option<String>,
    },
    /// The last `ms` milliseconds before the entry do not count.
    Outage {
        ms: u64,
    },
    End(End),
}

/// The agreement of a table, fixed before the first join.
#[derive(Clone, PartialEq, Debug)]
pub struct Genesis {
    pub format: Format,
    pub game: String,
    pub commit: Bytes32,
    pub terms: Terms,
}

/// A player takes a free seat.
#[derive(Clone, PartialEq, Debug)]
pub struct Join {
    pub seat: u64,
    pub holder: Holder,
    /// The player's promise of a part of the shuffle.
    pub commit: Option<Bytes32>,
    pub signed: Option<Claim>,
}

/// The player of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Holder {
    /// The id of the player.
    pub player: String,
    /// The level of the server's own player; none for a person or a program with an account.
    pub bot: Option<String>,
}

impl Holder {
    pub fn person(player: impl Into<String>) -> Self {
        Self { player: player.into(), bot: None }
    }
}

/// The author of a command.
#[derive(Clone, PartialEq, Debug)]
pub enum By {
    Player,
    Autopilot,
    /// The player's plan, in the secret of the entry.
    Plan(Box<Plan>),
}

/// Acts without further members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlainAct {
    /// Asks for a pause.
    Pause,
    /// No longer asks for a pause.
    Continue,
    /// The player returns to a seat of the autopilot, and withdraws all plans.
    Resume,
    Resign,
    /// The signing key is the only key in force; without a signature no key is.
    Rekey,
}

/// The last entry.
#[derive(Clone, PartialEq, Debug)]
pub struct End {
    pub reason: Reason,
    pub result: Value,
    /// Public reason of a halted game.
    pub text: Option<String>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// By its rules.
    Finished,
    /// All seats but one have resigned.
    Resigned,
    /// No person was left.
    Abandoned,
    /// The game never started.
    Void,
    /// The operator halted the game.
    Halted,
}

impl Body {
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Genesis(_) => "genesis",
            Self::Join(_) => "join",
            Self::Leave { .. } => "leave",
            Self::Reveal { .. } => "reveal",
            Self::Start => "start",
            Self::Cmd { .. } => "cmd",
            Self::Takeback { .. } => "takeback",
            Self::Act { act, .. } => act.word(),
            Self::Hand { .. } => "hand",
            Self::Revoke { .. } => "revoke",
            Self::Autopilot { .. } => "autopilot",
            Self::Remove { .. } => "remove",
            Self::Outage { .. } => "outage",
            Self::End(_) => "end",
        }
    }

    /// An unsigned act of the seat's player.
    pub const fn act(act: PlainAct, seat: u64) -> Self {
        Self::Act { seat, act, signed: None }
    }

    /// An unsigned command.
    pub const fn cmd(seat: u64, by: By, cmd: Value) -> Self {
        Self::Cmd { seat, by, cmd, signed: None }
    }

    /// An end of its own accord, without a text.
    pub const fn end(reason: Reason, result: Value) -> Self {
        Self::End(End { reason, result, text: None })
    }

    pub const fn void() -> Self {
        Self::end(Reason::Void, Value::Null)
    }

    /// The operator ends the game.
    pub const fn halted(text: String) -> Self {
        Self::End(End { reason: Reason::Halted, result: Value::Null, text: Some(text) })
    }

    pub const fn reason(&self) -> Option<Reason> {
        match self {
            Self::End(End { reason, .. }) => Some(*reason),
            _ => None,
        }
    }

    pub const fn is_act(&self, act: PlainAct) -> bool {
        matches!(self, Self::Act { act: own, .. } if *own as u8 == act as u8)
    }

    pub const fn seat(&self) -> Option<u64> {
        match self {
            Self::Genesis(_) | Self::Start | Self::Outage { .. } | Self::End(_) => None,
            Self::Join(Join { seat, .. })
            | Self::Leave { seat }
            | Self::Reveal { seat, .. }
            | Self::Cmd { seat, .. }
            | Self::Takeback { seat, .. }
            | Self::Act { seat, .. }
            | Self::Hand { seat, .. }
            | Self::Revoke { seat, .. }
            | Self::Autopilot { seat }
            | Self::Remove { seat, .. } => Some(*seat),
        }
    }

    /// Returns the signature of the seat's player.
    pub const fn signed(&self) -> Option<&Signed> {
        match self {
            Self::Cmd { signed: Some(part), .. } => Some(&part.signed),
            Self::Takeback { signed, .. }
            | Self::Act { signed, .. }
            | Self::Hand { signed, .. }
            | Self::Revoke { signed, .. } => signed.as_ref(),
            _ => None,
        }
    }

    pub const fn signed_mut(&mut self) -> Option<&mut Signed> {
        match self {
            Self::Cmd { signed: Some(part), .. } => Some(&mut part.signed),
            Self::Takeback { signed, .. }
            | Self::Act { signed, .. }
            | Self::Hand { signed, .. }
            | Self::Revoke { signed, .. } => signed.as_mut(),
            _ => None,
        }
    }

    /// Returns the claim of a player who takes a seat.
    pub const fn claim(&self) -> Option<&Claim> {
        match self {
            Self::Join(Join { signed, .. }) => signed.as_ref(),
            Self::Hand { taken, .. } => taken.as_ref(),
            _ => None,
        }
    }

    /// Returns the plan that decided a command.
    pub const fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Cmd { by: By::Plan(plan), .. } => Some(plan),
            _ => None,
        }
    }

    /// Returns all keys of the entry, including those in its secret.
    pub fn keys(&self) -> impl Iterator<Item = &SeatKey> {
        let revoked = match self {
            Self::Revoke { keys, .. } => keys.as_slice(),
            _ => &[],
        };
        let planned = self.plan().and_then(|plan| plan.signed.as_ref());
        let signed = [self.signed(), planned].into_iter().flatten();
        let signed = signed.flat_map(|signed| {
            std::iter::once(&signed.key).chain(signed.devices.iter().flat_map(|device| &device.keys))
        });
        revoked.iter().chain(self.claim().map(|claim| &claim.key)).chain(signed)
    }
}

impl By {
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Autopilot => "autopilot",
            Self::Plan(_) => "plan",
        }
    }
}

impl PlainAct {
    pub const ALL: [Self; 5] = [Self::Pause, Self::Continue, Self::Resume, Self::Resign, Self::Rekey];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Continue => "continue",
            Self::Resume => "resume",
            Self::Resign => "resign",
            Self::Rekey => "rekey",
        }
    }
}

impl Reason {
    pub const ALL: [Self; 5] = [Self::Finished, Self::Resigned, Self::Abandoned, Self::Void, Self::Halted];

    pub const fn word(self) -> &'static str {
        self.ending().word()
    }

    pub const fn ending(self) -> Ending {
        match self {
            Self::Finished => Ending::Finished,
            Self::Resigned => Ending::Resigned,
            Self::Abandoned => Ending::Abandoned,
            Self::Void => Ending::Void,
            Self::Halted => Ending::Halted,
        }
    }
}
