//! One check for every case: given a state, when these commands are sent, then this holds.

use super::{
    super::{command::Command, event::EventView, rules::IndustrialWaste, state::State},
    given::{Given, seat},
};
use crate::engine::{Chance, Refusal, Seed, Table, Viewer, conformance::Specimen, json};

pub struct Case {
    /// The rule that the case proves.
    pub rule: &'static str,
    pub name: &'static str,
    pub given: fn() -> Given,
    /// Who sends what; all but the last must be accepted.
    pub when: &'static [(u64, &'static str)],
    pub then: Then,
}

pub enum Then {
    /// The last command is refused with the rule of the case.
    Refused,
    /// All are accepted, and this is true afterwards.
    Holds(fn(&After)),
}

/// What the commands led to.
pub struct After {
    pub state: State,
    pub events: Vec<EventView>,
}

impl After {
    pub fn company(&self, number: u64) -> &super::super::company::Company {
        &self.state.companies[seat(number)]
    }

    pub fn happened(&self, event: &EventView) -> bool {
        self.events.contains(event)
    }
}

impl Case {
    pub const fn kept(
        rule: &'static str,
        name: &'static str,
        given: fn() -> Given,
        when: &'static [(u64, &'static str)],
        then: fn(&After),
    ) -> Self {
        Self { rule, name, given, when, then: Then::Holds(then) }
    }

    pub const fn broken(
        rule: &'static str,
        name: &'static str,
        given: fn() -> Given,
        when: &'static [(u64, &'static str)],
    ) -> Self {
        Self { rule, name, given, when, then: Then::Refused }
    }

    pub fn check(&self) {
        let state = (self.given)().state();
        IndustrialWaste::assert_conserved(&state);
        let chance = Chance::seeded(Seed::new([3; 32]));
        let mut table = Table::<IndustrialWaste>::at(state.seats, state, chance);
        let mut events = Vec::new();
        let mut refusals = Vec::new();
        for (number, sent) in self.when {
            let command = Command::read(&json::parse(sent.as_bytes()).unwrap()).unwrap();
            match table.submit(seat(*number), &command) {
                Ok(()) => events.extend(table.events(Viewer::Spectator)),
                Err(rejection) => refusals.push(Refusal::from(rejection)),
            }
            IndustrialWaste::assert_conserved(table.state());
        }
        let (rule, name) = (self.rule, self.name);
        match (&self.then, refusals.as_slice()) {
            (Then::Refused, [refusal]) => assert_eq!(refusal.rule, rule, "{name}: {refusal:?}"),
            (Then::Refused, _) => panic!("{rule} {name}: must be refused once: {refusals:?}"),
            (Then::Holds(then), []) => {
                println!("{rule} {name}");
                then(&After { state: table.state().clone(), events });
            }
            (Then::Holds(_), _) => panic!("{rule} {name}: {refusals:?}"),
        }
    }
}
