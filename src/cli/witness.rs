use std::{
    error::Error,
    io::{self, Write as _},
    net::SocketAddr,
    path::PathBuf,
    process::ExitCode,
    str::FromStr,
    sync::Arc,
};

use clap::Args;
use playledger::{
    http::witness::server,
    keys,
    service::{ports::SystemClock, witness::Witnessing},
    store::sqlite::WitnessFile,
    tree::note::VerifierKey,
};

/// Witness the public trees of other servers
///
/// Signs each checkpoint that extends the previous one, and no other. Give the address and key of this
/// witness to the operator of that server, for `--witness URL=KEY`. It stores the last checkpoint of each log
/// in a small file, next to its key.
#[derive(Args)]
pub struct Witness {
    /// Address to listen on
    #[arg(long, env = "PLAYLEDGER_WITNESS_LISTEN", default_value = "127.0.0.1:8081")]
    listen: SocketAddr,
    /// Log to witness, as ORIGIN=KEY: the key from `/v1/keys` of the server, with the use `log`;
    /// repeatable
    #[arg(long = "log", env = "PLAYLEDGER_WITNESS_LOGS", value_delimiter = ',', required = true)]
    logs: Vec<WitnessedLog>,
    /// File for its memory, created if missing; its key is next to it as FILE.key
    #[arg(long, env = "PLAYLEDGER_WITNESS_DATABASE", default_value = "witness.db")]
    database: PathBuf,
    /// Name of a new key, usually a host name [default: derived from the key]
    #[arg(long, env = "PLAYLEDGER_WITNESS_NAME")]
    key_name: Option<String>,
}

/// `ORIGIN=KEY`.
#[derive(Clone)]
struct WitnessedLog(VerifierKey);

impl FromStr for WitnessedLog {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (origin, key) = text.rsplit_once('=').ok_or("must be the origin of a log, `=`, and its key")?;
        let key: VerifierKey = key.parse().map_err(|error| format!("`{key}`: {error}"))?;
        if key.name() != origin {
            return Err(format!("the key is of the log `{}`, not of `{origin}`", key.name()));
        }
        Ok(Self(key))
    }
}

impl Witness {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        if !self.database.exists() && keys::path_beside(&self.database).exists() {
            return Err(format!(
                "{} is missing, but its key has signed before: put it back, or start with a new key",
                self.database.display()
            )
            .into());
        }
        let file = WitnessFile::open(&self.database)
            .map_err(|error| format!("{}: {error}", self.database.display()))?;
        let cosigner = keys::witness(&keys::path_beside(&self.database), self.key_name.as_deref())?;
        let key = cosigner.verifier_key();
        let logs = self.logs.into_iter().map(|WitnessedLog(key)| key).collect();
        let witness = Arc::new(Witnessing { file, cosigner, logs, clock: Box::new(SystemClock::default()) });
        actix_web::rt::System::new().block_on(async {
            let (server, address) =
                server(witness, self.listen).map_err(|error| super::serve::not_bound(self.listen, "--listen", &error))?;
            // Output is optional.
            let _ = writeln!(
                io::stdout(),
                "playledger witness listens on http://{address}/\nThe server that it is to witness is given: --witness http://{address}={key}\nwith the address under which it reaches this one, if that is another."
            );
            server.await?;
            Ok(ExitCode::SUCCESS)
        })
    }
}
