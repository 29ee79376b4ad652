//! Sessions: the players of recently used tokens, in memory.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::secret;
use crate::{
    clock_cache::ClockCache,
    service::{Accounts, ServiceError, games::Session},
    store::{AccountChange, Change, PlayerKey, Write},
};

const MOST: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();
/// SHA-256 of a token.
pub type TokenDigest = [u8; 32];

/// Precision of the time of last use.
const HOUR: u64 = 60 * 60 * 1_000;

/// Recent sessions, by the digest of their token.
pub struct Sessions(Mutex<KnownTokens>);

struct KnownTokens {
    sessions: ClockCache<[u8; 32], Arc<Session>>,
    /// Revision of all tokens. A row that was read at an earlier revision may be out of date.
    changes: u64,
}

impl Default for Sessions {
    fn default() -> Self {
        Self(Mutex::new(KnownTokens { sessions: ClockCache::new(MOST), changes: 0 }))
    }
}

impl Sessions {
    fn known(&self) -> MutexGuard<'_, KnownTokens> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the session if it is cached, or else the state to pass to `keep` after reading the row.
    fn get(&self, token: &[u8; 32]) -> Result<Arc<Session>, Unknown> {
        let known = self.known();
        known.sessions.get(token).cloned().ok_or(Unknown { changes: known.changes })
    }

    /// Caches a session, unless a token has changed since the row was read.
    fn keep(&self, unknown: &Unknown, token: [u8; 32], session: &Arc<Session>) {
        let mut known = self.known();
        if known.changes == unknown.changes {
            known.sessions.put(token, Arc::clone(session), |_| false);
        }
    }

    fn note_use(&self, token: &[u8; 32], at: u64) {
        if let Some(session) = self.known().sessions.get_mut(token) {
            Arc::make_mut(session).used_at = Some(at);
        }
    }

    /// Drops the sessions of a player.
    pub fn forget(&self, player: PlayerKey) {
        let mut known = self.known();
        known.changes += 1;
        let of_player = known.sessions.iter().filter(|(_, session)| session.player.key == player);
        let tokens: Vec<_> = of_player.map(|(token, _)| *token).collect();
        for token in tokens {
            known.sessions.remove(&token);
        }
    }
}

/// The revision at which a token was not cached.
struct Unknown {
    changes: u64,
}

impl Unknown {
    const NEVER_KEPT: Self = Self { changes: u64::MAX };
}

impl Accounts {
    pub fn digest_of(token: &str) -> TokenDigest {
        secret::digest_of_token(token)
    }

    /// Returns the session of a token, by its digest.
    pub async fn session(&self, digest: &TokenDigest) -> Result<Arc<Session>, ServiceError> {
        let session = match self.known(digest) {
            Ok(session) => session,
            // Boxed: rare, keeps the future small.
            Err(unknown) => Box::pin(self.look_up(*digest, unknown)).await?,
        };
        self.in_use(digest, session)
    }

    /// Returns the session of a token, if it is cached.
    pub fn session_at_hand(&self, digest: &TokenDigest) -> Result<Option<Arc<Session>>, ServiceError> {
        self.known(digest).ok().map(|session| self.in_use(digest, session)).transpose()
    }

    fn known(&self, digest: &TokenDigest) -> Result<Arc<Session>, Unknown> {
        // Another server may have ended the token: with several servers, no session is cached.
        if self.store.peers().is_some() { Err(Unknown::NEVER_KEPT) } else { self.sessions.get(digest) }
    }

    /// Notes the use of a session. Fails if its token has expired.
    fn in_use(&self, digest: &TokenDigest, session: Arc<Session>) -> Result<Arc<Session>, ServiceError> {
        let now = self.clock.now();
        if session.expires_at.is_some_and(|end| end <= now) {
            return Err(ServiceError::BadToken);
        }
        let hour = now - now % HOUR;
        if session.used_at.is_none_or(|used| used < hour) {
            self.sessions.note_use(digest, hour);
            let used = AccountChange::NoteUse { token: session.token, at: hour };
            // Queued, without waiting for the commit.
            drop(self.store.write(Write::of(Change::Account(used))));
        }
        Ok(session)
    }

    async fn look_up(&self, digest: TokenDigest, unknown: Unknown) -> Result<Arc<Session>, ServiceError> {
        let found = self.store.token(&digest).await?.ok_or(ServiceError::BadToken)?;
        let (player_key, is_pending) = (found.player.key, found.token.is_pending);
        let session = Arc::new(Session::new(found));
        if is_pending && session.expires_at.is_none_or(|end| end > self.clock.now()) {
            // The first answered request ends the replaced token.
            let settle = AccountChange::SettleToken { player: player_key, token: session.token };
            self.change_account(player_key, Write::of(Change::Account(settle)), ServiceError::BadToken)
                .await?;
            return Ok(session);
        }
        self.sessions.keep(&unknown, digest, &session);
        Ok(session)
    }
}
