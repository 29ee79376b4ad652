//! Access to games.

use uuid::Uuid;

use super::{LiveGame, Locked, Player};
use crate::{
    engine::Seat,
    ledger::standing::Control,
    service::{Games, ServiceError},
    words::{Status, Visibility},
};

/// Returns whether a game exists for this caller. A private game exists only for its players.
pub fn may_see(live: &LiveGame, caller: Option<&Player>) -> bool {
    live.facts.visibility != Visibility::Private
        || caller.is_some_and(|player| live.seat_of(player).is_some())
}

pub fn seat_of(live: &LiveGame, player: &Player) -> Result<Seat, ServiceError> {
    live.seat_of(player).ok_or(ServiceError::NotSeated)
}

/// Returns the player's seat in a running game. Fails if the player has resigned.
pub fn seat_in_play(live: &LiveGame, player: &Player) -> Result<Seat, ServiceError> {
    let seat = seat_of(live, player)?;
    running(live)?;
    match live.sitting(seat).map(|sitting| sitting.control) {
        Some(Control::Resigned) => Err(ServiceError::Resigned),
        _ => Ok(seat),
    }
}

pub fn running(live: &LiveGame) -> Result<(), ServiceError> {
    match live.game.status() {
        Status::Running => Ok(()),
        other => Err(ServiceError::NotRunning(other)),
    }
}

pub fn open(live: &LiveGame) -> Result<(), ServiceError> {
    match live.game.status() {
        Status::Open => Ok(()),
        other => Err(ServiceError::NotOpen(other)),
    }
}

impl Games {
    /// Locks a game that the caller may see.
    pub(in crate::service) async fn visible(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
    ) -> Result<Locked, ServiceError> {
        let locked = self.lock(uuid).await?;
        if may_see(locked.game()?, caller) { Ok(locked) } else { Err(ServiceError::NoGame) }
    }
}
