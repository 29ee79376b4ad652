//! The public tree.

use std::collections::HashMap;

use tokio_postgres::Row;

use super::{
    Postgres,
    columns::{Int, get, opt, whole},
    entries::WINDOW_MS,
    link::{Fail, Value},
    transaction::Transaction,
};
use crate::store::{
    GameKey, HashRange, LeafRow, NodeRow, PinnedRow, StoreError, TreeChange, TreeKey, TreeRow, Unpinned, sql,
    traits::TreeStore,
};

pub async fn apply(transaction: &Transaction<'_>, change: &TreeChange) -> Result<(), Fail> {
    match change {
        TreeChange::Name(TreeKey { origin, key, since }) => {
            let name = "INSERT INTO tree_key (id, origin, key, since)
                SELECT coalesce(max(id), 0) + 1, $1, $2, $3 FROM tree_key";
            transaction.run(name, &[origin, key, &whole(*since)]).await.map(|_| ())
        }
        TreeChange::Grow { size, leaves, nodes, after, upto } => {
            refuse_other(transaction, *size, *after).await?;
            grow(transaction, *size, leaves, nodes, *upto).await
        }
        TreeChange::Publish { size, note } => {
            let publish = sql::PUBLISH_TREE.postgres;
            transaction.must(publish, &[&whole(*size), note], "the tree has no such leaves").await
        }
        TreeChange::Pin { upto } => {
            let pin = "INSERT INTO pinned (game, seq, leaf)
                SELECT DISTINCT ON (game) game, seq, id FROM leaf
                WHERE id >= (SELECT pinned FROM tree) AND id < $1 ORDER BY game, id DESC
                ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, leaf = excluded.leaf
                WHERE pinned.leaf < excluded.leaf";
            transaction.run(pin, &[&whole(*upto)]).await?;
            let note = "UPDATE tree SET pinned = greatest(pinned, $1) WHERE published >= $1";
            transaction.must(note, &[&whole(*upto)], "the tree has no such leaves").await
        }
    }
}

/// Fails if another server has grown the tree meanwhile.
async fn refuse_other(transaction: &Transaction<'_>, size: u64, after: i64) -> Result<(), Fail> {
    let found = transaction.link.query("SELECT size, upto FROM tree FOR UPDATE", &[]).await?;
    let (actual, upto) = match found.first() {
        Some(row) => (get::<u64>(row, 0)?, get::<i64>(row, 1)?),
        None => (0, 0),
    };
    if (actual, upto) == (size, after) {
        Ok(())
    } else {
        Err(StoreError::Conflict { expected: size, actual }.into())
    }
}

