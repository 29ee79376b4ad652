use std::{error::Error, fs, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::ledger::{
    encoding::unhex,
    entry::{Holder, Op},
    plan::PlanRule,
    player_secret::PlayerSecret,
    signed::{Message, SeatKey, Spot},
};
use serde_json::Value;

/// Sign a request for a command-line client
///
/// Prints the value of `signed`. Write commands as they are in the log, with all defaults filled in. `--seen` and `--head` name the newest entry that you have seen. Needs no network.
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
    #[arg(long, value_name = "SEQ")]
    seen: u64,
    /// Head after that entry, in hex
    #[arg(long, value_name = "HEX")]
    head: String,
    #[command(subcommand)]
    act: Act,
}

/// Request to sign
#[derive(clap::Subcommand)]
enum Act {
    /// List of commands, as JSON: `[{"type": ...}]`
    Play {
        commands: String,
    },
    /// New public keys of the seat
    Keys {
        keys: Vec<SeatKey>,
    },
    /// New player of the seat
    Hand {
        player: String,
        /// Public keys of the new player
        keys: Vec<SeatKey>,
    },
    /// Entry to return to
    Takeback {
        to: u64,
    },
    Resign,
    Resume,
    Pause,
    Continue,
    /// Rules of a plan, as JSON: `[{"phase": ..., "command": {...}}]`
    Plan {
        rules: String,
    },
}

impl Act {
    fn message(self) -> Result<Message, Box<dyn Error>> {
        let list = |text: &str| -> Result<Vec<Value>, Box<dyn Error>> { Ok(serde_json::from_str(text)?) };
        Ok(match self {
            Self::Play { commands } => Message::play(&list(&commands)?.iter().collect::<Vec<_>>())?,
            Self::Keys { keys } => Message::keys(&sorted(keys))?,
            Self::Hand { player, keys } => Message::hand(&Holder { player, keys: sorted(keys), bot: None })?,
            Self::Takeback { to } => Message::takeback(to),
            Self::Resign => Message::sys(Op::Resign),
            Self::Resume => Message::sys(Op::Resume),
            Self::Pause => Message::sys(Op::Pause),
            Self::Continue => Message::sys(Op::Continue),
            Self::Plan { rules } => Message::plan(&PlanRule::read_all(&list(&rules)?, "rules")?)?,
        })
    }
}

/// Keys as the log holds them.
fn sorted(mut keys: Vec<SeatKey>) -> Vec<SeatKey> {
    keys.sort_unstable();
    keys.dedup();
    keys
}

impl Sign {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let Self { key, game, seat, seen, head, act } = self;
        let text = fs::read_to_string(&key).map_err(|error| format!("{}: {error}", key.display()))?;
        let secret = PlayerSecret::from_text(&text);
        let secret = secret.ok_or_else(|| format!("{} is no key file of a player", key.display()))?;
        let head = unhex(&head).ok_or("--head must be 64 lowercase hex digits")?;
        let spot = Spot { game: &game, seat, seen, head: &head };
        println!("{}", secret.sign(&act.message()?, spot).write());
        Ok(ExitCode::SUCCESS)
    }
}
