//! The entries of a log, and the one way in which each is written.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::{
    NAME,
    encoding::{LedgerFields, hex},
};
use crate::engine::{Draw, Fields, Malformed, Shape, hash::Bytes32};

/// More than any game has; which sizes a game allows, its rules say.
const MOST_SEATS: u64 = 1_000;

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
    Genesis(Genesis),
    Join { seat: u64, player: String, commit: Option<Bytes32> },
    Leave { seat: u64 },
    Seal,
    Reveal { seat: u64, entropy: Bytes32 },
    Start,
    Cmd { seat: u64, by: By, cmd: Value },
    Sys { op: Op, seat: u64 },
    End { reason: Reason, result: Value },
}

/// What is fixed before anybody joins.
#[derive(Clone, PartialEq, Debug)]
pub struct Genesis {
    pub game: String,
    pub ruleset: String,
    pub version: u64,
    pub options: Value,
    pub seats: u64,
    pub commit: Bytes32,
}

/// Who decided a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    Player,
    Autopilot,
}

/// What became of a seat's control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Resign,
    Autopilot,
    Resume,
}

/// Why a log ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    Finished,
    Void,
}

impl Body {
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Genesis(_) => "genesis",
            Self::Join { .. } => "join",
            Self::Leave { .. } => "leave",
            Self::Seal => "seal",
            Self::Reveal { .. } => "reveal",
            Self::Start => "start",
            Self::Cmd { .. } => "cmd",
            Self::Sys { .. } => "sys",
            Self::End { .. } => "end",
        }
    }

    /// The end of a game that nobody played.
    pub const fn void() -> Self {
        Self::End { reason: Reason::Void, result: Value::Null }
    }

    pub fn write(&self, seq: u64, at: u64) -> Value {
        let mut body = match self {
            Self::Genesis(genesis) => json!({
                "format": NAME, "game": genesis.game, "options": genesis.options, "seats": genesis.seats,
                "rules": {"name": genesis.ruleset, "version": genesis.version}, "commit": hex(&genesis.commit),
            }),
            Self::Join { seat, player, commit } => {
                json!({"seat": seat, "player": player, "commit": commit.map(|bytes| hex(&bytes)), "key": null})
            }
            Self::Leave { seat } => json!({"seat": seat}),
            Self::Seal | Self::Start => json!({}),
            Self::Reveal { seat, entropy } => json!({"seat": seat, "entropy": hex(entropy)}),
            Self::Cmd { seat, by, cmd } => json!({"seat": seat, "by": by.word(), "cmd": cmd}),
            Self::Sys { op, seat } => json!({"op": op.word(), "seat": seat}),
            Self::End { reason, result } => json!({"reason": reason.word(), "result": result}),
        };
        body["seq"] = seq.into();
        body["at"] = at.into();
        body["type"] = self.kind().into();
        body
    }
}

impl Entry {
    /// Reads a body, and the secret that may stand beside it. Every field must be there, and no other.
    pub fn read(body: &Value, secret: Option<&Value>, at: &str) -> Result<Self, Malformed> {
        let mut fields = Fields::of(body, format!("{at}.body"))?;
        let (seq, time) = (fields.whole("seq")?, fields.whole("at")?);
        let body = read_body(&mut fields)?;
        fields.end()?;
        let draws = match (secret, &body) {
            (None, _) => Vec::new(),
            (Some(secret), Body::Start | Body::Cmd { .. }) => read_secret(secret, &format!("{at}.secret"))?,
            (Some(_), _) => return Err(Malformed::new(format!("{at}.secret"), "is not a field here")),
        };
        Ok(Self { seq, at: time, body, draws })
    }
}

fn read_body(fields: &mut Fields) -> Result<Body, Malformed> {
    Ok(match fields.text("type")? {
        "genesis" => Body::Genesis(read_genesis(fields)?),
        "join" => {
            let seat = read_seat(fields)?;
            let (player, commit) = (fields.text("player")?.to_owned(), fields.hex32_or_null("commit")?);
            if !fields.value("key")?.is_null() {
                return Err(fields.wrong("key", "must be null: it is reserved"));
            }
            Body::Join { seat, player, commit }
        }
        "leave" => Body::Leave { seat: read_seat(fields)? },
        "seal" => Body::Seal,
        "reveal" => Body::Reveal { seat: read_seat(fields)?, entropy: fields.hex32("entropy")? },
        "start" => Body::Start,
        "cmd" => Body::Cmd {
            seat: read_seat(fields)?,
            by: read_word(fields, "by", &[By::Player, By::Autopilot], By::word)?,
            cmd: fields.value("cmd")?.clone(),
        },
        "sys" => Body::Sys {
            op: read_word(fields, "op", &[Op::Resign, Op::Autopilot, Op::Resume], Op::word)?,
            seat: read_seat(fields)?,
        },
        "end" => Body::End {
            reason: read_word(fields, "reason", &[Reason::Finished, Reason::Void], Reason::word)?,
            result: fields.value("result")?.clone(),
        },
        _ => return Err(fields.wrong("type", "is not a type of entry")),
    })
}

