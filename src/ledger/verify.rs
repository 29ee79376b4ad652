//! The verifier: the checks of one document, each with its own answer.

use super::{
    checks::{
        chain, commitment, draws, entropy, log_proofs, receipts,
        rules::{self, Played},
        signatures,
    },
    document::Document,
    encoding::hex,
    evidence::Evidence,
    report::{PreviousReport, Report, Verdict, checks},
    seats,
    terms::Previous,
};
use crate::engine::Format;

/// Verifies a replay document: each check gives a verdict of its own.
///
/// ```
/// use playledger::ledger::{evidence::Evidence, report::Outcome, verify::verify};
///
/// let document = include_bytes!("golden/finished-short.json");
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
    let (chain, history) = match follow(&document, evidence, is_wanted) {
        Ok(history) => (Verdict::Pass(history.summary()), Some(history)),
        Err(verdict) => (verdict, None),
    };
    let Some(history) = history else {
        let rest = checks(document.format).iter().skip(3).map(|(name, _)| match (document.format, *name) {
            (Format::One, "signatures" | "log_proofs") => reserved(),
            _ => needs("chain"),
        });
        return Report::new(document.format, [canonical, commitment, chain].into_iter().chain(rest));
    };
    let opened = commitment.passed();
    let is_dealt = |check: &dyn Fn() -> Verdict| if history.is_void() { nothing_dealt() } else { check() };
    let receipts = match (document.format, opened) {
        (Format::One, false) => needs("commitment"),
        _ => receipts::check(&document, &history, evidence, is_wanted),
    };
    let entropy = entropy::check(&document, &history);
    let draws = is_dealt(&|| match (opened, entropy.passed()) {
        (false, _) => needs("commitment"),
        (_, false) => needs("entropy"),
        _ => draws::check(&document, &history),
    });
    let (signatures, log_proofs) = match document.format {
        Format::One => (reserved(), reserved()),
        Format::Two => (
            is_dealt(&|| signatures::check(&document, &history)),
            log_proofs::check(&document, &history, evidence),
        ),
    };
    let not_played = |rules, clock| Played { rules, clock, turns: Vec::new() };
    let Played { rules, clock, turns } = match (history.is_void(), document.format, &draws) {
        (true, ..) => not_played(nothing_dealt(), nothing_dealt()),
        // What was drawn otherwise would be met again as a breach of the rules.
        (_, Format::Two, draws) if !draws.passed() => not_played(needs("draws"), needs("rules")),
        _ => rules::check(&document, &history),
    };
    let independent_seats = if entropy.passed() { history.contributors() } else { 0 };
    let is_signed = document.format != Format::One && !matches!(signatures, Verdict::Fail { .. });
    let seats = if is_signed { seats::report(&document, &history, evidence.players) } else { Vec::new() };
    let verdicts =
        [canonical, commitment, chain, receipts, entropy, draws, signatures, log_proofs, rules, clock];
    let previous = history.genesis.terms.previous.as_ref().map(|Previous { game, head }| PreviousReport {
        game: game.clone(),
        head: hex(head),
        held: evidence.previous.is_some(),
    });
    Report { independent_seats, seats, previous, turns, ..Report::new(document.format, verdicts) }
}

/// Check 3, and the game before it if its document is there.
fn follow(
    document: &Document,
    evidence: &Evidence,
    is_wanted: &dyn Fn() -> bool,
) -> Result<chain::History, Verdict> {
    let history = chain::walk(document)?;
    if let Some(previous) = evidence.previous {
        chain::follows(&history, previous, is_wanted).map_err(|detail| Verdict::fail(0, detail))?;
    }
    Ok(history)
}

/// What fairlog/1 has no checks for.
fn reserved() -> Verdict {
    Verdict::NotRun("not part of version 1 of the format".into())
}

fn unreadable(why: &str) -> Report {
    let format = Format::default();
    let rest = checks(format).iter().skip(1).map(|_| needs("canonical"));
    Report::new(format, [Verdict::fail(None, why)].into_iter().chain(rest))
}

fn needs(earlier: &str) -> Verdict {
    Verdict::NotRun(format!("it cannot be reached, because `{earlier}` did not pass"))
}

fn nothing_dealt() -> Verdict {
    Verdict::NotRun("the game is void: nothing was dealt".into())
}
