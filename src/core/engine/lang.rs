//! The languages of texts.

/// A language. Ids are the same in all languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lang {
    #[default]
    En,
    It,
}

impl Lang {
    pub const ALL: [Self; 2] = [Self::En, Self::It];

    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::It => "it",
        }
    }
}

/// A text in every language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Text<S = &'static str> {
    pub en: S,
    pub it: S,
}

/// A text that is the same in all languages.
impl From<&str> for Text<String> {
    fn from(text: &str) -> Self {
        Self::new(text, text)
    }
}

impl From<String> for Text<String> {
    fn from(text: String) -> Self {
        Self::new(text.clone(), text)
    }
}

impl<S> Text<S> {
    pub fn new(en: impl Into<S>, it: impl Into<S>) -> Self {
        Self { en: en.into(), it: it.into() }
    }

    pub fn get(&self, lang: Lang) -> &S {
        match lang {
            Lang::En => &self.en,
            Lang::It => &self.it,
        }
    }
}
