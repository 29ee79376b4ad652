//! Check 5: every promise opens, between the seal and the start.

use super::chain::History;
use crate::ledger::{document::Document, entry::Body, report::Verdict, seed::entropy_commitment};

pub fn check(document: &Document, history: &History) -> Verdict {
    for recorded in document.entries() {
        let Body::Reveal { seat, entropy } = &recorded.entry.body else { continue };
        let promise = usize::try_from(*seat).ok().and_then(|place| history.promised().nth(place)?);
        let seq = recorded.entry.seq;
        match promise {
            None => return Verdict::fail(seq, format!("seat {seat} reveals what it did not promise")),
            Some(promise) if promise != entropy_commitment(document.format, entropy) => {
                return Verdict::fail(seq, format!("what seat {seat} reveals is not what it promised"));
            }
            Some(_) => {}
        }
    }
    let revealed = history.standing.revealed();
    let silent: Vec<u64> = (0..)
        .zip(history.promised().zip(&revealed))
        .filter(|(_, (promised, revealed))| promised.is_some() && revealed.is_none())
        .map(|(seat, _)| seat)
        .collect();
    let opened = history.contributors();
    match (history.is_void(), silent.first()) {
        (false, Some(seat)) => {
            Verdict::fail(history.sealed, format!("seat {seat} promised bytes that were never revealed"))
        }
        (true, Some(_)) => Verdict::Pass(format!(
            "{opened} promise(s) were opened; those of the seats {silent:?} were not, and nothing was dealt"
        )),
        (true, None) if history.sealed.is_some() => Verdict::fail(
            history.last(),
            "every promise was opened, so the game had to start; it was made void",
        ),
        (true, None) => Verdict::Pass("the table was never sealed: there was nothing to open yet".into()),
        (_, None) if opened == 0 => {
            Verdict::Pass("no seat contributed: the operator could have chosen this seed".into())
        }
        (_, None) => Verdict::Pass(format!("{opened} seat(s) contributed, and every promise was opened")),
    }
}
