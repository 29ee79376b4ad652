//! The contract of the engine.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::{
    IndustrialWaste,
    actions::{auction, choose, discard, grow, innovate, loan, order, sell, waste, workforce},
    cards::Kind,
    catalogue,
    command::Command,
    company::{Area, Direction},
    event::{Event, EventView},
    options::Options,
    phase::{Phase, PhaseName},
    rejection::Rejection,
    round,
    scoring::Outcome,
    state::State,
    view::View,
};
use crate::engine::{
    Chance, HiddenCards, Legal, Malformed, Placement, Ruleset, Seat, Seats, Status, Step, Text, Viewer,
    catalogue::Named, id::Id,
};

impl Ruleset for IndustrialWaste {
    const NAME: &'static str = "industrial-waste";
    const VERSION: u32 = 1;
    const SEATS: RangeInclusive<u8> = 2..=4;
    const TITLE: Text = Text { en: "Industrial Waste", it: "Industrial Waste" };
    const SUMMARY: Text = Text {
        en: "Run a company: take orders, grow and modernise, and keep your waste below the point where an accident ruins you.",
        it: "Dirigi un'azienda: accetta ordini, cresci e modernizza, e tieni i rifiuti sotto la soglia oltre la quale un incidente ti rovina.",
    };
    const RULES: Text = Text { en: include_str!("rules.en.md"), it: include_str!("rules.it.md") };
    const COMMANDS: &'static [Named] = &catalogue::COMMANDS;
    const OPEN_NUMBERS: &'static [&'static str] = &["amount", "count"];

    type Options = Options;
    type Command = Command;
    type View = View;
    type EventView = EventView;
    type Outcome = Outcome;
    type Rejection = Rejection;
    type State = State;
    type Event = Event;

    fn read_options(options: &Value, seats: Seats) -> Result<Options, Malformed> {
        Options::read(options, seats)
    }

    fn read_command(command: &Value) -> Result<Command, Malformed> {
        Command::read(command)
    }

    fn open(options: &Options, seats: Seats) -> State {
        State::new(options, seats)
    }

    fn start(step: &mut Step<Self>) {
        round::start(step);
    }

    fn check(state: &State, seat: Seat, command: &Command) -> Result<(), Rejection> {
        check_time(state, seat, command)?;
        check_cards(state, seat, command)?;
        match command {
            Command::TakeLoan { count } => loan::check_take(state, seat, *count),
            Command::ChooseCombination { column } => choose::check(state, *column),
            Command::CompleteOrder { .. } => order::check(state, seat),
            Command::Grow { advisor } => grow::check(state, seat, *advisor),
            Command::AdjustWorkforce { direction, advisor } => {
                workforce::check(state, seat, *direction, *advisor)
            }
            Command::Innovate { areas, advisor } => innovate::check(state, seat, areas, *advisor),
            Command::RepayLoan {} => loan::check_repay(state, seat),
            Command::Discard { card } => discard::check(*card),
            Command::SaveCard {} => discard::check_save(state, seat),
            Command::Bid { amount } => auction::check_bid(state, seat, *amount),
            Command::SellMaterials { .. }
            | Command::DisposeWaste { .. }
            | Command::RemoveWaste { .. }
            | Command::PassBid {}
            | Command::Bribe {}
            | Command::AcceptAccident {} => Ok(()),
        }
    }

    fn play(step: &mut Step<Self>, seat: Seat, command: &Command) {
        match command {
            Command::TakeLoan { count } => loan::take(step, seat, *count),
            Command::ChooseCombination { column } => choose::play(step, seat, *column),
            Command::SellMaterials { advisor } => sell::play(step, seat, *advisor),
            Command::CompleteOrder { advisor } => order::play(step, seat, *advisor),
            Command::Grow { advisor } => grow::play(step, seat, *advisor),
            Command::AdjustWorkforce { direction, advisor } => {
                workforce::play(step, seat, *direction, *advisor);
            }
            Command::Innovate { areas, advisor } => innovate::play(step, seat, areas, *advisor),
            Command::DisposeWaste { advisor } => waste::dispose(step, seat, *advisor),
            Command::RemoveWaste { advisor } => waste::remove(step, seat, *advisor),
            Command::RepayLoan {} => loan::repay(step, seat),
            Command::Discard { card } => discard::play(step, seat, *card),
            Command::SaveCard {} => discard::save(step, seat),
            Command::Bid { amount } => auction::bid(step, seat, *amount),
            Command::PassBid {} => auction::pass(step, seat),
            Command::Bribe {} => round::resume_accident(step, seat, true),
            Command::AcceptAccident {} => round::resume_accident(step, seat, false),
        }
    }

    fn evolve(state: &mut State, event: &Event) {
        state.evolve(event);
    }

    fn status(state: &State) -> Status<'_, Outcome> {
        match &state.phase {
            Phase::Finished(outcome) => Status::Finished(outcome),
            phase => Status::ToAct(phase.to_act().unwrap_or(state.starting_seat)),
        }
    }

    fn placements(outcome: &Outcome) -> Vec<Placement> {
        outcome.0.iter().map(|score| Placement { seat: score.seat, place: score.place }).collect()
    }

    fn legal(state: &State, seat: Seat) -> Legal<Command> {
        let mut legal = Legal::default();
        if matches!(state.phase, Phase::Finished(_)) {
            return legal;
        }
        if state.phase.to_act() == Some(seat) {
            list_decision(state, seat, &mut legal);
        }
        let room = loan::room(state, seat);
        if room > 0 {
            legal.add_range(Command::TakeLoan { count: 1 }, "count", 1, room);
        }
        legal
    }

    fn autopilot(state: &State, seat: Seat) -> Option<Command> {
        if state.phase.to_act() != Some(seat) {
            return None;
        }
        match &state.phase {
            Phase::Engine | Phase::Dealing(_) | Phase::Finished(_) => None,
            Phase::Choosing { offer, .. } => {
                let (column, _) = offer.left().next()?;
                Some(Command::ChooseCombination { column: column as u64 })
            }
            Phase::Auction(_) => Some(Command::PassBid {}),
            Phase::Accident { .. } | Phase::FinalAccident { .. } => Some(Command::AcceptAccident {}),
            Phase::Playing { .. } => {
                let cards = &state.companies[seat].cards;
                if cards.total() == 1 {
                    return Some(Command::SaveCard {});
                }
                let unwanted = cards.kinds().find(|kind| *kind != Kind::RawMaterials);
                Some(
                    unwanted
                        .map_or(Command::SellMaterials { advisor: false }, |card| Command::Discard { card }),
                )
            }
        }
    }

    fn phase(state: &State) -> &'static str {
        state.phase.name().id()
    }

    fn hidden_cards(state: &State) -> HiddenCards {
        [state.supply.len(), 0]
    }

    fn is_in(_: &State, _: Seat) -> bool {
        true
    }

    fn view(state: &State, viewer: Viewer) -> View {
        View::of(state, viewer)
    }

    fn show(event: &Event, _: Viewer) -> Option<EventView> {
        Some(match event {
            Event::Shuffled { supply } => {
                EventView::SupplyShuffled { cards: u8::try_from(supply.len()).unwrap_or(u8::MAX) }
            }
            Event::Open(event) => event.clone(),
        })
    }

    fn redeal(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
        state.redeal(viewer, chance)
    }
}

