use std::{error::Error, fs, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::{
    engine::{Fields, hash::Bytes32},
    ledger::{
        encoding::unhex,
        entry::{Holder, PlainAct},
        message::{Message, Seating, Spot},
        plan::PlanRule,
        player_secret::PlayerSecret,
        seat_key::SeatKey,
        signed::Claim,
        terms::Terms,
    },
};
use serde_json::Value;

/// Sign a request for a command-line client
///
/// Prints the value of `signed`. Write commands as they are in the log, with all defaults filled in. `--seen`
/// and `--head` name the newest entry that you have seen; `join` and `take` need neither. Needs no network.
#[derive(Args)]
pub struct Sign {
    /// Key file, as written by `playledger player-key`
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Id of the game
    #[arg(long, value_name = "ID")]
    game: String,
    /// Your seat
    #[arg(long)]
    seat: u64,
    /// Newest entry that you have seen
    #[arg(long, value_name = "SEQ", requires = "head")]
    seen: Option<u64>,
    /// Head after that entry, in hex
    #[arg(long, value_name = "HEX", requires = "seen")]
    head: Option<String>,
    #[command(subcommand)]
    act: Act,
}

/// Request to sign
#[derive(clap::Subcommand)]
enum Act {
    /// Take a free seat of a table
    Join {
        #[command(flatten)]
        seating: SeatingArgs,
        /// Commitment to your random bytes, in hex
        #[arg(long, value_name = "HEX")]
        commit: Option<String>,
    },
    /// Take the seat of another player in a running game
    Take {
        #[command(flatten)]
        seating: SeatingArgs,
    },
    /// List of commands, as JSON: `[{"type": ...}]`
    Play {
        commands: String,
    },
    /// Keys that may never sign for the seat again
    Revoke {
        #[arg(required = true)]
        keys: Vec<SeatKey>,
    },
    /// Consent that another player gets the seat
    Hand {
        player: String,
        /// Signature of that player, as JSON: `asked.taken` of the offer
        taken: Option<String>,
    },
    /// Entry to return to
    Takeback {
        to: u64,
    },
    Resign,
    Resume,
    Pause,
    Continue,
    Rekey,
    /// Rules of a plan, as JSON: `[{"phase": ..., "command": {...}}]`
    Plan {
        rules: String,
    },
}

#[derive(Args)]
struct SeatingArgs {
    /// Your player id
    #[arg(long, value_name = "ID")]
    player: String,
    /// File with the terms of the table, or with its genesis
    #[arg(long, value_name = "FILE")]
    terms: PathBuf,
}

impl SeatingArgs {
    fn terms(&self) -> Result<Terms, Box<dyn Error>> {
        let said = |error: &dyn std::fmt::Display| format!("{}: {error}", self.terms.display());
        let text = fs::read_to_string(&self.terms).map_err(|error| said(&error))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| said(&error))?;
        let mut fields = Fields::of(&value, "")?;
        Ok(Terms::read(&mut fields).map_err(|error| said(&error))?)
    }
}

impl Act {
    fn message(self) -> Result<Message, Box<dyn Error>> {
        let list = |text: &str| -> Result<Vec<Value>, Box<dyn Error>> { Ok(serde_json::from_str(text)?) };
        Ok(match self {
            Self::Join { .. } | Self::Take { .. } => return Err("it is signed otherwise".into()),
            Self::Play { commands } => Message::commands(&list(&commands)?.iter().collect::<Vec<_>>())?,
            Self::Revoke { keys } => Message::revoke(&sorted(keys))?,
            Self::Hand { player, taken } => {
                let taken = taken.map(|text| read_claim(&text)).transpose()?;
                Message::hand(&Holder::person(player), taken.as_ref())?
            }
            Self::Takeback { to } => Message::takeback(to),
            Self::Resign => Message::act(PlainAct::Resign),
            Self::Resume => Message::act(PlainAct::Resume),
            Self::Pause => Message::act(PlainAct::Pause),
            Self::Continue => Message::act(PlainAct::Continue),
            Self::Rekey => Message::act(PlainAct::Rekey),
            Self::Plan { rules } => Message::plan(&PlanRule::read_all(&list(&rules)?, "rules")?)?,
        })
    }
}

fn read_claim(text: &str) -> Result<Claim, Box<dyn Error>> {
    Ok(Claim::of(&serde_json::from_str(text)?, "taken".to_owned())?)
}

/// Sorts keys as the log does.
fn sorted(mut keys: Vec<SeatKey>) -> Vec<SeatKey> {
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn nonce() -> Result<Bytes32, Box<dyn Error>> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

impl Sign {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let Self { key, game, seat, seen, head, act } = self;
        let text = fs::read_to_string(&key).map_err(|error| format!("{}: {error}", key.display()))?;
        let secret = PlayerSecret::from_text(&text);
        let secret = secret.ok_or_else(|| format!("{} is no key file of a player", key.display()))?;
        let place = (game.as_str(), seat);
        let signed = match &act {
            Act::Join { seating, commit } => {
                let commit =
                    commit.as_deref().map(|hex| unhex(hex).ok_or("--commit must be 64 lowercase hex digits"));
                let commit = commit.transpose()?;
                let join = Seating::Join { player: &seating.player, commit: commit.as_ref() };
                secret.claim(join, place, nonce()?, &seating.terms()?)?.write()
            }
            Act::Take { seating } => {
                let take = Seating::Hand { player: &seating.player };
                secret.claim(take, place, nonce()?, &seating.terms()?)?.write()
            }
            _ => {
                let (seen, head) = seen.zip(head).ok_or("--seen and --head are required")?;
                let head = unhex(&head).ok_or("--head must be 64 lowercase hex digits")?;
                secret.sign(&act.message()?, Spot { game: &game, seat, seen, head: &head }).write()
            }
        };
        println!("{signed}");
        Ok(ExitCode::SUCCESS)
    }
}
