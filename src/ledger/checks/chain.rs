//! Check 3: numbers and times are in order, each entry stands where it may, and the heads follow.

use crate::{
    engine::hash::Bytes32,
    ledger::{
        chain::{Chain, blind},
        document::Document,
        encoding::hex,
        entry::{Body, Entry, Genesis, Reason},
        report::Verdict,
    },
};

/// What the entries of a log, taken together, say.
pub struct History<'r> {
    pub genesis: &'r Genesis,
    /// The head after each entry.
    pub heads: Vec<Bytes32>,
    /// What each seat promised at the seal, or would have.
    pub promised: Vec<Option<Bytes32>>,
    /// What each seat revealed.
    pub revealed: Vec<Option<Bytes32>>,
    pub sealed: Option<u64>,
    pub reason: Reason,
    pub result: &'r serde_json::Value,
}

impl History<'_> {
    pub fn last(&self) -> u64 {
        (self.heads.len() as u64).saturating_sub(1)
    }

    /// How many seats promised bytes of their own and opened them.
    pub fn contributors(&self) -> u64 {
        self.revealed.iter().flatten().count() as u64
    }

    pub fn summary(&self) -> String {
        let head = self.heads.last().map(|head| hex(head)).unwrap_or_default();
        format!("seq 0 to {} in order, the last head is {head}", self.last())
    }
}

/// Where in its life a game is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Open,
    Sealed,
    Running,
    Ended,
}

/// Walks the log from end to end.
pub fn walk(replay: &Document) -> Result<History<'_>, Verdict> {
    let Some(Body::Genesis(genesis)) = replay.entries.first().map(|recorded| &recorded.entry.body) else {
        return Err(Verdict::fail(0, "the log does not begin with a genesis"));
    };
    let mut walk = Walk::new(genesis);
    for (recorded, number) in replay.entries.iter().zip(0..) {
        let (entry, at) = (&recorded.entry, walk.at);
        if entry.seq != number {
            return Err(Verdict::fail(number, format!("an entry with seq {} stands here", entry.seq)));
        }
        if entry.at < at {
            return Err(Verdict::fail(
                number,
                format!("its time lies before that of the entry before it ({at})"),
            ));
        }
        walk.take(entry).map_err(|detail| Verdict::fail(number, detail))?;
        let x = blind(&replay.server_seed, number, recorded.secret.as_deref());
        walk.history.heads.push(walk.chain.follow(&recorded.body, &x));
    }
    match walk.stage {
        Stage::Ended => Ok(walk.history),
        _ => Err(Verdict::fail(walk.history.last(), "the log has no end")),
    }
}

struct Walk<'r> {
    chain: Chain,
    at: u64,
    stage: Stage,
    taken: Vec<bool>,
    history: History<'r>,
}

impl<'r> Walk<'r> {
    fn new(genesis: &'r Genesis) -> Self {
        let seats = usize::try_from(genesis.seats).unwrap_or_default();
        let history = History {
            genesis,
            heads: Vec::new(),
            promised: vec![None; seats],
            revealed: vec![None; seats],
            sealed: None,
            reason: Reason::Void,
            result: &serde_json::Value::Null,
        };
        Self { chain: Chain::default(), at: 0, stage: Stage::Open, taken: vec![false; seats], history }
    }

    fn take(&mut self, entry: &'r Entry) -> Result<(), String> {
        self.at = entry.at;
        match (&entry.body, self.stage) {
            (Body::Genesis(_), _) if entry.seq > 0 => Err("a second genesis stands here".into()),
            (Body::Genesis(_), _) => Ok(()),
            (Body::Join { seat, commit, .. }, Stage::Open) => {
                let seat = self.seat(*seat, false)?;
                self.taken[seat] = true;
                self.history.promised[seat] = *commit;
                Ok(())
            }
            (Body::Leave { seat }, Stage::Open) => {
                let seat = self.seat(*seat, true)?;
                self.taken[seat] = false;
                self.history.promised[seat] = None;
                Ok(())
            }
            (Body::Seal, Stage::Open) if self.taken.iter().all(|taken| *taken) => {
                self.history.sealed = Some(entry.seq);
                self.stage = Stage::Sealed;
                Ok(())
            }
            (Body::Seal, Stage::Open) => Err("the table is sealed before it is full".into()),
            (Body::Reveal { seat, entropy }, Stage::Sealed) => {
                let seat = self.seat(*seat, true)?;
                if self.history.revealed[seat].replace(*entropy).is_some() {
                    return Err(format!("seat {seat} reveals a second time"));
                }
                Ok(())
            }
            (Body::Start, Stage::Sealed) => {
                self.stage = Stage::Running;
                Ok(())
            }
            (Body::Cmd { seat, .. } | Body::Sys { seat, .. }, Stage::Running) => {
                self.seat(*seat, true).map(|_| ())
            }
            (Body::End { reason: Reason::Finished, result }, Stage::Running) => {
                self.end(Reason::Finished, result);
                Ok(())
            }
            (Body::End { reason: Reason::Void, result }, Stage::Open | Stage::Sealed) if result.is_null() => {
                self.end(Reason::Void, result);
                Ok(())
            }
            (body, _) => Err(format!("an entry of the type `{}` may not stand here", body.kind())),
        }
    }

    /// The place of a seat that must be taken, or free.
    fn seat(&self, number: u64, taken: bool) -> Result<usize, String> {
        let place = usize::try_from(number).ok().filter(|place| self.taken.get(*place) == Some(&taken));
        place.ok_or_else(|| {
            let state = if taken { "is not taken" } else { "is not free" };
            format!("seat {number} {state} at this table")
        })
    }

    fn end(&mut self, reason: Reason, result: &'r serde_json::Value) {
        self.stage = Stage::Ended;
        self.history.reason = reason;
        self.history.result = result;
    }
}
