//! Games as the lobby knows them, read back.

use rusqlite::{
    Connection, OptionalExtension as _, Row, ToSql, params, params_from_iter,
    types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef},
};
use uuid::Uuid;

use super::{GameKey, PlayerKey, Store, StoreError};

/// Declares an enum that is kept as a word.
macro_rules! words {
    ($(#[$meta:meta])* $Name:ident { $($Variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $Name {
            $($Variant),+
        }

        impl $Name {
            pub const fn word(self) -> &'static str {
                match self { $(Self::$Variant => $word),+ }
            }

            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$Variant),)+ _ => None }
            }
        }

        impl ToSql for $Name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.word().to_sql()
            }
        }

        impl FromSql for $Name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                value.as_str().and_then(|word| Self::from_word(word).ok_or(FromSqlError::InvalidType))
            }
        }
    };
}

words! {
    /// Where in its life a game is.
    Status { Open = "open", Sealed = "sealed", Running = "running", Finished = "finished", Void = "void" }
}

words! {
    /// Who may see a game.
    Visibility { Public = "public", Unlisted = "unlisted", Private = "private" }
}

words! {
    /// Who plays a seat.
    Control { Player = "player", Autopilot = "autopilot" }
}

words! {
    /// What a seat gave to the shuffle.
    Entropy { None = "none", Promised = "promised", Revealed = "revealed" }
}

#[derive(Clone, PartialEq, Eq)]
pub struct GameRow {
    pub key: GameKey,
    pub uuid: Uuid,
    pub creator: PlayerKey,
    pub ruleset: String,
    pub version: u32,
    pub seats: u8,
    pub options: String,
    pub title: Option<String>,
    pub visibility: Visibility,
    pub invite: Option<String>,
    pub move_seconds: Option<u32>,
    pub server_seed: [u8; 32],
    pub status: Status,
    pub result: Option<String>,
    pub created_at: u64,
    pub sealed_at: Option<u64>,
    pub started_at: Option<u64>,
    pub finished_at: Option<u64>,
    /// When the server acts by itself.
    pub deadline: Option<u64>,
}

impl std::fmt::Debug for GameRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GameRow({}, {}, secret)", self.uuid, self.status.word())
    }
}

/// Who sits at a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatRow {
    pub seat: u8,
    pub player: PlayerKey,
    pub player_uuid: Uuid,
    pub player_name: String,
    pub control: Control,
    pub entropy: Entropy,
}

/// Which games to list, newest first.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    pub status: Option<Status>,
    pub ruleset: Option<String>,
    /// Only games at which this player sits.
    pub player: Option<PlayerKey>,
    /// Only public games.
    pub public: bool,
    /// Only games older than this one.
    pub before: Option<GameKey>,
    pub limit: u32,
}

const COLUMNS: &str = "game.id, uuid, creator, ruleset, version, seats, options, title, visibility, invite, \
    move_seconds, server_seed, status, result, created_at, sealed_at, started_at, finished_at, deadline";

impl GameRow {
    fn from_row(row: &Row) -> rusqlite::Result<Self> {
        let time = |place: usize| -> rusqlite::Result<Option<u64>> {
            Ok(row.get::<_, Option<i64>>(place)?.map(i64::cast_unsigned))
        };
        Ok(Self {
            key: GameKey(row.get(0)?),
            uuid: Uuid::from_bytes(row.get(1)?),
            creator: PlayerKey(row.get(2)?),
            ruleset: row.get(3)?,
            version: row.get(4)?,
            seats: row.get(5)?,
            options: row.get(6)?,
            title: row.get(7)?,
            visibility: row.get(8)?,
            invite: row.get(9)?,
            move_seconds: row.get(10)?,
            server_seed: row.get(11)?,
            status: row.get(12)?,
            result: row.get(13)?,
            created_at: time(14)?.unwrap_or_default(),
            sealed_at: time(15)?,
            started_at: time(16)?,
            finished_at: time(17)?,
            deadline: time(18)?,
        })
    }
}

impl Store {
    pub fn game(&self, uuid: Uuid) -> Result<Option<GameRow>, StoreError> {
        self.readers.read(|connection| {
            let query = format!("SELECT {COLUMNS} FROM game WHERE uuid = ?1");
            Ok(connection
                .prepare_cached(&query)?
                .query_row([uuid.as_bytes()], GameRow::from_row)
                .optional()?)
        })
    }

