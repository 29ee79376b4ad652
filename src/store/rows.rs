//! Rows, as a store returns them.

use crate::store::LogPosition;
use std::fmt;

use uuid::Uuid;

use super::{GameKey, PlayerKey, TokenKey};
use crate::words::{Ending, Nature, PlayedBy, Scopes, Share, Status, Visibility};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerRow {
    pub key: PlayerKey,
    pub uuid: Uuid,
    /// `None` after the account was deleted.
    pub name: Option<String>,
    pub created_at: u64,
    pub nature: Nature,
}

/// A bot account: a built-in bot of the server or a player's program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotRow {
    pub player: PlayerRow,
    /// The games that a player's bot accepts, as JSON.
    pub offer: Option<String>,
}

/// A token, without its secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenRow {
    pub key: TokenKey,
    pub uuid: Uuid,
    pub name: String,
    pub scopes: Scopes,
    /// The only game of the token, for a token of one game.
    pub game: Option<Uuid>,
    pub created_at: u64,
    pub expires_at: Option<u64>,
    /// Time of last use, to the hour.
    pub used_at: Option<u64>,
    /// Whether its first use settles a replacement or a recovery.
    pub is_pending: bool,
    /// The connected app that it belongs to.
    pub app: Option<Uuid>,
}

/// A token, its player, and until when the player is suspended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenOfPlayer {
    pub token: TokenRow,
    pub player: PlayerRow,
    pub banned_until: Option<u64>,
}

/// An app that a player has connected. Without `Debug`: its challenge belongs to its client.
#[derive(Clone, PartialEq, Eq)]
pub struct AppRow {
    pub uuid: Uuid,
    /// Id of the client: an address.
    pub client: String,
    pub name: String,
    pub scopes: Scopes,
    pub game: Option<Uuid>,
    pub created_at: u64,
    pub expires_at: u64,
    pub code_until: u64,
    pub redirect: String,
    pub challenge: [u8; 32],
    /// Whether its code was exchanged.
    pub has_begun: bool,
    /// Time of last use, to the hour.
    pub used_at: Option<u64>,
}

/// A connected app, its player, and whether the refresh token was replaced before.
pub type RefreshedApp = (AppRow, PlayerRow, bool);

/// The player of a recovery code, and the nonce of a recovery that has begun.
pub type Recovering = (PlayerRow, Option<[u8; 32]>);

/// A device code, and the rights of its token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceCodeRow {
    pub player: PlayerRow,
    pub until: u64,
    pub scopes: Scopes,
    /// Name of the token.
    pub name: String,
    pub expires_at: Option<u64>,
    /// Public key of the device that made the code, and its proof for the other device.
    pub key: Option<[u8; 32]>,
    pub proof: Option<[u8; 32]>,
}

/// A statement that two keys belong to one player, with the signatures so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceRow {
    /// Ascending.
    pub keys: [[u8; 32]; 2],
    pub sigs: [Option<[u8; 64]>; 2],
    /// Proof for the device with the code: the other key belongs to the device that used the code.
    pub proof: Option<[u8; 32]>,
    pub at: u64,
}

/// A player's results in one ruleset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesetRecord {
    pub ruleset: String,
    pub played: u64,
    pub won: u64,
}

/// The parts of a game that never change.
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
    /// Number of the log format.
    pub format: u8,
    pub server_seed: [u8; 32],
    pub created_at: u64,
    /// The finished game before this rematch.
    pub rematch_of: Option<GameKey>,
}

impl fmt::Debug for GameFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameFacts({}, secret)", self.uuid)
    }
}

/// A game in a list. Its row changes when the game starts or ends or a player joins; a move changes only the
/// deadline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRow {
    pub facts: GameFacts,
    pub status: Status,
    /// Result by the rules, as JSON.
    pub result: Option<String>,
    pub ending: Option<Ending>,
    pub started_at: Option<u64>,
    pub finished_at: Option<u64>,
    /// When the server must act.
    pub deadline: Option<u64>,
    /// The last entry, unless the game is running.
    pub newest: Option<Newest>,
}

