//! The public tree over all games, written.

use super::{
    columns::{Int, get, whole},
    link::{Fail, Value},
    transaction::Transaction,
};
use crate::store::{LeafRow, NodeRow, StoreError, TreeChange, TreeKey};

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
            let publish = "UPDATE tree SET note = $2, published = $1 WHERE size >= $1";
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

/// What another node has let grow meanwhile would stand twice.
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
