//! The choice of a host: after a failover, the host with the history.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{runtime::Handle, sync::mpsc, time::timeout};
use tokio_postgres::{AsyncMessage, Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::link::{Link, PATIENCE, late};
use crate::store::StoreError;

/// Makes commits durable whatever the defaults of the role. Every query is a few index lookups: plans from
/// old statistics would be slower, and planning each time costs more than it saves.
const SETTINGS: &str = "SET synchronous_commit = on; SET enable_seqscan = off; SET enable_hashjoin = off; \
    SET enable_mergejoin = off; SET plan_cache_mode = force_generic_plan; SET max_parallel_workers_per_gather = 0; SET jit = off";

/// Time limit for one host. A host that accepts a connection and hangs must not delay the others.
const PATIENCE_OF_HOST: Duration = Duration::from_secs(3);

/// The configurations of all hosts in the address.
pub struct Route {
    pub hosts: Vec<Config>,
    pub tls: MakeRustlsConnect,
}

/// The database, and the runtime of its connections.
///
/// After a failover two hosts may accept writes: the new primary, and the old one if it returns by mistake.
/// Each promotion starts a new timeline. The newest one continues the history; a host with an older one is
/// not used.
pub struct Target {
    route: Route,
    pub runtime: Handle,
    chosen: Mutex<Chosen>,
}

/// The host in use, and its timeline.
#[derive(Clone, Copy, Default)]
struct Chosen {
    host: Option<usize>,
    timeline: u32,
}

/// Timeline of a primary, null for a standby.
const TIMELINE: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN NULL
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END";

impl Target {
    pub fn new(route: Route, runtime: Handle) -> Arc<Self> {
        Arc::new(Self { route, runtime, chosen: Mutex::default() })
    }

    /// Returns the newest timeline that was seen.
    pub fn timeline(&self) -> u32 {
        self.chosen().timeline
    }

    fn chosen(&self) -> Chosen {
        *self.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a connection to the primary. Asynchronous messages go to `heard`.
    async fn open(
        &self,
        heard: Option<mpsc::UnboundedSender<AsyncMessage>>,
    ) -> Result<(Client, u32), StoreError> {
        let Chosen { host, timeline: newest } = self.chosen();
        if let Some(host) = host
            && let Ok((client, timeline)) = self.open_at(host, heard.clone()).await
            && timeline == newest
        {
            return Ok((client, timeline));
        }
        self.open_newest(heard).await
    }

    /// Asks all hosts, and connects to the primary with the newest timeline.
    async fn open_newest(
        &self,
        heard: Option<mpsc::UnboundedSender<AsyncMessage>>,
    ) -> Result<(Client, u32), StoreError> {
        let opening = (0..self.route.hosts.len()).map(|host| self.open_at(host, heard.clone()));
        let (mut best, mut failure) = (None, None);
        for (host, opened) in futures_util::future::join_all(opening).await.into_iter().enumerate() {
            match opened {
                Ok((client, timeline)) if best.as_ref().is_none_or(|(_, _, known)| *known < timeline) => {
                    best = Some((host, client, timeline));
                }
                Ok(_) => {}
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        let Some((host, client, timeline)) = best else {
            return Err(failure.unwrap_or_else(late));
        };
        let mut chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        if timeline < chosen.timeline {
            let why = "only an old primary answers, which missed a failover: stop it";
            return Err(StoreError::Unreachable(why.to_owned()));
        }
        *chosen = Chosen { host: Some(host), timeline };
        Ok((client, timeline))
    }

    /// Checks whether another host continues the history after an unnoticed failover. Connections to the old
    /// primary are then dropped.
    pub async fn look_for_newer(self: &Arc<Self>) {
        if self.route.hosts.len() > 1 {
            let target = Arc::clone(self);
            let looking = self.runtime.spawn(async move { target.open_newest(None).await.map(|_| ()) });
            let _ = timeout(PATIENCE, looking).await;
        }
    }

    /// Connects to one host, and returns its timeline.
    async fn open_at(
        &self,
        host: usize,
        heard: Option<mpsc::UnboundedSender<AsyncMessage>>,
    ) -> Result<(Client, u32), StoreError> {
        timeout(PATIENCE_OF_HOST, self.greet(host, heard)).await.map_err(|_| late())?
    }

    async fn greet(
        &self,
        host: usize,
        heard: Option<mpsc::UnboundedSender<AsyncMessage>>,
    ) -> Result<(Client, u32), StoreError> {
        let config = self.route.hosts.get(host).ok_or_else(late)?;
        let (client, mut connection) = config.connect(self.route.tls.clone()).await?;
        tokio::spawn(async move {
            let mut messages = futures_util::stream::poll_fn(move |context| connection.poll_message(context));
            while let Some(Ok(message)) = futures_util::StreamExt::next(&mut messages).await {
                if let Some(heard) = &heard {
                    let _ = heard.send(message);
                }
            }
        });
        client.batch_execute(SETTINGS).await?;
        let timeline: Option<i32> = client.query_one(TIMELINE, &[]).await?.try_get(0)?;
        let standby = || StoreError::Unreachable("this host is a standby".to_owned());
        Ok((client, timeline.ok_or_else(standby)?.unsigned_abs()))
    }

    /// Opens a connection. Asynchronous messages go to `heard`.
    pub async fn connect(
        self: &Arc<Self>,
        heard: Option<mpsc::UnboundedSender<AsyncMessage>>,
    ) -> Result<Arc<Link>, StoreError> {
        let target = Arc::clone(self);
        let connecting = self.runtime.spawn(async move {
            let (client, timeline) = target.open(heard).await?;
            Ok::<_, StoreError>(Arc::new(Link::new(client, timeline)))
        });
        match timeout(PATIENCE, connecting).await {
            Ok(Ok(connected)) => connected,
            Ok(Err(_)) => Err(StoreError::Stopped),
            Err(_) => Err(StoreError::Unreachable("the connection timed out".to_owned())),
        }
    }
}
