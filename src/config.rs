//! Flags and environment, checked.

use std::{net::SocketAddr, num::NonZeroU32, path::PathBuf};

use clap::{Args, ValueEnum};

use crate::{
    network::Network,
    outbound::{Allowed, Mailer, Outbound, WitnessAt},
    service::{DAY, Limits, ports::Witness},
    store::postgres,
};

/// Readers of a checkpoint take 16 signatures, of which one is the log's own.
const MOST_WITNESSES: usize = 15;

/// Everything that can be set. Each flag can also be given by the environment variable beside it.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// The address to listen on
    #[arg(long, env = "PLAYLEDGER_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// The address at which metrics are served, such as 127.0.0.1:9100; without it they are at /metrics of the address above,
    /// for programs on the same machine only
    #[arg(long, env = "PLAYLEDGER_METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,
    #[command(flatten)]
    pub reach: Reach,
    /// The file with the signing key. Beside a database file it is FILE.key if this is left out; servers that share a database
    /// each need a copy of the same one
    #[arg(long, env = "PLAYLEDGER_KEY")]
    pub key: Option<PathBuf>,
    /// How many synchronous standbys a shared database must have for anything to be written: what was acknowledged then
    /// outlives the loss of so many machines. 0 if its storage keeps copies by itself
    #[arg(long, env = "PLAYLEDGER_STANDBYS", default_value_t = 1)]
    pub standbys: u32,
    /// How servers that share a database hear of each other
    #[arg(long, env = "PLAYLEDGER_BELLS", value_enum, default_value_t = BellsBy::Notify)]
    pub bells: BellsBy,
    /// How many connections to a shared database read
    #[arg(long, env = "PLAYLEDGER_READERS", default_value_t = 4)]
    pub readers: usize,
    /// The name of a new signing key: usually the host name that players know. `playledger` if it is left out
    #[arg(long, env = "PLAYLEDGER_KEY_NAME")]
    pub key_name: Option<String>,
    /// Go on with another signing key than the one that signed for this database, or with a new one if it is lost; receipts
    /// by the old key can still be checked
    #[arg(long, env = "PLAYLEDGER_NEW_KEY")]
    pub new_key: bool,
    /// How many threads serve requests; as many as there are processors if it is left out
    #[arg(long, env = "PLAYLEDGER_WORKERS")]
    pub workers: Option<NonZeroU32>,
    /// The largest body of a request, in bytes
    #[arg(long, alias = "most-body", env = "PLAYLEDGER_MAX_BODY", default_value_t = 64 << 10)]
    pub max_body: usize,
    /// The largest upload to /v1/audits, in bytes
    #[arg(long, alias = "most-upload", env = "PLAYLEDGER_MAX_UPLOAD", default_value_t = 16 << 20)]
    pub max_upload: usize,
    /// How many requests a second one client, and one player, may send on average; 0 for any number. Requests that make the
    /// server do more count as several
    #[arg(long, alias = "rate", env = "PLAYLEDGER_REQUESTS_PER_SECOND", default_value_t = 1_000)]
    pub requests_per_second: u32,
    /// How many of them may come at once, after a silence
    #[arg(long, alias = "burst", env = "PLAYLEDGER_REQUEST_BURST", default_value_t = 5_000)]
    pub request_burst: u32,
    /// A proxy whose word is taken for the address of a client (`X-Forwarded-For`, `Forwarded`), as an address or a network
    /// such as 10.0.0.0/8; may be given several times
    #[arg(long = "trusted-proxy", env = "PLAYLEDGER_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<Network>,
    /// How many connections may be open at once, of which one client may have half; fewer if the system allows the process
    /// fewer files
    #[arg(long, env = "PLAYLEDGER_MAX_CONNECTIONS", default_value_t = 25_000, value_parser = at_least_two)]
    pub max_connections: usize,
    /// How many players may be created from one client address in a day; 0 for any number
    #[arg(long, env = "PLAYLEDGER_PLAYERS_OF_CLIENT", default_value_t = 5_000)]
    pub players_of_client: u32,
    /// How many wrong codes (of an account, a device or a mail address) may be tried from one client address in an hour; 0
    /// for any number
    #[arg(long, env = "PLAYLEDGER_CODES_AN_HOUR", default_value_t = 20)]
    pub codes_an_hour: u32,
    /// How many messages one player may write in a minute; 0 for any number
    #[arg(long, env = "PLAYLEDGER_MESSAGES_A_MINUTE", default_value_t = 20)]
    pub messages_a_minute: u32,
    /// How many games that are not over one player may sit at
    #[arg(long, env = "PLAYLEDGER_GAMES_OF_PLAYER", default_value_t = 200)]
    pub games_of_player: u32,
    /// How many games one player may create in a day, and a tenth of what one client may; 0 for any number
    #[arg(long, env = "PLAYLEDGER_GAMES_A_DAY", default_value_t = 1_000)]
    pub games_a_day: u32,
    /// No new game is taken when the disk has fewer free bytes than this, so that those that run can be played on
    #[arg(long, env = "PLAYLEDGER_MIN_FREE_BYTES", default_value_t = 256 << 20)]
    pub min_free_bytes: u64,
    /// How many games are kept in memory
    #[arg(long, env = "PLAYLEDGER_LIVE_GAMES", default_value_t = 10_000)]
    pub live_games: usize,
    /// An origin whose pages may call this server from a browser, or `*`; may be given several times
    #[arg(long = "cors-origin", env = "PLAYLEDGER_CORS_ORIGINS", value_delimiter = ',', value_parser = origin_or_all)]
    pub cors_origins: Vec<String>,
    /// How many seconds a client has to send the head of a request before it is cut off
    #[arg(long, alias = "patience", env = "PLAYLEDGER_HEAD_SECONDS", default_value_t = 10)]
    pub head_seconds: u64,
    /// How many seconds a client has to send the body of a request
    #[arg(long, env = "PLAYLEDGER_BODY_SECONDS", default_value_t = 30)]
    pub body_seconds: u64,
    /// After how many seconds a client that takes nothing of an answer is cut off (on Linux)
    #[arg(long, env = "PLAYLEDGER_READER_SECONDS", default_value_t = 30)]
    pub reader_seconds: u64,
    /// How many streams of events and long polls may be open at once
    #[arg(long, alias = "most-streams", env = "PLAYLEDGER_MAX_STREAMS", default_value_t = 20_000)]
    pub max_streams: usize,
    /// Streams and long polls that one client may have open at once, and a fifth of it for one game; 0 for any number
    #[arg(long, env = "PLAYLEDGER_STREAMS_OF_CLIENT", default_value_t = 500)]
    pub streams_of_client: usize,
    /// After how many seconds of silence a stream of events says that it is still there
    #[arg(long, alias = "keep-alive", env = "PLAYLEDGER_KEEP_ALIVE_SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..))]
    pub keep_alive_seconds: u64,
    /// For how many hours a full game waits for bytes that were promised before it becomes void
    #[arg(long, env = "PLAYLEDGER_REVEAL_HOURS", default_value_t = 24)]
    pub reveal_hours: u64,
    /// After how many days a game that is not full becomes void
    #[arg(long, env = "PLAYLEDGER_OPEN_DAYS", default_value_t = 30)]
    pub open_days: u64,
    /// Steps of time, in milliseconds, at which bots of this server act. With 0 they act at once, and the time of a move
    /// tells opponents how much there was to decide
    #[arg(long, env = "PLAYLEDGER_BOT_STEP_MS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(..=10_000))]
    pub bot_step_ms: u64,
    /// How long a stop waits for requests that are under way, in seconds
    #[arg(long, env = "PLAYLEDGER_STOP_SECONDS", default_value_t = 10)]
    pub stop_seconds: u64,
    /// Under which address people find this server, such as `https://play.example`: for links in messages
    #[arg(long, env = "PLAYLEDGER_PUBLIC_URL", value_parser = origin)]
    pub public_url: Option<String>,
    /// Where webhooks may send to beside the public internet: a host, an address or a network, such as `http://ntfy.lan:8080` or
    /// 10.0.0.0/8; may be given several times
    #[arg(long = "webhook-allow", env = "PLAYLEDGER_WEBHOOK_ALLOW", value_delimiter = ',')]
    pub webhook_allow: Vec<Allowed>,
    /// A file with certificates (PEM) of authorities that webhooks trust beside those that everybody does
    #[arg(long, env = "PLAYLEDGER_WEBHOOK_CA")]
    pub webhook_ca: Option<PathBuf>,
    /// A server that takes mail, such as `smtps://name:password@mail.example` or `smtp://localhost`; without it no mail is sent
    #[arg(long, env = "PLAYLEDGER_SMTP", hide_env_values = true, requires_all = ["mail_from", "public_url"])]
    pub smtp: Option<Hidden>,
    /// Who mail is from, such as `Games <games@play.example>`
    #[arg(long, env = "PLAYLEDGER_MAIL_FROM")]
    pub mail_from: Option<String>,
    /// The name of the public tree over all games, unique in the world and written once; by default the public address without
    /// its scheme and with /tlog behind it, or a name that follows from its key
    #[arg(long, env = "PLAYLEDGER_ORIGIN")]
    pub origin: Option<String>,
    /// At most one checkpoint of the public tree is made in so many seconds
    #[arg(long, env = "PLAYLEDGER_CHECKPOINT_SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub checkpoint_seconds: u64,
    /// A witness that checkpoints are offered to, as URL=KEY; may be given up to 15 times
    #[arg(long = "witness", env = "PLAYLEDGER_WITNESSES", value_delimiter = ',')]
    pub witnesses: Vec<WitnessAt>,
    /// How the log is written
    #[arg(long, env = "PLAYLEDGER_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
}

