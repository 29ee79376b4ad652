//! The use cases: what players, spectators and operators can ask for. It knows no HTTP and no SQL.
//!
//! Its rooms show the way of the data: [`act`] decides entries, [`game`] takes them in, [`feed`] tells of them, [`read`] shows
//! what came of it, [`hooks`] tells those who are not looking, and [`tree`] pins it for everybody.

pub mod act;
mod bot_pool;
mod clock_watch;
mod error;
mod fair_queue;
pub mod feed;
pub mod game;
pub mod hooks;
mod json_writer;
pub mod offer;
pub mod ports;
pub mod read;
mod recent;
pub mod request;
mod text;
pub mod tree;
pub mod witness;
pub mod work;

#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use tokio::sync::Semaphore;

pub use error::ServiceError;
pub use game::{Player, Session};

pub use crate::store::{PlayerKey, slow_commits::SlowCommit};

use crate::{
    store::{Change, Keeper as _, SigningKey, Store, StoreError, Turn, Write},
    tree::{note::VerifierKey, secret_key::SecretKey, signer::Signer},
};
use act::{InFlight, Machines, Sessions, Waiting};
use bot_pool::BotPool;
pub use clock_watch::Unsteady;
use feed::Hub;
use game::{Faults, LiveGames};
use hooks::Post;
use ports::{Clock, Entropy, Outside};
use read::{Past, Trials, audit::Trust};
use tree::PublicTree;

/// Milliseconds.
pub const DAY: u64 = 24 * 60 * 60 * 1_000;

/// How many drafts that take long are decided at once.
const LONG_DRAFTS: usize = 2;

/// What the operator may set.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many games that are not over a player may sit at.
    pub games_of_player: u32,
    /// How many games a player may create in a day; 0 for any number.
    pub games_a_day: u32,
    /// No game is created when less can be stored.
    pub min_free_bytes: u64,
    /// How long a game may wait for players.
    pub open_ms: u64,
    /// How long a full game may wait for bytes that were promised.
    pub reveal_ms: u64,
    /// How many games are kept in memory.
    pub live_games: usize,
    /// How many entries a game that has not started may have: people come and go, but not for ever.
    pub lobby_entries: u64,
    /// Under which name the public tree is published; one that follows from the address or the key, if it is
    /// left out.
    pub origin: Option<String>,
    /// At most one checkpoint of the tree is made in so many seconds.
    pub checkpoint_seconds: u64,
    /// The steps of time, in milliseconds, at which bots of the server act. With 0 they act as soon as they
    /// have decided, and the time of a move tells how much there was to decide.
    pub bot_step_ms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            games_of_player: 200,
            games_a_day: 0,
            min_free_bytes: 0,
            open_ms: 30 * DAY,
            reveal_ms: DAY,
            live_games: 10_000,
            lobby_entries: 500,
            origin: None,
            checkpoint_seconds: 10,
            bot_step_ms: 300,
        }
    }
}

/// How busy the service is.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Writes that wait.
    pub waiting: usize,
    /// Games in memory.
    pub live: usize,
    /// Streams and long polls.
    pub listeners: usize,
    /// Games that were found damaged.
    pub damaged: usize,
    /// Games that wait for a machine to think.
    pub thinking: usize,
    /// Hooks that have something to send, now or later.
    pub sending: usize,
    /// Witnesses that have not signed the newest checkpoint of the public tree.
    pub silent: usize,
    /// On how many machines something is when it is acknowledged.
    pub copies: u32,
    /// The longest that a commit took since the start.
    pub slowest_commit: Duration,
    /// How much more can be stored, if that is known.
    pub free_bytes: Option<u64>,
}

/// The service. One for all threads.
pub struct Service {
    store: Arc<Store>,
    signer: Signer,
    /// The keys that signed here, this one first.
    keys: Vec<SigningKey>,
    trust: Arc<Trust>,
    clock: Box<dyn Clock>,
    entropy: Box<dyn Entropy>,
    live_games: LiveGames,
    faults: Faults,
    past: Arc<Past>,
    trials: Trials,
    hub: Arc<Hub>,
    in_flight: InFlight,
    /// Room for drafts that take long.
    long_drafts: Arc<Semaphore>,
    sessions: Arc<Sessions>,
    machines: Machines,
    waiting: Arc<Waiting>,
    bots: BotPool,
    post: Arc<Post>,
    tree: PublicTree,
    limits: Limits,
}

