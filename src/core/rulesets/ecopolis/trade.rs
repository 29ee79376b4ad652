//! Trades (section 8).

use serde::Serialize;
use serde_json::Value;

use super::{
    cards::{Action, Actions},
    tables::Territory,
};
use crate::engine::{Fields, Malformed, Seat};

/// Goods of one side of a trade.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[wire]
#[schema(as = ecopolis::Side)]
pub struct Side {
    pub territories: Vec<Territory>,
    pub euros: u64,
    pub credits: u64,
    pub actions: Vec<Action>,
}

impl Side {
    /// Reads a side. Absent goods are not given.
    pub fn read(side: Option<&Value>, at: String) -> Result<Self, Malformed> {
        let Some(side) = side else {
            return Ok(Self::default());
        };
        let mut fields = Fields::of(side, at)?;
        let territories = fields.note(|fields| fields.ids_or_none("territories"));
        let euros = fields.note(|fields| fields.whole_or_zero("euros"));
        let credits = fields.note(|fields| fields.whole_or_zero("credits"));
        let actions = fields.note(|fields| fields.ids_or_none("actions"));
        fields.end()?;
        Ok(Self { territories: territories?, euros: euros?, credits: credits?, actions: actions? })
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Counts the action cards by kind. Fails early for lists longer than the deck.
    pub fn hand(&self) -> Actions {
        self.actions.iter().copied().take(usize::from(u8::MAX)).collect()
    }
}

/// A side in a request. Absent goods are not given.
#[cfg(any(test, feature = "openapi"))]
pub struct SentSide;

#[cfg(any(test, feature = "openapi"))]
impl utoipa::PartialSchema for SentSide {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{RefOr, Schema};
        let mut schema = <Side as utoipa::PartialSchema>::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.required.clear();
        }
        schema
    }
}

#[cfg(any(test, feature = "openapi"))]
impl utoipa::ToSchema for SentSide {
    fn name() -> std::borrow::Cow<'static, str> {
        "ecopolis.SentSide".into()
    }

    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        <Side as utoipa::ToSchema>::schemas(schemas);
    }
}

/// An open offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::Trade)]
pub struct Offer {
    pub from: Seat,
    pub to: Seat,
    /// Goods that `from` gives.
    pub give: Side,
    /// Goods that `to` gives in return.
    pub take: Side,
    /// Whether accepting the offer settles the debt between the two.
    pub settles_debt: bool,
    /// Whether this offer answers another one. It cannot be countered again.
    pub counter: bool,
}

impl Offer {
    /// A first offer, which settles no debt.
    pub const fn plain(from: Seat, to: Seat, give: Side, take: Side) -> Self {
        Self { from, to, give, take, settles_debt: false, counter: false }
    }

    /// Returns each side with its giver and its receiver.
    pub const fn sides(&self) -> [(Seat, Seat, &Side); 2] {
        [(self.from, self.to, &self.give), (self.to, self.from, &self.take)]
    }

    /// Returns the other seat of the trade.
    pub fn partner_of(&self, seat: Seat) -> Seat {
        if seat == self.from { self.to } else { self.from }
    }

    /// Returns what a seat of the trade gives, and what it takes.
    pub fn of(&self, seat: Seat) -> (&Side, &Side) {
        if seat == self.from { (&self.give, &self.take) } else { (&self.take, &self.give) }
    }

    pub fn gives_both_ways(&self) -> bool {
        !(self.give.is_empty() || self.take.is_empty())
    }

    /// Returns the new owner of a territory in this trade.
    pub fn receiver_of(&self, territory: Territory) -> Option<Seat> {
        let gives = |(_, _, side): &(Seat, Seat, &Side)| side.territories.contains(&territory);
        self.sides().into_iter().find(gives).map(|(_, receiver, _)| receiver)
    }
}
