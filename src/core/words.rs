//! Enums of words in the log and in answers.

/// Declares an enum of words.
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $Name:ident { $($Variant:ident = $word:literal),+ $(,)? }) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
        #[wire]
        $(#[$meta])*
        #[serde(rename_all = "snake_case")]
        pub enum $Name {
            $($Variant),+
        }

        impl $Name {
            pub const ALL: &'static [Self] = &[$(Self::$Variant),+];
            pub const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$Variant)),+];

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
    /// Stage of a game.
    Status { Open = "open", Sealed = "sealed", Running = "running", Finished = "finished", Void = "void" }
}

words! {
    /// Player of a seat: its own player or the autopilot.
    #[schema(as = Control)]
    PlayedBy { Player = "player", Autopilot = "autopilot", Resigned = "resigned" }
}

words! {
    /// How a game ended: finished by the rules, resigned by all but one seat, abandoned by all people, halted
    /// by the operator, or void.
    Ending { Finished = "finished", Resigned = "resigned", Abandoned = "abandoned", Void = "void", Halted = "halted" }
}

words! {
    /// A seat's contribution to the shuffle.
    #[schema(as = EntropyShare)]
    Share { None = "none", Promised = "promised", Revealed = "revealed" }
}

words! {
    /// Strength of a built-in bot.
    #[derive(PartialOrd, Ord, Hash)]
    Level { Easy = "easy", Middle = "middle", Hard = "hard", Hardest = "hardest" }
}