/// Reads a scheme and a host, as browsers name an origin.
fn origin(text: &str) -> Result<String, String> {
    let must = "must be a scheme and a host, such as https://play.example, without a path";
    let url = url::Url::parse(text).map_err(|_| must.to_owned())?;
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let is_web =
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    if is_bare && is_web { Ok(url.origin().ascii_serialization()) } else { Err(must.to_owned()) }
}

fn origin_or_all(text: &str) -> Result<String, String> {
    if text == "*" { Ok(text.to_owned()) } else { origin(text) }
}

fn at_least_two(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|number| *number >= 2)
        .ok_or_else(|| "must be a whole number from 2 on".to_owned())
}

/// Which database, and how it is reached.
#[derive(Args, Clone, Debug)]
pub struct Reach {
    /// The database: a file, which is made if it is not there; or, for servers that share one, the address of a PostgreSQL
    /// database, as `postgres://user@host1,host2/name`
    #[arg(long, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db", hide_env_values = true)]
    pub database: Database,
    #[command(flatten)]
    pub access: Access,
}

/// How a shared database lets somebody in, and is known to be the one that was meant.
#[derive(Args, Clone, Debug)]
pub struct Access {
    /// A file with the password for it
    #[arg(long, env = "PLAYLEDGER_DATABASE_PASSWORD_FILE")]
    pub database_password_file: Option<PathBuf>,
    /// A file with certificates (PEM) of authorities that are trusted for its server beside those that everybody trusts
    #[arg(long, env = "PLAYLEDGER_DATABASE_CA")]
    pub database_ca: Option<PathBuf>,
}

