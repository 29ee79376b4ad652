//! The content of a notification.

use super::words;
use crate::{
    engine::{Lang, Seat, Text, Viewer},
    service::{
        feed::{Note, Notice},
        games::LiveGame,
    },
    words::{News, Visibility},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

/// The body of a delivery row. Without `Debug`, since games may be private.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The word of its [`News`], or `test`.
    pub kind: String,
    pub game: Option<String>,
    /// The seat concerned.
    pub seat: Option<u8>,
    pub title: String,
    pub text: String,
    /// The data of the event in a stream.
    pub data: Value,
    /// Path of a picture of the position, unless the game is private or has not started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

impl Item {
    pub fn news(&self) -> Option<News> {
        News::from_word(&self.kind)
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Makes the content for an entry, as `viewer` may see it.
    pub fn of_notice(notice: &Notice, live: &LiveGame, viewer: Viewer, lang: Lang) -> Self {
        let voice = live.people.voice(lang, &live.game);
        let (kind, data) = notice.text();
        Self {
            kind: kind.to_owned(),
            game: Some(notice.game.to_string()),
            seat: notice.kind.seat().map(Seat::number),
            title: title(live, lang),
            text: words::of_tiding(notice.kind, live, viewer, &voice),
            data: serde_json::from_str(&data).unwrap_or_default(),
            picture: picture(notice, live, lang),
        }
    }

    /// Makes the content for a note.
    pub fn of_note(note: &Note, about: Option<&About>, lang: Lang, text: String) -> Self {
        let title = about.map_or_else(|| "playledger".to_owned(), |about| about.title.get(lang).clone());
        Self {
            kind: note.kind.to_owned(),
            game: about.map(|about| about.game.to_string()),
            seat: None,
            title,
            text,
            data: serde_json::from_str(&note.data).unwrap_or_default(),
            picture: None,
        }
    }
}

/// A game, and its name in messages.
#[derive(Clone)]
pub struct About {
    game: Uuid,
    title: Text<String>,
}

impl About {
    pub fn of(live: &LiveGame) -> Self {
        Self { game: live.facts.uuid, title: Text::new(title(live, Lang::En), title(live, Lang::It)) }
    }
}

/// Returns the path of the picture after an entry, if everyone with the link may see it.
fn picture(notice: &Notice, live: &LiveGame, lang: Lang) -> Option<String> {
    let is_private = live.facts.visibility == Visibility::Private;
    (!is_private && live.game.table.is_some())
        .then(|| format!("games/{}@{}.png?lang={}", notice.game, notice.seq, lang.tag()))
}

/// Returns the name of a table in messages.
fn title(live: &LiveGame, lang: Lang) -> String {
    let ruleset = || live.game.setting.ruleset.title(lang).to_owned();
    live.facts.title.clone().unwrap_or_else(ruleset)
}
