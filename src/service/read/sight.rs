//! What a game is shown by, beside the game itself: who sits there, what time it is, and what the caller
//! asked to be told.

use uuid::Uuid;

use crate::{
    engine::{Lang, Voice},
    ledger::game::Game,
    service::{
        Service,
        game::{LiveGame, People, deadline},
    },
};

/// What a caller asks for beyond what everybody is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wish {
    /// Words, in this language.
    pub words: Option<Lang>,
    /// The commands that the caller's own seat may send.
    pub legal: bool,
    /// Of a stream: the view after each entry.
    pub views: bool,
}

/// What a game is shown by. Cheap to hand on.
#[derive(Clone)]
pub struct Sight {
    pub uuid: Uuid,
    pub people: People,
    pub now: u64,
    pub wish: Wish,
    /// Whether the clock has a reserve.
    pub has_bank: bool,
    reveal_ms: u64,
}

impl Sight {
    pub fn of(live: &LiveGame, now: u64, reveal_ms: u64, wish: Wish) -> Self {
        let uuid = live.facts.uuid;
        let has_bank = live.facts.bank_seconds > 0;
        Self { uuid, people: live.people.clone(), now, wish, has_bank, reveal_ms }
    }

    /// The language and the names that something is to be told in, if it is.
    pub fn voice(&self, game: &Game) -> Option<Voice> {
        self.wish.words.map(|lang| self.people.voice(lang, game))
    }

    pub fn deadline(&self, game: &Game) -> Option<u64> {
        deadline(game, self.reveal_ms)
    }

    /// Shown as of an entry that was just written, so that the answer to it is the same whenever it is made.
    #[must_use]
    pub fn as_of(self, game: &Game) -> Self {
        Self { now: game.chain.at(), ..self }
    }

    #[must_use]
    pub fn with(&self, wish: Wish) -> Self {
        Self { wish, ..self.clone() }
    }
}

impl Service {
    pub(in crate::service) fn sight(&self, live: &LiveGame, wish: Wish) -> Sight {
        Sight::of(live, self.clock.now(), self.limits.reveal_ms, wish)
    }
}
