//! The use cases of players, spectators and operators, without HTTP and SQL.
//!
//! [`Service`] is a record of components. Each is built from those above it in this list and knows no other:
//! [`PublicTree`], [`Instance`], [`Games`], [`Reading`], [`Feed`], [`Notifier`], [`Accounts`], [`Talk`],
//! [`Tables`], [`Bots`], [`Moderation`].

pub mod accounts;
pub mod bots;
mod census;
mod clock_watch;
pub mod cost;
mod error;
mod fair_queue;
pub mod feed;
pub mod games;
pub mod instance;
mod json_writer;
pub mod moderation;
pub mod notify;
pub mod offer;
pub mod ports;
pub mod public_tree;
pub mod reading;
pub mod request;
pub mod tables;
pub mod talk;
mod text;
pub mod witness;

#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

pub use error::ServiceError;
pub use games::{Player, Session};
pub use instance::Instance;
use instance::InstanceInfo;
pub use moderation::Moderation;

pub use crate::store::{PlayerKey, slow_commits::SlowCommit};

use crate::{
    store::{Change, LeaderTask, SigningKey, Store, StoreError, Write, postgres::Postgres},
    tree::{note::VerifierKey, secret_key::SecretKey, signer::Signer},
};
pub use accounts::Accounts;
use accounts::HouseBots;
pub use bots::Bots;
pub use census::Census;
use census::CensusCache;
pub use clock_watch::Unsteady;
pub use feed::Feed;
use feed::Hub;
pub use games::Games;
pub use notify::Notifier;
use notify::Outbox;
use ports::{Clock, Entropy, Outside};
pub use public_tree::PublicTree;
pub use reading::Reading;
use reading::audit::Trust;
pub use tables::Tables;
use tables::{Below, BotQueue};
pub use talk::Talk;

/// Unused accounts that are deleted together.
const ACCOUNTS_AT_ONCE: u32 = 100;
/// Milliseconds.
pub const DAY: u64 = 24 * 60 * 60 * 1_000;
/// End of a ban without an end: the last time that the store can hold.
const FOR_EVER: u64 = i64::MAX.cast_unsigned();

/// Settings of the operator.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Unfinished games of a player.
    pub games_of_player: u32,
    /// Games that a player may create in a day; 0 means no limit.
    pub games_a_day: u32,
    /// No game is created with less free space.
    pub min_free_bytes: u64,
    /// How long a game waits for players.
    pub open_ms: u64,
    /// How long a full game waits for promised bytes.
    pub reveal_ms: u64,
    /// Games that are kept in memory.
    pub live_games: usize,
    /// Entries of a game before it starts: players may come and go, but not for ever.
    pub lobby_entries: u64,
    /// Name of the public tree. By default it follows from the address or the key.
    pub origin: Option<String>,
    /// Minimum number of seconds between checkpoints of the tree.
    pub checkpoint_seconds: u64,
    /// Steps of time, in milliseconds, at which built-in bots act. With 0 they act once they have decided;
    /// the time of a move then reveals how long they thought.
    pub bot_step_ms: u64,
    pub instance: InstanceInfo,
    /// Days after which messages of finished games, unused accounts and reports are deleted; 0 means never.
    pub keep_messages_days: u64,
    pub keep_accounts_days: u64,
    pub keep_reports_days: u64,
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
            instance: InstanceInfo::default(),
            keep_messages_days: 0,
            keep_accounts_days: 0,
            keep_reports_days: 180,
        }
    }
}

/// The load of the service.
#[derive(Clone, Debug)]
pub struct Load {
    /// Writes that wait.
    pub waiting: usize,
    /// Games in memory.
    pub live: usize,
    /// Streams and long polls.
    pub listeners: usize,
    /// Games that were found damaged.
    pub damaged: usize,
    /// Games that wait for a bot.
    pub thinking: usize,
    /// Hooks with messages to send, now or later.
    pub sending: usize,
    /// Witnesses that have not signed the newest checkpoint of the public tree.
    pub silent: usize,
    /// Machines with a copy of an acknowledged write.
    pub copies: u32,
    /// The longest commit since the start.
    pub slowest_commit: Duration,
    /// Free space, if it is known.
    pub free_bytes: Option<u64>,
    /// Entries written since the start.
    pub entries: u64,
    /// Attempts to deliver a notification: channel, outcome, number.
    pub deliveries: Vec<(&'static str, &'static str, u64)>,
    /// Time since the public tree was last published or found to be current.
    pub checkpoint_age: Option<Duration>,
}

