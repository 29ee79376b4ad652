//! The outbox: subscriptions in memory, and their messages.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicI64, Ordering},
};

use tokio::sync::Notify;

use super::{
    delivery_counts::DeliveryCounts,
    item::{About, Item},
    push::{PushKey, Subscription},
    register::{Register, Subscriber},
    schedule::Schedule,
    words,
};
use crate::{
    engine::{Lang, Seat, Viewer},
    service::{
        Notifier, ServiceError,
        feed::{CommitNews, Note, Notice, Warning},
        games::LiveGame,
        ports::Transport,
    },
    store::{Change, HookChange, HookKey, HookRow, NewDelivery, PlayerKey, Store, Write, postgres::Postgres},
    tree::secret_key::SecretKey,
    words::{Failure, News, Way},
};

pub struct Outbox {
    pub(super) register: Register,
    schedule: Mutex<Schedule>,
    pub(super) woken: Notify,
    pub(in crate::service) courier: Box<dyn Transport>,
    /// Signs messages for receivers that keep no secret.
    pub(super) key: SecretKey,
    pub(super) push_key: PushKey,
    /// Public address of this server.
    public_url: Option<String>,
    /// Why the newest email failed, if its address is not the cause.
    mail_failure: Mutex<Option<Failure>>,
    /// Revision of the hooks in memory. Other servers may have changed them.
    known: AtomicI64,
    pub(in crate::service) delivered: DeliveryCounts,
}

/// Messages that are written with a change, with their hosts, and whether their hooks are confirmed.
#[derive(Default)]
pub struct OutboxEntries {
    deliveries: Vec<NewDelivery>,
    hosts: Vec<(HookKey, Arc<str>, bool, u64)>,
}

impl OutboxEntries {
    pub const fn is_empty(&self) -> bool {
        self.deliveries.is_empty()
    }

    /// Returns the change for the store.
    pub fn take(&mut self) -> Change {
        Change::Hook(HookChange::Deliver(std::mem::take(&mut self.deliveries)))
    }

    pub fn join(&mut self, other: Self) {
        self.deliveries.extend(other.deliveries);
        self.hosts.extend(other.hosts);
    }

    pub(super) fn add(&mut self, brief: &Subscriber, message: String, item: &Item, at: u64, due: u64) {
        self.hosts.push((brief.hook, Arc::clone(&brief.host), brief.is_proved, due));
        self.deliveries.push(NewDelivery { hook: brief.hook, message, body: item.write(), at, due });
    }
}

impl Outbox {
    pub async fn open(
        store: &Store,
        courier: Box<dyn Transport>,
        key: SecretKey,
        public_url: Option<String>,
    ) -> Result<Self, ServiceError> {
        let (register, mut schedule) = (Register::default(), Schedule::default());
        let mut due: std::collections::HashMap<HookKey, u64> = store.hooks_due().await?.into_iter().collect();
        for row in store.hooks().await? {
            let host = host(&*courier, &row);
            register.note(&row, &host);
            if let Some(due) = due.remove(&row.key) {
                schedule.add(row.key, &host, row.is_proved(), due);
            }
        }
        let (schedule, woken, push_key) = (Mutex::new(schedule), Notify::new(), push_key(store).await?);
        let (mail_failure, known) = (Mutex::default(), AtomicI64::new(0));
        let delivered = DeliveryCounts::default();
        Ok(Self {
            register,
            schedule,
            woken,
            courier,
            key,
            push_key,
            public_url,
            mail_failure,
            known,
            delivered,
        })
    }

    pub fn shown_key(&self) -> String {
        super::format::shown_key(&self.key)
    }

