//! Deletion of an account.

use uuid::Uuid;

use crate::{
    service::{ServiceError, Tables, games::Player, reading::list::rulesets},
    store::{AccountChange, Change, GameFilter, Write},
    words::Status,
};

/// Games that are read together.
const AT_ONCE: u32 = 100;

impl Tables {
    /// Leaves all games of a player, then deletes its name, codes and tokens, its messages, and the titles of
    /// its games. Its id stays in the logs without a meaning. After a failure, the request can be repeated.
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
        self.for_each_game(player, async |game| self.leave_game(game, player).await).await
    }

    /// Acts on each unfinished game of a player, also after a failure, and returns the first failure.
    pub(super) async fn for_each_game(
        &self,
        player: &Player,
        act: impl AsyncFn(Uuid) -> Result<(), ServiceError>,
    ) -> Result<(), ServiceError> {
        let mut failed = Ok(());
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
                    failed = failed.and(act(listed.row.facts.uuid).await);
                }
            }
        }
        failed
    }
}
