//! The verifier: nine checks of one document, each with its own answer.

use super::{
    checks::{chain::History, chain::walk, commitment, draws, entropy, receipts, rules},
    document::Document,
    evidence::Evidence,
    report::{Report, Verdict},
};

/// Verifies a replay document: each check gives a verdict of its own.
///
/// ```
/// use playledger::ledger::{evidence::Evidence, report::Outcome, verify::verify};
///
/// let document = include_bytes!("golden/finished-short.json");
/// let key = include_str!("golden/verifier-key.txt").trim().parse().unwrap();
/// let report = verify(&Evidence { document, keys: &[key], receipts: &[], restores: &[] });
/// assert!(!report.failed());
///
/// // One changed byte, and the check speaks that covers it.
/// let mut forged = document.to_vec();
/// let place = forged.windows(9).position(|bytes| bytes == b"\"column\":").unwrap() + 9;
/// forged[place] ^= 1;
/// let report = verify(&Evidence { document: &forged, keys: &[], receipts: &[], restores: &[] });
/// assert!(report.checks.iter().any(|check| check.outcome == Outcome::Fail));
/// ```
pub fn verify(evidence: &Evidence) -> Report {
    verify_for(evidence, &|| true)
}

/// Verifies for somebody who may go away: then it ends soon, and its report is worth nothing.
pub fn verify_while(evidence: &Evidence, is_wanted: &dyn Fn() -> bool) -> Option<Report> {
    let report = verify_for(evidence, is_wanted);
    is_wanted().then_some(report)
}

fn verify_for(evidence: &Evidence, is_wanted: &dyn Fn() -> bool) -> Report {
    let document = match Document::read(evidence.document, is_wanted) {
        Ok(document) => document,
        Err(malformed) => return unreadable(&malformed.to_string()),
    };
    let canonical = Verdict::Pass(format!("{} entries, written in the one way there is", document.count()));
    let commitment = commitment::check(&document);
    let (chain, history) = match walk(&document) {
        Ok(history) => (Verdict::Pass(history.summary()), Some(history)),
        Err(verdict) => (verdict, None),
    };
    let told = |check: fn(&Document, &History) -> Verdict| {
        history.as_ref().map_or_else(|| needs("chain"), |history| check(&document, history))
    };
    let opened = commitment.passed();
    let receipts = match &history {
        _ if !opened => needs("commitment"),
        None => needs("chain"),
        Some(history) => receipts::check(&document, history, evidence, is_wanted),
    };
    let entropy = told(entropy::check);
    let draws = match &history {
        Some(history) if history.is_void() => nothing_dealt(),
        _ if !opened => needs("commitment"),
        _ if history.is_some() && !entropy.passed() => needs("entropy"),
        _ => told(draws::check),
    };
    let rules = match &history {
        Some(history) if history.is_void() => nothing_dealt(),
        _ => told(rules::check),
    };
    let independent_seats =
        if entropy.passed() { history.map_or(0, |history| history.contributors()) } else { 0 };
    let verdicts = [canonical, commitment, chain, receipts, entropy, draws, reserved(), reserved(), rules];
    Report::new(verdicts, independent_seats)
}

fn unreadable(why: &str) -> Report {
    let skipped = || needs("canonical");
    let verdicts = [
        Verdict::fail(None, why),
        skipped(),
        skipped(),
        skipped(),
        skipped(),
        skipped(),
        reserved(),
        reserved(),
        skipped(),
    ];
    Report::new(verdicts, 0)
}

fn needs(earlier: &str) -> Verdict {
    Verdict::NotRun(format!("it cannot be reached, because `{earlier}` did not pass"))
}

fn nothing_dealt() -> Verdict {
    Verdict::NotRun("the game is void: nothing was dealt".into())
}

fn reserved() -> Verdict {
    Verdict::NotRun("not part of version 1 of the format".into())
}
