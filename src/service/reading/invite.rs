//! Tables by invite code.

use uuid::Uuid;

use super::game_view::{GameView, InvitedGame};
use crate::{
    ledger::entry::write_terms,
    service::{
        Reading, ServiceError,
        games::{Player, access::may_see},
    },
    words::Status,
};

impl Reading {
    /// Returns the table of an invite code, while it is open or if the caller may see it anyway.
    pub async fn invited(&self, code: &str, caller: Option<&Player>) -> Result<InvitedGame, ServiceError> {
        // A player who is offered a seat may look at the game first.
        let offer = self.store.substitution_by_code(code).await?;
        let uuid = match &offer {
            Some(offer) => offer.game,
            None => self.invited_to(code).await?,
        };
        let locked = self.games.lock(uuid).await?;
        let live = locked.game()?;
        if offer.is_none() && live.game.status() != Status::Open && !may_see(live, caller) {
            return Err(ServiceError::NoGame);
        }
        let offered_seat = offer.and_then(|offer| live.game.setting.seats.seat(offer.seat.into()));
        Ok(InvitedGame {
            game: GameView::of(live, caller),
            offered_seat,
            terms: write_terms(&live.game.standing.terms),
        })
    }

    /// Returns the game of an invite code.
    pub async fn invited_to(&self, code: &str) -> Result<Uuid, ServiceError> {
        self.store.invited_to(code).await?.ok_or(ServiceError::NoGame)
    }
}
