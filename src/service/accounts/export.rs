//! Everything that the server has about a player, in one answer.

use serde::Serialize;

use super::{BlockView, DeviceView, PlayerView, TokenView, oauth::AppView};
use crate::{
    service::{
        Accounts, ServiceError, Session,
        cost::{self, Work},
        notify::{HookView, Notifications},
        offer::{BotOffer, read_offer},
        reading::{page::Window, profile::Record, time},
    },
    store::{PlayerGame, PlayerMute, PlayerPlan, PlayerReport, PlayerText},
    words::Scope,
};

/// Tokens, apps, webhooks: more than a player can have.
const ALL: u32 = 1_000;

/// Everything that the server has about a player, but secrets, which it has only as digests.
#[derive(Serialize)]
#[wire]
pub struct Export {
    pub player: PlayerView,
    /// End of the suspension by the operator.
    #[schema(format = DateTime)]
    pub suspended_until: Option<String>,
    /// Games that the account accepts as a bot.
    pub bot: Option<BotOffer>,
    pub results: Vec<Record>,
    pub tokens: Vec<TokenView>,
    pub apps: Vec<AppView>,
    pub devices: Vec<DeviceView>,
    pub notifications: Notifications,
    pub webhooks: Vec<HookView>,
    pub blocks: Vec<BlockView>,
    /// Games with a seat of the player. Their logs are at `/v1/games/{id}/log` and, after the end, at
    /// `/v1/games/{id}/replay`.
    pub games: Vec<ExportedGame>,
    pub messages: Vec<ExportedText>,
    pub notes: Vec<ExportedText>,
    pub mutes: Vec<ExportedMute>,
    pub plans: Vec<ExportedPlan>,
    pub reports: Vec<ExportedReport>,
}

/// A game of the player.
#[derive(Serialize)]
#[wire]
pub struct ExportedGame {
    #[schema(format = Uuid)]
    pub id: String,
    pub ruleset: String,
    pub title: Option<String>,
    pub visibility: String,
    pub status: String,
    pub seat: u8,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub finished_at: Option<String>,
}

/// A message or private note of the player.
#[derive(Serialize)]
#[wire]
pub struct ExportedText {
    #[schema(format = Uuid)]
    pub game: String,
    #[schema(format = DateTime)]
    pub at: String,
    pub text: String,
}

/// A player whose messages the player has muted in a game.
#[derive(Serialize)]
#[wire]
pub struct ExportedMute {
    #[schema(format = Uuid)]
    pub game: String,
    #[schema(format = Uuid)]
    pub player: String,
}

/// A plan of the player.
#[derive(Serialize)]
#[wire]
pub struct ExportedPlan {
    #[schema(format = Uuid)]
    pub game: String,
    /// The plan, as it is stored.
    #[schema(value_type = Object)]
    pub plan: serde_json::Value,
}

/// A report that the player sent to the operator.
#[derive(Serialize)]
#[wire]
pub struct ExportedReport {
    #[schema(format = DateTime)]
    pub at: String,
    /// The report: subject, reason and text.
    #[schema(value_type = Object)]
    pub report: serde_json::Value,
}

impl From<PlayerGame> for ExportedGame {
    fn from(row: PlayerGame) -> Self {
        Self {
            id: row.id.to_string(),
            ruleset: row.ruleset,
            title: row.title,
            visibility: row.visibility,
            status: row.status,
            seat: row.seat,
            created_at: time(row.created_at),
            finished_at: row.finished_at.map(time),
        }
    }
}

impl From<PlayerText> for ExportedText {
    fn from(PlayerText { game, text, at }: PlayerText) -> Self {
        Self { game: game.to_string(), at: time(at), text }
    }
}

impl From<PlayerMute> for ExportedMute {
    fn from(PlayerMute { game, muted }: PlayerMute) -> Self {
        Self { game: game.to_string(), player: muted.to_string() }
    }
}

impl From<PlayerPlan> for ExportedPlan {
    fn from(PlayerPlan { game, plan }: PlayerPlan) -> Self {
        Self { game: game.to_string(), plan: serde_json::from_str(&plan).unwrap_or_default() }
    }
}

impl From<PlayerReport> for ExportedReport {
    fn from(PlayerReport { body, at }: PlayerReport) -> Self {
        Self { at: time(at), report: serde_json::from_str(&body).unwrap_or_default() }
    }
}

impl Accounts {
    /// Returns everything that the server has about a player.
    pub async fn export(&self, session: &Session) -> Result<Export, ServiceError> {
        if !session.scopes.allow(Scope::Play) {
            // Messages and notes belong to those who play.
            return Err(ServiceError::NoScope(Scope::Play));
        }
        let (player, window) = (&session.player, Window { limit: ALL, cursor: None });
        let (games, messages, notes, mutes, plans, reports) = (
            self.store.games_of_player(player.key).await?,
            self.store.messages_of_player(player.key).await?,
            self.store.notes_of_player(player.key).await?,
            self.store.mutes_of_player(player.key).await?,
            self.store.plans_of_player(player.key).await?,
            self.store.reports_of_player(player.key).await?,
        );
        cost::charge(Work::Read { entries: (games.len() + messages.len() + notes.len()) as u64 });
        Ok(Export {
            player: PlayerView::from(player),
            suspended_until: session.banned_until.filter(|until| *until > self.clock.now()).map(time),
            bot: read_offer(self.store.offer(player.key).await?.as_deref()),
            results: self.store.tally(player.key).await?.into_iter().map(Record::from).collect(),
            tokens: self.tokens(session, &window).await?.items,
            apps: self.apps(session, &window).await?.items,
            devices: self.devices(player).await?.items,
            notifications: self.notifier.notifications(player).await?,
            webhooks: self.notifier.webhooks(None, player, &window).await?.items,
            blocks: self.blocks(player, &window).await?.items,
            games: games.into_iter().map(ExportedGame::from).collect(),
            messages: messages.into_iter().map(ExportedText::from).collect(),
            notes: notes.into_iter().map(ExportedText::from).collect(),
            mutes: mutes.into_iter().map(ExportedMute::from).collect(),
            plans: plans.into_iter().map(ExportedPlan::from).collect(),
            reports: reports.into_iter().map(ExportedReport::from).collect(),
        })
    }
}
