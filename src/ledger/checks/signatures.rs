//! Check 7: every signature that a player owes is there, and there is no other.

use serde_json::Value;

use super::chain::History;
use crate::{
    engine::hash::Bytes32,
    ledger::{
        consent::{Demand, demand},
        document::Document,
        entry::{Body, By, Op},
        plan::Plan,
        report::Verdict,
        signed::{Message, SeatKey, Signed, SignedPart, Spot},
        standing::{Sitting, Standing},
    },
};

pub fn check(document: &Document, history: &History) -> Verdict {
    let mut walk = Walk::new(history);
    for (recorded, seq) in document.entries().zip(0..) {
        let body = &recorded.entry.body;
        let result = walk.judge(seq, body, recorded.secret.is_some());
        if let Err(detail) = result {
            return Verdict::fail(seq, detail);
        }
        if seq > 0 {
            walk.follow(body, seq);
        }
    }
    if !walk.had_keys {
        return Verdict::NotRun("no seat ever had keys: the server alone vouches for who moved".into());
    }
    Verdict::Pass(format!("{} signature(s) of players, each by a key of its seat", walk.signatures))
}

/// A request of several commands under one signature, as far as it was met. The end of the game, at the
/// latest, breaks it off.
struct Batch {
    seat: u64,
    part: SignedPart,
    cmds: Vec<Value>,
}

struct Walk<'h> {
    history: &'h History,
    standing: Standing,
    batch: Option<Batch>,
    /// The seat whose command must come next, since it resumed without a signature.
    owed_to: Option<u64>,
    had_keys: bool,
    signatures: u64,
}

impl<'h> Walk<'h> {
    fn new(history: &'h History) -> Self {
        let standing = Standing::new(&history.genesis);
        let (batch, owed_to) = (None, None);
        Self { history, standing, batch, owed_to, had_keys: false, signatures: 0 }
    }

    /// Takes an entry in that check 3 has let pass.
    fn follow(&mut self, body: &Body, seq: u64) {
        let placed = self.standing.place(body).and_then(|()| self.standing.hand_over(body));
        debug_assert!(placed.is_ok(), "the chain let it pass");
        self.standing.note(body, seq);
        self.had_keys |= body.keys().next().is_some();
    }

    fn judge(&mut self, seq: u64, body: &Body, has_secret: bool) -> Result<(), String> {
        let owed_to = self.owed_to.take();
        if owed_to.is_some() && !is_command_of(body, owed_to) {
            return Err("the resume before it is signed by nobody, and speaks for no command".into());
        }
        if self.batch.is_some() && !matches!(body, Body::Cmd { signed: Some(_), .. }) {
            return Err("a signed request is broken off here".into());
        }
        let Some(sitting) = body.seat().and_then(|seat| self.standing.sitting(seat)).cloned() else {
            return Ok(());
        };
        match body {
            Body::Cmd { seat, by: By::Player, cmd, signed } => self.judge_command(
                seq,
                *seat,
                (cmd, signed.as_ref()),
                &sitting,
                owed_to.is_some(),
                has_secret,
            ),
            Body::Cmd { seat, by, signed, .. } => {
                if signed.is_some() {
                    return Err(format!("a command by the {} is signed", by.word()));
                }
                match by {
                    By::Plan(plan) => self.judge_plan(seq, *seat, plan, &sitting),
                    _ => Ok(()),
                }
            }
            Body::Keys { .. } | Body::Hand { .. } | Body::Takeback { .. } | Body::Sys { .. } => {
                self.judge_act(seq, body, &sitting)
            }
            _ => Ok(()),
        }
    }

    /// An entry that is no command.
    fn judge_act(&mut self, seq: u64, body: &Body, sitting: &Sitting) -> Result<(), String> {
        match (demand(body, sitting), body.signed()) {
            (Demand::Nothing, None) => Ok(()),
            (Demand::Nothing, Some(_)) => Err("a signature stands where none belongs".into()),
            (Demand::May(_), None) => {
                let resumes = matches!(body, Body::Sys { op: Op::Resume, .. });
                self.owed_to = body.seat().filter(|_| resumes);
                Ok(())
            }
            (Demand::Must(_) | Demand::Show(_), None) => {
                Err("the signature of the seat's player is missing".into())
            }
            (Demand::May(keys) | Demand::Must(keys) | Demand::Show(keys), Some(signed)) => {
                if seq.checked_sub(1) != Some(signed.seen) {
                    return Err(format!(
                        "the signer had seen the entry {}, and not all before this one",
                        signed.seen
                    ));
                }
                let message = Message::of(body).map_err(|error| error.to_string())?;
                let message = message.ok_or("nothing is signed here")?;
                self.verify(body.seat().unwrap_or_default(), signed, keys, &message)
            }
        }
    }

