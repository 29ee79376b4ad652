//! Inputs of the network.

use super::super::{
    board::{Area, SQUARES, Square},
    cards::Actions,
    phase::{Moment, Phase},
    rows::SLOTS,
    state::{State, WORST},
};
use crate::{bots::Senses, engine::Seat};

/// Returns the number of actions that the hand allows one after the other, with unlimited credits.
fn doable(state: &State, seat: Seat) -> u8 {
    let mut hand: Actions = state.players[seat].hand;
    let mut count = 0;
    for (territory, holding) in state.owned(seat) {
        for action in &territory.deed().slots[usize::from(holding.done)..] {
            if !hand.holds(*action) {
                break;
            }
            hand.remove(*action);
            count += 1;
        }
    }
    count
}

/// Returns the number of open slots of the seat.
fn open_slots(state: &State, seat: Seat) -> u64 {
    state.owned(seat).map(|(_, holding)| u64::from(SLOTS - holding.done)).sum()
}

/// The credits of a seat as if its turn ended now.
fn credits_after_turn(state: &State, seat: Seat) -> u64 {
    let due = seat == state.turn_seat
        && state.phase == Phase::Turn(Moment::Square)
        && super::super::actions::end::brings_a_credit(state, seat);
    state.players[seat].credits + u64::from(due)
}

/// The territories of an area by owner, and the seat's actions there.
struct Hold {
    own: usize,
    others: usize,
    done: i64,
}

fn hold(state: &State, seat: Seat, area: Area) -> Hold {
    let mut hold = Hold { own: 0, others: 0, done: 0 };
    for territory in area.territories() {
        if let Some(holding) = state.holding(territory) {
            if holding.owner == seat {
                hold.own += 1;
                hold.done += i64::from(holding.done);
            } else {
                hold.others += 1;
            }
        }
    }
    hold
}

/// In hundredths of a point of balance: how a seat stands without a network.
pub fn worth(state: &State, seat: Seat) -> i64 {
    let player = &state.players[seat];
    if player.eliminated.is_some() {
        return -4_000;
    }
    let land: i64 =
        Area::all().map(|area| hold(state, seat, area)).map(|hold| [0, 100, 300, 800][hold.own]).sum();
    let credits = credits_after_turn(state, seat).cast_signed();
    100 * state.balance(seat) + land + 20 * credits + player.euros.cast_signed() / 5
}

/// Returns each next square with its ways of 36, and the rent there.
fn throws(state: &State, seat: Seat) -> impl Iterator<Item = (i64, u64)> {
    let from = state.players[seat].square;
    (2..=12_u8).map(move |sum| {
        let square = (from + sum) % SQUARES;
        let rent = match Square::at(square) {
            Square::Territory(territory) if state.owner(territory).is_some_and(|owner| owner != seat) => {
                state.rent(territory)
            }
            _ => 0,
        };
        (i64::from(6 - sum.abs_diff(7)), rent)
    })
}

pub fn sense(state: &State, seat: Seat, other: Seat, senses: &mut Senses) {
    sense_game(state, seat, other, senses);
    for (seat, other) in [(seat, other), (other, seat)] {
        sense_player(state, seat, other, senses);
        sense_areas(state, seat, senses);
    }
}

fn sense_game(state: &State, seat: Seat, other: Seat, senses: &mut Senses) {
    let left = (state.options.rounds() - state.round).cast_signed();
    senses.part(80, left);
    senses.part(12, left.min(12));
    senses.part(4, left.min(4));
    // Evaluates as if the turn ended here, so that all compared states are before a roll.
    let next = next_to_roll(state);
    senses.flag(next == Some(seat));
    senses.flag(next == Some(other));
    senses.flag(state.seats.count() > 2);
    senses.flag(state.seats.count() > 3);
    senses.part(24, state.holdings.iter().map(|holding| i64::from(holding.is_none())).sum());
    senses.part(90, state.bag.total().into());
}

fn next_to_roll(state: &State) -> Option<Seat> {
    match state.phase {
        Phase::Turn(Moment::Roll) => Some(state.turn_seat),
        _ => state.still_in(state.seats.after(state.turn_seat)).next(),
    }
}

fn sense_player(state: &State, seat: Seat, other: Seat, senses: &mut Senses) {
    let player = &state.players[seat];
    let euros = player.euros.cast_signed();
    let credits = credits_after_turn(state, seat).cast_signed();
    let (balance, slots) = (state.balance(seat), open_slots(state, seat).cast_signed());
    senses.flag(player.eliminated.is_some());
    senses.part(8_000, euros);
    senses.part(2_000, euros.min(2_000));
    senses.steps(&[100, 300, 500, 800, 1_300], euros);
    senses.part(40, credits);
    senses.part(10, credits.min(10));
    senses.steps(&[1, 3, 6], credits);
    senses.part(20, (credits - slots).max(0));
    senses.part(state.wins(), balance);
    senses.steps(&[WORST + 4, -8, 0, 5, 10, 14, 17, 19], balance);
    senses.part(24, slots);
    senses.part(10, state.owned(seat).map(|_| 1).sum());
    let doable = i64::from(doable(state, seat));
    senses.part(6, doable);
    senses.part(6, doable.min(credits));
    // The credits of VIA, weighted by its distance.
    let to_via = i64::from(SQUARES - player.square % SQUARES);
    senses.part(SQUARES.into(), to_via);
    senses.flag(to_via <= 12);
    senses.part(10, (-balance - credits).max(0));
    sense_rents(state, seat, other, senses);
    senses.flag(state.phase.debt().is_some() && state.turn_seat == seat);
}

fn sense_rents(state: &State, seat: Seat, other: Seat, senses: &mut Senses) {
    let euros = state.players[seat].euros;
    let (mut due, mut lost) = (0, 0);
    for (ways, rent) in throws(state, seat) {
        due += ways * rent.cast_signed();
        lost += ways * i64::from(rent > euros);
    }
    senses.part(36 * 500, due);
    senses.part(36, lost);
    let rents = state.owned(other).map(|(territory, _)| state.rent(territory));
    let (sum, above) = rents.fold((0, 0), |(sum, above), rent| (sum + rent, above + i64::from(rent > euros)));
    senses.part(8_000, sum.cast_signed());
    senses.part(6, above);
}

fn sense_areas(state: &State, seat: Seat, senses: &mut Senses) {
    for area in Area::all() {
        let hold = hold(state, seat, area);
        let open = hold.others == 0;
        senses.flag(open && hold.own == 1);
        senses.flag(open && hold.own == 2);
        senses.flag(open && hold.own == 3);
        senses.part(12, if open && hold.own == 3 { hold.done } else { 0 });
        senses.part(8, hold.done);
    }
}
