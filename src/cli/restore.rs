use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{SystemTime, UNIX_EPOCH},
};

use clap::Args;
use playledger::{
    keys,
    ledger::{receipt::Signer, restore},
    store::{
        Change, Keeper as _, Store, Write,
        sqlite::{self, Inspection, Settings},
    },
};

/// Put a backup back in the place of a database that is lost
///
/// The games go on from where they stood in the backup. What was played after it is lost, and the receipts for it would
/// convict you of showing two histories; so the old key ends here with a signed statement of where each game stood, which
/// `/v1/keys` shows for ever, and a new key goes on. Move the damaged database away first, and leave its key
/// (`DATABASE.key`) in place, or beside the backup: only the old key can sign that it has ended.
#[derive(Args)]
pub struct Restore {
    /// The backup, as `playledger backup` made it
    backup: PathBuf,
    /// Where the database is to be; a file that is there is left alone
    #[arg(long, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db")]
    database: PathBuf,
    /// The name that the new key gets; that of the old one if it is left out
    #[arg(long, env = "PLAYLEDGER_KEY_NAME")]
    key_name: Option<String>,
}

impl Restore {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let Self { backup, database, key_name } = self;
        if database.exists() {
            return Err(format!("{} is there: move it away first", database.display()).into());
        }
        // It gets its name last, so that a restore that breaks off can be begun anew.
        let draft = database.with_extension("restoring");
        sqlite::remove(&draft)?;
        sqlite::backup(&backup, &draft).map_err(|error| format!("{}: {error}", backup.display()))?;
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let said = runtime.block_on(change_keys(&draft, &backup, &database, key_name.as_deref()))?;
        sqlite::rename(&draft, &database)?;
        println!("{}: {said}", database.display());
        Ok(ExitCode::SUCCESS)
    }
}

/// Ends the key of the backup, and lets a new one go on.
async fn change_keys(
    draft: &Path,
    backup: &Path,
    database: &Path,
    name: Option<&str>,
) -> Result<String, Box<dyn Error>> {
    let store = Store::open(draft, &Settings::default())?;
    let Some(signed) = store.signing_keys().await?.into_iter().next() else {
        return Ok("restored; it has no key yet".into());
    };
    let ended = [keys::path_beside(database), keys::path_of_ended(database), keys::path_beside(backup)];
    let old = ended
        .iter()
        .find_map(|path| keys::read(path).ok().flatten().filter(|signer| is(signer, &signed.key)));
    let old = old.ok_or_else(|| {
        let places: Vec<String> = ended.iter().map(|path| path.display().to_string()).collect();
        format!("the key that signed for this backup, {}, is in none of {}", signed.key, places.join(", "))
    })?;
    let old_name = old.verifier_key().name().to_owned();
    let new = next_key(database, &old, name.unwrap_or(&old_name))?;
    let inspection = Inspection::open(draft)?.ok_or("the backup was not brought up to date")?;
    let places: Vec<_> = inspection
        .unfinished()?
        .into_iter()
        .map(|(game, newest)| restore::place(&game.to_string(), newest.seq, &newest.head))
        .collect();
    let (count, now) = (places.len(), now());
    let statement = restore::Restore::sign(&old, &new, now, places);
    let next = Change::AddSigningKey { key: new.verifier_key().to_string(), at: now };
    store.write(Write::of(Change::EndSigningKey { key: signed.key, statement }).and(next)).await?;
    Ok(format!("restored; {count} games go on, under the key {}", new.verifier_key()))
}

fn is(signer: &Signer, key: &str) -> bool {
    signer.verifier_key().to_string() == key
}

/// The key that goes on. The old one is put aside under another name: it must sign nothing any more.
fn next_key(database: &Path, old: &Signer, name: &str) -> Result<Signer, Box<dyn Error>> {
    let path = keys::path_beside(database);
    match keys::read(&path)? {
        Some(there) if !is(&there, &old.verifier_key().to_string()) => return Ok(there),
        Some(_) => fs::rename(&path, keys::path_of_ended(database))?,
        None => {}
    }
    Ok(keys::make(&path, name)?)
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
