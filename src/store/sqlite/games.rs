//! Games and seats.

use std::sync::atomic::Ordering;

use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params, params_from_iter};
use uuid::Uuid;

use super::{
    Reads, Sqlite,
    columns::{Whole, nature, optional_word, word},
    entries,
};
use crate::store::{
    GameFacts, GameFilter, GameKey, GameRow, Listed, LogPosition, Newest, Opening, PlayerKey, SeatRow,
    StoreError, Touched, sql, traits::GameStore,
};
use crate::words::{Ending, PlayedBy, Share, Status, Visibility};

/// The columns of `GameFacts` come first.
const COLUMNS: &str = "game.id, uuid, creator, ruleset, version, seats, options, title, visibility, invite, \
    move_seconds, server_seed, created_at, \
    deadline, status, result, started_at, finished_at, game.seq, head, rematch_of, \
    format, bank_seconds, takebacks, substitutes, ending, rated";

fn facts(row: &Row) -> rusqlite::Result<GameFacts> {
    Ok(GameFacts {
        key: row.get(0)?,
        uuid: Uuid::from_bytes(row.get(1)?),
        creator: row.get(2)?,
        ruleset: row.get(3)?,
        version: row.get(4)?,
        seats: row.get(5)?,
        options: row.get(6)?,
        title: row.get(7)?,
        visibility: row.get(8)?,
        invite: row.get(9)?,
        move_seconds: row.get(10)?,
        server_seed: row.get(11)?,
        created_at: whole(row, 12)?.unwrap_or_default(),
        rematch_of: row.get(20)?,
        format: row.get(21)?,
        bank_seconds: row.get(22)?,
        takebacks: row.get(23)?,
        substitutes: row.get(24)?,
        rated: row.get(26)?,
    })
}

fn game_row(row: &Row) -> rusqlite::Result<GameRow> {
    let head: Option<[u8; 32]> = row.get(19)?;
    Ok(GameRow {
        facts: facts(row)?,
        deadline: whole(row, 13)?,
        status: word(row, 14, Status::from_word)?,
        result: row.get(15)?,
        ending: optional_word(row, 25, Ending::from_word)?,
        started_at: whole(row, 16)?,
        finished_at: whole(row, 17)?,
        newest: whole(row, 18)?.zip(head).map(|(seq, head)| Newest { seq, head }),
    })
}

fn whole(row: &Row, column: usize) -> rusqlite::Result<Option<u64>> {
    Ok(row.get::<_, Option<Whole>>(column)?.map(|number| number.0))
}

impl Reads {
    fn uuid(&self, query: &str, values: &[&dyn ToSql]) -> Result<Option<Uuid>, StoreError> {
        self.readers.read(|connection| {
            let found = connection.prepare_cached(query)?.query_row(values, |row| row.get(0)).optional()?;
            Ok(found.map(Uuid::from_bytes))
        })
    }

    pub fn seats(&self, game: GameKey) -> Result<Vec<SeatRow>, StoreError> {
        self.readers.read(|connection| seats(connection, game))
    }

    pub fn opening(&self, uuid: Uuid) -> Result<Option<Opening>, StoreError> {
        self.readers.snapshot(|connection| {
            let Some(key) = key(connection, uuid)? else { return Ok(None) };
            // Rows are looked up before the snapshot: entries that move into a segment meanwhile are found
            // there.
            let rows = self.index.rows(key);
            let query = format!("SELECT {COLUMNS} FROM game WHERE id = ?1");
            let row = connection.prepare_cached(&query)?.query_row([key], game_row).optional()?;
            let Some(GameRow { facts, deadline, .. }) = row else { return Ok(None) };
            let seats = seats(connection, key)?;
            let entries = entries::read(connection, &rows, key, 0, u64::MAX)?;
            let plans = plans(connection, key)?;
            Ok(Some(Opening { facts, deadline, seats, plans, entries, beside: 0 }))
        })
    }

