use std::{
    error::Error,
    io::{self, Write as _},
    net::SocketAddr,
    process::ExitCode,
    sync::Arc,
};

use clap::Args;
use playledger::{
    config::Config,
    http::{
        app::{metrics_server, server},
        state::State,
    },
    keys::{self, Known},
    logging,
    service::{
        Service,
        ports::{Outside, System},
    },
    store::{Keeper as _, Store, StoreError, sqlite::Settings},
};
use serde_json::json;

/// Files that are no connections: the database, its readers, listeners.
const OWN_FILES: u64 = 64;

/// Serve games over HTTP (this is done without any command as well)
#[derive(Args)]
pub struct Serve {
    #[command(flatten)]
    config: Config,
}

impl Serve {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let mut config = self.config;
        // A connection is a file. The usual bound of 1,024 can be raised without asking, and is too low for streams.
        if let Ok(files) = rlimit::increase_nofile_limit(u64::MAX) {
            let most = usize::try_from(files.saturating_sub(OWN_FILES)).unwrap_or(usize::MAX).max(2);
            config.max_connections = config.max_connections.min(most);
        }
        let store = Store::open(&config.database, &Settings::default())
            .map_err(|error| format!("{}: {error}", config.database.display()))?;
        let format = config.log_format;
        actix_web::rt::System::new().block_on(async {
            let known = known_key(&store).await?;
            let path = keys::path_beside(&config.database);
            let signer = keys::load(&path, &config.key_name, &known, config.new_key)?;
            let outside = Outside {
                clock: Box::new(System),
                entropy: Box::new(System),
                courier: Box::new(config.courier()?),
                public_url: config.public_url.clone(),
                witnesses: config.witnesses()?,
            };
            let service = Service::new(Arc::new(store), signer, outside, config.limits()).await?;
            let key = service.verifier_key().to_string();
            let listen = config.listen;
            let metrics_listen = config.metrics_listen.unwrap_or(listen);
            let state = Arc::new(State::new(service, config));
            let (server, address) = server(Arc::clone(&state)).map_err(|error| not_bound(listen, "--listen", &error))?;
            let metrics = metrics_server(state).map_err(|error| not_bound(metrics_listen, "--metrics-listen", &error))?;
            let metrics = metrics.map(|(metrics, address)| {
                actix_web::rt::spawn(metrics);
                address.to_string()
            });
            // Nobody need listen to this: the first line may be all that is read.
            let _ = write!(
                io::stdout(),
                "playledger listens on http://{address}/\nOpen that in a browser. To try the API: http://{address}/docs/\n"
            );
            logging::write(format, "started", &json!({"address": address.to_string(), "metrics": metrics, "key": key}));
            server.await?;
            logging::write(format, "stopped", &json!({}));
            Ok(ExitCode::SUCCESS)
        })
    }
}

/// What is known of the keys of a database.
async fn known_key(store: &Store) -> Result<Known, StoreError> {
    match store.signing_keys().await?.into_iter().next() {
        Some(newest) => Ok(Known::Key(newest.key)),
        None if store.has_games().await? => Ok(Known::Games),
        None => Ok(Known::Nothing),
    }
}

/// Why nothing can be served on an address, and what to do.
pub fn not_bound(address: SocketAddr, flag: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => format!("{address} is in use: choose another with {flag}"),
        io::ErrorKind::AddrNotAvailable => {
            format!("{address} is not an address of this machine: choose another with {flag}")
        }
        io::ErrorKind::PermissionDenied => {
            format!("{address} may not be used by this user: choose a port above 1023 with {flag}")
        }
        _ => format!("{address} cannot be listened on: {error}"),
    }
}
