//! A game in progress.

use super::{Chance, Divergence, Draw, HiddenCards, Legal, Ruleset, Seat, Seats, Status, Step, Viewer};

/// A game in progress: its state, its chance, and the events of the last command.
///
/// To replay a log, start the table with [`Chance::recorded`] and pass each command with its draws to
/// [`Table::replay`].
///
/// ```
/// use playledger_core::{
///     engine::{Chance, Ruleset, Seats, Format, Seed, Status, Table, Viewer},
///     rulesets::industrial_waste::IndustrialWaste,
/// };
///
/// let seats = Seats::new(2).unwrap();
/// let options = IndustrialWaste::read_options(&serde_json::json!({"max_rounds": 1}), seats).unwrap();
/// let mut table = Table::<IndustrialWaste>::start(&options, seats, Chance::seeded(Seed::new(Format::Three, [7; 32])));
/// while let Status::ToAct(seat) = table.status() {
///     // What may be done is listed; what is not is refused, and changes nothing.
///     let command = table.legal(seat).commands[0].command.clone();
///     table.submit(seat, &command).unwrap();
/// }
/// println!("{:?}", table.view(Viewer::Spectator));
/// ```
pub struct Table<R: Ruleset> {
    seats: Seats,
    state: R::State,
    chance: Chance,
    events: Vec<R::Event>,
}

impl<R: Ruleset> Clone for Table<R> {
    fn clone(&self) -> Self {
        let Self { seats, state, chance, events } = self;
        Self { seats: *seats, state: state.clone(), chance: chance.clone(), events: events.clone() }
    }
}

/// A log that breaks the rules.
#[derive(Clone, PartialEq, Debug)]
pub enum ReplayError<J> {
    Rejected(J),
    Diverged(Divergence),
}

impl<R: Ruleset> Table<R> {
    /// Sets the game up and plays it to its first decision.
    pub fn start(options: &R::Options, seats: Seats, chance: Chance) -> Self {
        let state = R::open(options, seats);
        let mut table = Self { seats, state, chance, events: Vec::new() };
        table.carry_out(R::start);
        table
    }

    /// Starts the table again, with the logged draws of its start.
    pub fn restart(
        options: &R::Options,
        seats: Seats,
        mut chance: Chance,
        draws: Vec<Draw>,
    ) -> Result<Self, Divergence> {
        chance.expect(draws);
        let mut table = Self::start(options, seats, chance);
        table.chance.settle()?;
        Ok(table)
    }

    /// Returns whether the command is legal now.
    pub fn check(&self, seat: Seat, command: &R::Command) -> Result<(), R::Rejection> {
        R::check(&self.state, seat, command)
    }

    /// Plays a command, if the rules allow it.
    pub fn submit(&mut self, seat: Seat, command: &R::Command) -> Result<(), R::Rejection> {
        self.check(seat, command)?;
        self.carry_out(|step| R::play(step, seat, command));
        Ok(())
    }

    /// Submits a logged command with its draws. After an error the table is useless.
    pub fn replay(
        &mut self,
        seat: Seat,
        command: &R::Command,
        draws: Vec<Draw>,
    ) -> Result<(), ReplayError<R::Rejection>> {
        self.chance.expect(draws);
        self.submit(seat, command).map_err(ReplayError::Rejected)?;
        self.chance.settle().map_err(ReplayError::Diverged)
    }

    fn carry_out(&mut self, act: impl FnOnce(&mut Step<R>)) {
        self.events.clear();
        self.chance.forget_drawn();
        act(&mut Step::new(&mut self.state, &mut self.chance, &mut self.events));
    }

    /// Frees the memory of the last command's events and draws. Tables wait for players most of the time.
    pub fn forget_last(&mut self) {
        self.events = Vec::new();
        self.chance.let_go_of_drawn();
    }

    pub const fn seats(&self) -> Seats {
        self.seats
    }

    pub fn status(&self) -> Status<'_, R::Outcome> {
        R::status(&self.state)
    }

    /// Returns the legal commands of the seat. There are none after the end.
    pub fn legal(&self, seat: Seat) -> Legal<R::Command> {
        R::legal(&self.state, seat)
    }

    pub fn autopilot(&self, seat: Seat) -> Option<R::Command> {
        R::autopilot(&self.state, seat)
    }

    pub fn phase(&self) -> &'static str {
        R::phase(&self.state)
    }

    pub fn hidden_cards(&self) -> HiddenCards {
        R::hidden_cards(&self.state)
    }

    pub fn is_in(&self, seat: Seat) -> bool {
        R::is_in(&self.state, seat)
    }

    pub fn view(&self, viewer: Viewer) -> R::View {
        R::view(&self.state, viewer)
    }

    /// Returns a table that the viewer cannot tell from this one. It depends only on what the viewer knows
    /// and on `chance`.
    #[must_use]
    pub fn redealt(&self, viewer: Viewer, mut chance: Chance) -> Self {
        let state = R::redeal(&self.state, viewer, &mut chance);
        chance.forget_drawn();
        Self { seats: self.seats, state, chance, events: Vec::new() }
    }

    /// Returns the same table with another source of chance.
    #[must_use]
    pub fn under(&self, chance: Chance) -> Self {
        Self { seats: self.seats, state: self.state.clone(), chance, events: Vec::new() }
    }

    /// Returns the state after a command, with draws from `chance`. The rules must allow the command.
    #[must_use]
    pub fn imagine(&self, seat: Seat, command: &R::Command, chance: &mut Chance) -> R::State {
        let mut state = self.state.clone();
        R::play(&mut Step::new(&mut state, chance, &mut Vec::new()), seat, command);
        state
    }

    /// Returns the events of the last command, as the viewer may see them.
    pub fn events(&self, viewer: Viewer) -> Vec<R::EventView> {
        self.events.iter().filter_map(|event| R::show(event, viewer)).collect()
    }

    /// Returns the draws of the last command.
    pub fn draws(&self) -> &[Draw] {
        self.chance.drawn()
    }

    /// The state, for bots. Its fields are private to the game.
    pub(crate) const fn state(&self) -> &R::State {
        &self.state
    }

    #[cfg(test)]
    pub(crate) const fn at(seats: Seats, state: R::State, chance: Chance) -> Self {
        Self { seats, state, chance, events: Vec::new() }
    }
}
