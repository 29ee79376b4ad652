//! Reports of players to the operator. The operator sees of a private game what was reported.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Moderation;
use crate::{
    engine::{Malformed, Text},
    service::{
        Player, ServiceError,
        cost::{self, Work},
        games::access::seat_of,
        reading::{
            page::{Page, Window},
            time,
        },
        request::request,
        talk::Writing,
    },
    store::{ModerationChange, ReportRow, Write},
    words::ReportReason,
};

/// Open reports that are kept. Beyond them operators do not read anyway.
const MOST_OPEN: u64 = 10_000;

request! {
    #[schema(example = json!({
        "player": "01a2246e-19e7-7000-8000-000000000001", "reason": "name", "text": "An insult."
    }))]
    pub struct NewReport {
        /// The player, for its name or behaviour.
        #[schema(value_type = Option<Uuid>)]
        pub player: Option<Uuid>,
        /// The game, for its title.
        #[schema(value_type = Option<Uuid>)]
        pub game: Option<Uuid>,
        /// With `game`: a message of this game.
        pub message: Option<u64>,
        pub reason: ReportReason,
        /// More for the operator, at most 1,000 characters.
        #[schema(value_type = Option<String>, max_length = 1_000)]
        pub text: Option<Writing<0, 1_000>>,
    } one of player, game
}

request! {
    pub struct ReportChange {
        /// `true` settles the report, `false` opens it again.
        #[schema(required = false, default = false)]
        pub closed: bool,
    }
}

/// A report of a player.
#[derive(Serialize)]
#[wire]
#[schema(as = PlayerReport)]
pub struct ReportView {
    #[schema(format = Uuid)]
    pub id: String,
    #[schema(format = DateTime)]
    pub at: String,
    /// Player who reported. `null` after the account was deleted.
    #[schema(format = Uuid)]
    pub reporter: Option<String>,
    #[serde(flatten)]
    pub body: ReportBody,
    #[schema(format = DateTime)]
    pub closed_at: Option<String>,
}

/// The subject of a report, and a copy of it.
#[derive(Serialize, Deserialize)]
#[wire]
pub struct ReportBody {
    /// Reported player, or writer of the reported message or title.
    #[schema(format = Uuid)]
    pub player: Option<String>,
    #[schema(format = Uuid)]
    pub game: Option<String>,
    pub message: Option<i64>,
    #[schema(value_type = ReportReason)]
    pub reason: String,
    pub text: String,
    /// Name, title or message when it was reported.
    pub quote: Option<String>,
}

impl Moderation {
    /// Takes the report of a player. A second one about the same subject replaces the first.
    pub async fn report(&self, reporter: &Player, new: NewReport) -> Result<(), ServiceError> {
        let reason = new.reason.word().to_owned();
        let text = new.text.map(|text| text.0).unwrap_or_default();
        let empty = ReportBody { player: None, game: None, message: None, reason, text, quote: None };
        let (subject, body) = match (new.player, new.game, new.message) {
            (Some(_), _, Some(_)) => {
                let (en, it) = ("needs `game`, not `player`", "richiede `game`, non `player`");
                return Err(Malformed::new("message", Text::new(en, it)).into());
            }
            (Some(player), ..) => (format!("player {player}"), self.about_player(player, empty).await?),
            (None, Some(game), None) => {
                (format!("game {game}"), self.about_game(reporter, game, empty).await?)
            }
            (None, Some(game), Some(message)) => {
                let message = i64::try_from(message).unwrap_or(i64::MAX);
                let body = self.about_message(reporter, game, message, empty).await?;
                (format!("message {game} {message}"), body)
            }
            (None, None, _) => return Err(ServiceError::NotFound),
        };
        if self.store.count_open_reports().await? >= MOST_OPEN {
            return Err(ServiceError::Busy);
        }
        let body = serde_json::to_string(&body).map_err(|error| ServiceError::Internal(error.to_string()))?;
        let (id, now) = (crate::id::fresh(), self.clock.now());
        let add = ModerationChange::add_report(id, reporter.key, &subject, &body, now);
        cost::charge(Work::Commit { entries: 1 });
        Ok(self.store.write(Write::of(add)).await?)
    }

    async fn about_player(&self, player: Uuid, empty: ReportBody) -> Result<ReportBody, ServiceError> {
        let known = self.store.known_player(player).await?.ok_or(ServiceError::NotFound)?;
        Ok(ReportBody { player: Some(known.id.to_string()), quote: known.name, ..empty })
    }

    async fn about_game(
        &self,
        reporter: &Player,
        game: Uuid,
        empty: ReportBody,
    ) -> Result<ReportBody, ServiceError> {
        let locked = self.games.visible(game, Some(reporter)).await?;
        let live = locked.game()?;
        let creator = live.people.id_of(live.facts.creator).map(str::to_owned);
        Ok(ReportBody {
            player: creator,
            game: Some(game.to_string()),
            quote: live.facts.title.clone(),
            ..empty
        })
    }

    /// Quotes a message. Only players of the game have seen it.
    async fn about_message(
        &self,
        reporter: &Player,
        game: Uuid,
        message: i64,
        empty: ReportBody,
    ) -> Result<ReportBody, ServiceError> {
        let key = {
            let locked = self.games.visible(game, Some(reporter)).await?;
            let live = locked.game()?;
            seat_of(live, reporter)?;
            live.facts.key
        };
        let quoted = self.store.message(key, message).await?.ok_or(ServiceError::NotFound)?;
        Ok(ReportBody {
            player: Some(quoted.player.to_string()),
            game: Some(game.to_string()),
            message: Some(message),
            quote: Some(quoted.text),
            ..empty
        })
    }

    /// Returns open or closed reports, newest first.
    pub async fn reports(&self, is_open: bool, window: &Window) -> Result<Page<ReportView>, ServiceError> {
        let rows = self.store.reports(is_open, window.last()?, window.limit + 1).await?;
        cost::charge(Work::Read { entries: rows.len() as u64 });
        let cursor = |row: &ReportRow| row.id.simple().to_string();
        Ok(Page::of(rows, window.limit, cursor, view))
    }

    pub async fn player_report(&self, id: Uuid) -> Result<ReportView, ServiceError> {
        let row = self.store.report(id).await?.ok_or(ServiceError::NotFound)?;
        view(row).ok_or(ServiceError::NotFound)
    }

    /// Closes a report, or opens it again.
    pub async fn change_report(&self, id: Uuid, change: &ReportChange) -> Result<ReportView, ServiceError> {
        let closed_at = change.closed.then(|| self.clock.now());
        self.write(Write::of(ModerationChange::close_report(id, closed_at))).await?;
        self.player_report(id).await
    }
}

fn view(ReportRow { id, reporter, body, at, closed_at }: ReportRow) -> Option<ReportView> {
    Some(ReportView {
        id: id.to_string(),
        at: time(at),
        reporter: reporter.map(|reporter| reporter.to_string()),
        body: serde_json::from_str(&body).ok()?,
        closed_at: closed_at.map(time),
    })
}
