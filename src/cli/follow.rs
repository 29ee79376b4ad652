use std::{
    collections::BTreeMap,
    error::Error,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::Duration,
};

use clap::Args;
use playledger::{
    engine::{Format, hash::Bytes32},
    ledger::{
        chain::Chain,
        encoding::hex,
        receipt::{Note, Receipt},
    },
    tree::{
        checkpoint::Checkpoint,
        merkle::{Shape, Tree, is_continued},
        note::{VerifierKey, id_in_hex},
        proof::Proof,
        walk::{TreeFault, walk},
    },
};
use serde_json::Value;

use super::{
    remote_log::{RemoteLog, Unread},
    shown_log::{Found, ShownLog, link, missing},
};

/// Retries for very recent entries, and the longest pause between them.
const TRIES: u32 = 4;
const LONGEST_WAIT: u64 = 30;

/// Watch the public tree of a server for forks
///
/// Reads what is new in the tree, compares it with the last checkpoint, and stores the newest one in a
/// file. Exits with 0 if all is well, with 1 if the server shows two histories or leaves something out,
/// and with 2 if something could not be read. A fork is printed with both signed checkpoints, which prove
/// it.
#[derive(Args)]
pub struct Follow {
    /// Address of the server, such as `https://play.example`
    url: String,
    /// Key of the tree, as `name+hex+base64`: from `/v1/keys`, with the use `log`
    #[arg(long, value_name = "VKEY")]
    key: VerifierKey,
    /// File with the last checkpoint [default: named after the key, in this folder]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Game whose log is compared with the tree; repeatable
    #[arg(long = "game", value_name = "ID")]
    games: Vec<String>,
    /// File with a receipt whose entry must be in the tree; repeatable. `playledger verify` checks its
    /// signature
    #[arg(long = "receipt", value_name = "FILE")]
    receipts: Vec<PathBuf>,
    /// Token of a player, for private games
    #[arg(long, env = "PLAYLEDGER_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Read the whole tree again, not only what is new
    #[arg(long)]
    whole: bool,
    /// Repeat after this number of seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
}

/// Known checkpoints of a server: the last verified one, and one that could not be verified.
struct KnownCheckpoints {
    walked: Option<String>,
    shown: Option<String>,
    path: PathBuf,
}

impl KnownCheckpoints {
    fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let read = |path: &Path| match fs::read_to_string(path) {
            Ok(note) => Ok(Some(note)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{}: {error}", path.display())),
        };
        Ok(Self { walked: read(path)?, shown: read(&path.with_extension("shown"))?, path: path.to_owned() })
    }

    /// Stores a signed checkpoint before the next question to the server.
    fn show(&self, note: &str) -> io::Result<()> {
        keep(&self.path.with_extension("shown"), note)
    }

    fn walk(&self, note: &str) -> io::Result<()> {
        keep(&self.path, note)?;
        fs::remove_file(self.path.with_extension("shown"))
    }
}

/// Writes a file whole or not at all.
fn keep(path: &Path, note: &str) -> io::Result<()> {
    let draft = path.with_extension("next");
    let mut file = File::create(&draft)?;
    file.write_all(note.as_bytes())?;
    file.sync_all()?;
    fs::rename(&draft, path)
}

