//! Retries of messages that did not arrive.

use chrono::DateTime;

use crate::{engine::random_words::mix, service::DAY, store::HookHealth};

/// Rest of a hook after each failure in a row, in seconds, as Standard Webhooks advises.
const RESTS: [u64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/// A hook is turned off after failing for this long.
const PATIENCE: u64 = 3 * DAY;
/// Attempts of a message that its receiver refuses.
pub const MOST_REFUSALS: u32 = 3;

/// Returns the health of a hook after one more failure, or `None` if the hook must be turned off.
pub fn after_failure(before: HookHealth, now: u64, wish: Option<u64>, dice: u64) -> Option<HookHealth> {
    let failing_since = before.failing_since.unwrap_or(now);
    if now.saturating_sub(failing_since) >= PATIENCE {
        return None;
    }
    let failures = before.failures.saturating_add(1);
    let place = usize::try_from(failures - 1).unwrap_or(usize::MAX).min(RESTS.len() - 1);
    let rest = RESTS[place] * 1_000;
    // Jitter of a tenth, so that hooks that failed together do not return together.
    let rest = rest - rest / 10 + mix(dice ^ u64::from(failures)) % (rest / 5).max(1);
    let rest = rest.max(wish.unwrap_or_default().min(DAY));
    Some(HookHealth { failing_since: Some(failing_since), failures, rests_until: now.saturating_add(rest) })
}

/// Reads a `Retry-After` header, seconds or a date, and returns milliseconds.
pub fn wish(header: &str, now: u64) -> Option<u64> {
    if let Ok(seconds) = header.trim().parse::<u64>() {
        return Some(seconds.saturating_mul(1_000));
    }
    let at = DateTime::parse_from_rfc2822(header.trim()).ok()?.timestamp_millis();
    u64::try_from(at).ok().map(|at| at.saturating_sub(now))
}

/// Returns whether an answer refuses this message but may accept others.
pub const fn is_about_the_message(status: u16) -> bool {
    matches!(status, 400 | 405 | 406 | 411 | 413 | 414 | 415 | 422 | 431)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_is_tried_for_three_days_and_then_off() {
        let (mut health, mut now, mut tries) = (HookHealth::default(), 1_000_000, 0);
        while let Some(next) = after_failure(health, now, None, 7) {
            assert!(next.rests_until > now && next.failing_since == Some(1_000_000));
            (health, now, tries) = (next, next.rests_until, tries + 1);
        }
        assert!((9..=11).contains(&tries), "{tries}");
        assert!((PATIENCE..PATIENCE + 2 * DAY).contains(&(now - 1_000_000)));
    }

    #[test]
    fn those_that_fail_together_do_not_come_back_together() {
        let rest = |dice| after_failure(HookHealth::default(), 0, None, dice).unwrap().rests_until;
        let rests: std::collections::HashSet<u64> = (0..100).map(rest).collect();
        assert!(rests.len() > 50 && rests.iter().all(|rest| (4_500..5_500).contains(rest)), "{rests:?}");
    }

    #[test]
    fn a_receiver_may_ask_to_be_left_alone_for_up_to_a_day() {
        let rest = |wish| after_failure(HookHealth::default(), 0, Some(wish), 0).unwrap().rests_until;
        assert_eq!(rest(600_000), 600_000);
        assert_eq!(rest(100 * DAY), DAY);
        assert_eq!(wish("120", 0), Some(120_000));
        assert_eq!(wish("Thu, 01 Jan 1970 00:01:00 GMT", 10_000), Some(50_000));
        assert_eq!(wish("Thu, 01 Jan 1970 00:00:00 GMT", 10_000), Some(0));
        assert_eq!(wish("soon", 0), None);
    }
}
