//! The outcome of a check.

use super::finding::{Finding, finding};

/// The outcome of a check, with its finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Pass(Finding),
    Fail { seq: Option<u64>, why: Finding },
    NotRun(Finding),
}

impl Verdict {
    pub fn fail(seq: impl Into<Option<u64>>, why: Finding) -> Self {
        Self::Fail { seq: seq.into(), why }
    }

    /// Returns the verdict of a check that needs another check.
    pub fn needs(check: &str) -> Self {
        Self::NotRun(finding!("needs_check", check = check))
    }

    pub const fn passed(&self) -> bool {
        matches!(self, Self::Pass(_))
    }

    pub const fn failed(&self) -> bool {
        matches!(self, Self::Fail { .. })
    }
}
