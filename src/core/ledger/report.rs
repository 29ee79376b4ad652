//! The report of a verification: one outcome per check, and no single verdict.

use std::fmt;

use serde::Serialize;

use super::{
    checks::chain::History,
    document::Document,
    encoding::hex,
    entry::{Body, End, PlainAct, Reason},
    finding::{Finding, finding},
    tenures::{KeyChange, KeyEvent, Proved, Tenure},
    terms::{Previous, TournamentTable},
    verdict::Verdict,
};
use crate::engine::{Lang, malformed::clip};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct Report {
    pub checks: Vec<Check>,
    /// Number of seats that contributed to the shuffle. If it is 0, the operator could have chosen the
    /// seed.
    pub independent_seats: u64,
    /// Players and keys of each seat. Empty if `signatures` failed.
    pub tenures: Vec<Tenure>,
    /// Notable entries: changes of keys without consent, and acts of the operator.
    pub notable: Vec<Notable>,
    /// The previous game, if this game is a rematch and check 3 passed.
    pub previous: Option<PreviousReport>,
    /// The tournament of this game, if check 3 passed.
    pub event: Option<EventReport>,
    /// Seats to act over the course of the game. Absent if `rules` did not pass. A verifier without the
    /// rules can run check 10 with it.
    pub turns: Vec<TurnReport>,
}

/// A notable entry: `rekey`, `revoke`, `remove`, `outage` or `halted`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct Notable {
    pub seq: u64,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub seat: Option<u64>,
    /// Public text of the operator.
    pub text: Option<String>,
    /// Length of an outage in milliseconds.
    pub ms: Option<u64>,
}

/// The game that a rematch names as its previous one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct PreviousReport {
    pub game: String,
    /// Head of its last entry.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub head: String,
    /// Whether the document of that game was given and matches. If `false`, only the server says so.
    pub held: bool,
}

/// The tournament that a game belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct EventReport {
    pub tournament: String,
    /// Number of the table in the tournament.
    pub no: u64,
    /// Head of the tournament's log after the entry that names this game.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub head: String,
}

/// Seats to act from a given entry on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct TurnReport {
    pub seq: u64,
    pub to_act: Option<u64>,
    /// Seats still in the game. Empty before the start.
    pub in_game: Vec<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct Check {
    #[schema(minimum = 1, maximum = 11)]
    pub no: u8,
    pub name: &'static str,
    pub outcome: Outcome,
    /// Entry at which the check failed, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// Code of the finding.
    pub code: &'static str,
    /// Finding of the check, or the reason it did not run.
    pub detail: String,
    /// Statement that is proved if the check passes.
    pub proves: String,
    #[serde(skip)]
    pub finding: Finding,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Pass,
    Fail,
    NotRun,
}

/// The checks in order.
pub const CHECKS: [&str; 11] = [
    "canonical",
    "commitment",
    "chain",
    "receipts",
    "entropy",
    "draws",
    "signatures",
    "log_proofs",
    "rules",
    "clock",
    "cosigned_time",
];

/// Returns the statement that a check proves.
fn proves(name: &str) -> Finding {
    match name {
        "canonical" => finding!("proves_canonical"),
        "commitment" => finding!("proves_commitment"),
        "chain" => finding!("proves_chain"),
        "receipts" => finding!("proves_receipts"),
        "entropy" => finding!("proves_entropy"),
        "draws" => finding!("proves_draws"),
        "signatures" => finding!("proves_signatures"),
        "log_proofs" => finding!("proves_log_proofs"),
        "rules" => finding!("proves_rules"),
        "clock" => finding!("proves_clock"),
        _ => finding!("proves_cosigned_time"),
    }
}

/// The limits of every verification, shown with each report.
pub const LIMITS: &str = "\
What this does not prove: that the operator did not look at the cards (it must know them to run the game); that an
unsigned seat was played by its player; who held a key or sat at a keyboard; that the server's clock was right; that a
plan was used wherever it could have been, and had not been withdrawn; that a request without a receipt never arrived.";

impl Report {
    pub fn new(verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let checks = (1..).zip(CHECKS).zip(verdicts).map(|((no, name), verdict)| {
            let (outcome, seq, finding) = match verdict {
                Verdict::Pass(finding) => (Outcome::Pass, None, finding),
                Verdict::Fail { seq, why } => (Outcome::Fail, seq, why),
                Verdict::NotRun(why) => (Outcome::NotRun, None, why),
            };
            let (detail, proves) = (finding.to_string(), proves(name).to_string());
            Check { no, name, outcome, seq, code: finding.code, detail, proves, finding }
        });
        Self {
            checks: checks.collect(),
            independent_seats: 0,
            tenures: Vec::new(),
            notable: Vec::new(),
            previous: None,
            event: None,
            turns: Vec::new(),
        }
    }

    /// Returns the report with its texts in a language.
    #[must_use]
    pub fn spoken(mut self, lang: Lang) -> Self {
        for check in &mut self.checks {
            (check.detail, check.proves) = (check.finding.text(lang), proves(check.name).text(lang));
        }
        self
    }

