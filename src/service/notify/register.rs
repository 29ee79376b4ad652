//! Subscriptions in memory, so that a change without subscribers costs nothing.

use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::settings::Settings;
use crate::{
    engine::Lang,
    service::DAY,
    store::{GameKey, HookKey, HookRow, PlayerKey},
    words::{HookState, News, NewsSet},
};

/// The parts of a hook that news needs.
#[derive(Clone)]
pub struct Subscriber {
    pub hook: HookKey,
    pub owner: PlayerKey,
    pub news: NewsSet,
    pub lang: Lang,
    pub host: Arc<str>,
    pub is_proved: bool,
    digest: Option<u16>,
    deadlines_at_once: bool,
}

impl Subscriber {
    pub fn of(row: &HookRow, host: Arc<str>) -> Self {
        let settings = Settings::read(&row.settings);
        Self {
            hook: row.key,
            owner: row.player,
            news: settings.news(),
            lang: settings.lang(),
            host,
            is_proved: row.is_proved(),
            digest: settings.digest,
            deadlines_at_once: settings.deadlines_at_once,
        }
    }

    /// Returns when news of this moment is due.
    pub fn due(&self, news: News, now: u64) -> u64 {
        let at_once = news == News::Deadline && self.deadlines_at_once;
        let Some(minute) = self.digest.filter(|_| !at_once) else { return now };
        let today = now - now % DAY + u64::from(minute) * 60_000;
        if today > now { today } else { today + DAY }
    }
}

#[derive(Default)]
pub struct Register {
    lists: RwLock<Lists>,
    count: AtomicUsize,
}

#[derive(Default)]
struct Lists {
    of_players: HashMap<PlayerKey, Vec<Subscriber>>,
    of_games: HashMap<GameKey, Vec<Subscriber>>,
}

impl Register {
    pub fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }

    /// Adds or updates a hook.
    pub fn note(&self, row: &HookRow, host: &Arc<str>) {
        self.forget(row);
        if row.state != HookState::On {
            return;
        }
        let brief = Subscriber::of(row, Arc::clone(host));
        let mut lists = self.lists.write().unwrap_or_else(PoisonError::into_inner);
        match row.game {
            Some(game) => lists.of_games.entry(game).or_default().push(brief),
            None => lists.of_players.entry(row.player).or_default().push(brief),
        }
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Replaces all hooks.
    pub fn replace(&self, rows: &[(HookRow, Arc<str>)]) {
        let known = Self::default();
        for (row, host) in rows {
            known.note(row, host);
        }
        let lists = known.lists.into_inner().unwrap_or_else(PoisonError::into_inner);
        *self.lists.write().unwrap_or_else(PoisonError::into_inner) = lists;
        self.count.store(known.count.into_inner(), Ordering::Relaxed);
    }

    pub fn forget(&self, row: &HookRow) {
        let mut lists = self.lists.write().unwrap_or_else(PoisonError::into_inner);
        let gone = match row.game {
            Some(game) => take_out(&mut lists.of_games, &game, row.key),
            None => take_out(&mut lists.of_players, &row.player, row.key),
        };
        self.count.fetch_sub(usize::from(gone), Ordering::Relaxed);
    }

    pub fn of_player(&self, player: PlayerKey) -> Vec<Subscriber> {
        let lists = self.lists.read().unwrap_or_else(PoisonError::into_inner);
        lists.of_players.get(&player).cloned().unwrap_or_default()
    }

    pub fn of_game(&self, game: GameKey) -> Vec<Subscriber> {
        let lists = self.lists.read().unwrap_or_else(PoisonError::into_inner);
        lists.of_games.get(&game).cloned().unwrap_or_default()
    }
}

/// Removes a hook from a list, and returns whether it was there.
fn take_out<K: std::hash::Hash + Eq>(lists: &mut HashMap<K, Vec<Subscriber>>, of: &K, hook: HookKey) -> bool {
    let Some(list) = lists.get_mut(of) else { return false };
    let before = list.len();
    list.retain(|brief| brief.hook != hook);
    let gone = list.len() < before;
    if list.is_empty() {
        lists.remove(of);
    }
    gone
}