    /// Who sits at a game, in order of the seats.
    pub fn seats(&self, game: GameKey) -> Result<Vec<SeatRow>, StoreError> {
        self.readers.read(|connection| seats(connection, game))
    }

    /// Games that opened before this time and are still open, the oldest first.
    pub fn open_since_before(&self, at: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT uuid FROM game WHERE status = 'open' AND created_at < ?1 ORDER BY created_at LIMIT ?2",
            )?;
            let games = query.query_map(params![at.cast_signed(), limit], |row| Ok(Uuid::from_bytes(row.get(0)?)))?;
            Ok(games.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Games whose deadline has come, the earliest first.
    pub fn due(&self, at: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection
                .prepare_cached("SELECT uuid FROM game WHERE deadline <= ?1 ORDER BY deadline LIMIT ?2")?;
            let games =
                query.query_map(params![at.cast_signed(), limit], |row| Ok(Uuid::from_bytes(row.get(0)?)))?;
            Ok(games.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// The games at which a player sits and in which something was written from this row of the log on; nothing if the
    /// log no longer goes back so far.
    pub fn touched_since(&self, player: PlayerKey, row: i64) -> Result<Option<Vec<Uuid>>, StoreError> {
        let games: Vec<(GameKey, Uuid)> = self.readers.read(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT game.id, uuid FROM seat JOIN game ON game.id = seat.game WHERE seat.player = ?1",
            )?;
            let rows = query
                .query_map([player.0], |row| Ok((GameKey(row.get(0)?), Uuid::from_bytes(row.get(1)?))))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(self.index.with(|index| {
            let touched = |game: GameKey| {
                index.get(game).and_then(|rows| rows.ids.last()).is_some_and(|last| *last >= row)
            };
            index
                .is_whole_after(row)
                .then(|| games.into_iter().filter(|(game, _)| touched(*game)).map(|(_, uuid)| uuid).collect())
        }))
    }

    /// How many games that are not over a player sits at.
    pub fn active_games(&self, player: PlayerKey) -> Result<u32, StoreError> {
        self.readers.read(|connection| {
            let query = "SELECT count(*) FROM seat JOIN game ON game.id = seat.game
                WHERE seat.player = ?1 AND status IN ('open', 'sealed', 'running')";
            Ok(connection.prepare_cached(query)?.query_row([player.0], |row| row.get(0))?)
        })
    }

    pub fn games(&self, filter: &GameFilter) -> Result<Vec<GameRow>, StoreError> {
        self.readers.read(|connection| {
            let mut conditions = vec!["game.id < ?1"];
            let before = filter.before.map_or(i64::MAX, |game| game.0);
            let mut values: Vec<&dyn ToSql> = vec![&before];
            let from = match &filter.player {
                Some(player) => {
                    values.push(&player.0);
                    "seat JOIN game ON game.id = seat.game AND seat.player = ?2"
                }
                None => "game",
            };
            let (status, ruleset);
            if let Some(wanted) = &filter.status {
                values.push(wanted);
                status = format!("status = ?{}", values.len());
                conditions.push(&status);
            }
            if let Some(wanted) = &filter.ruleset {
                values.push(wanted);
                ruleset = format!("ruleset = ?{}", values.len());
                conditions.push(&ruleset);
            }
            if filter.public {
                conditions.push("visibility = 'public'");
            }
            let conditions = conditions.join(" AND ");
            let limit = filter.limit;
            let query = format!(
                "SELECT {COLUMNS} FROM {from} WHERE {conditions} ORDER BY game.id DESC LIMIT {limit}"
            );
            let mut query = connection.prepare_cached(&query)?;
            let rows = query.query_map(params_from_iter(values), GameRow::from_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}

fn seats(connection: &Connection, game: GameKey) -> Result<Vec<SeatRow>, StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT seat, player, uuid, name, control, entropy FROM seat JOIN player ON player.id = seat.player
         WHERE game = ?1 ORDER BY seat",
    )?;
    let rows = query.query_map(params![game.0], |row| {
        Ok(SeatRow {
            seat: row.get(0)?,
            player: PlayerKey(row.get(1)?),
            player_uuid: Uuid::from_bytes(row.get(2)?),
            player_name: row.get(3)?,
            control: row.get(4)?,
            entropy: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
