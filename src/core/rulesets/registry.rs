//! Typed enums over all rulesets, made from the one table in [`super`].
//!
//! What crosses the border to the shell is one of these, so that the shell knows no game and yet every
//! value that it hands on has its own type.

/// Makes the enums. Each line names a [`Ruleset`](crate::engine::Ruleset) and the module that it
/// and its types for the wire stand in.
macro_rules! rulesets {
    ($($Game:ident => $module:ident),+ $(,)?) => {
        use serde::Serialize;
        use serde_json::Value;

        use crate::engine::{
            Chance, Divergence, Draw, Lang, Legal, Malformed, Placement, Refusal, Ruleset, Seat, Seats,
            Status, Table, Viewer, Voice, Wording, catalogue::{Catalogue, Named}, table::ReplayError,
        };

        /// The ids of the rulesets, for the document of the API.
        #[cfg(any(test, feature = "openapi"))]
        pub struct RulesetName;

        #[cfg(any(test, feature = "openapi"))]
        impl utoipa::PartialSchema for RulesetName {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                let mut names: Vec<&str> = RulesetId::ALL.iter().map(|id| id.name()).collect();
                names.dedup();
                let text = utoipa::openapi::schema::ObjectBuilder::new();
                text.schema_type(utoipa::openapi::Type::String).enum_values(Some(names)).into()
            }
        }

        #[cfg(any(test, feature = "openapi"))]
        impl utoipa::ToSchema for RulesetName {}

        /// A ruleset at one version of its rules.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum RulesetId {
            $($Game),+
        }

        impl RulesetId {
            pub const ALL: &'static [Self] = &[$(Self::$Game),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$Game => <$module::$Game>::NAME),+ }
            }

            pub const fn version(self) -> u32 {
                match self { $(Self::$Game => <$module::$Game>::VERSION),+ }
            }

            /// The version of this name that new games are played under.
            pub fn current(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().filter(|id| id.name() == name).max_by_key(|id| id.version())
            }

            pub fn of(name: &str, version: u64) -> Option<Self> {
                let same = |id: &Self| id.name() == name && u64::from(id.version()) == version;
                Self::ALL.iter().copied().find(same)
            }

            /// How many may play it.
            pub fn seats(self) -> std::ops::RangeInclusive<u8> {
                match self { $(Self::$Game => <$module::$Game>::SEATS),+ }
            }

            pub fn title(self, lang: Lang) -> &'static str {
                match self { $(Self::$Game => <$module::$Game>::TITLE.get(lang)),+ }
            }

            pub fn summary(self, lang: Lang) -> &'static str {
                match self { $(Self::$Game => <$module::$Game>::SUMMARY.get(lang)),+ }
            }

            /// The rules for players, as Markdown.
            pub fn rules(self, lang: Lang) -> &'static str {
                match self { $(Self::$Game => <$module::$Game>::RULES.get(lang)),+ }
            }

            /// Everything that a client would otherwise copy out of the rules.
            pub fn catalogue(self, lang: Lang) -> Catalogue {
                match self { $(Self::$Game => <$module::$Game>::catalogue(lang)),+ }
            }

            pub fn read_options(self, options: &Value, seats: Seats) -> Result<AnyOptions, Malformed> {
                match self {
                    $(Self::$Game => <$module::$Game>::read_options(options, seats).map(AnyOptions::$Game)),+
                }
            }

            /// The kinds of its commands.
            pub const fn commands(self) -> &'static [Named] {
                match self { $(Self::$Game => <$module::$Game>::COMMANDS),+ }
            }

            pub fn read_command(self, command: &Value) -> Result<AnyCommand, Malformed> {
                match self {
                    $(Self::$Game => <$module::$Game>::read_command(command).map(AnyCommand::$Game)),+
                }
            }
        }

        /// The options of a game of any ruleset.
        #[derive(Clone, PartialEq, Debug, Serialize)]
        #[wire]
        #[serde(untagged)]
        pub enum AnyOptions {
            $($Game($module::Options)),+
        }

        /// A command of any ruleset.
        #[derive(Clone, PartialEq, Debug, Serialize)]
        #[wire]
        #[serde(untagged)]
        pub enum AnyCommand {
            $($Game($module::Command)),+
        }

        /// What a viewer sees of a game of any ruleset.
        #[derive(PartialEq, Debug, Serialize)]
        #[wire]
        #[serde(untagged)]
        pub enum AnyView {
            $($Game($module::View)),+
        }

        /// Something that happened in a game of any ruleset, as a viewer may know it.
        #[derive(Clone, PartialEq, Debug, Serialize)]
        #[wire]
        #[serde(tag = "ruleset", rename_all = "kebab-case")]
        pub enum AnyEvent {
            $($Game($module::EventView)),+
        }

        /// How a game of any ruleset came out.
        #[derive(Clone, PartialEq, Debug, Serialize)]
        #[wire]
        #[serde(untagged)]
        pub enum AnyOutcome {
            $($Game($module::Outcome)),+
        }

        impl AnyEvent {
            /// What happened, in words.
            pub fn text(&self, voice: &Voice) -> String {
                match self { $(Self::$Game(event) => <$module::$Game>::event(event, voice)),+ }
            }
        }

        impl AnyOutcome {
            pub fn placements(&self) -> Vec<Placement> {
                match self { $(Self::$Game(outcome) => <$module::$Game>::placements(outcome)),+ }
            }
        }

        /// Whether a game of any ruleset goes on.
        #[derive(Clone, PartialEq, Debug)]
        pub enum AnyStatus {
            ToAct(Seat),
            Finished(AnyOutcome),
        }

        /// A game of any ruleset in progress.
        #[derive(Clone)]
        pub enum AnyTable {
            $($Game(Box<Table<$module::$Game>>)),+
        }

        impl AnyTable {
            /// Sets the game up and plays it to its first decision.
            pub fn start(options: &AnyOptions, seats: Seats, chance: Chance) -> Self {
                match options {
                    $(AnyOptions::$Game(options) => {
                        Self::$Game(Box::new(Table::start(options, seats, chance)))
                    })+
                }
            }

            /// Starts the table again, with the draws that the log holds of its start.
            pub fn restart(
                options: &AnyOptions,
                seats: Seats,
                chance: Chance,
                draws: Vec<Draw>,
            ) -> Result<Self, Divergence> {
                match options {
                    $(AnyOptions::$Game(options) => {
                        Table::restart(options, seats, chance, draws).map(Box::new).map(Self::$Game)
                    })+
                }
            }

            pub const fn ruleset(&self) -> RulesetId {
                match self { $(Self::$Game(_) => RulesetId::$Game),+ }
            }

            pub fn seats(&self) -> Seats {
                match self { $(Self::$Game(table) => table.seats()),+ }
            }

            /// Whether the command would be accepted now. A command of another game never is.
            pub fn check(&self, seat: Seat, command: &AnyCommand) -> Result<(), Refused> {
                match (self, command) {
                    $((Self::$Game(table), AnyCommand::$Game(command)) => {
                        table.check(seat, command).map_err(|rejection| Refused::Rule(rejection.into()))
                    })+
                    #[allow(unreachable_patterns)]
                    _ => Err(Refused::OtherGame),
                }
            }

            pub fn submit(&mut self, seat: Seat, command: &AnyCommand) -> Result<(), Refused> {
                match (self, command) {
                    $((Self::$Game(table), AnyCommand::$Game(command)) => {
                        table.submit(seat, command).map_err(|rejection| Refused::Rule(rejection.into()))
                    })+
                    #[allow(unreachable_patterns)]
                    _ => Err(Refused::OtherGame),
                }
            }

            /// Submits a command that a log holds, together with the draws it made.
            pub fn replay(
                &mut self,
                seat: Seat,
                command: &AnyCommand,
                draws: Vec<Draw>,
            ) -> Result<(), ReplayError<Refused>> {
                match (self, command) {
                    $((Self::$Game(table), AnyCommand::$Game(command)) => {
                        table.replay(seat, command, draws).map_err(|error| match error {
                            ReplayError::Rejected(rejection) => {
                                ReplayError::Rejected(Refused::Rule(rejection.into()))
                            }
                            ReplayError::Diverged(divergence) => ReplayError::Diverged(divergence),
                        })
                    })+
                    #[allow(unreachable_patterns)]
                    _ => Err(ReplayError::Rejected(Refused::OtherGame)),
                }
            }

            pub fn status(&self) -> AnyStatus {
                match self {
                    $(Self::$Game(table) => match table.status() {
                        Status::ToAct(seat) => AnyStatus::ToAct(seat),
                        Status::Finished(outcome) => {
                            AnyStatus::Finished(AnyOutcome::$Game(outcome.clone()))
                        }
                    }),+
                }
            }

            /// A table that this viewer cannot tell from this one. It follows from what the viewer knows and
            /// from the chance alone.
            #[must_use]
            pub fn redealt(&self, viewer: Viewer, chance: Chance) -> Self {
                match self { $(Self::$Game(table) => Self::$Game(Box::new(table.redealt(viewer, chance)))),+ }
            }

            /// The same table, whose chance comes from elsewhere from here on.
            #[must_use]
            pub fn under(&self, chance: Chance) -> Self {
                match self { $(Self::$Game(table) => Self::$Game(Box::new(table.under(chance)))),+ }
            }

            /// The seat that must decide.
            pub fn to_act(&self) -> Option<Seat> {
                match self {
                    $(Self::$Game(table) => match table.status() {
                        Status::ToAct(seat) => Some(seat),
                        Status::Finished(_) => None,
                    }),+
                }
            }

            pub fn legal(&self, seat: Seat) -> Legal<AnyCommand> {
                match self { $(Self::$Game(table) => table.legal(seat).map(AnyCommand::$Game)),+ }
            }

            /// All that a seat may do now, in words as well.
            pub fn legal_in_words(&self, seat: Seat, voice: &Voice) -> Legal<AnyCommand> {
                match self {
                    $(Self::$Game(table) => {
                        let (mut legal, view) = (table.legal(seat), table.view(Viewer::Seat(seat)));
                        for listed in &mut legal.commands {
                            listed.text = Some(<$module::$Game>::command(&listed.command, &view, voice));
                        }
                        legal.map(AnyCommand::$Game)
                    }),+
                }
            }

            /// What a viewer is waited for, or whom it waits for.
            pub fn prompt(&self, viewer: Viewer, voice: &Voice) -> String {
                match self {
                    $(Self::$Game(table) => <$module::$Game>::prompt(&table.view(viewer), viewer, voice)),+
                }
            }

            pub fn autopilot(&self, seat: Seat) -> Option<AnyCommand> {
                match self { $(Self::$Game(table) => table.autopilot(seat).map(AnyCommand::$Game)),+ }
            }

            /// The phase as views name it.
            pub fn phase(&self) -> &'static str {
                match self { $(Self::$Game(table) => table.phase()),+ }
            }

            /// How many cards are hidden in each pile.
            pub fn hidden_cards(&self) -> $crate::engine::HiddenCards {
                match self { $(Self::$Game(table) => table.hidden_cards()),+ }
            }

            /// Whether the seat still takes part.
            pub fn is_in(&self, seat: Seat) -> bool {
                match self { $(Self::$Game(table) => table.is_in(seat)),+ }
            }

            pub fn view(&self, viewer: Viewer) -> AnyView {
                match self { $(Self::$Game(table) => AnyView::$Game(table.view(viewer))),+ }
            }

            /// What the last command did, as far as the viewer may know.
            pub fn events(&self, viewer: Viewer) -> Vec<AnyEvent> {
                match self {
                    $(Self::$Game(table) => {
                        table.events(viewer).into_iter().map(AnyEvent::$Game).collect()
                    }),+
                }
            }

            /// Lets go of what the last command did and drew.
            pub fn forget_last(&mut self) {
                match self { $(Self::$Game(table) => table.forget_last()),+ }
            }

            /// What the last command drew.
            pub fn draws(&self) -> &[Draw] {
                match self { $(Self::$Game(table) => table.draws()),+ }
            }
        }

        $crate::rulesets::thinking::thoughts! { $($Game => $module),+ }

        /// Why a table of any ruleset did not take a command.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum Refused {
            Rule(Refusal),
            /// The command is one of another game.
            OtherGame,
        }

        /// An event names its ruleset by the name of its variant.
        #[cfg(test)]
        #[test]
        fn an_event_names_its_ruleset() {
            let seats = Seats::new(2).unwrap();
            for ruleset in RulesetId::ALL {
                let options = ruleset.read_options(&serde_json::json!({}), seats).unwrap();
                let table = AnyTable::start(&options, seats, Chance::seeded($crate::engine::Seed::new($crate::engine::Format::Three, [7; 32])));
                let event = serde_json::to_value(&table.events(Viewer::Spectator)[0]).unwrap();
                assert_eq!(event["ruleset"], ruleset.name());
            }
        }

        // A state and its events hold secrets, so they must have no way onto the wire.
        $(
            $crate::engine::ruleset::assert_never_serialized!(<$module::$Game as Ruleset>::State);
            $crate::engine::ruleset::assert_never_serialized!(<$module::$Game as Ruleset>::Event);
        )+

        /// Runs the suite that every game must pass.
        #[cfg(test)]
        mod conformance {
            $(
                #[allow(non_snake_case)]
                mod $Game {
                    #[allow(unused_imports)]
                    use super::super::*;
                    crate::engine::conformance::suite!($module::$Game);
                }
            )+
        }
    };
}
pub(super) use rulesets;
