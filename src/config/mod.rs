//! Flags and environment, checked.

mod instance;
mod log;

use std::{net::SocketAddr, num::NonZeroU32, path::PathBuf};

use clap::{Args, ValueEnum};

use crate::{
    network::Network,
    outbound::{Allowed, Mailer, Outbound, WitnessAt},
    service::{DAY, Limits, ports::Witness},
    store::postgres,
};

pub use instance::InstanceFlags;
pub use log::{LogFormat, LogLevel, LogRequests};

/// Readers of a checkpoint accept 16 signatures, one of which is the log's own.
const MOST_WITNESSES: usize = 15;

// Headings of `--help`.
const SERVER: &str = "Server";
const DATABASE: &str = "Database and key";
const MESSAGES: &str = "Mail and webhooks";
const GAMES: &str = "Games";
const LIMITS: &str = "Limits per player and address (0: no limit)";
const CAPACITY: &str = "Limits of the server";
const TREE: &str = "Public tree";
const CLUSTER: &str = "Several servers on one PostgreSQL database";

/// Everything that can be set. Each flag can also be given by the environment variable beside it.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address to listen on
    #[arg(long, help_heading = SERVER, env = "PLAYLEDGER_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Address under which people reach this server, such as `https://play.example`
    #[arg(long, help_heading = SERVER, env = "PLAYLEDGER_PUBLIC_URL", value_parser = origin)]
    pub public_url: Option<String>,
    /// Proxy whose X-Forwarded-For or Forwarded header is trusted: address or network; repeatable
    #[arg(long = "trusted-proxy", help_heading = SERVER, env = "PLAYLEDGER_TRUSTED_PROXY", value_delimiter = ',')]
    pub trusted_proxies: Vec<Network>,
    /// Separate address for metrics, such as 127.0.0.1:9100 [default: /metrics, local programs only]
    #[arg(long, help_heading = SERVER, env = "PLAYLEDGER_METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,
    /// Origin whose pages may call the API from a browser, `*` for all, or `none`; repeatable
    #[arg(long = "cors-origin", help_heading = SERVER, env = "PLAYLEDGER_CORS_ORIGIN", value_delimiter = ',', default_value = "*", value_parser = origin_or_all)]
    pub cors_origins: Vec<String>,
    #[command(flatten)]
    pub instance: InstanceFlags,
    /// Number of threads that serve requests [default: number of processors]
    #[arg(long, help_heading = SERVER, env = "PLAYLEDGER_WORKERS")]
    pub workers: Option<NonZeroU32>,
    /// Format of the log
    #[arg(long, help_heading = SERVER, env = "PLAYLEDGER_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
    /// Requests in the log; health checks are in it only if they fail
    #[arg(long, help_heading = SERVER, env = "PLAYLEDGER_LOG_REQUESTS", value_enum, default_value_t = LogRequests::Errors)]
    pub log_requests: LogRequests,
    /// Least level of events in the log
    #[arg(long, help_heading = SERVER, env = "PLAYLEDGER_LOG_LEVEL", value_enum, default_value_t = LogLevel::Info)]
    pub log_level: LogLevel,
    /// Log the address of the client with each request, for tools such as fail2ban
    #[arg(long, help_heading = SERVER, env = "PLAYLEDGER_LOG_CLIENTS")]
    pub log_clients: bool,
    /// Seconds that a stop waits for open requests
    #[arg(long, help_heading = SERVER, env = "PLAYLEDGER_STOP_SECONDS", default_value_t = 10)]
    pub stop_seconds: u64,
    #[command(flatten)]
    pub reach: Reach,
    /// File with the signing key [default: FILE.key]; servers on one database need the same key
    #[arg(long, help_heading = DATABASE, env = "PLAYLEDGER_KEY")]
    pub key: Option<PathBuf>,
    /// Name of a new signing key, usually the host name that players know [default: playledger]
    #[arg(long, help_heading = DATABASE, env = "PLAYLEDGER_KEY_NAME")]
    pub key_name: Option<String>,
    /// Continue with another key, or with a new one if the old key is lost; old receipts stay valid
    #[arg(long, help_heading = DATABASE, env = "PLAYLEDGER_NEW_KEY")]
    pub new_key: bool,
    /// Refuse new games when the disk has fewer free bytes than this
    #[arg(long, help_heading = DATABASE, env = "PLAYLEDGER_MIN_FREE_BYTES", default_value_t = 256 << 20)]
    pub min_free_bytes: u64,
    /// Megabytes of the database file kept in memory
    #[arg(long, help_heading = DATABASE, env = "PLAYLEDGER_CACHE_MB", default_value_t = 128)]
    pub cache_mb: usize,
    /// Number of games kept in memory
    #[arg(long, help_heading = DATABASE, env = "PLAYLEDGER_LIVE_GAMES", default_value_t = 10_000)]
    pub live_games: usize,
    /// Mail server, such as `smtps://name:password@mail.example` [default: no mail]
    #[arg(long, help_heading = MESSAGES, env = "PLAYLEDGER_SMTP", hide_env_values = true, requires_all = ["mail_from", "public_url"])]
    pub smtp: Option<Hidden>,
    /// File with the password of the mail server, if it is not in `--smtp`
    #[arg(long, help_heading = MESSAGES, env = "PLAYLEDGER_SMTP_PASSWORD_FILE", requires = "smtp")]
    pub smtp_password_file: Option<PathBuf>,
    /// Sender of mail, such as `Games <games@play.example>`
    #[arg(long, help_heading = MESSAGES, env = "PLAYLEDGER_MAIL_FROM")]
    pub mail_from: Option<String>,
    /// Host or network outside the public internet that webhooks may reach; repeatable
    #[arg(long = "webhook-allow", help_heading = MESSAGES, env = "PLAYLEDGER_WEBHOOK_ALLOW", value_delimiter = ',')]
    pub webhook_allow: Vec<Allowed>,
    /// File with additional certificate authorities for webhooks (PEM)
    #[arg(long, help_heading = MESSAGES, env = "PLAYLEDGER_WEBHOOK_CA")]
    pub webhook_ca: Option<PathBuf>,
    /// Hours that a full game waits for random bytes of players before it becomes void
    #[arg(long, help_heading = GAMES, env = "PLAYLEDGER_REVEAL_HOURS", default_value_t = 24)]
    pub reveal_hours: u64,
    /// Days after which a game that is not full becomes void
    #[arg(long, help_heading = GAMES, env = "PLAYLEDGER_OPEN_DAYS", default_value_t = 30)]
    pub open_days: u64,
    /// Milliseconds between the times at which a bot may move; 0 reveals how long it thought
    #[arg(long, help_heading = GAMES, env = "PLAYLEDGER_BOT_STEP_MS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(..=10_000))]
    pub bot_step_ms: u64,
    /// Requests a second, on average; requests that cost more count as several
    #[arg(long, help_heading = LIMITS, env = "PLAYLEDGER_REQUESTS_PER_SECOND", default_value_t = 1_000)]
    pub requests_per_second: u32,
    /// Maximum number of requests in a burst
    #[arg(long, help_heading = LIMITS, env = "PLAYLEDGER_REQUEST_BURST", default_value_t = 5_000)]
    pub request_burst: u32,
    /// Open streams and long polls per address; a fifth of that per game
    #[arg(long, help_heading = LIMITS, env = "PLAYLEDGER_STREAMS_OF_CLIENT", default_value_t = 500)]
    pub streams_of_client: usize,
    /// New players a day per address
    #[arg(long, help_heading = LIMITS, env = "PLAYLEDGER_PLAYERS_OF_CLIENT", default_value_t = 5_000)]
    pub players_of_client: u32,
    /// New games a day per player; ten times as many per address
    #[arg(long, help_heading = LIMITS, env = "PLAYLEDGER_GAMES_A_DAY", default_value_t = 1_000)]
    pub games_a_day: u32,
    /// Unfinished games per player
    #[arg(long, help_heading = LIMITS, env = "PLAYLEDGER_GAMES_OF_PLAYER", default_value_t = 200)]
    pub games_of_player: u32,
    /// Chat messages a minute per player
    #[arg(long, help_heading = LIMITS, env = "PLAYLEDGER_MESSAGES_A_MINUTE", default_value_t = 20)]
    pub messages_a_minute: u32,
    /// Wrong recovery, device or mail codes an hour per address
    #[arg(long, help_heading = LIMITS, env = "PLAYLEDGER_CODES_AN_HOUR", default_value_t = 20)]
    pub codes_an_hour: u32,
    /// Open connections; one address may have half of them
    #[arg(long, help_heading = CAPACITY, env = "PLAYLEDGER_MAX_CONNECTIONS", default_value_t = 25_000, value_parser = at_least_two)]
    pub max_connections: usize,
    /// Open streams and long polls
    #[arg(long, help_heading = CAPACITY, env = "PLAYLEDGER_MAX_STREAMS", default_value_t = 20_000)]
    pub max_streams: usize,
    /// Bytes of a request body
    #[arg(long, help_heading = CAPACITY, env = "PLAYLEDGER_MAX_BODY", default_value_t = 64 << 10)]
    pub max_body: usize,
    /// Bytes of an upload to /v1/audits
    #[arg(long, help_heading = CAPACITY, env = "PLAYLEDGER_MAX_UPLOAD", default_value_t = 16 << 20)]
    pub max_upload: usize,
    /// Seconds to receive the headers of a request
    #[arg(long, help_heading = CAPACITY, env = "PLAYLEDGER_HEAD_SECONDS", default_value_t = 10)]
    pub head_seconds: u64,
    /// Seconds to receive the body of a request
    #[arg(long, help_heading = CAPACITY, env = "PLAYLEDGER_BODY_SECONDS", default_value_t = 30)]
    pub body_seconds: u64,
    /// Seconds after which a client that reads nothing is disconnected (Linux)
    #[arg(long, help_heading = CAPACITY, env = "PLAYLEDGER_READER_SECONDS", default_value_t = 30)]
    pub reader_seconds: u64,
    /// Seconds of silence after which a stream sends a comment
    #[arg(long, help_heading = CAPACITY, env = "PLAYLEDGER_KEEP_ALIVE_SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..))]
    pub keep_alive_seconds: u64,
    /// Name of the public tree, which cannot change later [default: host of --public-url + /tlog]
    #[arg(long, help_heading = TREE, env = "PLAYLEDGER_ORIGIN")]
    pub origin: Option<String>,
    /// Minimum number of seconds between checkpoints
    #[arg(long, help_heading = TREE, env = "PLAYLEDGER_CHECKPOINT_SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub checkpoint_seconds: u64,
    /// Witness that signs checkpoints, as URL=KEY; up to 15
    #[arg(long = "witness", help_heading = TREE, env = "PLAYLEDGER_WITNESS", value_delimiter = ',')]
    pub witnesses: Vec<WitnessAt>,
    /// Synchronous standbys that must be connected for writes; 0 if the storage keeps copies itself
    #[arg(long, help_heading = CLUSTER, env = "PLAYLEDGER_STANDBYS", default_value_t = 1)]
    pub standbys: u32,
    /// How servers notify each other
    #[arg(long, help_heading = CLUSTER, env = "PLAYLEDGER_BELLS", value_enum, default_value_t = BellsBy::Notify)]
    pub bells: BellsBy,
    /// Connections for reading
    #[arg(long, help_heading = CLUSTER, env = "PLAYLEDGER_READERS", default_value_t = 4)]
    pub readers: usize,
}

