//! Notes and messages.

use std::sync::atomic::Ordering;

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use uuid::Uuid;

use super::{
    Reads, Sqlite,
    columns::{Whole, nature},
};
use crate::store::{
    GameKey, HeardRow, Hearing, MessageRow, NoteRow, PlayerKey, StoreError, TalkChange, sql,
    traits::TalkStore,
};

pub fn apply(connection: &Connection, change: &TalkChange) -> Result<(), StoreError> {
    match change {
        TalkChange::SetNote { game, player, note } if note.text.is_empty() => {
            let mut delete = connection.prepare_cached(sql::DELETE_NOTE.sqlite)?;
            delete.execute(params![game, player])?;
        }
        TalkChange::SetNote { game, player, note: NoteRow { text, seq, at } } => {
            let statement =
                "INSERT OR REPLACE INTO note (game, player, text, seq, at) VALUES (?1, ?2, ?3, ?4, ?5)";
            let mut insert = connection.prepare_cached(statement)?;
            insert.execute(params![game, player, text, Whole(*seq), Whole(*at)])?;
        }
        TalkChange::AddMessage { game, message: MessageRow { id, seat, player, text, at } } => {
            let statement =
                "INSERT INTO message (id, game, seat, player, text, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            connection.prepare_cached(statement)?.execute(params![
                id,
                game,
                seat,
                player,
                text,
                Whole(*at)
            ])?;
        }
        TalkChange::Mute { game, player, muted, is_muted } => {
            let statement = if *is_muted {
                "INSERT OR IGNORE INTO mute (game, player, muted) VALUES (?1, ?2, ?3)"
            } else {
                sql::DELETE_MUTE.sqlite
            };
            connection.prepare_cached(statement)?.execute(params![game, player, muted])?;
        }
    }
    Ok(())
}

fn heard(row: &Row) -> rusqlite::Result<HeardRow> {
    let Whole(at) = row.get(4)?;
    let message =
        MessageRow { id: row.get(0)?, seat: row.get(1)?, player: row.get(2)?, text: row.get(3)?, at };
    Ok(HeardRow {
        message,
        speaker: Uuid::from_bytes(row.get(5)?),
        name: row.get(6)?,
        nature: nature(row, 7)?,
    })
}

impl Reads {
    pub fn note(&self, game: GameKey, player: PlayerKey) -> Result<Option<NoteRow>, StoreError> {
        self.readers.read(|connection| {
            let query = sql::NOTE_OF_PLAYER.sqlite;
            let note = |row: &Row| {
                let (Whole(seq), Whole(at)) = (row.get(1)?, row.get(2)?);
                Ok(NoteRow { text: row.get(0)?, seq, at })
            };
            Ok(connection.prepare_cached(query)?.query_row(params![game, player], note).optional()?)
        })
    }

    /// Returns the messages after an id, without those of muted players.
    pub fn messages(&self, hearing: Hearing, after: i64, limit: u32) -> Result<Vec<HeardRow>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(sql::MESSAGES_AFTER.sqlite)?;
            let rows = query.query_map(params![hearing.game, hearing.listener, after, limit], heard)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}

impl TalkStore for Sqlite {
    fn new_message_id(&self) -> i64 {
        self.next_message.fetch_add(1, Ordering::Relaxed)
    }

    async fn note(&self, game: GameKey, player: PlayerKey) -> Result<Option<NoteRow>, StoreError> {
        self.reads.note(game, player)
    }

    async fn messages(&self, hearing: Hearing, after: i64, limit: u32) -> Result<Vec<HeardRow>, StoreError> {
        self.read_aside(move |reads| reads.messages(hearing, after, limit)).await
    }

    async fn count_messages(&self, game: GameKey, most: u32) -> Result<u32, StoreError> {
        self.reads.readers.read(|connection| {
            let query = "SELECT count(*) FROM (SELECT 1 FROM message WHERE game = ?1 LIMIT ?2)";
            Ok(connection.prepare_cached(query)?.query_row(params![game, most], |row| row.get(0))?)
        })
    }

    async fn mutes(&self, game: GameKey) -> Result<Vec<(PlayerKey, PlayerKey)>, StoreError> {
        self.reads.readers.read(|connection| {
            let mut query = connection.prepare_cached(sql::MUTES_OF_GAME.sqlite)?;
            let rows = query.query_map([game], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}
