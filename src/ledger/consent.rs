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
        Ok(match (demand(body, sitting), body.signed(), Message::of(body)?) {
            (Demand::Nothing | Demand::May(_), None, _) | (_, _, None) => Ok(()),
            (Demand::Nothing, Some(_), _) => Err(Unsigned::Unwanted),
            (Demand::Must(_), None, _) => Err(Unsigned::Missing),
            (Demand::May(keys) | Demand::Must(keys), Some(signed), Some(message)) => {
                self.now(game, seat, signed).and_then(|spot| check(signed, keys, &message, spot))
            }
        })
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
        match (keys.is_empty(), signed) {
            (true, None) => Ok(()),
            (true, Some(_)) => Err(Unsigned::Unwanted),
            (false, None) => Err(Unsigned::Missing),
            (false, Some(signed)) => {
                self.now(game, seat, signed).and_then(|spot| check(signed, keys, message, spot))
            }
        }
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
        let keys = &sitting.holder.keys;
        Ok(match (keys.is_empty(), &plan.signed) {
            (true, None) => Ok(()),
            (true, Some(_)) => Err(Unsigned::Unwanted),
            (false, None) => Err(Unsigned::Missing),
            (false, Some(signed)) if signed.seen > self.seq() || signed.seen < sitting.plans_after => {
                Err(Unsigned::Stale { seq: self.seq() })
            }
            (false, Some(signed)) => {
                let spot = Spot { game, seat, seen: signed.seen, head };
                check(signed, keys, &Message::plan(&plan.rules)?, spot)
            }
        })
    }

    fn now<'s>(&'s self, game: &'s str, seat: u64, signed: &Signed) -> Result<Spot<'s>, Unsigned> {
        let seq = self.seq();
        if signed.seen == seq {
            Ok(Spot { game, seat, seen: seq, head: self.chain.head() })
        } else {
            Err(Unsigned::Stale { seq })
        }
    }
}

fn check(signed: &Signed, keys: &[SeatKey], message: &Message, spot: Spot) -> Result<(), Unsigned> {
    let message = message.at(spot);
    if !keys.contains(&signed.key) {
        Err(Unsigned::OtherKey)
    } else if signed.fits(&message) {
        Ok(())
    } else {
        Err(Unsigned::OtherMessage { expected: hex(&Sha256::digest(&message)) })
    }
}
