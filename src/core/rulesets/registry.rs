//! Typed enums over all rulesets, made from the table in [`super`].
//!
//! The shell gets only these enums, so it knows no game and still passes typed values.

/// Makes the enums. Each line names a [`Ruleset`](crate::engine::Ruleset), its name in the API, and the
/// module of its wire types. New tables get the `offered` version of each game. Games of `other` rulesets
/// (older versions, and games of tests) can only be continued; a `cfg` says in which builds.
macro_rules! rulesets {
    (
        offered { $($Offered:ident = $offered_name:literal => $offered:ident,)+ }
        other { $(#[$other_meta:meta] $Other:ident = $other_name:literal => $other:ident,)* }
    ) => {
        $crate::rulesets::registry::rulesets! {
            offered { $($Offered => $offered,)+ }
            $(#[cfg(all())] $Offered = $offered_name => $offered,)+
            $(#[$other_meta] $Other = $other_name => $other,)*
        }
    };
    (
        offered { $($Offered:ident => $offered:ident,)+ }
        $(#[$meta:meta] $Game:ident = $name:literal => $module:ident,)+
    ) => {
        use serde::Serialize;
        use serde_json::Value;

        use $crate::rulesets::board::{Board, OnBoard};
        use crate::engine::{
            Caption, Chance, Divergence, Draw, Lang, Legal, Malformed, Pictured, Placement, Refusal, Ruleset,
            Seat, Seats, Status, Table, Viewer, Voice, Wording, catalogue::{Catalogue, Named},
            picture::{Labels, Standing, picture}, table::ReplayError,
        };

        /// The ids of the rulesets, for the document of the API.
        #[cfg(any(test, feature = "openapi"))]
        pub struct RulesetName;

        #[cfg(any(test, feature = "openapi"))]
        impl utoipa::PartialSchema for RulesetName {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                let names: Vec<&str> = RulesetId::ALL.iter().map(|id| id.name()).collect();
                let text = utoipa::openapi::schema::ObjectBuilder::new();
                text.schema_type(utoipa::openapi::Type::String).enum_values(Some(names)).into()
            }
        }

        #[cfg(any(test, feature = "openapi"))]
        impl utoipa::ToSchema for RulesetName {}

        /// A version of a ruleset.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum RulesetId {
            $(#[$meta] $Game),+
        }

        impl RulesetId {
            /// The newest version of each game.
            pub const ALL: &'static [Self] = &[$(Self::$Offered),+];
            /// Every ruleset that a log may name.
            pub const KNOWN: &'static [Self] = &[$(#[$meta] Self::$Game),+];

            pub const fn name(self) -> &'static str {
                match self { $(#[$meta] Self::$Game => <$module::$Game>::NAME),+ }
            }

            pub const fn version(self) -> u32 {
                match self { $(#[$meta] Self::$Game => <$module::$Game>::VERSION),+ }
            }

            /// Returns the newest version of a game.
            pub fn current(name: &str) -> Option<Self> {
                Self::KNOWN.iter().copied().filter(|id| id.name() == name).max_by_key(|id| id.version())
            }

            pub fn of(name: &str, version: u64) -> Option<Self> {
                let same = |id: &Self| id.name() == name && u64::from(id.version()) == version;
                Self::KNOWN.iter().copied().find(same)
            }

            /// Returns the possible numbers of seats.
            pub fn seats(self) -> std::ops::RangeInclusive<u8> {
                match self { $(#[$meta] Self::$Game => <$module::$Game>::SEATS),+ }
            }

            pub fn title(self, lang: Lang) -> &'static str {
                match self { $(#[$meta] Self::$Game => <$module::$Game>::TITLE.get(lang)),+ }
            }

            pub fn summary(self, lang: Lang) -> &'static str {
                match self { $(#[$meta] Self::$Game => <$module::$Game>::SUMMARY.get(lang)),+ }
            }

            /// The rules for players, as Markdown.
            pub fn rules(self, lang: Lang) -> &'static str {
                match self { $(#[$meta] Self::$Game => <$module::$Game>::RULES.get(lang)),+ }
            }

            /// Returns the catalogue without the lists of `board`.
            pub fn catalogue(self, lang: Lang) -> Catalogue {
                match self { $(#[$meta] Self::$Game => <$module::$Game>::catalogue(lang)),+ }
            }

            /// Returns the lists of the game's board.
            pub fn board(self, lang: Lang) -> Board {
                match self { $(#[$meta] Self::$Game => <$module::$Game>::board(lang)),+ }
            }

            pub fn read_options(self, options: &Value, seats: Seats) -> Result<AnyOptions, Malformed> {
                match self {
                    $(#[$meta] Self::$Game => <$module::$Game>::read_options(options, seats).map(AnyOptions::$Game)),+
                }
            }

            /// The kinds of its commands.
            pub const fn commands(self) -> &'static [Named] {
                match self { $(#[$meta] Self::$Game => <$module::$Game>::COMMANDS),+ }
            }

            /// Returns the fields of commands whose number a plan may leave open.
            pub const fn open_numbers(self) -> &'static [&'static str] {
                match self { $(#[$meta] Self::$Game => <$module::$Game>::OPEN_NUMBERS),+ }
            }

            pub fn read_command(self, command: &Value) -> Result<AnyCommand, Malformed> {
                match self {
                    $(#[$meta] Self::$Game => <$module::$Game>::read_command(command).map(AnyCommand::$Game)),+
                }
            }
        }

        /// The options of a game of any ruleset.
        #[derive(Clone, PartialEq, Debug, Serialize)]
        #[wire]
        #[serde(untagged)]
        pub enum AnyOptions {
            $(#[$meta] $Game($module::Options)),+
        }

        /// A command of any ruleset.
        #[derive(Clone, PartialEq, Debug, Serialize)]
        #[wire]
        #[serde(untagged)]
        pub enum AnyCommand {
            $(#[$meta] $Game($module::Command)),+
        }

        /// The view of a state in any game.
        #[derive(PartialEq, Debug, Serialize)]
        #[wire]
        #[serde(untagged)]
        pub enum AnyView {
            $(#[$meta] $Game($module::View)),+
        }

        /// The view of an event in any game.
        #[derive(Clone, PartialEq, Debug, Serialize)]
        #[wire]
        #[serde(tag = "ruleset")]
        pub enum AnyEvent {
            $(#[$meta] #[serde(rename = $name)] $Game($module::EventView)),+
        }

        /// The result of any game.
        #[derive(Clone, PartialEq, Debug, Serialize)]
        #[wire]
        #[serde(untagged)]
        pub enum AnyOutcome {
            $(#[$meta] $Game($module::Outcome)),+
        }

        impl AnyEvent {
            /// Returns the text of the event.
            pub fn text(&self, voice: &Voice) -> String {
                match self { $(#[$meta] Self::$Game(event) => <$module::$Game>::event(event, voice)),+ }
            }
        }

        impl AnyView {
            /// Returns the picture of the view.
            pub fn picture(&self, caption: &Caption, voice: &Voice) -> String {
                match self { $(#[$meta] Self::$Game(view) => picture::<$module::$Game>(view, caption, voice)),+ }
            }

            /// Returns the standing of each seat, as far as the view shows it, and the name of the scores.
            pub fn standings(&self, lang: Lang) -> (Vec<Standing>, Labels) {
                match self {
                    $(#[$meta] Self::$Game(view) => {
                        (<$module::$Game>::standings(view, lang), <$module::$Game>::labels(view, lang))
                    })+
                }
            }
        }

        impl AnyOutcome {
            pub fn placements(&self) -> Vec<Placement> {
                match self { $(#[$meta] Self::$Game(outcome) => <$module::$Game>::placements(outcome)),+ }
            }
        }

        /// The status of a table in any game.
        #[derive(Clone, PartialEq, Debug)]
        pub enum AnyStatus {
            ToAct(Seat),
            Finished(AnyOutcome),
        }

        $crate::rulesets::tables::tables! { $(#[$meta] $Game => $module),+ }
        $crate::rulesets::thinking::thoughts! { $(#[$meta] $Game => $module),+ }

        /// A refused command in any game.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum Refused {
            Rule(Refusal),
            /// The command belongs to another game.
            OtherGame,
        }

        /// An event names its ruleset as the ruleset names itself.
        #[cfg(test)]
        #[test]
        fn an_event_names_its_ruleset() {
            let seats = Seats::new(2).unwrap();
            for ruleset in RulesetId::KNOWN {
                let options = ruleset.read_options(&serde_json::json!({}), seats).unwrap();
                let table = AnyTable::start(&options, seats, Chance::seeded($crate::engine::Seed::new($crate::engine::Format::Three, [7; 32])));
                let event = serde_json::to_value(&table.events(Viewer::Spectator)[0]).unwrap();
                assert_eq!(event["ruleset"], ruleset.name());
            }
        }

        // A state and its events hold secrets, so they must have no way onto the wire.
        $(
            #[$meta]
            $crate::engine::ruleset::assert_never_serialized!(<$module::$Game as Ruleset>::State);
            #[$meta]
            $crate::engine::ruleset::assert_never_serialized!(<$module::$Game as Ruleset>::Event);
        )+

        /// Runs the suite of `engine/conformance` on every game.
        #[cfg(test)]
        mod conformance {
            $(
                #[allow(non_snake_case)]
                mod $Offered {
                    #[allow(unused_imports)]
                    use super::super::*;
                    crate::engine::conformance::suite!($offered::$Offered);
                }
            )+
        }
    };
}
pub(super) use rulesets;
