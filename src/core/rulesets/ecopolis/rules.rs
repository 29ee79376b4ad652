//! The contract of the engine.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::{
    Ecopolis,
    actions::{
        bankruptcy, buy, credits, end, exchange, give_back, implement, kind,
        trade::{self, Proposal},
    },
    catalogue,
    command::Command,
    debt::Owed,
    event::{Event, EventView},
    options::Options,
    outcome::Outcome,
    phase::{Moment, Phase},
    rejection::Rejection,
    state::State,
    tables::Territory,
    turn,
    view::View,
};
use crate::engine::{
    Chance, HiddenCards, Legal, Malformed, Placement, Ruleset, Seat, Seats, Status, Step, Text, Viewer,
    catalogue::Named, id::Id,
};

impl Ruleset for Ecopolis {
    const NAME: &'static str = "ecopolis";
    const VERSION: u32 = 2;
    const SEATS: RangeInclusive<u8> = 2..=4;
    const TITLE: Text = Text { en: "Ecopolis", it: "Ecopolis" };
    const SUMMARY: Text = Text {
        en: "Travel the province of Modena, buy its territories and bring them, action by action, to the best CO2 balance.",
        it: "Viaggia per la provincia di Modena, compra i suoi territori e portali, azione dopo azione, al miglior bilancio di CO2.",
    };
    const RULES: Text = Text { en: include_str!("rules.en.md"), it: include_str!("rules.it.md") };
    const COMMANDS: &'static [Named] = &catalogue::COMMANDS;
    const OPEN_NUMBERS: &'static [&'static str] = &["count"];

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
        turn::start(step);
    }

    fn check(state: &State, seat: Seat, command: &Command) -> Result<(), Rejection> {
        check_time(state, seat, command)?;
        match command {
            Command::BuyTerritory {} => buy::check(state, seat),
            Command::ImplementAction { territory } => implement::check(state, seat, *territory),
            Command::ExchangeActions { actions } => exchange::check(state, seat, actions),
            Command::BuyCredits { count } => credits::check(state, seat, *count),
            Command::ProposeTrade { to, give, take, settles_debt } => {
                let proposal = Proposal { to: *to, give, take, settles_debt: *settles_debt };
                trade::check_propose(state, seat, &proposal)
            }
            Command::PayInCredits {} => kind::check(state, seat),
            Command::ReturnTerritory { territory } => give_back::check(state, seat, *territory),
            Command::CounterTrade { give, take } => trade::check_counter(state, give, take),
            Command::AcceptTrade {} => trade::check_accept(state),
            Command::DeclareBankruptcy {} => bankruptcy::check(state, seat),
            Command::Roll {} | Command::EndTurn {} | Command::RejectTrade {} | Command::WithdrawTrade {} => {
                Ok(())
            }
        }
    }

    fn play(step: &mut Step<Self>, seat: Seat, command: &Command) {
        match command {
            Command::Roll {} => turn::roll(step, seat),
            Command::BuyTerritory {} => buy::play(step, seat),
            Command::ImplementAction { territory } => implement::play(step, seat, *territory),
            Command::ExchangeActions { actions } => exchange::play(step, seat, actions),
            Command::EndTurn {} => end::play(step, seat),
            Command::BuyCredits { count } => credits::play(step, seat, *count),
            Command::ProposeTrade { to, give, take, settles_debt } => {
                let proposal = Proposal { to: *to, give, take, settles_debt: *settles_debt };
                trade::propose(step, seat, &proposal);
            }
            Command::PayInCredits {} => kind::play(step, seat),
            Command::ReturnTerritory { territory } => give_back::play(step, seat, *territory),
            Command::CounterTrade { give, take } => trade::counter(step, give, take),
            Command::AcceptTrade {} => trade::accept(step),
            Command::RejectTrade {} => trade::reject(step, seat),
            Command::WithdrawTrade {} => trade::withdraw(step, seat),
            Command::DeclareBankruptcy {} => bankruptcy::play(step, seat),
        }
    }

    fn evolve(state: &mut State, event: &Event) {
        state.evolve(event);
    }

    fn status(state: &State) -> Status<'_, Outcome> {
        match &state.phase {
            Phase::Finished(outcome) => Status::Finished(outcome),
            phase => Status::ToAct(phase.to_act(state.turn_seat).unwrap_or(state.turn_seat)),
        }
    }

    fn placements(outcome: &Outcome) -> Vec<Placement> {
        outcome.0.iter().map(|score| Placement { seat: score.seat, place: score.place }).collect()
    }

    fn legal(state: &State, seat: Seat) -> Legal<Command> {
        let mut legal = Legal::default();
        let mut offer = |command: Command| {
            if Self::check(state, seat, &command).is_ok() {
                legal.add(command);
            }
        };
        match &state.phase {
            Phase::Trade { offer: open, .. } => {
                offer(Command::AcceptTrade {});
                offer(Command::RejectTrade {});
                offer(Command::WithdrawTrade {});
                if open.to == seat && !open.counter {
                    legal.free_form.push("counter_trade");
                }
            }
            Phase::Turn(_) if seat == state.turn_seat => {
                if state.offers_left() > 0 {
                    legal.free_form.push("propose_trade");
                }
                let credits = credits::most(state, seat);
                if credits > 0 {
                    legal.add_range(Command::BuyCredits { count: 1 }, "count", 1, credits);
                }
                let legal_now = turns(state, seat).into_iter();
                legal_now
                    .filter(|command| Self::check(state, seat, command).is_ok())
                    .for_each(|command| legal.add(command));
            }
            Phase::Turn(_) | Phase::Finished(_) => {}
        }
        legal
    }

    fn autopilot(state: &State, seat: Seat) -> Option<Command> {
        match &state.phase {
            Phase::Trade { offer, .. } if offer.from == seat => Some(Command::WithdrawTrade {}),
            Phase::Trade { offer, .. } if offer.to == seat => Some(Command::RejectTrade {}),
            Phase::Turn(moment) if state.turn_seat == seat => Some(match moment {
                Moment::Roll => Command::Roll {},
                Moment::Square => Command::EndTurn {},
                Moment::Debt(owed) => settlement(state, seat, *owed),
            }),
            _ => None,
        }
    }

    fn phase(state: &State) -> &'static str {
        state.phase.name().id()
    }

    fn hidden_cards(state: &State) -> HiddenCards {
        [usize::from(state.bag.total()), state.event_deck.len()]
    }

    fn is_in(state: &State, seat: Seat) -> bool {
        state.players[seat].eliminated.is_none()
    }

    fn view(state: &State, viewer: Viewer) -> View {
        View::of(state, viewer)
    }

    fn show(event: &Event, viewer: Viewer) -> Option<EventView> {
        Some(event.show(viewer))
    }

    fn redeal(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
        state.redeal(viewer, chance)
    }
}

