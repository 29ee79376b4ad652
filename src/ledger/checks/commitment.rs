//! Check 2: the server's seed was fixed before anyone joined.

use crate::ledger::{document::Document, entry::Body, report::Verdict};

pub fn check(document: &Document) -> Verdict {
    let Some(Body::Genesis(genesis)) = document.entries().next().map(|recorded| recorded.entry.body) else {
        return Verdict::fail(0, "the first entry is not a genesis, so nothing was promised");
    };
    if genesis.commit != document.server_seed.commitment() {
        return Verdict::fail(0, "the server's seed is not the one that the genesis promised");
    }
    Verdict::Pass("the server's seed is the one that the genesis promised".into())
}
