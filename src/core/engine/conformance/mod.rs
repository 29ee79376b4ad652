//! The suite that every ruleset must pass: random games, replays, secrecy, and legal lists that match
//! `check`.

#[cfg(any(test, feature = "openapi"))]
mod kinds;
mod machines;
mod redeal;
mod words;

use serde_json::{Value, json};

#[cfg(any(test, feature = "openapi"))]
pub use kinds::every_kind_has_its_words_in_both_languages;
pub use machines::{
    machines_decide_alike_in_states_that_their_seat_cannot_tell_apart, machines_reach_the_end,
    machines_think_of_legal_commands_only,
};
pub use redeal::what_is_redealt_tells_nothing_of_the_true_state;
pub use words::{what_is_said_is_kept_word_for_word, words_tell_a_viewer_no_more_than_it_sees};

use super::{
    Chance, Draw, Format, Legal, LegalCommand, Malformed, Refusal, Ruleset, Seat, Seats, Seed, Status, Table,
    Viewer, step::Step, voice::Wording,
};
pub use crate::testing::TestDice;

/// Additions of a ruleset for the suite.
pub trait Specimen: Wording {
    /// No random game may have more commands.
    const MOST_COMMANDS: usize;

    /// Options for a random game.
    fn some_options(dice: &mut TestDice, seats: Seats) -> Value;
    /// Returns a well-formed command, mostly an illegal one.
    fn some_command(dice: &mut TestDice) -> Value;
    /// Returns a command that cannot be listed, legal or not.
    fn some_free_form(_: &mut TestDice, _: &Self::State, _: Seat) -> Option<Self::Command> {
        None
    }
    /// Panics if a quantity that the rules conserve is lost or out of bounds.
    fn assert_conserved(state: &Self::State);
}

/// A random game in progress.
pub struct RandomGame<R: Ruleset> {
    pub options: R::Options,
    pub table: Table<R>,
    pub start_draws: Vec<Draw>,
    pub dice: TestDice,
}

impl<R: Specimen> RandomGame<R> {
    pub fn begin(number: u64) -> Self {
        let mut dice = TestDice::new(number);
        let counts: Vec<u8> = R::SEATS.collect();
        let seats = Seats::new((*dice.pick(&counts)).into()).unwrap();
        let options = R::read_options(&R::some_options(&mut dice, seats), seats).unwrap();
        let table = Table::start(&options, seats, Chance::seeded(dice.seed()));
        let start_draws = table.draws().to_vec();
        Self { options, table, start_draws, dice }
    }

    /// Returns a legal command, or `None` at the end of the game.
    pub fn choose(&mut self) -> Option<(Seat, R::Command)> {
        let Status::ToAct(to_act) = self.table.status() else {
            return None;
        };
        let others: Vec<Seat> = self.table.seats().iter().collect();
        let mut seat = if self.dice.seldom() { *self.dice.pick(&others) } else { to_act };
        let mut legal = self.table.legal(seat);
        if legal.commands.is_empty() {
            seat = to_act;
            legal = self.table.legal(seat);
        }
        if !legal.free_form.is_empty() && self.dice.seldom() {
            let free = R::some_free_form(&mut self.dice, self.table.state(), seat);
            if let Some(command) = free.filter(|command| self.table.check(seat, command).is_ok()) {
                return Some((seat, command));
            }
        }
        assert!(!legal.commands.is_empty(), "the seat that must act has nothing that it can do");
        let LegalCommand { mut command, vary, .. } = self.dice.pick(&legal.commands).clone();
        if let Some(vary) = vary {
            let value = vary.min + self.dice.below((vary.max - vary.min).min(6) + 1);
            command = with_field::<R>(&command, vary.field, value).unwrap();
        }
        Some((seat, command))
    }

    /// Plays to the end. `look` sees every command, and the table before it.
    #[must_use]
    pub fn play(mut self, mut look: impl FnMut(&mut Self, Seat, &R::Command)) -> Self {
        let mut commands = 0;
        while let Some((seat, command)) = self.choose() {
            look(&mut self, seat, &command);
            let accepted = self.table.submit(seat, &command);
            assert_eq!(accepted, Ok(()), "a listed command: {command:?}");
            commands += 1;
            assert!(commands <= R::MOST_COMMANDS, "the game does not end");
        }
        self
    }
}

fn with_field<R: Ruleset>(command: &R::Command, field: &str, value: u64) -> Result<R::Command, Malformed> {
    let mut changed = serde_json::to_value(command).unwrap();
    changed[field] = value.into();
    R::read_command(&changed)
}