    pub(super) fn schedule(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of hooks with messages to send.
    pub fn waiting(&self) -> usize {
        self.schedule().count()
    }

    /// Returns the address of a page of this server.
    pub(super) fn page(&self, path: &str) -> Option<String> {
        Some(format!("{}/{path}", self.public_url.as_deref()?.trim_end_matches('/')))
    }

    /// Returns the address of the page for an item.
    pub(super) fn link(&self, item: &Item) -> Option<String> {
        let game = item.game.as_ref();
        self.page(&game.map_or_else(|| "settings".to_owned(), |game| format!("games/{game}")))
    }

    /// Returns the address of the picture of an item.
    pub(super) fn picture(&self, item: &Item) -> Option<String> {
        self.page(item.picture.as_deref()?)
    }

    /// Updates a hook in memory.
    pub(super) fn note(&self, row: &HookRow) {
        self.register.note(row, &self.host(row));
    }

    pub(super) fn host(&self, row: &HookRow) -> Arc<str> {
        host(&*self.courier, row)
    }

    /// Schedules messages that were written.
    pub fn send(&self, letters: &OutboxEntries) {
        if letters.hosts.is_empty() {
            return;
        }
        let mut schedule = self.schedule();
        for (hook, host, is_proved, due) in &letters.hosts {
            schedule.add(*hook, host, *is_proved, *due);
        }
        drop(schedule);
        self.woken.notify_one();
    }

    /// Notes whether an email was sent.
    pub(super) fn note_mail(&self, sent: Result<(), Failure>) {
        *self.mail_failure.lock().unwrap_or_else(PoisonError::into_inner) = sent.err();
    }

    /// Returns why emails fail, if they do.
    pub fn mail_failure(&self) -> Option<Failure> {
        *self.mail_failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes hooks from memory.
    pub fn forget(&self, hooks: &[HookRow]) {
        for row in hooks {
            self.register.forget(row);
        }
    }

    /// Schedules a hook for this time.
    pub(super) fn send_at(&self, row: &HookRow, due: u64) {
        self.schedule().add(row.key, &self.host(row), row.is_proved(), due);
        self.woken.notify_one();
    }

    /// Returns the messages about a change of a game.
    pub fn letters(&self, live: &LiveGame, news: &CommitNews, now: u64) -> OutboxEntries {
        let mut letters = OutboxEntries::default();
        if self.register.is_empty() {
            return letters;
        }
        for (player, notice) in &news.notices {
            for brief in self.register.of_player(*player) {
                tell(&mut letters, &brief, notice, live, viewer_of(live, *player), now);
            }
        }
        self.tell_table(&mut letters, live, news, now);
        if let Some(warning) = &news.warning {
            self.warn(&mut letters, live, warning);
        }
        letters
    }

    /// News for all seats is one message for each hook of the game.
    fn tell_table(&self, letters: &mut OutboxEntries, live: &LiveGame, news: &CommitNews, now: u64) {
        let hooks = self.register.of_game(live.facts.key);
        for brief in hooks.iter().filter(|brief| live.seat_with(brief.owner).is_some()) {
            let mut told: Vec<(u64, News)> = Vec::new();
            for (_, notice) in &news.notices {
                let known = (notice.seq, notice.kind.news());
                if !told.contains(&known) && !is_of_machine(live, notice) {
                    told.push(known);
                    tell(letters, brief, notice, live, Viewer::Spectator, now);
                }
            }
        }
    }

    /// Adds the message that a quarter of the time is left, due at that time if it is still true.
    pub(in crate::service) fn warn(&self, letters: &mut OutboxEntries, live: &LiveGame, warning: &Warning) {
        let Some(seat) = live.seat_with(warning.player) else { return };
        let note = Note::deadline(live.facts.uuid, warning.seq, warning.deadline);
        let of_game = self.register.of_game(live.facts.key);
        let here = of_game.into_iter().filter(|brief| live.seat_with(brief.owner).is_some());
        for brief in self.register.of_player(warning.player).into_iter().chain(here) {
            if brief.news.has(News::Deadline) {
                let text = words::deadline(brief.lang);
                let item = Item {
                    seat: Some(seat.number()),
                    ..Item::of_note(&note, Some(&About::of(live)), brief.lang, text)
                };
                // A deadline has one message: the store keeps the first.
                let message = message(live, warning.deadline, Some(seat), News::Deadline);
                letters.add(&brief, message, &item, warning.at, brief.due(News::Deadline, warning.at));
            }
        }
    }

    /// Returns the messages of a note to one player. `place` makes their ids unique within game and kind.
    pub fn letters_of_note(
        &self,
        player: PlayerKey,
        note: &Note,
        place: &str,
        about: Option<&About>,
        now: u64,
        words: impl Fn(Lang) -> String,
    ) -> OutboxEntries {
        let mut letters = OutboxEntries::default();
        if self.register.is_empty() {
            return letters;
        }
        let Some(news) = News::from_word(note.kind) else { return letters };
        // News about the safety of an account goes to every channel.
        let is_told = |brief: &&Subscriber| brief.news.has(news) || news == News::Account;
        for brief in self.register.of_player(player).iter().filter(is_told) {
            let item = Item::of_note(note, about, brief.lang, words(brief.lang));
            let message = format!("msg_{place}_{}", news.word());
            letters.add(brief, message, &item, now, brief.due(news, now));
        }
        letters
    }
}

/// Returns the key for push services. It is created once.
async fn push_key(store: &Store) -> Result<PushKey, ServiceError> {
    let broken = || ServiceError::Internal("the key for push services cannot be made or read".into());
    let purpose = Way::Push.word();
    let kept = store.own_key(purpose).await?;
    let kept = if let Some(kept) = kept {
        kept
    } else {
        let key = PushKey::make().ok_or_else(broken)?;
        store.write(Write::of(Change::AddOwnKey { purpose, key: key.clone() })).await?;
        key
    };
    PushKey::read(&kept).ok_or_else(broken)
}

fn host(courier: &dyn Transport, row: &HookRow) -> Arc<str> {
    let url = match row.way {
        Way::Mail => return Way::Mail.word().into(),
        Way::Push => Subscription::read(&row.target).map(|to| to.endpoint).unwrap_or_default(),
        Way::Standard | Way::Discord | Way::Slack | Way::Ntfy => row.target.clone(),
    };
    // An address that is no longer allowed is refused when a message is sent.
    courier.accepts(&url).unwrap_or_else(|_| "".into())
}

impl Notifier {
    /// Loads hooks that another server has changed. Other answers of the store carry their revision.
    pub(in crate::service) async fn know_hooks(&self) -> Result<(), ServiceError> {
        let Some(changed) = self.store.peers().map(Postgres::hooks_changed) else { return Ok(()) };
        if self.outbox.known.load(Ordering::Relaxed) < changed {
            // Boxed: rare, keeps the future small.
            Box::pin(self.learn_hooks(changed)).await?;
        }
        Ok(())
    }

    async fn learn_hooks(&self, changed: i64) -> Result<(), ServiceError> {
        let row = |row| {
            let host = self.outbox.host(&row);
            (row, host)
        };
        let rows: Vec<_> = self.store.hooks().await?.into_iter().map(row).collect();
        self.outbox.register.replace(&rows);
        self.outbox.known.fetch_max(changed, Ordering::Relaxed);
        Ok(())
    }

    /// Schedules due messages whose server is gone.
    pub async fn adopt_messages(&self) -> Result<(), ServiceError> {
        for (key, due) in self.store.hooks_due().await? {
            if let Some(row) = self.store.hook(key).await? {
                self.outbox.send_at(&row, due);
            }
        }
        Ok(())
    }
}

fn tell(
    letters: &mut OutboxEntries,
    brief: &Subscriber,
    notice: &Notice,
    live: &LiveGame,
    viewer: Viewer,
    now: u64,
) {
    let news = notice.kind.news();
    if !brief.news.has(news) {
        return;
    }
    let seat = notice.kind.seat().or(match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator => None,
    });
    let item = Item::of_notice(notice, live, viewer, brief.lang);
    letters.add(brief, message(live, notice.seq, seat, news), &item, notice.at, brief.due(news, now));
}

/// Returns the id of a message, which is the same for every attempt and receiver.
fn message(live: &LiveGame, number: u64, seat: Option<Seat>, news: News) -> String {
    let seat = seat.map_or_else(|| "table".to_owned(), |seat| seat.to_string());
    format!("msg_{}_{number}_{seat}_{}", live.facts.uuid.simple(), news.word())
}

fn viewer_of(live: &LiveGame, player: PlayerKey) -> Viewer {
    live.seat_with(player).map_or(Viewer::Spectator, Viewer::Seat)
}

/// Returns whether a notice is about the seat of a bot.
fn is_of_machine(live: &LiveGame, notice: &Notice) -> bool {
    notice.kind.news() == News::Turn
        && notice
            .kind
            .seat()
            .and_then(|seat| live.sitting(seat))
            .is_some_and(|sitting| sitting.holder.bot.is_some())
}
