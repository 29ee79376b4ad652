//! Watch over the system clock.
//!
//! A jump of the clock makes deadlines pass, and the decisions stay in the log. So the clock is compared with
//! the monotonic one. After a jump, no deadline is decided until the clock was steady for a minute.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// A larger change of the difference between both clocks, in milliseconds, is a jump.
const JUMP_MS: u64 = 3_000;
/// Time without a jump after which the clock counts again.
const STEADY: Duration = Duration::from_mins(1);
/// A time before 2025 is wrong.
const EARLIEST: u64 = 1_735_689_600_000;

/// Compares the clock with the monotonic one.
#[derive(Default)]
pub struct ClockWatch(Mutex<Option<ClockState>>);

#[derive(Clone, Copy)]
struct ClockState {
    wall: u64,
    instant: Instant,
    jump: Option<Jump>,
}

#[derive(Clone, Copy)]
struct Jump {
    at: Instant,
    /// Milliseconds, positive or negative.
    by: i64,
}

/// Why the clock does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsteady {
    /// Jump within the last minute, in milliseconds.
    Jumped { by: i64 },
    /// The clock is before the year of this program.
    Early,
}

impl ClockWatch {
    /// Reads the clock with `wall`, and returns why it does not count.
    pub fn look(&self, wall: impl FnOnce() -> u64) -> Option<Unsteady> {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Both clocks are read under the lock: a wait in between would look like a jump.
        look_at(&mut seen, wall(), Instant::now())
    }
}

fn look_at(seen: &mut Option<ClockState>, wall: u64, instant: Instant) -> Option<Unsteady> {
    let mut jump = seen.and_then(|seen| seen.jump);
    if let Some(before) = *seen {
        let passed = instant.saturating_duration_since(before.instant).as_millis();
        let expected = before.wall.saturating_add(u64::try_from(passed).unwrap_or(u64::MAX));
        if wall.abs_diff(expected) > JUMP_MS {
            let by = i64::try_from(i128::from(wall) - i128::from(expected)).unwrap_or(i64::MAX);
            jump = Some(Jump { at: instant, by });
        }
    }
    jump = jump.filter(|jump| instant.saturating_duration_since(jump.at) < STEADY);
    *seen = Some(ClockState { wall, instant, jump });
    if wall < EARLIEST {
        return Some(Unsteady::Early);
    }
    jump.map(|jump| Unsteady::Jumped { by: jump.by })
}

impl Unsteady {
    /// Returns the text for the operator, in English and Italian.
    pub fn text(self) -> (String, String) {
        match self {
            Self::Jumped { by } => {
                let seconds = by / 1_000;
                (
                    format!(
                        "the clock jumped by {seconds} s: deadlines are suspended until it is steady for a minute"
                    ),
                    format!(
                        "l'orologio è saltato di {seconds} s: le scadenze sono sospese finché non è regolare per un minuto"
                    ),
                )
            }
            Self::Early => (
                "the clock is years behind: deadlines are suspended until it is set".to_owned(),
                "l'orologio è indietro di anni: le scadenze sono sospese finché non viene regolato"
                    .to_owned(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: u64 = 1_800_000_000_000;

    /// Reads a clock of these milliseconds after noon, after these seconds.
    fn looks(looks: &[(u64, i64)]) -> Vec<Option<Unsteady>> {
        let (mut seen, began) = (None, Instant::now());
        let look = |(passed, shown): &(u64, i64)| {
            look_at(&mut seen, NOON.saturating_add_signed(*shown), began + Duration::from_secs(*passed))
        };
        looks.iter().map(look).collect()
    }

    #[test]
    fn a_steady_clock_is_believed_even_if_it_drifts() {
        assert_eq!(looks(&[(0, 0), (1, 1_000), (2, 4_900), (1_000, 1_002_000)]), [None; 4]);
    }

    #[test]
    fn a_clock_that_jumps_is_not_believed_for_a_minute_after_the_last_jump() {
        let jumped = |by| Some(Unsteady::Jumped { by });
        let seen = looks(&[(0, 0), (1, 4_001_000), (5, 5_000), (64, 64_000), (65, 65_000)]);
        assert_eq!(seen, [None, jumped(4_000_000), jumped(-4_000_000), jumped(-4_000_000), None]);
    }

    #[test]
    fn a_clock_that_was_never_set_is_not_believed() {
        let watch = ClockWatch::default();
        assert_eq!(
            (watch.look(|| 0), watch.look(|| EARLIEST - 1)),
            (Some(Unsteady::Early), Some(Unsteady::Early))
        );
    }
}
