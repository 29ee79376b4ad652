//! Whose token it is, kept in memory for those who were here lately.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::secret;
use crate::{
    service::{Accounts, ServiceError, games::Session, recent::Recent},
    store::{AccountChange, Change, Keeper as _, PlayerKey, Write},
};

const MOST: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();
/// The SHA-256 of a token.
pub type TokenDigest = [u8; 32];

/// When a token was last used is noted no finer than this.
const HOUR: u64 = 60 * 60 * 1_000;

/// The sessions that were seen last, by the SHA-256 of their token.
pub struct Sessions(Mutex<Known>);

struct Known {
    sessions: Recent<[u8; 32], Arc<Session>>,
    /// How many times tokens have ended or changed. What was looked up before may be out of date.
    changes: u64,
}

impl Default for Sessions {
    fn default() -> Self {
        Self(Mutex::new(Known { sessions: Recent::new(MOST), changes: 0 }))
    }
}

impl Sessions {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session, if it is known, or else what must be handed to `keep` after looking.
    fn get(&self, token: &[u8; 32]) -> Result<Arc<Session>, Unknown> {
        let known = self.known();
        known.sessions.get(token).cloned().ok_or(Unknown { changes: known.changes })
    }

    /// Keeps what was found, unless something has changed since.
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

    /// Forgets the sessions of a player.
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

/// The state of the cache when it did not know a token.
struct Unknown {
    changes: u64,
}

impl Unknown {
    const NEVER_KEPT: Self = Self { changes: u64::MAX };
}

impl Accounts {
    /// What a token is known by.
    pub fn digest_of(token: &str) -> TokenDigest {
        secret::digest_of_token(token)
    }

    /// The session whose token has this SHA-256.
    pub async fn session(&self, digest: &TokenDigest) -> Result<Arc<Session>, ServiceError> {
        let session = match self.known(digest) {
            Ok(session) => session,
            // Rare, and whoever stays for long would have room in itself for it.
            Err(unknown) => Box::pin(self.look_up(*digest, unknown)).await?,
        };
        self.in_use(digest, session)
    }

    /// The session, if it is at hand.
    pub fn session_at_hand(&self, digest: &TokenDigest) -> Result<Option<Arc<Session>>, ServiceError> {
        self.known(digest).ok().map(|session| self.in_use(digest, session)).transpose()
    }

    fn known(&self, digest: &TokenDigest) -> Result<Arc<Session>, Unknown> {
        // At another server it may have ended meanwhile: where there are others, none is kept.
        if self.store.is_shared() { Err(Unknown::NEVER_KEPT) } else { self.sessions.get(digest) }
    }

    /// Notes that a session is used, unless it has ended.
    fn in_use(&self, digest: &TokenDigest, session: Arc<Session>) -> Result<Arc<Session>, ServiceError> {
        let now = self.clock.now();
        if session.expires_at.is_some_and(|end| end <= now) {
            return Err(ServiceError::BadToken);
        }
        let hour = now - now % HOUR;
        if session.used_at.is_none_or(|used| used < hour) {
            self.sessions.note_use(digest, hour);
            let used = AccountChange::NoteUse { token: session.token, at: hour };
            // It is queued; nobody need wait for it.
            drop(self.store.write(Write::of(Change::Account(used))));
        }
        Ok(session)
    }

    async fn look_up(&self, digest: TokenDigest, unknown: Unknown) -> Result<Arc<Session>, ServiceError> {
        let (token, player) = self.store.token(&digest).await?.ok_or(ServiceError::BadToken)?;
        let (player_key, is_pending) = (player.key, token.is_pending);
        let session = Arc::new(Session::new(player, token));
        if is_pending && session.expires_at.is_none_or(|end| end > self.clock.now()) {
            // What it replaces has ended when its first request is answered.
            let settle = AccountChange::SettleToken { player: player_key, token: session.token };
            self.change_account(player_key, Write::of(Change::Account(settle)), ServiceError::BadToken)
                .await?;
            return Ok(session);
        }
        self.sessions.keep(&unknown, digest, &session);
        Ok(session)
    }
}