/// The base of all components: the store, the ports, the signing key and the limits.
pub struct Base {
    pub store: Arc<Store>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    pub signer: Arc<Signer>,
    pub limits: Arc<Limits>,
}

/// The service, shared by all threads.
pub struct Service {
    pub tree: Arc<PublicTree>,
    pub instance: Arc<Instance>,
    pub games: Arc<Games>,
    pub reading: Arc<Reading>,
    pub feed: Arc<Feed>,
    pub notifier: Arc<Notifier>,
    pub accounts: Arc<Accounts>,
    pub talk: Talk,
    pub tables: Arc<Tables>,
    pub bots: Bots,
    pub moderation: Moderation,
    base: Base,
    counted: CensusCache,
    /// The keys that have signed here, newest first.
    keys: Vec<SigningKey>,
}

impl Service {
    pub async fn new(
        store: Arc<Store>,
        signer: Signer,
        outside: Outside,
        limits: Limits,
    ) -> Result<Self, ServiceError> {
        // Servers starting together would create the same records.
        let _leads = match store.peers() {
            Some(peers) => Some(peers.wait_to_lead(LeaderTask::Start).await?),
            None => None,
        };
        let Outside { clock, entropy, courier, public_url, witnesses } = outside;
        let keys = note_signing_key(&store, &signer, clock.now()).await?;
        let (signer, limits) = (Arc::new(signer), Arc::new(limits));
        let base = Base { store, clock, entropy, signer, limits };
        let tree = Arc::new(PublicTree::open(&base, public_url.as_deref(), witnesses).await?);
        let instance = Arc::new(Instance::open(&base).await?);
        let house_bots = HouseBots::gather(&base.store, base.clock.now()).await?;
        let webhook_key = SecretKey::new(&base.signer.branch("webhooks"));
        let post = Outbox::open(&base.store, courier, webhook_key, public_url).await?;
        let hub = Arc::new(Hub::after(base.store.newest_place().await?, ring(&base.store)));
        let games = Arc::new(Games::new(
            Arc::clone(&base.store),
            base.limits.live_games,
            feed::taking_in(&base, &hub),
        ));
        let trust = Trust::of(&keys, tree.log_keys());
        let reading = Arc::new(Reading::new(&base, &games, &tree, trust));
        let feed = Arc::new(Feed::new(&base, &games, &reading, hub));
        let notifier = Arc::new(Notifier::new(&base, &games, &feed, post));
        let accounts = Arc::new(Accounts::new(&base, &games, &instance, &feed, &notifier));
        let talk = Talk::new(&base, &games, &feed, &notifier);
        let below =
            Below { games: &games, reading: &reading, feed: &feed, notifier: &notifier, accounts: &accounts };
        let bot_queue = Arc::<BotQueue>::default();
        let tables = Arc::new(Tables::new(&base, &below, house_bots, &bot_queue));
        let bots = Bots::new(&base, &games, &reading, &tables, bot_queue);
        let moderation = Moderation::new(&base, &games, &instance, &accounts, &tables);
        Ok(Self {
            tree,
            instance,
            games,
            reading,
            feed,
            notifier,
            accounts,
            talk,
            tables,
            bots,
            moderation,
            base,
            counted: CensusCache::default(),
            keys,
        })
    }

    /// Returns the key that verifies receipts.
    pub fn verifier_key(&self) -> VerifierKey {
        self.base.signer.verifier_key()
    }

    /// Returns the keys that have signed here, newest first.
    pub fn signing_keys(&self) -> &[SigningKey] {
        &self.keys
    }

    /// Returns why the system clock does not count.
    pub fn unsteady(&self) -> Option<Unsteady> {
        self.base.clock.unsteady()
    }

    /// Returns the slow commits since the last call.
    pub fn slow_commits(&self) -> Vec<SlowCommit> {
        self.base.store.slow_commits().take()
    }

    /// Returns the host of a shared database.
    pub fn database_host(&self) -> Option<String> {
        self.base.store.peers().and_then(Postgres::host)
    }

