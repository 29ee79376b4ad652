//! What is read from a store.

use std::fmt;

use uuid::Uuid;

use super::{GameKey, PlayerKey, TokenKey};
use crate::words::{Ending, Nature, PlayedBy, Scopes, Share, Status, Visibility};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerRow {
    pub key: PlayerKey,
    pub uuid: Uuid,
    /// Nothing, if the player has left for good.
    pub name: Option<String>,
    pub created_at: u64,
    pub nature: Nature,
}

/// A bot account: a built-in bot of the server or a player's program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotRow {
    pub player: PlayerRow,
    /// What somebody's program takes part in, as JSON.
    pub offer: Option<String>,
}

/// A token, as far as it may be known: of the token itself there is only a digest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenRow {
    pub key: TokenKey,
    pub uuid: Uuid,
    pub name: String,
    pub scopes: Scopes,
    /// The one game that it is for, if it is for one.
    pub game: Option<Uuid>,
    pub created_at: u64,
    pub expires_at: Option<u64>,
    /// When it was last used, to the hour.
    pub used_at: Option<u64>,
    /// Whether its first use is to settle something.
    pub is_pending: bool,
}

/// Whose recovery code it is, and the nonce of the recovery if that has begun.
pub type Recovering = (PlayerRow, Option<[u8; 32]>);

/// A code for another device, and what its token will be good for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkRow {
    pub player: PlayerRow,
    pub until: u64,
    pub scopes: Scopes,
    pub expires_at: Option<u64>,
    /// The public key of the device that made the code, and what shows the other device that it is.
    pub key: Option<[u8; 32]>,
    pub proof: Option<[u8; 32]>,
}

/// A statement that two keys belong to one player, and the signatures that are there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceRow {
    /// Ascending.
    pub keys: [[u8; 32]; 2],
    pub sigs: [Option<[u8; 64]>; 2],
    /// What shows the device that made a code that the other key is that of the device which used it.
    pub proof: Option<[u8; 32]>,
    pub at: u64,
}

/// A player's results in one ruleset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    pub ruleset: String,
    pub played: u64,
    pub won: u64,
}

/// What never changes of a game.
#[derive(Clone, PartialEq, Eq)]
pub struct GameFacts {
    pub key: GameKey,
    pub uuid: Uuid,
    pub creator: PlayerKey,
    pub ruleset: String,
    pub version: u32,
    pub seats: u8,
    /// All options, as JSON.
    pub options: String,
    pub title: Option<String>,
    pub visibility: Visibility,
    pub invite: Option<String>,
    pub move_seconds: Option<u32>,
    pub bank_seconds: u32,
    pub takebacks: bool,
    pub substitutes: bool,
    pub rated: bool,
    /// The number of the format that its log is written in.
    pub format: u8,
    pub server_seed: [u8; 32],
    pub created_at: u64,
    /// The finished game whose players are asked to this one.
    pub rematch_of: Option<GameKey>,
}

impl fmt::Debug for GameFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameFacts({}, secret)", self.uuid)
    }
}

/// A game as lists show it. A row changes when a game begins, ends or is joined; when somebody moves, only
/// its deadline does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRow {
    pub facts: GameFacts,
    pub status: Status,
    /// The result by the rules, as JSON.
    pub result: Option<String>,
    pub ending: Option<Ending>,
    pub started_at: Option<u64>,
    pub finished_at: Option<u64>,
    /// When the server acts by itself.
    pub deadline: Option<u64>,
    /// The end of the log, unless the game is running, or ended before rows said so.
    pub newest: Option<Newest>,
}

/// The newest entry of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Newest {
    pub seq: u64,
    pub head: [u8; 32],
}

/// Who sits at a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatRow {
    pub seat: u8,
    pub player: PlayerKey,
    pub player_uuid: Uuid,
    pub player_name: Option<String>,
    pub nature: Nature,
    pub played_by: PlayedBy,
    pub share: Share,
}

/// A seat that is offered to another player.
#[derive(Clone, PartialEq, Eq)]
pub struct SubstitutionRow {
    pub id: Uuid,
    pub code: String,
    pub game: Uuid,
    pub seat: u8,
    /// Who offers it.
    pub player: PlayerKey,
    /// Who asks for it, under which name and with which signature, as JSON.
    pub asker: Option<(PlayerKey, Uuid)>,
    pub asker_name: Option<String>,
    pub asker_nature: Nature,
    pub taken: Option<String>,
}