    fn uuids(&self, query: &str, at: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(query)?;
            let games =
                query.query_map(params![Whole(at), limit], |row| Ok(Uuid::from_bytes(row.get(0)?)))?;
            Ok(games.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn touched_since(&self, player: PlayerKey, row: i64) -> Result<Option<Vec<Touched>>, StoreError> {
        let games: Vec<(GameKey, Uuid)> = self.readers.read(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT game.id, uuid FROM seat JOIN game ON game.id = seat.game WHERE seat.player = ?1",
            )?;
            let rows = query.query_map([player], |row| Ok((row.get(0)?, Uuid::from_bytes(row.get(1)?))))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })?;
        Ok(self.index.with(|index| {
            let touched = |(key, uuid)| {
                let known = index.get(key)?;
                let passed = known.ids.partition_point(|known| *known < row);
                let places: Vec<LogPosition> =
                    known.ids[passed..].iter().copied().map(LogPosition::Row).collect();
                (!places.is_empty()).then(|| Touched {
                    key,
                    uuid,
                    first: known.first + passed as u64,
                    places,
                })
            };
            // A cursor inside a commit may have missed some of its entries.
            index.is_whole_after((row - 1).max(0)).then(|| games.into_iter().filter_map(touched).collect())
        }))
    }

    pub fn games(&self, filter: &GameFilter) -> Result<Vec<Listed>, StoreError> {
        self.readers.snapshot(|connection| {
            // One snapshot for games and seats.
            let mut query = connection.prepare_cached(SEATS)?;
            let listed = |row: GameRow| -> Result<Listed, StoreError> {
                let seats = query.query_map([row.facts.key], seat)?.collect::<rusqlite::Result<_>>()?;
                Ok(Listed { row, seats })
            };
            rows(connection, filter)?.into_iter().map(listed).collect()
        })
    }
}

fn key(connection: &Connection, uuid: Uuid) -> Result<Option<GameKey>, StoreError> {
    let mut query = connection.prepare_cached(sql::GAME_BY_UUID.sqlite)?;
    Ok(query.query_row([uuid.as_bytes()], |row| row.get(0)).optional()?)
}

