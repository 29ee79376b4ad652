//! The verifier: one verdict per check.

use super::{
    checks::{
        chain::{self, History},
        commitment, draws, entropy,
        log_proofs::{self, Pins},
        receipts,
        rules::{self, RulesVerdicts},
        signatures,
    },
    document::Document,
    evidence::Evidence,
    finding::finding,
    report::{self, CHECKS, Report},
    tenures,
    verdict::Verdict,
};
use crate::engine::Malformed;

/// Verifies a replay document: each check gives a verdict of its own.
///
/// ```
/// use playledger_core::ledger::{evidence::Evidence, report::Outcome, verify::verify};
///
/// let document = include_bytes!("golden/short.json");
/// let key = include_str!("golden/verifier-key.txt").trim().parse().unwrap();
/// let report = verify(&Evidence { document, keys: &[key], ..Evidence::default() });
/// assert!(!report.failed());
///
/// // One changed byte, and the check speaks that covers it.
/// let mut forged = document.to_vec();
/// let place = forged.windows(9).position(|bytes| bytes == b"\"column\":").unwrap() + 9;
/// forged[place] ^= 1;
/// let report = verify(&Evidence { document: &forged, ..Evidence::default() });
/// assert!(report.checks.iter().any(|check| check.outcome == Outcome::Fail));
/// ```
pub fn verify(evidence: &Evidence) -> Report {
    verify_for(evidence, &|| true)
}

/// Verifies while `is_wanted` returns `true`. A cancelled verification has no report.
pub fn verify_while(evidence: &Evidence, is_wanted: &dyn Fn() -> bool) -> Option<Report> {
    let report = verify_for(evidence, is_wanted);
    is_wanted().then_some(report)
}

fn verify_for(evidence: &Evidence, is_wanted: &dyn Fn() -> bool) -> Report {
    let document = match Document::read(evidence.document, is_wanted) {
        Ok(document) => document,
        Err(malformed) => return stopped(vec![unreadable(malformed)], "canonical"),
    };
    let canonical = Verdict::Pass(finding!("document_canonical", count = document.count()));
    let commitment = commitment::check(&document);
    let history = match follow(&document, evidence, is_wanted) {
        Ok(history) => history,
        Err(verdict) => return stopped(vec![canonical, commitment, verdict], "chain"),
    };
    let chain = Verdict::Pass(history.summary());
    let receipts = receipts::check(&document, &history, evidence, is_wanted);
    let entropy = entropy::check(&document, &history);
    let shares = if entropy.passed() { history.shares() } else { 0 };
    let draws = match (history.started, commitment.passed(), entropy.passed()) {
        (false, ..) => not_started(),
        (_, false, _) => Verdict::needs("commitment"),
        (_, _, false) => Verdict::needs("entropy"),
        _ => draws::check(&document, &history),
    };
    let signatures = signatures::check(&document, &history);
    let Pins { log_proofs, cosigned_time } = log_proofs::check(&document, &history, evidence);
    let RulesVerdicts { rules, clock, turns } = play(&document, &history, &draws);
    let tenures =
        if signatures.failed() { Vec::new() } else { tenures::report(&document, &history, evidence) };
    let mut report = Report::new([
        canonical,
        commitment,
        chain,
        receipts,
        entropy,
        draws,
        signatures,
        log_proofs,
        rules,
        clock,
        cosigned_time,
    ]);
    report.note_links(&history, evidence.previous.is_some());
    Report { independent_seats: shares, tenures, notable: report::notable(&document), turns, ..report }
}

/// Checks 9 and 10.
fn play(document: &Document, history: &History, draws: &Verdict) -> RulesVerdicts {
    let not_played = |rules| RulesVerdicts { rules, clock: Verdict::needs("rules"), turns: Vec::new() };
    match (history.started, draws.passed()) {
        (false, _) => not_played(not_started()),
        (true, false) => not_played(Verdict::needs("draws")),
        (true, true) => rules::check(document, history),
    }
}

/// Check 3, and the game before if its document is there.
fn follow(
    document: &Document,
    evidence: &Evidence,
    is_wanted: &dyn Fn() -> bool,
) -> Result<History, Verdict> {
    let history = chain::walk(document)?;
    if let Some(previous) = evidence.previous {
        chain::follows(&history, previous, is_wanted).map_err(|why| Verdict::fail(0, why))?;
    }
    Ok(history)
}

/// Returns a report that ends with the last of these verdicts. The other checks need it.
fn stopped(verdicts: Vec<Verdict>, last: &str) -> Report {
    let rest = CHECKS.iter().skip(verdicts.len()).map(|_| Verdict::needs(last)).collect::<Vec<_>>();
    Report::new(verdicts.into_iter().chain(rest))
}

/// Returns the verdict for a malformed document. The mistake names its entry, as in `entries[3].body.seat`.
fn unreadable(malformed: Malformed) -> Verdict {
    let text = malformed.to_string();
    let number = text.split_once("entries[").and_then(|(_, rest)| rest.split_once(']'));
    Verdict::fail(number.and_then(|(number, _)| number.parse().ok()), malformed.into())
}

fn not_started() -> Verdict {
    Verdict::NotRun(finding!("not_started"))
}
