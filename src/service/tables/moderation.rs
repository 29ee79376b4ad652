//! Acts of the operator on games. Each is an entry of the game's log with a public reason.

use uuid::Uuid;

use crate::{
    ledger::{
        entry::{Body, PlainAct},
        standing::{Control, Sitting},
    },
    service::{
        ServiceError, Tables,
        games::{LiveGame, Locked, Player},
        tables::again::again,
    },
    store::{ActRow, ModerationChange},
    words::Status,
};

/// Attempts of an act of the operator. Only acts of those who play can outrun it so often.
const TRIES: usize = 20;

impl Tables {
    /// Ends a game without a result. The reason becomes part of its log.
    pub async fn halt(&self, game: Uuid, act: &ActRow) -> Result<(), ServiceError> {
        again(TRIES, async || {
            let locked = self.games.lock(game).await?;
            match locked.game()?.game.status() {
                Status::Finished | Status::Void => return Err(ServiceError::NotRunning(Status::Finished)),
                Status::Open | Status::Sealed | Status::Running => {}
            }
            self.write_body(locked, &Body::halted(act.reason.clone()), Some(act)).await
        })
        .await
    }

    /// Removes a player from a game. In a running game the autopilot plays the seat to the end.
    pub async fn remove_seat(&self, game: Uuid, seat: u64, act: &ActRow) -> Result<(), ServiceError> {
        again(TRIES, async || {
            let locked = self.games.lock(game).await?;
            let live = locked.game()?;
            let seat = live.game.setting.seats.seat(seat).ok_or(ServiceError::NobodyThere)?;
            let sitting = live.sitting(seat).ok_or(ServiceError::NobodyThere)?;
            let body = match live.game.status() {
                Status::Open => Body::Leave { seat: seat.number().into() },
                Status::Running if sitting.control == Control::Resigned => {
                    return Err(ServiceError::Resigned);
                }
                Status::Running => {
                    Body::Remove { seat: seat.number().into(), text: Some(act.reason.clone()) }
                }
                other => return Err(ServiceError::NotRunning(other)),
            };
            self.write_body(locked, &body, Some(act)).await
        })
        .await
    }

    /// Writes an entry, together with the row of its act in the operators' log.
    async fn write_body(
        &self,
        locked: Locked,
        body: &Body,
        act: Option<&ActRow>,
    ) -> Result<(), ServiceError> {
        let mut change = self.begin(locked)?;
        if let Some(act) = act {
            change.also(ModerationChange::add_act(act));
        }
        change.add(body)?;
        change = self.with_consequences(change).await?;
        self.commit(change, None, |_| || ()).await.map(|_| ())
    }

    /// Takes a suspended player away from open tables and, with a public reason, from running games. Games
    /// that are about to start are then called off, otherwise they wait for the player as for anyone.
    pub async fn remove_from_games(&self, player: &Player, text: Option<&str>) -> Result<(), ServiceError> {
        self.for_each_game(player, async |game| {
            self.leave_with(game, player, |live, seat, sitting| match live.game.status() {
                Status::Open => Some(Body::Leave { seat }),
                Status::Running if sitting.control != Control::Resigned => {
                    text.map(|text| Body::Remove { seat, text: Some(text.to_owned()) })
                }
                Status::Sealed => text.map(|_| Body::void()),
                _ => None,
            })
            .await
        })
        .await
    }

    /// Leaves an open table, voids a sealed one, since the promised bytes will not come, and resigns from a
    /// running game: for an account that is deleted.
    pub(super) async fn leave_game(&self, game: Uuid, player: &Player) -> Result<(), ServiceError> {
        self.leave_with(game, player, |live, seat, sitting| match live.game.status() {
            Status::Open => Some(Body::Leave { seat }),
            Status::Sealed => Some(Body::void()),
            Status::Running if sitting.control == Control::Resigned => None,
            Status::Running if sitting.keys.is_empty() => Some(Body::act(PlainAct::Resign, seat)),
            // A deleted account cannot sign.
            Status::Running => Some(Body::Remove { seat, text: None }),
            Status::Finished | Status::Void => None,
        })
        .await
    }

    /// Writes the entry by which a player leaves a game, if there is one.
    async fn leave_with(
        &self,
        game: Uuid,
        player: &Player,
        body: impl Fn(&LiveGame, u64, &Sitting) -> Option<Body>,
    ) -> Result<(), ServiceError> {
        again(TRIES, async || {
            let locked = self.games.lock(game).await?;
            let live = locked.game()?;
            let Some(seat) = live.seat_of(player) else { return Ok(()) };
            let Some(sitting) = live.sitting(seat) else { return Ok(()) };
            let Some(body) = body(live, seat.number().into(), sitting) else { return Ok(()) };
            self.write_body(locked, &body, None).await
        })
        .await
    }
}
