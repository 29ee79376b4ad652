//! How a game is told: in which language, and by which names.

use super::{Lang, Ruleset, Seat, Seats, Viewer, catalogue::Catalogue, seat::BySeat};

/// What a game says beside its rules so that people can follow it. Everything is said of views and of events
/// as a viewer may see them, and of nothing else, so that words can tell nobody more than it sees.
pub trait Wording: Ruleset {
    /// What a command does that could be sent now, as a button would say it. The view is that of the seat
    /// which may send it.
    fn command(command: &Self::Command, view: &Self::View, voice: &Voice) -> String;
    /// What happened, as a log would say it.
    fn event(event: &Self::EventView, voice: &Voice) -> String;
    /// What this viewer is waited for, or whom it waits for.
    fn prompt(view: &Self::View, viewer: Viewer, voice: &Voice) -> String;
    /// Everything that a client would otherwise copy out of the rules.
    fn catalogue(lang: Lang) -> Catalogue;
}

/// A language, and what the seats are called in it.
#[derive(Clone, Debug)]
pub struct Voice {
    pub lang: Lang,
    names: BySeat<String>,
}

/// A number as it is printed, with a true minus.
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

    /// The names of several, as one says them.
    pub fn list(&self, items: impl IntoIterator<Item = String>) -> String {
        let mut items: Vec<String> = items.into_iter().collect();
        let and = match self.lang {
            Lang::En => " and ",
            Lang::It => " e ",
        };
        match items.pop() {
            Some(last) if items.is_empty() => last,
            Some(last) => format!("{}{and}{last}", items.join(", ")),
            None => String::new(),
        }
    }

    pub fn seats(&self, seats: impl IntoIterator<Item = Seat>) -> String {
        self.list(seats.into_iter().map(|seat| self.name(seat).to_owned()))
    }

    /// So many of something: one of the words for one, the other for any other number. English first.
    pub fn count(&self, number: u64, en: (&str, &str), it: (&str, &str)) -> String {
        let (one, many) = match self.lang {
            Lang::En => en,
            Lang::It => it,
        };
        format!("{number} {}", if number == 1 { one } else { many })
    }
}

/// Says the same in the language of a voice: the English first, then the Italian, both with what stands in
/// braces.
macro_rules! say {
    ($voice:expr, $en:literal, $it:literal $(,)?) => {
        match $voice.lang {
            $crate::engine::Lang::En => format!($en),
            $crate::engine::Lang::It => format!($it),
        }
    };
}
pub(crate) use say;
