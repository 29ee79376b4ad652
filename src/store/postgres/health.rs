//! Health of the database: whether it answers, has the required synchronous standbys, and agrees on the time.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::time::sleep;
use uuid::Uuid;

use super::{
    columns::{get, opt},
    link::{PooledLine, in_time},
    number::now,
};
use crate::store::StoreError;

/// Interval of the checks, and the silence after which the database counts as failed.
const LOOK: Duration = Duration::from_secs(2);
const SILENCE: Duration = Duration::from_secs(6);
/// Silence after which a server is forgotten.
const FORGET_MS: i64 = 60 * 60 * 1_000;
/// Largest allowed difference between the clocks of a server and the database, in milliseconds.
const MOST_OFFSET: i64 = 1_000;

pub struct HealthWatch {
    node: Uuid,
    wanted: u32,
    state: Mutex<HealthState>,
    /// Milliseconds by which the clock of the database is ahead.
    offset: AtomicI64,
}

struct HealthState {
    heard: Option<Instant>,
    /// The clock of this server at that moment.
    clock: i64,
    copies: u32,
    complaint: Option<String>,
    /// Address of the database that answered, unless it is on a local socket.
    host: Option<String>,
}

impl HealthState {
    /// Returns whether the clock has jumped since it was compared.
    fn was_clock_set(&self) -> bool {
        let passed = self.heard.map_or(Duration::ZERO, |heard| heard.elapsed());
        let passed = i64::try_from(passed.as_millis()).unwrap_or(i64::MAX);
        self.heard.is_some() && (now() - self.clock - passed).abs() > MOST_OFFSET
    }
}

/// The health question.
const QUESTION: &str =
    "SELECT pg_is_in_recovery(), current_setting('fsync'), current_setting('synchronous_standby_names'),
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum') AND state = 'streaming'),
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IS NULL),
    (extract(epoch FROM clock_timestamp()) * 1000)::int8,
    host(inet_server_addr()) || ':' || inet_server_port()";

impl HealthWatch {
    pub fn new(node: Uuid, wanted: u32) -> Arc<Self> {
        let state = HealthState { heard: None, clock: 0, copies: 0, complaint: None, host: None };
        Arc::new(Self { node, wanted, state: Mutex::new(state), offset: AtomicI64::new(0) })
    }

    /// Repeats the checks.
    pub async fn watch(self: Arc<Self>, line: PooledLine) {
        loop {
            // A failed check shows as silence.
            let looked = in_time(self.look(&line)).await;
            if looked.is_err() || self.state().complaint.is_some() {
                line.look_for_newer().await;
            }
            sleep(LOOK).await;
        }
    }

    /// Checks once.
    pub async fn look(&self, line: &PooledLine) -> Result<(), StoreError> {
        let before = now();
        let rows = line.query(QUESTION, &[]).await?;
        let after = now();
        let row = rows.first().ok_or_else(|| StoreError::Other("the database reports no status".into()))?;
        let (names, standing, hidden) = (get::<String>(row, 2)?, get::<u32>(row, 3)?, get::<u32>(row, 4)?);
        let copies = 1 + awaited(&names).min(standing);
        let offset = get::<i64>(row, 5)? - before.midpoint(after);
        self.offset.store(offset, Ordering::Relaxed);
        let complaint = if get::<bool>(row, 0)? {
            Some("the database is a standby and accepts no writes".to_owned())
        } else if opt::<String>(row, 1)?.as_deref() != Some("on") {
            Some("the database runs with fsync=off: acknowledged writes can be lost".to_owned())
                .filter(|_| self.wanted > 0)
        } else if copies <= self.wanted {
            Some(too_few(self.wanted, &names, standing, hidden))
        } else {
            None
        };
        let complaint = complaint.or_else(|| {
            let differ = || format!("the clocks of this node and of the database differ by {offset} ms");
            (offset.abs() > MOST_OFFSET).then(differ)
        });
        let host = opt::<String>(row, 6)?;
        *self.state() = HealthState { heard: Some(Instant::now()), clock: now(), copies, complaint, host };
        self.be_seen(line).await
    }

    /// Records that this server is running. Not durable.
    async fn be_seen(&self, line: &PooledLine) -> Result<(), StoreError> {
        line.link().await?.run("SET synchronous_commit = off").await?;
        let seen =
            "INSERT INTO node (id, seen) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen = excluded.seen";
        line.execute(seen, &[&self.node, &self.at()]).await?;
        line.execute("DELETE FROM node WHERE seen < $1", &[&(self.at() - FORGET_MS)]).await.map(|_| ())
    }

    fn state(&self) -> std::sync::MutexGuard<'_, HealthState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails unless the database has answered recently and accepts writes.
    pub fn ready(&self) -> Result<(), StoreError> {
        if self.silence() > SILENCE {
            return Err(StoreError::Unreachable("the database is silent".to_owned()));
        }
        let state = self.state();
        if state.was_clock_set() {
            return Err(StoreError::NotSafe("the clock of this server was changed or stopped".to_owned()));
        }
        match &state.complaint {
            Some(complaint) => Err(StoreError::NotSafe(complaint.clone())),
            None => Ok(()),
        }
    }

    pub fn silence(&self) -> Duration {
        self.state().heard.map_or(Duration::MAX, |heard| heard.elapsed())
    }

    /// Returns the number of machines with a copy of an acknowledged write.
    pub fn copies(&self) -> u32 {
        self.state().copies
    }

    /// Returns the address of the database that answered last.
    pub fn host(&self) -> Option<String> {
        self.state().host.clone()
    }

    /// Returns the time of the database, in milliseconds.
    pub fn at(&self) -> i64 {
        now() + self.offset.load(Ordering::Relaxed)
    }
}

fn too_few(wanted: u32, names: &str, standing: u32, hidden: u32) -> String {
    let why = if hidden > 0 {
        "this role cannot see the standbys: GRANT pg_monitor to it".to_owned()
    } else if names.is_empty() {
        "set synchronous_standby_names, or start with --standbys 0 if the storage keeps copies itself"
            .to_owned()
    } else {
        format!("synchronous_standby_names is '{names}', and {standing} of them are connected")
    };
    format!(
        "the database needs {wanted} synchronous standby(s), or a failover could lose acknowledged moves: {why}"
    )
}

/// Returns the number of standbys that a commit waits for, from `synchronous_standby_names`: `a, b`, `2 (a,
/// b)`, `FIRST 2 (a, b)`, `ANY 2 (a, b)`.
fn awaited(names: &str) -> u32 {
    let names = names.trim();
    if names.is_empty() {
        return 0;
    }
    let before = names.split_once('(').map_or("", |(before, _)| before);
    before.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::awaited;

    #[test]
    fn it_is_known_for_how_many_a_commit_waits() {
        for (names, count) in [
            ("", 0),
            ("*", 1),
            ("a, b", 1),
            ("2 (a, b)", 2),
            ("FIRST 1 (a)", 1),
            ("any 3 (a,b,c)", 3),
            ("ANY 2(a)", 2),
        ] {
            assert_eq!(awaited(names), count, "{names}");
        }
    }
}
