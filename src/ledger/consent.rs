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
    /// By one of the keys that the seat gets with it, to show that they are its player's.
    Show(&'s [SeatKey]),
}

/// What is demanded of an entry of a seat that stands like this before it.
pub fn demand<'s>(body: &'s Body, sitting: &'s Sitting) -> Demand<'s> {
    let own = sitting.holder.keys.as_slice();
    match body {
        Body::Keys { keys, .. } if own.is_empty() => Demand::Show(keys),
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

    /// The signature that is there, and the keys that it may be by; nothing if none is there and none need
    /// be.
    pub fn met_by<'g>(self, signed: Option<&'g Signed>) -> Result<Option<(&'g Signed, &'s [SeatKey])>, Why> {
        match (self, signed) {
            (Self::Nothing | Self::May(_), None) => Ok(None),
            (Self::Nothing, Some(_)) => Err(Why::Unwanted),
            (Self::Must(_), None) => Err(Why::Missing),
            (Self::Show(_), None) => Err(Why::NotShown),
            (Self::May(keys) | Self::Must(keys) | Self::Show(keys), Some(signed)) => Ok(Some((signed, keys))),
        }
    }
}

/// Why a signature does not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsigned {
    pub why: Why,
    /// The SHA-256 of the message that must be signed, if there is one.
    pub expected: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    Missing,
    /// None of the keys that a seat without keys is to get has signed.
    NotShown,
    /// None belongs there.
    Unwanted,
    /// The seat does not have this key.
    OtherKey,
    /// More has happened than the signer had seen, or less: the newest entry is `seq`.
    Stale {
        seq: u64,
    },
    /// The signature fits another message.
    OtherMessage,
    /// It fits what the log holds, and what was sent is written otherwise.
    OtherForm,
}

impl Why {
    /// With the message that was expected.
    fn of(self, message: &[u8]) -> Unsigned {
        Unsigned { why: self, expected: Some(hex(&Sha256::digest(message))) }
    }
}

impl From<Why> for Unsigned {
    fn from(why: Why) -> Self {
        Self { why, expected: None }
    }
}

impl Game {
    /// Whether an entry of a seat that is no command, and stands by itself, has the signature that it
    /// demands.
    pub fn consent(&self, game: &str, body: &Body) -> Result<Result<(), Unsigned>, Malformed> {
        let sitting = body.seat().and_then(|seat| self.standing.sitting(seat));
        let (Some(seat), Some(sitting)) = (body.seat(), sitting) else { return Ok(Ok(())) };
        let Some(message) = Message::of(body)? else { return Ok(Ok(())) };
        let demand = match demand(body, sitting) {
            // A resume may be unsigned only before a command, which speaks for both.
            Demand::May(keys) if matches!(body, Body::Sys { .. }) => Demand::Must(keys),
            demand => demand,
        };
        Ok(self.consent_now((game, seat), demand, body.signed(), &message))
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
        let seq = self.seq();
        let spot = Spot { game, seat, seen: seq, head: self.chain.head() };
        match demand.met_by(signed) {
            Ok(None) => Ok(()),
            Ok(Some((signed, _))) if signed.seen != seq => Err(Why::Stale { seq }.of(&message.at(spot))),
            Ok(Some((signed, keys))) => check(signed, keys, message, spot),
            Err(why @ (Why::Missing | Why::NotShown)) => Err(why.of(&message.at(spot))),
            Err(why) => Err(why.into()),
        }
    }

    /// Whether a plan for a seat is signed as it must be; `head` is that of the entry that its signer had
    /// seen.
    pub fn consent_to_plan(
        &self,
        game: &str,
        seat: u64,
        plan: &Plan,
        head: &Bytes32,
    ) -> Result<Result<(), Unsigned>, Malformed> {
        let Some(sitting) = self.standing.sitting(seat) else { return Ok(Ok(())) };
        let message = Message::plan(&plan.rules)?;
        let newest = Spot { game, seat, seen: self.seq(), head: self.chain.head() };
        Ok(match Demand::of_player(&sitting.holder.keys).met_by(plan.signed.as_ref()) {
            Err(why @ Why::Missing) => Err(why.of(&message.at(newest))),
            Err(why) => Err(why.into()),
            Ok(None) => Ok(()),
            Ok(Some((signed, _))) if signed.seen > self.seq() || signed.seen < sitting.plans_after => {
                Err(Why::Stale { seq: self.seq() }.of(&message.at(newest)))
            }
            Ok(Some((signed, keys))) => {
                check(signed, keys, &message, Spot { game, seat, seen: signed.seen, head })
            }
        })
    }
}

fn check(signed: &Signed, keys: &[SeatKey], message: &Message, spot: Spot) -> Result<(), Unsigned> {
    let message = message.at(spot);
    let key = keys.iter().find(|key| **key == signed.key).ok_or_else(|| Why::OtherKey.of(&message))?;
    if key.has_signed(&message, &signed.sig) { Ok(()) } else { Err(Why::OtherMessage.of(&message)) }
}
