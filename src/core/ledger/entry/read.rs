//! Reading of entries: exactly the members of the type, each within its range.

use serde_json::Value;

use super::{Body, By, End, Entry, Genesis, Holder, Join, MOST_KEYS, MOST_TEXT, PlainAct, Reason, secret};
use crate::{
    engine::{Fields, Format, Malformed, Text},
    ledger::{
        encoding::LedgerFields as _,
        plan::Plan,
        seat_key::SeatKey,
        signed::{Claim, PartOfRequest, Signed},
        terms::Terms,
    },
};

/// Times are before the year 10889.
const LATEST: u64 = (1 << 48) - 1;

impl Entry {
    /// Reads a body, and its secret if there is one.
    pub fn read(format: Format, body: &Value, secret: Option<&Value>, at: &str) -> Result<Self, Malformed> {
        let mut fields = Fields::of(body, format!("{at}.body"))?;
        let (seq, time) = (fields.whole("seq")?, fields.whole("at")?);
        if time > LATEST {
            return Err(fields.wrong("at", Text::new("must be below 2^48", "dev'essere inferiore a 2^48")));
        }
        let secret = secret::read(secret, &format!("{at}.secret"))?;
        let (planned, drew) = (secret.plan.is_some(), !secret.draws.is_empty());
        let body = read_body(format, &mut fields, secret.plan)?;
        fields.end()?;
        let is_before_last =
            matches!(&body, Body::Cmd { signed: Some(part), .. } if part.no + 1 < part.of && drew);
        if (drew && !matches!(body, Body::Start | Body::Cmd { .. }))
            || planned != body.plan().is_some()
            || is_before_last
        {
            return Err(Malformed::new(
                format!("{at}.secret"),
                Text::new("does not belong here", "non è ammesso qui"),
            ));
        }
        Ok(Self { seq, at: time, body, draws: secret.draws })
    }
}

fn read_body(format: Format, fields: &mut Fields, plan: Option<Plan>) -> Result<Body, Malformed> {
    let kind = fields.text("type")?;
    if let Some(act) = PlainAct::ALL.into_iter().find(|act| act.word() == kind) {
        let (seat, signed) = (fields.whole("seat")?, Signed::read(fields)?);
        if act == PlainAct::Rekey && signed.as_ref().is_some_and(|signed| !signed.devices.is_empty()) {
            return Err(fields.wrong("signed.devices", not_here()));
        }
        return Ok(Body::Act { seat, act, signed });
    }
    Ok(match kind {
        "genesis" => Body::Genesis(Box::new(read_genesis(format, fields)?)),
        "join" => read_join(fields)?,
        "leave" => Body::Leave { seat: fields.whole("seat")? },
        "reveal" => Body::Reveal { seat: fields.whole("seat")?, entropy: fields.hex32("entropy")? },
        "start" => Body::Start,
        "cmd" => read_command(fields, plan)?,
        "takeback" => Body::Takeback {
            seat: fields.whole("seat")?,
            to: fields.whole("to")?,
            signed: Signed::read(fields)?,
        },
        "hand" => {
            let (holder, taken) = (read_holder(fields)?, Claim::read(fields, "taken")?);
            if holder.bot.is_some() && taken.is_some() {
                return Err(fields.wrong("taken", null_for_a_bot()));
            }
            Body::Hand { seat: fields.whole("seat")?, holder, taken, signed: Signed::read(fields)? }
        }
        "revoke" => {
            let (seat, keys) = (fields.whole("seat")?, read_keys(fields)?);
            Body::Revoke { seat, keys, signed: Signed::read(fields)? }
        }
        "autopilot" => Body::Autopilot { seat: fields.whole("seat")? },
        "remove" => Body::Remove { seat: fields.whole("seat")?, text: read_text(fields)? },
        "outage" => {
            let ms = fields.whole("ms")?;
            if ms == 0 {
                return Err(fields.wrong("ms", Text::new("must be at least 1", "dev'essere almeno 1")));
            }
            Body::Outage { ms }
        }
        "end" => Body::End(read_end(fields)?),
        _ => {
            return Err(fields.wrong("type", Text::new("is not a type of entry", "non è un tipo di voce")));
        }
    })
}

fn read_genesis(format: Format, fields: &mut Fields) -> Result<Genesis, Malformed> {
    if fields.text("format")? != format.name() {
        let (en, it) = (format!("must be {}", format.name()), format!("dev'essere {}", format.name()));
        return Err(fields.wrong("format", Text::new(en, it)));
    }
    Ok(Genesis {
        format,
        game: fields.ledger_id("game")?,
        commit: fields.hex32("commit")?,
        terms: Terms::read(fields)?,
    })
}

fn read_join(fields: &mut Fields) -> Result<Body, Malformed> {
    let (seat, holder) = (fields.whole("seat")?, read_holder(fields)?);
    let (commit, signed) = (fields.hex32_or_null("commit")?, Claim::read(fields, "signed")?);
    if holder.bot.is_some() {
        match (&commit, &signed) {
            (Some(_), _) => return Err(fields.wrong("commit", null_for_a_bot())),
            (_, Some(_)) => return Err(fields.wrong("signed", null_for_a_bot())),
            (None, None) => {}
        }
    }
    Ok(Body::Join(Join { seat, holder, commit, signed }))
}