/// Parses a scheme and a host, in the form of browsers.
fn origin(text: &str) -> Result<String, String> {
    let must = "must be a scheme and a host, such as https://play.example, without a path";
    let url = url::Url::parse(text).map_err(|_| must.to_owned())?;
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let is_web =
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    if is_bare && is_web { Ok(url.origin().ascii_serialization()) } else { Err(must.to_owned()) }
}

fn origin_or_all(text: &str) -> Result<String, String> {
    if ["*", "none"].contains(&text) { Ok(text.to_owned()) } else { origin(text) }
}

fn at_least_two(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|number| *number >= 2)
        .ok_or_else(|| "must be a whole number from 2 on".to_owned())
}

/// The database, and how it is reached.
#[derive(Args, Clone, Debug)]
pub struct Reach {
    /// Database file, created if missing, or a PostgreSQL address: `postgres://user@host1,host2/name`
    #[arg(long, help_heading = DATABASE, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db", hide_env_values = true)]
    pub database: Database,
    #[command(flatten)]
    pub access: Access,
}

/// Credentials of a shared database.
#[derive(Args, Clone, Debug)]
pub struct Access {
    /// File with the password of the PostgreSQL user
    #[arg(long, help_heading = DATABASE, env = "PLAYLEDGER_DATABASE_PASSWORD_FILE")]
    pub database_password_file: Option<PathBuf>,
    /// File with additional certificate authorities for PostgreSQL (PEM)
    #[arg(long, help_heading = DATABASE, env = "PLAYLEDGER_DATABASE_CA")]
    pub database_ca: Option<PathBuf>,
}

