//! Seats that are offered to another player.

use tokio_postgres::Row;

use super::{
    Postgres,
    columns::{Int, get, nature, opt},
    link::Fail,
    transaction::Transaction,
};
use crate::store::{
    GameKey, StoreError, SubstitutionChange, SubstitutionRow, sql, traits::SubstitutionStore,
};

pub async fn apply(transaction: &Transaction<'_>, change: &SubstitutionChange) -> Result<(), Fail> {
    match change {
        SubstitutionChange::Offer { game, seat, player, id, code } => {
            let offer =
                "INSERT INTO substitution (game, seat, player, uuid, code) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (game, seat) DO UPDATE SET player = excluded.player, uuid = excluded.uuid,
                    code = excluded.code, asker = NULL, taken = NULL";
            transaction.run(offer, &[game, &Int((*seat).into()), player, id, code]).await.map(|_| ())
        }
        SubstitutionChange::Ask { id, asker, taken, before } => {
            let ask = "UPDATE substitution SET asker = $2, taken = $3 WHERE uuid = $1 AND asker IS NOT DISTINCT FROM $4";
            transaction.unless_gone(ask, &[id, asker, taken, before]).await
        }
        SubstitutionChange::Withdraw { game, seat } => {
            let withdraw = sql::DELETE_SUBSTITUTION.postgres;
            transaction.run(withdraw, &[game, &Int((*seat).into())]).await.map(|_| ())
        }
    }
}

const QUERY: &str = sql::SUBSTITUTIONS.postgres;

fn row(row: &Row) -> Result<SubstitutionRow, StoreError> {
    Ok(SubstitutionRow {
        id: get(row, 0)?,
        code: get(row, 1)?,
        game: get(row, 2)?,
        seat: get(row, 3)?,
        player: get(row, 4)?,
        asker: opt(row, 5)?.zip(opt(row, 6)?),
        asker_name: opt(row, 7)?,
        taken: opt(row, 8)?,
        asker_nature: nature(row, 9)?,
    })
}

impl SubstitutionStore for Postgres {
    async fn substitution_by_code(&self, code: &str) -> Result<Option<SubstitutionRow>, StoreError> {
        self.by_text(&format!("{QUERY} WHERE code = $1"), code, row).await
    }

    async fn substitution(&self, game: GameKey, seat: u8) -> Result<Option<SubstitutionRow>, StoreError> {
        let query = format!("{QUERY} WHERE substitution.game = $1 AND seat = $2");
        self.one(&query, &[&game, &Int(seat.into())], row).await
    }
}