impl Follow {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let log = RemoteLog::new(&self.url, self.token.clone());
        let state = || format!("follow-{}.checkpoint", id_in_hex(self.key.id())).into();
        let state = self.state.clone().unwrap_or_else(state);
        loop {
            match (self.look(&log, &state), self.every) {
                (Ok(said), _) => println!("{said}"),
                (Err(Found::Charge(why)), _) => {
                    println!("{why}");
                    return Ok(ExitCode::FAILURE);
                }
                (Err(Found::Unread(error)), None) => return Err(error),
                (Err(Found::Unread(error)), Some(_)) => eprintln!("playledger: {error}; trying again"),
            }
            match self.every {
                Some(seconds) => thread::sleep(Duration::from_secs(seconds)),
                None => return Ok(ExitCode::SUCCESS),
            }
        }
    }

    /// Checks once. Proofs are fetched first, so that the newest checkpoint covers them. Missing ones are
    /// reported, and the tree is walked all the same.
    fn look(&self, log: &RemoteLog, state: &Path) -> Result<String, Found> {
        let (mut proofs, mut charges, mut logs) = (Vec::new(), Vec::new(), BTreeMap::new());
        let games = self.games.iter().map(|game| {
            let (pinned, heads) = self.game(log, game)?;
            logs.insert(game.as_str(), heads);
            Ok(pinned)
        });
        let games: Vec<_> = games.collect();
        let receipts = self.receipts.iter().map(|path| self.receipt(log, path, &logs));
        for asked in games.into_iter().chain(receipts) {
            match asked {
                Ok(pinned) => proofs.push(pinned),
                Err(Found::Charge(why)) => charges.push(why),
                Err(unread) => return Err(unread),
            }
        }
        let seen = KnownCheckpoints::read(state)?;
        let shown = seen.shown.iter().map(|note| self.pin("the checkpoint that was shown before", note));
        proofs.extend(shown.collect::<Result<Vec<_>, _>>()?);
        let before = seen.walked.as_deref().map(|note| Ok::<_, Found>((note, self.read(note)?.shape)));
        let old = before.transpose()?.unwrap_or_else(|| ("", Shape::empty()));
        let note = self.newest(log, proofs.iter().map(|proof| proof.shape.size).max().unwrap_or_default())?;
        let new = (note.as_str(), self.read(&note)?.shape);
        if new.1.size < old.1.size {
            continues(log, new, old, "the tree has shrunk")?;
            return Err("the server shows an older checkpoint of the same tree: try again later".into());
        }
        seen.show(&note)?;
        self.walk(log, old, new)?;
        let mut said = Vec::new();
        for Pinned { what, note, shape } in &proofs {
            continues(log, (note, *shape), new, &format!("{what} is of another tree"))?;
            said.push(format!("{what} is in the tree"));
        }
        seen.walk(&note)?;
        if !charges.is_empty() {
            return Err(Found::Charge(charges.join("\n\n")));
        }
        let size = new.1.size;
        said.push(format!(
            "{} has {size} entries, {} of them new: one history",
            self.key.name(),
            size - old.1.size
        ));
        Ok(said.join("\n"))
    }

    /// Returns the newest checkpoint, of at least the size that was shown before. A cache may show an older
    /// one for a moment.
    fn newest(&self, log: &RemoteLog, least: u64) -> Result<String, Found> {
        let mut note = log.checkpoint()?;
        for _ in 1..TRIES {
            if self.read(&note)?.shape.size >= least {
                break;
            }
            thread::sleep(Duration::from_secs(2));
            note = log.checkpoint()?;
        }
        Ok(note)
    }

    fn read<'n>(&self, note: &'n str) -> Result<Checkpoint<'n>, Found> {
        let read = Checkpoint::read(note).map_err(|why| format!("it is no checkpoint: {why}"))?;
        read.check_log(std::slice::from_ref(&self.key))
            .map_err(|why| format!("it is no checkpoint: {why}"))?;
        Ok(read)
    }

    fn pin(&self, what: &str, note: &str) -> Result<Pinned, Found> {
        Ok(Pinned { what: what.to_owned(), note: note.to_owned(), shape: self.read(note)?.shape })
    }

    fn walk(&self, log: &RemoteLog, old: (&str, Shape), new: (&str, Shape)) -> Result<(), Found> {
        let mut walked = walk(log, old.1, new.1, |_, _| {});
        if walked.is_ok() && self.whole {
            walked = walk(log, Shape::empty(), new.1, |_, _| {});
        }
        Err(match walked {
            Ok(()) => return Ok(()),
            Err(TreeFault::Fork) => Found::Charge(fork(
                "the tree does not begin with the one that was signed before",
                old.0,
                new.0,
            )),
            Err(TreeFault::Damaged(asked)) => Found::Charge(format!(
                "DAMAGED: /tlog/{} does not lead to the hash above it, under this checkpoint:\n\n{}",
                asked.path(),
                new.0
            )),
            Err(TreeFault::Edge) => Found::Charge(damaged(new.0)),
            Err(TreeFault::Unread(error)) => error.into(),
        })
    }

    /// Compares the whole log of a game with the tree, which must have at least its newest landmark. Returns
    /// the heads as well.
    fn game(&self, log: &RemoteLog, game: &str) -> Result<(Pinned, Vec<Bytes32>), Found> {
        let what = format!("game {game}");
        let mut told = ShownLog::default();
        told.read_on(log, game, &what)?;
        let least = told.landmark;
        let proof = Self::proof(log, game, least, &what)?;
        // The game may have moved meanwhile.
        told.read_on(log, game, &what)?;
        let seq = proof["seq"].as_u64().filter(|seq| *seq >= least);
        let seq = seq.ok_or_else(|| {
            Found::Charge(format!(
                "MISSING: {what} up to its newest landmark, entry {least}, is not in the tree"
            ))
        })?;
        let head = usize::try_from(seq).ok().and_then(|seq| told.heads.get(seq));
        let head = head.ok_or("a proof is for an entry that the log does not have")?;
        let what = format!("{what} up to entry {seq} of {}", told.heads.len() - 1);
        Ok((self.pinned(&what, &proof, head)?, told.heads))
    }

    /// Compares a receipt with the tree, and with the log that was shown: the tree may contain two histories
    /// of one game.
    fn receipt(&self, log: &RemoteLog, path: &Path, logs: &Logs) -> Result<Pinned, Found> {
        let told = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let text = fs::read_to_string(path).map_err(|error| told(&error))?;
        let Receipt { game, seq, at, head } = Note::read(&text).map_err(|error| told(&error))?.receipt;
        let what = format!("entry {seq} of game {game} ({})", path.display());
        let shown = usize::try_from(seq).ok().and_then(|seq| logs.get(game.as_str())?.get(seq));
        if let Some(shown) = shown.filter(|shown| **shown != head) {
            let shown = hex(shown);
            return Err(Found::Charge(format!(
                "FORK: {what} has another head in the log that is shown now, {shown}; the receipt:\n\n{text}"
            )));
        }
        let proof = Self::proof(log, &game, seq, &what)?;
        let mut chain = Chain::after(Format::default(), seq, at, head);
        for shown in proof["links"].as_array().into_iter().flatten() {
            let (bytes, x) = link(shown)?;
            chain.follow(&bytes, &x);
        }
        let pinned = proof["seq"].as_u64();
        if pinned.map(|seq| seq + 1) != Some(chain.next_seq()) {
            return Err("a proof has not as many links as it must".into());
        }
        self.pinned(&what, &proof, chain.head())
    }

    /// Returns the proof of a game from an entry on. Retries if the entry has only just happened.
    fn proof(log: &RemoteLog, game: &str, seq: u64, what: &str) -> Result<Value, Found> {
        let path = format!("/v1/games/{game}/proof?seq={seq}");
        for _ in 1..TRIES {
            match log.json(&path) {
                Err(Unread::Missing { retry_after: Some(seconds), .. }) if seconds > LONGEST_WAIT => {
                    return Err(format!("{what} may be pinned in {seconds} seconds: look again then").into());
                }
                Err(Unread::Missing { retry_after: Some(seconds), .. }) => {
                    thread::sleep(Duration::from_secs(seconds));
                }
                answer => return answer.map_err(|why| missing(what, why)),
            }
        }
        log.json(&path).map_err(|why| missing(what, why))
    }

    fn pinned(&self, what: &str, proof: &Value, head: &Bytes32) -> Result<Pinned, Found> {
        let text = proof["proof"].as_str().unwrap_or_default();
        let read = Proof::read(text).map_err(|why| format!("the proof of {what}: {why}"))?;
        let checked = read.check(head, std::slice::from_ref(&self.key), &[], 0);
        checked.map_err(|why| {
            Found::Charge(format!(
                "MISSING: {what} is not in the tree: {why}; this is what was shown:\n\n{text}"
            ))
        })?;
        let (_, note) = text.split_once("\n\n").unwrap_or_default();
        self.pin(what, note)
    }
}

