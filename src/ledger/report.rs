//! What a verification found, check by check. There is never one tick for all.

use std::fmt;

use serde::Serialize;

use super::seats::SeatReport;
use crate::engine::{Format, fields::clip};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Report {
    pub checks: Vec<Check>,
    /// Number of seats that contributed to the shuffle. If it is 0, the operator could have chosen the
    /// seed.
    pub independent_seats: u64,
    /// Players and signatures of each seat. Present if the log records them (fairlog/2) and the
    /// signatures are valid.
    pub seats: Vec<SeatReport>,
    /// The previous game, if this game is a rematch and check 3 passed.
    pub previous: Option<PreviousReport>,
    /// Seats to act over the course of the game. Absent if `rules` did not pass. A verifier without the
    /// rules can run check 10 with it.
    pub turns: Vec<TurnReport>,
}

/// The game that a rematch names as its previous one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PreviousReport {
    pub game: String,
    /// Head of its last entry.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{64}$"))]
    pub head: String,
    /// Whether the document of that game was given and matches. If `false`, only the server says so.
    pub held: bool,
}

/// Seats to act from a given entry on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TurnReport {
    pub seq: u64,
    pub to_act: Option<u64>,
    /// Seats still in the game. Empty before the start.
    pub in_game: Vec<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Check {
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 10))]
    pub no: u8,
    pub name: &'static str,
    pub outcome: Outcome,
    /// Entry at which the check failed, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// Finding of the check, or the reason it did not run.
    pub detail: String,
    /// Statement that is proved if the check passes.
    pub proves: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Pass,
    Fail,
    NotRun,
}

/// What one check came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Pass(String),
    Fail { seq: Option<u64>, detail: String },
    NotRun(String),
}

impl Verdict {
    pub fn fail(seq: impl Into<Option<u64>>, detail: impl Into<String>) -> Self {
        Self::Fail { seq: seq.into(), detail: detail.into() }
    }

    pub const fn passed(&self) -> bool {
        matches!(self, Self::Pass(_))
    }
}

const ONE: [(&str, &str); 9] = [
    ("canonical", "there is exactly one valid file of this game, and nothing is hidden in it"),
    ("commitment", "the server's seed was fixed before anyone joined"),
    ("chain", "nothing was changed, removed, inserted or moved"),
    ("receipts", "the operator signed this history, and every receipt given agrees with it"),
    ("entropy", "the seed was fixed at the seal"),
    ("draws", "shuffles and dice follow from the seed"),
    ("signatures", "reserved: players' own signatures"),
    ("log_proofs", "reserved: a transparency log over all games"),
    RULES,
];
const TWO: [(&str, &str); 10] = [
    ONE[0],
    ONE[1],
    ONE[2],
    ONE[3],
    ONE[4],
    ONE[5],
    ("signatures", "players made these moves"),
    ("log_proofs", "the game is in the public tree"),
    RULES,
    ("clock", "no player was timed out too early, by the times in the log"),
];
const RULES: (&str, &str) = ("rules", "the game was played by the rules");

/// The checks of a format in order, and what each proves.
pub const fn checks(format: Format) -> &'static [(&'static str, &'static str)] {
    match format {
        Format::One => &ONE,
        Format::Two => &TWO,
    }
}

/// What no check can prove, said wherever a report is shown to a person.
pub const LIMITS: &str = "\
What this does not prove: that the operator did not look at the cards (it must know them to run the game); that it
did not void tables that it disliked (they stay visible as void); that its clock was right, or that an entry was shown
when its time says; who held a key or sat at a player's keyboard; that a plan had not been withdrawn, or was used wherever
it could have been; that a request which left no receipt never arrived.";

impl Report {
    pub fn new(format: Format, verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let checks = (1..).zip(checks(format)).zip(verdicts).map(|((no, (name, proves)), verdict)| {
            let (outcome, seq, detail) = match verdict {
                Verdict::Pass(detail) => (Outcome::Pass, None, detail),
                Verdict::Fail { seq, detail } => (Outcome::Fail, seq, detail),
                Verdict::NotRun(detail) => (Outcome::NotRun, None, detail),
            };
            Check { no, name, outcome, seq, detail, proves }
        });
        let checks = checks.collect();
        Self { checks, independent_seats: 0, seats: Vec::new(), previous: None, turns: Vec::new() }
    }

    pub fn failed(&self) -> bool {
        self.checks.iter().any(|check| check.outcome == Outcome::Fail)
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
            writeln!(f, "{:>2} {:<11} {:<8} {place}{}", check.no, check.name, outcome, check.detail)?;
            writeln!(f, "                        a pass proves: {}", check.proves)?;
        }
        if let Some(PreviousReport { game, head, held }) = &self.previous {
            let document = if *held { "as its document says" } else { "its document was not given" };
            writeln!(f, "A rematch of {}, which ended with the head {head} ({document}).", clip(game))?;
        }
        self.seats.iter().try_for_each(|seat| write_seat(f, seat))?;
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

fn write_seat(f: &mut fmt::Formatter<'_>, seat: &SeatReport) -> fmt::Result {
    for holder in &seat.holders {
        let bot = holder.bot.as_ref().map_or(String::new(), |level| format!(", a bot ({level})"));
        writeln!(f, "Seat {}: {} from seq {} on{bot}.", seat.seat, clip(&holder.player), holder.from_seq)?;
    }
    for key in &seat.keys {
        let known = if key.known { "known" } else { "not known to you" };
        writeln!(f, "    key {} ({known}): {} move(s), {} plan(s) signed", key.key, key.moves, key.plans)?;
    }
    if seat.unsigned > 0 {
        writeln!(f, "    unsigned: {}, for which the server alone vouches", seat.unsigned)?;
    }
    match seat.unkeyed_at {
        Some(seq) => {
            writeln!(f, "    from seq {seq} on the server alone vouches for this seat, also for later keys")
        }
        None => Ok(()),
    }
}
