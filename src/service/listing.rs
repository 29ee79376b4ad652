//! Lists of games.

use uuid::Uuid;

use super::{Player, Service, ServiceError, page::Page, resource::GameView};
use crate::{
    engine::Malformed,
    store::{GameFilter, GameKey, Status},
};

/// Which games to list.
#[derive(Default)]
pub struct Listing {
    pub status: Option<Status>,
    pub ruleset: Option<String>,
    pub player: Option<Uuid>,
    pub cursor: Option<String>,
    pub limit: u32,
}

impl Service {
    /// Public games, newest first.
    pub async fn games(
        &self,
        listing: &Listing,
        caller: Option<&Player>,
    ) -> Result<Page<GameView>, ServiceError> {
        let before = self.before(listing)?;
        let player = match listing.player {
            None => None,
            Some(uuid) => match self.store.player(uuid)? {
                Some(player) => Some(player.key),
                None => return Ok(Page { items: vec![], next_cursor: None }),
            },
        };
        self.list(listing, before, GameFilter { public: true, player, ..GameFilter::default() }, caller).await
    }

    /// The games that a player sits at, whoever else may see them.
    pub async fn games_of(&self, player: &Player, listing: &Listing) -> Result<Page<GameView>, ServiceError> {
        let filter = GameFilter { player: Some(player.key), ..GameFilter::default() };
        self.list(listing, self.before(listing)?, filter, Some(player)).await
    }

    /// The games that wait for a player, the longest waiting first.
    pub async fn waiting_games(
        &self,
        player: &Player,
        listing: &Listing,
    ) -> Result<Page<GameView>, ServiceError> {
        let filter = GameFilter {
            player: Some(player.key),
            status: Some(Status::Running),
            limit: self.limits.games_of_player,
            ..GameFilter::default()
        };
        let mut waiting = Vec::new();
        // Only a running game waits for anybody.
        if listing.status.is_some_and(|status| status != Status::Running) {
            return Ok(Page { items: vec![], next_cursor: None });
        }
        for row in self.store.games(&filter)? {
            let locked = self.lock(row.uuid).await?;
            let game = locked.game()?;
            if game.to_act().is_some_and(|seat| game.seat_of(player.key) == Some(seat)) {
                waiting.push((game.turn_since, row.uuid, GameView::of(game, Some(player))));
            }
        }
        waiting.sort_by_key(|(since, uuid, _)| (*since, *uuid));
        let begin = match &listing.cursor {
            None => 0,
            Some(cursor) => {
                let last = Uuid::try_parse(cursor).ok();
                waiting.iter().position(|(_, uuid, _)| Some(*uuid) == last).map_or(0, |place| place + 1)
            }
        };
        let more = waiting.len() - begin > listing.limit as usize;
        let items: Vec<GameView> =
            waiting.into_iter().skip(begin).take(listing.limit as usize).map(|(.., game)| game).collect();
        let next_cursor = items.last().filter(|_| more).map(|game| game.id.replace('-', ""));
        Ok(Page { items, next_cursor })
    }

    async fn list(
        &self,
        listing: &Listing,
        before: Before,
        filter: GameFilter,
        caller: Option<&Player>,
    ) -> Result<Page<GameView>, ServiceError> {
        let before = match before {
            Before::Nothing => None,
            Before::Game(game) => Some(game),
            Before::Unknown => return Ok(Page { items: vec![], next_cursor: None }),
        };
        let rows = self.store.games(&GameFilter {
            status: listing.status,
            ruleset: listing.ruleset.clone(),
            before,
            limit: listing.limit + 1,
            ..filter
        })?;
        let more = rows.len() > listing.limit as usize;
        let mut items = Vec::new();
        for row in rows.iter().take(listing.limit as usize) {
            let locked = self.lock(row.uuid).await?;
            items.push(GameView::of(locked.game()?, caller));
        }
        let next_cursor = items.last().filter(|_| more).map(|game| game.id.replace('-', ""));
        Ok(Page { items, next_cursor })
    }

    /// Where a page begins: after the last game of the page before.
    fn before(&self, listing: &Listing) -> Result<Before, ServiceError> {
        let Some(cursor) = &listing.cursor else { return Ok(Before::Nothing) };
        let uuid = Uuid::try_parse(cursor).ok().filter(|uuid| uuid.simple().to_string() == *cursor);
        let uuid = uuid.ok_or_else(|| Malformed::new("cursor", "is not one that a list has given"))?;
        Ok(self.store.game(uuid)?.map_or(Before::Unknown, |game| Before::Game(game.key)))
    }
}

/// Before which game a page begins, newest first.
enum Before {
    Nothing,
    Game(GameKey),
    Unknown,
}
