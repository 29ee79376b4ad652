//! A table by the code that its players hand on.

use uuid::Uuid;

use super::game_view::{GameView, InvitedGame};
use crate::{
    ledger::entry::write_terms,
    service::{
        Service, ServiceError,
        game::{Player, access::may_see},
    },
    store::Keeper as _,
    words::Status,
};

impl Service {
    /// The table that a code invites to: while it is open, and for those who may see it anyway.
    pub async fn invited(&self, code: &str, caller: Option<&Player>) -> Result<InvitedGame, ServiceError> {
        // Whoever is offered a seat may look at the game first.
        let offer = self.store.substitution_by_code(code).await?;
        let uuid = match &offer {
            Some(offer) => offer.game,
            None => self.invited_to(code).await?,
        };
        let locked = self.lock(uuid).await?;
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

    /// The game that a code invites to.
    pub async fn invited_to(&self, code: &str) -> Result<Uuid, ServiceError> {
        self.store.invited_to(code).await?.ok_or(ServiceError::NoGame)
    }
}
