//! Required signatures: which entries need one, and checks of a new entry's signature.

use sha2::{Digest as _, Sha256};

use super::{
    device::Device,
    encoding::hex,
    entry::{Body, PlainAct},
    game::Game,
    message::{Message, Seating, Spot},
    plan::Plan,
    seat_key::SeatKey,
    signed::{Claim, Signed},
    standing::{Control, Sitting},
};
use crate::engine::{Malformed, hash::Bytes32};

/// Which signature an entry needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    Nothing,
    May,
    /// A key in force, or a device linked to such a key.
    Must,
    /// The key that the entry puts in force, or no signature.
    NewKey,
}

/// Returns the signature that an entry needs. `sitting` is the seat before the entry.
pub fn demand(body: &Body, sitting: &Sitting) -> Demand {
    match body {
        _ if body.is_act(PlainAct::Rekey) => Demand::NewKey,
        Body::Hand { .. } if sitting.control == Control::Resigned => Demand::Nothing,
        _ if sitting.keys.is_empty() => Demand::Nothing,
        Body::Hand { .. } if sitting.is_long_away() => Demand::May,
        _ => Demand::Must,
    }
}

/// A refused signature, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsigned {
    pub why: Why,
    /// SHA-256 of the message to sign.
    pub expected: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    Missing,
    /// None belongs there.
    Unwanted,
    /// The key is revoked, or neither in force nor linked to a key in force.
    OtherKey,
    /// The signer had not seen the newest entry, `seq`.
    Stale {
        seq: u64,
    },
    /// The signature is valid for another message.
    OtherMessage,
    /// The signature is valid for the canonical form of the message, but the request has another form.
    OtherForm,
    /// No key is in force, so there is nothing to revoke.
    NoKeys,
}

impl Why {
    /// Adds the expected message.
    fn of(self, message: &[u8]) -> Unsigned {
        Unsigned { why: self, expected: Some(hex(&Sha256::digest(message))) }
    }
}

impl From<Why> for Unsigned {
    fn from(why: Why) -> Self {
        Self { why, expected: None }
    }
}

/// Checks the signature of a claim for this game, seat and table.
pub fn check_claim(
    game: &Game,
    (id, seat): (&str, u64),
    seating: Seating,
    claim: Option<&Claim>,
) -> Result<Result<(), Unsigned>, Malformed> {
    let Some(Claim { key, nonce, sig }) = claim else { return Ok(Ok(())) };
    let message = seating.message((id, seat), nonce, &game.standing.terms)?;
    Ok(if key.has_signed(&message, sig) { Ok(()) } else { Err(Why::OtherMessage.of(&message)) })
}

impl Game {
    /// Attaches the device statements of the player that a signature needs.
    pub fn attach(&self, seat: u64, signed: &mut Signed, statements: &[Device]) {
        if let Some(sitting) = self.standing.sitting(seat) {
            signed.devices = sitting.keys.chain_to(&signed.key, statements);
        }
    }

    /// Checks the signature of an entry that is not a command.
    pub fn consent(&self, game: &str, body: &Body) -> Result<Result<(), Unsigned>, Malformed> {
        let sitting = body.seat().and_then(|seat| self.standing.sitting(seat));
        let (Some(seat), Some(sitting)) = (body.seat(), sitting) else { return Ok(Ok(())) };
        let Some(message) = Message::of(body)? else { return Ok(Ok(())) };
        if matches!(body, Body::Revoke { .. }) && sitting.keys.is_empty() {
            return Ok(Err(Why::NoKeys.into()));
        }
        Ok(self.consent_now((game, seat), demand(body, sitting), body.signed(), &message))
    }

    /// Checks the signature of a request with commands.
    pub fn consent_to_play(
        &self,
        game: &str,
        seat: u64,
        signed: Option<&Signed>,
        message: &Message,
    ) -> Result<(), Unsigned> {
        let is_empty = self.standing.sitting(seat).is_none_or(|sitting| sitting.keys.is_empty());
        let demand = if is_empty { Demand::Nothing } else { Demand::Must };
        self.consent_now((game, seat), demand, signed, message)
    }

    /// Checks a signature that must be made after the newest entry.
    fn consent_now(
        &self,
        (game, seat): (&str, u64),
        demand: Demand,
        signed: Option<&Signed>,
        message: &Message,
    ) -> Result<(), Unsigned> {
        let seq = self.seq();
        let spot = Spot { game, seat, seen: seq, head: self.chain.head() };
        match (demand, signed) {
            (Demand::Nothing | Demand::May | Demand::NewKey, None) => Ok(()),
            (Demand::Nothing, Some(_)) => Err(Why::Unwanted.into()),
            (Demand::Must, None) => Err(Why::Missing.of(&message.at(spot))),
            (_, Some(signed)) if signed.seen != seq => Err(Why::Stale { seq }.of(&message.at(spot))),
            (Demand::NewKey, Some(signed)) => check(&signed.key, signed, &message.at(spot)),
            (Demand::May | Demand::Must, Some(signed)) => self.check_by_seat(signed, message, spot),
        }
    }

    /// Checks the signature of a plan. `head` belongs to the newest entry that the signer had seen.
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
        Ok(match (&plan.signed, sitting.keys.is_empty()) {
            (None, true) => Ok(()),
            (Some(_), true) => Err(Why::Unwanted.into()),
            (None, false) => Err(Why::Missing.of(&message.at(newest))),
            (Some(signed), false) if signed.seen > self.seq() || signed.seen < sitting.plans_after => {
                Err(Why::Stale { seq: self.seq() }.of(&message.at(newest)))
            }
            (Some(signed), false) => {
                self.check_by_seat(signed, &message, Spot { game, seat, seen: signed.seen, head })
            }
        })
    }

    /// Checks that a key in force signed, or a key that the attached statements link to one.
    fn check_by_seat(&self, signed: &Signed, message: &Message, spot: Spot) -> Result<(), Unsigned> {
        let message = message.at(spot);
        let Some(sitting) = self.standing.sitting(spot.seat) else { return Err(Why::OtherKey.of(&message)) };
        if let Some(key) = sitting.keys.find(&signed.key) {
            return check(key, signed, &message);
        }
        let is_linked = sitting.keys.added_by(signed).is_ok_and(|added| sitting.keys.have_room(&added))
            && signed.devices.iter().all(|device| device.is_of(&sitting.holder.player));
        if is_linked { check(&signed.key, signed, &message) } else { Err(Why::OtherKey.of(&message)) }
    }
}

fn check(key: &SeatKey, signed: &Signed, message: &[u8]) -> Result<(), Unsigned> {
    if key.has_signed(message, &signed.sig) { Ok(()) } else { Err(Why::OtherMessage.of(message)) }
}