async fn grow(
    transaction: &Transaction<'_>,
    size: u64,
    leaves: &[LeafRow],
    nodes: &[NodeRow],
    upto: i64,
) -> Result<(), Fail> {
    let places: Vec<i64> = (size..).map(u64::cast_signed).take(leaves.len()).collect();
    let games: Vec<i64> = leaves.iter().map(|leaf| leaf.game.0).collect();
    let seqs: Vec<i64> = leaves.iter().map(|leaf| leaf.seq.cast_signed()).collect();
    let heads: Vec<&[u8]> = leaves.iter().map(|leaf| &leaf.head[..]).collect();
    let add = "INSERT INTO leaf (id, game, seq, head) SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::bytea[])";
    transaction.run(add, &[&places, &games, &seqs, &heads]).await?;
    let levels: Vec<i64> = nodes.iter().map(|node| node.level.into()).collect();
    let places: Vec<i64> = nodes.iter().map(|node| node.place.cast_signed()).collect();
    let hashes: Vec<&[u8]> = nodes.iter().map(|node| &node.hash[..]).collect();
    let add = "INSERT INTO tree_node (level, place, hash) SELECT * FROM unnest($1::int8[], $2::int8[], $3::bytea[])";
    transaction.run(add, &[&levels, &places, &hashes]).await?;
    let note = "INSERT INTO tree (one, size, upto) VALUES ($3, $1, $2)
        ON CONFLICT (one) DO UPDATE SET size = excluded.size, upto = excluded.upto";
    let values: [Value<'_>; 3] = [&whole(size + leaves.len() as u64), &upto, &Int(1)];
    transaction.run(note, &values).await.map(|_| ())
}

/// Entries that are read at once.
const PAGE: i64 = 4_096;

fn state(row: &Row) -> Result<TreeRow, StoreError> {
    let published =
        opt::<String>(row, 2)?.map(|note| Ok::<_, StoreError>((get(row, 3)?, note))).transpose()?;
    Ok(TreeRow { size: get(row, 0)?, upto: get(row, 1)?, published, pinned: get(row, 4)? })
}

impl Postgres {
    pub async fn tree_row(&self) -> Result<Option<TreeRow>, StoreError> {
        self.one(sql::TREE.postgres, &[], state).await
    }

    pub async fn stretch(
        &self,
        HashRange { level, first, count }: HashRange,
    ) -> Result<Vec<[u8; 32]>, StoreError> {
        let query = match level {
            0 => "SELECT head FROM leaf WHERE $1::int4 = 0 AND id BETWEEN $2 AND $3 ORDER BY id",
            _ => sql::NODES_OF_LEVEL.postgres,
        };
        let last = first.saturating_add(count).saturating_sub(1);
        self.all(query, &[&Int(level.into()), &whole(first), &whole(last)], |row| get(row, 0)).await
    }
}

impl TreeStore for Postgres {
    async fn tree(&self) -> Result<Option<TreeRow>, StoreError> {
        self.tree_row().await
    }

    async fn tree_keys(&self) -> Result<Vec<TreeKey>, StoreError> {
        let query = sql::TREE_KEYS.postgres;
        let key = |row: &Row| Ok(TreeKey { origin: get(row, 0)?, key: get(row, 1)?, since: get(row, 2)? });
        self.all(query, &[], key).await
    }

    async fn unpinned(&self) -> Result<Unpinned, StoreError> {
        let upto = self.tree_row().await?.map_or(0, |tree| tree.upto);
        let query = "SELECT at, log.game, log.seq, log.head, landmark FROM log
            WHERE at >= $1 AND (at, log.game, log.seq) > ($2, $3, $4)
              AND log.seq > coalesce((SELECT max(leaf.seq) FROM leaf WHERE leaf.game = log.game), -1)
            ORDER BY at, log.game, log.seq LIMIT $5";
        let (mut heads, mut newest) = (Vec::new(), HashMap::new());
        let since = upto.saturating_sub(WINDOW_MS);
        let mut last = (since, -1_i64, -1_i64);
        loop {
            let rows = self.rows(query, &[&since, &last.0, &last.1, &Int(last.2), &PAGE]).await?;
            for row in &rows {
                let (at, game, seq) = (get(row, 0)?, get::<GameKey>(row, 1)?, get::<u64>(row, 2)?);
                last = (at, game.0, seq.cast_signed());
                let head = LeafRow { game, seq, head: get(row, 3)? };
                if get(row, 4)? {
                    heads.push((at, head));
                    newest.remove(&game);
                } else {
                    newest.insert(game, (at, head));
                }
            }
            if rows.len() < usize::try_from(PAGE).unwrap_or(usize::MAX) {
                break;
            }
        }
        heads.extend(newest.into_values());
        heads.sort_unstable_by_key(|(at, head)| (*at, head.game, head.seq));
        Ok(Unpinned { heads, upto: upto.max(last.0) })
    }

    async fn stretches(&self, wanted: Vec<HashRange>) -> Result<Vec<Vec<[u8; 32]>>, StoreError> {
        futures_util::future::try_join_all(wanted.into_iter().map(|one| self.stretch(one))).await
    }

    async fn pinned(&self, game: GameKey) -> Result<Option<PinnedRow>, StoreError> {
        let query = sql::PINNED_OF_GAME.postgres;
        let pinned = |row: &Row| Ok(PinnedRow { seq: get(row, 0)?, leaf: get(row, 1)?, head: get(row, 2)? });
        self.one(query, &[&game], pinned).await
    }
}
