//! Search: compares commands by their direct effects, or by many simulated games.

use super::{Playable, Senses, Style, net::SURE};
use crate::engine::{Chance, Ruleset, Seat, Seats, Status, Table, Viewer};

/// Worlds in which a command is tried without a simulation.
const GLANCES: u64 = 4;

pub struct Search<'t, R: Playable> {
    belief: &'t Table<R>,
    seat: Seat,
    seed: u64,
    style: Style<'t>,
}

impl<'t, R: Playable> Search<'t, R> {
    pub const fn new(belief: &'t Table<R>, seat: Seat, seed: u64, style: Style<'t>) -> Self {
        Self { belief, seat, seed, style }
    }

    /// Returns the index of the best command.
    pub fn best(&self, commands: &[R::Command]) -> usize {
        match self.style {
            Style { playouts: 0, judge: None, .. } if R::HABITS => 0,
            Style { playouts: 0, .. } => self.at_a_glance(commands),
            _ => self.by_halving(commands),
        }
    }

    /// Returns a possible world of the seat. Each number is a world, the same for every command.
    fn world(&self, number: u64) -> Table<R> {
        let chance = Chance::imagined(self.seed ^ (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        self.belief.redealt(Viewer::Seat(self.seat), chance)
    }

    fn at_a_glance(&self, commands: &[R::Command]) -> usize {
        let mut eye = Eye::new(self.belief.seats(), self.style.judge);
        let mut sums = vec![0; commands.len()];
        for number in 0..GLANCES {
            let world = self.world(number);
            for (sum, command) in sums.iter_mut().zip(commands) {
                let mut chance = Chance::imagined(self.seed ^ number);
                *sum += eye.prospect::<R>(&world.imagine(self.seat, command, &mut chance), self.seat);
            }
        }
        best_of(&sums)
    }

    /// Divides the simulations among all commands, then among the better half, and so on.
    fn by_halving(&self, commands: &[R::Command]) -> usize {
        let mut eye = Eye::new(self.belief.seats(), self.style.judge);
        let rounds = commands.len().ilog2() + u32::from(!commands.len().is_power_of_two());
        let mut left: Vec<(usize, i64)> = (0..commands.len()).map(|place| (place, 0)).collect();
        let mut number = 0;
        while left.len() > 1 {
            let shares = u64::from(self.style.playouts / rounds).div_ceil(left.len() as u64);
            for _ in 0..shares {
                let world = self.world(number);
                number += 1;
                for (place, sum) in &mut left {
                    *sum += self.imagine(world.clone(), &commands[*place], &mut eye);
                }
            }
            left.sort_by_key(|(place, sum)| (std::cmp::Reverse(*sum), *place));
            left.truncate(left.len().div_ceil(2));
        }
        left[0].0
    }

    /// Simulates a game after a command, and returns the value for the seat.
    fn imagine(&self, mut world: Table<R>, command: &R::Command, eye: &mut Eye) -> i64 {
        let mut next = Some((self.seat, command.clone()));
        for number in 0..=self.style.depth {
            let Some((seat, command)) = next else { break };
            if world.submit(seat, &command).is_err() {
                break;
            }
            next = eye.choose(&world, u64::from(number) ^ self.seed);
        }
        eye.prospect::<R>(world.state(), self.seat)
    }
}

fn best_of(sums: &[i64]) -> usize {
    let best = sums.iter().enumerate().max_by_key(|(place, sum)| (**sum, std::cmp::Reverse(*place)));
    best.map_or(0, |(place, _)| place)
}

/// Evaluates states.
struct Eye<'n> {
    seats: Seats,
    net: Option<&'n super::Net>,
    senses: Senses,
}

impl<'n> Eye<'n> {
    fn new(seats: Seats, net: Option<&'n super::Net>) -> Self {
        Self { seats, net, senses: Senses::default() }
    }

    /// Returns the command of the seat to act in a simulated game.
    fn choose<R: Playable>(&mut self, table: &Table<R>, seed: u64) -> Option<(Seat, R::Command)> {
        let Status::ToAct(seat) = table.status() else { return None };
        if R::HABITS {
            return Some((seat, R::habit(table.state(), seat)?));
        }
        let mut candidates = R::candidates(table.state(), seat);
        if candidates.len() < 2 {
            return Some((seat, candidates.pop()?));
        }
        let mut chance = Chance::imagined(seed);
        let sums: Vec<i64> = candidates
            .iter()
            .map(|command| {
                chance.forget_drawn();
                self.prospect::<R>(&table.imagine(seat, command, &mut chance), seat)
            })
            .collect();
        Some((seat, candidates.swap_remove(best_of(&sums))))
    }

    /// Returns the prospects of a seat, from 0 to 10,000.
    fn prospect<R: Playable>(&mut self, state: &R::State, seat: Seat) -> i64 {
        if let Status::Finished(outcome) = R::status(state) {
            return i64::from(won::<R>(outcome, seat, self.seats));
        }
        let others = i64::from(self.seats.count()) - 1;
        let seats = self.seats;
        let rivals = seats.iter().filter(|other| *other != seat);
        let sum: i64 = if let Some(net) = self.net {
            rivals
                .map(|other| {
                    self.senses.clear();
                    R::sense(state, seat, other, &mut self.senses);
                    i64::from(net.chance(self.senses.row()))
                })
                .sum()
        } else {
            let own = R::worth(state, seat);
            rivals.map(|other| ahead::<R>(own - R::worth(state, other))).sum()
        };
        sum / others.max(1)
    }
}

/// Converts a lead to a probability: half of the larger leads than [`Playable::LEAD`] remain to be gained.
fn ahead<R: Playable>(lead: i64) -> i64 {
    let half = i64::from(SURE) / 2;
    half + half * lead / (lead.abs() + R::LEAD)
}

/// Returns the value of an outcome, mostly of the first place.
fn won<R: Ruleset>(outcome: &R::Outcome, seat: Seat, seats: Seats) -> i32 {
    const OF_FIRST: i32 = 7;
    let place =
        R::placements(outcome).iter().find(|placed| placed.seat == seat).map_or(1, |placed| placed.place);
    let behind = i32::from(seats.count().saturating_sub(place));
    let share = SURE * behind / i32::from(seats.count().max(2) - 1);
    let first = if place == 1 { SURE } else { 0 };
    (first * OF_FIRST + share * (10 - OF_FIRST)) / 10
}