/// Checks phase and turn (IW-12.4).
fn check_time(state: &State, seat: Seat, command: &Command) -> Result<(), Rejection> {
    let phase = state.phase.name();
    let fits = match (command, phase) {
        (_, PhaseName::Finished) => return Err(Rejection::GameOver),
        (Command::TakeLoan { .. }, _) => return Ok(()),
        (Command::ChooseCombination { .. }, _) => phase == PhaseName::Choosing,
        (Command::Bid { .. } | Command::PassBid {}, _) => phase == PhaseName::Auction,
        (Command::Bribe {} | Command::AcceptAccident {}, _) => {
            matches!(phase, PhaseName::Accident | PhaseName::FinalAccident)
        }
        (_, _) => phase == PhaseName::Playing,
    };
    match state.phase.to_act() {
        Some(to_act) if to_act != seat => Err(Rejection::NotYourTurn { phase, to_act }),
        _ if !fits => Err(Rejection::NotInThisPhase { phase }),
        _ => Ok(()),
    }
}

/// Checks that the seat holds the cards of the command (IW-7.15).
fn check_cards(state: &State, seat: Seat, command: &Command) -> Result<(), Rejection> {
    let Some((card, advisor)) = command.cards() else {
        return Ok(());
    };
    let cards = &state.companies[seat].cards;
    let needed = [Some(card), advisor.then_some(Kind::Advisor)];
    match needed.into_iter().flatten().find(|card| !cards.holds(*card)) {
        Some(card) => Err(Rejection::CardNotHeld { card }),
        None => Ok(()),
    }
}

