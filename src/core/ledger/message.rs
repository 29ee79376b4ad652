//! What players sign. Each message names the game, the seat, the history that the signer saw and the act, so
//! a signature is valid for one entry and no other.

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

/// Which game and seat a message is of, and after which entry it was signed.
#[derive(Clone, Copy)]
pub struct Spot<'s> {
    pub game: &'s str,
    pub seat: u64,
    pub seen: u64,
    pub head: &'s Bytes32,
}

/// An act that the player of a seat signs.
pub struct Message(Vec<u8>);

impl Message {
    /// Returns the message of an entry, if its player signs it alone. Commands are signed as a whole request.
    pub fn of(body: &Body) -> Result<Option<Self>, Malformed> {
        Ok(match body {
            Body::Takeback { to, .. } => Some(Self::takeback(*to)),
            Body::Act { act, .. } => Some(Self::act(*act)),
            Body::Hand { holder, taken, .. } => Some(Self::hand(holder, taken.as_ref())?),
            Body::Revoke { keys, .. } => Some(Self::revoke(keys)?),
            _ => None,
        })
    }

    /// All commands of one request, as they are in the log.
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

    /// The bytes that are signed.
    pub fn at(&self, spot: Spot) -> Vec<u8> {
        let Spot { game, seat, seen, head } = spot;
        let (seat, seen) = (seat.to_be_bytes(), seen.to_be_bytes());
        Format::Three.message("act", &[game.as_bytes(), &seat, &seen, head, &self.0])
    }
}

/// What a player signs who takes a seat.
#[derive(Clone, Copy)]
pub enum Seating<'s> {
    Join { player: &'s str, commit: Option<&'s Bytes32> },
    Hand { player: &'s str },
}

impl Seating<'_> {
    /// The bytes that are signed.
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
