//! Explorations.

use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    Postgres,
    columns::Int,
    columns::{get, opt, whole},
    link::{Fail, Value},
    transaction::Transaction,
};
use crate::store::{
    Change, ExplorationChange, ExplorationRow, StoreError, Write, exploration, sql,
    traits::{Database as _, ExplorationStore},
};

pub async fn apply(transaction: &Transaction<'_>, change: &ExplorationChange) -> Result<(), Fail> {
    match change {
        ExplorationChange::Add(row) => add(transaction, row).await,
        ExplorationChange::SetCommands { id, before, commands } => {
            let set = sql::SET_EXPLORED_COMMANDS.postgres;
            transaction.unless_gone(set, &[id, before, commands]).await
        }
        ExplorationChange::Remove { id, player } => {
            let remove = sql::DELETE_EXPLORATION.postgres;
            transaction.run(remove, &[id, player]).await.map(|_| ())
        }
        ExplorationChange::Forget { before } => {
            let forget = sql::DELETE_OLD_EXPLORATIONS.postgres;
            transaction.run(forget, &[&whole(*before)]).await.map(|_| ())
        }
    }
}

async fn add(transaction: &Transaction<'_>, row: &ExplorationRow) -> Result<(), Fail> {
    let ExplorationRow { id, player, game, seq, seat, seed, levels, commands, created_at, .. } = row;
    let add = sql::ADD_EXPLORATION.postgres;
    let seat = seat.map(|seat| Int(seat.into()));
    let values: [Value<'_>; 9] =
        [id, player, game, &whole(*seq), &seat, &&seed[..], levels, commands, &whole(*created_at)];
    transaction.run(add, &values).await?;
    let clear = sql::TRIM_EXPLORATIONS.postgres;
    transaction.run(clear, &[player, &Int(exploration::MOST.into())]).await.map(|_| ())
}

fn exploration(row: &Row) -> Result<ExplorationRow, StoreError> {
    Ok(ExplorationRow {
        id: get(row, 0)?,
        player: get(row, 1)?,
        game: get(row, 2)?,
        game_id: get(row, 3)?,
        seq: get(row, 4)?,
        seat: opt(row, 5)?,
        seed: get(row, 6)?,
        levels: get(row, 7)?,
        commands: get(row, 8)?,
        created_at: get(row, 9)?,
    })
}

impl Postgres {
    pub async fn has_explorations_before(&self, before: u64) -> Result<bool, StoreError> {
        let query = sql::HAS_OLD_EXPLORATIONS.postgres;
        self.is(query, &[&whole(before)]).await
    }
}

impl ExplorationStore for Postgres {
    async fn exploration(&self, id: Uuid) -> Result<Option<ExplorationRow>, StoreError> {
        let query = sql::EXPLORATION.postgres;
        self.one(query, &[&id], exploration).await
    }

    async fn forget_explorations(&self, before: u64) -> Result<(), StoreError> {
        if self.has_explorations_before(before).await? {
            self.write(Write::of(Change::Exploration(ExplorationChange::Forget { before }))).await?;
        }
        Ok(())
    }
}
