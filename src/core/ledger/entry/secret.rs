//! Secrets of entries, published when the game ends: draws, and the plan that decided a command.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::{
    engine::{Draw, DrawShape, Fields, Malformed, Text},
    ledger::{encoding::LedgerFields as _, plan::Plan},
};

/// A parsed secret.
#[derive(Default)]
pub struct Secret {
    pub draws: Vec<Draw>,
    pub plan: Option<Plan>,
}

/// Returns the secret of an entry with draws or a plan.
pub fn write(draws: &[Draw], plan: Option<&Plan>) -> Option<Value> {
    let mut secret = json!({});
    if !draws.is_empty() {
        secret["draws"] = draws.iter().map(write_draw).collect::<Vec<_>>().into();
    }
    if let Some(plan) = plan {
        secret["plan"] = plan.write();
    }
    secret.as_object().is_some_and(|fields| !fields.is_empty()).then_some(secret)
}

fn write_draw(draw: &Draw) -> Value {
    let mut value = json!({"use": draw.label, "n": draw.n, "out": draw.out});
    match &draw.shape {
        DrawShape::Shuffle(size) => value["shuffle"] = (*size).into(),
        DrawShape::Roll(bounds) => value["roll"] = bounds.as_slice().into(),
    }
    value
}

pub fn read(secret: Option<&Value>, at: &str) -> Result<Secret, Malformed> {
    let Some(secret) = secret else { return Ok(Secret::default()) };
    let mut fields = Fields::of(secret, at)?;
    let plan = fields.get("plan").map(|plan| Plan::read(plan, &format!("{at}.plan"))).transpose()?;
    let draws = if plan.is_some() && secret.get("draws").is_none() { &[] } else { fields.array("draws")? };
    fields.end()?;
    if draws.is_empty() && (plan.is_none() || secret.get("draws").is_some()) {
        return Err(Malformed::new(at, Text::new("must be left out if it is empty", "va omesso se è vuoto")));
    }
    let draws = draws.iter().enumerate().map(|(i, draw)| read_draw(draw, format!("{at}.draws[{i}]")));
    Ok(Secret { draws: draws.collect::<Result<_, _>>()?, plan })
}

fn read_draw(draw: &Value, at: String) -> Result<Draw, Malformed> {
    let mut fields = Fields::of(draw, at)?;
    let label = Cow::Owned(fields.text("use")?.to_owned());
    let n = fields.whole("n")?;
    let out = words(&mut fields, "out")?;
    let shape = if draw.get("shuffle").is_some() {
        let size = fields.whole("shuffle")?;
        DrawShape::Shuffle(
            word(size)
                .ok_or_else(|| fields.wrong("shuffle", Text::new("is too large", "è troppo grande")))?,
        )
    } else {
        let bounds = words(&mut fields, "roll")?;
        if bounds.contains(&0) {
            return Err(fields.wrong("roll", Text::new("has a bound of 0", "ha un limite di 0")));
        }
        DrawShape::Roll(bounds)
    };
    fields.end()?;
    Ok(Draw { label, n, shape, out })
}

fn words(fields: &mut Fields, field: &'static str) -> Result<Vec<u32>, Malformed> {
    let items = fields.array(field)?;
    let read: Option<Vec<u32>> = items.iter().map(|item| item.as_u64().and_then(word)).collect();
    read.ok_or_else(|| {
        fields.wrong(
            field,
            Text::new("must hold whole numbers below 2^32", "deve contenere numeri interi inferiori a 2^32"),
        )
    })
}

fn word(number: u64) -> Option<u32> {
    u32::try_from(number).ok()
}
