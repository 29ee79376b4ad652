use std::{
    error::Error,
    io::{self, Write as _},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use clap::{Args, CommandFactory as _};
use playledger::{
    config::{Config, Database, LogFormat},
    http::{
        app::{metrics_server, pin_the_last, server},
        state::Shared,
    },
    keys::{self, KnownKey},
    logging,
    service::{
        Service, ServiceError,
        ports::{Outside, System, SystemClock},
        public_tree::{is_unnamed, published_size},
    },
    store::{Store, StoreError, postgres::Postgres, sqlite::Settings},
    tree::signer::Signer,
    watermark::Watermark,
};
use serde_json::json;

use super::{Cli, Temporary, service_manager, settings_file};

/// Files other than connections of clients: database, readers, listeners, and outgoing messages.
const OWN_FILES: u64 = 384;
/// Limit of open files that every system accepts where it has none of its own.
#[cfg(unix)]
const UNLIMITED_FILES: u64 = 10_240;

/// Start the server (the default if no command is given)
#[derive(Args)]
pub struct Serve {
    #[command(flatten)]
    config: Config,
}

impl Serve {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        settings_file::refuse_unknown_variables(&Cli::command())?;
        let mut config = self.config;
        // A connection is a file, and the usual limit of 1,024 is too low for streams.
        if let Some(files) = file_limit() {
            let most = usize::try_from(files.saturating_sub(OWN_FILES)).unwrap_or(usize::MAX).max(2);
            config.max_connections = config.max_connections.min(most);
        }
        let format = config.log_format;
        logging::set_level(config.log_level);
        let served = actix_web::rt::System::new().block_on(async {
            let store = open(&config)
                .await
                .map_err(|error| not_started(&format!("{}: ", config.reach.database), &*error))?;
            let known = known_key(&store).await?;
            let path = key_path(config.key.as_deref(), &config.reach.database)?;
            let signer = keys::load(&path, config.key_name.as_deref(), &known, config.new_key)?;
            let watermark = Watermark::new(&path, &signer.verifier_key().to_string());
            if !config.new_key {
                watermark.refuse_older(published_size(&store).await?)?;
            }
            ask_for_name(&config, &store, &signer).await?;
            let (before, after) = store.versions();
            if 0 < before && before < after {
                logging::write(format, "upgraded", || json!({"from": before, "to": after}));
            }
            if let Store::Server(server) = &store {
                tell_of(server, format);
            }
            let outside = Outside {
                clock: Arc::new(SystemClock::default()),
                entropy: Arc::new(System),
                courier: Box::new(config.courier()?),
                public_url: config.public_url.clone(),
                witnesses: config.witnesses()?,
            };
            let service = Service::new(Arc::new(store), signer, outside, config.limits())
                .await
                .map_err(|error| not_started("", &error))?;
            let key = service.verifier_key().to_string();
            let tree = service.tree.tree_keys().first().map(|key| key.origin.clone());
            let given = service.tables.give_back_outage().await.map_err(|error| not_started("", &error))?;
            if given > 0 {
                logging::write(format, "outage", || json!({"games": given}));
            }
            let (listen, public_url) = (config.listen, config.public_url.clone());
            let metrics_listen = config.metrics_listen.unwrap_or(listen);
            let shared = Arc::new(Shared::new(service, config));
            let _ = shared.watermark.set(watermark);
            let (server, address) = server(Arc::clone(&shared)).map_err(|error| not_bound(listen, "--listen", &error))?;
            let metrics = metrics_server(Arc::clone(&shared)).map_err(|error| not_bound(metrics_listen, "--metrics-listen", &error))?;
            let metrics = metrics.map(|(metrics, address)| {
                actix_web::rt::spawn(metrics);
                address.to_string()
            });
            let opened = public_url.map_or_else(|| format!("http://{address}"), |url| url.trim_end_matches('/').to_owned());
            // The reader of the output may have gone.
            let _ = write!(
                io::stdout(),
                "playledger listens on http://{address}/\nOpen {opened}/ in a browser. To try the API: {opened}/docs/\n"
            );
            logging::write(format, "started", || json!({"address": address.to_string(), "metrics": metrics, "key": key, "tree": tree}));
            service_manager::notify("READY=1");
            server.await?;
            service_manager::notify("STOPPING=1");
            pin_the_last(&shared).await;
            logging::write(format, "stopped", || json!({}));
            Ok(ExitCode::SUCCESS)
        });
        logging::flush();
        served
    }
}

