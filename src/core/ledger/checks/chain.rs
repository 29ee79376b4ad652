//! Check 3: numbers and times are in order, and every entry is allowed at its place.

use crate::{
    engine::hash::Bytes32,
    ledger::{
        chain::Chain,
        document::Document,
        encoding::hex,
        entry::{Body, Genesis},
        finding::{Finding, finding},
        standing::{Sitting, Standing},
        verdict::Verdict,
    },
    words::Status,
};

/// The entries of a log, taken together.
pub struct History {
    pub genesis: Genesis,
    /// The head after each entry, and the time of each.
    pub heads: Vec<Bytes32>,
    pub times: Vec<u64>,
    /// The state after the last entry.
    pub standing: Standing,
    /// The join that filled the table.
    pub full: Option<u64>,
    pub started: bool,
}

impl History {
    pub fn last(&self) -> u64 {
        (self.heads.len() as u64).saturating_sub(1)
    }

    pub fn head(&self, seq: u64) -> Option<&Bytes32> {
        self.heads.get(usize::try_from(seq).ok()?)
    }

    /// The promise of each seat.
    pub fn promised(&self) -> impl Iterator<Item = Option<Bytes32>> {
        self.standing.seats.iter().map(|seat| seat.as_ref().and_then(|sitting: &Sitting| sitting.promise))
    }

    /// Returns the number of seats that contributed to the shuffle.
    pub fn shares(&self) -> u64 {
        self.standing.revealed().iter().flatten().count() as u64
    }

    pub fn summary(&self) -> Finding {
        let head = self.heads.last().map(|head| hex(head)).unwrap_or_default();
        finding!("chain_holds", last = self.last(), head = head)
    }
}

/// Walks the log from end to end.
pub fn walk(document: &Document) -> Result<History, Verdict> {
    let first = document.entries().next();
    let Some(Body::Genesis(genesis)) = first.as_ref().map(|recorded| &recorded.entry.body) else {
        return Err(Verdict::fail(0, finding!("no_genesis")));
    };
    let (mut chain, standing) = (Chain::new(document.format), Standing::new(genesis));
    let (heads, times) = (Vec::new(), Vec::new());
    let mut history =
        History { genesis: (**genesis).clone(), heads, times, standing, full: None, started: false };
    let mut newest = 0;
    for (recorded, number) in document.entries().zip(0..) {
        let entry = &recorded.entry;
        if entry.seq != number {
            return Err(Verdict::fail(number, finding!("wrong_seq", seq = entry.seq)));
        }
        if entry.at < newest {
            return Err(Verdict::fail(number, finding!("time_goes_back", before = newest)));
        }
        if number > 0 {
            let admitted = history.standing.admit(&entry.body, entry.at - newest);
            admitted.map_err(|why| Verdict::fail(number, why))?;
            history.standing.follow(&entry.body, number);
        }
        newest = entry.at;
        history.times.push(entry.at);
        history.started |= entry.body == Body::Start;
        if matches!(entry.body, Body::Join(_)) && history.standing.status == Status::Sealed {
            history.full = Some(number);
        }
        let x = document.server_seed.blind(number, recorded.secret);
        history.heads.push(chain.follow(recorded.body, &x));
    }
    match history.standing.status {
        Status::Finished | Status::Void => Ok(history),
        Status::Open | Status::Sealed | Status::Running => {
            Err(Verdict::fail(history.last(), finding!("no_end")))
        }
    }
}

/// Compares `previous` with the document of the game before.
pub fn follows(history: &History, previous: &[u8], is_wanted: &dyn Fn() -> bool) -> Result<(), Finding> {
    let Some(named) = &history.genesis.terms.previous else { return Err(finding!("no_previous")) };
    let document = Document::read(previous, is_wanted)?;
    let before = walk(&document).map_err(|_| finding!("previous_broken"))?;
    let is_it = before.genesis.game == named.game && before.heads.last() == Some(&named.head);
    if is_it { Ok(()) } else { Err(finding!("previous_differs")) }
}