fn read_command(fields: &mut Fields, plan: Option<Plan>) -> Result<Body, Malformed> {
    let seat = fields.whole("seat")?;
    let by = match (fields.text("by")?, plan) {
        ("player", _) => By::Player,
        ("autopilot", _) => By::Autopilot,
        ("plan", Some(plan)) => By::Plan(Box::new(plan)),
        ("plan", None) => {
            let problem = Text::new(
                "is `plan`, but the secret has no plan",
                "è `plan`, ma il segreto non contiene un piano",
            );
            return Err(fields.wrong("by", problem));
        }
        _ => {
            return Err(fields.wrong(
                "by",
                Text::new("must be player, plan or autopilot", "dev'essere player, plan o autopilot"),
            ));
        }
    };
    let (cmd, signed) = (fields.value("cmd")?.clone(), PartOfRequest::read(fields)?);
    if signed.is_some() && by != By::Player {
        return Err(fields.wrong("signed", Text::new("must be null", "dev'essere null")));
    }
    Ok(Body::Cmd { seat, by, cmd, signed })
}

fn read_holder(fields: &mut Fields) -> Result<Holder, Malformed> {
    let player = fields.ledger_id("player")?;
    if fields.value("bot")?.is_null() {
        return Ok(Holder { player, bot: None });
    }
    let level = fields.text("bot")?.to_owned();
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if !(1..=32).contains(&level.len()) || !level.bytes().all(plain) {
        let problem = Text::new("must match [a-z0-9_]{1,32}", "deve corrispondere a [a-z0-9_]{1,32}");
        return Err(fields.wrong("bot", problem));
    }
    Ok(Holder { player, bot: Some(level) })
}

/// From 1 to 8 keys, ascending, without duplicates.
fn read_keys(fields: &mut Fields) -> Result<Vec<SeatKey>, Malformed> {
    let items = fields.array("keys")?;
    let keys: Option<Vec<SeatKey>> =
        items.iter().map(|item| item.as_str().and_then(SeatKey::from_hex)).collect();
    let keys = keys.filter(|keys| (1..=MOST_KEYS).contains(&keys.len()));
    keys.filter(|keys| keys.is_sorted_by(|one, next| one < next)).ok_or_else(|| {
        let (en, it) = (
            format!("must be 1 to {MOST_KEYS} keys of 64 hex digits, ascending, without duplicates"),
            format!("dev'essere un elenco di 1-{MOST_KEYS} chiavi di 64 cifre esadecimali, crescente e senza doppioni"),
        );
        fields.wrong("keys", Text::new(en, it))
    })
}

fn read_end(fields: &mut Fields) -> Result<End, Malformed> {
    let word = fields.text("reason")?;
    let reason = Reason::ALL.into_iter().find(|reason| reason.word() == word);
    let reason = reason.ok_or_else(|| {
        fields.wrong("reason", Text::new("is not a reason of an end", "non è un motivo di fine"))
    })?;
    let (result, text) = (fields.value("result")?.clone(), read_text(fields)?);
    let has_result = matches!(reason, Reason::Finished | Reason::Resigned);
    if (has_result && !result.is_array()) || (!has_result && !result.is_null()) {
        let problem = Text::new(
            "must be a list for `finished` and `resigned`, and null otherwise",
            "dev'essere un elenco per `finished` e `resigned`, altrimenti null",
        );
        return Err(fields.wrong("result", problem));
    }
    if (reason == Reason::Halted) != text.is_some() {
        let problem = Text::new("must be there for `halted` alone", "dev'essere presente solo per `halted`");
        return Err(fields.wrong("text", problem));
    }
    Ok(End { reason, result, text })
}

/// A public text of the operator, or null.
fn read_text(fields: &mut Fields) -> Result<Option<String>, Malformed> {
    if fields.value("text")?.is_null() {
        return Ok(None);
    }
    let text = fields.text("text")?;
    if is_public_text(text) {
        return Ok(Some(text.to_owned()));
    }
    let (en, it) = (
        format!("must have 1 to {MOST_TEXT} bytes, without control characters"),
        format!("deve avere da 1 a {MOST_TEXT} byte, senza caratteri di controllo"),
    );
    Err(fields.wrong("text", Text::new(en, it)))
}

/// Returns the time of a canonical body, whose first member is `at`.
pub fn time_of(body: &[u8]) -> Option<u64> {
    let rest = body.strip_prefix(br#"{"at":"#)?;
    let digits = rest.split(|byte| *byte == b',').next()?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Returns whether a text of the operator is allowed in a log.
pub fn is_public_text(text: &str) -> bool {
    (1..=MOST_TEXT).contains(&text.len()) && !text.bytes().any(|byte| byte < 0x20 || byte == 0x7f)
}

fn null_for_a_bot() -> Text<String> {
    Text::new("must be null for a bot", "dev'essere null per un bot")
}

fn not_here() -> Text<String> {
    Text::new("does not belong here", "non è ammesso qui")
}
