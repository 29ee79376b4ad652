//! A typed enum over decisions of bots in any game.

macro_rules! thoughts {
    ($(#[$meta:meta] $Game:ident => $module:ident),+) => {
        use $crate::bots::{Level, Playable, Thought};

        /// A decision at a table of any ruleset, to be thought over.
        pub enum AnyThought {
            $(#[$meta] $Game(Thought<$module::$Game>)),+
        }

        impl AnyTable {
            /// Returns the decision of a seat for a bot. The seed is the bot's own, never the game's.
            pub fn thought(&self, seat: Seat, seed: u64) -> AnyThought {
                match self { $(#[$meta] Self::$Game(table) => AnyThought::$Game(Thought::of(table, seat, seed))),+ }
            }
        }

        impl AnyThought {
            /// Returns the command of the seat, if it must act. `part` divides the number of simulated games.
            pub fn decide(&self, level: Level, part: u32) -> Option<AnyCommand> {
                match self {
                    $(#[$meta] Self::$Game(thought) => {
                        let style = <$module::$Game>::style(level).with_part(part);
                        thought.decide(style).map(AnyCommand::$Game)
                    }),+
                }
            }

            /// Returns a random candidate.
            pub fn random(&self) -> Option<AnyCommand> {
                match self { $(#[$meta] Self::$Game(thought) => thought.random().map(AnyCommand::$Game)),+ }
            }
        }
    };
}
pub(super) use thoughts;
