//! Hooks and deliveries.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use uuid::Uuid;

use super::{Reads, columns::Whole};
use crate::{
    store::{
        DeliveryKey, DeliveryRow, Fate, GameKey, Health, HookChange, HookKey, HookRow, NewDelivery,
        PlayerKey, QuietRow, StoreError,
    },
    words::HookState,
};

const HOOK: &str = "SELECT id, uuid, player, game, way, target, secret, settings, state, failing_since, failures, rests_until,
     created_at FROM hook";
const DELIVERY: &str =
    "SELECT id, message, body, at, due, tries, outcome, failure, status, tried_at FROM delivery";

pub fn apply(connection: &Connection, change: &HookChange) -> Result<(), StoreError> {
    let run = |statement: &str, values: &[&dyn rusqlite::ToSql]| {
        connection.prepare_cached(statement)?.execute(values).map_err(StoreError::from)
    };
    match change {
        HookChange::Add(row) => add(connection, row),
        HookChange::SetSettings { hook, settings } => {
            run("UPDATE hook SET settings = ?2 WHERE id = ?1", params![hook, settings]).map(|_| ())
        }
        HookChange::SetState { hook, state, health } => {
            let Health { failing_since, failures, rests_until } = *health;
            let statement = "UPDATE hook SET state = ?2, failing_since = ?3, failures = ?4, rests_until = ?5 WHERE id = ?1";
            let values = params![hook, state, failing_since.map(Whole), failures, Whole(rests_until)];
            run(statement, values)?;
            if *state == HookState::Off {
                let given_up =
                    "UPDATE delivery SET due = NULL, outcome = 'failed' WHERE hook = ?1 AND due IS NOT NULL";
                run(given_up, params![hook])?;
            }
            Ok(())
        }
        HookChange::SetHealth { hook, health } => {
            let Health { failing_since, failures, rests_until } = *health;
            let statement =
                "UPDATE hook SET failing_since = ?2, failures = ?3, rests_until = ?4 WHERE id = ?1";
            let values = params![hook, failing_since.map(Whole), failures, Whole(rests_until)];
            run(statement, values).map(|_| ())
        }
        HookChange::Remove { hook } => {
            run("DELETE FROM delivery WHERE hook = ?1", params![hook])?;
            run("DELETE FROM hook WHERE id = ?1", params![hook]).map(|_| ())
        }
        HookChange::SetQuiet { player, quiet: QuietRow { utc_offset, hours } } => {
            let (from, to) = hours.unzip();
            let statement = "INSERT OR REPLACE INTO quiet (player, utc_offset, from_minute, to_minute) VALUES (?1, ?2, ?3, ?4)";
            run(statement, params![player, utc_offset, from, to]).map(|_| ())
        }
        HookChange::Deliver(deliveries) => deliver(connection, deliveries),
        HookChange::Settle { deliveries, due, fate: Fate { tries, outcome, failure, status, tried_at } } => {
            let statement = "UPDATE delivery SET due = ?2, tries = ?3, outcome = ?4, failure = ?5, status = ?6, tried_at = ?7
                 WHERE id = ?1";
            for delivery in deliveries {
                let (due, tried_at) = (due.map(Whole), tried_at.map(Whole));
                run(statement, params![delivery, due, tries, outcome, failure, status, tried_at])?;
            }
            Ok(())
        }
        HookChange::Forget { before, unproved_before } => {
            run("DELETE FROM delivery WHERE due IS NULL AND at < ?1", params![Whole(*before)])?;
            let unproved = "FROM hook WHERE state = 'unproved' AND created_at < ?1";
            let values = params![Whole(*unproved_before)];
            run(&format!("DELETE FROM delivery WHERE hook IN (SELECT id {unproved})"), values)?;
            run(&format!("DELETE {unproved}"), values).map(|_| ())
        }
    }
}

/// Takes away all that a player is told by.
pub fn remove_of(connection: &Connection, player: PlayerKey) -> Result<(), StoreError> {
    for statement in [
        "DELETE FROM delivery WHERE hook IN (SELECT id FROM hook WHERE player = ?1)",
        "DELETE FROM hook WHERE player = ?1",
        "DELETE FROM quiet WHERE player = ?1",
    ] {
        connection.prepare_cached(statement)?.execute([player])?;
    }
    Ok(())
}

fn add(connection: &Connection, row: &HookRow) -> Result<(), StoreError> {
    let HookRow { key, id, player, game, way, target, secret, settings, state, health: _, created_at } = row;
    connection
        .prepare_cached(
            "INSERT INTO hook (id, uuid, player, game, way, target, secret, settings, state, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            key,
            id.as_bytes(),
            player,
            game,
            way,
            target,
            secret,
            settings,
            state,
            Whole(*created_at)
        ])?;
    Ok(())
}

/// A hook that was taken away meanwhile is told nothing.
fn deliver(connection: &Connection, deliveries: &[NewDelivery]) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached(
        "INSERT OR IGNORE INTO delivery (hook, message, body, at, due)
         SELECT id, ?2, ?3, ?4, ?5 FROM hook WHERE id = ?1",
    )?;
    for NewDelivery { hook, message, body, at, due } in deliveries {
        insert.execute(params![hook, message, body, Whole(*at), Whole(*due)])?;
    }
    Ok(())
}

