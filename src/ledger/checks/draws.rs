//! Check 6: every draw follows from the seed, and none is left out.

use std::{borrow::Cow, collections::BTreeMap};

use super::chain::History;
use crate::{
    engine::{Draw, Seed, Shape},
    ledger::{document::Document, report::Verdict},
};

pub fn check(document: &Document, history: &History) -> Verdict {
    let sealed = history.sealed.and_then(|seq| usize::try_from(seq).ok());
    let Some(head) = sealed.and_then(|place| history.heads.get(place)) else {
        return Verdict::NotRun("the table was never sealed, so it has no seed".into());
    };
    let seed = document.server_seed.game_seed(head, &history.standing.revealed());
    let mut counters: BTreeMap<Cow<str>, u64> = BTreeMap::new();
    for recorded in document.entries() {
        for draw in recorded.entry.draws {
            let next = counters.get(&draw.label).copied().unwrap_or_default();
            if let Err(what) = follows(&draw, next, &seed) {
                let name = crate::engine::fields::clip(&draw.label);
                return Verdict::fail(recorded.entry.seq, format!("draw `{name}` {}: {what}", draw.n));
            }
            counters.insert(draw.label, next + 1);
        }
    }
    let total: u64 = counters.values().sum();
    Verdict::Pass(format!("{total} draw(s) follow from the seed"))
}

fn follows(draw: &Draw, next: u64, seed: &Seed) -> Result<(), String> {
    if draw.n != next {
        return Err(format!("number {next} is missing before it"));
    }
    // The size is compared before anything is drawn, so that a document cannot ask for more work than it is long.
    let size = match &draw.shape {
        Shape::Shuffle(size) => u64::from(*size),
        Shape::Roll(bounds) => bounds.len() as u64,
    };
    if draw.out.len() as u64 != size {
        return Err("its outcome has a wrong size".into());
    }
    if seed.draw(&draw.label, draw.n, &draw.shape) != draw.out {
        return Err("its outcome does not follow from the seed".into());
    }
    Ok(())
}
