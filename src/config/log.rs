//! Settings of the log.

use clap::ValueEnum;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
    /// Text for journald: with priorities, without times.
    Journal,
    Off,
}

/// Weight of an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub enum LogLevel {
    Info,
    Warning,
    Error,
}

impl LogLevel {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Returns the priority of syslog.
    pub const fn priority(self) -> u8 {
        match self {
            Self::Info => 6,
            Self::Warning => 4,
            Self::Error => 3,
        }
    }
}

/// Requests that the log tells of.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogRequests {
    All,
    /// Faults of the server: answers with a status of 500 or more.
    Errors,
    Off,
}

impl LogRequests {
    /// Returns whether a request is logged. Health checks come every second.
    pub fn has(self, route: &str, status: u16) -> bool {
        let is_fault = status >= 500;
        match self {
            Self::All => is_fault || !route.starts_with("/health/"),
            Self::Errors => is_fault,
            Self::Off => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_checks_are_no_requests_for_the_log_until_they_fail() {
        use LogRequests::{All, Errors, Off};
        for (which, route, status, expected) in [
            (All, "/v1/games", 200, true),
            (All, "/health/ready", 200, false),
            (All, "/health/ready", 503, true),
            (Errors, "/v1/games", 404, false),
            (Errors, "/v1/games", 500, true),
            (Off, "/v1/games", 500, false),
        ] {
            assert_eq!(which.has(route, status), expected, "{which:?} {route} {status}");
        }
    }
}
