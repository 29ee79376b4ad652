//! A whole database, for checks.

use uuid::Uuid;

use super::{
    Postgres,
    columns::{get, opt},
};
use crate::store::{Leaf, StoreError};

/// Games of one page.
const PAGE: i64 = 500;

impl Postgres {
    /// Returns a page of games, oldest first, with their leaves in the public tree, and the last of them.
    pub async fn games_with_leaves(
        &self,
        after: i64,
    ) -> Result<Option<(Vec<(Uuid, Vec<Leaf>)>, i64)>, StoreError> {
        let query = "SELECT page.id, page.uuid, leaf.id, leaf.seq, leaf.head
            FROM (SELECT id, uuid FROM game WHERE id > $1 ORDER BY id LIMIT $2) AS page
            LEFT JOIN leaf ON leaf.game = page.id ORDER BY page.id, leaf.id";
        let (mut games, mut last) = (Vec::<(Uuid, Vec<Leaf>)>::new(), after);
        for row in self.rows(query, &[&after, &PAGE]).await? {
            let (key, game): (i64, Uuid) = (get(&row, 0)?, get(&row, 1)?);
            if key != last {
                games.push((game, Vec::new()));
                last = key;
            }
            if let (Some(place), Some((_, leaves))) = (opt(&row, 2)?, games.last_mut()) {
                leaves.push(Leaf { place, seq: get(&row, 3)?, head: get(&row, 4)? });
            }
        }
        Ok((!games.is_empty()).then_some((games, last)))
    }

    /// Returns the number of entries.
    pub async fn count_entries(&self) -> Result<u64, StoreError> {
        self.value("SELECT count(*) FROM log", &[]).await
    }
}
