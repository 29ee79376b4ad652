//! Texts that players choose and others see: names and titles.

use icu_normalizer::ComposingNormalizer;
use icu_properties::{
    CodePointSetData,
    props::{DefaultIgnorableCodePoint, EnumeratedProperty as _, GeneralCategory as Category},
};

use super::request::Field;
use crate::engine::{Fields, Malformed, Text};

pub const LONGEST_NAME: usize = 40;
/// A symbol that looks empty.
const BLANK_OF_BRAILLE: char = '\u{2800}';
/// Shows the preceding sign as a picture. Phones append it to many signs.
const AS_A_PICTURE: char = '\u{fe0f}';

/// The name of a player, token or hook.
pub struct Name(pub String);

impl Field for Name {
    fn read(fields: &mut Fields, field: &'static str) -> Result<Self, Malformed> {
        let name = fit(fields.text(field)?).map_err(|unfit| fields.wrong(field, unfit.what()))?;
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            let problem = Text::new(
                "must have 1 to 40 characters after trimming",
                "deve avere da 1 a 40 caratteri, senza contare gli spazi alle estremità",
            );
            return Err(fields.wrong(field, problem));
        }
        Ok(Self(name))
    }
}

/// Why a text must not be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// The text contains invisible signs, or signs that change its direction.
    Invisible,
    /// The text begins with a combining mark, which would change the text before.
    LeadingMark,
}

impl Unfit {
    pub fn what(self) -> Text<String> {
        match self {
            Self::Invisible => Text::new(
                "must not contain control, invisible, private-use or direction characters",
                "non può contenere caratteri di controllo, invisibili, privati o di direzione",
            ),
            Self::LeadingMark => Text::new(
                "must not begin with a combining mark",
                "non può cominciare con un segno diacritico da solo",
            ),
        }
    }
}

/// Trims a text and normalizes it (NFC), so that equal-looking texts are equal.
pub fn fit(text: &str) -> Result<String, Unfit> {
    let text = ComposingNormalizer::new_nfc().normalize(text.trim()).into_owned();
    if text.chars().any(is_invisible) {
        return Err(Unfit::Invisible);
    }
    let first = text.chars().next().map(Category::for_char);
    match first {
        Some(Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark) => {
            Err(Unfit::LeadingMark)
        }
        _ => Ok(text),
    }
}

fn is_invisible(sign: char) -> bool {
    let is_ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(sign);
    let category = Category::for_char(sign);
    (is_ignorable && sign != AS_A_PICTURE)
        || sign == BLANK_OF_BRAILLE
        || matches!(
            category,
            Category::Control
                | Category::Format
                | Category::PrivateUse
                | Category::Surrogate
                | Category::LineSeparator
                | Category::ParagraphSeparator
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_call_themselves_is_kept() {
        for name in
            ["Ada", "Zoë", "李小龙", "مريم", "שרה", "Ирина", "O'Neil-Šmíd", "Ada 🎲", "❤\u{fe0f}", "ᚠ"]
        {
            assert_eq!(fit(name).as_deref(), Ok(name));
        }
        assert_eq!(fit("  Ada\u{3000}").as_deref(), Ok("Ada"));
        assert_eq!(fit("Zoe\u{308}").as_deref(), Ok("Zoë"), "one form for what looks alike");
        assert_eq!(fit("").as_deref(), Ok(""));
    }

    #[test]
    fn what_deceives_is_refused() {
        for (sign, name) in [
            ('\u{202e}', "right to left from here"),
            ('\u{2066}', "an isolate"),
            ('\u{200f}', "a mark of direction"),
            ('\u{200b}', "a space of no width"),
            ('\u{200d}', "a joiner"),
            ('\u{2060}', "a word joiner"),
            ('\u{ad}', "a soft hyphen"),
            ('\u{115f}', "a filler"),
            ('\u{3164}', "another filler"),
            ('\u{2800}', "a blank of braille"),
            ('\u{feff}', "a byte order mark"),
            ('\u{e0041}', "a tag"),
            ('\u{e000}', "for private use"),
            ('\u{10fffd}', "for private use"),
            ('\u{2028}', "a line"),
            ('\u{7}', "a bell"),
        ] {
            assert_eq!(fit(&format!("A{sign}da")), Err(Unfit::Invisible), "{name}");
        }
        assert_eq!(fit("\u{301}Ada"), Err(Unfit::LeadingMark));
    }
}
