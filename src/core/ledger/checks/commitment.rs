//! Check 2: the server's seed was fixed before anyone joined.

use crate::ledger::{document::Document, entry::Body, finding::finding, verdict::Verdict};

pub fn check(document: &Document) -> Verdict {
    match document.entries().next().as_ref().map(|recorded| &recorded.entry.body) {
        Some(Body::Genesis(genesis)) if genesis.commit == document.server_seed.commitment() => {
            Verdict::Pass(finding!("commitment_holds"))
        }
        Some(Body::Genesis(_)) => Verdict::fail(0, finding!("seed_differs")),
        _ => Verdict::fail(0, finding!("no_genesis")),
    }
}
