//! The state of a game.

use super::{
    cards::{Cards, Supply},
    company::Company,
    options::Options,
    phase::Phase,
};
use crate::engine::{BySeat, Seat, Seats};

const MATERIALS: u8 = 50;
const MATERIALS_AT_START: u8 = 5;

#[derive(Clone, PartialEq, Eq)]
pub struct State {
    pub(super) options: Options,
    pub(super) seats: Seats,
    pub(super) round: u64,
    pub(super) final_round: bool,
    pub(super) starting_seat: Seat,
    pub(super) supply: Supply,
    pub(super) discards: Cards,
    pub(super) accident_aside: bool,
    pub(super) common_materials: u8,
    pub(super) companies: BySeat<Company>,
    pub(super) phase: Phase,
}

impl State {
    pub(super) fn new(options: &Options, seats: Seats) -> Self {
        Self {
            options: options.clone(),
            seats,
            round: 0,
            final_round: false,
            starting_seat: seats.first(),
            supply: Supply::new(),
            discards: Cards::default(),
            accident_aside: false,
            common_materials: MATERIALS - MATERIALS_AT_START * seats.count(),
            companies: BySeat::new(seats, |_| Company::new()),
            phase: Phase::Engine,
        }
    }
}
