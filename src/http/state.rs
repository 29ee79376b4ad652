//! What every handler can reach.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::{
    metrics::Metrics,
    problem::{BUSY, Problem},
    rate_limit::RateLimit,
};
use crate::{config::Config, service::Service};

/// How many uploads may be under way at once, and how many audits are carried out at once. Each of them takes memory.
const UPLOADS: usize = 16;
const AUDITS: usize = 2;

pub struct State {
    pub service: Service,
    pub config: Config,
    pub metrics: Metrics,
    pub rate_limit: RateLimit,
    /// Room for uploads that are under way, and for audits that are carried out.
    pub uploads: Arc<Semaphore>,
    pub audits: Arc<Semaphore>,
}

impl State {
    pub fn new(service: Service, config: Config) -> Self {
        let rate_limit = RateLimit::new(&config);
        let (uploads, audits) = (Arc::new(Semaphore::new(UPLOADS)), Arc::new(Semaphore::new(AUDITS)));
        Self { service, config, metrics: Metrics::default(), rate_limit, uploads, audits }
    }

    /// Whether one more may wait for what happens, in a stream or a long poll.
    pub fn has_room_for_a_listener(&self) -> Result<(), Problem> {
        if self.service.load().listeners < self.config.max_streams {
            return Ok(());
        }
        Err(Problem::new(&BUSY).detail("as many streams are open as this server keeps").retry_after(5))
    }
}
