//! What every handler can reach.

use std::{ops::Deref, sync::Arc, time::Duration};

use actix_web::web;
use tokio::sync::Semaphore;

use super::{
    client::Client,
    metrics::{Counts, Metrics},
    places::Places,
    rate_limit::RateLimit,
};
use crate::{
    config::Config,
    service::{PlayerKey, Service},
};

/// How many uploads may be under way at once, also of one client, and how many audits are carried out at once. Each of them takes memory.
const UPLOADS: usize = 16;
const UPLOADS_OF_CLIENT: usize = 4;
const AUDITS: usize = 2;
/// As many players may use up what they may begin in a day from one address.
const PLAYERS_OF_CLIENT: u32 = 10;
/// Nobody needs to try a webhook out more often than this.
const TESTS_AN_HOUR: u32 = 60;
/// How many strangers are asked whether an address is theirs, and how often one of them.
const MAILS_A_DAY: u32 = 20;
const MAILS_TO_ADDRESS: u32 = 3;
const DAY: Duration = Duration::from_hours(24);

/// What a thread that serves has of its own. A request takes hold of it again and again, and what all threads take hold of
/// is fetched from another's memory each time.
pub struct State {
    shared: Arc<Shared>,
    pub counts: Arc<Counts>,
}

/// What all threads share.
pub struct Shared {
    pub service: Service,
    pub config: Config,
    pub metrics: Metrics,
    pub limits: Limits,
    pub connections: Arc<Places>,
    /// Streams and long polls that come through proxies.
    pub listeners: Arc<Places>,
    /// Room for uploads that are under way, and for audits that are carried out.
    pub uploads: Arc<Places>,
    pub audits: Arc<Semaphore>,
}

/// How much each may ask for.
pub struct Limits {
    pub clients: RateLimit<Client>,
    pub players: RateLimit<PlayerKey>,
    /// New players that a client may make.
    pub accounts: RateLimit<Client>,
    /// Wrong codes that a client may try.
    pub codes: RateLimit<Client>,
    /// What a player may say.
    pub messages: RateLimit<PlayerKey>,
    /// Messages that a player may send by webhooks of its own accord, and codes that it may type back.
    pub tests: RateLimit<PlayerKey>,
    /// Mails that ask whether an address is somebody's: by a client, and to an address.
    pub mails: RateLimit<Client>,
    pub addresses: RateLimit<String>,
    /// Games that a client may begin.
    pub games: RateLimit<Client>,
}

impl Deref for State {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

impl State {
    /// For another thread.
    pub fn of_thread(shared: &Arc<Shared>) -> web::Data<Self> {
        let counts = shared.metrics.of_thread();
        web::Data::new(Self { shared: Arc::clone(shared), counts })
    }
}

impl Shared {
    pub fn new(service: Service, config: Config) -> Self {
        let (rate, burst, accounts) =
            (config.requests_per_second, config.request_burst, config.players_of_client);
        let games = config.games_a_day.saturating_mul(PLAYERS_OF_CLIENT);
        let limits = Limits {
            clients: RateLimit::new(rate, Duration::from_secs(1), burst),
            players: RateLimit::new(rate, Duration::from_secs(1), burst),
            accounts: RateLimit::new(accounts, DAY, accounts),
            messages: RateLimit::new(
                config.messages_a_minute,
                Duration::from_mins(1),
                config.messages_a_minute,
            ),
            codes: RateLimit::new(config.codes_an_hour, Duration::from_hours(1), config.codes_an_hour),
            tests: RateLimit::new(TESTS_AN_HOUR, Duration::from_hours(1), TESTS_AN_HOUR),
            mails: RateLimit::new(MAILS_A_DAY, DAY, MAILS_A_DAY),
            addresses: RateLimit::new(MAILS_TO_ADDRESS, DAY, MAILS_TO_ADDRESS),
            games: RateLimit::new(games, DAY, games),
        };
        let places = || Places::new(config.max_connections, config.max_connections.div_ceil(2));
        let (connections, listeners) = (places(), places());
        let (uploads, audits) = (Places::new(UPLOADS, UPLOADS_OF_CLIENT), Arc::new(Semaphore::new(AUDITS)));
        Self { service, config, metrics: Metrics::default(), limits, connections, listeners, uploads, audits }
    }
}
