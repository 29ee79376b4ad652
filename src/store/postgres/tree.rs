//! The public tree over all games, read back.

use std::collections::HashMap;

use tokio_postgres::Row;

use super::{
    Postgres,
    columns::{Int, get, opt, whole},
    entries::WINDOW_MS,
};
use crate::store::{GameKey, LeafRow, PinnedRow, StoreError, Stretch, TreeKey, TreeRow, Unpinned};

/// How many entries are looked through at once.
const PAGE: i64 = 4_096;

fn state(row: &Row) -> Result<TreeRow, StoreError> {
    let published =
        opt::<String>(row, 2)?.map(|note| Ok::<_, StoreError>((get(row, 3)?, note))).transpose()?;
    Ok(TreeRow { size: get(row, 0)?, upto: get(row, 1)?, published, pinned: get(row, 4)? })
}

impl Postgres {
    pub async fn tree_row(&self) -> Result<Option<TreeRow>, StoreError> {
        self.one("SELECT size, upto, note, published, pinned FROM tree", &[], state).await
    }

    pub async fn names_of_tree(&self) -> Result<Vec<TreeKey>, StoreError> {
        let query = "SELECT origin, key, since FROM tree_key ORDER BY id DESC";
        let key = |row: &Row| Ok(TreeKey { origin: get(row, 0)?, key: get(row, 1)?, since: get(row, 2)? });
        self.all(query, &[], key).await
    }

    pub async fn stretch(
        &self,
        Stretch { level, first, count }: Stretch,
    ) -> Result<Vec<[u8; 32]>, StoreError> {
        let query = match level {
            0 => "SELECT head FROM leaf WHERE $1::int4 = 0 AND id BETWEEN $2 AND $3 ORDER BY id",
            _ => "SELECT hash FROM tree_node WHERE level = $1 AND place BETWEEN $2 AND $3 ORDER BY place",
        };
        let last = first.saturating_add(count).saturating_sub(1);
        self.all(query, &[&Int(level.into()), &whole(first), &whole(last)], |row| get(row, 0)).await
    }

    pub async fn pinned_of(&self, game: GameKey) -> Result<Option<PinnedRow>, StoreError> {
        let query =
            "SELECT pinned.seq, leaf, head FROM pinned JOIN leaf ON leaf.id = leaf WHERE pinned.game = $1";
        let pinned = |row: &Row| Ok(PinnedRow { seq: get(row, 0)?, leaf: get(row, 1)?, head: get(row, 2)? });
        self.one(query, &[&game], pinned).await
    }

    /// What is new since the tree has grown last. Entries may come to be seen a little later than others that
    /// were written after them, so that some are looked at twice: those count that stand behind the last leaf
    /// of their game.
    pub async fn behind_the_tree(&self) -> Result<Unpinned, StoreError> {
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
}
