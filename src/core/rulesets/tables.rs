//! A typed enum over tables of any ruleset.

macro_rules! tables {
    ($(#[$meta:meta] $Game:ident => $module:ident),+) => {
        /// A game of any ruleset in progress.
        #[derive(Clone)]
        pub enum AnyTable {
            $(#[$meta] $Game(Box<Table<$module::$Game>>)),+
        }

        impl AnyTable {
            /// Sets the game up and plays to the first decision.
            pub fn start(options: &AnyOptions, seats: Seats, chance: Chance) -> Self {
                match options {
                    $(#[$meta] AnyOptions::$Game(options) => {
                        Self::$Game(Box::new(Table::start(options, seats, chance)))
                    })+
                }
            }

            /// Starts the table again, with the logged draws of its start.
            pub fn restart(
                options: &AnyOptions,
                seats: Seats,
                chance: Chance,
                draws: Vec<Draw>,
            ) -> Result<Self, Divergence> {
                match options {
                    $(#[$meta] AnyOptions::$Game(options) => {
                        Table::restart(options, seats, chance, draws).map(Box::new).map(Self::$Game)
                    })+
                }
            }

            pub const fn ruleset(&self) -> RulesetId {
                match self { $(#[$meta] Self::$Game(_) => RulesetId::$Game),+ }
            }

            pub fn seats(&self) -> Seats {
                match self { $(#[$meta] Self::$Game(table) => table.seats()),+ }
            }

            /// Checks whether the command is legal now. Commands of other games never are.
            pub fn check(&self, seat: Seat, command: &AnyCommand) -> Result<(), Refused> {
                match (self, command) {
                    $(#[$meta] (Self::$Game(table), AnyCommand::$Game(command)) => {
                        table.check(seat, command).map_err(|rejection| Refused::Rule(rejection.into()))
                    })+
                    #[allow(unreachable_patterns)]
                    _ => Err(Refused::OtherGame),
                }
            }

            pub fn submit(&mut self, seat: Seat, command: &AnyCommand) -> Result<(), Refused> {
                match (self, command) {
                    $(#[$meta] (Self::$Game(table), AnyCommand::$Game(command)) => {
                        table.submit(seat, command).map_err(|rejection| Refused::Rule(rejection.into()))
                    })+
                    #[allow(unreachable_patterns)]
                    _ => Err(Refused::OtherGame),
                }
            }

            /// Submits a logged command with its draws.
            pub fn replay(
                &mut self,
                seat: Seat,
                command: &AnyCommand,
                draws: Vec<Draw>,
            ) -> Result<(), ReplayError<Refused>> {
                match (self, command) {
                    $(#[$meta] (Self::$Game(table), AnyCommand::$Game(command)) => {
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
                    $(#[$meta] Self::$Game(table) => match table.status() {
                        Status::ToAct(seat) => AnyStatus::ToAct(seat),
                        Status::Finished(outcome) => {
                            AnyStatus::Finished(AnyOutcome::$Game(outcome.clone()))
                        }
                    }),+
                }
            }

            /// Returns a table that the viewer cannot tell from this one. It depends only on the viewer's
            /// knowledge and on `chance`.
            #[must_use]
            pub fn redealt(&self, viewer: Viewer, chance: Chance) -> Self {
                match self { $(#[$meta] Self::$Game(table) => Self::$Game(Box::new(table.redealt(viewer, chance)))),+ }
            }

            /// Returns the same table with another source of chance.
            #[must_use]
            pub fn under(&self, chance: Chance) -> Self {
                match self { $(#[$meta] Self::$Game(table) => Self::$Game(Box::new(table.under(chance)))),+ }
            }

            /// Returns the seat that must decide.
            pub fn to_act(&self) -> Option<Seat> {
                match self {
                    $(#[$meta] Self::$Game(table) => match table.status() {
                        Status::ToAct(seat) => Some(seat),
                        Status::Finished(_) => None,
                    }),+
                }
            }

            pub fn legal(&self, seat: Seat) -> Legal<AnyCommand> {
                match self { $(#[$meta] Self::$Game(table) => table.legal(seat).map(AnyCommand::$Game)),+ }
            }

            /// Returns the legal commands of a seat, with texts.
            pub fn legal_in_words(&self, seat: Seat, voice: &Voice) -> Legal<AnyCommand> {
                match self {
                    $(#[$meta] Self::$Game(table) => {
                        let (mut legal, view) = (table.legal(seat), table.view(Viewer::Seat(seat)));
                        for listed in &mut legal.commands {
                            listed.text = Some(<$module::$Game>::command(&listed.command, &view, voice));
                        }
                        legal.map(AnyCommand::$Game)
                    }),+
                }
            }

            pub fn prompt(&self, viewer: Viewer, voice: &Voice) -> String {
                match self {
                    $(#[$meta] Self::$Game(table) => <$module::$Game>::prompt(&table.view(viewer), viewer, voice)),+
                }
            }

            pub fn autopilot(&self, seat: Seat) -> Option<AnyCommand> {
                match self { $(#[$meta] Self::$Game(table) => table.autopilot(seat).map(AnyCommand::$Game)),+ }
            }

            /// Returns the phase, as views name it.
            pub fn phase(&self) -> &'static str {
                match self { $(#[$meta] Self::$Game(table) => table.phase()),+ }
            }

            /// Returns the number of hidden cards in each pile.
            pub fn hidden_cards(&self) -> $crate::engine::HiddenCards {
                match self { $(#[$meta] Self::$Game(table) => table.hidden_cards()),+ }
            }

            /// Returns whether the seat still takes part.
            pub fn is_in(&self, seat: Seat) -> bool {
                match self { $(#[$meta] Self::$Game(table) => table.is_in(seat)),+ }
            }

            pub fn view(&self, viewer: Viewer) -> AnyView {
                match self { $(#[$meta] Self::$Game(table) => AnyView::$Game(table.view(viewer))),+ }
            }

            /// Returns the events of the last command, as the viewer may see them.
            pub fn events(&self, viewer: Viewer) -> Vec<AnyEvent> {
                match self {
                    $(#[$meta] Self::$Game(table) => {
                        table.events(viewer).into_iter().map(AnyEvent::$Game).collect()
                    }),+
                }
            }

            /// Frees the events and draws of the last command.
            pub fn forget_last(&mut self) {
                match self { $(#[$meta] Self::$Game(table) => table.forget_last()),+ }
            }

            /// Returns the draws of the last command.
            pub fn draws(&self) -> &[Draw] {
                match self { $(#[$meta] Self::$Game(table) => table.draws()),+ }
            }
        }
    };
}
pub(super) use tables;
