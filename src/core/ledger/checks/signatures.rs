//! Check 7: every required signature is present and valid, and there are no others.

use serde_json::Value;

use super::chain::History;
use crate::ledger::{
    consent::{Demand, demand},
    device,
    document::Document,
    entry::{Body, By, Join},
    finding::{Finding, finding},
    message::{Message, Seating, Spot},
    plan::Plan,
    seat_key::SeatKey,
    signed::{PartOfRequest, Signed},
    standing::{Sitting, Standing},
    verdict::Verdict,
};

pub fn check(document: &Document, history: &History) -> Verdict {
    let mut walk = Walk::new(history);
    let mut broken = None;
    for (recorded, seq) in document.entries().zip(0..) {
        let body = &recorded.entry.body;
        walk.is_signed |= is_signed(body);
        if let Err(why) = walk.judge(seq, body) {
            broken = Some((seq, why));
            break;
        }
        if seq > 0 {
            walk.standing.follow(body, seq);
        }
    }
    let (is_signed, count) = (walk.is_signed, walk.claims.len());
    if let Some(seq) = walk.first_invalid() {
        return Verdict::fail(seq, finding!("signature_invalid"));
    }
    match broken {
        Some((seq, why)) => Verdict::fail(seq, why),
        None if !is_signed => Verdict::NotRun(finding!("nothing_signed")),
        None => Verdict::Pass(finding!("signatures_hold", count = count)),
    }
}

fn is_signed(body: &Body) -> bool {
    body.signed().is_some() || body.claim().is_some() || body.plan().is_some_and(|plan| plan.signed.is_some())
}

/// A signature, and its message.
struct SignedMessage {
    seq: u64,
    key: SeatKey,
    message: Vec<u8>,
    sig: [u8; 64],
}

/// A signed request of several commands, as far as it was read.
struct SignedBatch {
    seat: u64,
    part: PartOfRequest,
    cmds: Vec<Value>,
}

struct Walk<'h> {
    history: &'h History,
    standing: Standing,
    batch: Option<SignedBatch>,
    is_signed: bool,
    /// Signatures to verify, in the order of their entries.
    claims: Vec<SignedMessage>,
}

impl<'h> Walk<'h> {
    fn new(history: &'h History) -> Self {
        let standing = Standing::new(&history.genesis);
        Self { history, standing, batch: None, is_signed: false, claims: Vec::new() }
    }

    /// Returns the first entry with an invalid signature.
    fn first_invalid(&self) -> Option<u64> {
        let is_invalid = |claimed: &&SignedMessage| !claimed.key.has_signed(&claimed.message, &claimed.sig);
        self.claims.iter().find(is_invalid).map(|claimed| claimed.seq)
    }

    fn judge(&mut self, seq: u64, body: &Body) -> Result<(), Finding> {
        if self.batch.is_some() && !matches!(body, Body::Cmd { signed: Some(_), .. }) {
            return Err(finding!("request_incomplete"));
        }
        self.judge_claim(seq, body)?;
        let Some(sitting) = body.seat().and_then(|seat| self.standing.sitting(seat)).cloned() else {
            return Ok(());
        };
        match body {
            Body::Cmd { seat, by: By::Player, cmd, signed } => {
                self.judge_command(seq, *seat, (cmd, signed.as_ref()), &sitting)
            }
            Body::Cmd { seat, by: By::Plan(plan), .. } => self.judge_plan(seq, *seat, plan, &sitting),
            Body::Takeback { .. } | Body::Act { .. } | Body::Hand { .. } | Body::Revoke { .. } => {
                self.judge_act(seq, body, &sitting)
            }
            _ => Ok(()),
        }
    }

    /// Checks the claim of a player who takes a seat.
    fn judge_claim(&mut self, seq: u64, body: &Body) -> Result<(), Finding> {
        let (Some(claim), Some(seat)) = (body.claim(), body.seat()) else { return Ok(()) };
        let seating = match body {
            Body::Join(Join { holder, commit, .. }) => {
                Seating::Join { player: &holder.player, commit: commit.as_ref() }
            }
            Body::Hand { holder, .. } => Seating::Hand { player: &holder.player },
            _ => return Ok(()),
        };
        let genesis = &self.history.genesis;
        let message = seating.message((&genesis.game, seat), &claim.nonce, &genesis.terms)?;
        self.claims.push(SignedMessage { seq, key: claim.key.clone(), message, sig: claim.sig });
        Ok(())
    }

