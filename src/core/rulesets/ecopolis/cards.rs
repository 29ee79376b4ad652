//! The action cards (CO-1.2, 1.3).

use crate::engine::{
    Tally,
    id::{Id, ids},
};

ids! {
    /// A kind of action card.
    #[schema(as = ecopolis::Action)]
    pub enum Action {
        EnergySaving = "energy_saving",
        WaterSaving = "water_saving",
        PublicTransport = "public_transport",
        SustainableMobility = "sustainable_mobility",
        GreenBuilding = "green_building",
        Biodiversity = "biodiversity",
        WasteSorting = "waste_sorting",
        RenewableEnergy = "renewable_energy",
    }
}

const KINDS: usize = Action::ALL.len();
/// Cards of each kind, and slots for each kind on the board.
pub const OF_EACH: u8 = 12;
/// Size of a hand while the bag has cards (CO-4.4).
pub const HAND: u8 = 6;

/// Action cards, in a hand or in the bag.
pub type Actions = Tally<Action, KINDS>;

/// All the action cards.
pub const ALL_ACTIONS: Actions = Actions::new([OF_EACH; KINDS]);
