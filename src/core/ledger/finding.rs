//! Findings of checks: codes with values. The texts of all codes are in `src/web/texts/findings.js`, which
//! the page's verifier reads too, so both verifiers say the same.

use std::{collections::BTreeMap, fmt, sync::LazyLock};

use serde::Deserialize;

use crate::engine::{Lang, Malformed, Text};

/// The texts, in a JavaScript module whose only export is JSON.
const TABLE: &str = include_str!("../../web/texts/findings.js");

#[derive(Deserialize)]
struct FindingTexts {
    en: String,
    it: String,
}

static WORDS: LazyLock<BTreeMap<String, FindingTexts>> = LazyLock::new(|| {
    let json = TABLE.find("= {").map_or("", |place| TABLE[place + 2..].trim_end().trim_end_matches(';'));
    serde_json::from_str(json).unwrap_or_default()
});

/// A finding, for instance `seat_not_free` with the seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub code: &'static str,
    values: Vec<(&'static str, Text<String>)>,
}

/// `finding!("seat_not_free", seat = 3)`
macro_rules! finding {
    ($code:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::ledger::finding::Finding::new($code)$(.with(stringify!($name), &$value))*
    };
}
pub(crate) use finding;

impl Finding {
    pub const fn new(code: &'static str) -> Self {
        Self { code, values: Vec::new() }
    }

    /// Adds a value without translations.
    #[must_use]
    pub fn with(self, name: &'static str, value: &impl ToString) -> Self {
        self.with_text(name, value.to_string().into())
    }

    #[must_use]
    pub fn with_text(mut self, name: &'static str, value: Text<String>) -> Self {
        self.values.push((name, value));
        self
    }

    pub fn text(&self, lang: Lang) -> String {
        let Some(words) = WORDS.get(self.code) else { return self.code.to_owned() };
        let mut text = match lang {
            Lang::En => words.en.clone(),
            Lang::It => words.it.clone(),
        };
        for (name, value) in &self.values {
            text = text.replace(&format!("{{{name}}}"), value.get(lang));
        }
        text
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

/// A mistake in the form of a document.
impl From<Malformed> for Finding {
    fn from(malformed: Malformed) -> Self {
        Self::new("malformed").with_text("what", malformed.text())
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    /// Collects the codes in `finding!("..")` and `found("..")` of a folder.
    fn codes(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                codes(&path, found);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            for start in ["finding!(\"", "Self::new(\"", "found(\"", "found('"] {
                let named = text.split(start).skip(1).filter_map(|rest| rest.split(['"', '\'']).next());
                found.extend(named.map(str::to_owned));
            }
        }
    }

    #[test]
    fn each_code_has_words_and_all_words_are_used() {
        let mut used = BTreeSet::new();
        let core = Path::new(env!("CARGO_MANIFEST_DIR"));
        codes(&core.join("ledger"), &mut used);
        codes(&core.join("../web/check"), &mut used);
        // The names of the patterns themselves.
        used.retain(|code| !code.is_empty() && code != "..");
        let known: BTreeSet<String> = WORDS.keys().cloned().collect();
        assert_eq!(used, known);
    }

    #[test]
    fn values_stand_in_the_words_of_both_languages() {
        let found = finding!("seat_not_free", seat = 3);
        assert_eq!(found.to_string(), "Seat 3 is not free.");
        assert_eq!(found.text(Lang::It), "Il posto 3 non è libero.");
    }
}
