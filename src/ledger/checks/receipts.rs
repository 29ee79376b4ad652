//! Check 4: every receipt names the head that this history has at its seq, and the end is signed.

use super::chain::History;
use crate::{
    ledger::{document::Document, evidence::Evidence, receipt::Note, report::Verdict, restore::Restore},
    tree::note::VerifierKey,
};

pub fn check(
    document: &Document,
    history: &History,
    evidence: &Evidence,
    is_wanted: &dyn Fn() -> bool,
) -> Verdict {
    if evidence.keys.is_empty() {
        return Verdict::NotRun("no key was given to check receipts against".into());
    }
    let ends = ends(history, evidence);
    let (mut end_is_signed, mut is_lost) = (false, false);
    for note in &document.receipts {
        match agrees(note, history, evidence, &ends) {
            Ok(Told::Stands(seq)) => end_is_signed |= seq == history.last(),
            Ok(Told::Lost) => {}
            Ok(Told::LostHere) => is_lost = true,
            Err(verdict) => return verdict,
        }
    }
    if !end_is_signed && !is_lost {
        return Verdict::fail(history.last(), "the document holds no receipt for its end");
    }
    let mut lost = 0;
    for note in evidence.receipts.iter().take_while(|_| is_wanted()) {
        match agrees(note, history, evidence, &ends) {
            Ok(Told::LostHere) => is_lost = true,
            Ok(told) => lost += u64::from(told == Told::Lost),
            Err(verdict) => return verdict,
        }
    }
    // What contradicts this history does so all the same.
    if is_lost {
        return lost_here();
    }
    let (own, kept) = (document.receipts.len(), evidence.receipts.len() as u64 - lost);
    let names =
        format!("{own} receipt(s) of the document and {kept} kept by seats name the heads of this history");
    Verdict::Pass(if lost == 0 {
        names
    } else {
        format!(
            "{names}; {lost} kept receipt(s) are for entries that the operator says were lost when a backup was put back: \
             one that was given after that statement is a second history"
        )
    })
}

/// Of a document that was made before its end was lost.
fn lost_here() -> Verdict {
    Verdict::NotRun(
        "this history goes on where the operator says that it was lost when a backup was put back; its receipts are older than \
         that statement, and speak neither for it nor against it"
            .into(),
    )
}

/// Where a key ended in this game, by the word of the operator, and when.
struct End<'e> {
    key: &'e VerifierKey,
    last: u64,
    at: u64,
}

/// What ended in this game, whether the reader trusts the key or not: a receipt by one that it does not is no
/// good anyway.
fn ends<'e>(history: &History, evidence: &Evidence<'e>) -> Vec<End<'e>> {
    let end = |restore: &'e Restore| {
        let last = restore.end_of(&history.genesis.game, &history.heads)?;
        Some(End { key: &restore.ended, last, at: restore.at })
    };
    evidence.restores.iter().filter_map(end).collect()
}

/// What a genuine receipt says of this history.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// The entry with this seq stands in it.
    Stands(u64),
    /// It is for an entry that was lost before this history went on.
    Lost,
    /// It is for an entry that was lost, and it is this history that was.
    LostHere,
}

fn agrees(note: &str, history: &History, evidence: &Evidence, ends: &[End]) -> Result<Told, Verdict> {
    let note = Note::read(note).map_err(|error| Verdict::fail(None, error.to_string()))?;
    let seq = note.receipt.seq;
    let (receipt, key) = note.check(evidence.keys).map_err(|error| Verdict::fail(seq, error.to_string()))?;
    if receipt.format != history.genesis.format {
        return Err(Verdict::fail(seq, "a receipt is of another format than the game"));
    }
    if receipt.game != history.genesis.game {
        return Err(Verdict::fail(None, "a receipt is for another game"));
    }
    let head = usize::try_from(seq).ok().and_then(|place| history.heads.get(place));
    let stands = head == Some(&receipt.head);
    let end = ends.iter().find(|end| end.key == key && end.last < seq);
    let written = usize::try_from(seq).ok().and_then(|place| history.times.get(place)).copied();
    match (end, head) {
        (Some(end), _) if stands && written > Some(end.at) => {
            Err(Verdict::fail(seq, "a key signed this entry after the operator had said that it had ended"))
        }
        (Some(_), _) if stands => Ok(Told::LostHere),
        (Some(_), _) => Ok(Told::Lost),
        (None, None) => {
            Err(Verdict::fail(seq, "the operator signed an entry that this history does not have"))
        }
        (None, Some(_)) if !stands => {
            Err(Verdict::fail(seq, "the operator signed another history up to this entry"))
        }
        (None, Some(_)) => Ok(Told::Stands(seq)),
    }
}
