//! The event cards (CO-1.5).

use arrayvec::ArrayVec;

use super::tables::{COPIES, EventCard};
use crate::engine::{Tally, id::Id};

pub const EVENT_CARDS: usize = 18;

/// Face-down event cards; the last is the top.
pub type Deck = ArrayVec<EventCard, EVENT_CARDS>;
/// Event cards in open piles.
pub type EventCards = Tally<EventCard, { EventCard::ALL.len() }>;

/// All the event cards.
pub const ALL_EVENT_CARDS: EventCards = EventCards::new(COPIES);
