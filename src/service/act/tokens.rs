//! Whose token it is, kept in memory for those who were here lately.

use std::{
    num::NonZeroUsize,
    sync::{Mutex, MutexGuard, PoisonError},
};

use lru::LruCache;

use crate::{service::game::Player, store::PlayerKey};

const MOST: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

/// The players behind the tokens that were seen last, by the SHA-256 of the token.
pub struct Tokens(Mutex<Known>);

struct Known {
    players: LruCache<[u8; 32], Player>,
    /// How many tokens have ended. What was looked up before one did may be out of date.
    ended: u64,
}

impl Default for Tokens {
    fn default() -> Self {
        Self(Mutex::new(Known { players: LruCache::new(MOST), ended: 0 }))
    }
}

impl Tokens {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The player, if it is known, or else what must be handed to `keep` after looking.
    pub fn get(&self, token: &[u8; 32]) -> Result<Player, Unknown> {
        let mut known = self.known();
        let ended = known.ended;
        known.players.get(token).cloned().ok_or(Unknown { ended })
    }

    /// Keeps what was found, unless a token has ended since.
    pub fn keep(&self, unknown: &Unknown, token: [u8; 32], player: &Player) {
        let mut known = self.known();
        if known.ended == unknown.ended {
            known.players.put(token, player.clone());
        }
    }

    /// Forgets the tokens of a player.
    pub fn forget(&self, player: PlayerKey) {
        let mut known = self.known();
        known.ended += 1;
        let tokens: Vec<_> =
            known.players.iter().filter(|(_, known)| known.key == player).map(|(token, _)| *token).collect();
        for token in tokens {
            known.players.pop(&token);
        }
    }
}

/// The state of the cache when it did not know a token.
pub struct Unknown {
    ended: u64,
}
