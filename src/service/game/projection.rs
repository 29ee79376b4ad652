//! The rows of a game: a projection of its entries.

use super::LiveGame;
use crate::{
    ledger::entry::{Body, Holder, Join, Op},
    service::ServiceError,
    store::{Change, PlayerKey},
    words::{PlayedBy, Share, Status},
};

/// What an entry changes in the rows of its game, which has just taken it in.
pub fn project(live: &LiveGame, at: u64, body: &Body) -> Result<Option<Change>, ServiceError> {
    let game = live.facts.key;
    let status = |status, ended| Some(Change::SetStatus { game, status, at, ended });
    Ok(match body {
        Body::Genesis(_) => Some(Change::AddGame(Box::new(live.facts.clone()))),
        Body::Join(Join { seat, holder, commit }) => {
            let player = key_of(live, holder)?;
            let share = if commit.is_some() { Share::Promised } else { Share::None };
            Some(Change::TakeSeat { game, seat: number(*seat)?, player, share })
        }
        Body::Leave { seat } => Some(Change::FreeSeat { game, seat: number(*seat)? }),
        Body::Seal => status(Status::Sealed, None),
        Body::Reveal { seat, .. } => {
            Some(Change::SetShare { game, seat: number(*seat)?, share: Share::Revealed })
        }
        Body::Start => status(Status::Running, None),
        Body::Hand { seat, holder, .. } => {
            Some(Change::HandSeat { game, seat: number(*seat)?, player: key_of(live, holder)? })
        }
        Body::Cmd { .. } | Body::Keys { .. } | Body::Takeback { .. } => None,
        Body::Sys { op, seat, .. } => {
            let played_by = match op {
                Op::Resign => PlayedBy::Resigned,
                Op::Autopilot => PlayedBy::Autopilot,
                Op::Resume => PlayedBy::Player,
                Op::Unkey | Op::Pause | Op::Continue => return Ok(None),
            };
            Some(Change::SetPlayedBy { game, seat: number(*seat)?, played_by })
        }
        Body::End { reason, result } => {
            let result = Some(result).filter(|result| !result.is_null()).map(ToString::to_string);
            status(live.game.status(), Some((reason.ending(), result)))
        }
    })
}

fn key_of(live: &LiveGame, holder: &Holder) -> Result<PlayerKey, ServiceError> {
    let key = live.people.key_of(&holder.player);
    key.ok_or_else(|| ServiceError::Internal("a stranger sits down".into()))
}

fn number(seat: u64) -> Result<u8, ServiceError> {
    u8::try_from(seat).map_err(|_| ServiceError::Internal("there is no such seat".into()))
}