fn hook(row: &Row) -> rusqlite::Result<HookRow> {
    let (Whole(rests_until), Whole(created_at)) = (row.get(11)?, row.get(12)?);
    let failing_since: Option<Whole> = row.get(9)?;
    Ok(HookRow {
        key: row.get(0)?,
        id: Uuid::from_bytes(row.get(1)?),
        player: row.get(2)?,
        game: row.get(3)?,
        way: row.get(4)?,
        target: row.get(5)?,
        secret: row.get(6)?,
        settings: row.get(7)?,
        state: row.get(8)?,
        health: Health {
            failing_since: failing_since.map(|Whole(at)| at),
            failures: row.get(10)?,
            rests_until,
        },
        created_at,
    })
}

fn delivery(row: &Row) -> rusqlite::Result<DeliveryRow> {
    let (Whole(at), due, tried_at): (Whole, Option<Whole>, Option<Whole>) =
        (row.get(3)?, row.get(4)?, row.get(9)?);
    Ok(DeliveryRow {
        key: row.get(0)?,
        message: row.get(1)?,
        body: row.get(2)?,
        at,
        due: due.map(|Whole(due)| due),
        fate: Fate {
            tries: row.get(5)?,
            outcome: row.get(6)?,
            failure: row.get(7)?,
            status: row.get(8)?,
            tried_at: tried_at.map(|Whole(at)| at),
        },
    })
}

impl Reads {
    fn hooks_where(
        &self,
        condition: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Vec<HookRow>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(&format!("{HOOK} {condition}"))?;
            let rows = query.query_map(values, hook)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn hooks(&self) -> Result<Vec<HookRow>, StoreError> {
        self.hooks_where("ORDER BY id", &[])
    }

    pub fn hooks_of_player(&self, player: PlayerKey) -> Result<Vec<HookRow>, StoreError> {
        self.hooks_where("WHERE player = ?1 ORDER BY id", params![player])
    }

    pub fn hooks_of_game(&self, game: GameKey) -> Result<Vec<HookRow>, StoreError> {
        self.hooks_where("WHERE game = ?1 ORDER BY id", params![game])
    }

    pub fn hook(&self, key: HookKey) -> Result<Option<HookRow>, StoreError> {
        Ok(self.hooks_where("WHERE id = ?1", params![key])?.pop())
    }

    pub fn hook_by_id(&self, id: Uuid) -> Result<Option<HookRow>, StoreError> {
        Ok(self.hooks_where("WHERE uuid = ?1", params![id.as_bytes()])?.pop())
    }

    fn deliveries_where(
        &self,
        condition: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(&format!("{DELIVERY} {condition}"))?;
            let rows = query.query_map(values, delivery)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn deliveries_due(
        &self,
        hook: HookKey,
        now: u64,
        limit: u32,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        let condition = "WHERE hook = ?1 AND due <= ?2 ORDER BY due, id LIMIT ?3";
        self.deliveries_where(condition, params![hook, Whole(now), limit])
    }

    pub fn deliveries(
        &self,
        hook: HookKey,
        before: Option<DeliveryKey>,
        limit: u32,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        let condition = "WHERE hook = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3";
        self.deliveries_where(condition, params![hook, before, limit])
    }

    pub fn delivery(&self, hook: HookKey, message: &str) -> Result<Option<DeliveryRow>, StoreError> {
        Ok(self.deliveries_where("WHERE hook = ?1 AND message = ?2", params![hook, message])?.pop())
    }

    /// When each hook that has something to be sent is to send the first of it.
    pub fn hooks_due(&self) -> Result<Vec<(HookKey, u64)>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection.prepare(
                "SELECT hook, min(due) FROM delivery WHERE due IS NOT NULL GROUP BY hook ORDER BY 2",
            )?;
            let rows = query.query_map([], |row| {
                let Whole(due) = row.get(1)?;
                Ok((row.get(0)?, due))
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn has_deliveries_before(&self, before: u64, unproved_before: u64) -> Result<bool, StoreError> {
        self.readers.read(|connection| {
            let query = "SELECT EXISTS (SELECT 1 FROM delivery WHERE due IS NULL AND at < ?1)
                 OR EXISTS (SELECT 1 FROM hook WHERE state = 'unproved' AND created_at < ?2)";
            let values = params![Whole(before), Whole(unproved_before)];
            Ok(connection.prepare_cached(query)?.query_row(values, |row| row.get(0))?)
        })
    }

    pub fn next_due(&self, hook: HookKey) -> Result<Option<u64>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection
                .prepare_cached("SELECT min(due) FROM delivery WHERE hook = ?1 AND due IS NOT NULL")?;
            let due: Option<Whole> = query.query_row([hook], |row| row.get(0))?;
            Ok(due.map(|Whole(due)| due))
        })
    }

    pub fn quiet(&self, player: PlayerKey) -> Result<QuietRow, StoreError> {
        self.readers.read(|connection| {
            let query = "SELECT utc_offset, from_minute, to_minute FROM quiet WHERE player = ?1";
            let quiet = |row: &Row| {
                let (from, to): (Option<u16>, Option<u16>) = (row.get(1)?, row.get(2)?);
                Ok(QuietRow { utc_offset: row.get(0)?, hours: from.zip(to) })
            };
            let found = connection.prepare_cached(query)?.query_row([player], quiet).optional()?;
            Ok(found.unwrap_or_default())
        })
    }
}