fn read_genesis(fields: &mut Fields) -> Result<Genesis, Malformed> {
    if fields.text("format")? != NAME {
        return Err(fields.wrong("format", "is not fairlog/1"));
    }
    let mut rules = Fields::of(fields.value("rules")?, fields.place("rules"))?;
    let (ruleset, version) = (rules.text("name")?.to_owned(), rules.whole("version")?);
    rules.end()?;
    let seats = fields.whole("seats")?;
    if !(1..=MOST_SEATS).contains(&seats) {
        return Err(fields.wrong("seats", "is not a size of table"));
    }
    Ok(Genesis {
        game: fields.text("game")?.to_owned(),
        ruleset,
        version,
        options: fields.value("options")?.clone(),
        seats,
        commit: fields.hex32("commit")?,
    })
}

fn read_seat(fields: &mut Fields) -> Result<u64, Malformed> {
    fields.whole("seat")
}

fn read_word<T: Copy>(
    fields: &mut Fields,
    field: &'static str,
    all: &[T],
    word: impl Fn(T) -> &'static str,
) -> Result<T, Malformed> {
    let text = fields.text(field)?;
    let found = all.iter().copied().find(|one| word(*one) == text);
    found.ok_or_else(|| fields.wrong(field, "is not one of the words that stand here"))
}

impl By {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Autopilot => "autopilot",
        }
    }
}

impl Op {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Resign => "resign",
            Self::Autopilot => "autopilot",
            Self::Resume => "resume",
        }
    }
}

impl Reason {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Void => "void",
        }
    }
}

/// The secret of an entry, or nothing if it drew nothing.
pub fn write_secret(draws: &[Draw]) -> Option<Value> {
    let written = draws.iter().map(|draw| {
        let mut value = json!({"use": draw.label, "n": draw.n, "out": draw.out});
        match &draw.shape {
            Shape::Shuffle(size) => value["shuffle"] = (*size).into(),
            Shape::Roll(bounds) => value["roll"] = bounds.as_slice().into(),
        }
        value
    });
    (!draws.is_empty()).then(|| json!({"draws": written.collect::<Vec<_>>()}))
}

fn read_secret(secret: &Value, at: &str) -> Result<Vec<Draw>, Malformed> {
    let mut fields = Fields::of(secret, at)?;
    let draws = fields.array("draws")?;
    fields.end()?;
    if draws.is_empty() {
        return Err(Malformed::new(at, "must be left out of an entry that drew nothing"));
    }
    draws.iter().enumerate().map(|(i, draw)| read_draw(draw, format!("{at}.draws[{i}]"))).collect()
}

fn read_draw(draw: &Value, at: String) -> Result<Draw, Malformed> {
    let mut fields = Fields::of(draw, at)?;
    let label = Cow::Owned(fields.text("use")?.to_owned());
    let n = fields.whole("n")?;
    let out = words(&mut fields, "out")?;
    let shape = if draw.get("shuffle").is_some() {
        let size = fields.whole("shuffle")?;
        Shape::Shuffle(word(size).ok_or_else(|| fields.wrong("shuffle", "is too large"))?)
    } else {
        let bounds = words(&mut fields, "roll")?;
        if bounds.contains(&0) {
            return Err(fields.wrong("roll", "holds a bound of 0"));
        }
        Shape::Roll(bounds)
    };
    fields.end()?;
    Ok(Draw { label, n, shape, out })
}

fn words(fields: &mut Fields, field: &'static str) -> Result<Vec<u32>, Malformed> {
    let items = fields.array(field)?;
    let read: Option<Vec<u32>> = items.iter().map(|item| item.as_u64().and_then(word)).collect();
    read.ok_or_else(|| fields.wrong(field, "must hold whole numbers below 2^32"))
}

fn word(number: u64) -> Option<u32> {
    u32::try_from(number).ok()
}