/// The database.
#[derive(Clone, PartialEq, Eq)]
pub enum Database {
    File(PathBuf),
    /// The address may contain a password.
    Server(String),
}

impl std::str::FromStr for Database {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_address = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
        Ok(if is_address { Self::Server(text.to_owned()) } else { Self::File(text.into()) })
    }
}

impl Database {
    /// Returns the size of the file and its write-ahead log.
    pub fn bytes(&self) -> Option<u64> {
        let Self::File(path) = self else { return None };
        let mut log = path.clone().into_os_string();
        log.push("-wal");
        let size = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |file| file.len());
        Some(size(path) + size(log.as_ref()))
    }
}

impl std::fmt::Display for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Server(_) => f.write_str("the PostgreSQL database"),
        }
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl Reach {
    /// Returns the settings of a shared database, or `None` for a file.
    pub fn server(&self) -> Result<Option<postgres::Settings>, String> {
        let Database::Server(url) = &self.database else { return Ok(None) };
        let read = |path: &PathBuf| {
            let told = |error| format!("--database-password-file {}: {error}", path.display());
            std::fs::read_to_string(path).map(|text| text.trim_end().to_owned()).map_err(told)
        };
        let mut settings = postgres::Settings::of(url.clone());
        settings.password = self.access.database_password_file.as_ref().map(read).transpose()?;
        settings.authorities.clone_from(&self.access.database_ca);
        Ok(Some(settings))
    }

    /// Returns the file. Fails for a shared database.
    pub fn file(&self, otherwise: &str) -> Result<&PathBuf, String> {
        match &self.database {
            Database::File(path) => Ok(path),
            Database::Server(_) => Err(otherwise.to_owned()),
        }
    }
}

