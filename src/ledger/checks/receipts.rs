//! Check 4: every receipt names the head that this history has at its seq, and the end is signed.

use super::chain::History;
use crate::ledger::{document::Document, evidence::Evidence, receipt::Note, report::Verdict};

pub fn check(
    document: &Document,
    history: &History,
    evidence: &Evidence,
    is_wanted: &dyn Fn() -> bool,
) -> Verdict {
    if evidence.keys.is_empty() {
        return Verdict::NotRun("no key was given to check receipts against".into());
    }
    let mut end_is_signed = false;
    for note in &document.receipts {
        match agrees(note, history, evidence) {
            Ok(seq) => end_is_signed |= seq == history.last(),
            Err(verdict) => return verdict,
        }
    }
    if !end_is_signed {
        return Verdict::fail(history.last(), "the document holds no receipt for its end");
    }
    for note in evidence.receipts.iter().take_while(|_| is_wanted()) {
        if let Err(verdict) = agrees(note, history, evidence) {
            return verdict;
        }
    }
    let (own, kept) = (document.receipts.len(), evidence.receipts.len());
    Verdict::Pass(format!(
        "{own} receipt(s) of the document and {kept} kept by seats name the heads of this history"
    ))
}

/// The seq that a receipt is for, if it is genuine and this history agrees with it.
fn agrees(note: &str, history: &History, evidence: &Evidence) -> Result<u64, Verdict> {
    let note = Note::read(note).map_err(|error| Verdict::fail(None, error.to_string()))?;
    let seq = note.receipt.seq;
    let receipt = note.check(evidence.keys).map_err(|error| Verdict::fail(seq, error.to_string()))?;
    if receipt.game != history.genesis.game {
        return Err(Verdict::fail(None, "a receipt is for another game"));
    }
    let head = usize::try_from(seq).ok().and_then(|place| history.heads.get(place));
    match head {
        None => Err(Verdict::fail(seq, "the operator signed an entry that this history does not have")),
        Some(head) if *head != receipt.head => {
            Err(Verdict::fail(seq, "the operator signed another history up to this entry"))
        }
        Some(_) => Ok(seq),
    }
}
