//! Serialized answers to acts.

use serde::Serialize;

use crate::{
    rulesets::AnyEvent,
    service::{
        ServiceError, json_writer,
        reading::{event_item::Spoken, view::View},
    },
};

/// Result of an accepted command.
#[derive(Serialize)]
#[wire]
pub struct CommandDone {
    /// Number of the entry that holds the command.
    pub seq: u64,
    pub events: Vec<Spoken<AnyEvent>>,
    /// The newest view. Its `seq` may be greater than that of the command.
    pub view: View,
    /// Signed receipt. Store it: it proves that the server accepted the entry.
    pub receipt: String,
}

/// A serialized answer.
pub struct Reply {
    pub json: Vec<u8>,
}

impl Reply {
    pub fn of(answer: &impl Serialize) -> Result<Self, ServiceError> {
        let json = json_writer::to_vec(answer).map_err(|error| ServiceError::Internal(error.to_string()))?;
        Ok(Self { json })
    }

    /// Returns the empty answer.
    pub const fn nothing() -> Self {
        Self { json: Vec::new() }
    }
}
