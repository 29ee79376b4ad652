//! The database of a test server: a file, or a schema in the PostgreSQL database of
//! `PLAYLEDGER_TEST_DATABASE`. With `PLAYLEDGER_TEST_NODES=2` two servers share it, and requests go to them
//! in turn.

use std::{env, path::Path};

use playledger::{
    config::{Config, Database},
    store::{Store, StoreError, sqlite::Settings},
};

use super::eventually;

/// Returns the address of the shared database, if there is one.
pub fn shared() -> Option<String> {
    env::var("PLAYLEDGER_TEST_DATABASE").ok()
}

/// Returns the number of servers.
pub fn nodes() -> usize {
    let asked = env::var("PLAYLEDGER_TEST_NODES").ok().and_then(|count| count.parse().ok());
    asked.filter(|_| shared().is_some()).unwrap_or(1)
}

/// Returns the flags of a server for this file, or its substitute.
pub fn flags(file: &Path) -> Vec<String> {
    let path = file.to_str().unwrap();
    let Some(address) = shared() else { return vec!["--database".to_owned(), path.to_owned()] };
    let schema: String =
        path.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let schema = format!("t{schema}");
    run(&address, &format!("CREATE SCHEMA IF NOT EXISTS {schema}"));
    let address = format!("{address}&options=-csearch_path%3D{schema}");
    ["--database", &address, "--key", &format!("{path}.key"), "--standbys", "0"].map(str::to_owned).to_vec()
}

/// Waits until no server handles a deadline.
pub fn wait_for_deadlines(file: &Path) {
    if shared().is_some() {
        let nothing = "DO $$ BEGIN IF EXISTS (SELECT 1 FROM due WHERE held_until > 0) THEN RAISE 'held'; END IF; END $$";
        let address = &flags(file)[1];
        eventually("the deadlines are acted on", || try_to_run(address, nothing).ok());
    }
}

/// Runs statements on the shared database.
pub fn run(address: &str, sql: &str) {
    try_to_run(address, sql).unwrap();
}

fn try_to_run(address: &str, sql: &str) -> Result<(), tokio_postgres::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(address, tokio_postgres::NoTls).await.unwrap();
        let driven = tokio::spawn(connection);
        let done = client.batch_execute(sql).await;
        drop(client);
        driven.await.unwrap().unwrap();
        done
    })
}

/// Opens the database of a configuration.
pub async fn open(config: &Config) -> Store {
    match &config.reach.database {
        Database::Server(_) => Store::connect(&config.shared().unwrap().unwrap()).await.unwrap(),
        // Workers of a stopped server release the file a moment later.
        Database::File(path) => {
            eventually("the database is let go of", || match Store::open(path, &Settings::default()) {
                Err(StoreError::InUse(_)) => None,
                opened => Some(opened.unwrap()),
            })
        }
    }
}