    pub fn failed(&self) -> bool {
        self.checks.iter().any(|check| check.outcome == Outcome::Fail)
    }

    /// Adds the links to other games in the genesis.
    pub fn note_links(&mut self, history: &History, held: bool) {
        let terms = &history.genesis.terms;
        self.previous = terms.previous.as_ref().map(|Previous { game, head }| PreviousReport {
            game: game.clone(),
            head: hex(head),
            held,
        });
        self.event = terms.event.as_ref().map(|TournamentTable { tournament, no, head }| EventReport {
            tournament: tournament.clone(),
            no: *no,
            head: hex(head),
        });
    }
}

/// Returns the notable entries.
pub fn notable(document: &Document) -> Vec<Notable> {
    let entries = document.entries().zip(0..);
    entries.filter_map(|(recorded, seq)| notable_entry(seq, &recorded.entry.body)).collect()
}

fn notable_entry(seq: u64, body: &Body) -> Option<Notable> {
    let note = |kind, text, ms| Some(Notable { seq, kind, seat: body.seat(), text, ms });
    match body {
        Body::Act { act: PlainAct::Rekey, .. } | Body::Revoke { .. } => note(body.kind(), None, None),
        Body::Remove { text, .. } => note("remove", text.clone(), None),
        Body::Outage { ms } => note("outage", None, Some(*ms)),
        Body::End(End { reason: Reason::Halted, text, .. }) => note("halted", text.clone(), None),
        _ => None,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for check in &self.checks {
            let outcome = match check.outcome {
                Outcome::Pass => "pass",
                Outcome::Fail => "FAIL",
                Outcome::NotRun => "not run",
            };
            let place = check.seq.map_or(String::new(), |seq| format!("seq {seq}: "));
            writeln!(f, "{:>2} {:<13} {:<8} {place}{}", check.no, check.name, outcome, check.detail)?;
            writeln!(f, "                          a pass proves: {}", check.proves)?;
        }
        if let Some(PreviousReport { game, head, held }) = &self.previous {
            let document = if *held { "as its document says" } else { "its document was not given" };
            writeln!(f, "A rematch of {}, which ended with the head {head} ({document}).", clip(game))?;
        }
        if let Some(EventReport { tournament, no, head }) = &self.event {
            writeln!(f, "Table {no} of the tournament {}, whose log had the head {head}.", clip(tournament))?;
        }
        self.tenures.iter().try_for_each(|tenure| write_tenure(f, tenure))?;
        self.notable.iter().try_for_each(|entry| write_notable(f, entry))?;
        let entropy = self.checks.iter().find(|check| check.name == "entropy");
        if entropy.is_none_or(|check| check.outcome != Outcome::Pass) {
            writeln!(f, "It is not known how many seats contributed to the shuffle.")?;
        } else if self.independent_seats == 0 {
            writeln!(f, "No seat contributed to the shuffle: the operator could have chosen this seed.")?;
        } else {
            writeln!(f, "Seats that contributed to the shuffle: {}.", self.independent_seats)?;
        }
        write!(f, "{LIMITS}")
    }
}

fn write_tenure(f: &mut fmt::Formatter<'_>, tenure: &Tenure) -> fmt::Result {
    let bot = tenure.bot.as_ref().map_or(String::new(), |bot| format!(", a bot ({})", clip(bot)));
    writeln!(f, "Seat {}: {} from seq {} on{bot}.", tenure.seat, clip(&tenure.player), tenure.from)?;
    for KeyEvent { seq, what, key } in &tenure.keys {
        let how = match what {
            KeyChange::Join | KeyChange::Hand => "came with its player",
            KeyChange::Device => "came by the statement of a device",
            KeyChange::Rekey => "came by a rekey, without the consent of the keys before",
            KeyChange::Revoke => "was revoked",
        };
        match key {
            Some(key) => writeln!(f, "    key {key} {how} at seq {seq}")?,
            None => writeln!(f, "    no key from seq {seq} on: only the server vouches for the seat")?,
        }
    }
    for (counts, what) in [(&tenure.moves, "moves"), (&tenure.plans, "decisions of plans")] {
        for (key, count) in counts {
            writeln!(f, "    {what} by {key}: {count}")?;
        }
    }
    let proved = match tenure.proved {
        Proved::All => "keys that you trust signed all of it",
        Proved::Some => "keys that you trust signed some of it",
        Proved::None => "no key that you trust signed it",
    };
    writeln!(f, "    {proved}")
}

fn write_notable(f: &mut fmt::Formatter<'_>, entry: &Notable) -> fmt::Result {
    write!(f, "Seq {}: {}", entry.seq, entry.kind)?;
    if let Some(seat) = entry.seat {
        write!(f, " of seat {seat}")?;
    }
    if let Some(ms) = entry.ms {
        write!(f, " of {ms} ms")?;
    }
    match &entry.text {
        Some(text) => writeln!(f, ": {text}"),
        None => writeln!(f, "."),
    }
}
