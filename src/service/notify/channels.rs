//! Notification settings of a player: quiet hours and browsers.

use serde::Serialize;
use uuid::Uuid;

use super::{
    mailbox::MailView,
    push::Subscription,
    request::{NewPush, NotificationChanges, Quiet, TimeOfDay},
    settings::Settings,
    view::DeliveryView,
};
use crate::{
    engine::{Lang, Malformed, Text},
    service::{
        Notifier, ServiceError,
        games::{Player, Session},
        reading::time,
        request::Patch,
    },
    store::{Change, HookChange, HookRow, QuietRow, Write},
    words::{HookState, News, Way},
};

/// Browsers of a player.
const MOST_BROWSERS: usize = 10;

/// Notification settings of a player.
#[derive(Serialize)]
#[wire]
pub struct Notifications {
    /// Quiet hours. `null` if there are none.
    pub quiet: Option<QuietView>,
    /// Email settings. `null` if email is off.
    pub mail: Option<MailView>,
    /// Whether this server can send email.
    pub has_mail: bool,
    /// Browsers with push notifications.
    pub push: Vec<PushView>,
    /// Key for `applicationServerKey` of a push subscription.
    pub push_key: String,
}

#[derive(Serialize)]
#[wire]
#[schema(as = QuietHours)]
pub struct QuietView {
    #[schema(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    pub from: String,
    #[schema(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    pub to: String,
    /// Difference of the player's local time from UTC, in minutes.
    #[schema(minimum = -840, maximum = 840)]
    pub utc_offset: i32,
}

/// A browser with push notifications.
#[derive(Serialize)]
#[wire]
#[schema(as = PushSubscription)]
pub struct PushView {
    #[schema(format = Uuid)]
    pub id: String,
    pub name: String,
    pub types: Vec<News>,
    pub state: HookState,
    #[schema(format = DateTime)]
    pub created_at: String,
}

impl PushView {
    fn of(row: &HookRow) -> Self {
        let settings = Settings::read(&row.settings);
        let types = settings.news().list();
        let created_at = time(row.created_at);
        Self { id: row.id.to_string(), name: settings.name, types, state: row.state, created_at }
    }
}

impl QuietView {
    fn of(row: &QuietRow) -> Option<Self> {
        let (from, to) = row.hours?;
        let shown = |minute| TimeOfDay(minute).to_string();
        Some(Self { from: shown(from), to: shown(to), utc_offset: row.utc_offset })
    }
}

impl Notifier {
    async fn browsers(&self, player: &Player) -> Result<Vec<HookRow>, ServiceError> {
        let mut rows = self.store.hooks_of_player(player.key).await?;
        rows.retain(|row| row.way == Way::Push);
        Ok(rows)
    }

    pub async fn notifications(&self, player: &Player) -> Result<Notifications, ServiceError> {
        let hooks = self.store.hooks_of_player(player.key).await?;
        let by = |way| hooks.iter().filter(move |row| row.way == way);
        Ok(Notifications {
            quiet: QuietView::of(&self.store.quiet(player.key).await?),
            mail: by(Way::Mail).next().map(MailView::of),
            has_mail: self.outbox.courier.has_mail(),
            push: by(Way::Push).map(PushView::of).collect(),
            push_key: self.outbox.push_key.public(),
        })
    }

    /// Changes email settings and quiet hours. A refused address changes neither.
    pub async fn change_notifications(
        &self,
        session: &Session,
        changes: NotificationChanges,
        lang: Lang,
    ) -> Result<Notifications, ServiceError> {
        let player = &session.player;
        match changes.mail {
            Patch::Keep => {}
            Patch::Remove => self.remove_mail(player).await?,
            Patch::Set(mail) => self.set_mail(session, mail, lang).await?,
        }
        match changes.quiet {
            Patch::Keep => {}
            Patch::Remove => self.set_quiet(player, QuietRow::default()).await?,
            Patch::Set(Quiet { from, to, utc_offset }) => {
                let quiet = QuietRow { utc_offset: utc_offset.0, hours: Some((from.0, to.0)) };
                self.set_quiet(player, quiet).await?;
            }
        }
        self.notifications(player).await
    }

    async fn set_quiet(&self, player: &Player, quiet: QuietRow) -> Result<(), ServiceError> {
        let change = HookChange::SetQuiet { player: player.key, quiet };
        Ok(self.store.write(Write::of(Change::Hook(change))).await?)
    }

    /// Adds a browser. A browser that subscribes again replaces its earlier subscription.
    pub async fn add_push(
        &self,
        session: &Session,
        new: NewPush,
        lang: Lang,
    ) -> Result<PushView, ServiceError> {
        let player = &session.player;
        let NewPush { endpoint, keys, name, types, lang: wish } = new;
        self.outbox
            .courier
            .accepts(&endpoint)
            .map_err(|unwanted| super::manage::unwanted("endpoint", unwanted))?;
        let subscription = Subscription { endpoint, p256dh: keys.p256dh, auth: keys.auth };
        if !subscription.is_whole() {
            let text = Text::new(
                "must be the keys of a push subscription (`p256dh` and `auth`) in base64url",
                "devono essere le chiavi di una sottoscrizione push (`p256dh` e `auth`) in base64url",
            );
            return Err(Malformed::new("keys", text).into());
        }
        let browsers = self.browsers(player).await?;
        let is_same = |row: &&HookRow| {
            Subscription::read(&row.target).is_some_and(|known| known.endpoint == subscription.endpoint)
        };
        let before = browsers.iter().find(is_same);
        if before.is_none() && browsers.len() >= MOST_BROWSERS {
            return Err(ServiceError::TooManyWebhooks(MOST_BROWSERS));
        }
        let mut settings = Settings::new("", lang);
        settings.change(name.as_ref(), types, wish);
        let row = self.add_hook(session, None, (Way::Push, subscription.write()), &settings, before).await?;
        Ok(PushView::of(&row))
    }

    async fn browser(&self, player: &Player, id: Uuid) -> Result<HookRow, ServiceError> {
        let browsers = self.browsers(player).await?;
        browsers.into_iter().find(|row| row.id == id).ok_or(ServiceError::NotFound)
    }

    pub async fn push(&self, player: &Player, id: Uuid) -> Result<PushView, ServiceError> {
        Ok(PushView::of(&self.browser(player, id).await?))
    }

    pub async fn remove_push(&self, player: &Player, id: Uuid) -> Result<(), ServiceError> {
        let row = self.browser(player, id).await?;
        self.remove_hook(&row).await
    }

    pub async fn test_push(&self, player: &Player, id: Uuid) -> Result<DeliveryView, ServiceError> {
        let row = self.browser(player, id).await?;
        let message = self.send_test(&row, Write::default()).await?;
        self.shown_delivery(row.key, &message).await
    }
}
