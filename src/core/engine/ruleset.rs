//! The contract of a game.

use std::{fmt::Debug, ops::RangeInclusive};

use serde::Serialize;
use serde_json::Value;

use super::{Chance, Legal, Malformed, Seat, Seats, Step, Text, Viewer, catalogue::Named};

/// Numbers of hidden cards, one for each pile of a game.
pub type HiddenCards = [usize; 2];

/// A game: pure functions over a state that only they can see into.
///
/// A command takes two steps. [`check`](Ruleset::check) may refuse it, and cannot draw or change anything, so
/// a refusal loses nothing. [`play`](Ruleset::play) carries out a command that passed, and cannot refuse.
///
/// Every function depends only on its arguments. A [`Table`](super::Table) does the generic part:
///
/// ```
/// use playledger_core::{
///     engine::{Chance, Ruleset, Seats, Format, Seed, Table},
///     rulesets::ecopolis::Ecopolis,
/// };
///
/// let seats = Seats::new(2).unwrap();
/// let options = Ecopolis::read_options(&serde_json::json!({"first_seat": 1}), seats).unwrap();
/// let table = Table::<Ecopolis>::start(&options, seats, Chance::seeded(Seed::new(Format::Three, [7; 32])));
///
/// let second = seats.seat(1).unwrap();
/// let roll = Ecopolis::read_command(&serde_json::json!({"type": "roll"})).unwrap();
/// assert!(table.check(second, &roll).is_ok());
/// let refusal = table.check(seats.first(), &roll).unwrap_err();
/// println!("{refusal:?}"); // it names the rule
/// ```
pub trait Ruleset: Sized + 'static {
    /// Id of the game, for instance `industrial-waste`.
    const NAME: &'static str;
    /// Version of the rules. Changed rules are a new version, and running games keep theirs.
    const VERSION: u32;
    /// Possible numbers of seats.
    const SEATS: RangeInclusive<u8>;
    /// Name of the game.
    const TITLE: Text;
    /// The game in a sentence.
    const SUMMARY: Text;
    /// The rules for players, as Markdown. A refusal names its rule by the number of a heading.
    const RULES: Text;

    /// Types of commands, with their names.
    const COMMANDS: &'static [Named];

    /// Fields of commands whose number a plan may leave open. The log format knows `amount` and `count`.
    const OPEN_NUMBERS: &'static [&'static str];

    /// The options of a game, complete, as the log keeps them.
    type Options: Clone + PartialEq + Debug + Serialize;
    /// A command of a seat.
    type Command: Clone + PartialEq + Debug + Serialize;
    /// A state as a viewer may see it.
    type View: PartialEq + Debug + Serialize;
    /// An event as a viewer may see it.
    type EventView: Clone + PartialEq + Debug + Serialize;
    /// The result of a game. It is serialized as a list.
    type Outcome: Clone + PartialEq + Debug + Serialize;
    /// The reason of a refusal: a rule, and texts.
    type Rejection: Clone + PartialEq + Debug + Into<Refusal>;

    /// The whole game at one moment, without its seed. Never serialized.
    type State: Clone + PartialEq;
    /// A change of the state. Never serialized: [`show`](Ruleset::show) makes an `EventView`.
    type Event: Clone;

    /// Reads the options of a new table. Absent options have defaults.
    fn read_options(options: &Value, seats: Seats) -> Result<Self::Options, Malformed>;
    /// Reads a command of a client strictly. [`check`](Ruleset::check) decides whether the command is legal.
    fn read_command(command: &Value) -> Result<Self::Command, Malformed>;

    /// Returns the state before the set-up, without any draw.
    fn open(options: &Self::Options, seats: Seats) -> Self::State;
    /// Sets the game up and plays to the first decision.
    fn start(step: &mut Step<Self>);

    /// Returns whether a command is legal now, without changes and draws.
    fn check(state: &Self::State, seat: Seat, command: &Self::Command) -> Result<(), Self::Rejection>;
    /// Carries out a command that passed [`check`](Ruleset::check), up to the next decision.
    fn play(step: &mut Step<Self>, seat: Seat, command: &Self::Command);
    /// Applies an event. No other function changes a state.
    fn evolve(state: &mut Self::State, event: &Self::Event);

    /// Returns the seat that must decide, or the result.
    fn status(state: &Self::State) -> Status<'_, Self::Outcome>;
    /// Returns the places of all seats.
    fn placements(outcome: &Self::Outcome) -> Vec<Placement>;
    /// Returns the legal commands of a seat.
    fn legal(state: &Self::State, seat: Seat) -> Legal<Self::Command>;
    /// Returns the command of an absent player, or `None` if the seat has no decision.
    fn autopilot(state: &Self::State, seat: Seat) -> Option<Self::Command>;

    /// Returns the phase as views name it: the same for every viewer.
    fn phase(state: &Self::State) -> &'static str;
    /// Returns the number of hidden cards in each pile, which every viewer knows. A move can be taken back if
    /// it draws nothing and leaves these numbers as they are.
    fn hidden_cards(state: &Self::State) -> HiddenCards;
    /// Returns whether the seat still takes part.
    fn is_in(state: &Self::State, seat: Seat) -> bool;

    /// Returns the view of a state. It is built field by field, so no secret slips in.
    fn view(state: &Self::State, viewer: Viewer) -> Self::View;
    /// Returns the view of an event, or `None` if the viewer may not know that the event happened.
    fn show(event: &Self::Event, viewer: Viewer) -> Option<Self::EventView>;
    /// Returns a state that the viewer cannot tell from the true one, made only of what the viewer knows and
    /// of `chance`. Drafts are tried on such states, and the tests of secrecy compare them. Hidden cards are
    /// sorted before they are shuffled, so two states that the viewer cannot tell apart become equal.
    fn redeal(state: &Self::State, viewer: Viewer, chance: &mut Chance) -> Self::State;
}

