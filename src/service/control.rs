//! Who plays a seat: given up for good, or taken back from the autopilot.

use uuid::Uuid;

use super::{
    Player, Service, ServiceError, Written,
    access::{running, seat_of},
    lives::Locked,
    once::Turn,
};
use crate::{engine::Seat, ledger::entry::Op, store::Control};

impl Service {
    /// Gives the seat up: the autopilot plays it to the end.
    pub async fn resign(
        &self,
        uuid: Uuid,
        player: &Player,
        turn: Option<&Turn<'_>>,
    ) -> Result<Written, ServiceError> {
        let (locked, seat) = self.seat_in_play(uuid, player).await?;
        self.change(locked, player, turn, |draft| {
            let placed = draft.sys(seat, Op::Resign)?;
            draft.play_on()?;
            Ok(placed)
        })
        .await
    }

    /// Takes a seat back that the autopilot has because of its deadlines. A game may come to no moment at which the
    /// player could do so by a command, since the autopilot plays at once.
    pub async fn resume(
        &self,
        uuid: Uuid,
        player: &Player,
        turn: Option<&Turn<'_>>,
    ) -> Result<Written, ServiceError> {
        let (locked, seat) = self.seat_in_play(uuid, player).await?;
        let control = locked.game()?.sitting(seat).map(|sitting| sitting.control);
        if control != Some(Control::Autopilot) {
            return Err(ServiceError::NotAutopilots);
        }
        self.change(locked, player, turn, |draft| draft.sys(seat, Op::Resume)).await
    }

    /// The player's seat at a running game, unless it was given up.
    async fn seat_in_play(&self, uuid: Uuid, player: &Player) -> Result<(Locked, Seat), ServiceError> {
        let locked = self.act_if_due(self.visible(uuid, Some(player)).await?).await?;
        let game = locked.game()?;
        let seat = seat_of(game, player)?;
        running(game)?;
        if game.sitting(seat).is_some_and(|sitting| sitting.resigned) {
            return Err(ServiceError::Resigned);
        }
        Ok((locked, seat))
    }
}
