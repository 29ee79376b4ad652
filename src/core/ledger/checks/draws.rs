//! Check 6: every draw follows from the seed, and none is left out.

use std::{borrow::Cow, collections::BTreeMap};

use super::chain::History;
use crate::{
    engine::{Draw, DrawShape, Seed},
    ledger::{
        document::Document,
        finding::{Finding, finding},
        verdict::Verdict,
    },
};

pub fn check(document: &Document, history: &History) -> Verdict {
    let Some(head) = history.full.and_then(|seq| history.head(seq)).filter(|_| history.started) else {
        return Verdict::NotRun(finding!("not_started"));
    };
    let seed = document.server_seed.game_seed(head, &history.standing.revealed());
    let mut counters: BTreeMap<Cow<str>, u64> = BTreeMap::new();
    for recorded in document.entries() {
        for draw in &recorded.entry.draws {
            let next = counters.get(&draw.label).copied().unwrap_or_default();
            if let Some(why) = wrong(draw, next, &seed) {
                let label = crate::engine::malformed::clip(&draw.label);
                return Verdict::fail(recorded.entry.seq, why.with("label", &label).with("n", &draw.n));
            }
            counters.insert(draw.label.clone(), next + 1);
        }
    }
    let total: u64 = counters.values().sum();
    Verdict::Pass(finding!("draws_follow", count = total))
}

fn wrong(draw: &Draw, next: u64, seed: &Seed) -> Option<Finding> {
    if draw.n != next {
        return Some(finding!("draw_missing", next = next));
    }
    // Sizes are compared first, so a short document cannot cause much work.
    let size = match &draw.shape {
        DrawShape::Shuffle(size) => u64::from(*size),
        DrawShape::Roll(bounds) => bounds.len() as u64,
    };
    let follows = draw.out.len() as u64 == size && seed.draw(&draw.label, draw.n, &draw.shape) == draw.out;
    (!follows).then(|| finding!("draw_differs"))
}
