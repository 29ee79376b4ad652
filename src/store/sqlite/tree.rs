//! The public tree.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, ToSql, params};

use super::{Reads, Sqlite, columns::Whole};
use crate::store::{
    GameKey, HashRange, LeafRow, NodeRow, PinnedRow, StoreError, TreeChange, TreeKey, TreeRow, Unpinned, sql,
    traits::TreeStore,
};

impl Reads {
    pub fn tree(&self) -> Result<Option<TreeRow>, StoreError> {
        self.readers.read(state)
    }

    pub fn stretch(&self, HashRange { level, first, count }: HashRange) -> Result<Vec<[u8; 32]>, StoreError> {
        let query = match level {
            0 => "SELECT head FROM leaf WHERE ?1 = 0 AND id BETWEEN ?2 AND ?3 ORDER BY id",
            _ => sql::NODES_OF_LEVEL.sqlite,
        };
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(query)?;
            let last = first.saturating_add(count).saturating_sub(1);
            let mut rows = query.query(params![level, Whole(first), Whole(last)])?;
            let mut hashes = Vec::with_capacity(256);
            while let Some(row) = rows.next()? {
                hashes.push(row.get(0)?);
            }
            Ok(hashes)
        })
    }

    /// Returns the heads that are new since the last growth; all heads, if there is no tree.
    pub fn unpinned(&self) -> Result<Unpinned, StoreError> {
        self.readers.snapshot(|connection| {
            let upto = state(connection)?.map_or(0, |tree| tree.upto);
            in_log(connection, upto)
        })
    }
}

fn state(connection: &Connection) -> Result<Option<TreeRow>, StoreError> {
    let mut query = connection.prepare_cached(sql::TREE.sqlite)?;
    let state = query.query_row([], |row| {
        let (Whole(size), Whole(published), Whole(pinned)) = (row.get(0)?, row.get(3)?, row.get(4)?);
        let note: Option<String> = row.get(2)?;
        Ok(TreeRow { size, upto: row.get(1)?, published: note.map(|note| (published, note)), pinned })
    });
    Ok(state.optional()?)
}

/// Returns the last row that the tree does not need; all rows without a tree.
pub fn taken_upto(connection: &Connection) -> Result<i64, StoreError> {
    Ok(state(connection)?.map_or(i64::MAX, |tree| tree.upto))
}

/// Returns the heads after a row: each landmark, and the newest head of every game.
fn in_log(snapshot: &Connection, after: i64) -> Result<Unpinned, StoreError> {
    let mut query =
        snapshot.prepare_cached("SELECT id, game, seq, head, landmark FROM log WHERE id > ?1 ORDER BY id")?;
    let mut rows = query.query([after])?;
    let (mut heads, mut newest, mut upto) = (Vec::new(), HashMap::new(), after);
    while let Some(row) = rows.next()? {
        let (place, game, Whole(seq)) = (row.get(0)?, row.get(1)?, row.get(2)?);
        upto = place;
        let head = LeafRow { game, seq, head: row.get(3)? };
        if row.get(4)? {
            heads.push((place, head));
            newest.remove(&game);
        } else {
            newest.insert(game, (place, head));
        }
    }
    heads.extend(newest.into_values());
    heads.sort_unstable_by_key(|(place, _)| *place);
    Ok(Unpinned { heads, upto })
}

pub fn apply(connection: &Connection, change: &TreeChange) -> Result<(), StoreError> {
    match change {
        TreeChange::Name(TreeKey { origin, key, since }) => {
            let statement = "INSERT INTO tree_key (origin, key, since) VALUES (?1, ?2, ?3)";
            connection.execute(statement, params![origin, key, Whole(*since)])?;
            Ok(())
        }
        TreeChange::Grow { size, leaves, nodes, after, upto } => {
            refuse_other(connection, *size, *after)?;
            grow(connection, *size, leaves, nodes, *upto)
        }
        TreeChange::Publish { size, note } => {
            let statement = sql::PUBLISH_TREE.sqlite;
            update(connection, statement, params![Whole(*size), note])
        }
        TreeChange::Pin { upto } => pin(connection, *upto),
    }
}

