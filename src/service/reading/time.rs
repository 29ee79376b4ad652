//! Times on the wire.

use chrono::{DateTime, SecondsFormat};

/// Formats a time as RFC 3339, UTC, with milliseconds.
pub fn time(at: u64) -> String {
    let moment = i64::try_from(at).ok().and_then(DateTime::from_timestamp_millis).unwrap_or_default();
    moment.to_rfc3339_opts(SecondsFormat::Millis, true)
}
