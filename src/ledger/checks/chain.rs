//! Check 3: numbers and times are in order, each entry stands where it may, and the heads follow.

use std::collections::BTreeSet;

use crate::{
    engine::hash::Bytes32,
    ledger::{
        chain::{Chain, blind},
        document::Document,
        encoding::hex,
        entry::{Body, Genesis},
        report::Verdict,
        standing::{Sitting, Standing},
    },
    words::Status,
};

/// What the entries of a log, taken together, say.
pub struct History {
    pub genesis: Genesis,
    /// The head after each entry, and the time of each.
    pub heads: Vec<Bytes32>,
    pub times: Vec<u64>,
    /// How the game stands after the last entry.
    pub standing: Standing,
    /// The seq of the seal.
    pub sealed: Option<u64>,
}

impl History {
    pub fn last(&self) -> u64 {
        (self.heads.len() as u64).saturating_sub(1)
    }

    pub fn is_void(&self) -> bool {
        self.standing.status == Status::Void
    }

    /// What each seat promised at the seal, or would have.
    pub fn promised(&self) -> impl Iterator<Item = Option<Bytes32>> {
        self.standing.seats.iter().map(|seat| seat.as_ref().and_then(|sitting: &Sitting| sitting.promise))
    }

    /// How many seats promised bytes of their own and opened them. Bytes that two seats have alike are those of one.
    pub fn contributors(&self) -> u64 {
        self.standing.revealed().iter().flatten().collect::<BTreeSet<_>>().len() as u64
    }

    pub fn summary(&self) -> String {
        let head = self.heads.last().map(|head| hex(head)).unwrap_or_default();
        format!("seq 0 to {} in order, the last head is {head}", self.last())
    }
}

/// Walks the log from end to end.
pub fn walk(document: &Document) -> Result<History, Verdict> {
    let Some(Body::Genesis(genesis)) = document.entries().next().map(|recorded| recorded.entry.body) else {
        return Err(Verdict::fail(0, "the log does not begin with a genesis"));
    };
    let (mut chain, standing) = (Chain::default(), Standing::new(genesis.seats));
    let mut history = History { genesis, heads: Vec::new(), times: Vec::new(), standing, sealed: None };
    let mut newest = 0;
    for (recorded, number) in document.entries().zip(0..) {
        let entry = &recorded.entry;
        if entry.seq != number {
            return Err(Verdict::fail(number, format!("an entry with seq {} stands here", entry.seq)));
        }
        if entry.at < newest {
            let detail = format!("its time lies before that of the entry before it ({newest})");
            return Err(Verdict::fail(number, detail));
        }
        newest = entry.at;
        history.times.push(entry.at);
        if number > 0 {
            history.standing.place(&entry.body).map_err(|detail| Verdict::fail(number, detail))?;
        }
        if entry.body == Body::Seal {
            history.sealed = Some(number);
        }
        let x = blind(&document.server_seed, number, recorded.secret);
        history.heads.push(chain.follow(recorded.body, &x));
    }
    match history.standing.status {
        Status::Finished | Status::Void => Ok(history),
        Status::Open | Status::Sealed | Status::Running => {
            Err(Verdict::fail(history.last(), "the log has no end"))
        }
    }
}