/// Heads of the games whose logs were read.
type Logs<'g> = BTreeMap<&'g str, Vec<Bytes32>>;

/// The content of a tree, and its checkpoint.
struct Pinned {
    what: String,
    note: String,
    shape: Shape,
}

/// Checks that a newer tree extends an older one, over the tiles of the newer one.
fn continues(log: &RemoteLog, old: (&str, Shape), new: (&str, Shape), why: &str) -> Result<(), Found> {
    let mut tree = Tree::new(log, new.1.size);
    let shown = tree.continuation(old.1.size).and_then(|proof| Ok((proof, tree.root(new.1.size)?)));
    match shown {
        Ok((proof, _)) if is_continued(old.1, new.1, &proof) => Ok(()),
        Ok((_, root)) if root != new.1.root => Err(Found::Charge(damaged(new.0))),
        // A signed tree that cannot be shown is as bad as a contradiction.
        Ok(_) | Err(Unread::Missing { .. }) => Err(Found::Charge(fork(why, old.0, new.0))),
        Err(error) => Err(error.into()),
    }
}

fn damaged(note: &str) -> String {
    format!("DAMAGED: the tiles do not lead to the root of this checkpoint:\n\n{note}")
}

fn fork(why: &str, before: &str, now: &str) -> String {
    format!("FORK: {why}.\n\nSeen before:\n\n{before}\nShown now:\n\n{now}")
}
