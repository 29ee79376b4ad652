//! Games and seats.

use std::collections::HashMap;

use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    Postgres,
    columns::{Int, get, nature, opt, whole},
    entries::{entry, without_gap},
    link::{Fail, Link, Value, again},
};
use crate::{
    store::{
        GameFacts, GameFilter, GameKey, GameRow, Listed, Newest, Opening, PlayerKey, SeatRow, StoreError,
        sql, traits::GameStore,
    },
    words::{Status, Visibility},
};

/// The columns of `GameFacts` come first.
const COLUMNS: &str = "game.id, uuid, creator, ruleset, version, seats, options, title, visibility, invite, \
    move_seconds, server_seed, created_at, \
    (SELECT at FROM due WHERE due.game = game.id), status, result, started_at, finished_at, game.seq, head, rematch_of, \
    format, bank_seconds, takebacks, substitutes, ending, rated, beside";
const BESIDE: usize = 27;

/// How long a game with a passed deadline is given to one server.
const HELD_MS: i64 = 10_000;

const SEATS: &str = "SELECT seat.game, seat, player, uuid, name, CASE WHEN resigned THEN 'resigned' ELSE control END, entropy,
        level, offer IS NOT NULL, (SELECT beside FROM game WHERE game.id = seat.game)
    FROM seat JOIN player ON player.id = seat.player WHERE game = ANY($1) ORDER BY game, seat";

/// Attempts to read a game that changes meanwhile.
const TRIES: usize = 8;

fn facts(row: &Row) -> Result<GameFacts, StoreError> {
    Ok(GameFacts {
        key: get(row, 0)?,
        uuid: get(row, 1)?,
        creator: get(row, 2)?,
        ruleset: get(row, 3)?,
        version: get(row, 4)?,
        seats: get(row, 5)?,
        options: get(row, 6)?,
        title: opt(row, 7)?,
        visibility: get(row, 8)?,
        invite: opt(row, 9)?,
        move_seconds: opt(row, 10)?,
        server_seed: get(row, 11)?,
        created_at: get(row, 12)?,
        rematch_of: opt(row, 20)?,
        format: get(row, 21)?,
        bank_seconds: get(row, 22)?,
        takebacks: get(row, 23)?,
        substitutes: get(row, 24)?,
        rated: get(row, 26)?,
    })
}

fn game_row(row: &Row) -> Result<GameRow, StoreError> {
    let newest = opt(row, 18)?.zip(opt(row, 19)?).map(|(seq, head)| Newest { seq, head });
    Ok(GameRow {
        facts: facts(row)?,
        deadline: opt(row, 13)?,
        status: get(row, 14)?,
        result: opt(row, 15)?,
        ending: opt(row, 25)?,
        started_at: opt(row, 16)?,
        finished_at: opt(row, 17)?,
        newest,
    })
}

fn seat(row: &Row) -> Result<SeatRow, StoreError> {
    Ok(SeatRow {
        seat: get(row, 1)?,
        player: get(row, 2)?,
        player_uuid: get(row, 3)?,
        player_name: opt(row, 4)?,
        played_by: get(row, 5)?,
        share: get(row, 6)?,
        nature: nature(row, 7)?,
    })
}

/// The game changed during the read.
struct Changed;

