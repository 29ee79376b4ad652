//! Who asks for something, by a token that is valid.

use std::sync::Arc;

use crate::store::{PlayerKey, PlayerRow};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    pub key: PlayerKey,
    /// The id as it stands in logs and answers.
    pub id: Arc<str>,
    pub name: Arc<str>,
    pub created_at: u64,
}

impl From<PlayerRow> for Player {
    fn from(PlayerRow { key, uuid, name, created_at }: PlayerRow) -> Self {
        Self { key, id: uuid.to_string().into(), name: name.into(), created_at }
    }
}
