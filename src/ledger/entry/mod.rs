//! The entries of a log: what each says. How they are written is a matter of the [`Format`]: a file each.

mod command;
mod form;
mod one;
mod secret;
mod two;

use serde_json::{Value, json};

use super::{
    encoding::{canonical, hex},
    plan::Plan,
    signed::{SeatKey, Signed, SignedPart},
    terms::Terms,
};
use crate::{
    engine::{Draw, Fields, Format, Malformed, hash::Bytes32},
    words::Ending,
};

use command::CommandBody;
pub use secret::write as write_secret;
pub use two::{MOST_KEYS, write_holder};

/// One entry: its number, its time, and what it says.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub seq: u64,
    /// Milliseconds since 1970 by the server's clock.
    pub at: u64,
    pub body: Body,
    pub draws: Vec<Draw>,
}

/// What an entry says. Seats are numbers here: a document may name one that is not there.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    Genesis(Box<Genesis>),
    Join(Join),
    Leave {
        seat: u64,
    },
    Seal,
    Reveal {
        seat: u64,
        entropy: Bytes32,
    },
    Start,
    Cmd {
        seat: u64,
        by: By,
        cmd: Value,
        signed: Option<SignedPart>,
    },
    /// The keys of a seat are these from here on.
    Keys {
        seat: u64,
        keys: Vec<SeatKey>,
        signed: Option<Signed>,
    },
    /// Another player has the seat from here on.
    Hand {
        seat: u64,
        holder: Holder,
        signed: Option<Signed>,
    },
    /// The game goes on as if nothing had been after the entry `to`.
    Takeback {
        seat: u64,
        to: u64,
        signed: Option<Signed>,
    },
    Sys {
        op: Op,
        seat: u64,
        signed: Option<Signed>,
    },
    End {
        reason: Reason,
        result: Value,
    },
}

/// What is fixed before anybody joins.
#[derive(Clone, PartialEq, Debug)]
pub struct Genesis {
    pub format: Format,
    pub game: String,
    pub ruleset: String,
    pub version: u64,
    pub options: Value,
    pub seats: u64,
    pub commit: Bytes32,
    pub terms: Terms,
}

/// A seat taken.
#[derive(Clone, PartialEq, Debug)]
pub struct Join {
    pub seat: u64,
    pub holder: Holder,
    pub commit: Option<Bytes32>,
}

/// Who has a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Holder {
    /// The id of the player.
    pub player: String,
    /// With which the seat signs; none if the server alone vouches for it.
    pub keys: Vec<SeatKey>,
    /// The level of the server's own player, if it is one.
    pub bot: Option<String>,
}

impl Holder {
    /// A person who signs nothing.
    pub fn person(player: impl Into<String>) -> Self {
        Self { player: player.into(), ..Self::default() }
    }
}

/// Who decided a command.
#[derive(Clone, PartialEq, Debug)]
pub enum By {
    Player,
    Autopilot,
    /// What the player had planned. It stands in the entry's secret.
    Plan(Box<Plan>),
}

/// What became of a seat's control, keys or time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Resign,
    Autopilot,
    Resume,
    /// The seat has no keys any more.
    Unkey,
    /// The seat asks for a pause; it asks no more.
    Pause,
    Continue,
}

/// Why a log ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    Finished,
    /// One seat was left that had not resigned.
    Resigned,
    /// No person was left who played.
    Abandoned,
    Void,
}