    fn judge_command(
        &mut self,
        seq: u64,
        seat: u64,
        (cmd, part): (&Value, Option<&SignedPart>),
        sitting: &Sitting,
        resumed: bool,
        has_secret: bool,
    ) -> Result<(), String> {
        let keys = &sitting.holder.keys;
        let part = match (part, keys.is_empty()) {
            (None, true) => return Ok(()),
            (Some(_), true) => {
                return Err("a signature stands where none belongs: the seat has no keys".into());
            }
            (None, false) => return Err("the signature of the seat's player is missing".into()),
            (Some(part), false) => part,
        };
        let batch = match self.batch.take() {
            Some(mut batch) => {
                let follows = batch.seat == seat
                    && batch.part.signed == part.signed
                    && batch.part.of == part.of
                    && batch.cmds.len() as u64 == part.no;
                if !follows {
                    return Err("a signed request is broken off here".into());
                }
                batch.cmds.push(cmd.clone());
                batch
            }
            None if part.no > 0 => return Err("the commands before it in its request are missing".into()),
            None => {
                let seen = seq.checked_sub(1 + u64::from(resumed));
                if seen != Some(part.signed.seen) {
                    let seen = part.signed.seen;
                    return Err(format!("the signer had seen the entry {seen}, and not all before this one"));
                }
                Batch { seat, part: part.clone(), cmds: vec![cmd.clone()] }
            }
        };
        if part.no + 1 < part.of {
            self.batch = Some(batch);
            let drew = "a command that draws stands before the last of its request".to_owned();
            return if has_secret { Err(drew) } else { Ok(()) };
        }
        let cmds: Vec<&Value> = batch.cmds.iter().collect();
        let message = Message::play(&cmds).map_err(|error| error.to_string())?;
        self.verify(seat, &part.signed, keys, &message)
    }

    fn judge_plan(&mut self, seq: u64, seat: u64, plan: &Plan, sitting: &Sitting) -> Result<(), String> {
        let keys = &sitting.holder.keys;
        let signed = match (&plan.signed, keys.is_empty()) {
            (None, true) => return Ok(()),
            (Some(_), true) => return Err("the plan is signed, and the seat has no keys".into()),
            (None, false) => return Err("the plan is not signed by the seat's player".into()),
            (Some(signed), false) => signed,
        };
        if signed.seen >= seq || signed.seen < sitting.plans_after {
            return Err(
                "the plan is older than what has ended the plans of the seat, or than a later plan".into()
            );
        }
        let message = Message::plan(&plan.rules).map_err(|error| error.to_string())?;
        self.verify(seat, signed, keys, &message)
    }

    fn verify(
        &mut self,
        seat: u64,
        signed: &Signed,
        keys: &[SeatKey],
        message: &Message,
    ) -> Result<(), String> {
        let key = keys.iter().find(|key| **key == signed.key);
        let key = key.ok_or("it is signed by a key that the seat does not have here")?;
        let head: Option<&Bytes32> =
            usize::try_from(signed.seen).ok().and_then(|seen| self.history.heads.get(seen));
        let head = head.ok_or("the signer had seen an entry that is not there")?;
        let spot = Spot { game: &self.history.genesis.game, seat, seen: signed.seen, head };
        if !key.has_signed(&message.at(spot), &signed.sig) {
            return Err("the signature does not fit what stands here".into());
        }
        self.signatures += 1;
        Ok(())
    }
}

fn is_command_of(body: &Body, owed_to: Option<u64>) -> bool {
    matches!(body, Body::Cmd { by: By::Player, seat, .. } if Some(*seat) == owed_to)
}
