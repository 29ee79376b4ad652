//! Mistakes in the form of a request: where, and what is expected.

use std::fmt;

use super::Text;

/// Mistakes that are reported at once.
const MOST: usize = 20;

/// All mistakes in the form of a request; at least one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Malformed(Box<[Mistake]>);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The place, for example `command.areas[1]`.
    at: String,
    /// An unknown field at that place, as it was sent.
    unknown: Option<String>,
    problem: Text<String>,
}

impl Malformed {
    pub fn new(at: impl Into<String>, problem: impl Into<Text<String>>) -> Self {
        Self(Box::new([Mistake { at: at.into(), unknown: None, problem: problem.into() }]))
    }

    /// Returns the mistake of an unknown field.
    pub fn unknown(at: &str, field: &str) -> Self {
        let problem = Text::new("is not a known field", "non è un campo previsto");
        Self(Box::new([Mistake { at: at.to_owned(), unknown: Some(field.to_owned()), problem }]))
    }

    /// Merges mistakes, if there are any.
    pub fn all(each: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut each = each.into_iter().peekable();
        each.peek()?;
        Some(Self::joined(each))
    }

    fn joined(each: impl IntoIterator<Item = Self>) -> Self {
        Self(each.into_iter().flat_map(|each| each.0).take(MOST).collect())
    }

    /// Returns all values, or all mistakes.
    pub fn every<T>(each: impl IntoIterator<Item = Result<T, Self>>) -> Result<Vec<T>, Self> {
        let each = each.into_iter();
        let (mut good, mut wrong) = (Vec::with_capacity(each.size_hint().0), Vec::new());
        for one in each {
            match one {
                Ok(one) => good.push(one),
                Err(malformed) => wrong.push(malformed),
            }
        }
        Self::all(wrong).map_or(Ok(good), Err)
    }

    /// Returns both values, or all mistakes.
    pub fn both<A, B>(a: Result<A, Self>, b: Result<B, Self>) -> Result<(A, B), Self> {
        match (a, b) {
            (Ok(a), Ok(b)) => Ok((a, b)),
            (Err(a), Err(b)) => Err(Self::joined([a, b])),
            (Err(wrong), Ok(_)) | (Ok(_), Err(wrong)) => Err(wrong),
        }
    }

    /// Moves the places of mistakes from one prefix to another.
    #[must_use]
    pub fn moved(mut self, from: &str, to: &str) -> Self {
        for mistake in &mut self.0 {
            if let Some(rest) = mistake.at.strip_prefix(from) {
                mistake.at = format!("{to}{rest}");
            }
        }
        self
    }

    pub fn mistakes(&self) -> &[Mistake] {
        &self.0
    }

    /// Returns the text of all mistakes.
    pub fn text(&self) -> Text<String> {
        let join = |tell: fn(&Mistake) -> &str| {
            let told = self.0.iter().map(|mistake| match mistake.place() {
                place if place.is_empty() => tell(mistake).to_owned(),
                place => format!("{place}: {}", tell(mistake)),
            });
            told.collect::<Vec<_>>().join("; ")
        };
        Text { en: join(|mistake| &mistake.problem.en), it: join(|mistake| &mistake.problem.it) }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text().en)
    }
}

impl Mistake {
    pub const fn problem(&self) -> &Text<String> {
        &self.problem
    }

    fn place(&self) -> String {
        match (&self.unknown, self.at.is_empty()) {
            (None, _) => self.at.clone(),
            (Some(field), true) => clip(field),
            (Some(field), false) => format!("{}.{}", self.at, clip(field)),
        }
    }

    /// Returns the place as a JSON Pointer (RFC 6901).
    pub fn pointer(&self) -> String {
        let steps =
            self.at.split(['.', '[']).map(|step| step.trim_end_matches(']')).filter(|step| !step.is_empty());
        let unknown = self.unknown.as_deref().map(|field| clip(field).replace('~', "~0").replace('/', "~1"));
        let steps: Vec<String> = std::iter::once("").chain(steps).map(str::to_owned).chain(unknown).collect();
        steps.join("/")
    }
}

/// Returns the start of a client's word, short and printable, for use in an error: a terminal could interpret
/// control characters.
pub fn clip(word: &str) -> String {
    const MOST: usize = 40;
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let rest = word.chars().nth(MOST).map(|_| '…');
    word.chars().take(MOST).map(plain).chain(rest).collect()
}

/// Returns the text for a word outside a list.
pub fn one_of<'w>(word: Option<&str>, words: impl Iterator<Item = &'w str>) -> Text<String> {
    let words = words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    match word.map(clip) {
        Some(word) => Text::new(
            format!("`{word}` is not one of {words}"),
            format!("`{word}` non è fra i valori previsti: {words}"),
        ),
        None => Text::new(format!("must be one of {words}"), format!("dev'essere uno di: {words}")),
    }
}

/// Returns the text for a number that is no seat of the table.
pub fn no_seat() -> Text<String> {
    Text::new("must be one of the seats, counted from 0", "dev'essere uno dei posti, contati da 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_has_its_place_as_a_pointer() {
        let at = |at: &str| Malformed::new(at, "x").mistakes()[0].pointer();
        assert_eq!(at("command.areas[1]"), "/command/areas/1");
        assert_eq!(at(""), "");
        assert_eq!(Malformed::unknown("options", "a/b.c~").mistakes()[0].pointer(), "/options/a~1b.c~0");
    }
}
