//! Deletion of an account.

use uuid::Uuid;

use crate::{
    ledger::{
        entry::{Body, PlainAct},
        standing::{Control, Sitting},
    },
    service::{ServiceError, Tables, games::Player, reading::list::rulesets},
    store::{AccountChange, Change, GameFilter, Write},
    words::Status,
};

/// Games that are read together.
const AT_ONCE: u32 = 100;

impl Tables {
    /// Leaves all games of a player, then deletes its name, codes and tokens. Its id stays in the logs
    /// without a meaning. After a failure, the request can be repeated.
    pub async fn leave_for_good(&self, player: &Player) -> Result<(), ServiceError> {
        self.leave_all_games(player).await?;
        let hooks = self.store.hooks_of_player(player.key).await?;
        let write = Write::of(Change::Account(AccountChange::Remove { player: player.key }));
        self.accounts.change_account(player.key, write, ServiceError::BadToken).await?;
        self.notifier.outbox.forget(&hooks);
        self.accounts.call_by_name(&Player { name: None, ..player.clone() }).await;
        // The player may have joined a game meanwhile.
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

    /// Leaves an open table, voids a sealed one, since the promised bytes will not come, and resigns from a
    /// running game.
    async fn leave_game(&self, game: Uuid, player: &Player) -> Result<(), ServiceError> {
        let locked = self.games.lock(game).await?;
        let live = locked.game()?;
        let Some(seat) = live.seat_of(player) else { return Ok(()) };
        let body = match live.game.status() {
            Status::Open => Body::Leave { seat: seat.number().into() },
            Status::Sealed => Body::void(),
            Status::Running => match live.sitting(seat) {
                None | Some(Sitting { control: Control::Resigned, .. }) => return Ok(()),
                Some(sitting) if sitting.keys.is_empty() => Body::act(PlainAct::Resign, seat.number().into()),
                // A deleted account cannot sign.
                Some(_) => Body::Remove { seat: seat.number().into(), text: None },
            },
            Status::Finished | Status::Void => return Ok(()),
        };
        let mut change = self.begin(locked)?;
        change.add(&body)?;
        change = self.with_consequences(change).await?;
        self.commit(change, None, |_| || ()).await.map(|_| ())
    }
}
