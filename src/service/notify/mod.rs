//! Notifications for players who are not connected. A message is written with the change that it reports, so
//! a stop at any point loses none; it is sent until it arrives.

mod channels;
mod delivery_counts;
mod digest;
mod format;
mod item;
mod mailbox;
mod manage;
mod outbox;
mod push;
mod quiet;
mod register;
mod request;
mod retry;
mod schedule;
mod sender;
mod settings;
mod suppression;
mod view;
pub mod words;

pub use channels::{Notifications, PushView};
pub use digest::escaped_html;
pub use item::About;
pub use mailbox::MailView;
pub use outbox::{Outbox, OutboxEntries};
pub use request::{HookChanges, MailCode, NewHook, NewMail, NewPush, NotificationChanges, WebhookFormat};
pub use view::{DeliveryView, HookView, NewHookView};

use std::sync::Arc;

use super::{
    Base, Limits,
    feed::Feed,
    games::Games,
    ports::{Clock, Entropy},
};
use crate::store::Store;

/// Notifications for players who are not connected: webhooks, email and push.
pub struct Notifier {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    limits: Arc<Limits>,
    games: Arc<Games>,
    feed: Arc<Feed>,
    pub(in crate::service) outbox: Arc<Outbox>,
}

impl Notifier {
    pub fn new(base: &Base, games: &Arc<Games>, feed: &Arc<Feed>, outbox: Outbox) -> Self {
        Self {
            store: Arc::clone(&base.store),
            clock: Arc::clone(&base.clock),
            entropy: Arc::clone(&base.entropy),
            limits: Arc::clone(&base.limits),
            games: Arc::clone(games),
            feed: Arc::clone(feed),
            outbox: Arc::new(outbox),
        }
    }

    /// Returns the public key that verifies the messages of webhooks.
    pub fn webhook_key(&self) -> String {
        self.outbox.shown_key()
    }
}