/// Where everything is kept.
#[derive(Clone, PartialEq, Eq)]
pub enum Database {
    File(PathBuf),
    /// The address may have a password in it.
    Server(String),
}

impl std::str::FromStr for Database {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_address = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
        Ok(if is_address { Self::Server(text.to_owned()) } else { Self::File(text.into()) })
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
    /// How the server of a shared database is reached; nothing, if it is a file.
    pub fn server(&self) -> Result<Option<postgres::Settings>, String> {
        let Database::Server(url) = &self.database else { return Ok(None) };
        let read = |path: &PathBuf| {
            let told = |error| format!("{}: {error}", path.display());
            std::fs::read_to_string(path).map(|text| text.trim_end().to_owned()).map_err(told)
        };
        let mut settings = postgres::Settings::of(url.clone());
        settings.password = self.access.database_password_file.as_ref().map(read).transpose()?;
        settings.authorities.clone_from(&self.access.database_ca);
        Ok(Some(settings))
    }

    /// The file, for what can only be done with one.
    pub fn file(&self, otherwise: &str) -> Result<&PathBuf, String> {
        match &self.database {
            Database::File(path) => Ok(path),
            Database::Server(_) => Err(otherwise.to_owned()),
        }
    }
}

/// How servers hear of each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum BellsBy {
    Notify,
    /// By looking ten times a second, where a pooler lets no notification through
    Poll,
}

impl Config {
    /// How a shared database is reached and used; nothing, if it is a file.
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

    /// What carries messages out.
    pub fn courier(&self) -> Result<Outbound, String> {
        let mailer = self.smtp.as_ref().map(|Hidden(server)| server).zip(self.mail_from.as_deref());
        let mailer = mailer.map(|(server, from)| Mailer::new(server, from)).transpose()?;
        Outbound::new(self.webhook_allow.clone(), self.webhook_ca.as_deref(), mailer)
    }

    /// Those who sign the public tree.
    pub fn witnesses(&self) -> Result<Vec<Box<dyn Witness>>, String> {
        if self.witnesses.len() > MOST_WITNESSES {
            return Err(format!(
                "more than {MOST_WITNESSES} witnesses: readers need not take more signatures"
            ));
        }
        self.witnesses.iter().map(|witness| witness.connect(self.webhook_ca.as_deref())).collect()
    }

    /// What of it concerns the service.
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
            ..Limits::default()
        }
    }
}

/// Something with a password in it, which is not printed.
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
    /// Nothing is logged
    Off,
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