impl Service {
    pub async fn new(
        store: Arc<Store>,
        signer: Signer,
        mut outside: Outside,
        limits: Limits,
    ) -> Result<Self, ServiceError> {
        // Servers that start together would each begin what is begun once.
        let _turn = store.wait_for_turn(Turn::Start).await?;
        let keys = note_signing_key(&store, &signer, outside.clock.now()).await?;
        let tree = PublicTree::open(&store, &signer, &mut outside, &limits).await?;
        let Outside { clock, entropy, courier, public_url, witnesses: _ } = outside;
        let machines = Machines::gather(&store, clock.now()).await?;
        let post =
            Post::open(&store, courier, SecretKey::new(&signer.branch("webhooks")), public_url).await?;
        let live_games = LiveGames::new(limits.live_games);
        let hub = Arc::new(Hub::after(store.newest_place().await?, ring(&store)));
        let (past, in_flight, sessions) = (Arc::default(), InFlight::default(), Arc::<Sessions>::default());
        let long_drafts = Arc::new(Semaphore::new(LONG_DRAFTS));
        Ok(Self {
            store,
            signer,
            trust: Arc::new(Trust::of(&keys, tree.log_keys())),
            keys,
            clock,
            entropy,
            live_games,
            faults: Faults::default(),
            past,
            trials: Trials::default(),
            hub,
            in_flight,
            long_drafts,
            sessions,
            machines,
            waiting: Arc::default(),
            bots: BotPool::default(),
            post: Arc::new(post),
            tree,
            limits,
        })
    }

    /// What receipts are checked against.
    pub fn verifier_key(&self) -> VerifierKey {
        self.signer.verifier_key()
    }

    /// What messages of webhooks are checked against, by those who keep no secret.
    pub fn webhook_key(&self) -> String {
        self.post.shown_key()
    }

    /// The keys that signed here, the newest first.
    pub fn signing_keys(&self) -> &[SigningKey] {
        &self.keys
    }

    /// Returns why the clock of this machine is not believed.
    pub fn unsteady(&self) -> Option<Unsteady> {
        self.clock.unsteady()
    }

    /// Returns the commits that took long since the last call.
    pub fn slow_commits(&self) -> Vec<SlowCommit> {
        self.store.slow_commits().take()
    }

    /// Returns which host of a shared database is used, if there is one.
    pub fn database_host(&self) -> Option<String> {
        match &*self.store {
            Store::File(_) => None,
            Store::Server(server) => server.host(),
        }
    }

    /// Returns the number of free bytes if they are too few for new games.
    pub fn nearly_full(&self) -> Option<u64> {
        self.store.free_bytes().filter(|free| *free < self.limits.min_free_bytes)
    }

    /// Whether the store answers, and writes; or else what anybody may know of why not.
    pub async fn ready(&self) -> Result<(), Option<String>> {
        self.store.ready().await.map_err(|error| match error {
            // What stands behind is the operator's.
            StoreError::NotSafe(why) => why.split(':').next().map(str::to_owned),
            _ => None,
        })
    }

    /// Forgets what is kept for a day (what came under idempotency keys, and explorations) or a week (what
    /// was sent to hooks).
    pub async fn forget_old(&self) -> Result<(), ServiceError> {
        if self.clock.unsteady().is_some() {
            return Ok(());
        }
        let before = self.clock.now().saturating_sub(DAY);
        self.store.forget_explorations(before).await?;
        self.forget_deliveries().await?;
        Ok(self.store.forget_claims(before).await?)
    }

    /// Takes over what another server has left undone.
    pub async fn adopt(&self) -> Result<(), ServiceError> {
        if !self.store.is_shared() {
            return Ok(());
        }
        self.adopt_messages().await?;
        self.adopt_machines().await
    }

    /// Ends all streams and drops the decisions of bots that wait, so that the server can stop at once.
    pub fn stop(&self) {
        self.hub.close();
        self.bots.close();
    }

    /// Does work that takes longer than the threads that serve may be kept from others.
    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|error| Err(ServiceError::Internal(error.to_string())))
    }

    pub fn load(&self) -> Load {
        let (waiting, live, listeners) =
            (self.store.waiting(), self.live_games.count(), self.hub.listeners());
        let (damaged, thinking, sending) = (self.faults.count(), self.waiting.count(), self.post.waiting());
        Load {
            waiting,
            live,
            listeners,
            damaged,
            thinking,
            sending,
            silent: self.tree.silent(),
            copies: self.store.copies(),
            slowest_commit: self.store.slow_commits().longest(),
            free_bytes: self.store.free_bytes(),
        }
    }
}

/// What rings for other servers, if there may be any.
fn ring(store: &Arc<Store>) -> Option<feed::Ring> {
    let ringing = Arc::clone(store);
    store.is_shared().then(|| Box::new(move |line| ringing.ring(line)) as feed::Ring)
}

/// Notes that this key signs from now on, unless it does already, and says which have.
async fn note_signing_key(store: &Store, signer: &Signer, now: u64) -> Result<Vec<SigningKey>, ServiceError> {
    let key = signer.verifier_key().to_string();
    let known = store.signing_keys().await?;
    if known.first().is_some_and(|newest| newest.key == key) {
        return Ok(known);
    }
    store.write(Write::of(Change::AddSigningKey { key, at: now })).await?;
    Ok(store.signing_keys().await?)
}
