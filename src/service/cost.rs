//! The cost of requests.
//!
//! Requests cost very different amounts. Expensive code charges where it runs; the layer with the client
//! names the payer. Acts of the server in a game are charged to the game's creator.

use std::{rc::Rc, sync::Arc, time::Duration};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::ServiceError;
use crate::store::PlayerKey;

/// Work beyond that of a plain request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Entries that were read from disk and replayed.
    Replay { entries: u64 },
    /// Entries that were read from disk.
    Read { entries: u64 },
    /// Games in a list.
    List { games: u64 },
    /// Games that were searched.
    Sift { games: u64 },
    /// Entries of a commit.
    Commit { entries: u64 },
    /// Bytes that were received or sent.
    Transfer { bytes: u64 },
    /// A frame of a stream.
    Frame { bytes: u64 },
    /// A picture that was drawn, with its pixels if they were asked for.
    Picture { is_png: bool },
    /// A verified document.
    Verify { bytes: u64 },
}

/// Charges a payer for time. It moves to where the time is spent, since the request may be gone by then.
pub type ChargeTime = Box<dyn FnOnce(Duration) + Send>;

/// The payer of a request.
pub trait Budget {
    fn charge(&self, work: Work);

    /// Charges a player, no matter who sent the request.
    fn charge_player(&self, player: PlayerKey, work: Work);

    /// Returns how long the payer must wait until its budget is positive.
    fn overdraft(&self) -> Duration;

    /// Returns how long the payer must wait for another decision of a bot.
    fn thinking_overdraft(&self) -> Duration {
        Duration::ZERO
    }

    /// Returns the callback that charges for the time of a decision.
    fn thinking(&self) -> ChargeTime {
        Box::new(|_| ())
    }
}

tokio::task_local! {
    static PAYER: Rc<dyn Budget>;
}

/// A longer wait is refused: the client must come back later.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs a task at the cost of a payer.
pub fn paid_by<T>(payer: Rc<dyn Budget>, task: impl Future<Output = T>) -> impl Future<Output = T> {
    PAYER.scope(payer, task)
}

pub fn charge(work: Work) {
    let _ = PAYER.try_with(|payer| payer.charge(work));
}

/// Charges a player for consequences of its game.
pub fn charge_player(player: PlayerKey, work: Work) {
    let _ = PAYER.try_with(|payer| payer.charge_player(player, work));
}

/// Fails if the payer is over budget.
pub fn solvent() -> Result<(), ServiceError> {
    match PAYER.try_with(|payer| payer.overdraft()).unwrap_or_default() {
        Duration::ZERO => Ok(()),
        overdraft => Err(ServiceError::TooMuchWork { seconds: overdraft.as_secs() + 1 }),
    }
}

/// Returns the callback that charges for the time of a decision.
pub fn thinking() -> ChargeTime {
    PAYER.try_with(|payer| payer.thinking()).unwrap_or_else(|_| Box::new(|_| ()))
}

/// Fails if the payer must wait for another decision of a bot.
pub fn may_think() -> Result<(), ServiceError> {
    match PAYER.try_with(|payer| payer.thinking_overdraft()).unwrap_or_default() {
        Duration::ZERO => Ok(()),
        overdraft => Err(ServiceError::TooMuchWork { seconds: overdraft.as_secs() + 1 }),
    }
}

/// Runs a task without charging for it.
pub fn free<T>(task: impl Future<Output = T>) -> impl Future<Output = T> {
    PAYER.scope(Rc::new(Nobody), task)
}

struct Nobody;

impl Budget for Nobody {
    fn charge(&self, _: Work) {}

    fn charge_player(&self, _: PlayerKey, _: Work) {}

    fn overdraft(&self) -> Duration {
        Duration::ZERO
    }
}

/// Waits for a permit for expensive work. A payer over budget waits until it has paid, so a demanding client
/// is served slowly and delays no other.
pub async fn admitted(room: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ServiceError> {
    loop {
        let permit = Arc::clone(room).acquire_owned().await.map_err(|_| ServiceError::Busy)?;
        let overdraft = PAYER.try_with(|payer| payer.overdraft()).unwrap_or_default();
        if overdraft.is_zero() {
            return Ok(permit);
        }
        drop(permit);
        if overdraft > PATIENCE {
            return Err(ServiceError::TooMuchWork { seconds: overdraft.as_secs() + 1 });
        }
        tokio::time::sleep(overdraft).await;
    }
}
