//! Checks whether a stored game is intact.

use crate::{
    engine::Format,
    ledger::chain::Chain,
    service::{
        ServiceError,
        games::{LiveGame, server_seed},
    },
    store::Opening,
};

/// Verifies the hash chain of a game, and replays it.
pub fn inspect(opening: Opening) -> Result<(), ServiceError> {
    let seed = server_seed(&opening.facts);
    let mut chain = Chain::new(Format::default());
    for entry in &opening.entries {
        let broken = |what| ServiceError::Internal(format!("entry {}: {what}", entry.seq));
        if seed.blind(entry.seq, entry.secret.as_deref()) != entry.x {
            return Err(broken("its secret is not the one that was sealed"));
        }
        if chain.follow(&entry.body, &entry.x) != entry.head {
            return Err(broken("its head does not follow from it"));
        }
    }
    LiveGame::load(opening).map(|_| ())
}
