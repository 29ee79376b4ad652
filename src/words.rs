//! Words that stand alike in rows and in answers, each an enum.

use serde::Serialize;

/// Declares an enum whose variants are words.
macro_rules! words {
    ($(#[$meta:meta])* $Name:ident { $($Variant:ident = $word:literal),+ $(,)? }) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        $(#[$meta])*
        #[serde(rename_all = "snake_case")]
        pub enum $Name {
            $($Variant),+
        }

        impl $Name {
            pub const ALL: &'static [Self] = &[$(Self::$Variant),+];

            pub const fn word(self) -> &'static str {
                match self { $(Self::$Variant => $word),+ }
            }

            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$Variant),)+ _ => None }
            }
        }
    };
}

words! {
    /// Where in its life a game is.
    #[cfg_attr(feature = "openapi", schema(as = StatusView))]
    Status { Open = "open", Sealed = "sealed", Running = "running", Finished = "finished", Void = "void" }
}

words! {
    /// Who may see a game.
    Visibility { Public = "public", Unlisted = "unlisted", Private = "private" }
}

words! {
    /// Who plays a seat.
    PlayedBy { Player = "player", Autopilot = "autopilot" }
}

words! {
    /// What a seat gave to the shuffle.
    Share { None = "none", Promised = "promised", Revealed = "revealed" }
}

words! {
    /// Which turns a list is about.
    Turns { Mine = "mine" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_the_same_in_rows_and_in_answers() {
        for status in [Status::Open, Status::Sealed, Status::Running, Status::Finished, Status::Void] {
            assert_eq!(serde_json::to_value(status).unwrap(), status.word());
            assert_eq!(Status::from_word(status.word()), Some(status));
        }
        assert_eq!(serde_json::to_value(Share::Promised).unwrap(), Share::Promised.word());
    }
}
