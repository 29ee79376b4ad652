//! Hooks and deliveries in answers. The address of a hook is its owner's secret: answers show only the host.

use serde::Serialize;

use super::{format::shown_secret, item::Item, settings::Settings};
use crate::{
    engine::hash::keyed,
    ledger::encoding::hex,
    service::reading::time,
    store::{DeliveryRow, HookRow, PlayerKey},
    words::{Failure, HookState, News, Outcome, Way},
};

/// Prefix of the id of a test message.
pub const TEST: &str = "test_";

/// A webhook.
#[derive(Serialize)]
#[wire]
#[schema(as = Webhook)]
pub struct HookView {
    #[schema(format = Uuid)]
    pub id: String,
    /// Game whose events it sends. `null` if it sends the notifications of its owner.
    #[schema(format = Uuid)]
    pub game: Option<String>,
    pub name: String,
    #[schema(value_type = super::request::WebhookFormat)]
    pub format: Way,
    /// Host of the address. The full address is never shown.
    pub host: String,
    /// Types of events that it sends.
    pub types: Vec<News>,
    #[schema(pattern = "^(en|it)$")]
    pub lang: String,
    /// Webhooks of a game only: how to mention the player of each seat, by seat number.
    #[schema(max_items = 4)]
    pub mentions: Vec<Option<String>>,
    pub state: HookState,
    /// Time since which no message was delivered.
    #[schema(format = DateTime)]
    pub failing_since: Option<String>,
    /// Whether the webhook belongs to the caller. Only its owner can change it.
    pub mine: bool,
    #[schema(format = DateTime)]
    pub created_at: String,
}

/// A new webhook with its signing secret. The secret is shown only once.
#[derive(Serialize)]
#[wire]
#[schema(as = WebhookWithSecret)]
pub struct NewHookView {
    #[serde(flatten)]
    pub webhook: HookView,
    /// Signing secret of a `standard` webhook.
    #[schema(pattern = "^whsec_")]
    pub secret: Option<String>,
}

/// A message to a webhook and its outcome.
#[derive(Serialize)]
#[wire]
#[schema(as = Delivery)]
pub struct DeliveryView {
    /// Value of the `webhook-id` header.
    pub id: String,
    /// Type of the event, or `test`.
    #[serde(rename = "type")]
    pub kind: String,
    #[schema(format = Uuid)]
    pub game: Option<String>,
    pub title: String,
    pub text: String,
    #[schema(format = DateTime)]
    pub at: String,
    /// Time of the next attempt. `null` if no attempt follows.
    #[schema(format = DateTime)]
    pub due: Option<String>,
    pub tries: u32,
    /// Outcome. `null` while the message waits.
    pub outcome: Option<Outcome>,
    /// Reason of the last failure.
    pub failure: Option<Failure>,
    /// HTTP status of the last attempt.
    #[schema(minimum = 100, maximum = 999)]
    pub status: Option<u16>,
    #[schema(format = DateTime)]
    pub tried_at: Option<String>,
}

impl HookView {
    pub fn of(row: &HookRow, host: &str, caller: PlayerKey) -> Self {
        let settings = Settings::read(&row.settings);
        Self {
            id: row.id.to_string(),
            game: settings.game.clone(),
            name: settings.name.clone(),
            format: row.way,
            host: host.to_owned(),
            types: settings.news().list(),
            lang: settings.lang().tag().to_owned(),
            mentions: settings.mentions,
            state: row.state,
            failing_since: row.health.failing_since.map(time),
            mine: row.player == caller,
            created_at: time(row.created_at),
        }
    }
}

impl NewHookView {
    pub fn of(row: &HookRow, host: &str) -> Self {
        let secret = (row.way == Way::Standard).then(|| shown_secret(&row.secret));
        Self { webhook: HookView::of(row, host, row.player), secret }
    }
}

impl DeliveryView {
    pub fn of(row: DeliveryRow) -> Option<Self> {
        let Item { kind, game, title, text, .. } = Item::read(&row.body)?;
        // The text of a test would confirm the hook.
        let text = if row.message.starts_with(TEST) { String::new() } else { text };
        Some(Self {
            id: row.message,
            kind,
            game,
            title,
            text,
            at: time(row.at),
            due: row.due.map(time),
            tries: row.fate.tries,
            outcome: row.fate.outcome,
            failure: row.fate.failure,
            status: row.fate.status,
            tried_at: row.fate.tried_at.map(time),
        })
    }
}

/// Returns what the receiver of a standard hook must send back.
pub fn challenge(row: &HookRow) -> String {
    hex(&keyed(&row.secret, &[b"challenge"])[..16])
}

/// Returns the code that a person enters to confirm a hook.
pub fn code(row: &HookRow) -> String {
    let text = hex(&keyed(&row.secret, &[b"code"])[..4]);
    format!("{}-{}", &text[..4], &text[4..])
}