    /// Returns the number of free bytes if they are too few for new games.
    pub fn nearly_full(&self) -> Option<u64> {
        self.base.store.free_bytes().filter(|free| *free < self.base.limits.min_free_bytes)
    }

    /// Fails unless the store answers and writes. The error has the part of the reason that anyone may know.
    pub async fn ready(&self) -> Result<(), Option<String>> {
        self.base.store.ready().await.map_err(|error| match error {
            // The rest of the reason is for the operator.
            StoreError::NotSafe(why) => why.split(':').next().map(str::to_owned),
            _ => None,
        })
    }

    /// Deletes idempotency keys and explorations after a day, and deliveries after a week.
    pub async fn forget_old(&self) -> Result<(), ServiceError> {
        if self.base.clock.unsteady().is_some() {
            return Ok(());
        }
        let before = self.base.clock.now().saturating_sub(DAY);
        self.base.store.forget_explorations(before).await?;
        self.notifier.forget_deliveries().await?;
        self.forget_people().await?;
        Ok(self.base.store.forget_claims(before).await?)
    }

    /// Deletes what is older than the operator keeps it: reports, messages of finished games, and unused
    /// accounts.
    async fn forget_people(&self) -> Result<(), ServiceError> {
        let (store, limits, now) = (&self.base.store, &self.base.limits, self.base.clock.now());
        let before = |days: u64| now.saturating_sub(days.saturating_mul(DAY));
        let reports = if limits.keep_reports_days > 0 { before(limits.keep_reports_days) } else { 0 };
        store.forget_reports(reports, now).await?;
        self.instance.forget_ended_bans().await?;
        if limits.keep_messages_days > 0 {
            store.forget_messages(before(limits.keep_messages_days)).await?;
        }
        if limits.keep_accounts_days > 0 {
            for player in store.unused_players(before(limits.keep_accounts_days), ACCOUNTS_AT_ONCE).await? {
                if let Some(row) = store.player(player).await? {
                    self.tables.leave_for_good(&row.into()).await?;
                }
            }
        }
        Ok(())
    }

    /// Takes over the work of servers that are gone.
    pub async fn adopt(&self) -> Result<(), ServiceError> {
        if self.base.store.peers().is_none() {
            return Ok(());
        }
        self.instance.reload().await?;
        self.notifier.adopt_messages().await?;
        self.bots.adopt_machines().await
    }

    /// Ends all streams and drops waiting decisions of bots, so that the server can stop at once.
    pub fn stop(&self) {
        self.feed.hub.close();
        self.bots.stop();
    }

    pub fn load(&self) -> Load {
        let (waiting, live, listeners) =
            (self.base.store.waiting(), self.games.count(), self.feed.hub.listeners());
        let (damaged, thinking, sending) =
            (self.games.damaged(), self.bots.waiting(), self.notifier.outbox.waiting());
        Load {
            waiting,
            live,
            listeners,
            damaged,
            thinking,
            sending,
            silent: self.tree.silent(),
            copies: self.base.store.peers().map_or(1, Postgres::copies),
            slowest_commit: self.base.store.slow_commits().longest(),
            free_bytes: self.base.store.free_bytes(),
            entries: self.tables.entries(),
            deliveries: self.notifier.outbox.delivered.list(),
            checkpoint_age: self.tree.age(),
        }
    }
}

/// Runs work that would keep the serving threads from other requests.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
) -> Result<T, ServiceError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(ServiceError::Internal(error.to_string())))
}

/// Returns the callback that sends messages to other servers, on a shared database.
fn ring(store: &Arc<Store>) -> Option<feed::Ring> {
    let sender = Arc::clone(store);
    let send = move |line| sender.peers().into_iter().for_each(|peers| peers.ring(String::clone(&line)));
    store.peers().map(|_| Box::new(send) as feed::Ring)
}

/// Stores the present key, and returns all keys.
async fn note_signing_key(store: &Store, signer: &Signer, now: u64) -> Result<Vec<SigningKey>, ServiceError> {
    let key = signer.verifier_key().to_string();
    let known = store.signing_keys().await?;
    if known.first().is_some_and(|newest| newest.key == key) {
        return Ok(known);
    }
    store.write(Write::of(Change::AddSigningKey { key, at: now })).await?;
    Ok(store.signing_keys().await?)
}