/// How servers notify each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum BellsBy {
    Notify,
    Poll,
}

impl Config {
    /// Returns the settings of a shared database for a server, or `None` for a file.
    pub fn shared(&self) -> Result<Option<postgres::Settings>, String> {
        let Some(mut settings) = self.reach.server()? else { return Ok(None) };
        settings.standbys = self.standbys;
        settings.readers = self.readers;
        settings.bells = match self.bells {
            BellsBy::Notify => postgres::Bells::Notify,
            BellsBy::Poll => postgres::Bells::Poll,
        };
        Ok(Some(settings))
    }

    /// Returns the address of the mail server, with the password of its file.
    fn smtp(&self) -> Result<Option<String>, String> {
        let Some(Hidden(server)) = &self.smtp else { return Ok(None) };
        let Some(file) = &self.smtp_password_file else { return Ok(Some(server.clone())) };
        let told = |error| format!("--smtp-password-file {}: {error}", file.display());
        let password = std::fs::read_to_string(file).map_err(told)?;
        let mut url = url::Url::parse(server).map_err(|error| format!("--smtp: {error}"))?;
        let set = url.set_password(Some(password.trim_end()));
        set.map_err(|()| "--smtp must have a name if there is a password file".to_owned())?;
        Ok(Some(url.into()))
    }

    /// Returns the transport of messages.
    pub fn courier(&self) -> Result<Outbound, String> {
        let mailer = self.smtp()?.zip(self.mail_from.as_deref());
        let mailer = mailer.map(|(server, from)| Mailer::new(&server, from)).transpose()?;
        Outbound::new(self.webhook_allow.clone(), self.webhook_ca.as_deref(), mailer)
    }

    /// Returns the witnesses of the public tree.
    pub fn witnesses(&self) -> Result<Vec<Box<dyn Witness>>, String> {
        if self.witnesses.len() > MOST_WITNESSES {
            return Err(format!(
                "more than {MOST_WITNESSES} witnesses: readers need not take more signatures"
            ));
        }
        self.witnesses.iter().map(|witness| witness.connect(self.webhook_ca.as_deref())).collect()
    }

    /// Returns the settings of the service.
    pub fn limits(&self) -> Limits {
        Limits {
            games_of_player: self.games_of_player,
            games_a_day: self.games_a_day,
            min_free_bytes: self.min_free_bytes,
            live_games: self.live_games,
            open_ms: self.open_days.saturating_mul(DAY),
            origin: self.origin.clone(),
            checkpoint_seconds: self.checkpoint_seconds,
            reveal_ms: self.reveal_hours.saturating_mul(DAY / 24),
            bot_step_ms: self.bot_step_ms,
            instance: self.instance.info(),
            keep_messages_days: self.instance.keep_messages_days,
            keep_accounts_days: self.instance.keep_accounts_days,
            keep_reports_days: self.instance.keep_reports_days,
            ..Limits::default()
        }
    }
}

/// A value with a password, which is never printed.
#[derive(Clone)]
pub struct Hidden(String);

impl std::str::FromStr for Hidden {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("hidden")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_scheme_and_a_host() {
        for (text, read) in [
            ("https://play.example", Some("https://play.example")),
            ("https://Play.example/", Some("https://play.example")),
            ("http://localhost:8080", Some("http://localhost:8080")),
            ("play.example", None),
            ("https://play.example/games", None),
            ("https://play.example/?a=b", None),
            ("https://name:secret@play.example", None),
            ("ftp://play.example", None),
        ] {
            assert_eq!(origin(text).ok().as_deref(), read, "{text}");
        }
        assert_eq!(origin_or_all("*").as_deref(), Ok("*"));
    }
}
