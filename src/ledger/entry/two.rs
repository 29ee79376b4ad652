//! How fairlog/2 writes what it writes otherwise than fairlog/1: with terms, keys and signatures.

use serde_json::{Value, json};

use super::{
    Body, By, Holder, Join, Op, Reason,
    form::{not_a_type, not_a_word, read_any, read_genesis, read_seat, read_word, write_genesis},
};
use crate::{
    engine::{Fields, Format, Malformed},
    ledger::{
        encoding::{LedgerFields as _, hex},
        plan::Plan,
        signed::{SeatKey, Signed, SignedPart},
        terms::Terms,
    },
};

pub const REASONS: &[Reason] = &[Reason::Finished, Reason::Resigned, Reason::Abandoned, Reason::Void];
const OPS: &[Op] = &[Op::Resign, Op::Autopilot, Op::Resume, Op::Unkey, Op::Pause, Op::Continue];
/// With how many keys a seat may sign.
pub const MOST_KEYS: usize = 8;

/// The fields of a body that this format writes in its own way.
pub fn write(body: &Body) -> Value {
    match body {
        Body::Genesis(genesis) => {
            let mut written = write_genesis(genesis);
            genesis.terms.write(&mut written);
            written
        }
        Body::Join(Join { seat, holder, commit }) => {
            let mut written = write_holder(holder);
            written["seat"] = (*seat).into();
            written["commit"] = commit.map(|bytes| hex(&bytes)).into();
            written
        }
        Body::Keys { seat, keys, signed } => {
            json!({"seat": seat, "keys": SeatKey::write(keys), "signed": write_signed(signed.as_ref())})
        }
        Body::Hand { seat, holder, signed } => {
            let mut written = write_holder(holder);
            written["seat"] = (*seat).into();
            written["signed"] = write_signed(signed.as_ref());
            written
        }
        Body::Takeback { seat, to, signed } => {
            json!({"seat": seat, "to": to, "signed": write_signed(signed.as_ref())})
        }
        Body::Sys { op, seat, signed } => {
            json!({"op": op.word(), "seat": seat, "signed": write_signed(signed.as_ref())})
        }
        _ => json!({}),
    }
}

/// What is written of who has a seat, and what is signed of it.
pub fn write_holder(holder: &Holder) -> Value {
    json!({"player": holder.player, "keys": SeatKey::write(&holder.keys), "bot": holder.bot})
}

/// The signature of a request, of which a command is a part.
pub fn write_part(signed: Option<&SignedPart>) -> Value {
    signed.map_or(Value::Null, SignedPart::write)
}

fn write_signed(signed: Option<&Signed>) -> Value {
    signed.map_or(Value::Null, Signed::write)
}

pub fn read(kind: &str, fields: &mut Fields, plan: Option<Plan>) -> Result<Body, Malformed> {
    Ok(match kind {
        "genesis" => {
            let genesis = read_genesis(Format::Two, fields)?;
            let terms = Terms::read(fields)?;
            Body::Genesis(Box::new(super::Genesis { terms, ..genesis }))
        }
        "join" => Body::Join(Join {
            seat: read_seat(fields)?,
            holder: read_holder(fields)?,
            commit: fields.hex32_or_null("commit")?,
        }),
        "cmd" => Body::Cmd {
            seat: read_seat(fields)?,
            by: match (fields.text("by")?, plan) {
                ("player", _) => By::Player,
                ("autopilot", _) => By::Autopilot,
                ("plan", Some(plan)) => By::Plan(Box::new(plan)),
                ("plan", None) => return Err(fields.wrong("by", "is `plan`, and no plan stands beside it")),
                _ => return Err(not_a_word(fields, "by")),
            },
            cmd: read_any(fields, "cmd")?,
            signed: SignedPart::read(fields)?,
        },
        "keys" => {
            let (seat, keys) = (read_seat(fields)?, read_keys(fields)?);
            if keys.is_empty() {
                return Err(fields.wrong("keys", "must contain at least one"));
            }
            Body::Keys { seat, keys, signed: Signed::read(fields)? }
        }
        "hand" => Body::Hand {
            seat: read_seat(fields)?,
            holder: read_holder(fields)?,
            signed: Signed::read(fields)?,
        },
        "takeback" => Body::Takeback {
            seat: read_seat(fields)?,
            to: fields.whole("to")?,
            signed: Signed::read(fields)?,
        },
        "sys" => Body::Sys {
            op: read_word(fields, "op", OPS, Op::word)?,
            seat: read_seat(fields)?,
            signed: Signed::read(fields)?,
        },
        _ => return Err(not_a_type(fields)),
    })
}

fn read_holder(fields: &mut Fields) -> Result<Holder, Malformed> {
    let holder = Holder {
        player: fields.text("player")?.to_owned(),
        keys: read_keys(fields)?,
        bot: if fields.value("bot")?.is_null() { None } else { Some(fields.text("bot")?.to_owned()) },
    };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    match &holder.bot {
        Some(level) if level.is_empty() || !level.chars().all(plain) => {
            Err(fields.wrong("bot", "is not a level: one of [a-z0-9_]+"))
        }
        Some(_) if !holder.keys.is_empty() => Err(fields.wrong("keys", "must be empty for a bot")),
        _ => Ok(holder),
    }
}

/// The keys of a seat: ascending, none twice.
pub fn read_keys(fields: &mut Fields) -> Result<Vec<SeatKey>, Malformed> {
    let items = fields.array("keys")?;
    let keys: Option<Vec<SeatKey>> =
        items.iter().map(|item| item.as_str().and_then(SeatKey::from_hex)).collect();
    let keys = keys.ok_or_else(|| fields.wrong("keys", "must hold keys of 64 lowercase hex digits"))?;
    if keys.len() > MOST_KEYS {
        return Err(fields.wrong("keys", "must hold at most 8 keys"));
    }
    if !keys.is_sorted_by(|one, next| one < next) {
        return Err(fields.wrong("keys", "must be in ascending order, none of them twice"));
    }
    Ok(keys)
}