/// Lists the decisions of the seat to act.
fn list_decision(state: &State, seat: Seat, legal: &mut Legal<Command>) {
    match &state.phase {
        Phase::Engine | Phase::Dealing(_) | Phase::Finished(_) => {}
        Phase::Choosing { offer, .. } => {
            for (column, _) in offer.left() {
                legal.add(Command::ChooseCombination { column: column as u64 });
            }
        }
        Phase::Auction(_) => {
            let (least, most) = (auction::least_bid(state), state.companies[seat].cash);
            if least <= most {
                legal.add_range(Command::Bid { amount: least }, "amount", least, most);
            }
            legal.add(Command::PassBid {});
        }
        Phase::Accident { .. } | Phase::FinalAccident { .. } => {
            legal.add(Command::Bribe {});
            legal.add(Command::AcceptAccident {});
        }
        Phase::Playing { .. } => {
            for kind in state.companies[seat].cards.kinds() {
                for command in uses(kind) {
                    if IndustrialWaste::check(state, seat, &command).is_ok() {
                        legal.add(command);
                    }
                }
                if kind != Kind::RawMaterials {
                    legal.add(Command::Discard { card: kind });
                }
            }
            if state.companies[seat].cards.total() == 1 {
                legal.add(Command::SaveCard {});
            }
        }
    }
}

/// Returns every way to play a card of this kind, legal or not.
pub(super) fn uses(kind: Kind) -> Vec<Command> {
    let plain_or_advised = |make: fn(bool) -> Command| vec![make(false), make(true)];
    match kind {
        Kind::Order => plain_or_advised(|advisor| Command::CompleteOrder { advisor }),
        Kind::RawMaterials => plain_or_advised(|advisor| Command::SellMaterials { advisor }),
        Kind::Growth => plain_or_advised(|advisor| Command::Grow { advisor }),
        Kind::WasteDisposal => plain_or_advised(|advisor| Command::DisposeWaste { advisor }),
        Kind::WasteRemoval => plain_or_advised(|advisor| Command::RemoveWaste { advisor }),
        Kind::Innovation => innovations(),
        Kind::HiringFiring => Direction::ALL
            .iter()
            .flat_map(|direction| {
                [false, true].map(|advisor| Command::AdjustWorkforce { direction: *direction, advisor })
            })
            .collect(),
        Kind::Advisor => vec![Command::RepayLoan {}],
        Kind::Bribery | Kind::Accident => vec![],
    }
}

/// Returns all single areas, and all pairs for an advisor.
fn innovations() -> Vec<Command> {
    let one = Area::ALL.iter().map(|area| Command::Innovate { areas: vec![*area], advisor: false });
    let two = Area::ALL.iter().flat_map(|first| {
        Area::ALL.iter().map(|second| Command::Innovate { areas: vec![*first, *second], advisor: true })
    });
    one.chain(two).collect()
}
