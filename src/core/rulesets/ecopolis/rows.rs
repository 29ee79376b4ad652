//! Types made from the rows of the tables.

use super::cards::Action;

/// Slots of a territory.
pub const SLOTS: u8 = 4;

/// The card of a territory (CO-1.4).
pub struct Deed {
    pub name: &'static str,
    pub price: u64,
    pub co2_cost: i64,
    pub slots: [Action; SLOTS as usize],
    /// With 0 to 4 actions done.
    pub rents: [u64; SLOTS as usize + 1],
    pub bonus: i64,
}

/// Declares the territories and their deeds from the rows of a table.
macro_rules! territories {
    ($(
        $Territory:ident = $id:literal, $name:literal, $price:literal, $co2_cost:literal,
        [$($slot:ident)+], [$($rent:literal),+], $bonus:literal;
    )+) => {
        $crate::engine::id::ids! {
            /// A territory, in board order.
            #[schema(as = ecopolis::Territory)]
            pub enum Territory {
                $($Territory = $id),+
            }
        }

        pub(super) const DEEDS: [$crate::rulesets::ecopolis::rows::Deed; <Territory as $crate::engine::id::Id>::ALL.len()] = [
            $($crate::rulesets::ecopolis::rows::Deed {
                name: $name,
                price: $price,
                co2_cost: $co2_cost,
                slots: [$($slot),+],
                rents: [$($rent),+],
                bonus: $bonus,
            }),+
        ];
    };
}
pub(super) use territories;

/// Declares the event cards and how many there are of each from the rows of a table.
macro_rules! event_cards {
    ($($EventCard:ident = $id:literal, $copies:literal;)+) => {
        $crate::engine::id::ids! {
            /// Text of an event card.
            #[schema(as = ecopolis::Happening)]
            pub enum EventCard {
                $($EventCard = $id),+
            }
        }

        pub(super) const COPIES: [u8; <EventCard as $crate::engine::id::Id>::ALL.len()] = [$($copies),+];
    };
}
pub(super) use event_cards;
