//! The context of a view: players, time, and the options of the caller.

use uuid::Uuid;

use crate::{
    engine::{Lang, Voice},
    ledger::game::Game,
    service::{
        Reading,
        games::{LiveGame, People, deadline},
    },
};

/// Options of a caller for a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ViewOptions {
    /// Texts, in this language.
    pub words: Option<Lang>,
    /// Legal commands of the caller's own seat.
    pub legal: bool,
    /// For a stream: the view after each entry.
    pub views: bool,
}

/// The context of a view. Cheap to clone.
#[derive(Clone)]
pub struct ViewContext {
    pub uuid: Uuid,
    pub people: People,
    pub now: u64,
    pub wish: ViewOptions,
    /// Whether the clock has a time bank.
    pub has_bank: bool,
    reveal_ms: u64,
}

impl ViewContext {
    pub fn of(live: &LiveGame, now: u64, reveal_ms: u64, wish: ViewOptions) -> Self {
        let uuid = live.facts.uuid;
        let has_bank = live.facts.bank_seconds > 0;
        Self { uuid, people: live.people.clone(), now, wish, has_bank, reveal_ms }
    }

    /// Returns the localizer, if the caller asked for texts.
    pub fn voice(&self, game: &Game) -> Option<Voice> {
        self.wish.words.map(|lang| self.people.voice(lang, game))
    }

    pub fn deadline(&self, game: &Game) -> Option<u64> {
        deadline(game, self.reveal_ms)
    }

    /// Sets the time to that of the newest entry, so that a repeated answer is the same.
    #[must_use]
    pub fn as_of(self, game: &Game) -> Self {
        Self { now: game.chain.at(), ..self }
    }

    #[must_use]
    pub fn with(&self, wish: ViewOptions) -> Self {
        Self { wish, ..self.clone() }
    }
}

impl Reading {
    pub(in crate::service) fn context(&self, live: &LiveGame, wish: ViewOptions) -> ViewContext {
        ViewContext::of(live, self.clock.now(), self.limits.reveal_ms, wish)
    }
}
