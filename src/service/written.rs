//! Answers, written out.

use serde::Serialize;

use super::{ServiceError, Turn};
use crate::store::Write;

/// An answer as it is sent, and as it is kept under an idempotency key: JSON.
pub struct Written(Vec<u8>);

impl Written {
    /// There is room for a view from the start, so that it need not grow again and again.
    pub fn of(answer: &impl Serialize) -> Result<Self, ServiceError> {
        let mut json = Vec::with_capacity(6_000);
        serde_json::to_writer(&mut json, answer)
            .map_err(|error| ServiceError::Internal(error.to_string()))?;
        Ok(Self(json))
    }

    /// The write, and with it this answer, if it came under a key.
    pub(super) fn kept_with(&self, write: Write, turn: Option<&Turn<'_>>) -> Write {
        match turn {
            Some(turn) => write.and(turn.keep(self.0.clone())),
            None => write,
        }
    }

    pub fn into_json(self) -> Vec<u8> {
        self.0
    }
}
