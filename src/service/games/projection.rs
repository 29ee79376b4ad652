//! The rows of a game, as a projection of its entries.

use arrayvec::ArrayVec;

use super::LiveGame;
use crate::{
    ledger::entry::{Body, End, Holder, Join, PlainAct},
    service::ServiceError,
    store::{Change, PlayerKey},
    words::{PlayedBy, Share, Status},
};

/// Returns the changes of rows for an entry. `live` has just applied it.
pub fn project(live: &LiveGame, at: u64, body: &Body) -> Result<ArrayVec<Change, 2>, ServiceError> {
    let game = live.facts.key;
    let mut changes = ArrayVec::new();
    match body {
        Body::Genesis(_) => changes.push(Change::AddGame(Box::new(live.facts.clone()))),
        Body::Join(Join { seat, holder, commit, .. }) => {
            let player = key_of(live, holder)?;
            let share = if commit.is_some() { Share::Promised } else { Share::None };
            changes.push(Change::TakeSeat { game, seat: number(*seat)?, player, share });
            if live.game.status() == Status::Sealed {
                changes.push(Change::SetStatus { game, status: Status::Sealed, at, ended: None });
            }
        }
        Body::Leave { seat } => changes.push(Change::FreeSeat { game, seat: number(*seat)? }),
        Body::Reveal { seat, .. } => {
            changes.push(Change::SetShare { game, seat: number(*seat)?, share: Share::Revealed });
        }
        Body::Start => changes.push(Change::SetStatus { game, status: Status::Running, at, ended: None }),
        Body::Hand { seat, holder, .. } => {
            changes.push(Change::HandSeat { game, seat: number(*seat)?, player: key_of(live, holder)? });
        }
        Body::Cmd { .. } | Body::Revoke { .. } | Body::Takeback { .. } | Body::Outage { .. } => {}
        Body::Act { act, seat, .. } => {
            let played_by = match act {
                PlainAct::Resign => PlayedBy::Resigned,
                PlainAct::Resume => PlayedBy::Player,
                PlainAct::Rekey | PlainAct::Pause | PlainAct::Continue => return Ok(changes),
            };
            changes.push(Change::SetPlayedBy { game, seat: number(*seat)?, played_by });
        }
        Body::Autopilot { seat } => {
            changes.push(Change::SetPlayedBy { game, seat: number(*seat)?, played_by: PlayedBy::Autopilot });
        }
        Body::Remove { seat, .. } => {
            changes.push(Change::SetPlayedBy { game, seat: number(*seat)?, played_by: PlayedBy::Resigned });
        }
        Body::End(End { reason, result, .. }) => {
            let result = Some(result).filter(|result| !result.is_null()).map(ToString::to_string);
            let (status, ended) = (live.game.status(), Some((reason.ending(), result)));
            changes.push(Change::SetStatus { game, status, at, ended });
        }
    }
    Ok(changes)
}

fn key_of(live: &LiveGame, holder: &Holder) -> Result<PlayerKey, ServiceError> {
    let key = live.people.key_of(&holder.player);
    key.ok_or_else(|| ServiceError::Internal("a stranger sits down".into()))
}

fn number(seat: u64) -> Result<u8, ServiceError> {
    u8::try_from(seat).map_err(|_| ServiceError::Internal("there is no such seat".into()))
}