/// Returns whether a list has this command, as listed or with its field varied.
fn lists<R: Ruleset>(legal: &Legal<R::Command>, command: &R::Command) -> bool {
    legal.commands.iter().any(|listed| match &listed.vary {
        None => listed.command == *command,
        Some(vary) => {
            let value = serde_json::to_value(command).unwrap()[vary.field].as_u64();
            value.filter(|value| (vary.min..=vary.max).contains(value)).is_some_and(|value| {
                with_field::<R>(&listed.command, vary.field, value).as_ref() == Ok(command)
            })
        }
    })
}

pub fn games_end_and_conserve<R: Specimen>() {
    for number in 0..2_000 {
        let game = RandomGame::<R>::begin(number).play(|game, _, _| {
            R::assert_conserved(game.table.state());
            let Status::ToAct(seat) = game.table.status() else { panic!("nobody is to act") };
            assert!(game.table.autopilot(seat).is_some(), "an autopilot for the seat that must act");
            for any in game.table.seats().iter() {
                if let Some(command) = game.table.autopilot(any) {
                    assert_eq!(game.table.check(any, &command), Ok(()), "the autopilot's command");
                }
            }
        });
        R::assert_conserved(game.table.state());
        let Status::Finished(outcome) = game.table.status() else { panic!("the game has no end") };
        let mut seats: Vec<Seat> = R::placements(outcome).iter().map(|placed| placed.seat).collect();
        seats.sort_unstable();
        assert!(seats.into_iter().eq(game.table.seats().iter()), "every seat has a place");
        for viewer in game.table.seats().iter() {
            assert_eq!(game.table.legal(viewer), Legal::default(), "nothing is legal after the end");
            assert_eq!(game.table.autopilot(viewer), None);
        }
    }
}

pub fn autopilots_alone_reach_the_end<R: Specimen>() {
    for number in 0..50 {
        let mut table = RandomGame::<R>::begin(number).table;
        let mut commands = 0;
        while let Status::ToAct(seat) = table.status() {
            let command = table.autopilot(seat).unwrap();
            table.submit(seat, &command).unwrap();
            commands += 1;
            assert!(commands <= R::MOST_COMMANDS, "the autopilots go on for ever");
        }
    }
}

pub fn replays_give_the_same_views<R: Specimen>() {
    for number in 0..60 {
        let mut log = Vec::new();
        let mut seen = Vec::new();
        let look = |table: &Table<R>| -> Vec<(R::View, Vec<R::EventView>)> {
            Viewer::all(table.seats()).map(|viewer| (table.view(viewer), table.events(viewer))).collect()
        };
        let mut game = RandomGame::<R>::begin(number);
        while let Some((seat, command)) = game.choose() {
            seen.push(look(&game.table));
            game.table.submit(seat, &command).unwrap();
            log.push((seat, command, game.table.draws().to_vec()));
        }
        let (seats, draws) = (game.table.seats(), game.start_draws);
        let mut again = Table::<R>::restart(&game.options, seats, Chance::recorded(), draws).unwrap();
        for ((seat, command, draws), seen) in log.into_iter().zip(seen) {
            assert_eq!(look(&again), seen);
            let written = serde_json::to_value(&command).unwrap();
            let read = R::read_command(&written).unwrap();
            assert_eq!(read, command, "what is written is read back");
            assert_eq!(again.replay(seat, &read, draws), Ok(()));
        }
        assert!(again.state() == game.table.state());
    }
}

pub fn viewers_cannot_tell_a_redealt_state<R: Specimen>() {
    let mut told_apart = 0;
    for number in 0..60 {
        let _ = RandomGame::<R>::begin(number).play(|game, seat, command| {
            for viewer in Viewer::all(game.table.seats()) {
                let mut chance = Chance::seeded(game.dice.seed());
                let state = R::redeal(game.table.state(), viewer, &mut chance);
                let other = Table::at(game.table.seats(), state, Chance::seeded(game.dice.seed()));
                assert_eq!(game.table.view(viewer), other.view(viewer));
                if let Viewer::Seat(own) = viewer {
                    assert_eq!(game.table.legal(own), other.legal(own));
                    assert_same_refusals(game, &other, own);
                }
                assert_same_events(game, &other, viewer, seat, command);
                let tells = |seer| game.table.view(seer) != other.view(seer);
                told_apart += usize::from(Viewer::all(game.table.seats()).any(tells));
            }
        });
    }
    assert!(told_apart > 0, "what is hidden from one is seen by another, and was dealt anew");
}

fn assert_same_refusals<R: Specimen>(game: &mut RandomGame<R>, other: &Table<R>, seat: Seat) {
    for _ in 0..3 {
        if let Ok(command) = R::read_command(&R::some_command(&mut game.dice)) {
            let said = |table: &Table<R>| table.check(seat, &command).map_err(Into::<Refusal>::into);
            assert_eq!(said(&game.table), said(other), "{command:?}");
        }
    }
}

