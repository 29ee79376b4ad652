//! Check 5: every promise opens, between the seal and the start.

use super::chain::History;
use crate::ledger::{
    document::Document,
    entry::{Body, Reason},
    report::Verdict,
    seed::entropy_commitment,
};

pub fn check(replay: &Document, history: &History) -> Verdict {
    for recorded in &replay.entries {
        let Body::Reveal { seat, entropy } = &recorded.entry.body else { continue };
        let promise = usize::try_from(*seat).ok().and_then(|place| *history.promised.get(place)?);
        let seq = recorded.entry.seq;
        match promise {
            None => return Verdict::fail(seq, format!("seat {seat} reveals what it did not promise")),
            Some(promise) if promise != entropy_commitment(entropy) => {
                return Verdict::fail(seq, format!("what seat {seat} reveals is not what it promised"));
            }
            Some(_) => {}
        }
    }
    let silent = (0_u64..).zip(history.promised.iter().zip(&history.revealed));
    let silent: Vec<u64> = silent
        .filter(|(_, (promised, revealed))| promised.is_some() && revealed.is_none())
        .map(|(seat, _)| seat)
        .collect();
    let opened = history.contributors();
    match (history.reason, silent.first()) {
        (Reason::Finished, Some(seat)) => {
            Verdict::fail(history.sealed, format!("seat {seat} promised bytes that were never revealed"))
        }
        (Reason::Void, Some(_)) => Verdict::Pass(format!(
            "{opened} promise(s) were opened; those of the seats {silent:?} were not, and nothing was dealt"
        )),
        (Reason::Void, None) if history.sealed.is_some() => Verdict::fail(
            history.last(),
            "every promise was opened, so the game had to start; it was made void",
        ),
        (Reason::Void, None) => {
            Verdict::Pass("the table was never sealed: there was nothing to open yet".into())
        }
        (_, None) if opened == 0 => {
            Verdict::Pass("no seat contributed: the operator could have chosen this seed".into())
        }
        (_, None) => Verdict::Pass(format!("{opened} seat(s) contributed, and every promise was opened")),
    }
}
