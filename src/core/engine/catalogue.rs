//! Catalogues: the parts of a game by id, with which a client draws the game and names its parts.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Lang, Text};

/// Everything that a client would otherwise copy from the rules, in one language. Lists may be empty.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[wire]
pub struct Catalogue {
    /// Cards that players hold or play.
    pub cards: Vec<CardEntry>,
    pub areas: Vec<NamedEntry>,
    /// Event cards.
    pub events: Vec<CardEntry>,
    pub tracks: Vec<TrackEntry>,
    /// Sections of tracks with a meaning.
    pub zones: Vec<ZoneEntry>,
    /// Numbers of the rules, by name.
    pub constants: BTreeMap<&'static str, i64>,
    /// Names of the fields of a view's state.
    pub fields: Vec<NamedEntry>,
    pub phases: Vec<NamedEntry>,
    /// Types of commands.
    pub commands: Vec<NamedEntry>,
    /// Types of events.
    pub event_types: Vec<NamedEntry>,
    pub options: Vec<OptionEntry>,
    /// A sign for each seat, so that seats differ without colour.
    pub seats: Vec<SeatEntry>,
}

/// An id and its localized name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = CatalogueEntry)]
pub struct NamedEntry {
    pub id: &'static str,
    pub name: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = CatalogueCard)]
pub struct CardEntry {
    pub id: &'static str,
    pub name: &'static str,
    /// Effect of the card.
    pub text: &'static str,
    /// Number of copies.
    pub count: u8,
    /// Number of the rule that defines it.
    pub rule: &'static str,
    /// One letter or sign, for small displays.
    pub symbol: &'static str,
    /// Colour as `#rrggbb`.
    pub colour: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = CatalogueTrack)]
pub struct TrackEntry {
    pub id: &'static str,
    pub name: &'static str,
    pub first: i64,
    pub last: i64,
    /// Points for each position at the end of the game. Empty if they equal the position.
    pub points: Vec<i64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = CatalogueZone)]
pub struct ZoneEntry {
    pub id: &'static str,
    pub name: &'static str,
    pub track: &'static str,
    pub first: i64,
    pub last: i64,
    /// Meaning of the zone.
    pub text: &'static str,
    pub symbol: &'static str,
    pub colour: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = CatalogueOption)]
pub struct OptionEntry {
    pub id: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// Values with a name of their own, to choose from.
    pub values: Vec<OptionValueEntry>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = CatalogueOptionValue)]
pub struct OptionValueEntry {
    pub value: OptionValue,
    pub title: &'static str,
    pub description: &'static str,
}

/// The value of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[serde(untagged)]
pub enum OptionValue {
    Flag(bool),
    Number(u64),
    Word(&'static str),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = CatalogueSeat)]
pub struct SeatEntry {
    pub seat: u8,
    pub symbol: &'static str,
    /// Name of the sign.
    pub name: &'static str,
    /// Colours for a light and for a dark background.
    pub light: &'static str,
    pub dark: &'static str,
}

/// An id, and its name in each language.
pub type Named = (&'static str, Text);

pub fn entries(all: &[Named], lang: Lang) -> Vec<NamedEntry> {
    all.iter().map(|(id, name)| NamedEntry { id, name: name.get(lang) }).collect()
}

/// Returns the types of a game's own events, and of the event that ends every game.
pub fn event_types(own: &[Named], lang: Lang) -> Vec<NamedEntry> {
    let finished = ("game_finished", text("The game ended", "Fine della partita"));
    let mut all = entries(own, lang);
    all.extend(entries(&[finished], lang));
    all
}

/// An option, its name, its meaning, and its values with names.
pub struct NamedOption {
    pub id: &'static str,
    pub title: Text,
    pub text: Text,
    pub values: &'static [(OptionValue, Text, Text)],
}

impl NamedOption {
    pub const fn plain(id: &'static str, title: Text, text: Text) -> Self {
        Self { id, title, text, values: &[] }
    }
}

/// The option of every game that names who starts.
pub const FIRST_SEAT: NamedOption = NamedOption::plain(
    "first_seat",
    text("First player", "Chi comincia"),
    text("Player who starts. Default: random.", "Chi comincia. Se non indichi nessuno, si sorteggia."),
);

pub fn options(all: &[NamedOption], lang: Lang) -> Vec<OptionEntry> {
    let value = |(value, title, text): &(OptionValue, Text, Text)| OptionValueEntry {
        value: *value,
        title: title.get(lang),
        description: text.get(lang),
    };
    let entry = |option: &NamedOption| OptionEntry {
        id: option.id,
        title: option.title.get(lang),
        description: option.text.get(lang),
        values: option.values.iter().map(value).collect(),
    };
    all.iter().map(entry).collect()
}

/// Returns the signs of the seats: shapes, and colours that everyone can tell apart.
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
