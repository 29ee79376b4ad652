//! What a hook tells of, and in which words.

use serde::{Deserialize, Serialize};

use crate::{
    engine::Lang,
    service::text::Name,
    words::{News, NewsSet},
};

/// As they stand in a row. What an earlier build wrote otherwise is read as far as it goes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub name: String,
    types: Vec<String>,
    lang: String,
    /// How each seat is called upon, by the number of the seat.
    pub mentions: Vec<Option<String>>,
    /// The minute of the day, in UTC, at which all that waits is told at once.
    pub digest: Option<u16>,
    /// By how many minutes the clock of who said so is ahead of UTC.
    pub utc_offset: i32,
    /// Whether deadlines are told at once all the same.
    pub deadlines_at_once: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let mut settings = Self {
            name: String::new(),
            types: Vec::new(),
            lang: Lang::En.tag().to_owned(),
            mentions: Vec::new(),
            digest: None,
            utc_offset: 0,
            deadlines_at_once: true,
        };
        settings.tell_of(NewsSet::USUAL);
        settings
    }
}

impl Settings {
    pub fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    pub fn new(name: &str, lang: Lang) -> Self {
        let mut settings = Self { name: name.to_owned(), ..Self::default() };
        settings.speak(lang);
        settings
    }

    /// What of it a request changes.
    pub fn change(&mut self, name: Option<&Name>, types: Option<NewsSet>, lang: Option<Lang>) {
        if let Some(name) = name {
            self.name.clone_from(&name.0);
        }
        if let Some(types) = types {
            self.tell_of(types);
        }
        if let Some(lang) = lang {
            self.speak(lang);
        }
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn tell_of(&mut self, news: NewsSet) {
        self.types = news.list().iter().map(|news| news.word().to_owned()).collect();
    }

    pub fn news(&self) -> NewsSet {
        self.types.iter().filter_map(|word| News::from_word(word)).fold(NewsSet::NONE, NewsSet::and)
    }

    fn speak(&mut self, lang: Lang) {
        lang.tag().clone_into(&mut self.lang);
    }

    pub fn lang(&self) -> Lang {
        Lang::ALL.into_iter().find(|lang| lang.tag() == self.lang).unwrap_or_default()
    }

    pub fn mention(&self, seat: Option<u8>) -> Option<&str> {
        self.mentions.get(usize::from(seat?))?.as_deref()
    }
}
