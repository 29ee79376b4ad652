//! The action cards (CO-1.2, 1.3) and the event cards (CO-1.5).

use arrayvec::ArrayVec;

use super::tables::EventCard;
use crate::engine::{
    Tally,
    id::{Id, ids},
};

ids! {
    /// A kind of action. Cards of a kind cannot be told apart.
    #[cfg_attr(feature = "openapi", schema(as = ecopolis::Action))]
    pub enum Action is "kind of action" {
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
/// How many cards there are of each kind, and how many slots for it on the board.
pub const OF_EACH: u8 = 12;
/// How many action cards a seat has, as far as the bag goes (CO-4.4).
pub const HAND: u8 = 6;

/// Action cards, in a hand or in the bag.
pub type Actions = Tally<Action, KINDS>;

/// All the action cards.
pub const ALL_ACTIONS: Actions = Actions::new([OF_EACH; KINDS]);

pub const EVENT_CARDS: usize = 18;

/// Face-down event cards; the last is the top.
pub type Deck = ArrayVec<EventCard, EVENT_CARDS>;
/// Event cards that lie open.
pub type EventCards = Tally<EventCard, { EventCard::ALL.len() }>;

/// All the event cards.
pub const ALL_EVENT_CARDS: EventCards = EventCards::new(super::tables::COPIES);

/// Declares the event cards and how many there are of each from the rows of a table.
macro_rules! event_cards {
    ($($EventCard:ident = $id:literal, $copies:literal;)+) => {
        $crate::engine::id::ids! {
            /// What an event card says.
            #[cfg_attr(feature = "openapi", schema(as = ecopolis::Happening))]
            pub enum EventCard is "event" {
                $($EventCard = $id),+
            }
        }

        pub(super) const COPIES: [u8; <EventCard as $crate::engine::id::Id>::ALL.len()] = [$($copies),+];
    };
}
pub(super) use event_cards;