    /// Checks an entry other than a command.
    fn judge_act(&mut self, seq: u64, body: &Body, sitting: &Sitting) -> Result<(), Finding> {
        if matches!(body, Body::Revoke { .. }) && sitting.keys.is_empty() {
            return Err(finding!("revoke_without_keys"));
        }
        match (demand(body, sitting), body.signed()) {
            (Demand::Nothing | Demand::May | Demand::NewKey, None) => Ok(()),
            (Demand::Nothing, Some(_)) => Err(finding!("signature_unwanted")),
            (Demand::Must, None) => Err(finding!("signature_missing")),
            (demand, Some(signed)) => {
                no_gap(seq, signed)?;
                let message = Message::of(body)?.ok_or_else(|| finding!("signature_unwanted"))?;
                if demand == Demand::NewKey {
                    let message = self.message_at(body.seat(), signed, &message)?;
                    self.claims.push(SignedMessage {
                        seq,
                        key: signed.key.clone(),
                        message,
                        sig: signed.sig,
                    });
                    return Ok(());
                }
                self.verify(seq, body.seat(), signed, sitting, &message, true)
            }
        }
    }

    fn judge_command(
        &mut self,
        seq: u64,
        seat: u64,
        (cmd, part): (&Value, Option<&PartOfRequest>),
        sitting: &Sitting,
    ) -> Result<(), Finding> {
        let part = match (part, sitting.keys.is_empty()) {
            (None, true) => return Ok(()),
            (Some(_), true) => return Err(finding!("signature_unwanted")),
            (None, false) => return Err(finding!("signature_missing")),
            (Some(part), false) => part,
        };
        let batch = match self.batch.take() {
            Some(mut batch) => {
                let follows =
                    batch.seat == seat && batch.part.is_of(part) && batch.cmds.len() as u64 == part.no;
                if !follows {
                    return Err(finding!("request_incomplete"));
                }
                batch.cmds.push(cmd.clone());
                batch
            }
            None if part.no > 0 => return Err(finding!("request_without_beginning")),
            None => {
                no_gap(seq, &part.signed)?;
                // Keys of devices are in force from this entry on, so the statements are checked here.
                self.verify_chain(seq, &part.signed, sitting, true)?;
                SignedBatch { seat, part: part.clone(), cmds: vec![cmd.clone()] }
            }
        };
        if part.no + 1 < part.of {
            self.batch = Some(batch);
            return Ok(());
        }
        let cmds: Vec<&Value> = batch.cmds.iter().collect();
        let message = Message::commands(&cmds)?;
        let message = self.message_at(Some(seat), &part.signed, &message)?;
        let key = sitting.keys.find(&part.signed.key).unwrap_or(&part.signed.key).clone();
        self.claims.push(SignedMessage { seq, key, message, sig: part.signed.sig });
        Ok(())
    }

    fn judge_plan(&mut self, seq: u64, seat: u64, plan: &Plan, sitting: &Sitting) -> Result<(), Finding> {
        let signed = match (&plan.signed, sitting.keys.is_empty()) {
            (None, true) => return Ok(()),
            (Some(_), true) => return Err(finding!("signature_unwanted")),
            (None, false) => return Err(finding!("plan_not_signed")),
            (Some(signed), false) => signed,
        };
        if signed.seen >= seq || signed.seen < sitting.plans_after {
            return Err(finding!("plan_too_old"));
        }
        let message = Message::plan(&plan.rules)?;
        self.verify(seq, Some(seat), signed, sitting, &message, false)
    }

    fn verify(
        &mut self,
        seq: u64,
        seat: Option<u64>,
        signed: &Signed,
        sitting: &Sitting,
        message: &Message,
        adds: bool,
    ) -> Result<(), Finding> {
        self.verify_chain(seq, signed, sitting, adds)?;
        let message = self.message_at(seat, signed, message)?;
        let key = sitting.keys.find(&signed.key).unwrap_or(&signed.key).clone();
        self.claims.push(SignedMessage { seq, key, message, sig: signed.sig });
        Ok(())
    }

    /// Checks that the signer is a key in force, or linked to one by the player's statements.
    fn verify_chain(
        &mut self,
        seq: u64,
        signed: &Signed,
        sitting: &Sitting,
        adds: bool,
    ) -> Result<(), Finding> {
        let added = sitting.keys.added_by(signed)?;
        if adds && !sitting.keys.have_room(&added) {
            return Err(finding!("too_many_keys"));
        }
        for statement in &signed.devices {
            let message = device::message(&sitting.holder.player, &statement.keys);
            for (key, sig) in statement.keys.iter().zip(statement.sigs) {
                self.claims.push(SignedMessage { seq, key: key.clone(), message: message.clone(), sig });
            }
        }
        Ok(())
    }

    fn message_at(&self, seat: Option<u64>, signed: &Signed, message: &Message) -> Result<Vec<u8>, Finding> {
        let head = self.history.head(signed.seen).ok_or_else(|| finding!("seen_missing"))?;
        let (game, seat) = (self.history.genesis.game.as_str(), seat.unwrap_or_default());
        Ok(message.at(Spot { game, seat, seen: signed.seen, head }))
    }
}

/// Checks that the signer had seen all earlier entries.
fn no_gap(seq: u64, signed: &Signed) -> Result<(), Finding> {
    if seq.checked_sub(1) == Some(signed.seen) {
        Ok(())
    } else {
        Err(finding!("seen_gap", seen = signed.seen))
    }
}
