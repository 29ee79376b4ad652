//! Seats and viewers.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use serde::{Serialize, Serializer, ser::SerializeMap};

/// Seats of the largest table.
pub const MAX_SEATS: usize = 4;

/// A seat, counted from 0.
// Only `Seats` makes one, so that a seat is always there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(transparent)]
#[wire]
#[schema(minimum = 0, maximum = 3)]
pub struct Seat(u8);

impl Seat {
    pub const fn number(self) -> u8 {
        self.0
    }

    const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of seats of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seats(u8);

impl Seats {
    /// Returns `None` for 0 and for more than [`MAX_SEATS`].
    pub fn new(count: u64) -> Option<Self> {
        let count = u8::try_from(count).ok()?;
        (count >= 1 && usize::from(count) <= MAX_SEATS).then_some(Self(count))
    }

    pub const fn count(self) -> u8 {
        self.0
    }

    pub const fn first(self) -> Seat {
        Seat(0)
    }

    pub fn seat(self, number: u64) -> Option<Seat> {
        let number = u8::try_from(number).ok()?;
        (number < self.0).then_some(Seat(number))
    }

    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..self.0).map(Seat)
    }

    /// Returns the left neighbour.
    pub const fn after(self, seat: Seat) -> Seat {
        Seat((seat.0 + 1) % self.0)
    }

    /// Returns all seats clockwise, from `first`.
    pub fn clockwise_from(self, first: Seat) -> impl Iterator<Item = Seat> {
        (0..self.0).map(move |step| Seat((first.0 + step) % self.0))
    }
}

/// A `T` for each seat of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BySeat<T>(ArrayVec<T, MAX_SEATS>);

impl<T> BySeat<T> {
    pub fn new(seats: Seats, mut make: impl FnMut(Seat) -> T) -> Self {
        Self(seats.iter().map(&mut make).collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        (0..).map(Seat).zip(&self.0)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        (0..).map(Seat).zip(&mut self.0)
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

/// The viewer: a seat or a spectator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewer {
    Seat(Seat),
    Spectator,
}

impl Viewer {
    pub fn is(self, seat: Seat) -> bool {
        self == Self::Seat(seat)
    }

    /// Returns all viewers of a table of this size.
    pub fn all(seats: Seats) -> impl Iterator<Item = Self> {
        seats.iter().map(Self::Seat).chain([Self::Spectator])
    }
}

#[cfg(any(test, feature = "openapi"))]
impl utoipa::PartialSchema for Viewer {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::{
            Object, OneOfBuilder, Type,
            schema::{AdditionalProperties, ObjectBuilder},
        };
        let only = |field: &str, value: utoipa::openapi::RefOr<utoipa::openapi::Schema>| {
            ObjectBuilder::new()
                .property(field, value)
                .required(field)
                .additional_properties(Some(AdditionalProperties::FreeForm(false)))
        };
        let mut yes = Object::with_type(Type::Boolean);
        yes.enum_values = Some(vec![true.into()]);
        OneOfBuilder::new().item(only("seat", Seat::schema())).item(only("spectator", yes.into())).into()
    }
}

#[cfg(any(test, feature = "openapi"))]
impl utoipa::ToSchema for Viewer {}

impl Serialize for Viewer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self {
            Self::Seat(seat) => map.serialize_entry("seat", seat)?,
            Self::Spectator => map.serialize_entry("spectator", &true)?,
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clockwise_goes_round_once() {
        let seats = Seats::new(3).unwrap();
        let two = seats.seat(2).unwrap();
        let order: Vec<u8> = seats.clockwise_from(two).map(Seat::number).collect();
        assert_eq!(order, [2, 0, 1]);
        assert_eq!(seats.after(two).number(), 0);
    }

    #[test]
    fn only_seats_that_are_there_can_be_named() {
        assert_eq!(Seats::new(0), None);
        assert_eq!(Seats::new(5), None);
        let seats = Seats::new(2).unwrap();
        assert_eq!(seats.seat(2), None);
        assert_eq!(seats.seat(u64::MAX), None);
    }

    #[test]
    fn a_viewer_is_named_on_the_wire() {
        let seats = Seats::new(2).unwrap();
        let names: Vec<String> =
            Viewer::all(seats).map(|viewer| serde_json::to_string(&viewer).unwrap()).collect();
        assert_eq!(names, [r#"{"seat":0}"#, r#"{"seat":1}"#, r#"{"spectator":true}"#]);
    }
}
