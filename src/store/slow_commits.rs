//! Slow commits, with their reasons.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// A commit that takes longer is reported.
const SLOW: Duration = Duration::from_secs(1);
/// The most reports that are kept until someone takes them.
const MOST: usize = 16;

/// The slowest commit so far, and reports of slow ones.
#[derive(Default)]
pub struct SlowCommits {
    longest_micros: AtomicU64,
    reports: Mutex<Vec<SlowCommit>>,
}

/// A commit that took long.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlowCommit {
    /// The number of writes.
    pub writes: usize,
    pub took: Duration,
    /// Its steps, with the time that each took.
    pub steps: Vec<(&'static str, Duration)>,
}

/// The steps of a commit that is under way.
pub struct Pace {
    began: Instant,
    last: Instant,
    steps: Vec<(&'static str, Duration)>,
}

impl Pace {
    /// Begins when the first of its writes was queued.
    pub fn since(queued: Option<Instant>) -> Self {
        let now = Instant::now();
        let began = queued.unwrap_or(now);
        Self { began, last: now, steps: vec![("queue", now - began)] }
    }

    /// Ends a step.
    pub fn note(&mut self, step: &'static str) {
        let now = Instant::now();
        self.steps.push((step, now - self.last));
        self.last = now;
    }
}

impl SlowCommits {
    pub fn note(&self, pace: Pace, writes: usize) {
        let Pace { began, last, steps } = pace;
        let took = last - began;
        self.longest_micros.fetch_max(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
        if took < SLOW {
            return;
        }
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        if reports.len() < MOST {
            reports.push(SlowCommit { writes, took, steps });
        }
    }

    /// Returns how long the slowest commit took since the start.
    pub fn longest(&self) -> Duration {
        Duration::from_micros(self.longest_micros.load(Ordering::Relaxed))
    }

    /// Takes the reports of slow commits.
    pub fn take(&self) -> Vec<SlowCommit> {
        std::mem::take(&mut self.reports.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(steps: &[(&'static str, u64)]) -> Pace {
        let began = Instant::now();
        let steps: Vec<_> =
            steps.iter().map(|(name, millis)| (*name, Duration::from_millis(*millis))).collect();
        Pace { began, last: began + steps.iter().map(|(_, took)| *took).sum::<Duration>(), steps }
    }

    #[test]
    fn only_a_slow_commit_is_reported_and_the_longest_is_kept() {
        let slow = SlowCommits::default();
        slow.note(pace(&[("lock", 2), ("disk", 30)]), 1);
        assert_eq!((slow.take(), slow.longest()), (Vec::new(), Duration::from_millis(32)));
        slow.note(pace(&[("lock", 1_200), ("disk", 30)]), 7);
        let reports = slow.take();
        assert_eq!((reports.len(), reports[0].writes, reports[0].steps[0].0), (1, 7, "lock"));
        assert_eq!((slow.take(), slow.longest()), (Vec::new(), Duration::from_millis(1_230)));
    }
}
