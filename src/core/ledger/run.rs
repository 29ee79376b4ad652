//! Takeback runs: decisions of a seat that can be taken back, because nothing was drawn or revealed and no
//! other seat acted.

use std::collections::BTreeMap;

use super::clocks::Mark;
use crate::{
    engine::{HiddenCards, Seat},
    rulesets::{AnyCommand, AnyTable},
};

/// A table is kept after this many commands, so a takeback of any length replays few of them.
const STRIDE: usize = 8;

/// The entries after `base`, each a command of the seat's player or a takeback of the seat.
#[derive(Clone)]
pub struct Run {
    pub seat: Seat,
    base: u64,
    start: AnyTable,
    /// Tables after some entries.
    kept: BTreeMap<u64, AnyTable>,
    hidden_cards: HiddenCards,
    /// The turn after the base and after each entry.
    marks: Vec<Option<Mark>>,
    steps: Vec<RunStep>,
}

/// Commands with their seqs.
type Way<'r> = Vec<(u64, &'r AnyCommand)>;

#[derive(Clone)]
enum RunStep {
    Command(AnyCommand),
    /// A takeback. The game continues from this entry: the base or a command.
    Back(u64),
}

impl Run {
    /// Returns an empty run after the entry `base`.
    pub fn new(seat: Seat, base: u64, start: AnyTable, mark: Option<Mark>) -> Self {
        let hidden_cards = start.hidden_cards();
        Self { seat, base, start, kept: BTreeMap::new(), hidden_cards, marks: vec![mark], steps: Vec::new() }
    }

    /// Adds a command, if it can be taken back.
    pub fn command(mut self, command: AnyCommand, table: &AnyTable, mark: Option<Mark>) -> Option<Self> {
        let goes_on = table.to_act() == Some(self.seat);
        let showed_nothing = table.draws().is_empty() && table.hidden_cards() == self.hidden_cards;
        if !goes_on || !showed_nothing {
            return None;
        }
        self.steps.push(RunStep::Command(command));
        self.marks.push(mark);
        let newest = self.base + self.steps.len() as u64;
        let (start, way) = self.way_to(newest)?;
        // Keeps the table in the middle of a long way, since later branches share the first half.
        if way.len() >= 2 * STRIDE {
            let early = &way[way.len() - STRIDE..];
            let (seq, table) = (early[0].0, self.led_on(start, early)?);
            self.kept.insert(seq, table);
        }
        Some(self)
    }

    /// Notes a takeback.
    pub fn back(&mut self, to: u64, mark: Option<Mark>) {
        let origin = match self.step(to) {
            Some(RunStep::Back(earlier)) => *earlier,
            _ => to,
        };
        self.steps.push(RunStep::Back(origin));
        self.marks.push(mark);
    }

    /// Returns the entries from which the game can continue.
    pub fn reaches(&self) -> std::ops::Range<u64> {
        self.base..self.base + self.steps.len() as u64
    }

    /// Returns the turn after an entry.
    pub fn mark(&self, seq: u64) -> Option<Mark> {
        let place = usize::try_from(seq.checked_sub(self.base)?).ok()?;
        *self.marks.get(place)?
    }

    /// Returns the step of an entry other than the base.
    fn step(&self, seq: u64) -> Option<&RunStep> {
        let place = seq.checked_sub(self.base)?.checked_sub(1)?;
        self.steps.get(usize::try_from(place).ok()?)
    }

    /// Returns a kept table, and the commands from there to the entry, last command first.
    fn way_to(&self, to: u64) -> Option<(&AnyTable, Way<'_>)> {
        let (mut way, mut seq) = (Vec::new(), to);
        while seq != self.base {
            if let Some(kept) = self.kept.get(&seq) {
                return Some((kept, way));
            }
            match self.step(seq)? {
                RunStep::Command(command) => {
                    way.push((seq, command));
                    seq -= 1;
                }
                RunStep::Back(earlier) => seq = *earlier,
            }
        }
        Some((&self.start, way))
    }

    fn led_on(&self, start: &AnyTable, way: &[(u64, &AnyCommand)]) -> Option<AnyTable> {
        let mut table = start.clone();
        for (_, command) in way.iter().rev() {
            table.submit(self.seat, command).ok()?;
        }
        Some(table)
    }

    /// Returns the table after an entry of the run, by replay from a kept table.
    pub fn table(&self, to: u64) -> Option<AnyTable> {
        let (start, way) = self.way_to(to)?;
        self.led_on(start, &way)
    }
}
