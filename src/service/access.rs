//! Who may see and do what.

use uuid::Uuid;

use super::{Player, Service, ServiceError, game::Game, lives::Locked};
use crate::{
    engine::Seat,
    store::{Status, Visibility},
};

/// Whether a game is there for this caller at all. A private game is not, for whoever does not sit at it.
pub fn may_see(game: &Game, caller: Option<&Player>) -> bool {
    game.row.visibility != Visibility::Private
        || caller.is_some_and(|player| game.seat_of(player.key).is_some())
}

pub fn seat_of(game: &Game, player: &Player) -> Result<Seat, ServiceError> {
    game.seat_of(player.key).ok_or(ServiceError::NotSeated)
}

pub fn running(game: &Game) -> Result<(), ServiceError> {
    match game.row.status {
        Status::Running => Ok(()),
        other => Err(ServiceError::NotRunning(other.word())),
    }
}

pub fn open(game: &Game) -> Result<(), ServiceError> {
    match game.row.status {
        Status::Open => Ok(()),
        other => Err(ServiceError::NotOpen(other.word())),
    }
}

impl Service {
    /// The game, locked, if it is there for this caller.
    pub(super) async fn visible(&self, uuid: Uuid, caller: Option<&Player>) -> Result<Locked, ServiceError> {
        let locked = self.lock(uuid).await?;
        if may_see(locked.game()?, caller) { Ok(locked) } else { Err(ServiceError::NoGame) }
    }
}
