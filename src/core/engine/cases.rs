//! Cases: for each rule a state, commands, and what must hold afterwards.

use std::collections::BTreeSet;

use super::{
    Chance, Format, Lang, Refusal, Ruleset, Seats, Seed, Table, Viewer, conformance::Specimen, golden, json,
};

/// The initial state of a case, while it is made.
pub trait Given {
    type Game: Specimen;

    fn state(self) -> <Self::Game as Ruleset>::State;
}

pub struct Case<G: Given> {
    /// The rule that the case proves.
    pub rule: &'static str,
    pub name: &'static str,
    pub given: fn() -> G,
    /// Seats and their commands. All but the last must be accepted.
    pub when: &'static [(u64, &'static str)],
    pub then: Then<G>,
}

pub enum Then<G: Given> {
    /// The last command is refused by the rule of the case.
    Refused,
    /// All commands are accepted, and this is true afterwards.
    Holds(fn(&AfterCase<G::Game>)),
}

/// The result of the commands.
pub struct AfterCase<R: Ruleset> {
    pub state: R::State,
    /// The events, as everyone sees them.
    pub events: Vec<R::EventView>,
}

impl<R: Ruleset> AfterCase<R> {
    pub fn happened(&self, event: &R::EventView) -> bool {
        self.events.contains(event)
    }
}

impl<G: Given> Case<G> {
    pub const fn kept(
        rule: &'static str,
        name: &'static str,
        given: fn() -> G,
        when: &'static [(u64, &'static str)],
        then: fn(&AfterCase<G::Game>),
    ) -> Self {
        Self { rule, name, given, when, then: Then::Holds(then) }
    }

    pub const fn broken(
        rule: &'static str,
        name: &'static str,
        given: fn() -> G,
        when: &'static [(u64, &'static str)],
    ) -> Self {
        Self { rule, name, given, when, then: Then::Refused }
    }

    /// Plays the case, and returns its refusal if it ends with one.
    pub fn check(&self) -> Option<Refusal> {
        let state = (self.given)().state();
        G::Game::assert_conserved(&state);
        let seats = Seats::new(4).unwrap();
        let mut table =
            Table::<G::Game>::at(seats, state, Chance::seeded(Seed::new(Format::Three, CASE_SEED)));
        let mut events = Vec::new();
        let mut refusals = Vec::new();
        for (number, sent) in self.when {
            let command = G::Game::read_command(&json::parse(sent.as_bytes()).unwrap()).unwrap();
            match table.submit(seats.seat(*number).unwrap(), &command) {
                Ok(()) => events.extend(table.events(Viewer::Spectator)),
                Err(rejection) => refusals.push(rejection.into()),
            }
            G::Game::assert_conserved(table.state());
        }
        let (rule, name) = (self.rule, self.name);
        match (&self.then, refusals.as_slice()) {
            (Then::Refused, [refusal]) => {
                assert_eq!(refusal.rule, rule, "{name}: {:?}", refusal.text);
                Some(refusal.clone())
            }
            (Then::Refused, _) => panic!("{rule} {name}: must be refused once: {refusals:?}"),
            (Then::Holds(then), []) => {
                println!("{rule} {name}");
                then(&AfterCase { state: table.state().clone(), events });
                None
            }
            (Then::Holds(_), _) => panic!("{rule} {name}: {refusals:?}"),
        }
    }
}

/// Plays all cases. A file has the refusals in both languages, so that no word changes unnoticed.
pub fn check<G: Given>(cases: &[&Case<G>], file: &str) {
    let said = |case: &&Case<G>| {
        let Refusal { rule, text, .. } = case.check()?;
        Some(format!("{rule}, {}\n  {}\n  {}\n", case.name, text.get(Lang::En), text.get(Lang::It)))
    };
    let said: String = cases.iter().filter_map(said).collect();
    golden::compare(file, &said);
}

/// The seed of every case.
pub const CASE_SEED: [u8; 32] = [4; 32];

/// Checks that every rule with a text has a case or is proved elsewhere, and that the rules which commands
/// can break are complete.
pub fn assert_complete<G: Given>(cases: &[&Case<G>], elsewhere: &[&'static str], broken: &[&'static str]) {
    let headings = G::Game::RULES.en.lines().filter_map(|line| line.strip_prefix("### "));
    let rules: BTreeSet<&str> = headings.filter_map(|heading| heading.split(' ').next()).collect();
    let named = |refused: bool| -> BTreeSet<&str> {
        let cases = cases.iter().filter(|case| matches!(case.then, Then::Refused) == refused);
        cases.map(|case| case.rule).collect()
    };
    let mut kept = named(false);
    kept.extend(elsewhere);
    let missing: Vec<_> = rules.difference(&kept).collect();
    assert!(missing.is_empty(), "rules without a case: {missing:?}");
    assert_eq!(named(true), broken.iter().copied().collect());
}
