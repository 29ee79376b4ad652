//! A command that is being carried out.

use super::{Chance, Ruleset};

/// The state while a command is carried out. Only events change it.
pub struct Step<'t, R: Ruleset> {
    state: &'t mut R::State,
    chance: &'t mut Chance,
    events: &'t mut Vec<R::Event>,
}

impl<'t, R: Ruleset> Step<'t, R> {
    pub(super) fn new(
        state: &'t mut R::State,
        chance: &'t mut Chance,
        events: &'t mut Vec<R::Event>,
    ) -> Self {
        Self { state, chance, events }
    }

    pub fn state(&self) -> &R::State {
        self.state
    }

    /// Applies an event to the state, and records it.
    pub fn emit(&mut self, event: R::Event) {
        R::evolve(self.state, &event);
        self.events.push(event);
    }

    pub fn shuffle(&mut self, label: &'static str, size: u32) -> &[u32] {
        self.chance.shuffle(label, size)
    }

    pub fn roll(&mut self, label: &'static str, bounds: &[u32]) -> &[u32] {
        self.chance.roll(label, bounds)
    }
}