impl Body {
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Genesis(_) => "genesis",
            Self::Join(_) => "join",
            Self::Leave { .. } => "leave",
            Self::Seal => "seal",
            Self::Reveal { .. } => "reveal",
            Self::Start => "start",
            Self::Cmd { .. } => "cmd",
            Self::Keys { .. } => "keys",
            Self::Hand { .. } => "hand",
            Self::Takeback { .. } => "takeback",
            Self::Sys { .. } => "sys",
            Self::End { .. } => "end",
        }
    }

    /// The end of a game that nobody played.
    pub const fn void() -> Self {
        Self::End { reason: Reason::Void, result: Value::Null }
    }

    /// An entry about a seat that nobody signs.
    pub const fn sys(op: Op, seat: u64) -> Self {
        Self::Sys { op, seat, signed: None }
    }

    /// A command that nobody signs.
    pub const fn cmd(seat: u64, by: By, cmd: Value) -> Self {
        Self::Cmd { seat, by, cmd, signed: None }
    }

    /// The seat that it is about.
    pub const fn seat(&self) -> Option<u64> {
        match self {
            Self::Genesis(_) | Self::Seal | Self::Start | Self::End { .. } => None,
            Self::Join(Join { seat, .. })
            | Self::Leave { seat }
            | Self::Reveal { seat, .. }
            | Self::Cmd { seat, .. }
            | Self::Keys { seat, .. }
            | Self::Hand { seat, .. }
            | Self::Takeback { seat, .. }
            | Self::Sys { seat, .. } => Some(*seat),
        }
    }

    /// The signature of the seat's player, if it has one.
    pub const fn signed(&self) -> Option<&Signed> {
        match self {
            Self::Cmd { signed: Some(part), .. } => Some(&part.signed),
            Self::Keys { signed, .. }
            | Self::Hand { signed, .. }
            | Self::Takeback { signed, .. }
            | Self::Sys { signed, .. } => signed.as_ref(),
            _ => None,
        }
    }

    /// All keys that it names, also those in its secret.
    pub fn keys(&self) -> impl Iterator<Item = &SeatKey> {
        let named = match self {
            Self::Join(Join { holder: Holder { keys, .. }, .. })
            | Self::Hand { holder: Holder { keys, .. }, .. }
            | Self::Keys { keys, .. } => keys.as_slice(),
            _ => &[],
        };
        let planned = self.plan().and_then(|plan| plan.signed.as_ref());
        let signed = [self.signed(), planned].into_iter().flatten().map(|signed| &signed.key);
        named.iter().chain(signed)
    }

    /// The plan by which it was decided.
    pub const fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Cmd { by: By::Plan(plan), .. } => Some(plan),
            _ => None,
        }
    }

    /// The bytes that stand in the log.
    pub fn write(&self, format: Format, seq: u64, at: u64) -> Result<Vec<u8>, Malformed> {
        let mut body = match self {
            Self::Cmd { seat, by, cmd, signed } => {
                let signed = match format {
                    Format::One => None,
                    Format::Two => Some(two::write_part(signed.as_ref())),
                };
                let (seat, by, kind) = (*seat, by.word(), self.kind());
                return CommandBody { at, by, cmd, seat, seq, signed, kind }.canonical();
            }
            Self::Leave { seat } => json!({"seat": seat}),
            Self::Seal | Self::Start => json!({}),
            Self::Reveal { seat, entropy } => json!({"seat": seat, "entropy": hex(entropy)}),
            Self::End { reason, result } => json!({"reason": reason.word(), "result": result}),
            other => match format {
                Format::One => one::write(other),
                Format::Two => two::write(other),
            },
        };
        body["seq"] = seq.into();
        body["at"] = at.into();
        body["type"] = self.kind().into();
        canonical(&body)
    }
}

impl Entry {
    /// Reads a body, and the secret that may stand beside it. Every field must be there, and no other.
    pub fn read(format: Format, body: &Value, secret: Option<&Value>, at: &str) -> Result<Self, Malformed> {
        let mut fields = Fields::of(body, format!("{at}.body"))?;
        let (seq, time) = (fields.whole("seq")?, fields.whole("at")?);
        let secret = secret::read(format, secret, &format!("{at}.secret"))?;
        let (planned, drew) = (secret.plan.is_some(), !secret.draws.is_empty());
        let body = read_body(format, &mut fields, secret.plan)?;
        fields.end()?;
        // A plan is taken by the command that it caused, and by nothing else.
        if (drew && !matches!(body, Body::Start | Body::Cmd { .. })) || planned != body.plan().is_some() {
            return Err(Malformed::new(format!("{at}.secret"), "is not a known field"));
        }
        Ok(Self { seq, at: time, body, draws: secret.draws })
    }
}

fn read_body(format: Format, fields: &mut Fields, plan: Option<Plan>) -> Result<Body, Malformed> {
    use form::{read_seat, read_word};
    let kind = fields.text("type")?;
    Ok(match kind {
        "leave" => Body::Leave { seat: read_seat(fields)? },
        "seal" => Body::Seal,
        "reveal" => form::read_reveal(fields)?,
        "start" => Body::Start,
        "end" => {
            let reasons = match format {
                Format::One => one::REASONS,
                Format::Two => two::REASONS,
            };
            Body::End {
                reason: read_word(fields, "reason", reasons, Reason::word)?,
                result: form::read_any(fields, "result")?,
            }
        }
        _ => match format {
            Format::One => one::read(kind, fields)?,
            Format::Two => two::read(kind, fields, plan)?,
        },
    })
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

impl Op {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Resign => "resign",
            Self::Autopilot => "autopilot",
            Self::Resume => "resume",
            Self::Unkey => "unkey",
            Self::Pause => "pause",
            Self::Continue => "continue",
        }
    }
}

impl Reason {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Resigned => "resigned",
            Self::Abandoned => "abandoned",
            Self::Void => "void",
        }
    }

    pub const fn ending(self) -> Ending {
        match self {
            Self::Finished => Ending::Finished,
            Self::Resigned => Ending::Resigned,
            Self::Abandoned => Ending::Abandoned,
            Self::Void => Ending::Void,
        }
    }
}
