use std::{error::Error, fs, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::{
    config::{Access, Database, Reach},
    ledger::entry::time_of,
    service::reading::inspect::inspect,
    store::{
        Cell, CopiedTable, Store, TABLES,
        postgres::{Postgres, Settings},
        sqlite::Export,
    },
};

/// Rows per step.
const ROWS: usize = 1_000;

/// Move a database file to PostgreSQL, which several servers can share
///
/// Stop the server first. Ids, tokens and receipts stay valid, so every server needs the same key
/// (--key). Every chain is checked on both sides. The command can be repeated after an interruption. At
/// the end the file is renamed to FILE.moved.
#[derive(Args)]
pub struct Move {
    /// Database file
    #[arg(long)]
    from: PathBuf,
    /// Address of an empty PostgreSQL database
    #[arg(long, env = "PLAYLEDGER_DATABASE", hide_env_values = true)]
    to: Database,
    #[command(flatten)]
    access: Access,
}

impl Move {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let Self { from, to, access } = self;
        let reach = Reach { database: to, access };
        let settings = reach.server()?.ok_or("--to is not the address of a PostgreSQL database")?;
        let export = Export::open(&from).map_err(|error| format!("{}: {error}", from.display()))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let said = runtime.block_on(carry(&export, Settings { standbys: 0, ..settings }))?;
        drop(export);
        let mut moved = from.as_os_str().to_owned();
        moved.push(".moved");
        fs::rename(&from, &moved)?;
        println!("{said}; the file is now {}", PathBuf::from(moved).display());
        Ok(ExitCode::SUCCESS)
    }
}

async fn carry(export: &Export, settings: Settings) -> Result<String, Box<dyn Error>> {
    let server = Postgres::connect_to_import(&settings).await?;
    server.begin_import(&signing_keys(export)?).await?;
    for table in TABLES {
        let mut from = 0;
        loop {
            let rows = export.rows(table, from, ROWS as u64)?;
            server.import(table, &rows).await?;
            if rows.is_empty() {
                break;
            }
            from += ROWS as u64;
        }
    }
    let claims =
        CopiedTable { name: "claim", columns: "digest, fingerprint, at, game, seq, last", read: None };
    for rows in export.logged_claims()?.chunks(ROWS) {
        server.import(&claims, rows).await?;
    }
    let (games, mut count) = (export.games()?, 0);
    for (game, key) in &games {
        let told = |error: &dyn std::fmt::Display| format!("game {game}: {error}");
        let opening = export.opening(*game)?.ok_or_else(|| told(&"it is not there"))?;
        let entries = opening.entries.iter().cloned();
        let entries: Vec<_> =
            entries.map(|entry| (time_of(&entry.body).unwrap_or_default(), entry)).collect();
        inspect(opening).map_err(|error| told(&error))?;
        server.import_log(*key, &entries).await?;
        count += entries.len();
    }
    let store = Store::Server(server);
    for (game, _) in &games {
        let opening = store.opening(*game).await?.ok_or_else(|| format!("game {game} did not arrive"))?;
        inspect(opening).map_err(|error| format!("game {game}: {error}"))?;
    }
    if let Store::Server(server) = &store {
        server.end_import().await?;
    }
    Ok(format!("moved {} games with {count} entries; all chains are valid", games.len()))
}

fn signing_keys(export: &Export) -> Result<Vec<String>, Box<dyn Error>> {
    let table = TABLES.iter().find(|table| table.name == "signing_key").ok_or("there are no keys")?;
    let key = |row: Vec<Cell>| match row.into_iter().nth(1) {
        Some(Cell::Text(key)) => Some(key),
        _ => None,
    };
    Ok(export.rows(table, 0, u64::from(u32::MAX))?.into_iter().filter_map(key).collect())
}
