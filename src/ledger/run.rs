//! What a seat has done of its own decision alone, and can take back: nothing was drawn or shown, and nobody else acted.

use super::clocks::Mark;
use crate::{
    engine::Seat,
    rulesets::{AnyCommand, AnyTable},
};

/// The entries after `base`, each a command of the seat's player or a takeback of the seat.
#[derive(Clone)]
pub struct Run {
    pub seat: Seat,
    base: u64,
    start: AnyTable,
    face_down: usize,
    /// How the turn stood after the base and after each entry.
    marks: Vec<Option<Mark>>,
    steps: Vec<Step>,
}

#[derive(Clone)]
enum Step {
    Command(AnyCommand),
    /// What comes after it goes on from the entry with this seq.
    Back(u64),
}

impl Run {
    /// A run that begins after the entry `base`, with the table as it stands then.
    pub fn new(seat: Seat, base: u64, start: AnyTable, mark: Option<Mark>) -> Self {
        let face_down = start.face_down();
        Self { seat, base, start, face_down, marks: vec![mark], steps: Vec::new() }
    }

    /// Notes a command that was carried out, if it can be taken back.
    pub fn command(mut self, command: AnyCommand, table: &AnyTable, mark: Option<Mark>) -> Option<Self> {
        let goes_on = table.to_act() == Some(self.seat);
        let showed_nothing = table.draws().is_empty() && table.face_down() == self.face_down;
        if !goes_on || !showed_nothing {
            return None;
        }
        self.steps.push(Step::Command(command));
        self.marks.push(mark);
        Some(self)
    }

    /// Notes a takeback.
    pub fn back(&mut self, to: u64, mark: Option<Mark>) {
        self.steps.push(Step::Back(to));
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

    /// The table as it stood after an entry of the run: what led there is played again.
    pub fn table(&self, to: u64) -> Option<AnyTable> {
        let (mut path, mut seq) = (Vec::new(), to);
        while let Some(place) = seq.checked_sub(self.base)?.checked_sub(1) {
            match self.steps.get(usize::try_from(place).ok()?)? {
                Step::Command(command) => {
                    path.push(command);
                    seq -= 1;
                }
                Step::Back(earlier) => seq = *earlier,
            }
        }
        let mut table = self.start.clone();
        for command in path.into_iter().rev() {
            table.submit(self.seat, command).ok()?;
        }
        Some(table)
    }
}
