use std::{
    error::Error,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use playledger::{
    keys,
    ledger::{
        entry::time_of,
        restore::{self, BackedUp, Signers},
    },
    service::{
        ports::{Clock as _, SystemClock},
        public_tree::{log_key, shape},
    },
    store::{
        Change, Newest, Store, TreeChange, TreeKey, Write,
        sqlite::{self, Inspection, Settings},
    },
    tree::{merkle::Shape, signer::Signer},
};
use uuid::Uuid;

/// Restore a backup after a database is lost
///
/// Games continue from the backup. Later moves are lost, and players may hold receipts for them that would
/// look like proof of a second history. Therefore the old keys of receipts and of the public tree sign a
/// statement of where each game was, and are then retired; `/v1/keys` shows the statement for ever, and new
/// keys take over. First move the damaged database away, with its `-wal` and `-shm` files. Leave its key
/// (`DATABASE.key`) in place or next to the backup: only the old key can sign the statement.
#[derive(Args)]
pub struct Restore {
    /// Backup, as written by `playledger backup`
    backup: PathBuf,
    /// Database file to write; must not exist
    #[arg(long, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db")]
    database: PathBuf,
    /// File with the signing key, if it is not next to the database
    #[arg(long, env = "PLAYLEDGER_KEY")]
    key: Option<PathBuf>,
    /// Name of the new key [default: name of the old one]
    #[arg(long, env = "PLAYLEDGER_KEY_NAME")]
    key_name: Option<String>,
}

impl Restore {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let Self { backup, database, key, key_name } = self;
        let key = key.unwrap_or_else(|| keys::path_beside(&database));
        if let Some(file) = sqlite::leftover(&database) {
            return Err(format!("{} already exists: move it away first", file.display()).into());
        }
        // The database gets its name last, so an interrupted restore can start again.
        let draft = database.with_extension("restoring");
        sqlite::remove(&draft)?;
        sqlite::backup(&backup, &draft).map_err(|error| format!("{}: {error}", backup.display()))?;
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let said = runtime.block_on(change_keys(&draft, &backup, &key, key_name.as_deref()))?;
        sqlite::rename(&draft, &database)?;
        println!("{}: {said}", database.display());
        Ok(ExitCode::SUCCESS)
    }
}

/// Ends every key that signed for this database, and creates the next one.
async fn change_keys(
    draft: &Path,
    backup: &Path,
    path: &Path,
    name: Option<&str>,
) -> Result<String, Box<dyn Error>> {
    let store = Store::open(draft, &Settings::default())?;
    let signed = store.signing_keys().await?.into_iter().next().map(|signed| signed.key);
    if signed.is_none() && !store.has_games().await? {
        return Ok("restored; the backup contains nothing that was signed".into());
    }
    let ending = ending_keys(backup, path, signed.as_deref())?;
    let first = ending.first().ok_or("there is no key")?.verifier_key();
    let new = keys::next(path, name.unwrap_or(first.name()))?;
    let inspection = Inspection::open(draft)?.ok_or("the backup was not upgraded")?;
    let unfinished = inspection.unfinished()?;
    let places: Vec<_> = unfinished
        .iter()
        .map(|(game, newest)| restore::place(&game.to_string(), newest.seq, &newest.head))
        .collect();
    let now = SystemClock::default().now().max(newest_time(&store, &unfinished).await?);
    let mut known = store.tree_keys().await?;
    let trees = ending.iter().map(|old| log_key(old, &known, None)).collect::<Result<Vec<_>, _>>()?;
    let origin = trees.first().map(|tree| tree.verifier_key().name().to_owned());
    known.splice(0..0, trees.iter().map(|tree| named(tree, now)));
    let new_tree = log_key(&new, &known, origin.as_deref())?;
    let Shape { size: leaves, root } = shape(&store).await?;
    let mut write = Write::of(Change::Tree(TreeChange::Name(named(&new_tree, now))));
    for (old, old_tree) in ending.iter().zip(&trees) {
        let key = old.verifier_key().to_string();
        if signed.as_ref() != Some(&key) {
            write = write.and(Change::AddSigningKey { key: key.clone(), at: now });
        }
        let statement = restore::Restore::sign(
            Signers { ended: old, begun: &new },
            Signers { ended: old_tree, begun: &new_tree },
            now,
            BackedUp { leaves, root },
            places.iter().copied(),
        );
        write = write.and(Change::EndSigningKey { key, statement });
    }
    let key = new.verifier_key().to_string();
    store.write(write.and(Change::AddSigningKey { key, at: now })).await?;
    keys::succeed(path)?;
    let count = places.len();
    Ok(format!("restored; {count} games continue with the key {}", new.verifier_key()))
}

/// Returns the row of a tree's key.
fn named(tree: &Signer, since: u64) -> TreeKey {
    let key = tree.verifier_key();
    TreeKey { origin: key.name().to_owned(), key: key.to_string(), since }
}

/// Returns the newest time in the logs of unfinished games: the statement is not older.
async fn newest_time(store: &Store, games: &[(Uuid, Newest)]) -> Result<u64, Box<dyn Error>> {
    let mut newest = 0;
    for (game, Newest { seq, .. }) in games {
        let Some(key) = store.game_key(*game).await? else { continue };
        let entry = store.entries(key, *seq, 1).await?.into_iter().next();
        newest = newest.max(entry.and_then(|entry| time_of(&entry.body)).unwrap_or_default());
    }
    Ok(newest)
}

/// Returns the key that signed for the backup, and the one that has signed since, if it differs. Neither may
/// sign any more.
fn ending_keys(backup: &Path, path: &Path, signed: Option<&str>) -> Result<Vec<Signer>, Box<dyn Error>> {
    let here = keys::read(path)?;
    let is = |signer: &Signer| signed.is_none_or(|signed| signer.verifier_key().to_string() == signed);
    if here.as_ref().is_some_and(is) {
        return Ok(here.into_iter().collect());
    }
    let mut places = vec![keys::path_beside(backup)];
    places.extend(signed.and_then(|signed| keys::path_of_ended(path, signed)));
    let old = places.iter().find_map(|path| keys::read(path).ok().flatten().filter(is));
    let old = old.ok_or_else(|| {
        places.insert(0, path.to_owned());
        let places: Vec<String> = places.iter().map(|path| path.display().to_string()).collect();
        let which = signed.map_or_else(String::new, |signed| format!(", {signed},"));
        format!("the key that signed for this backup{which} is in none of {}", places.join(", "))
    })?;
    Ok([old].into_iter().chain(here).collect())
}
