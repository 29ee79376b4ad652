//! Check 3: numbers and times are in order, each entry stands where it may, and the heads follow.

use std::collections::BTreeSet;

use crate::{
    engine::{Format, hash::Bytes32},
    ledger::{
        chain::Chain,
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

    /// How many seats promised bytes of their own and opened them. Bytes that two seats have alike are those
    /// of one, and those of a bot are the server's.
    pub fn contributors(&self) -> u64 {
        let of_players = self.standing.seats.iter().flatten().filter(|sitting| sitting.is_share);
        of_players.filter_map(|sitting| sitting.revealed).collect::<BTreeSet<_>>().len() as u64
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
    let (mut chain, standing) = (Chain::new(document.format), Standing::new(&genesis));
    let genesis = *genesis;
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
            stand(&mut history.standing, &entry.body, number)
                .map_err(|detail| Verdict::fail(number, detail))?;
        }
        if entry.body == Body::Seal {
            history.sealed = Some(number);
        }
        let x = document.server_seed.blind(number, recorded.secret);
        history.heads.push(chain.follow(recorded.body, &x));
    }
    match history.standing.status {
        Status::Finished | Status::Void => Ok(history),
        Status::Open | Status::Sealed | Status::Running => {
            Err(Verdict::fail(history.last(), "the log has no end"))
        }
    }
}

/// Takes an entry in where it may stand. Under fairlog/1 in whose hands a seat is belongs to check 9.
fn stand(standing: &mut Standing, body: &Body, seq: u64) -> Result<(), String> {
    standing.refuse(body)?;
    standing.place(body)?;
    if standing.format != Format::One {
        standing.hand_over(body)?;
        standing.note(body, seq);
    }
    Ok(())
}

/// Holds a rematch against the document of the game before it.
pub fn follows(history: &History, previous: &[u8], is_wanted: &dyn Fn() -> bool) -> Result<(), String> {
    let Some(named) = &history.genesis.terms.previous else {
        return Err("the game names no game before it".into());
    };
    let document =
        Document::read(previous, is_wanted).map_err(|error| format!("the game before it: {error}"))?;
    let before = walk(&document).map_err(|_| "the log of the game before it does not hold".to_owned())?;
    let is_it = before.genesis.game == named.game && before.heads.last() == Some(&named.head);
    if is_it { Ok(()) } else { Err("the game before it is another one, or ended otherwise".into()) }
}