/// Returns a page of rows. Each kind of game is one index range, newest last: the newest of each range are
/// merged, so a page costs no more than it shows.
fn rows(connection: &Connection, filter: &GameFilter) -> Result<Vec<GameRow>, StoreError> {
    let GameFilter { status, rulesets, player, public, has_clock, seats_free, only, before, limit, .. } =
        filter;
    let words = status.map_or(Status::ALL.to_vec(), |status| vec![status]);
    let statuses: Vec<&str> = words.into_iter().map(Status::word).collect();
    let visibilities = if *public { vec![Visibility::Public] } else { Visibility::ALL.to_vec() };
    let before = before.unwrap_or(GameKey(i64::MAX));
    let (least, before) = match only.map(|uuid| key(connection, uuid)).transpose()? {
        None => (GameKey(0), before),
        Some(Some(only)) => (only, before.min(GameKey(only.0 + 1))),
        Some(None) => return Ok(Vec::new()),
    };
    let free = seats_free.unwrap_or(0);
    let mut values: Vec<&dyn ToSql> = vec![&before, limit, &least, &free];
    // A player has few games; for all games, those with and without a clock are separate ranges.
    let (table, game, clocks) = match player {
        Some(player) => {
            values.push(player);
            ("seat WHERE player = ?5 AND", "game", [""].as_slice())
        }
        None => (
            "game WHERE",
            "id",
            match has_clock {
                None => [" AND has_clock = 0", " AND has_clock = 1"].as_slice(),
                Some(false) => &[" AND has_clock = 0"],
                Some(true) => &[" AND has_clock = 1"],
            },
        ),
    };
    let mut pieces = Vec::new();
    for ((status, ruleset), visibility) in product(product(&statuses, rulesets), &visibilities) {
        values.extend([status as &dyn ToSql, ruleset, visibility]);
        let last = values.len();
        for clock in clocks {
            pieces.push(format!(
                "SELECT {game} AS id FROM {table} status = ?{} AND ruleset = ?{} AND visibility = ?{last}{clock}
                 AND {game} >= ?3 AND {game} < ?1 ORDER BY {game} DESC",
                last - 2,
                last - 1,
            ));
        }
    }
    if pieces.is_empty() {
        return Ok(Vec::new());
    }
    let newest = filter.newest(&pieces, "?2", "?4");
    let query = format!("SELECT {COLUMNS} FROM game WHERE id IN ({newest}) ORDER BY id DESC");
    let mut query = connection.prepare_cached(&query)?;
    let rows = query.query_map(params_from_iter(values), game_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn product<A: Copy, B>(left: impl IntoIterator<Item = A>, right: &[B]) -> impl Iterator<Item = (A, &B)> {
    left.into_iter().flat_map(move |left| right.iter().map(move |right| (left, right)))
}

/// The seats of a game, in order.
const SEATS: &str =
    "SELECT seat, player, uuid, name, iif(resigned, 'resigned', control), entropy, level, offer IS NOT NULL FROM seat JOIN player ON player.id = seat.player
     WHERE game = ?1 ORDER BY seat";

fn seats(connection: &Connection, game: GameKey) -> Result<Vec<SeatRow>, StoreError> {
    let mut query = connection.prepare_cached(SEATS)?;
    let rows = query.query_map([game], seat)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn plans(connection: &Connection, game: GameKey) -> Result<Vec<(u8, String)>, StoreError> {
    let mut query = connection.prepare_cached(sql::PLANS_OF_GAME.sqlite)?;
    let rows = query.query_map([game], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn seat(row: &Row) -> rusqlite::Result<SeatRow> {
    Ok(SeatRow {
        seat: row.get(0)?,
        player: row.get(1)?,
        player_uuid: Uuid::from_bytes(row.get(2)?),
        player_name: row.get(3)?,
        played_by: word(row, 4, PlayedBy::from_word)?,
        share: word(row, 5, Share::from_word)?,
        nature: nature(row, 6)?,
    })
}

impl GameStore for Sqlite {
    fn new_game_key(&self) -> GameKey {
        GameKey(self.next_game.fetch_add(1, Ordering::Relaxed))
    }

    async fn games_of_machines(&self) -> Result<Vec<(Uuid, PlayerKey)>, StoreError> {
        self.read_aside(Reads::games_of_machines).await
    }

    async fn opening(&self, game: Uuid) -> Result<Option<Opening>, StoreError> {
        self.read_aside(move |reads| reads.opening(game)).await
    }

    async fn games(&self, filter: GameFilter) -> Result<Vec<Listed>, StoreError> {
        self.read_aside(move |reads| reads.games(&filter)).await
    }

    async fn game_key(&self, uuid: Uuid) -> Result<Option<GameKey>, StoreError> {
        self.reads.readers.read(|connection| key(connection, uuid))
    }

    async fn invited_to(&self, invite: &str) -> Result<Option<Uuid>, StoreError> {
        self.reads.uuid(sql::GAME_BY_INVITE.sqlite, params![invite])
    }

    async fn rematch(&self, game: GameKey) -> Result<Option<Uuid>, StoreError> {
        self.reads.uuid(sql::REMATCH_OF_GAME.sqlite, params![game])
    }

    async fn seat_of(&self, game: GameKey, player: PlayerKey) -> Result<Option<u8>, StoreError> {
        self.reads.readers.read(|connection| {
            let query = sql::SEAT_OF_PLAYER.sqlite;
            Ok(connection
                .prepare_cached(query)?
                .query_row(params![game, player], |row| row.get(0))
                .optional()?)
        })
    }

    async fn seats(&self, game: GameKey) -> Result<Vec<SeatRow>, StoreError> {
        self.reads.seats(game)
    }

    async fn active_games(&self, player: PlayerKey) -> Result<u32, StoreError> {
        self.reads.readers.read(|connection| {
            let query = sql::COUNT_ACTIVE_GAMES.sqlite;
            Ok(connection.prepare_cached(query)?.query_row([player], |row| row.get(0))?)
        })
    }

    async fn games_begun(&self, player: PlayerKey, since: u64, most: u32) -> Result<u32, StoreError> {
        self.reads.readers.read(|connection| {
            let query =
                "SELECT count(*) FROM (SELECT 1 FROM game WHERE creator = ?1 AND created_at > ?2 LIMIT ?3)";
            let values = params![player, Whole(since), most];
            Ok(connection.prepare_cached(query)?.query_row(values, |row| row.get(0))?)
        })
    }

    async fn open_since_before(&self, at: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        self.reads.uuids(sql::OPEN_GAMES_BEFORE.sqlite, at, limit)
    }

    async fn due(&self, at: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        self.reads.uuids("SELECT uuid FROM game WHERE deadline <= ?1 ORDER BY deadline LIMIT ?2", at, limit)
    }

    async fn has_games(&self) -> Result<bool, StoreError> {
        self.reads
            .readers
            .read(|connection| Ok(connection.query_row(sql::HAS_GAMES.sqlite, [], |row| row.get(0))?))
    }
}
