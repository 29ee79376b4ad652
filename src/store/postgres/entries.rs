//! Entries of the log.

use tokio_postgres::Row;

use super::{
    Postgres,
    batcher::{Batched, place},
    columns::{Int, get, opt, whole},
    link::PooledLine,
};
use crate::store::{
    CachedVersion, ChangedGame, Entry, Freshness, GameKey, LogPosition, Newest, PeerNews, PlayerKey,
    StoreError, Touched, traits::LogStore,
};

/// How much older than a known entry an unknown one may be: writes have a time limit, and clocks differ by at
/// most a second.
pub const WINDOW_MS: i64 = 30_000;
/// Older entries were announced.
pub const LATELY_MS: i64 = 12_000;

/// Games with recent entries.
const RECENT: &str = "SELECT game.uuid, min(log.seq), max(log.seq)
    FROM log JOIN game ON game.id = log.game WHERE log.at >= $1 GROUP BY game.uuid";

pub fn entry(row: &Row, first: usize) -> Result<Entry, StoreError> {
    Ok(Entry {
        seq: get(row, first)?,
        x: get(row, first + 1)?,
        head: get(row, first + 2)?,
        body: get(row, first + 3)?,
        secret: opt(row, first + 4)?,
        is_landmark: get(row, first + 5)?,
    })
}

/// Fails if an entry is missing.
pub fn without_gap(game: GameKey, first: u64, entries: Vec<Entry>) -> Result<Vec<Entry>, StoreError> {
    match entries.iter().zip(first..).find(|(entry, seq)| entry.seq != *seq) {
        None => Ok(entries),
        Some((entry, seq)) => {
            let found = entry.seq;
            Err(StoreError::Corrupt(format!("game {} has entry {found} where {seq} belongs", game.0)))
        }
    }
}

/// Entries of a game in one answer: few enough for an index range. The others are requested separately.
const A_LOOK: usize = 32;

/// Returns the newest known entry of each game, whose head must match, and all later entries.
impl Batched for CachedVersion {
    type Answer = (Freshness, i64);

    async fn ask(line: &PooledLine, questions: &[Self]) -> Result<Vec<Self::Answer>, StoreError> {
        let (games, seqs): (Vec<i64>, Vec<i64>) =
            questions.iter().map(|known| (known.game.0, known.newest.seq.cast_signed())).unzip();
        let query = format!(
            "SELECT asked.place, game.beside, (SELECT hooks FROM ledger), l.at, l.seq, l.x, l.head, l.body, l.secret, l.landmark
            FROM unnest($1::int8[], $2::int8[]) WITH ORDINALITY AS asked (game, seq, place)
            JOIN game ON game.id = asked.game
            CROSS JOIN LATERAL (
                SELECT at, seq, x, head, CASE WHEN log.seq > asked.seq THEN body ELSE '' END AS body, secret, landmark
                FROM log WHERE log.game = asked.game AND log.seq >= asked.seq ORDER BY log.seq LIMIT {A_LOOK}
            ) AS l ORDER BY asked.place, l.seq"
        );
        let mut answers: Vec<Self::Answer> = questions.iter().map(|_| (Freshness::Lost, 0)).collect();
        for row in line.query(&query, &[&games, &seqs]).await? {
            let place = place(&row, 0)?;
            let (Some(known), Some(answer)) = (questions.get(place), answers.get_mut(place)) else {
                continue;
            };
            let (beside, at, entry) = (get::<u64>(&row, 1)?, get(&row, 3)?, entry(&row, 4)?);
            answer.1 = get(&row, 2)?;
            match &mut answer.0 {
                Freshness::Lost if entry.seq == known.newest.seq && entry.head == known.newest.head => {
                    answer.0 = if beside == known.beside { Freshness::Same } else { Freshness::Otherwise };
                }
                Freshness::Same => {
                    answer.0 = Freshness::Further(vec![PeerNews { at: LogPosition::Moment(at), entry }]);
                }
                Freshness::Further(news) => news.push(PeerNews { at: LogPosition::Moment(at), entry }),
                Freshness::Lost | Freshness::Otherwise => {}
            }
        }
        for (known, (seen, _)) in questions.iter().zip(&mut answers) {
            if let Freshness::Further(news) = seen
                && news.len() + 1 == A_LOOK
            {
                news.extend(rest(line, known.game, news.last()).await?);
            }
        }
        Ok(answers)
    }
}

