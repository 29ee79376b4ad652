//! Settings of a hook.

use serde::{Deserialize, Serialize};

use crate::{
    engine::Lang,
    service::text::Name,
    words::{News, NewsSet},
};

/// Settings as they are stored in a row. Fields that cannot be read get their defaults.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub name: String,
    /// The game of a game's webhook.
    pub game: Option<String>,
    types: Vec<String>,
    lang: String,
    /// The mention of each seat.
    pub mentions: Vec<Option<String>>,
    /// Minute of the day, in UTC, at which waiting notifications are sent together.
    pub digest: Option<u16>,
    /// Minutes by which the owner's clock is ahead of UTC.
    pub utc_offset: i32,
    /// Whether deadline warnings are sent at once all the same.
    pub deadlines_at_once: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let mut settings = Self {
            name: String::new(),
            game: None,
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

    /// Applies a request.
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
