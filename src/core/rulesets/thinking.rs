//! A typed enum over what there is to think about at a table of any ruleset.

macro_rules! thoughts {
    ($(#[$meta:meta] $Game:ident => $module:ident),+) => {
        use $crate::bots::{Level, Playable, Thought};

        /// A decision at a table of any ruleset, to be thought over.
        pub enum AnyThought {
            $(#[$meta] $Game(Thought<$module::$Game>)),+
        }

        impl AnyTable {
            /// What there is to think about for a seat. The seed is the thinker's own, and never the game's.
            pub fn thought(&self, seat: Seat, seed: u64) -> AnyThought {
                match self { $(#[$meta] Self::$Game(table) => AnyThought::$Game(Thought::of(table, seat, seed))),+ }
            }
        }

        impl AnyThought {
            /// What the seat does, if it has to do something, found with a part of the games that the level
            /// imagines.
            pub fn decide(&self, level: Level, part: u32) -> Option<AnyCommand> {
                match self {
                    $(#[$meta] Self::$Game(thought) => {
                        let style = <$module::$Game>::style(level).with_part(part);
                        thought.decide(style).map(AnyCommand::$Game)
                    }),+
                }
            }

            /// Any of the commands that deserve a thought.
            pub fn random(&self) -> Option<AnyCommand> {
                match self { $(#[$meta] Self::$Game(thought) => thought.random().map(AnyCommand::$Game)),+ }
            }
        }
    };
}
pub(super) use thoughts;
