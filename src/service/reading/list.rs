//! Lists of games, from rows. Only a running game is read from memory.

use uuid::Uuid;

use super::{
    game_view::GameView,
    page::{Page, Window},
    prompt::waits_for,
};
use crate::{
    rulesets::RulesetId,
    service::{
        Reading, ServiceError, aside,
        cost::{self, Work},
        games::{Player, Session},
    },
    store::{GameFilter, GameKey, Listed, Newest},
    words::{Status, Visibility},
};

/// Filters of a list.
#[derive(Default)]
pub struct Listing {
    pub status: Option<Status>,
    pub ruleset: Option<&'static str>,
    pub player: Option<Uuid>,
    pub has_clock: Option<bool>,
    /// Only tables with at least this many free seats.
    pub seats_free: Option<u8>,
    /// Only games with built-in bots, or only games without.
    pub has_bots: Option<bool>,
    pub window: Window,
    /// Only this game, for a token that is limited to one.
    pub only: Option<Uuid>,
}

/// Start of a page, newest first: before this game.
enum Before {
    Nothing,
    Game(GameKey),
    Unknown,
}

/// A game of a list: a running one, or the rows of another.
enum ListedGame {
    Live(Box<GameView>),
    Row(Box<Listed>, Newest),
}

impl ListedGame {
    fn show(self, caller: Option<&Player>) -> Result<GameView, ServiceError> {
        match self {
            Self::Live(game) => Ok(*game),
            Self::Row(listed, newest) => GameView::of_rows(&listed, newest, caller),
        }
    }
}

impl Reading {
    /// Returns public games, newest first.
    pub async fn games(
        &self,
        listing: &Listing,
        caller: Option<&Player>,
    ) -> Result<Page<GameView>, ServiceError> {
        let before = self.before(listing).await?;
        // Only an open table has free seats.
        let has_free = listing.seats_free.is_none() || listing.status.is_none_or(|only| only == Status::Open);
        if !has_free {
            return Ok(Page::empty());
        }
        let player = match listing.player {
            None => None,
            Some(uuid) => match self.store.player(uuid).await? {
                Some(player) => Some(player.key),
                None => return Ok(Page::empty()),
            },
        };
        self.list(listing, before, GameFilter { public: true, player, ..GameFilter::default() }, caller).await
    }

    /// Returns all games for an operator, newest first. The title of a private game is hidden: an operator
    /// sees only reported parts of its table.
    pub async fn games_for_operator(&self, listing: &Listing) -> Result<Page<GameView>, ServiceError> {
        let player = match listing.player {
            None => None,
            Some(uuid) => Some(self.store.player(uuid).await?.ok_or(ServiceError::NotFound)?.key),
        };
        let filter = GameFilter { player, ..GameFilter::default() };
        let mut page = self.list(listing, self.before(listing).await?, filter, None).await?;
        page.items.iter_mut().for_each(for_operator);
        Ok(page)
    }

    /// Returns a game for an operator.
    pub async fn game_for_operator(&self, game: Uuid) -> Result<GameView, ServiceError> {
        let mut view = GameView::of(self.games.lock(game).await?.game()?, None);
        for_operator(&mut view);
        Ok(view)
    }

    /// Returns the games of a player, including private ones.
    pub async fn games_of(&self, player: &Player, listing: &Listing) -> Result<Page<GameView>, ServiceError> {
        let filter = GameFilter { player: Some(player.key), ..GameFilter::default() };
        self.list(listing, self.before(listing).await?, filter, Some(player)).await
    }

    /// Returns the games that wait for a player, longest waiting first.
    pub async fn waiting_games(
        &self,
        player: &Player,
        listing: &Listing,
    ) -> Result<Page<GameView>, ServiceError> {
        // Other games wait neither for a decision nor for promised bytes.
        let statuses = [Status::Running, Status::Sealed];
        let mut found = Vec::new();
        for status in statuses.into_iter().filter(|status| listing.status.is_none_or(|only| only == *status))
        {
            let filter = GameFilter {
                only: listing.only,
                player: Some(player.key),
                status: Some(status),
                rulesets: rulesets(None),
                limit: self.limits.games_of_player,
                ..GameFilter::default()
            };
            found.extend(self.store.games(filter).await?);
        }
        let mut waiting = Vec::new();
        cost::charge(Work::List { games: found.len() as u64 });
        for listed in found {
            let uuid = listed.row.facts.uuid;
            let Some(locked) = self.games.unless_damaged(uuid, cost::free(self.games.lock(uuid)).await)?
            else {
                continue;
            };
            let live = locked.game()?;
            let turn = live.game.turn();
            let Some(mine) = live.seat_of(player) else { continue };
            if turn.seat == Some(mine) && !live.game.clocks.is_paused() {
                waiting.push((place(turn.since, uuid), GameView::of(live, Some(player))));
            } else if waits_for(&live.game).contains(&mine) {
                waiting.push((place(live.game.times.sealed, uuid), GameView::of(live, Some(player))));
            }
        }
        waiting.sort_by_key(|(place, _)| *place);
        // The last game of the page before may wait no longer; its cursor still says what follows.
        let last = listing.window.last()?;
        let begin = waiting.partition_point(|(place, _)| Some(*place) <= last);
        let shown = begin..waiting.len().min(begin + listing.window.limit as usize);
        let next = (shown.end < waiting.len()).then(|| waiting[shown.end - 1].0);
        let items = waiting.drain(shown).map(|(_, game)| game);
        Ok(page(items.collect(), next))
    }

