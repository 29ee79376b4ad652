//! What servers that share a database tell each other at once, as it goes over the wire. It may be lost: what stands in a log
//! is found there by whoever looks.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Note, Said};
use crate::store::PlayerKey;

#[derive(Serialize, Deserialize)]
pub enum Bell {
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
    /// A page that calls itself so is before a player's eyes, or no more.
    Came {
        player: PlayerKey,
        page: String,
    },
    Went {
        player: PlayerKey,
        page: String,
    },
}

impl Bell {
    pub fn note(player: PlayerKey, note: &Note) -> Self {
        let Note { game, kind, data } = note.clone();
        Self::Noted { player, game, kind: kind.to_owned(), data }
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Nothing, if a newer server says something that is not known here.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}