/// A row of a list, and who sits there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    pub row: GameRow,
    pub seats: Vec<SeatRow>,
}

/// All that there is of a game, of one moment.
#[derive(Clone, PartialEq, Eq)]
pub struct Opening {
    pub facts: GameFacts,
    /// The deadline that was noted last.
    pub deadline: Option<u64>,
    pub seats: Vec<SeatRow>,
    /// What is planned for seats, as JSON.
    pub plans: Vec<(u8, String)>,
    pub entries: Vec<Entry>,
    /// How often something has changed beside the log, where other servers may change it.
    pub beside: u64,
}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opening({}, {:?}, secret)", self.facts.uuid, self.entries)
    }
}

/// One entry as it is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Entry {
    pub seq: u64,
    pub x: [u8; 32],
    pub head: [u8; 32],
    pub body: Vec<u8>,
    pub secret: Option<Vec<u8>>,
    /// Whether its head always goes into the public tree. Not known of an entry in a segment, whose head is
    /// there already.
    pub is_landmark: bool,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({}, {}, secret)", self.seq, String::from_utf8_lossy(&self.body))
    }
}

/// A key that signed receipts for what is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SigningKey {
    /// Its public half.
    pub key: String,
    pub since: u64,
    /// The statement that ended it, if it was ended by a restore.
    pub statement: Option<String>,
}

/// Among how many of the newest games one is looked for that no index finds: a table with free seats, or with
/// bots.
const LOOKED_THROUGH: u32 = 2_000;
/// The free seats of one game.
const FREE: &str = "(SELECT seats FROM game WHERE game.id = one.id)
    - (SELECT count(*) FROM seat WHERE seat.game = one.id)";
/// Those at one game who are no persons.
const BOTS: &str = "SELECT 1 FROM seat JOIN player ON player.id = seat.player
    WHERE seat.game = one.id AND (level IS NOT NULL OR offer IS NOT NULL)";

/// Which games to list, newest first.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    pub status: Option<Status>,
    /// Only games of one of these.
    pub rulesets: Vec<String>,
    /// Only games at which this player sits.
    pub player: Option<PlayerKey>,
    /// Only public games.
    pub public: bool,
    /// Only games with players that are no persons, or only those without, of the newest.
    pub has_bots: Option<bool>,
    /// Only games with a clock, or only those without.
    pub has_clock: Option<bool>,
    /// Only tables with at least so many free seats, of the newest that are open.
    pub seats_free: Option<u8>,
    /// Only this game.
    pub only: Option<Uuid>,
    /// Only games older than this one.
    pub before: Option<GameKey>,
    pub limit: u32,
}

impl GameFilter {
    /// How many games are looked through, if no index finds what is wanted.
    pub fn looks_through(&self) -> Option<u32> {
        (self.seats_free.is_some() || self.has_bots.is_some()).then_some(LOOKED_THROUGH)
    }

    /// The query for the newest of these pieces of an index, each of which gives ids with the newest first.
    /// `limit` and `free` are the parameters that say how many are wanted, and how many seats are to be free.
    pub fn newest(&self, pieces: &[String], limit: &str, free: &str) -> String {
        let looks_through = self.looks_through();
        let most = looks_through.map_or(limit.to_owned(), |most| most.to_string());
        let pieces: Vec<_> =
            pieces.iter().map(|piece| format!("SELECT * FROM ({piece} LIMIT {most}) AS piece")).collect();
        let newest =
            format!("SELECT id FROM ({}) AS found ORDER BY id DESC LIMIT {most}", pieces.join(" UNION ALL "));
        if looks_through.is_none() {
            return newest;
        }
        let free = self.seats_free.map(|_| format!("{free} <= {FREE}"));
        let bots =
            self.has_bots.map(|has_bots| format!("{} EXISTS ({BOTS})", if has_bots { "" } else { "NOT" }));
        let wanted: Vec<_> = free.into_iter().chain(bots).collect();
        format!(
            "SELECT id FROM ({newest}) AS one WHERE {} ORDER BY id DESC LIMIT {limit}",
            wanted.join(" AND ")
        )
    }
}

/// What came of a request under an idempotency key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// What the request was, so that another request under the same key is noticed.
    pub fingerprint: [u8; 16],
    pub kept: Kept,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// It wrote this entry, in a commit whose last entry is `last`. Its answer follows from the log.
    Entry { game: Uuid, seq: u64, last: u64 },
    /// It wrote nothing; this is its answer.
    Body(Vec<u8>),
}
