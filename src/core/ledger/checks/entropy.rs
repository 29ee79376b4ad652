//! Check 5: every promise opens before the start.

use super::chain::History;
use crate::ledger::{
    document::Document,
    entry::{Body, Reason},
    finding::finding,
    standing::Standing,
    verdict::Verdict,
};

pub fn check(document: &Document, history: &History) -> Verdict {
    let mut standing = Standing::new(&history.genesis);
    for (recorded, seq) in document.entries().zip(0..) {
        let body = &recorded.entry.body;
        let wrong = match body {
            Body::Reveal { seat, entropy } => standing.judge_reveal(*seat, entropy).err(),
            Body::Start => silent(&standing).map(|seat| finding!("promise_not_opened", seat = seat)),
            Body::End(end) if end.reason == Reason::Void && history.full.is_some() => {
                silent(&standing).is_none().then(|| finding!("void_for_nothing"))
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            return Verdict::fail(seq, wrong);
        }
        if matches!(body, Body::Start | Body::End(_)) {
            break;
        }
        if seq > 0 {
            standing.follow(body, seq);
        }
    }
    let shares = history.shares();
    match (history.full, silent(&history.standing)) {
        (None, _) => Verdict::Pass(finding!("never_full")),
        (Some(_), Some(seat)) => Verdict::Pass(finding!("never_opened", seat = seat, shares = shares)),
        (Some(_), None) if shares == 0 => Verdict::Pass(finding!("nobody_shared")),
        (Some(_), None) => Verdict::Pass(finding!("all_opened", shares = shares)),
    }
}

/// Returns the first seat that did not reveal its bytes.
fn silent(standing: &Standing) -> Option<u64> {
    let is_silent =
        |sitting: &crate::ledger::standing::Sitting| sitting.promise.is_some() && sitting.revealed.is_none();
    let seats = (0..).zip(&standing.seats);
    seats.filter(|(_, seat)| seat.as_ref().is_some_and(is_silent)).map(|(seat, _)| seat).next()
}
