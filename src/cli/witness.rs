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

/// Witness the public trees of other servers: sign each checkpoint that continues the one before, and no other
///
/// Give its address and its key to the operator of the server, for `--witness URL=KEY`. It keeps what it has signed last of each
/// log in a small file, and its key beside it.
#[derive(Args)]
pub struct Witness {
    /// The address to listen on
    #[arg(long, env = "PLAYLEDGER_WITNESS_LISTEN", default_value = "127.0.0.1:8081")]
    listen: SocketAddr,
    /// A log to witness, as ORIGIN=KEY: its key is in `/v1/keys` of the server, with the use `log`; may be given several times
    #[arg(long = "log", env = "PLAYLEDGER_WITNESS_LOGS", value_delimiter = ',', required = true)]
    logs: Vec<Log>,
    /// The file that it remembers in; it is made if it is not there, and the key lies beside it as FILE.key
    #[arg(long, env = "PLAYLEDGER_WITNESS_DATABASE", default_value = "witness.db")]
    database: PathBuf,
    /// The name that a new key gets: usually a host name; by default one that follows from the key
    #[arg(long, env = "PLAYLEDGER_WITNESS_NAME")]
    key_name: Option<String>,
}

/// `ORIGIN=KEY`.
#[derive(Clone)]
struct Log(VerifierKey);

impl FromStr for Log {
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
                "{} is not there, and the key beside it has signed before: put it back, or move the key away and begin with another",
                self.database.display()
            )
            .into());
        }
        let file = WitnessFile::open(&self.database)
            .map_err(|error| format!("{}: {error}", self.database.display()))?;
        let cosigner = keys::witness(&keys::path_beside(&self.database), self.key_name.as_deref())?;
        let key = cosigner.verifier_key();
        let logs = self.logs.into_iter().map(|Log(key)| key).collect();
        let witness = Arc::new(Witnessing { file, cosigner, logs, clock: Box::new(SystemClock::default()) });
        actix_web::rt::System::new().block_on(async {
            let (server, address) =
                server(witness, self.listen).map_err(|error| super::serve::not_bound(self.listen, "--listen", &error))?;
            // Nobody need listen to this.
            let _ = writeln!(
                io::stdout(),
                "playledger witness listens on http://{address}/\nThe server that it is to witness is given: --witness http://{address}={key}\nwith the address under which it reaches this one, if that is another."
            );
            server.await?;
            Ok(ExitCode::SUCCESS)
        })
    }
}
