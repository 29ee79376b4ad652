//! Rows of one player, for the export of its account.

use uuid::Uuid;

use super::{Cells, PlayerKey, Store, StoreError, sql};

/// A game with a seat of the player.
pub struct PlayerGame {
    pub id: Uuid,
    pub ruleset: String,
    pub title: Option<String>,
    pub visibility: String,
    pub status: String,
    pub created_at: u64,
    pub finished_at: Option<u64>,
    pub seat: u8,
}

/// A message or private note of the player.
pub struct PlayerText {
    pub game: Uuid,
    pub text: String,
    pub at: u64,
}

/// A player that the player has muted in a game.
pub struct PlayerMute {
    pub game: Uuid,
    pub muted: Uuid,
}

/// The plan of the player in a game, as JSON.
pub struct PlayerPlan {
    pub game: Uuid,
    pub plan: String,
}

/// A report of the player, as JSON.
pub struct PlayerReport {
    pub body: String,
    pub at: u64,
}

impl Store {
    pub async fn games_of_player(&self, player: PlayerKey) -> Result<Vec<PlayerGame>, StoreError> {
        self.small(&sql::GAMES_OF_PLAYER, [player.into()], |row| {
            Ok(PlayerGame {
                id: row.read()?,
                ruleset: row.read()?,
                title: row.read()?,
                visibility: row.read()?,
                status: row.read()?,
                created_at: row.read()?,
                finished_at: row.read()?,
                seat: row.read()?,
            })
        })
        .await
    }

    pub async fn messages_of_player(&self, player: PlayerKey) -> Result<Vec<PlayerText>, StoreError> {
        self.small(&sql::MESSAGES_OF_PLAYER, [player.into()], text).await
    }

    pub async fn notes_of_player(&self, player: PlayerKey) -> Result<Vec<PlayerText>, StoreError> {
        self.small(&sql::NOTES_OF_PLAYER, [player.into()], text).await
    }

    pub async fn mutes_of_player(&self, player: PlayerKey) -> Result<Vec<PlayerMute>, StoreError> {
        self.small(&sql::MUTES_OF_PLAYER, [player.into()], |row| {
            Ok(PlayerMute { game: row.read()?, muted: row.read()? })
        })
        .await
    }

    pub async fn plans_of_player(&self, player: PlayerKey) -> Result<Vec<PlayerPlan>, StoreError> {
        self.small(&sql::PLANS_OF_PLAYER, [player.into()], |row| {
            Ok(PlayerPlan { game: row.read()?, plan: row.read()? })
        })
        .await
    }

    pub async fn reports_of_player(&self, player: PlayerKey) -> Result<Vec<PlayerReport>, StoreError> {
        self.small(&sql::REPORTS_OF_PLAYER, [player.into()], |row| {
            Ok(PlayerReport { body: row.read()?, at: row.read()? })
        })
        .await
    }
}

fn text(row: &mut Cells) -> Result<PlayerText, StoreError> {
    Ok(PlayerText { game: row.read()?, text: row.read()?, at: row.read()? })
}
