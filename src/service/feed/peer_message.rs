//! Messages between servers that share a database, as they go over the wire. A message may be lost: the
//! receiver then finds the change in the log.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Note, Said};
use crate::store::PlayerKey;

#[derive(Serialize, Deserialize)]
pub enum PeerMessage {
    Moved {
        game: Uuid,
        first: u64,
        last: u64,
        changes_lobby: bool,
    },
    Noted {
        player: PlayerKey,
        game: Uuid,
        kind: String,
        data: String,
    },
    Said {
        game: Uuid,
        said: Said,
    },
    /// A player starts or stops looking at a page.
    Came {
        player: PlayerKey,
        page: String,
    },
    Went {
        player: PlayerKey,
        page: String,
    },
}

impl PeerMessage {
    pub fn note(player: PlayerKey, note: &Note) -> Self {
        let Note { game, kind, data } = note.clone();
        Self::Noted { player, game, kind: kind.to_owned(), data }
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns `None` for a message of a newer server that this one does not know.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}