    /// Returns the running games of the caller that have a clock.
    pub(in crate::service) async fn games_on_time(
        &self,
        caller: &Session,
    ) -> Result<Vec<Uuid>, ServiceError> {
        let filter = GameFilter {
            only: caller.game,
            player: Some(caller.player.key),
            status: Some(Status::Running),
            has_clock: Some(true),
            rulesets: rulesets(None),
            limit: self.limits.games_of_player,
            ..GameFilter::default()
        };
        let found = self.store.games(filter).await?;
        cost::charge(Work::List { games: found.len() as u64 });
        Ok(found.into_iter().map(|listed| listed.row.facts.uuid).collect())
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
            Before::Unknown => return Ok(Page::empty()),
        };
        let filter = GameFilter {
            status: listing.status.or(listing.seats_free.map(|_| Status::Open)),
            has_clock: listing.has_clock,
            has_bots: listing.has_bots,
            seats_free: listing.seats_free,
            only: listing.only,
            rulesets: rulesets(listing.ruleset),
            before,
            limit: listing.window.limit + 1,
            ..filter
        };
        if let (Some(games), None) = (filter.looks_through(), filter.only) {
            cost::charge(Work::Sift { games: games.into() });
        }
        // Open tables of players who have blocked the caller are not in its lobby.
        let is_lobby = filter.public && filter.status.is_none_or(|only| only == Status::Open);
        let found = self.store.games(filter).await?;
        let last = found
            .len()
            .min(listing.window.limit as usize)
            .checked_sub(1)
            .map(|last| found[last].row.facts.uuid);
        let next = last.filter(|_| found.len() > listing.window.limit as usize);
        cost::charge(Work::List { games: found.len() as u64 });
        let blockers = match caller {
            Some(caller) if is_lobby => self.store.blockers(caller.key).await?,
            _ => Vec::new(),
        };
        let mut items = Vec::new();
        for listed in found.into_iter().take(listing.window.limit as usize) {
            if listed.row.status == Status::Open && blockers.contains(&listed.row.facts.creator) {
                continue;
            }
            let uuid = listed.row.facts.uuid;
            let found = self.found(listed, caller).await;
            items.extend(self.games.unless_damaged(uuid, found)?.map(|found| (uuid, found)));
        }
        // A hundred rows take a while to read and serialize.
        let caller = caller.cloned();
        let shown = aside(move || {
            Ok(items.into_iter().map(|(uuid, found)| (uuid, found.show(caller.as_ref()))).collect::<Vec<_>>())
        });
        let mut items = Vec::new();
        for (uuid, shown) in shown.await? {
            items.extend(self.games.unless_damaged(uuid, shown)?);
        }
        Ok(page(items, next))
    }

    async fn found(&self, listed: Listed, caller: Option<&Player>) -> Result<ListedGame, ServiceError> {
        let row = &listed.row;
        if row.status == Status::Running {
            let live = GameView::of(cost::free(self.games.lock(row.facts.uuid)).await?.game()?, caller);
            return Ok(ListedGame::Live(Box::new(live)));
        }
        let newest = match row.newest {
            Some(newest) => newest,
            None => self.end_of_log(row.facts.key).await?,
        };
        Ok(ListedGame::Row(Box::new(listed), newest))
    }

    /// Returns the last entry of a game whose row does not have it.
    async fn end_of_log(&self, game: GameKey) -> Result<Newest, ServiceError> {
        let newest = self.store.newest_entry(game).await?;
        newest.ok_or_else(|| ServiceError::Internal("a stored log is empty".into()))
    }

    /// Returns the start of a page: after the last game of the page before.
    async fn before(&self, listing: &Listing) -> Result<Before, ServiceError> {
        let Some(uuid) = listing.window.last()? else { return Ok(Before::Nothing) };
        Ok(self.store.game_key(uuid).await?.map_or(Before::Unknown, Before::Game))
    }
}

fn for_operator(game: &mut GameView) {
    if game.visibility == Visibility::Private {
        game.title = None;
    }
}

/// Returns the names of the rulesets to list: one, or all.
pub(in crate::service) fn rulesets(name: Option<&str>) -> Vec<String> {
    let names = RulesetId::ALL.iter().map(|id| id.name());
    names.filter(|known| name.is_none_or(|name| name == *known)).map(str::to_owned).collect()
}

/// Returns the cursor of a waiting game: the time since which it waits, then the rest of its id.
fn place(since: Option<u64>, game: Uuid) -> Uuid {
    Uuid::from_u128(u128::from(since.unwrap_or(0)) << 80 | game.as_u128() & (u128::MAX >> 48))
}

/// Returns a page. `last` is the last game that was read, if more follow.
fn page(items: Vec<GameView>, last: Option<Uuid>) -> Page<GameView> {
    Page { items, next_cursor: last.map(|game| game.simple().to_string()) }
}
