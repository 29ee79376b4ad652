//! Who plays a seat: given up for good, or taken back from the autopilot.

use uuid::Uuid;

use super::Reply;
use crate::{
    engine::Seat,
    ledger::{entry::Op, standing::Control},
    service::{
        Service, ServiceError,
        game::{Locked, Player, access::seat_in_play},
    },
    store::NewClaim,
};

impl Service {
    /// Gives the seat up: the autopilot plays it to the end.
    pub(super) async fn resign(
        &self,
        uuid: Uuid,
        player: &Player,
        claim: Option<NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let (locked, seat) = self.seat_in_play(uuid, player).await?;
        let mut draft = self.draft(locked)?;
        let placed = draft.sys(seat, Op::Resign)?;
        draft = self.settled(draft).await?;
        self.commit_for(player, draft, placed, claim).await
    }

    /// Takes a seat back that the autopilot has because of its deadlines. A game may come to no moment at which the
    /// player could do so by a command, since the autopilot plays at once.
    pub(super) async fn resume(
        &self,
        uuid: Uuid,
        player: &Player,
        claim: Option<NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let (locked, seat) = self.seat_in_play(uuid, player).await?;
        let control = locked.game()?.sitting(seat).map(|sitting| sitting.control);
        if control != Some(Control::Autopilot) {
            return Err(ServiceError::NotAutopilots);
        }
        let mut draft = self.draft(locked)?;
        let placed = draft.sys(seat, Op::Resume)?;
        self.commit_for(player, draft, placed, claim).await
    }

    async fn seat_in_play(&self, uuid: Uuid, player: &Player) -> Result<(Locked, Seat), ServiceError> {
        let locked = self.act_if_due(self.visible(uuid, Some(player)).await?).await?;
        let seat = seat_in_play(locked.game()?, player)?;
        Ok((locked, seat))
    }
}
