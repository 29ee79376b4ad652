//! Results of a contest.

use std::{collections::BTreeMap, time::Duration};

use super::{Bout, bout::Seated};

/// Results by contestant.
pub struct Standings(Vec<ContestantTally>);

/// Results of one contestant.
#[derive(Clone, Default)]
pub struct ContestantTally {
    pub games: u64,
    /// Wins. A shared first place counts as a part of one.
    pub wins: f64,
    pub places: u64,
    /// Failures by kind.
    pub fouls: BTreeMap<String, u64>,
    thought: Vec<Duration>,
}

/// A fraction of the games, with its 95 % interval (Wilson).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    pub of_all: f64,
    pub low: f64,
    pub high: f64,
}

impl Standings {
    pub(super) fn new(count: usize) -> Self {
        Self(vec![ContestantTally::default(); count])
    }

    pub(super) fn note(&mut self, bout: &Bout) {
        let first = bout.seats.iter().filter(|seated| seated.place == 1).count().max(1);
        for Seated { contestant, place, thought, foul } in &bout.seats {
            let tally = &mut self.0[*contestant];
            tally.games += 1;
            tally.places += u64::from(*place);
            tally.thought.extend(thought);
            if *place == 1 {
                #[allow(clippy::cast_precision_loss, reason = "at most four share a place")]
                let part = 1.0 / first as f64;
                tally.wins += part;
            }
            if let Some(foul) = foul {
                *tally.fouls.entry(foul.to_string()).or_default() += 1;
            }
        }
    }

    pub fn tallies(&self) -> &[ContestantTally] {
        &self.0
    }
}

#[allow(clippy::cast_precision_loss, reason = "nobody plays so many games")]
impl ContestantTally {
    pub fn wins(&self) -> Share {
        const WITHIN: f64 = 1.96;
        let games = (self.games as f64).max(1.0);
        let (share, spread) = (self.wins / games, WITHIN * WITHIN / games);
        let middle = (share + spread / 2.0) / (1.0 + spread);
        let wide = WITHIN * (share * (1.0 - share) / games + spread / (4.0 * games)).sqrt() / (1.0 + spread);
        Share { of_all: share, low: (middle - wide).max(0.0), high: (middle + wide).min(1.0) }
    }

    pub fn mean_place(&self) -> f64 {
        self.places as f64 / (self.games as f64).max(1.0)
    }

    /// Returns the time of this percentile of decisions.
    pub fn thought_within(&self, percent: usize) -> Duration {
        let mut thought = self.thought.clone();
        thought.sort_unstable();
        let place = (thought.len() * percent / 100).min(thought.len().saturating_sub(1));
        thought.get(place).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_that_of_the_textbook() {
        let tally = ContestantTally { games: 100, wins: 60.0, ..ContestantTally::default() };
        let Share { of_all, low, high } = tally.wins();
        assert!(
            (of_all - 0.6).abs() < 1e-9 && (low - 0.502).abs() < 1e-3 && (high - 0.691).abs() < 1e-3,
            "{low} {high}"
        );
    }
}
