//! The whole of what a game must say.

use std::{fmt::Debug, ops::RangeInclusive};

use serde::Serialize;
use serde_json::Value;

use super::{Chance, Legal, Malformed, Seat, Seats, Step, Text, Viewer, catalogue::Named};

/// The numbers of hidden cards, one for each pile of a game.
pub type HiddenCards = [usize; 2];

/// A game: pure functions over a state that only they can see into.
///
/// A command is carried out in two moves. [`check`](Ruleset::check) looks and may refuse; it has no chance
/// and no way to change anything, so a refusal draws nothing and loses nothing. [`play`](Ruleset::play)
/// acts on a command that passed, and cannot refuse.
///
/// Everything is a pure function of what it is given. A [`Table`](super::Table) does the generic part:
///
/// ```
/// use playledger::{
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
    /// The id of the game, for instance `industrial-waste`.
    const NAME: &'static str;
    /// A change of behaviour is a new version beside the old one: a game is bound to its version for ever.
    const VERSION: u32;
    /// How many may play it.
    const SEATS: RangeInclusive<u8>;
    /// What the game is called.
    const TITLE: Text;
    /// What the game is about, in a sentence.
    const SUMMARY: Text;
    /// The rules for players, as Markdown. A refusal names its rule by a number that is a heading here.
    const RULES: Text;

    /// The kinds of its commands, and what they are called.
    const COMMANDS: &'static [Named];

    /// What is agreed before the game, complete, as the log keeps it.
    type Options: Clone + PartialEq + Debug + Serialize;
    /// What a seat can do.
    type Command: Clone + PartialEq + Debug + Serialize;
    /// What a viewer sees of a state.
    type View: PartialEq + Debug + Serialize;
    /// What a viewer may know of something that happened.
    type EventView: Clone + PartialEq + Debug + Serialize;
    /// How a game came out.
    type Outcome: Clone + PartialEq + Debug + Serialize;
    /// Why a command is refused: which rule, and in which words.
    type Rejection: Clone + PartialEq + Debug + Into<Refusal>;

    /// Everything about the game at one moment, but its seed. Never serialized.
    type State: Clone + PartialEq;
    /// Something that happened. Never serialized: [`show`](Ruleset::show) says what a viewer may know.
    type Event: Clone;

    /// Reads the options of a new table; what is left out has its default.
    fn read_options(options: &Value, seats: Seats) -> Result<Self::Options, Malformed>;
    /// Reads a command as a client sends it, strictly. Whether it is legal, [`check`](Ruleset::check) says.
    fn read_command(command: &Value) -> Result<Self::Command, Malformed>;

    /// The box, unpacked: nothing is drawn yet.
    fn open(options: &Self::Options, seats: Seats) -> Self::State;
    /// The set-up, and all that the engine does before the first decision.
    fn start(step: &mut Step<Self>);

    /// Whether a command is legal now; nothing is changed or drawn.
    fn check(state: &Self::State, seat: Seat, command: &Self::Command) -> Result<(), Self::Rejection>;
    /// Carries out a command that [`check`](Ruleset::check) let pass, up to the next decision.
    fn play(step: &mut Step<Self>, seat: Seat, command: &Self::Command);
    /// The only thing that changes a state.
    fn evolve(state: &mut Self::State, event: &Self::Event);

    /// Who must decide, or how the game came out.
    fn status(state: &Self::State) -> Status<'_, Self::Outcome>;
    /// The places of an outcome, which every game has.
    fn placements(outcome: &Self::Outcome) -> Vec<Placement>;
    /// All that a seat may do now.
    fn legal(state: &Self::State, seat: Seat) -> Legal<Self::Command>;
    /// What is played for a seat whose player does not, or nothing if the seat has nothing to decide.
    fn autopilot(state: &Self::State, seat: Seat) -> Option<Self::Command>;

    /// The phase as views name it. It is the same for every viewer.
    fn phase(state: &Self::State) -> &'static str;
    /// How many cards are hidden in each pile. A move that draws nothing and leaves these numbers as they are
    /// has shown nothing, so it can be taken back. Every viewer knows the numbers.
    fn hidden_cards(state: &Self::State) -> HiddenCards;
    /// Whether the seat still takes part.
    fn is_in(state: &Self::State, seat: Seat) -> bool;

    /// What a viewer sees: built up field by field, so that nothing slips in.
    fn view(state: &Self::State, viewer: Viewer) -> Self::View;
    /// What a viewer may know of an event; nothing if it may not know that it happened.
    fn show(event: &Self::Event, viewer: Viewer) -> Option<Self::EventView>;
    /// Another state that this viewer cannot tell from this one, made of what it knows and of chance alone.
    /// Drafts are tried on it, and the tests of secrecy live on it. What is hidden is put in order before it
    /// is shuffled, so that two states that the viewer cannot tell apart become the same one.
    fn redeal(state: &Self::State, viewer: Viewer, chance: &mut Chance) -> Self::State;
}

/// Whether a game goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status<'s, O> {
    /// The seat must decide. Others may be able to do something as well.
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

/// The places of what is listed from best to worst: who is level shares the place, and the next one is
/// skipped.
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

/// A command that the rules forbid: which rule, and what is wrong in one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub rule: &'static str,
    pub text: Text<String>,
    /// Whether another seat must decide, so that there is nothing wrong with the command itself.
    pub is_out_of_turn: bool,
    /// What else is wrong with it, where several conditions are looked at together.
    pub also: Vec<Self>,
}

impl Refusal {
    pub fn new(rule: &'static str, en: impl Into<String>, it: impl Into<String>) -> Self {
        Self { rule, text: Text::new(en, it), is_out_of_turn: false, also: Vec::new() }
    }
}

/// Fails to compile for a type that is `Serialize`: then two traits apply and the call is ambiguous.
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