/// Returns the entries of a game after `last`.
async fn rest(
    line: &PooledLine,
    game: GameKey,
    last: Option<&PeerNews>,
) -> Result<Vec<PeerNews>, StoreError> {
    let after = last.map_or(0, |news| news.entry.seq);
    let query =
        "SELECT at, seq, x, head, body, secret, landmark FROM log WHERE game = $1 AND seq > $2 ORDER BY seq";
    let rows = line.query(query, &[&game, &whole(after)]).await?;
    rows.iter()
        .map(|row| Ok(PeerNews { at: LogPosition::Moment(get(row, 0)?), entry: entry(row, 1)? }))
        .collect()
}

impl Postgres {
    /// Returns the games with entries since a time, and the range of these entries.
    pub async fn moved_since(&self, at: i64) -> Result<Vec<ChangedGame>, StoreError> {
        let moved =
            |row: &Row| Ok(ChangedGame { game: get(row, 0)?, first: get(row, 1)?, last: get(row, 2)? });
        self.all(RECENT, &[&at], moved).await
    }
}

impl LogStore for Postgres {
    async fn entries(&self, game: GameKey, first: u64, most: u64) -> Result<Vec<Entry>, StoreError> {
        let query = "SELECT seq, x, head, body, secret, landmark FROM log WHERE game = $1 AND seq >= $2 ORDER BY seq LIMIT $3";
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let found = self.all(query, &[&game, &whole(first), &most], |row| entry(row, 0)).await?;
        without_gap(game, first, found)
    }

    async fn newest_entry(&self, game: GameKey) -> Result<Option<Newest>, StoreError> {
        let query = "SELECT seq, head FROM log WHERE game = $1 ORDER BY seq DESC LIMIT 1";
        self.one(query, &[&game], |row| Ok(Newest { seq: get(row, 0)?, head: get(row, 1)? })).await
    }

    async fn newest_place(&self) -> Result<LogPosition, StoreError> {
        // The index is in ascending order; the newest time is needed only at the start.
        let query = "SELECT coalesce(max(at), 0) FROM log WHERE at >= $1";
        let lately = self.at() - WINDOW_MS;
        let newest: Option<i64> = self.one(query, &[&lately], |row| get(row, 0)).await?;
        Ok(LogPosition::Moment(newest.unwrap_or_default().max(lately)))
    }

    async fn touched_since(
        &self,
        player: PlayerKey,
        place: LogPosition,
    ) -> Result<Option<Vec<Touched>>, StoreError> {
        let LogPosition::Moment(at) = place else { return Ok(None) };
        let query = "SELECT game.id, game.uuid, log.seq, log.at
            FROM seat JOIN game ON game.id = seat.game JOIN log ON log.game = game.id
            WHERE seat.player = $1 AND log.at >= $2
            ORDER BY game.id, log.seq LIMIT $3";
        let after = at - WINDOW_MS;
        let mut touched: Vec<Touched> = Vec::new();
        for row in self.rows(query, &[&player, &after, &Int(8_192)]).await? {
            let (key, seq, at) = (get(&row, 0)?, get(&row, 2)?, LogPosition::Moment(get(&row, 3)?));
            match touched.last_mut().filter(|last| last.key == key) {
                Some(last) => last.places.push(at),
                None => touched.push(Touched { key, uuid: get(&row, 1)?, first: seq, places: vec![at] }),
            }
        }
        Ok(Some(touched))
    }
}
