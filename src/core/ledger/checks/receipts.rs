//! Check 4: every receipt agrees with this history, and the end is signed.

use super::chain::History;
use crate::{
    engine::malformed::clip,
    ledger::{
        document::Document,
        evidence::Evidence,
        finding::{Finding, finding},
        receipt::{Note, Receipt},
        restore::Restore,
        verdict::Verdict,
    },
    tree::{note::VerifierKey, proof::Proof},
};

pub fn check(
    document: &Document,
    history: &History,
    evidence: &Evidence,
    is_wanted: &dyn Fn() -> bool,
) -> Verdict {
    if evidence.keys.is_empty() {
        return Verdict::NotRun(finding!("no_receipt_keys"));
    }
    let judge = Judge { history, evidence };
    let mut tally = ReceiptTally::default();
    let own = judge.receipt(&document.receipt, None);
    let own = own.and_then(|told| match told {
        ReceiptMeaning::Agrees(seq) | ReceiptMeaning::LostHistory(seq) if seq != history.last() => {
            Err(Conviction { seq: Some(seq), why: finding!("receipt_not_of_end") })
        }
        ReceiptMeaning::Excused => {
            Err(Conviction { seq: Some(history.last()), why: finding!("receipt_not_of_end") })
        }
        told => Ok(told),
    });
    tally.take(own);
    for kept in evidence.receipts.iter().take_while(|_| is_wanted()) {
        tally.take(judge.receipt(&kept.receipt, kept.proof.as_deref()));
    }
    tally.verdict()
}

/// The verdict of a genuine receipt.
enum ReceiptMeaning {
    /// The receipt agrees with this entry.
    Agrees(u64),
    /// The entry was lost before this history continued.
    Excused,
    /// The receipt agrees, but this history was lost.
    LostHistory(u64),
}

struct Conviction {
    seq: Option<u64>,
    why: Finding,
}

/// The verdict of all receipts.
#[derive(Default)]
struct ReceiptTally {
    convictions: Vec<Conviction>,
    agree: u64,
    excused: u64,
    is_lost: bool,
}

impl ReceiptTally {
    fn take(&mut self, told: Result<ReceiptMeaning, Conviction>) {
        match told {
            Ok(ReceiptMeaning::Agrees(_)) => self.agree += 1,
            Ok(ReceiptMeaning::Excused) => self.excused += 1,
            Ok(ReceiptMeaning::LostHistory(_)) => self.is_lost = true,
            Err(conviction) => self.convictions.push(conviction),
        }
    }

    fn verdict(self) -> Verdict {
        let first = self.convictions.into_iter().min_by_key(|one| one.seq.unwrap_or(u64::MAX));
        match first {
            Some(Conviction { seq, why }) => Verdict::fail(seq, why),
            None if self.is_lost => Verdict::NotRun(finding!("history_lost")),
            None if self.excused > 0 => Verdict::NotRun(finding!("receipts_excused", count = self.excused)),
            None => Verdict::Pass(finding!("receipts_agree", count = self.agree)),
        }
    }
}

struct Judge<'j> {
    history: &'j History,
    evidence: &'j Evidence<'j>,
}

impl Judge<'_> {
    fn receipt(&self, note: &str, proof: Option<&str>) -> Result<ReceiptMeaning, Conviction> {
        let fail = |seq, why| Conviction { seq, why };
        let note = Note::read(note).map_err(|why| fail(None, finding!("receipt_malformed", why = why)))?;
        let seq = note.receipt.seq;
        let (receipt, key) = note
            .check(self.evidence.keys)
            .map_err(|why| fail(Some(seq), finding!("receipt_not_genuine", why = why)))?;
        if receipt.game != self.history.genesis.game {
            return Err(fail(None, finding!("receipt_of_other_game", game = clip(&receipt.game))));
        }
        let told = match self.evidence.restores.iter().find(|restore| restore.receipts.ended == *key) {
            Some(restore) => self.by_ended_key(receipt, restore, proof),
            None => self.by_key_in_use(receipt),
        };
        told.map_err(|why| fail(Some(seq), why))
    }

    fn agrees(&self, receipt: &Receipt) -> bool {
        let place = usize::try_from(receipt.seq).ok();
        let at = place.and_then(|place| self.history.times.get(place));
        self.history.head(receipt.seq) == Some(&receipt.head) && at == Some(&receipt.at)
    }

    fn by_key_in_use(&self, receipt: &Receipt) -> Result<ReceiptMeaning, Finding> {
        if self.agrees(receipt) {
            return Ok(ReceiptMeaning::Agrees(receipt.seq));
        }
        Err(match self.history.head(receipt.seq) {
            None => finding!("receipt_of_missing_entry"),
            Some(head) if *head == receipt.head => finding!("receipt_of_other_time"),
            Some(_) => finding!("receipt_of_other_history"),
        })
    }

    /// Returns the verdict for a key that ended with a restore, in the order of the format.
    fn by_ended_key(
        &self,
        receipt: &Receipt,
        restore: &Restore,
        proof: Option<&str>,
    ) -> Result<ReceiptMeaning, Finding> {
        if receipt.at > restore.at {
            return Err(finding!("signed_after_end"));
        }
        let last = restore.last_place(&self.history.genesis.game, &self.history.heads);
        if last.is_some_and(|last| receipt.seq > last) {
            if self.agrees(receipt) {
                return Ok(ReceiptMeaning::LostHistory(receipt.seq));
            }
            return proof
                .map_or(Ok(()), |proof| self.excuse(receipt, restore, proof))
                .map(|()| ReceiptMeaning::Excused);
        }
        self.by_key_in_use(receipt)
    }

    /// Checks that the proof of an excused receipt does not convict the server.
    fn excuse(&self, receipt: &Receipt, restore: &Restore, proof: &str) -> Result<(), Finding> {
        let Evidence { logs, witnesses, quorum, .. } = *self.evidence;
        let mut keys = logs.to_vec();
        keys.extend([restore.tree.ended.clone(), restore.tree.begun.clone()]);
        let broken = |why: String| finding!("proof_fails", why = why);
        let proof = Proof::read(proof).map_err(|why| broken(why.to_owned()))?;
        let pinned = proof.check(&receipt.head, &keys, witnesses, quorum).map_err(broken)?;
        let signed_by = |key: &VerifierKey| proof.checkpoint().check_log(std::slice::from_ref(key)).is_ok();
        if signed_by(&restore.tree.begun) {
            return Err(finding!("lost_entry_in_new_tree"));
        }
        if signed_by(&restore.tree.ended) {
            if pinned.index < restore.leaves {
                return Err(finding!("lost_entry_in_backup"));
            }
            if pinned.seen.iter().any(|(_, seen)| seen.saturating_mul(1_000) > restore.at) {
                return Err(finding!("old_tree_grew"));
            }
        }
        Ok(())
    }
}