/// Fails if another server has grown the tree meanwhile.
fn refuse_other(connection: &Connection, size: u64, after: i64) -> Result<(), StoreError> {
    let TreeRow { size: actual, upto, .. } = state(connection)?.unwrap_or_default();
    if (actual, upto) == (size, after) {
        Ok(())
    } else {
        Err(StoreError::Conflict { expected: size, actual })
    }
}

fn grow(
    connection: &Connection,
    size: u64,
    leaves: &[LeafRow],
    nodes: &[NodeRow],
    upto: i64,
) -> Result<(), StoreError> {
    let mut insert =
        connection.prepare_cached("INSERT INTO leaf (id, game, seq, head) VALUES (?1, ?2, ?3, ?4)")?;
    for (place, LeafRow { game, seq, head }) in (size..).zip(leaves) {
        insert.execute(params![Whole(place), game, Whole(*seq), head])?;
    }
    let mut insert =
        connection.prepare_cached("INSERT INTO tree_node (level, place, hash) VALUES (?1, ?2, ?3)")?;
    for NodeRow { level, place, hash } in nodes {
        insert.execute(params![level, Whole(*place), hash])?;
    }
    let statement = "INSERT INTO tree (one, size, upto) VALUES (1, ?1, ?2)
        ON CONFLICT (one) DO UPDATE SET size = ?1, upto = ?2";
    connection.prepare_cached(statement)?.execute(params![Whole(size + leaves.len() as u64), upto])?;
    Ok(())
}

/// Notes the newest leaf of each game; its later entries follow it.
fn pin(connection: &Connection, upto: u64) -> Result<(), StoreError> {
    let statement = "INSERT INTO pinned (game, seq, leaf)
        SELECT game, seq, id FROM leaf WHERE id >= (SELECT pinned FROM tree) AND id < ?1 ORDER BY id
        ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, leaf = excluded.leaf";
    connection.prepare_cached(statement)?.execute([Whole(upto)])?;
    update(connection, "UPDATE tree SET pinned = ?1 WHERE published >= ?1", params![Whole(upto)])
}

fn update(connection: &Connection, statement: &str, values: &[&dyn ToSql]) -> Result<(), StoreError> {
    match connection.prepare_cached(statement)?.execute(values)? {
        1 => Ok(()),
        _ => Err(StoreError::Contradiction("the tree has no such leaves".into())),
    }
}

impl TreeStore for Sqlite {
    async fn tree(&self) -> Result<Option<TreeRow>, StoreError> {
        self.reads.tree()
    }

    async fn tree_keys(&self) -> Result<Vec<TreeKey>, StoreError> {
        self.reads.readers.read(|connection| {
            let mut query = connection.prepare(sql::TREE_KEYS.sqlite)?;
            let keys = query.query_map([], |row| {
                let Whole(since) = row.get(2)?;
                Ok(TreeKey { origin: row.get(0)?, key: row.get(1)?, since })
            })?;
            Ok(keys.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn unpinned(&self) -> Result<Unpinned, StoreError> {
        self.read_aside(Reads::unpinned).await
    }

    async fn stretches(&self, wanted: Vec<HashRange>) -> Result<Vec<Vec<[u8; 32]>>, StoreError> {
        self.read_aside(move |reads| wanted.into_iter().map(|one| reads.stretch(one)).collect()).await
    }

    async fn pinned(&self, game: GameKey) -> Result<Option<PinnedRow>, StoreError> {
        self.reads.readers.read(|connection| {
            let query = sql::PINNED_OF_GAME.sqlite;
            let mut query = connection.prepare_cached(query)?;
            let pinned = query.query_row([game], |row| {
                let (Whole(seq), Whole(leaf)) = (row.get(0)?, row.get(1)?);
                Ok(PinnedRow { seq, leaf, head: row.get(2)? })
            });
            Ok(pinned.optional()?)
        })
    }
}
