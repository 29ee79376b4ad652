//! Writing of entries.

use serde_json::{Value, json};

use super::{Body, End, Genesis, Holder, Join, command::CommandBody};
use crate::{
    engine::{Format, Malformed},
    ledger::{
        encoding::{canonical, hex},
        seat_key::SeatKey,
        signed::{Claim, PartOfRequest, Signed},
        terms::{Clock, Previous, Terms, TournamentTable},
    },
};

impl Body {
    /// Returns the bytes that are hashed and stored.
    pub fn write(&self, _: Format, seq: u64, at: u64) -> Result<Vec<u8>, Malformed> {
        if let Self::Cmd { seat, by, cmd, signed } = self {
            let (signed, by) = (signed.as_ref().map(PartOfRequest::write), by.word());
            return CommandBody { at, by, cmd, seat: *seat, seq, signed, kind: self.kind() }.canonical();
        }
        let mut body = self.members();
        body["seq"] = seq.into();
        body["at"] = at.into();
        body["type"] = self.kind().into();
        canonical(&body)
    }

    fn members(&self) -> Value {
        match self {
            Self::Genesis(genesis) => write_genesis(genesis),
            Self::Join(Join { seat, holder: Holder { player, bot }, commit, signed }) => json!({
                "seat": seat, "player": player, "bot": bot, "commit": commit.map(|bytes| hex(&bytes)),
                "signed": write_claim(signed.as_ref()),
            }),
            Self::Leave { seat } | Self::Autopilot { seat } => json!({"seat": seat}),
            Self::Reveal { seat, entropy } => json!({"seat": seat, "entropy": hex(entropy)}),
            Self::Start | Self::Cmd { .. } => json!({}),
            Self::Takeback { seat, to, signed } => {
                json!({"seat": seat, "to": to, "signed": write_signed(signed.as_ref())})
            }
            Self::Act { seat, signed, .. } => json!({"seat": seat, "signed": write_signed(signed.as_ref())}),
            Self::Hand { seat, holder: Holder { player, bot }, taken, signed } => json!({
                "seat": seat, "player": player, "bot": bot, "taken": write_claim(taken.as_ref()),
                "signed": write_signed(signed.as_ref()),
            }),
            Self::Revoke { seat, keys, signed } => {
                json!({"seat": seat, "keys": SeatKey::write(keys), "signed": write_signed(signed.as_ref())})
            }
            Self::Remove { seat, text } => json!({"seat": seat, "text": text}),
            Self::Outage { ms } => json!({"ms": ms}),
            Self::End(End { reason, result, text }) => {
                json!({"reason": reason.word(), "result": result, "text": text})
            }
        }
    }
}

fn write_genesis(genesis: &Genesis) -> Value {
    let mut written = write_terms(&genesis.terms);
    written["format"] = genesis.format.name().into();
    written["game"] = genesis.game.as_str().into();
    written["commit"] = hex(&genesis.commit).into();
    written
}

/// The terms of a table, as the genesis has them and a signed join covers them.
pub fn write_terms(terms: &Terms) -> Value {
    json!({
        "rules": {"name": terms.ruleset, "version": terms.version}, "options": terms.options, "seats": terms.seats,
        "clock": terms.clock.map(Clock::write), "takebacks": terms.takebacks,
        "substitutes": terms.substitutes, "rated": terms.rated,
        "event": terms.event.as_ref().map(TournamentTable::write),
        "previous": terms.previous.as_ref().map(Previous::write),
    })
}

pub fn write_claim(claim: Option<&Claim>) -> Value {
    claim.map_or(Value::Null, Claim::write)
}

fn write_signed(signed: Option<&Signed>) -> Value {
    signed.map_or(Value::Null, Signed::write)
}