/// Reads a whole game. Fails if its rows changed during the read.
async fn whole_game(link: &Link, uuid: Uuid) -> Result<Result<Option<Opening>, Changed>, Fail> {
    let query = format!("SELECT {COLUMNS} FROM game WHERE uuid = $1");
    let values: [Value<'_>; 1] = [&uuid];
    let Some(row) = link.query(&query, &values).await?.pop() else { return Ok(Ok(None)) };
    let (GameRow { facts, deadline, .. }, beside) = (game_row(&row)?, get::<u64>(&row, BESIDE)?);
    let (key, keys) = (facts.key, vec![facts.key.0]);
    let (of_key, of_keys): ([Value<'_>; 1], [Value<'_>; 1]) = ([&key], [&keys]);
    let after = "SELECT beside FROM game WHERE id = $1";
    let log = "SELECT seq, x, head, body, secret, landmark FROM log WHERE game = $1 ORDER BY seq";
    let (seats, plans, log, after) = tokio::try_join!(
        link.query(SEATS, &of_keys),
        link.query(sql::PLANS_OF_GAME.postgres, &of_key),
        link.query(log, &of_key),
        link.query(after, &of_key),
    )?;
    if after.first().map(|row| get::<u64>(row, 0)).transpose()? != Some(beside) {
        return Ok(Err(Changed));
    }
    let entries = log.iter().map(|row| entry(row, 0)).collect::<Result<_, _>>()?;
    Ok(Ok(Some(Opening {
        deadline,
        seats: seats.iter().map(seat).collect::<Result<_, _>>()?,
        plans: plans.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect::<Result<_, StoreError>>()?,
        entries: without_gap(key, 0, entries)?,
        facts,
        beside,
    })))
}

impl Postgres {
    pub async fn key_of(&self, uuid: Uuid) -> Result<Option<GameKey>, StoreError> {
        self.one(sql::GAME_BY_UUID.postgres, &[&uuid], |row| get(row, 0)).await
    }

    pub async fn rematch_of(&self, game: GameKey) -> Result<Option<Uuid>, StoreError> {
        let query = sql::REMATCH_OF_GAME.postgres;
        self.one(query, &[&game], |row| get(row, 0)).await
    }

    /// Returns a page of games. Seats are read afterwards; if one changed meanwhile, the page is read again.
    pub async fn list(&self, filter: &GameFilter) -> Result<Vec<Listed>, StoreError> {
        let only = match filter.only {
            None => None,
            Some(uuid) => match self.key_of(uuid).await? {
                None => return Ok(Vec::new()),
                found => found,
            },
        };
        let Some((query, values)) = listing(filter, only) else { return Ok(Vec::new()) };
        let values: Vec<Value<'_>> = values.iter().map(|value| &**value as Value<'_>).collect();
        for _ in 0..TRIES {
            if let Ok(listed) = self.listed(&query, &values).await? {
                return Ok(listed);
            }
        }
        Err(StoreError::Busy)
    }

    async fn listed(
        &self,
        query: &str,
        values: &[Value<'_>],
    ) -> Result<Result<Vec<Listed>, Changed>, StoreError> {
        let with_beside = |row: &Row| Ok((game_row(row)?, get::<u64>(row, BESIDE)?));
        let rows = self.all(query, values, with_beside).await?;
        let keys: Vec<i64> = rows.iter().map(|(row, _)| row.facts.key.0).collect();
        let mut seats: HashMap<GameKey, (u64, Vec<SeatRow>)> = HashMap::new();
        for row in self.rows(SEATS, &[&keys]).await? {
            let beside = get(&row, 9)?;
            seats.entry(get(&row, 0)?).or_insert((beside, Vec::new())).1.push(seat(&row)?);
        }
        let listed = |(row, beside): (GameRow, u64)| {
            let (after, seats) = seats.remove(&row.facts.key).unwrap_or((beside, Vec::new()));
            if after == beside { Ok(Listed { row, seats }) } else { Err(Changed) }
        };
        Ok(rows.into_iter().map(listed).collect())
    }
}

type Owned = Box<dyn tokio_postgres::types::ToSql + Send + Sync>;

/// Returns the query of a page. Each kind of game is one index range, newest last: the newest of each range
/// are merged, so a page costs no more than it shows.
fn listing(filter: &GameFilter, only: Option<GameKey>) -> Option<(String, Vec<Owned>)> {
    let GameFilter { status, rulesets, player, public, has_clock, seats_free, before, limit, .. } = filter;
    let statuses = status.map_or(Status::ALL.to_vec(), |status| vec![status]);
    let visibilities = if *public { vec![Visibility::Public] } else { Visibility::ALL.to_vec() };
    let before = before.unwrap_or(GameKey(i64::MAX));
    let (least, before) = only.map_or((GameKey(0), before), |only| (only, before.min(GameKey(only.0 + 1))));
    let free = Int(seats_free.unwrap_or(0).into());
    let mut values: Vec<Owned> =
        vec![Box::new(before), Box::new(i64::from(*limit)), Box::new(least), Box::new(free)];
    let (table, game, clocks) = match player {
        Some(player) => {
            values.push(Box::new(*player));
            ("seat WHERE player = $5 AND", "game", [""].as_slice())
        }
        None => match has_clock {
            None => ("game WHERE", "id", [" AND NOT has_clock", " AND has_clock"].as_slice()),
            Some(false) => ("game WHERE", "id", [" AND NOT has_clock"].as_slice()),
            Some(true) => ("game WHERE", "id", [" AND has_clock"].as_slice()),
        },
    };
    let mut pieces = Vec::new();
    for status in &statuses {
        for ruleset in rulesets {
            for visibility in &visibilities {
                values.push(Box::new(status.word()));
                values.push(Box::new(ruleset.clone()));
                values.push(Box::new(*visibility));
                let last = values.len();
                for clock in clocks {
                    pieces.push(format!(
                        "SELECT {game} AS id FROM {table} status = ${} AND ruleset = ${} AND visibility = ${last}{clock}
                         AND {game} >= $3 AND {game} < $1 ORDER BY {game} DESC",
                        last - 2,
                        last - 1,
                    ));
                }
            }
        }
    }
    if pieces.is_empty() {
        return None;
    }
    let newest = filter.newest(&pieces, "$2", "$4::int4");
    let query = format!(
        "SELECT {COLUMNS} FROM game WHERE $4::int4 IS NOT NULL AND id IN ({newest}) ORDER BY id DESC"
    );
    Some((query, values))
}

impl GameStore for Postgres {
    fn new_game_key(&self) -> GameKey {
        GameKey(self.numbers.next())
    }

    async fn games_of_machines(&self) -> Result<Vec<(Uuid, PlayerKey)>, StoreError> {
        let query = sql::GAMES_OF_BOTS.postgres;
        self.all(query, &[], |row| Ok((get(row, 0)?, get(row, 1)?))).await
    }

    async fn opening(&self, uuid: Uuid) -> Result<Option<Opening>, StoreError> {
        for _ in 0..TRIES {
            if let Ok(opening) = again!(self.reader(), link => whole_game(&link, uuid).await)? {
                return Ok(opening);
            }
        }
        Err(StoreError::Busy)
    }

    async fn games(&self, filter: GameFilter) -> Result<Vec<Listed>, StoreError> {
        self.list(&filter).await
    }

    async fn game_key(&self, uuid: Uuid) -> Result<Option<GameKey>, StoreError> {
        self.key_of(uuid).await
    }

    async fn invited_to(&self, invite: &str) -> Result<Option<Uuid>, StoreError> {
        self.by_text(sql::GAME_BY_INVITE.postgres, invite, |row| get(row, 0)).await
    }

    async fn rematch(&self, game: GameKey) -> Result<Option<Uuid>, StoreError> {
        self.rematch_of(game).await
    }

    async fn seat_of(&self, game: GameKey, player: PlayerKey) -> Result<Option<u8>, StoreError> {
        let query = sql::SEAT_OF_PLAYER.postgres;
        self.one(query, &[&game, &player], |row| get(row, 0)).await
    }

    async fn seats(&self, game: GameKey) -> Result<Vec<SeatRow>, StoreError> {
        self.all(SEATS, &[&vec![game.0]], seat).await
    }

    async fn active_games(&self, player: PlayerKey) -> Result<u32, StoreError> {
        let query = sql::COUNT_ACTIVE_GAMES.postgres;
        self.count(query, &[&player]).await
    }

    async fn games_begun(&self, player: PlayerKey, since: u64, most: u32) -> Result<u32, StoreError> {
        let query = "SELECT count(*) FROM
            (SELECT 1 FROM game WHERE creator = $1 AND created_at > $2 LIMIT $3) AS begun";
        self.count(query, &[&player, &whole(since), &Int(most.into())]).await
    }

    async fn open_since_before(&self, at: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        let query = sql::OPEN_GAMES_BEFORE.postgres;
        self.all(query, &[&whole(at), &Int(limit.into())], |row| get(row, 0)).await
    }

    async fn due(&self, now: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        let hold = "UPDATE due SET held_until = $3 FROM game WHERE game.id = due.game AND due.game IN (
                SELECT game FROM due WHERE at <= $1 AND held_until <= $2
                ORDER BY at LIMIT $4 FOR UPDATE SKIP LOCKED)
            RETURNING game.uuid";
        // A clock that was set would end the time of many games.
        self.health.ready()?;
        let at = self.at();
        let values: [Value<'_>; 4] = [&whole(now), &at, &(at + HELD_MS), &i64::from(limit)];
        self.all(hold, &values, |row| get(row, 0)).await
    }

    async fn has_games(&self) -> Result<bool, StoreError> {
        self.is(sql::HAS_GAMES.postgres, &[]).await
    }
}
