//! What a seat has done of its own decision alone, and can take back: nothing was drawn or shown, and nobody
//! else acted.

use std::collections::BTreeMap;

use super::clocks::Mark;
use crate::{
    engine::{HiddenCards, Seat},
    rulesets::{AnyCommand, AnyTable},
};

/// After each so many commands of a way the table is kept, so that no takeback plays more than twice as many
/// again, however long the run is.
const STRIDE: usize = 8;

/// The entries after `base`, each a command of the seat's player or a takeback of the seat.
#[derive(Clone)]
pub struct Run {
    pub seat: Seat,
    base: u64,
    start: AnyTable,
    /// The table as it stood after some of the entries.
    kept: BTreeMap<u64, AnyTable>,
    hidden_cards: HiddenCards,
    /// How the turn stood after the base and after each entry.
    marks: Vec<Option<Mark>>,
    steps: Vec<Step>,
}

/// Commands with their seqs.
type Way<'r> = Vec<(u64, &'r AnyCommand)>;

#[derive(Clone)]
enum Step {
    Command(AnyCommand),
    /// What comes after it goes on from the entry with this seq, which is the base or a command.
    Back(u64),
}

impl Run {
    /// A run that begins after the entry `base`, with the table as it stands then.
    pub fn new(seat: Seat, base: u64, start: AnyTable, mark: Option<Mark>) -> Self {
        let hidden_cards = start.hidden_cards();
        Self { seat, base, start, kept: BTreeMap::new(), hidden_cards, marks: vec![mark], steps: Vec::new() }
    }

    /// Notes a command that was carried out, if it can be taken back.
    pub fn command(mut self, command: AnyCommand, table: &AnyTable, mark: Option<Mark>) -> Option<Self> {
        let goes_on = table.to_act() == Some(self.seat);
        let showed_nothing = table.draws().is_empty() && table.hidden_cards() == self.hidden_cards;
        if !goes_on || !showed_nothing {
            return None;
        }
        self.steps.push(Step::Command(command));
        self.marks.push(mark);
        let newest = self.base + self.steps.len() as u64;
        let (start, way) = self.way_to(newest)?;
        // Where the first half of a long way has led is kept, and not its end: all that branches off behind
        // it shares it.
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
            Some(Step::Back(earlier)) => *earlier,
            _ => to,
        };
        self.steps.push(Step::Back(origin));
        self.marks.push(mark);
    }

    /// The seqs after which the game can go on.
    pub fn reaches(&self) -> std::ops::Range<u64> {
        self.base..self.base + self.steps.len() as u64
    }

    /// How the turn stood after an entry.
    pub fn mark(&self, seq: u64) -> Option<Mark> {
        let place = usize::try_from(seq.checked_sub(self.base)?).ok()?;
        *self.marks.get(place)?
    }

    /// The entry with this seq, if it is not the base.
    fn step(&self, seq: u64) -> Option<&Step> {
        let place = seq.checked_sub(self.base)?.checked_sub(1)?;
        self.steps.get(usize::try_from(place).ok()?)
    }

    /// A table that is kept, and the commands that lead on from there with their seqs, the last one first.
    fn way_to(&self, to: u64) -> Option<(&AnyTable, Way<'_>)> {
        let (mut way, mut seq) = (Vec::new(), to);
        while seq != self.base {
            if let Some(kept) = self.kept.get(&seq) {
                return Some((kept, way));
            }
            match self.step(seq)? {
                Step::Command(command) => {
                    way.push((seq, command));
                    seq -= 1;
                }
                Step::Back(earlier) => seq = *earlier,
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

    /// The table as it stood after an entry of the run: what led there is played again.
    pub fn table(&self, to: u64) -> Option<AnyTable> {
        let (start, way) = self.way_to(to)?;
        self.led_on(start, &way)
    }
}
