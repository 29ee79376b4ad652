//! The value of land, in thousandths of a step of balance. It depends only on what everybody sees.

use super::super::{board::Area, rows::SLOTS, state::State, tables::Territory};
use crate::engine::{Seat, id::Id};

/// Value of an area in one hand, in thousandths of its bonuses, by the number of its territories.
const SHARES: [i64; 4] = [0, 120, 380, 1_000];
/// Value of a territory before its costs.
const GROUND: i64 = 2_600;
const ACTION: i64 = 500;
/// Value of 100 euros of another seat, as far as one can tell.
pub const HUNDRED: i64 = 250;

/// Owners of all territories, as they are or as they would be.
pub type Owners = [Option<Seat>; Territory::ALL.len()];

pub fn owners(state: &State) -> Owners {
    let mut owners = [None; Territory::ALL.len()];
    for (owner, holding) in owners.iter_mut().zip(&state.holdings) {
        *owner = holding.map(|holding| holding.owner);
    }
    owners
}

/// Value of 100 euros to a seat. Seats differ, so that they trade.
pub const fn hundred(seat: Seat) -> i64 {
    [250, 215, 285, 235][seat.number() as usize % 4]
}

/// Returns the value of euros at a value of 100.
pub const fn money(euros: u64, hundred: i64) -> i64 {
    euros.cast_signed() / 100 * hundred
}

/// Returns the value of euros to a seat.
pub const fn price(euros: u64, seat: Seat) -> i64 {
    money(euros, hundred(seat))
}

/// Returns the value of an area to a seat.
fn area(state: &State, seat: Seat, area: Area, owners: &Owners) -> i64 {
    let rivals = i64::from(state.seats.count()) - 1;
    let (mut own, mut done, mut bonus, mut value) = (0, 0, 0, 0);
    for territory in area.territories() {
        let deed = territory.deed();
        bonus += deed.bonus;
        if owners[territory.index()] == Some(seat) {
            let actions = i64::from(state.done(territory));
            own += 1;
            done += actions;
            let rent = price(deed.rents[2], seat) * 4 * rivals / 10;
            value += GROUND - 1_000 * deed.co2_cost + ACTION * actions + rent;
        }
    }
    value + SHARES[own] * bonus * (600 + 400 * done / 12) / 1_000
}

/// Returns what a change of owners is worth to a seat.
pub fn gain(state: &State, seat: Seat, before: &Owners, after: &Owners, touched: &[Territory]) -> i64 {
    let mut areas: Vec<Area> = Vec::with_capacity(touched.len());
    for territory in touched {
        if !areas.contains(&territory.area()) {
            areas.push(territory.area());
        }
    }
    areas.iter().map(|one| area(state, seat, *one, after) - area(state, seat, *one, before)).sum()
}

/// Returns what it is worth to a seat that a territory gets this owner.
pub fn gain_by(state: &State, seat: Seat, territory: Territory, owner: Option<Seat>) -> i64 {
    let before = owners(state);
    let mut after = before;
    after[territory.index()] = owner;
    gain(state, seat, &before, &after, &[territory])
}

/// Returns whether a seat owns the whole area after a change and would win when it is finished.
pub fn wins_with(state: &State, seat: Seat, one: Area, owners: &Owners) -> bool {
    let whole = one.territories().all(|territory| owners[territory.index()] == Some(seat));
    whole && {
        let balance = state.balance_if(seat, |territory| owners[territory.index()]);
        let open = |territory: Territory| i64::from(SLOTS - state.done(territory));
        let left: i64 = one.territories().map(open).sum();
        let bonus: i64 = one.territories().map(|territory| territory.deed().bonus).sum();
        let bonus = if left > 0 { bonus } else { 0 };
        balance + left + bonus >= state.wins()
    }
}
