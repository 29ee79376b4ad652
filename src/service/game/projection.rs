//! The rows of a game: a projection of its entries.

use super::LiveGame;
use crate::{
    ledger::entry::{Body, Op},
    service::ServiceError,
    store::Change,
    words::{PlayedBy, Share, Status},
};

/// What an entry changes in the rows of its game, which has just taken it in.
pub fn project(live: &LiveGame, at: u64, body: &Body) -> Result<Option<Change>, ServiceError> {
    let game = live.facts.key;
    let status = |status, result| Some(Change::SetStatus { game, status, at, result });
    Ok(match body {
        Body::Genesis(_) => Some(Change::AddGame(Box::new(live.facts.clone()))),
        Body::Join { seat, player, commit } => {
            let key = live.people.key_of(player);
            let player = key.ok_or_else(|| ServiceError::Internal("a stranger sits down".into()))?;
            let share = if commit.is_some() { Share::Promised } else { Share::None };
            Some(Change::TakeSeat { game, seat: number(*seat)?, player, share })
        }
        Body::Leave { seat } => Some(Change::FreeSeat { game, seat: number(*seat)? }),
        Body::Seal => status(Status::Sealed, None),
        Body::Reveal { seat, .. } => {
            Some(Change::SetShare { game, seat: number(*seat)?, share: Share::Revealed })
        }
        Body::Start => status(Status::Running, None),
        Body::Cmd { .. } => None,
        Body::Sys { op, seat } => {
            let played_by = match op {
                Op::Resign | Op::Autopilot => PlayedBy::Autopilot,
                Op::Resume => PlayedBy::Player,
            };
            Some(Change::SetPlayedBy { game, seat: number(*seat)?, played_by })
        }
        Body::End { result, .. } => status(
            live.game.status(),
            Some(result).filter(|result| !result.is_null()).map(ToString::to_string),
        ),
    })
}

fn number(seat: u64) -> Result<u8, ServiceError> {
    u8::try_from(seat).map_err(|_| ServiceError::Internal("there is no such seat".into()))
}
