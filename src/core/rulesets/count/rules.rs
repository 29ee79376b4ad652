//! The rules at both versions.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::{Command, Count, Event, EventView, GOAL, Options, Outcome, Rejection, State, View, words};
use crate::{
    bots::{Level, Net, Playable, Senses, Style},
    engine::{
        Chance, Fields, HiddenCards, Legal, Malformed, Placement, Ruleset, Seat, Seats, Status, Step, Text,
        Viewer, catalogue::Named,
    },
};

impl<const VERSION: u32> Count<VERSION> {
    /// The most that a seat may add: the difference of the versions.
    const MOST: u64 = if VERSION == 1 { 3 } else { 2 };
}

impl<const VERSION: u32> Ruleset for Count<VERSION> {
    const NAME: &'static str = "count";
    const VERSION: u32 = VERSION;
    const SEATS: RangeInclusive<u8> = 2..=4;
    const TITLE: Text = Text { en: "Count", it: "Conta" };
    const SUMMARY: Text = Text { en: "Reach 10.", it: "Arriva a 10." };
    const RULES: Text = Text { en: "# CT-1", it: "# CT-1" };
    const COMMANDS: &'static [Named] = &words::COMMANDS;
    const OPEN_NUMBERS: &'static [&'static str] = &["amount"];

    type Options = Options;
    type Command = Command;
    type View = View;
    type EventView = EventView;
    type Outcome = Outcome;
    type Rejection = Rejection;
    type State = State;
    type Event = Event;

    fn read_options(options: &Value, _: Seats) -> Result<Options, Malformed> {
        Fields::of(options, "options")?.end().map(|()| Options {})
    }

    fn read_command(command: &Value) -> Result<Command, Malformed> {
        Fields::of_kind(command, "command", &words::COMMANDS, |_, fields| {
            fields.whole("amount").map(|amount| Command::Add { amount })
        })
    }

    fn open(_: &Options, seats: Seats) -> State {
        State { seats, sum: 0, to_act: seats.first(), outcome: None }
    }

    fn start(step: &mut Step<Self>) {
        let seats = step.state().seats;
        let first = step.roll("first_seat", &[seats.count().into()])[0];
        let seat = seats.seat(first.into()).unwrap_or(seats.first());
        step.emit(Event(EventView::Started { seat }));
    }

    fn check(state: &State, seat: Seat, Command::Add { amount }: &Command) -> Result<(), Rejection> {
        if state.outcome.is_some() || seat != state.to_act {
            return Err(Rejection::NotYourTurn);
        }
        if (1..=Self::MOST).contains(amount) { Ok(()) } else { Err(Rejection::WrongAmount) }
    }

    fn play(step: &mut Step<Self>, seat: Seat, Command::Add { amount }: &Command) {
        step.emit(Event(EventView::Added { seat, amount: *amount }));
        if step.state().sum >= GOAL {
            step.emit(Event(EventView::Finished { winner: seat }));
        }
    }

    fn evolve(state: &mut State, Event(event): &Event) {
        match event {
            EventView::Started { seat } => state.to_act = *seat,
            EventView::Added { seat, amount } => {
                state.sum += amount;
                state.to_act = state.seats.after(*seat);
            }
            EventView::Finished { winner } => {
                let place = |seat| if seat == *winner { 1 } else { 2 };
                let placements = state.seats.iter().map(|seat| Placement { seat, place: place(seat) });
                state.outcome = Some(Outcome(placements.collect()));
            }
        }
    }

    fn status(state: &State) -> Status<'_, Outcome> {
        state.outcome.as_ref().map_or(Status::ToAct(state.to_act), Status::Finished)
    }

    fn placements(outcome: &Outcome) -> Vec<Placement> {
        outcome.0.clone()
    }

    fn legal(state: &State, seat: Seat) -> Legal<Command> {
        let mut legal = Legal::default();
        if Self::check(state, seat, &Command::Add { amount: 1 }).is_ok() {
            legal.add_range(Command::Add { amount: 1 }, "amount", 1, Self::MOST);
        }
        legal
    }

    fn autopilot(state: &State, seat: Seat) -> Option<Command> {
        Self::candidates(state, seat).into_iter().next()
    }

    fn phase(state: &State) -> &'static str {
        if state.outcome.is_some() { "finished" } else { "adding" }
    }

    fn hidden_cards(_: &State) -> HiddenCards {
        [0, 0]
    }

    fn is_in(_: &State, _: Seat) -> bool {
        true
    }

    fn view(state: &State, _: Viewer) -> View {
        View {
            phase: Self::phase(state),
            to_act: state.outcome.is_none().then_some(state.to_act),
            sum: state.sum,
            result: state.outcome.clone(),
        }
    }

    fn show(Event(event): &Event, _: Viewer) -> Option<EventView> {
        Some(event.clone())
    }

    fn redeal(state: &State, _: Viewer, _: &mut Chance) -> State {
        state.clone()
    }
}

impl<const VERSION: u32> Playable for Count<VERSION> {
    const LEAD: i64 = 1;

    fn candidates(state: &State, seat: Seat) -> Vec<Command> {
        Self::legal(state, seat).commands.into_iter().map(|listed| listed.command).collect()
    }

    fn worth(state: &State, seat: Seat) -> i64 {
        let is_won = |one: &Placement| one.seat == seat && one.place == 1;
        i64::from(state.outcome.as_ref().is_some_and(|outcome| outcome.0.iter().any(is_won)))
    }

    fn sense(_: &State, _: Seat, _: Seat, _: &mut Senses) {}

    fn style(_: Level) -> Style<'static> {
        Style::THUMB
    }

    fn net() -> Option<&'static Net> {
        None
    }
}
