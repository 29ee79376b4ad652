//! Check 8: the game stands in a public tree, which witnesses have seen.

use super::chain::History;
use crate::{
    ledger::{document::Document, evidence::Evidence, report::Verdict},
    tree::proof::Proof,
};

pub fn check(document: &Document, history: &History, evidence: &Evidence) -> Verdict {
    let Some(head) = history.heads.last() else { return Verdict::NotRun("there is no end".into()) };
    if document.proofs.is_empty() {
        return Verdict::NotRun("the document holds no proof of a public tree".into());
    }
    if evidence.logs.is_empty() {
        return Verdict::NotRun("no key of a public tree was given to check proofs against".into());
    }
    let mut found = Vec::new();
    for proof in &document.proofs {
        let pinned = Proof::read(proof)
            .map_err(str::to_owned)
            .and_then(|proof| proof.check(head, evidence.logs, evidence.witnesses, evidence.quorum));
        match pinned {
            Ok(pinned) => {
                let seen: Vec<String> = pinned.seen.iter().map(ToString::to_string).collect();
                let seen =
                    if seen.is_empty() { String::new() } else { format!(", seen at {}", seen.join(", ")) };
                found.push(format!(
                    "entry {} of {} in the tree {}, signed by {} given witness(es){seen}",
                    pinned.index,
                    pinned.size,
                    crate::engine::fields::clip(&pinned.origin),
                    pinned.seen.len()
                ));
            }
            Err(detail) => return Verdict::fail(history.last(), format!("a proof does not hold: {detail}")),
        }
    }
    Verdict::Pass(found.join("; "))
}
