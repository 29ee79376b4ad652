//! Messages that players sign. A message names the game, the seat, the history that the signer saw and the
//! act, so its signature is valid for one entry only.

use serde_json::{Value, json};

use super::{
    encoding::{canonical, hex},
    entry::{Body, Holder, PlainAct, write_claim, write_terms},
    plan::PlanRule,
    seat_key::SeatKey,
    signed::Claim,
    terms::Terms,
};
use crate::engine::{Format, Malformed, hash::Bytes32};

/// Game, seat and newest seen entry of a message.
#[derive(Clone, Copy)]
pub struct Spot<'s> {
    pub game: &'s str,
    pub seat: u64,
    pub seen: u64,
    pub head: &'s Bytes32,
}

/// The act in a message.
pub struct Message(Vec<u8>);

impl Message {
    /// Returns the message of an entry that its player signs alone. Commands are signed per request.
    pub fn of(body: &Body) -> Result<Option<Self>, Malformed> {
        Ok(match body {
            Body::Takeback { to, .. } => Some(Self::takeback(*to)),
            Body::Act { act, .. } => Some(Self::act(*act)),
            Body::Hand { holder, taken, .. } => Some(Self::hand(holder, taken.as_ref())?),
            Body::Revoke { keys, .. } => Some(Self::revoke(keys)?),
            _ => None,
        })
    }

    /// Returns the message of all commands of a request, as the log has them.
    pub fn commands(cmds: &[&Value]) -> Result<Self, Malformed> {
        Self::json(&json!({"type": "cmd", "cmds": cmds}))
    }

    pub fn revoke(keys: &[SeatKey]) -> Result<Self, Malformed> {
        Self::json(&json!({"type": "revoke", "keys": SeatKey::write(keys)}))
    }

    pub fn hand(holder: &Holder, taken: Option<&Claim>) -> Result<Self, Malformed> {
        let Holder { player, bot } = holder;
        Self::json(&json!({"type": "hand", "player": player, "bot": bot, "taken": write_claim(taken)}))
    }

    pub fn takeback(to: u64) -> Self {
        Self(format!(r#"{{"to":{to},"type":"takeback"}}"#).into_bytes())
    }

    pub fn act(act: PlainAct) -> Self {
        Self(format!(r#"{{"type":"{}"}}"#, act.word()).into_bytes())
    }

    pub fn plan(rules: &[PlanRule]) -> Result<Self, Malformed> {
        Self::json(&json!({"type": "plan", "rules": PlanRule::write_all(rules)}))
    }

    fn json(what: &Value) -> Result<Self, Malformed> {
        canonical(what).map(Self)
    }

    /// Returns the bytes to sign.
    pub fn at(&self, spot: Spot) -> Vec<u8> {
        let Spot { game, seat, seen, head } = spot;
        let (seat, seen) = (seat.to_be_bytes(), seen.to_be_bytes());
        Format::Three.message("act", &[game.as_bytes(), &seat, &seen, head, &self.0])
    }
}

/// The act of a player who takes a seat.
#[derive(Clone, Copy)]
pub enum Seating<'s> {
    Join { player: &'s str, commit: Option<&'s Bytes32> },
    Hand { player: &'s str },
}

impl Seating<'_> {
    /// Returns the bytes to sign.
    pub fn message(
        self,
        (game, seat): (&str, u64),
        nonce: &Bytes32,
        terms: &Terms,
    ) -> Result<Vec<u8>, Malformed> {
        let (nonce, terms) = (hex(nonce), write_terms(terms));
        let what = match self {
            Self::Join { player, commit } => json!({
                "type": "join", "player": player, "commit": commit.map(|bytes| hex(bytes)), "nonce": nonce, "terms": terms,
            }),
            Self::Hand { player } => {
                json!({"type": "hand", "player": player, "nonce": nonce, "terms": terms})
            }
        };
        Ok(Format::Three.message("join", &[game.as_bytes(), &seat.to_be_bytes(), &canonical(&what)?]))
    }
}
