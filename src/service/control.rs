//! Who plays a seat: given up for good, or taken back from the autopilot.

use uuid::Uuid;

use super::{
    Player, Service, ServiceError,
    access::{running, seat_of},
    once::Turn,
    resource::GameWithReceipt,
};
use crate::{ledger::body::Op, store::Control};

impl Service {
    pub async fn resign(
        &self,
        uuid: Uuid,
        player: &Player,
        turn: Option<&Turn<'_>>,
    ) -> Result<GameWithReceipt, ServiceError> {
        let mut locked = self.visible(uuid, Some(player)).await?;
        let game = locked.game()?;
        let seat = seat_of(game, player)?;
        running(game)?;
        if game.sitting(seat).is_some_and(|sitting| sitting.resigned) {
            return Err(ServiceError::Resigned);
        }
        self.change(&mut locked, player, turn, |draft| {
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
    ) -> Result<GameWithReceipt, ServiceError> {
        let mut locked = self.visible(uuid, Some(player)).await?;
        let game = locked.game()?;
        let seat = seat_of(game, player)?;
        running(game)?;
        match game.sitting(seat) {
            Some(sitting) if sitting.resigned => return Err(ServiceError::Resigned),
            Some(sitting) if sitting.control == Control::Autopilot => {}
            _ => return Err(ServiceError::NotAutopilots),
        }
        self.change(&mut locked, player, turn, |draft| draft.sys(seat, Op::Resume)).await
    }
}
