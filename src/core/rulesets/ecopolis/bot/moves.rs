//! Commands of a seat on the square of its pawn.

use super::{
    super::{
        actions::{buy, credits, implement},
        board::Square,
        command::Command,
        state::{Exchange, State},
        tables::Territory,
    },
    cards, land,
};
use crate::engine::{Seat, id::Id};

/// Money that a seat keeps after a purchase, and for each credit that VIA would lack.
const KEPT: u64 = 300;
const KEPT_A_CREDIT: u64 = 100;
/// The worst balance after a purchase.
const DEEPEST: i64 = -14;

/// Returns the command that a seat chooses without a search.
pub fn habit(state: &State, seat: Seat) -> Command {
    if state.exchange() == Some(Exchange::Passing)
        && let Some(command) = cards::exchange(state, seat, 2)
    {
        return command;
    }
    if let Some(count) = credits_to_buy(state, seat) {
        return Command::BuyCredits { count };
    }
    if buys(state, seat) {
        return Command::BuyTerritory {};
    }
    if let Some(territory) = next_action(state, seat) {
        return Command::ImplementAction { territory };
    }
    if state.exchange() == Some(Exchange::Square)
        && state.players[seat].credits >= 2
        && let Some(command) = cards::exchange(state, seat, 3)
    {
        return command;
    }
    Command::EndTurn {}
}

/// Returns the commands worth a search, the habit first.
pub fn all(state: &State, seat: Seat) -> Vec<Command> {
    let habit = habit(state, seat);
    // Free, and nearly always right.
    if matches!(habit, Command::ExchangeActions { .. }) && state.exchange() == Some(Exchange::Passing) {
        return vec![habit];
    }
    let mut commands = vec![habit];
    let mut add = |command: Command| {
        if !commands.contains(&command) {
            commands.push(command);
        }
    };
    if buy::check(state, seat).is_ok() {
        add(Command::BuyTerritory {});
    }
    implementable(state, seat).for_each(|territory| add(Command::ImplementAction { territory }));
    cards::exchange(state, seat, 0).into_iter().for_each(&mut add);
    let count = credits::most(state, seat);
    if count > 0 {
        add(Command::BuyCredits { count });
    }
    add(Command::EndTurn {});
    commands
}

fn implementable(state: &State, seat: Seat) -> impl Iterator<Item = Territory> {
    let owned = state.owned(seat).map(|(territory, _)| territory);
    owned.filter(move |territory| implement::check(state, seat, *territory).is_ok())
}

/// Returns the action that comes first: where the seat owns most of the area, then where most is done.
fn next_action(state: &State, seat: Seat) -> Option<Territory> {
    let order = |territory: &Territory| {
        let held = cards::held_in(state, seat, *territory);
        (held, state.done(*territory), std::cmp::Reverse(territory.index()))
    };
    implementable(state, seat).max_by_key(order)
}

/// Returns the number of credits to buy at the carbon market.
fn credits_to_buy(state: &State, seat: Seat) -> Option<u64> {
    let player = &state.players[seat];
    let few = player.credits < 5 && player.euros > 1_500;
    Some(credits::most(state, seat)).filter(|count| few && *count > 0)
}

fn buys(state: &State, seat: Seat) -> bool {
    let Square::Territory(territory) = Square::at(state.players[seat].square) else { return false };
    if buy::check(state, seat).is_err() {
        return false;
    }
    let deed = territory.deed();
    let (player, balance) = (&state.players[seat], state.balance(seat) - deed.co2_cost);
    let missing = (-balance - player.credits.cast_signed()).max(0).unsigned_abs();
    if player.euros < deed.price + KEPT + KEPT_A_CREDIT * missing || balance <= DEEPEST {
        return false;
    }
    let gain = |owner: Seat| land::gain_by(state, owner, territory, Some(owner));
    let rivals = state.still_in(seat).filter(|other| *other != seat);
    let best = rivals.map(gain).max().unwrap_or(0).max(0);
    gain(seat) + best / 2 > land::price(deed.price, seat) * 8 / 10
}
