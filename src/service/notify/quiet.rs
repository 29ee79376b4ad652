//! Quiet hours.

use crate::store::QuietRow;

const MINUTE: u64 = 60_000;
const MINUTES: i64 = 24 * 60;

/// Returns when the quiet hours end, if `now` is in them.
pub fn until(quiet: &QuietRow, now: u64) -> Option<u64> {
    let (from, to) = quiet.hours?;
    let minutes = i64::try_from(now / MINUTE).ok()?;
    let minute = (minutes + i64::from(quiet.utc_offset)).rem_euclid(MINUTES);
    let since = (minute - i64::from(from)).rem_euclid(MINUTES);
    let length = (i64::from(to) - i64::from(from)).rem_euclid(MINUTES);
    let left = u64::try_from(length - since).ok().filter(|left| *left > 0)?;
    Some((now - now % MINUTE).saturating_add(left * MINUTE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: u64, minute: u64) -> u64 {
        (20_000 * 24 * 60 + hour * 60 + minute) * MINUTE
    }

    #[test]
    fn nights_are_quiet_by_the_players_own_clock() {
        let night = QuietRow { utc_offset: 120, hours: Some((22 * 60, 7 * 60)) };
        assert_eq!(until(&night, at(19, 59)), None, "a minute to ten in the evening");
        assert_eq!(until(&night, at(20, 0)), Some(at(29, 0)));
        assert_eq!(until(&night, at(4, 59) + 30_000), Some(at(5, 0)));
        assert_eq!(until(&night, at(5, 0)), None);
        let noon = QuietRow { utc_offset: -300, hours: Some((12 * 60, 13 * 60)) };
        assert_eq!(until(&noon, at(17, 30)), Some(at(18, 0)));
        assert_eq!(until(&noon, at(12, 30)), None);
        assert_eq!(until(&QuietRow::default(), at(12, 0)), None);
        let never = QuietRow { utc_offset: 0, hours: Some((60, 60)) };
        assert_eq!(until(&never, at(1, 0)), None, "from one to one is no time");
    }
}
