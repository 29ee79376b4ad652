//! Effects of the event cards (section 13).

use std::cmp::Reverse;

use super::{
    Game,
    board::VIA,
    cards::Action,
    debt::Owed,
    event::EventView,
    rows::SLOTS,
    state::State,
    tables::{EventCard, Territory},
    turn,
};
use crate::engine::{Seat, id::Id};

const GRANT: u64 = 2;
const TOURISM: u64 = 100;
const FAIR: u64 = 300;
const FINE: u64 = 200;

/// Carries out an event that a seat drew on a square of this kind.
pub fn happen(step: &mut Game, seat: Seat, event: EventCard, kind: Action) {
    match event {
        EventCard::SolarGrant => receive_credits(step, seat, GRANT),
        EventCard::RegionalFund => support_the_lowest(step),
        EventCard::Ecotourism => {
            let visited = step.state().owned(seat).filter(|(_, holding)| holding.done > 0).count();
            receive_euros(step, seat, TOURISM * visited as u64);
        }
        EventCard::Fair => receive_euros(step, seat, FAIR),
        EventCard::NewIdeas => {
            let cards = step.state().players[seat].hand.total();
            step.emit(EventView::HandReturned { seat, cards }.into());
            turn::draw_actions(step, seat, cards);
        }
        EventCard::BestPractice => receive_credits(step, seat, done_of(step.state(), seat, kind)),
        EventCard::Inspection => {
            if done_of(step.state(), seat, kind) == 0 {
                turn::owe(step, seat, Owed::Euros { amount: FINE, to: None });
            }
        }
        EventCard::HeatWave => {
            let bare = step.state().owned(seat).filter(|(_, holding)| holding.done == 0).count();
            turn::owe(step, seat, Owed::Credits(bare as u64));
        }
        EventCard::Flood => flood(step, seat),
        // Permissions, which the commands check.
        EventCard::OpenSite | EventCard::CarbonMarket => {}
        EventCard::Via => {
            step.emit(EventView::PawnMoved { seat, square: VIA }.into());
            turn::settle_balance(step, seat);
        }
    }
}

fn receive_credits(step: &mut Game, seat: Seat, credits: u64) {
    if credits > 0 {
        step.emit(EventView::CreditsReceived { seat, credits }.into());
    }
}

fn receive_euros(step: &mut Game, seat: Seat, euros: u64) {
    if euros > 0 {
        step.emit(EventView::EurosReceived { seat, euros }.into());
    }
}

fn support_the_lowest(step: &mut Game) {
    let state = step.state();
    let balances: Vec<(Seat, i64)> =
        state.still_in(state.turn_seat).map(|seat| (seat, state.balance(seat))).collect();
    let lowest = balances.iter().map(|(_, balance)| *balance).min();
    for (seat, balance) in balances {
        if Some(balance) == lowest {
            receive_credits(step, seat, GRANT);
        }
    }
}

/// Returns the number of actions of a kind on the seat's territories.
fn done_of(state: &State, seat: Seat, kind: Action) -> u64 {
    let done = state.owned(seat).filter(|(territory, holding)| {
        territory.slot_of(kind).is_some_and(|slot| slot < usize::from(holding.done))
    });
    done.count() as u64
}

/// Undoes the last action of the unfinished territory with most. Its card can be drawn before the seat goes
/// under.
fn flood(step: &mut Game, seat: Seat) {
    let unfinished = step.state().owned(seat).filter(|(_, holding)| holding.done < SLOTS);
    let most = unfinished.max_by_key(|(territory, holding)| (holding.done, Reverse(territory.index())));
    let Some((territory, action)) = most.and_then(|(territory, holding)| last_done(territory, holding.done))
    else {
        return;
    };
    step.emit(EventView::ActionUndone { seat, territory, action }.into());
    turn::fill_hands(step);
    turn::take_out_if_worst(step, seat);
}

fn last_done(territory: Territory, done: u8) -> Option<(Territory, Action)> {
    let slots = &territory.deed().slots[..usize::from(done)];
    slots.last().map(|action| (territory, *action))
}
