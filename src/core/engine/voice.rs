//! Texts of a game: language and names.

use super::{Lang, Ruleset, Seat, Seats, Viewer, catalogue::Catalogue, seat::BySeat};

/// The texts of a game beyond its rules. They are made from views and events as a viewer may see them, so a
/// text reveals nothing more.
pub trait Wording: Ruleset {
    /// Returns the text of a command's button. The view is that of its seat.
    fn command(command: &Self::Command, view: &Self::View, voice: &Voice) -> String;
    /// Returns the text of an event in a log.
    fn event(event: &Self::EventView, voice: &Voice) -> String;
    /// Returns what this viewer must do, or whom it waits for.
    fn prompt(view: &Self::View, viewer: Viewer, voice: &Voice) -> String;
    /// Returns everything that a client would otherwise copy from the rules.
    fn catalogue(lang: Lang) -> Catalogue;
}

/// A language, and the names of the seats.
#[derive(Clone, Debug)]
pub struct Voice {
    pub lang: Lang,
    names: BySeat<String>,
}

/// Formats a number, with a true minus sign.
pub fn printed(number: i64) -> String {
    number.to_string().replace('-', "\u{2212}")
}

impl Voice {
    /// A seat without a name is called by its number.
    pub fn new(lang: Lang, seats: Seats, name: impl Fn(Seat) -> Option<String>) -> Self {
        let unnamed = |seat: Seat| match lang {
            Lang::En => format!("Seat {seat}"),
            Lang::It => format!("Giocatore {seat}"),
        };
        let names = BySeat::new(seats, |seat| name(seat).unwrap_or_else(|| unnamed(seat)));
        Self { lang, names }
    }

    pub fn name(&self, seat: Seat) -> &str {
        &self.names[seat]
    }

    /// Returns the name after the preposition "to".
    pub fn to(&self, seat: Seat) -> String {
        let name = self.name(seat);
        let to = match self.lang {
            Lang::En => "to",
            Lang::It if name.starts_with(['A', 'a']) => "ad",
            Lang::It => "a",
        };
        format!("{to} {name}")
    }

    /// Joins several names in a sentence.
    pub fn list(&self, items: impl IntoIterator<Item = String>) -> String {
        let mut items: Vec<String> = items.into_iter().collect();
        let Some(last) = items.pop() else { return String::new() };
        if items.is_empty() {
            return last;
        }
        let and = match self.lang {
            Lang::En => "and",
            // Before the same vowel, with or without a quotation mark.
            Lang::It if last.trim_start_matches('\u{201c}').starts_with(['E', 'e']) => "ed",
            Lang::It => "e",
        };
        format!("{} {and} {last}", items.join(", "))
    }

    pub fn seats(&self, seats: impl IntoIterator<Item = Seat>) -> String {
        self.list(seats.into_iter().map(|seat| self.name(seat).to_owned()))
    }

    /// Formats a number with its noun: one form for 1, another for other numbers. English first.
    pub fn count(&self, number: u64, en: (&str, &str), it: (&str, &str)) -> String {
        let (one, many) = match self.lang {
            Lang::En => en,
            Lang::It => it,
        };
        format!("{number} {}", if number == 1 { one } else { many })
    }
}

/// Formats a sentence in the language of a voice, English first, with the values in braces.
#[macro_export]
macro_rules! say {
    ($voice:expr, $en:literal, $it:literal $(,)?) => {
        match $voice.lang {
            $crate::engine::Lang::En => format!($en),
            $crate::engine::Lang::It => format!($it),
        }
    };
}
pub use say;
