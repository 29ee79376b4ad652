//! Callbacks of a write.

use super::LogPosition;

/// Callbacks that run on the writer's thread after the commit, even if the caller has gone. Must not block.
pub struct OnCommit {
    /// Runs before the caller gets its answer.
    pub before: Box<dyn FnOnce() + Send>,
    /// Runs after the answer has left, with the position of the last entry. The entries of one write have
    /// consecutive positions.
    pub after: Box<dyn FnOnce(LogPosition) + Send>,
}

impl OnCommit {
    pub fn nothing() -> Self {
        Self::before(|| ())
    }

    pub fn before(before: impl FnOnce() + Send + 'static) -> Self {
        Self { before: Box::new(before), after: Box::new(|_| ()) }
    }

    /// Runs the first callback, answers the caller with `answer`, and returns the second callback.
    pub fn run(self, answer: impl FnOnce()) -> Box<dyn FnOnce(LogPosition) + Send> {
        (self.before)();
        answer();
        self.after
    }
}