/// The newest entry of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Newest {
    pub seq: u64,
    pub head: [u8; 32],
}

/// A seat and its player.
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
    /// The offering player.
    pub player: PlayerKey,
    /// The asking player.
    pub asker: Option<(PlayerKey, Uuid)>,
    pub asker_name: Option<String>,
    pub asker_nature: Nature,
    pub taken: Option<String>,
}

/// A row of a list, with its seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    pub row: GameRow,
    pub seats: Vec<SeatRow>,
}

/// Rows and entries of a game, as of one moment.
#[derive(Clone, PartialEq, Eq)]
pub struct Opening {
    pub facts: GameFacts,
    /// The stored deadline.
    pub deadline: Option<u64>,
    pub seats: Vec<SeatRow>,
    /// Plans by seat, as JSON.
    pub plans: Vec<(u8, String)>,
    pub entries: Vec<Entry>,
    /// Revision of the rows that are not in the log, where other servers may change them.
    pub beside: u64,
}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opening({}, {:?}, secret)", self.facts.uuid, self.entries)
    }
}

/// A stored entry.
#[derive(Clone, PartialEq, Eq)]
pub struct Entry {
    pub seq: u64,
    pub x: [u8; 32],
    pub head: [u8; 32],
    pub body: Vec<u8>,
    pub secret: Option<Vec<u8>>,
    /// Whether its head always becomes a leaf of the public tree. Unknown in a segment, whose heads are there
    /// already.
    pub is_landmark: bool,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({}, {}, secret)", self.seq, String::from_utf8_lossy(&self.body))
    }
}

/// A key that has signed receipts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SigningKey {
    /// The public key.
    pub key: String,
    pub since: u64,
    /// The restore statement that ended the key.
    pub statement: Option<String>,
}

/// Newest games searched for tables with free seats or bots, which have no index.
const LOOKED_THROUGH: u32 = 2_000;
/// The free seats of one game.
const FREE: &str = "(SELECT seats FROM game WHERE game.id = one.id)
    - (SELECT count(*) FROM seat WHERE seat.game = one.id)";
/// The bots of one game.
const BOTS: &str = "SELECT 1 FROM seat JOIN player ON player.id = seat.player
    WHERE seat.game = one.id AND (level IS NOT NULL OR offer IS NOT NULL)";

/// Filters of a list of games.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    pub status: Option<Status>,
    /// Only games of these rulesets.
    pub rulesets: Vec<String>,
    /// Only games of this player.
    pub player: Option<PlayerKey>,
    /// Only public games.
    pub public: bool,
    /// Only games with bots, or only games without, among the newest.
    pub has_bots: Option<bool>,
    /// Only games with a clock, or only those without.
    pub has_clock: Option<bool>,
    /// Only tables with at least this many free seats, among the newest open ones.
    pub seats_free: Option<u8>,
    /// Only this game.
    pub only: Option<Uuid>,
    /// Only older games.
    pub before: Option<GameKey>,
    pub limit: u32,
}

impl GameFilter {
    /// Returns how many games are searched if no index helps.
    pub fn looks_through(&self) -> Option<u32> {
        (self.seats_free.is_some() || self.has_bots.is_some()).then_some(LOOKED_THROUGH)
    }

    /// Returns the query for the newest games of several index ranges, each of which gives ids, newest first.
    /// `limit` and `free` name the parameters for the page size and the free seats.
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

/// The outcome of a request under an idempotency key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimOutcome {
    /// Digest of the request. Another request under the same key is refused.
    pub fingerprint: [u8; 16],
    pub kept: Kept,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// The request wrote this entry, in a commit up to `last`. Its answer follows from the log.
    Entry { game: Uuid, seq: u64, last: u64 },
    /// The request wrote no entry; this is its answer.
    Body(Vec<u8>),
}

/// The entries of a game after a position in the log of all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touched {
    pub key: GameKey,
    pub uuid: Uuid,
    /// The `seq` of the first of them, and the position of each.
    pub first: u64,
    pub places: Vec<LogPosition>,
}
