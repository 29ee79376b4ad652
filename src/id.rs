//! Ids.

use std::time::{SystemTime, UNIX_EPOCH};

use uuid::{NoContext, Timestamp, Uuid};

/// Returns a unique id (`UUIDv7`), even if the clock shows a time before 1970.
pub fn fresh() -> Uuid {
    at(SystemTime::now())
}

fn at(time: SystemTime) -> Uuid {
    if time < UNIX_EPOCH { Uuid::new_v7(Timestamp::from_unix(NoContext, 0, 0)) } else { Uuid::now_v7() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_before_1970_gives_ids_as_well() {
        let early = UNIX_EPOCH - Duration::from_secs(1);
        let (one, other) = (at(early), at(early));
        assert_eq!((one.get_version_num(), other.get_version_num()), (7, 7));
        assert_ne!(one, other);
    }
}
