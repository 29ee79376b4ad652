//! Notes: news outside the logs. Only players listening at that moment receive a note.

use serde::Serialize;
use uuid::Uuid;

use crate::{engine::Seat, service::reading::time};

/// The kind of event, and its data.
#[derive(Clone, Debug)]
pub struct Note {
    /// Nil, if it is about none.
    pub game: Uuid,
    pub kind: &'static str,
    pub data: String,
}

/// A player of a finished game wants a rematch. Accept with `POST /v1/games/{previous}/rematch`.
#[derive(Serialize)]
#[wire]
pub struct RematchNotice {
    #[schema(format = Uuid)]
    pub game: String,
    #[schema(format = Uuid)]
    pub previous: String,
    #[schema(format = Uuid)]
    pub by: String,
}

/// A player asks for the seat that you offer. Accept with `POST
/// /v1/games/{game}/substitution/acceptance`.
#[derive(Serialize)]
#[wire]
pub struct SubstitutionNotice {
    #[schema(format = Uuid)]
    pub game: String,
    pub seat: Seat,
    #[schema(format = Uuid)]
    pub by: String,
}

/// A person or an external bot is invited. Accept with `POST /v1/games/{game}/seats`, and `invite` if it is
/// given.
#[derive(Serialize)]
#[wire]
pub struct InvitationNotice {
    #[schema(format = Uuid)]
    pub game: String,
    pub invite: Option<String>,
    #[schema(format = Uuid)]
    pub by: String,
}

/// A chat message was sent in a game.
#[derive(Serialize)]
#[wire]
pub struct MessageNotice {
    #[schema(format = Uuid)]
    pub game: String,
    pub id: i64,
    pub seat: Seat,
}

/// One of the player's webhooks was turned off after repeated failures.
#[derive(Serialize)]
#[wire]
pub struct WebhookNotice {
    #[schema(format = Uuid)]
    pub webhook: String,
}

/// A device was linked to the account (`device`), or a seat got another key without the consent of the
/// earlier one (`rekey`).
#[derive(Serialize)]
#[wire]
pub struct AccountNotice {
    #[schema(pattern = "^(device|rekey)$")]
    pub what: &'static str,
    /// Game of a `rekey`.
    #[schema(format = Uuid)]
    pub game: Option<String>,
}

/// Only a quarter of the time for a decision is left.
#[derive(Serialize)]
#[wire]
pub struct DeadlineNotice {
    #[schema(format = Uuid)]
    pub game: String,
    pub seq: u64,
    #[schema(format = DateTime)]
    pub deadline: String,
}

impl Note {
    /// Returns the kind of a note from another server, if this server knows it. Each server sends its own
    /// deadline warnings.
    pub fn kind(word: &str) -> Option<&'static str> {
        const KINDS: [&str; 6] = ["rematch", "invitation", "message", "substitution", "webhook", "account"];
        KINDS.into_iter().find(|kind| *kind == word)
    }

    fn new(game: Uuid, kind: &'static str, data: &impl Serialize) -> Self {
        Self { game, kind, data: serde_json::to_string(data).unwrap_or_default() }
    }

    pub fn rematch(game: Uuid, previous: Uuid, by: &str) -> Self {
        let notice =
            RematchNotice { game: game.to_string(), previous: previous.to_string(), by: by.to_owned() };
        Self::new(previous, "rematch", &notice)
    }

    pub fn invitation(game: Uuid, invite: Option<&str>, by: &str) -> Self {
        let notice =
            InvitationNotice { game: game.to_string(), invite: invite.map(str::to_owned), by: by.to_owned() };
        Self::new(game, "invitation", &notice)
    }

    pub fn message(game: Uuid, id: i64, seat: Seat) -> Self {
        Self::new(game, "message", &MessageNotice { game: game.to_string(), id, seat })
    }

    pub fn substitution(game: Uuid, seat: Seat, by: &str) -> Self {
        let notice = SubstitutionNotice { game: game.to_string(), seat, by: by.to_owned() };
        Self::new(game, "substitution", &notice)
    }

    pub fn webhook(id: Uuid) -> Self {
        Self::new(Uuid::nil(), "webhook", &WebhookNotice { webhook: id.to_string() })
    }

    pub fn device() -> Self {
        Self::new(Uuid::nil(), "account", &AccountNotice { what: "device", game: None })
    }

    pub fn rekey(game: Uuid) -> Self {
        Self::new(game, "account", &AccountNotice { what: "rekey", game: Some(game.to_string()) })
    }

    pub fn deadline(game: Uuid, seq: u64, deadline: u64) -> Self {
        Self::new(game, "deadline", &DeadlineNotice { game: game.to_string(), seq, deadline: time(deadline) })
    }
}
