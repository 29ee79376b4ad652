//! A game's things, by their ids: what a client needs to draw it and to name what is in it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Lang, Text};

/// Everything that a client would otherwise copy out of the rules text, in one language. What a game has not is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Catalogue {
    /// The cards that are held or played.
    pub cards: Vec<CardEntry>,
    /// The squares of the board, in their order.
    pub squares: Vec<SquareEntry>,
    pub areas: Vec<Entry>,
    pub territories: Vec<TerritoryEntry>,
    /// The cards that say what happens.
    pub events: Vec<CardEntry>,
    pub tracks: Vec<TrackEntry>,
    /// Parts of tracks that mean something.
    pub zones: Vec<ZoneEntry>,
    /// The numbers of the rules, by name.
    pub constants: BTreeMap<&'static str, i64>,
    /// What the fields of a view's state are called.
    pub fields: Vec<Entry>,
    pub phases: Vec<Entry>,
    /// The kinds of command.
    pub commands: Vec<Entry>,
    /// The kinds of event.
    pub event_types: Vec<Entry>,
    pub options: Vec<OptionEntry>,
    /// A sign for each seat, to be told apart without its colour.
    pub seats: Vec<SeatEntry>,
}

/// Something with an id and a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CatalogueEntry))]
pub struct Entry {
    pub id: &'static str,
    pub name: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CatalogueCard))]
pub struct CardEntry {
    pub id: &'static str,
    pub name: &'static str,
    /// What it does.
    pub text: &'static str,
    /// How many there are.
    pub count: u8,
    /// The rule that says so.
    pub rule: &'static str,
    /// One letter or sign for it, where there is little room.
    pub symbol: &'static str,
    /// A colour for it, as `#rrggbb`.
    pub colour: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CatalogueSquare))]
pub struct SquareEntry {
    pub square: u8,
    pub kind: SquareKind,
    pub name: String,
    /// The area that it lies in.
    pub area: &'static str,
    /// The territory that it is.
    pub territory: Option<&'static str>,
    /// The kind of action that it shows.
    pub action: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SquareKind {
    Start,
    Co2,
    Territory,
    Event,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CatalogueTerritory))]
pub struct TerritoryEntry {
    pub id: &'static str,
    pub name: &'static str,
    pub area: &'static str,
    pub square: u8,
    /// What the place is known for.
    pub known_for: &'static str,
    pub price: u64,
    pub co2_cost: i64,
    pub bonus: i64,
    /// With 0, 1, 2, 3 and 4 actions done.
    pub rents: Vec<u64>,
    /// The kinds of action that it has room for, in their order.
    pub slots: Vec<&'static str>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CatalogueTrack))]
pub struct TrackEntry {
    pub id: &'static str,
    pub name: &'static str,
    pub first: i64,
    pub last: i64,
    /// What each place of it is worth at the end, where that is not its own number; empty otherwise.
    pub points: Vec<i64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CatalogueZone))]
pub struct ZoneEntry {
    pub id: &'static str,
    pub name: &'static str,
    pub track: &'static str,
    pub first: i64,
    pub last: i64,
    /// What it means.
    pub text: &'static str,
    pub symbol: &'static str,
    pub colour: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CatalogueOption))]
pub struct OptionEntry {
    pub id: &'static str,
    pub title: &'static str,
    pub description: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CatalogueSeat))]
pub struct SeatEntry {
    pub seat: u8,
    pub symbol: &'static str,
    /// What the sign is called.
    pub name: &'static str,
    /// On a light ground, and on a dark one.
    pub light: &'static str,
    pub dark: &'static str,
}

/// An id and what it is called in each language.
pub type Named = (&'static str, Text);

pub fn entries(all: &[Named], lang: Lang) -> Vec<Entry> {
    all.iter().map(|(id, name)| Entry { id, name: name.get(lang) }).collect()
}

pub fn options(all: &[(&'static str, Text, Text)], lang: Lang) -> Vec<OptionEntry> {
    let entry = |(id, title, description): &(&'static str, Text, Text)| OptionEntry {
        id,
        title: title.get(lang),
        description: description.get(lang),
    };
    all.iter().map(entry).collect()
}

/// The signs of the seats: shapes, and colours that may be told apart by everybody.
pub fn seats(lang: Lang) -> Vec<SeatEntry> {
    let sign =
        |seat, symbol, name: Text, light, dark| SeatEntry { seat, symbol, name: name.get(lang), light, dark };
    vec![
        sign(0, "\u{25cf}", text("circle", "cerchio"), "#0254ac", "#5698e5"),
        sign(1, "\u{25a0}", text("square", "quadrato"), "#c14d00", "#ee8a51"),
        sign(2, "\u{25b2}", text("triangle", "triangolo"), "#004f2d", "#63eba5"),
        sign(3, "\u{25c6}", text("diamond", "rombo"), "#952968", "#f3b5fb"),
    ]
}

pub const fn text(en: &'static str, it: &'static str) -> Text {
    Text { en, it }
}
