//! What a request makes the server do, and who pays for it.
//!
//! Requests cost very different amounts. What is dear says so here, where it is done; whoever answers the request, and
//! knows who sent it, names the payer. What the server does by itself in a game is paid for by whoever began it.

use std::{rc::Rc, sync::Arc, time::Duration};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::ServiceError;
use crate::store::PlayerKey;

/// Something that takes more than a plain request does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Entries read from the disk and played again.
    Replay { entries: u64 },
    /// Entries read from the disk.
    Read { entries: u64 },
    /// Games shown in a list.
    List { games: u64 },
    /// Games looked through for those that are wanted.
    Sift { games: u64 },
    /// A commit of this many entries.
    Commit { entries: u64 },
    /// Bytes taken in or sent out.
    Transfer { bytes: u64 },
    /// A frame of a stream.
    Frame { bytes: u64 },
    /// A document verified.
    Verify { bytes: u64 },
}

/// Charges a payer for time. It goes to where the time is spent, since the request may be gone when it is
/// known.
pub type ChargeTime = Box<dyn FnOnce(Duration) + Send>;

/// Who pays for a request.
pub trait Payer {
    fn charge(&self, work: Work);

    /// Charges a player, whoever sent the request.
    fn charge_player(&self, player: PlayerKey, work: Work);

    /// How long it takes until all that was charged is paid for.
    fn debt(&self) -> Duration;

    /// How long it takes until another decision of a bot can be paid for.
    fn thinking_debt(&self) -> Duration {
        Duration::ZERO
    }

    /// Returns what charges the time of a decision, wherever that is made.
    fn thinking(&self) -> ChargeTime {
        Box::new(|_| ())
    }
}

tokio::task_local! {
    static PAYER: Rc<dyn Payer>;
}

/// Nobody waits longer than this to be able to pay. It is told to come back instead.
const PATIENCE: Duration = Duration::from_secs(5);

/// Does something at the cost of this payer.
pub fn paid_by<T>(payer: Rc<dyn Payer>, task: impl Future<Output = T>) -> impl Future<Output = T> {
    PAYER.scope(payer, task)
}

pub fn charge(work: Work) {
    let _ = PAYER.try_with(|payer| payer.charge(work));
}

/// Charges a player for what it began and others may have set off.
pub fn charge_player(player: PlayerKey, work: Work) {
    let _ = PAYER.try_with(|payer| payer.charge_player(player, work));
}

/// Refuses whoever owes something.
pub fn solvent() -> Result<(), ServiceError> {
    match PAYER.try_with(|payer| payer.debt()).unwrap_or_default() {
        Duration::ZERO => Ok(()),
        debt => Err(ServiceError::TooMuchWork { seconds: debt.as_secs() + 1 }),
    }
}

/// Returns what charges the payer for the time of a decision.
pub fn thinking() -> ChargeTime {
    PAYER.try_with(|payer| payer.thinking()).unwrap_or_else(|_| Box::new(|_| ()))
}

/// Fails if the payer must wait before a bot decides for it again.
pub fn may_think() -> Result<(), ServiceError> {
    match PAYER.try_with(|payer| payer.thinking_debt()).unwrap_or_default() {
        Duration::ZERO => Ok(()),
        debt => Err(ServiceError::TooMuchWork { seconds: debt.as_secs() + 1 }),
    }
}

/// Does something at nobody's cost.
pub fn free<T>(task: impl Future<Output = T>) -> impl Future<Output = T> {
    PAYER.scope(Rc::new(Nobody), task)
}

struct Nobody;

impl Payer for Nobody {
    fn charge(&self, _: Work) {}

    fn charge_player(&self, _: PlayerKey, _: Work) {}

    fn debt(&self) -> Duration {
        Duration::ZERO
    }
}

/// Waits for room in which to do work that is dear. Whoever owes nothing gets it; whoever does waits until it
/// has paid, so that one who asks for much at once is served as slowly as it pays, and nobody else is.
pub async fn admitted(room: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ServiceError> {
    loop {
        let permit = Arc::clone(room).acquire_owned().await.map_err(|_| ServiceError::Busy)?;
        let debt = PAYER.try_with(|payer| payer.debt()).unwrap_or_default();
        if debt.is_zero() {
            return Ok(permit);
        }
        drop(permit);
        if debt > PATIENCE {
            return Err(ServiceError::TooMuchWork { seconds: debt.as_secs() + 1 });
        }
        tokio::time::sleep(debt).await;
    }
}
