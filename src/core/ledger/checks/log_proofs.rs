//! Check 8: the game is in a public tree with witnesses. Check 11: the clock of the log was not ahead of the
//! witnesses' clocks.

use super::chain::History;
use crate::{
    engine::malformed::clip,
    ledger::{document::Document, evidence::Evidence, finding::finding, verdict::Verdict},
    tree::proof::{Pinned, Proof, distinct},
};

/// Largest lead of the log's clock, for check 11.
const MOST_AHEAD: u64 = 60_000;

/// The outcomes of checks 8 and 11.
pub struct Pins {
    pub log_proofs: Verdict,
    pub cosigned_time: Verdict,
}

pub fn check(document: &Document, history: &History, evidence: &Evidence) -> Pins {
    let not_run =
        |why| Pins { log_proofs: Verdict::NotRun(why), cosigned_time: Verdict::needs("log_proofs") };
    if evidence.logs.is_empty() {
        return not_run(finding!("no_log_keys"));
    }
    let own = document.proofs.iter().map(|proof| (history.last(), proof));
    let mut proofs: Vec<(u64, &String)> =
        evidence.proofs.iter().map(|kept| (kept.seq, &kept.proof)).chain(own).collect();
    if proofs.is_empty() {
        return not_run(finding!("no_proofs"));
    }
    proofs.sort_by_key(|(seq, _)| *seq);
    let mut pins = Vec::new();
    for (seq, proof) in proofs {
        match pin(seq, proof, history, evidence) {
            Ok(pinned) => pins.push((seq, pinned)),
            Err(why) => {
                let log_proofs = Verdict::fail(seq, finding!("proof_fails", why = why));
                return Pins { log_proofs, cosigned_time: Verdict::needs("log_proofs") };
            }
        }
    }
    Pins { log_proofs: summary(&pins), cosigned_time: judge_times(&pins, history) }
}

fn pin(seq: u64, proof: &str, history: &History, evidence: &Evidence) -> Result<Pinned, String> {
    let head = history.head(seq).ok_or("there is no such entry")?;
    Proof::read(proof)?.check(head, evidence.logs, evidence.witnesses, evidence.quorum)
}

fn summary(pins: &[(u64, Pinned)]) -> Verdict {
    let newest = pins.last();
    let tree = newest.map_or_else(String::new, |(_, pinned)| clip(&pinned.origin));
    let witnesses = newest.map_or(0, |(_, pinned)| distinct(&pinned.seen));
    Verdict::Pass(finding!("proofs_hold", count = pins.len(), tree = tree, witnesses = witnesses))
}

fn judge_times(pins: &[(u64, Pinned)], history: &History) -> Verdict {
    let mut cosigned = 0_u64;
    for (seq, pinned) in pins {
        let at = usize::try_from(*seq).ok().and_then(|place| history.times.get(place)).copied();
        for (_, seen) in &pinned.seen {
            cosigned += 1;
            let latest = seen.saturating_mul(1_000).saturating_add(MOST_AHEAD);
            if let Some(at) = at.filter(|at| *at > latest) {
                let ahead = at.saturating_sub(seen.saturating_mul(1_000));
                return Verdict::fail(*seq, finding!("clock_ahead", ms = ahead));
            }
        }
    }
    if cosigned == 0 {
        return Verdict::NotRun(finding!("no_cosignature"));
    }
    Verdict::Pass(finding!("clock_not_ahead", count = cosigned))
}