/// Raises the limit of open files as far as the system allows, and returns it, unless there is none.
#[cfg(unix)]
fn file_limit() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: Some(maximum.unwrap_or(UNLIMITED_FILES)), maximum };
    let is_lower = current.is_some() && current < raised.current;
    if is_lower && setrlimit(Resource::Nofile, raised).is_ok() {
        return raised.current;
    }
    current
}

#[cfg(not(unix))]
fn file_limit() -> Option<u64> {
    None
}

/// Returns a failure of the start with its place, as one that may go away or not.
fn not_started(place: &str, error: &(dyn Error + 'static)) -> Box<dyn Error> {
    let told = format!("{place}{error}");
    let of_store = error.downcast_ref();
    let of_service = error.downcast_ref();
    let may_pass =
        matches!(of_store, Some(StoreError::Unreachable(_) | StoreError::InUse(_) | StoreError::NotSafe(_)))
            || matches!(of_service, Some(ServiceError::StorageUnavailable(_)));
    if may_pass { Box::new(Temporary(told)) } else { told.into() }
}

async fn open(config: &Config) -> Result<Store, Box<dyn Error>> {
    match (config.shared()?, &config.reach.database) {
        (Some(settings), _) => Ok(Store::connect(&settings).await?),
        (None, Database::File(path)) => {
            let cache_kib = config.cache_mb.saturating_mul(1 << 10);
            Ok(Store::open(path, &Settings { cache_kib, ..Settings::default() })?)
        }
        (None, Database::Server(_)) => Err("it is no file".into()),
    }
}

/// Returns the path of the signing key: as given, or next to the database.
pub fn key_path(given: Option<&Path>, database: &Database) -> Result<PathBuf, String> {
    match (given, database) {
        (Some(path), _) => Ok(path.to_owned()),
        (None, Database::File(database)) => Ok(keys::path_beside(database)),
        (None, Database::Server(_)) => Err(
            "servers that share a database must sign with the same key: give each the same file with --key"
                .to_owned(),
        ),
    }
}

/// Fails if a server for others would name its public tree after its key, for ever.
async fn ask_for_name(config: &Config, store: &Store, signer: &Signer) -> Result<(), Box<dyn Error>> {
    let is_for_others = !config.listen.ip().is_loopback() || !config.trusted_proxies.is_empty();
    let has_name = config.public_url.is_some() || config.origin.is_some();
    if is_for_others && !has_name && is_unnamed(store, signer).await? {
        return Err("the first start needs --public-url (such as --public-url https://play.example): it names the public tree of all games, and the name cannot change later. Or name the tree with --origin NAME"
            .into());
    }
    Ok(())
}

/// Logs the state of a shared database.
fn tell_of(server: &Postgres, format: LogFormat) {
    let told = || match server.complaint() {
        Some(complaint) => json!({"copies": server.copies(), "refuses_writes": complaint}),
        None => json!({"copies": server.copies()}),
    };
    logging::write(format, "database", told);
}

/// Returns what is known of the keys of a database.
async fn known_key(store: &Store) -> Result<KnownKey, StoreError> {
    match store.signing_keys().await?.into_iter().next() {
        Some(newest) => Ok(KnownKey::Key(newest.key)),
        None if store.has_games().await? => Ok(KnownKey::Games),
        None => Ok(KnownKey::Nothing),
    }
}

/// Returns why an address cannot be used, and what to do.
pub fn not_bound(address: SocketAddr, flag: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => format!("{address} is in use: choose another with {flag}"),
        io::ErrorKind::AddrNotAvailable => {
            format!("{address} is not an address of this machine: choose another with {flag}")
        }
        io::ErrorKind::PermissionDenied => {
            format!("this user may not use {address}: choose a port above 1023 with {flag}")
        }
        _ => format!("cannot listen on {address}: {error}"),
    }
}