/// Plays the same command in both states. If the viewer cannot tell the results apart, their events must look
/// the same.
fn assert_same_events<R: Specimen>(
    game: &mut RandomGame<R>,
    other: &Table<R>,
    viewer: Viewer,
    seat: Seat,
    command: &R::Command,
) {
    if other.check(seat, command).is_err() {
        return;
    }
    let happen = |table: &Table<R>| {
        let (mut state, mut events) = (table.state().clone(), Vec::new());
        let mut chance = Chance::seeded(Seed::new(Format::Three, [1; 32]));
        R::play(&mut Step::new(&mut state, &mut chance, &mut events), seat, command);
        events
    };
    let (mut here, mut there) = (game.table.state().clone(), other.state().clone());
    for (event, twin) in happen(&game.table).iter().zip(&happen(other)) {
        R::evolve(&mut here, event);
        R::evolve(&mut there, twin);
        if R::view(&here, viewer) != R::view(&there, viewer) {
            return;
        }
        assert_eq!(R::show(event, viewer), R::show(twin, viewer), "{viewer:?} {command:?}");
    }
}

pub fn lists_agree_with_what_is_accepted<R: Specimen>() {
    for number in 0..300 {
        let _ = RandomGame::<R>::begin(number).play(|game, _, _| {
            for seat in game.table.seats().iter() {
                let legal = game.table.legal(seat);
                for listed in &legal.commands {
                    assert_eq!(game.table.check(seat, &listed.command), Ok(()), "{listed:?}");
                }
                for _ in 0..4 {
                    assert_agrees(game, seat, &legal);
                }
            }
        });
    }
}

fn assert_agrees<R: Specimen>(game: &mut RandomGame<R>, seat: Seat, legal: &Legal<R::Command>) {
    let wire = R::some_command(&mut game.dice);
    let Ok(command) = R::read_command(&wire) else {
        return;
    };
    let kind = wire["type"].as_str().unwrap_or_default();
    let verdict = game.table.check(seat, &command);
    if legal.free_form.contains(&kind) {
        return;
    }
    assert_eq!(verdict.is_ok(), lists::<R>(legal, &command), "{wire} by {seat}: {verdict:?}");
    if let Err(rejection) = verdict {
        let refusal: Refusal = rejection.into();
        assert!(!refusal.text.en.is_empty() && !refusal.text.it.is_empty());
        assert!(R::RULES.en.contains(&format!("### {} ", refusal.rule)), "{} has a text", refusal.rule);
    }
}

pub fn malformed_commands_are_refused<R: Specimen>() {
    let mut dice = TestDice::new(7);
    for _ in 0..20_000 {
        let mut sent = R::some_command(&mut dice);
        let fields: Vec<String> =
            sent.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default();
        let junk =
            [json!(null), json!([]), json!({}), json!(true), json!(-3), json!("zzz"), json!({"order": null})];
        let broken = match dice.below(4) {
            0 => json!([sent]),
            1 => json!({"type": dice.below(9)}),
            2 => {
                sent["unheard_of"] = json!(1);
                sent
            }
            _ => {
                let field: &String = dice.pick(&fields);
                sent[field] = dice.pick(&junk).clone();
                if R::read_command(&sent).is_ok() {
                    continue;
                }
                sent
            }
        };
        assert!(R::read_command(&broken).is_err(), "{broken}");
    }
}

pub fn both_texts_have_the_same_rules<R: Ruleset>() {
    let numbers = |text: &'static str| -> Vec<&str> {
        let headings = text.lines().filter_map(|line| line.strip_prefix("### "));
        headings.filter_map(|heading| heading.split(' ').next()).collect()
    };
    let english = numbers(R::RULES.en);
    assert!(!english.is_empty(), "the rules are numbered");
    assert_eq!(english, numbers(R::RULES.it));
    let mut once = english.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), english.len(), "each number stands once");
}

/// Declares the suite of a ruleset.
macro_rules! suite {
    ($Ruleset:ty; $($test:ident)+) => {
        $(
            #[test]
            fn $test() {
                $crate::engine::conformance::$test::<$Ruleset>();
            }
        )+
    };
    ($Ruleset:ty) => {
        $crate::engine::conformance::suite! { $Ruleset;
            games_end_and_conserve
            autopilots_alone_reach_the_end
            replays_give_the_same_views
            viewers_cannot_tell_a_redealt_state
            what_is_redealt_tells_nothing_of_the_true_state
            machines_decide_alike_in_states_that_their_seat_cannot_tell_apart
            machines_think_of_legal_commands_only
            machines_reach_the_end
            lists_agree_with_what_is_accepted
            malformed_commands_are_refused
            both_texts_have_the_same_rules
            words_tell_a_viewer_no_more_than_it_sees
            what_is_said_is_kept_word_for_word
        }
        #[cfg(any(test, feature = "openapi"))]
        $crate::engine::conformance::suite! { $Ruleset; every_kind_has_its_words_in_both_languages }
    };
}
pub(crate) use suite;
