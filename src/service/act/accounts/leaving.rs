//! A player who leaves for good.

use uuid::Uuid;

use crate::{
    ledger::{
        entry::{Body, PlainAct},
        standing::{Control, Sitting},
    },
    service::{Service, ServiceError, game::Player, read::list::rulesets},
    store::{AccountChange, Change, GameFilter, Keeper as _, Write},
    words::Status,
};

/// How many games are looked at together.
const AT_ONCE: u32 = 100;

impl Service {
    /// Lets a player leave all its games, and then forgets its name, its codes and its tokens. Its id stays
    /// in the logs, and means nobody. If something fails on the way, it can be asked for again.
    pub async fn leave_for_good(&self, player: &Player) -> Result<(), ServiceError> {
        self.leave_all_games(player).await?;
        let hooks = self.store.hooks_of_player(player.key).await?;
        let write = Write::of(Change::Account(AccountChange::Remove { player: player.key }));
        self.change_account(player.key, write, ServiceError::BadToken).await?;
        self.post.forget(&hooks);
        self.call_by_name(&Player { name: None, ..player.clone() }).await;
        // A seat that was being taken meanwhile.
        self.leave_all_games(player).await
    }

    async fn leave_all_games(&self, player: &Player) -> Result<(), ServiceError> {
        for status in [Status::Open, Status::Sealed, Status::Running] {
            let mut before = None;
            loop {
                let games = self.store.games(GameFilter {
                    status: Some(status),
                    player: Some(player.key),
                    limit: AT_ONCE,
                    rulesets: rulesets(None),
                    before,
                    ..GameFilter::default()
                });
                let games = games.await?;
                let Some(last) = games.last() else { break };
                before = Some(last.row.facts.key);
                for listed in games {
                    self.leave_game(listed.row.facts.uuid, player).await?;
                }
            }
        }
        Ok(())
    }

    /// Leaves a table that is open, voids one that waits for bytes, since those of this seat will not come,
    /// and resigns from a game.
    async fn leave_game(&self, game: Uuid, player: &Player) -> Result<(), ServiceError> {
        let locked = self.lock(game).await?;
        let live = locked.game()?;
        let Some(seat) = live.seat_of(player) else { return Ok(()) };
        let body = match live.game.status() {
            Status::Open => Body::Leave { seat: seat.number().into() },
            Status::Sealed => Body::void(),
            Status::Running => match live.sitting(seat) {
                None | Some(Sitting { control: Control::Resigned, .. }) => return Ok(()),
                Some(sitting) if sitting.keys.is_empty() => Body::act(PlainAct::Resign, seat.number().into()),
                // The account is gone, so no signature can be asked for.
                Some(_) => Body::Remove { seat: seat.number().into(), text: None },
            },
            Status::Finished | Status::Void => return Ok(()),
        };
        let mut draft = self.draft(locked)?;
        draft.add(&body)?;
        draft = self.settled(draft).await?;
        self.commit(draft, None, |_| || ()).await.map(|_| ())
    }
}