/// The status of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status<'s, O> {
    /// The seat must decide. Other seats may have legal commands too.
    ToAct(Seat),
    Finished(&'s O),
}

/// Place of a seat. Tied seats share a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct Placement {
    pub seat: Seat,
    #[schema(minimum = 1, maximum = 4)]
    pub place: u8,
}

/// Returns the places of keys, from best to worst. Equal keys share a place, and the next place is skipped.
pub fn places<K: PartialEq>(ranked: impl IntoIterator<Item = K>) -> Vec<u8> {
    let mut places: Vec<u8> = Vec::new();
    let mut ahead: Option<K> = None;
    for (place, key) in (1..).zip(ranked) {
        let level = places.last().copied().filter(|_| ahead.as_ref() == Some(&key));
        places.push(level.unwrap_or(place));
        ahead = Some(key);
    }
    places
}

/// A command that the rules forbid: the rule, and the mistake in one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub rule: &'static str,
    pub text: Text<String>,
    /// Whether the only mistake is that another seat must decide.
    pub is_out_of_turn: bool,
    /// Further mistakes, for commands with several conditions.
    pub also: Vec<Self>,
}

impl Refusal {
    pub fn new(rule: &'static str, en: impl Into<String>, it: impl Into<String>) -> Self {
        Self { rule, text: Text::new(en, it), is_out_of_turn: false, also: Vec::new() }
    }
}

/// Fails to compile for a `Serialize` type: two traits apply, so the call is ambiguous.
macro_rules! assert_never_serialized {
    ($Type:ty) => {
        const _: fn() = || {
            struct Serialized;
            trait NeverSerialized<Case> {
                fn holds() {}
            }
            impl<T> NeverSerialized<()> for T {}
            impl<T: serde::Serialize> NeverSerialized<Serialized> for T {}
            <$Type as NeverSerialized<_>>::holds();
        };
    };
}
pub(crate) use assert_never_serialized;
