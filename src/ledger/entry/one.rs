//! How fairlog/1 writes what it writes otherwise than fairlog/2. It knows no keys, no plans and no clock.

use serde_json::{Value, json};

use super::{
    Body, By, Holder, Join, Op, Reason,
    form::{not_a_type, not_a_word, read_any, read_genesis, read_seat, read_word, write_genesis},
};
use crate::{
    engine::{Fields, Format, Malformed},
    ledger::encoding::{LedgerFields as _, hex},
};

pub const REASONS: &[Reason] = &[Reason::Finished, Reason::Void];
const OPS: &[Op] = &[Op::Resign, Op::Autopilot, Op::Resume];

/// The fields of a body; of one that this format does not have, none.
pub fn write(body: &Body) -> Value {
    match body {
        Body::Genesis(genesis) => write_genesis(genesis),
        Body::Join(Join { seat, holder, commit }) => {
            json!({"seat": seat, "player": holder.player, "commit": commit.map(|bytes| hex(&bytes)), "key": null})
        }
        Body::Sys { op, seat, .. } => json!({"op": op.word(), "seat": seat}),
        _ => json!({}),
    }
}

pub fn read(kind: &str, fields: &mut Fields) -> Result<Body, Malformed> {
    Ok(match kind {
        "genesis" => Body::Genesis(Box::new(read_genesis(Format::One, fields)?)),
        "join" => {
            let seat = read_seat(fields)?;
            let (player, commit) = (fields.text("player")?.to_owned(), fields.hex32_or_null("commit")?);
            if !fields.value("key")?.is_null() {
                return Err(fields.wrong("key", "must be null: it is reserved"));
            }
            Body::Join(Join { seat, holder: Holder::person(player), commit })
        }
        "cmd" => {
            let by = match fields.text("by")? {
                "player" => By::Player,
                "autopilot" => By::Autopilot,
                _ => return Err(not_a_word(fields, "by")),
            };
            Body::cmd(read_seat(fields)?, by, read_any(fields, "cmd")?)
        }
        "sys" => Body::sys(read_word(fields, "op", OPS, Op::word)?, read_seat(fields)?),
        _ => return Err(not_a_type(fields)),
    })
}
