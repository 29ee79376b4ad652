//! Which signatures an entry demands, and whether they are there.

use sha2::{Digest as _, Sha256};

use super::{
    encoding::hex,
    entry::{Body, Op},
    game::Game,
    plan::Plan,
    signed::{Message, SeatKey, Signed, Spot},
    standing::{Control, Sitting},
};
use crate::engine::{Malformed, hash::Bytes32};

/// Whether an entry that is no command must be signed, and by which keys.
pub enum Demand<'s> {
    Nothing,
    May(&'s [SeatKey]),
    Must(&'s [SeatKey]),
}

/// What is demanded of an entry of a seat that stands like this before it.
pub fn demand<'s>(body: &'s Body, sitting: &'s Sitting) -> Demand<'s> {
    let own = sitting.holder.keys.as_slice();
    match body {
        // Whoever has no keys yet shows that it has the new ones.
        Body::Keys { keys, .. } if own.is_empty() => Demand::Must(keys),
        Body::Sys { op: Op::Autopilot | Op::Unkey, .. } => Demand::Nothing,
        Body::Hand { .. } if sitting.control == Control::Resigned => Demand::Nothing,
        _ if own.is_empty() => Demand::Nothing,
        Body::Hand { .. } if sitting.is_long_left() => Demand::May(own),
        Body::Sys { op: Op::Resume, .. } => Demand::May(own),
        _ => Demand::Must(own),
    }
}

impl<'s> Demand<'s> {
    /// What is demanded of all that a player decides for a seat with these keys.
    pub const fn of_player(keys: &'s [SeatKey]) -> Self {
        if keys.is_empty() { Self::Nothing } else { Self::Must(keys) }
    }

    /// The signature that is there, and the keys that it may be by; nothing if none is there and none need be.
    pub fn met_by<'g>(
        self,
        signed: Option<&'g Signed>,
    ) -> Result<Option<(&'g Signed, &'s [SeatKey])>, Unsigned> {
        match (self, signed) {
            (Self::Nothing | Self::May(_), None) => Ok(None),
            (Self::Nothing, Some(_)) => Err(Unsigned::Unwanted),
            (Self::Must(_), None) => Err(Unsigned::Missing),
            (Self::May(keys) | Self::Must(keys), Some(signed)) => Ok(Some((signed, keys))),
        }
    }
}

/// Why a signature does not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsigned {
    Missing,
    /// None belongs there.
    Unwanted,
    /// The seat does not have this key.
    OtherKey,
    /// More has happened than the signer had seen, or less: the newest entry is `seq`.
    Stale {
        seq: u64,
    },
    /// The signature fits another message than the one with this SHA-256.
    OtherMessage {
        expected: String,
    },
}

impl Game {
    /// Whether an entry of a seat that is no command has the signature that it demands.
    pub fn consent(&self, game: &str, body: &Body) -> Result<Result<(), Unsigned>, Malformed> {
        let sitting = body.seat().and_then(|seat| self.standing.sitting(seat));
        let (Some(seat), Some(sitting)) = (body.seat(), sitting) else { return Ok(Ok(())) };
        let Some(message) = Message::of(body)? else { return Ok(Ok(())) };
        Ok(self.consent_now((game, seat), demand(body, sitting), body.signed(), &message))
    }

    /// Whether a request of these commands has the signature that it demands.
    pub fn consent_to_play(
        &self,
        game: &str,
        seat: u64,
        signed: Option<&Signed>,
        message: &Message,
    ) -> Result<(), Unsigned> {
        let keys = self.standing.sitting(seat).map_or(&[][..], |sitting| &sitting.holder.keys);
        self.consent_now((game, seat), Demand::of_player(keys), signed, message)
    }

    /// Whether a signature under a message is the one demanded, by who has seen the newest entry.
    fn consent_now(
        &self,
        (game, seat): (&str, u64),
        demand: Demand,
        signed: Option<&Signed>,
        message: &Message,
    ) -> Result<(), Unsigned> {
        let Some((signed, keys)) = demand.met_by(signed)? else { return Ok(()) };
        let seq = self.seq();
        if signed.seen != seq {
            return Err(Unsigned::Stale { seq });
        }
        check(signed, keys, message, Spot { game, seat, seen: seq, head: self.chain.head() })
    }

    /// Whether a plan for a seat is signed as it must be; `head` is that of the entry that its signer had seen.
    pub fn consent_to_plan(
        &self,
        game: &str,
        seat: u64,
        plan: &Plan,
        head: &Bytes32,
    ) -> Result<Result<(), Unsigned>, Malformed> {
        let Some(sitting) = self.standing.sitting(seat) else { return Ok(Ok(())) };
        Ok(match Demand::of_player(&sitting.holder.keys).met_by(plan.signed.as_ref()) {
            Err(unsigned) => Err(unsigned),
            Ok(None) => Ok(()),
            Ok(Some((signed, _))) if signed.seen > self.seq() || signed.seen < sitting.plans_after => {
                Err(Unsigned::Stale { seq: self.seq() })
            }
            Ok(Some((signed, keys))) => {
                let spot = Spot { game, seat, seen: signed.seen, head };
                check(signed, keys, &Message::plan(&plan.rules)?, spot)
            }
        })
    }
}

fn check(signed: &Signed, keys: &[SeatKey], message: &Message, spot: Spot) -> Result<(), Unsigned> {
    let message = message.at(spot);
    let key = keys.iter().find(|key| **key == signed.key).ok_or(Unsigned::OtherKey)?;
    if key.has_signed(&message, &signed.sig) {
        Ok(())
    } else {
        Err(Unsigned::OtherMessage { expected: hex(&Sha256::digest(&message)) })
    }
}
