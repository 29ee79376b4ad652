//! The state of the server, for every handler.

use std::{
    ops::Deref,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use actix_web::web;
use serde_json::json;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{
    client::Client,
    metrics::{AnswerCounts, Metrics},
    quota::ConnectionQuota,
    rate_limit::RateLimit,
    routes::pictures::Pictures,
};
use crate::{
    config::Config,
    logging,
    service::{PlayerKey, Service},
    watermark::Watermark,
};

/// Uploads at the same time, in all and of one client, and audits at the same time. Each takes memory.
const UPLOADS: usize = 16;
const UPLOADS_OF_CLIENT: usize = 4;
const AUDITS: usize = 2;
/// Pictures that are drawn at the same time, so that processors stay free for moves.
const DRAWN_AT_ONCE: usize = 2;
/// Players of one address that may use up their daily games.
const PLAYERS_OF_CLIENT: u32 = 10;
/// Tests of webhooks of a player in an hour.
const TESTS_AN_HOUR: u32 = 60;
/// Confirmation emails of a client, and to an address, in a day.
const MAILS_A_DAY: u32 = 20;
const MAILS_TO_ADDRESS: u32 = 3;
/// Milliseconds of bots' decisions for explorations of a client or player: in each second, and at once.
const THINKING_A_SECOND: u32 = 250;
const THINKING_BURST: u32 = 10_000;
/// Reports of a player in a day; five times as many per address.
const REPORTS_A_DAY: u32 = 10;
/// Exports of a player, and of a client.
const EXPORTS_AN_HOUR: u32 = 6;
const DAY: Duration = Duration::from_hours(24);

/// The state of one thread. It is used for every request, and shared memory would move between processors
/// each time.
pub struct State {
    shared: Arc<Shared>,
    pub counts: Arc<AnswerCounts>,
}

/// The state that threads share.
pub struct Shared {
    pub service: Service,
    pub config: Config,
    /// Where the size of the public tree is stored.
    pub watermark: OnceLock<Watermark>,
    /// Whether the warning about an untrusted proxy was logged.
    pub untrusted_proxy: AtomicBool,
    pub metrics: Metrics,
    pub limits: Limits,
    pub connections: Arc<ConnectionQuota<Client>>,
    /// Streams and long polls: of a client, and of a client at one game.
    pub listeners: Arc<ConnectionQuota<Client>>,
    pub listeners_at_game: Arc<ConnectionQuota<(Client, Uuid)>>,
    /// Permits for uploads and audits.
    pub uploads: Arc<ConnectionQuota<Client>>,
    pub audits: Arc<Semaphore>,
    /// Permits to draw pictures, and those that were drawn.
    pub drawing: Arc<Semaphore>,
    pub pictures: Pictures,
    /// Permit to collect an export.
    pub exporting: Arc<Semaphore>,
}

/// All rate limits.
pub struct Limits {
    pub clients: RateLimit<Client>,
    pub players: RateLimit<PlayerKey>,
    /// New players of a client.
    pub accounts: RateLimit<Client>,
    /// Wrong codes of a client.
    pub codes: RateLimit<Client>,
    /// Messages of a player.
    pub messages: RateLimit<PlayerKey>,
    /// Test messages of a player's webhooks, and codes that it enters.
    pub tests: RateLimit<PlayerKey>,
    pub tests_of_clients: RateLimit<Client>,
    /// Confirmation emails: of a client, and to an address.
    pub mails: RateLimit<Client>,
    pub addresses: RateLimit<String>,
    /// Reports of a player, and of a client, in a day.
    pub reports: RateLimit<PlayerKey>,
    pub reports_of_clients: RateLimit<Client>,
    pub exports: RateLimit<PlayerKey>,
    pub exports_of_clients: RateLimit<Client>,
    /// New games of a client.
    pub games: RateLimit<Client>,
    /// Milliseconds of bots' decisions for explorations: of a client, and of a player.
    pub thinking_clients: RateLimit<Client>,
    pub thinking_players: RateLimit<PlayerKey>,
}

/// Returns the limit for decisions in explorations, unless requests have no limit.
fn thinking<C: Eq + std::hash::Hash>(rate: u32) -> RateLimit<C> {
    RateLimit::new(
        "bot_decisions_in_explorations",
        if rate > 0 { THINKING_A_SECOND } else { 0 },
        Duration::from_secs(1),
        THINKING_BURST,
    )
}

fn exports<C: Eq + std::hash::Hash>(name: &'static str) -> RateLimit<C> {
    RateLimit::new(name, EXPORTS_AN_HOUR, Duration::from_hours(1), EXPORTS_AN_HOUR)
}

impl Deref for State {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

impl State {
    /// Returns the state that threads share.
    pub fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    /// Returns the state of another thread.
    pub fn of_thread(shared: &Arc<Shared>) -> web::Data<Self> {
        let counts = shared.metrics.of_thread();
        web::Data::new(Self { shared: Arc::clone(shared), counts })
    }
}

impl Shared {
    /// Logs once that a proxy in a private network is not trusted.
    pub fn tell_of_untrusted_proxy(&self) {
        if !self.untrusted_proxy.swap(true, Ordering::Relaxed) {
            let cause = "a request with X-Forwarded-For or Forwarded came from an address that is not a --trusted-proxy: all players behind it count as one client";
            logging::write(self.config.log_format, "untrusted_proxy", || json!({"cause": cause}));
        }
    }

    pub fn new(service: Service, config: Config) -> Self {
        let (rate, burst, accounts) =
            (config.requests_per_second, config.request_burst, config.players_of_client);
        let games = config.games_a_day.saturating_mul(PLAYERS_OF_CLIENT);
        let limits = Limits {
            clients: RateLimit::new("requests", rate, Duration::from_secs(1), burst),
            players: RateLimit::new("requests_of_player", rate, Duration::from_secs(1), burst),
            accounts: RateLimit::new("new_players_a_day", accounts, DAY, accounts),
            messages: RateLimit::new(
                "messages_a_minute",
                config.messages_a_minute,
                Duration::from_mins(1),
                config.messages_a_minute,
            ),
            codes: RateLimit::new(
                "codes_an_hour",
                config.codes_an_hour,
                Duration::from_hours(1),
                config.codes_an_hour,
            ),
            tests: RateLimit::new(
                "webhook_messages_an_hour",
                TESTS_AN_HOUR,
                Duration::from_hours(1),
                TESTS_AN_HOUR,
            ),
            tests_of_clients: RateLimit::new(
                "webhook_messages_of_client_an_hour",
                TESTS_AN_HOUR,
                Duration::from_hours(1),
                TESTS_AN_HOUR,
            ),
            mails: RateLimit::new("mail_addresses_a_day", MAILS_A_DAY, DAY, MAILS_A_DAY),
            addresses: RateLimit::new("mails_to_address_a_day", MAILS_TO_ADDRESS, DAY, MAILS_TO_ADDRESS),
            reports: RateLimit::new("reports_a_day", REPORTS_A_DAY, DAY, REPORTS_A_DAY),
            reports_of_clients: RateLimit::new(
                "reports_of_client_a_day",
                5 * REPORTS_A_DAY,
                DAY,
                5 * REPORTS_A_DAY,
            ),
            exports: exports("exports_an_hour"),
            exports_of_clients: exports("exports_of_client_an_hour"),
            games: RateLimit::new("new_games_a_day", games, DAY, games),
            thinking_clients: thinking(rate),
            thinking_players: thinking(rate),
        };
        let connections = ConnectionQuota::new(config.max_connections, config.max_connections.div_ceil(2));
        let of_client = if config.streams_of_client > 0 { config.streams_of_client } else { usize::MAX };
        let listeners = ConnectionQuota::new(config.max_streams, of_client);
        let listeners_at_game = ConnectionQuota::new(config.max_streams, of_client.div_ceil(5));
        let (uploads, audits) =
            (ConnectionQuota::new(UPLOADS, UPLOADS_OF_CLIENT), Arc::new(Semaphore::new(AUDITS)));
        let metrics = Metrics::default();
        Self {
            service,
            config,
            watermark: OnceLock::new(),
            untrusted_proxy: AtomicBool::new(false),
            metrics,
            limits,
            connections,
            listeners,
            listeners_at_game,
            uploads,
            audits,
            drawing: Arc::new(Semaphore::new(DRAWN_AT_ONCE)),
            pictures: Pictures::default(),
            exporting: Arc::new(Semaphore::new(1)),
        }
    }
}
