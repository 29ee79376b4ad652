use std::{error::Error, process::ExitCode, sync::Arc};

use clap::Args;
use playledger::{
    config::Config,
    http::{app::server, state::State},
    keys, logging,
    service::{Service, ports::System},
    store::{Store, sqlite::Settings},
};
use serde_json::json;

/// Serve games over HTTP (this is done without any command as well)
#[derive(Args)]
pub struct Serve {
    #[command(flatten)]
    config: Config,
}

impl Serve {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let config = self.config;
        // A connection is a file. The usual bound of 1,024 can be raised without asking, and is too low for streams.
        let _ = rlimit::increase_nofile_limit(u64::MAX);
        let store = Store::open(&config.database, &Settings::default())
            .map_err(|error| format!("{}: {error}", config.database.display()))?;
        let signer = keys::load_or_make(&keys::path_beside(&config.database), &config.key_name)?;
        let format = config.log_format;
        actix_web::rt::System::new().block_on(async {
            let (clock, entropy) = (Box::new(System), Box::new(System));
            let service = Service::new(Arc::new(store), signer, clock, entropy, config.limits()).await?;
            let key = service.verifier_key().to_string();
            let (server, address) = server(Arc::new(State::new(service, config)))?;
            println!("playledger listens on http://{address}/");
            logging::write(format, "started", &json!({"address": address.to_string(), "key": key}));
            server.await?;
            logging::write(format, "stopped", &json!({}));
            Ok(ExitCode::SUCCESS)
        })
    }
}
