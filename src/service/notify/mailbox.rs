//! The mail address of a player, confirmed by a link.

use super::{
    digest::{self, LinkedText},
    item::Item,
    request::{NewMail, TimeOfDay},
    settings::Settings,
    words,
};
use crate::{
    engine::{Lang, Malformed, Text, hash::keyed},
    ledger::encoding::hex,
    service::{
        Notifier, ServiceError,
        games::{Player, Session},
        ports::Mail,
    },
    store::{DeliveryRow, HookHealth, HookRow},
    words::{HookState, News, Way},
};
use serde::Serialize;

/// Minimum time between emails to one player.
pub const PAUSE: u64 = 60_000;
const CONFIRM: &str = "confirm";
const UNSUBSCRIBE: &str = "unsubscribe";
const MINUTES: i32 = 24 * 60;

/// Email notifications of a player.
#[derive(Serialize)]
#[wire]
#[schema(as = MailSettings)]
pub struct MailView {
    pub address: String,
    pub types: Vec<News>,
    #[schema(pattern = "^(en|it)$")]
    pub lang: String,
    /// Time of the daily email. `null` if each notification is sent at once.
    #[schema(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    pub digest: Option<String>,
    #[schema(minimum = -840, maximum = 840)]
    pub utc_offset: i32,
    /// Whether deadline warnings are sent at once even if other emails are collected.
    pub deadlines_at_once: bool,
    pub state: HookState,
}

impl MailView {
    pub fn of(row: &HookRow) -> Self {
        let settings = Settings::read(&row.settings);
        let local = |minute: u16| (i32::from(minute) + settings.utc_offset).rem_euclid(MINUTES);
        let digest = settings.digest.map(local).and_then(|minute| u16::try_from(minute).ok());
        Self {
            address: row.target.clone(),
            types: settings.news().list(),
            lang: settings.lang().tag().to_owned(),
            digest: digest.map(|minute| TimeOfDay(minute).to_string()),
            utc_offset: settings.utc_offset,
            deadlines_at_once: settings.deadlines_at_once,
            state: row.state,
        }
    }
}

impl Notifier {
    pub(super) async fn mailbox(&self, player: &Player) -> Result<Option<HookRow>, ServiceError> {
        let hooks = self.store.hooks_of_player(player.key).await?;
        Ok(hooks.into_iter().find(|row| row.way == Way::Mail))
    }

    /// Sets the address. A new address gets an email with a link to confirm it.
    pub(super) async fn set_mail(
        &self,
        session: &Session,
        new: NewMail,
        lang: Lang,
    ) -> Result<(), ServiceError> {
        let player = &session.player;
        if !self.outbox.courier.mails(&new.address) {
            let text = if self.outbox.courier.has_mail() {
                Text::new("is not a mail address", "non è un indirizzo di posta")
            } else {
                Text::new("this server cannot send mail", "questo server non può inviare posta")
            };
            return Err(Malformed::new("mail.address", text).into());
        }
        let mut settings = Settings::new("", lang);
        settings.change(None, new.types, new.lang);
        settings.utc_offset = new.utc_offset.map_or(0, |offset| offset.0);
        let utc = |minute: u16| (i32::from(minute) - settings.utc_offset).rem_euclid(MINUTES);
        settings.digest = new.digest.map(|time| utc(time.0)).and_then(|minute| u16::try_from(minute).ok());
        settings.deadlines_at_once = new.deadlines_at_once;
        let mut before = self.mailbox(player).await?;
        if let Some(row) = before.as_mut().filter(|row| is_confirmed(row, &new.address)) {
            return self.keep_settings(row, &settings).await;
        }
        self.add_hook(session, None, (Way::Mail, new.address), &settings, before.as_ref()).await.map(|_| ())
    }

    /// Returns whether the player has confirmed this address.
    pub async fn reads_mail_at(&self, player: &Player, address: &str) -> Result<bool, ServiceError> {
        let mailbox = self.mailbox(player).await?;
        Ok(mailbox.is_some_and(|row| is_confirmed(&row, address)))
    }

    pub(super) async fn remove_mail(&self, player: &Player) -> Result<(), ServiceError> {
        match self.mailbox(player).await? {
            Some(row) => self.remove_hook(&row).await,
            None => Ok(()),
        }
    }

    /// Confirms the address of this code.
    pub async fn confirm_mail(&self, given: &str) -> Result<(), ServiceError> {
        let mut row = self.mailbox_by(given, CONFIRM).await?;
        if row.state == HookState::Unproved {
            self.set_state(&mut row, HookState::On, HookHealth::default()).await?;
        }
        Ok(())
    }

    /// Stops emails to the address of this code.
    pub async fn unsubscribe(&self, given: &str) -> Result<(), ServiceError> {
        let row = self.mailbox_by(given, UNSUBSCRIBE).await?;
        self.remove_hook(&row).await
    }

    async fn mailbox_by(&self, given: &str, purpose: &str) -> Result<HookRow, ServiceError> {
        let id = given.split('-').next().and_then(|id| id.parse().ok()).ok_or(ServiceError::WrongCode)?;
        let row = self.store.hook_by_id(id).await?.filter(|row| row.way == Way::Mail);
        row.filter(|row| code(row, purpose) == given).ok_or(ServiceError::WrongCode)
    }

    /// Returns the email for these items, or the request for a confirmation.
    pub(super) fn letter(&self, row: &HookRow, items: &[Item]) -> Mail {
        let lang = Settings::read(&row.settings).lang();
        let page = |purpose| self.outbox.page(&format!("mail/{purpose}#{}", code(row, purpose)));
        if let [item] = items
            && item.kind == "test"
        {
            let item = Item { text: words::confirm(lang), ..item.clone() };
            let pieces = [LinkedText { item: &item, link: page(CONFIRM), picture: None }];
            return Mail {
                subject: "playledger".to_owned(),
                ..digest::mail(&row.target, &pieces, lang, None, None)
            };
        }
        let pieces: Vec<LinkedText> = items
            .iter()
            .map(|item| LinkedText { item, link: self.outbox.link(item), picture: self.outbox.picture(item) })
            .collect();
        let by_post = format!("v1/mail/unsubscriptions?code={}", code(row, UNSUBSCRIBE));
        digest::mail(&row.target, &pieces, lang, page(UNSUBSCRIBE).as_deref(), self.outbox.page(&by_post))
    }

    /// Sends all waiting notifications in one email.
    pub(super) async fn send_mail(&self, row: &mut HookRow, due: &[DeliveryRow]) -> Result<(), ServiceError> {
        let (mut items, mut told, mut untrue) = (Vec::new(), Vec::new(), Vec::new());
        for delivery in due {
            match self.worth_telling(row, delivery).await? {
                Some(item) => {
                    items.push(item);
                    told.push(delivery);
                }
                None => untrue.push(delivery.key),
            }
        }
        self.drop_deliveries(untrue).await?;
        if told.is_empty() {
            return Ok(());
        }
        let sent = self.outbox.courier.mail(self.letter(row, &items)).await;
        self.mailed(row, &told, sent).await
    }
}

fn is_confirmed(row: &HookRow, address: &str) -> bool {
    row.target == address && row.state == HookState::On
}

/// Returns the code for a link: it proves that its user reads this address.
fn code(row: &HookRow, purpose: &str) -> String {
    format!("{}-{}", row.id.simple(), hex(&keyed(&row.secret, &[purpose.as_bytes()])[..16]))
}