/// Checks phase and turn, in the order of CO-4.5.
fn check_time(state: &State, seat: Seat, command: &Command) -> Result<(), Rejection> {
    let moment = match &state.phase {
        Phase::Finished(_) => return Err(Rejection::GameOver),
        Phase::Trade { offer, .. } => {
            let answers = match command {
                Command::AcceptTrade {} | Command::RejectTrade {} | Command::CounterTrade { .. } => {
                    seat == offer.to
                }
                Command::WithdrawTrade {} => seat == offer.from,
                _ => false,
            };
            let stands =
                Rejection::OfferStands { to: offer.to, is_others: ![offer.from, offer.to].contains(&seat) };
            return if answers { Ok(()) } else { Err(stands) };
        }
        Phase::Turn(moment) => *moment,
    };
    if seat != state.turn_seat {
        return Err(Rejection::NotYourTurn { to_act: state.turn_seat });
    }
    let fits = match command {
        Command::Roll {} => moment == Moment::Roll,
        Command::BuyTerritory {}
        | Command::ImplementAction { .. }
        | Command::ExchangeActions { .. }
        | Command::EndTurn {} => moment == Moment::Square,
        Command::ProposeTrade { .. }
        | Command::BuyCredits { .. }
        | Command::PayInCredits {}
        | Command::ReturnTerritory { .. }
        | Command::DeclareBankruptcy {} => true,
        Command::AcceptTrade {}
        | Command::RejectTrade {}
        | Command::CounterTrade { .. }
        | Command::WithdrawTrade {} => false,
    };
    if fits { Ok(()) } else { Err(Rejection::NotNow { phase: moment.name() }) }
}

/// Returns every listable command of the seat's own turn, legal or not, in the order of section 14.
fn turns(state: &State, seat: Seat) -> Vec<Command> {
    let every = |command: fn(Territory) -> Command| Territory::ALL.iter().copied().map(command);
    let pairs = exchange::pairs(&state.players[seat].hand);
    let mut commands: Vec<Command> = every(|territory| Command::ReturnTerritory { territory }).collect();
    commands.extend([Command::PayInCredits {}, Command::DeclareBankruptcy {}]);
    commands.extend([Command::Roll {}, Command::BuyTerritory {}]);
    commands.extend(pairs.map(|actions| Command::ExchangeActions { actions }));
    commands.extend(every(|territory| Command::ImplementAction { territory }));
    commands.push(Command::EndTurn {});
    commands
}

/// Returns how the autopilot deals with a debt (section 14).
fn settlement(state: &State, seat: Seat, owed: Owed) -> Command {
    if owed.lacking(&state.players[seat]) == 0 {
        return match owed {
            Owed::Credits(_) => Command::BuyCredits { count: owed.missing(&state.players[seat]) },
            Owed::Euros { .. } => Command::PayInCredits {},
        };
    }
    let land = give_back::least(state, seat).filter(|_| bankruptcy::could_pay(state, seat, owed));
    land.map_or(Command::DeclareBankruptcy {}, |territory| Command::ReturnTerritory { territory })
}
