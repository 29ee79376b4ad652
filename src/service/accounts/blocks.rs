//! Blocks: players with whom a player wants nothing to do. The others are not told.

use serde::Serialize;
use uuid::Uuid;

use crate::{
    service::{
        Accounts, Player, ServiceError,
        reading::{
            page::{Page, Window},
            time,
        },
    },
    store::{BlockRow, ModerationChange, PlayerKey, Write},
};

/// Players that one player may block.
const MOST_BLOCKS: usize = 500;

/// A player that the caller has blocked.
#[derive(Serialize)]
#[wire]
#[schema(as = Block)]
pub struct BlockView {
    #[schema(format = Uuid)]
    pub player: String,
    /// Name. `null` after the account was deleted.
    pub name: Option<String>,
    #[schema(format = DateTime)]
    pub at: String,
}

impl From<BlockRow> for BlockView {
    fn from(BlockRow { player, name, at }: BlockRow) -> Self {
        Self { player: player.to_string(), name, at: time(at) }
    }
}

impl Accounts {
    pub async fn blocks(&self, player: &Player, window: &Window) -> Result<Page<BlockView>, ServiceError> {
        let rows = self.store.blocks(player.key).await?;
        Page::of_few(rows, window, |row| row.player, BlockView::from)
    }

    pub async fn blocked(&self, player: &Player, other: Uuid) -> Result<BlockView, ServiceError> {
        let rows = self.store.blocks(player.key).await?;
        let found = rows.into_iter().find(|row| row.player == other);
        found.map(BlockView::from).ok_or(ServiceError::NotFound)
    }

    /// Blocks another player.
    pub async fn block(&self, player: &Player, other: Uuid) -> Result<BlockView, ServiceError> {
        let blocked = self.other(player, other).await?;
        if self.store.blocks(player.key).await?.len() >= MOST_BLOCKS {
            return Err(ServiceError::TooManyBlocks(MOST_BLOCKS));
        }
        let block = ModerationChange::block(player.key, blocked, self.clock.now());
        self.store.write(Write::of(block)).await?;
        self.blocked(player, other).await
    }

    pub async fn unblock(&self, player: &Player, other: Uuid) -> Result<(), ServiceError> {
        let blocked = self.other(player, other).await?;
        Ok(self.store.write(Write::of(ModerationChange::unblock(player.key, blocked))).await?)
    }

    async fn other(&self, player: &Player, other: Uuid) -> Result<PlayerKey, ServiceError> {
        let found = self.store.player(other).await?.ok_or(ServiceError::NotFound)?;
        if found.key == player.key { Err(ServiceError::NotFound) } else { Ok(found.key) }
    }
}
