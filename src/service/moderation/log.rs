//! The operators' log: what they did, to whom, and why. Anyone can read it.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Moderation, Operator, act::Act};
use crate::{
    service::{
        ServiceError,
        cost::{self, Work},
        reading::{
            page::{Page, Window},
            time,
        },
    },
    store::{ActRow, ModerationChange, Write},
    words::{OperatorActKind, Visibility},
};

/// An act of an operator. It names no address, no secret, and no game that is not public.
#[derive(Serialize)]
#[wire]
#[schema(as = OperatorAct)]
pub struct ActView {
    #[schema(format = Uuid)]
    pub id: String,
    #[schema(format = DateTime)]
    pub at: String,
    /// Name of the operator.
    pub operator: String,
    /// Kind of the act.
    #[schema(value_type = OperatorActKind)]
    pub act: String,
    /// Player concerned.
    #[schema(format = Uuid)]
    pub player: Option<String>,
    /// Public game concerned.
    #[schema(format = Uuid)]
    pub game: Option<String>,
    pub reason: String,
    /// End of the ban, the notice or the token.
    #[schema(format = DateTime)]
    pub until: Option<String>,
    /// Seat of the removed player.
    pub seat: Option<u64>,
    /// Text of the notice, or name of the new operator.
    pub text: Option<String>,
    /// New registration mode.
    #[schema(value_type = Option<crate::words::Registration>)]
    pub registration: Option<String>,
}

/// Details of an act in its row.
#[derive(Default, Serialize, Deserialize)]
struct ActDetails {
    until: Option<String>,
    seat: Option<u64>,
    text: Option<String>,
    registration: Option<String>,
}

/// An act with the secret that it made. The secret is shown only once.
#[derive(Serialize)]
#[wire]
#[schema(as = OperatorActDone)]
pub struct ActDone {
    #[serde(flatten)]
    pub act: ActView,
    /// Recovery code, invitation code or operator token.
    pub secret: Option<String>,
}

impl ActDetails {
    fn of(act: &Act) -> Self {
        let none = Self::default();
        match act {
            Act::Ban { until, .. } | Act::BanAddress { until, .. } => Self { until: until.map(time), ..none },
            Act::RemovePlayer { seat, .. } => Self { seat: Some(*seat), ..none },
            Act::Notice { text, until } => Self { text: text.clone(), until: until.map(time), ..none },
            Act::AddToken { name, until } => {
                Self { text: Some(name.clone()), until: until.map(time), ..none }
            }
            Act::Registration(mode) => Self { registration: Some(mode.word().to_owned()), ..none },
            _ => none,
        }
    }
}

impl From<ActRow> for ActView {
    fn from(row: ActRow) -> Self {
        let details: ActDetails = serde_json::from_str(&row.details).unwrap_or_default();
        Self {
            id: row.id.to_string(),
            at: time(row.at),
            operator: row.operator,
            act: row.what,
            player: row.player.map(|player| player.to_string()),
            game: row.game.map(|game| game.to_string()),
            reason: row.reason,
            until: details.until,
            seat: details.seat,
            text: details.text,
            registration: details.registration,
        }
    }
}

impl Moderation {
    /// Returns the acts of operators, newest first: all, or those about a player or a game.
    pub async fn acts(&self, about: Option<Uuid>, window: &Window) -> Result<Page<ActView>, ServiceError> {
        let rows = self.store.acts(about, window.last()?, window.limit + 1).await?;
        cost::charge(Work::Read { entries: rows.len() as u64 });
        let cursor = |row: &ActRow| row.id.simple().to_string();
        Ok(Page::of(rows, window.limit, cursor, |row| Some(row.into())))
    }

    pub async fn logged_act(&self, id: Uuid) -> Result<ActView, ServiceError> {
        self.store.act(id).await?.map(ActView::from).ok_or(ServiceError::NotFound)
    }

    /// Returns the row of an act for the log. The id of a game that is not public would let readers in.
    pub(super) async fn row_of(
        &self,
        operator: &Operator,
        kind: OperatorActKind,
        act: &Act,
        reason: &str,
    ) -> Result<ActRow, ServiceError> {
        let details = serde_json::to_string(&ActDetails::of(act));
        Ok(ActRow {
            id: crate::id::fresh(),
            at: self.clock.now(),
            operator: operator.name.clone(),
            what: kind.word().to_owned(),
            player: act.player(),
            game: match act.game() {
                Some(game) if self.is_public(game).await? => Some(game),
                _ => None,
            },
            details: details.map_err(|error| ServiceError::Internal(error.to_string()))?,
            reason: reason.to_owned(),
        })
    }

    async fn is_public(&self, game: Uuid) -> Result<bool, ServiceError> {
        let locked = self.games.lock(game).await?;
        Ok(locked.game()?.facts.visibility == Visibility::Public)
    }
}

/// Returns the write of an act, which begins with its row in the log.
pub(super) fn logged(row: &ActRow) -> Write {
    Write::of(ModerationChange::add_act(row))
}
