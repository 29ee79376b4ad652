//! The sender: sends messages when they are due.

use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::time::sleep;

use super::{
    format::Outgoing,
    item::Item,
    mailbox,
    outbox::OutboxEntries,
    retry,
    settings::Settings,
    view::{TEST, challenge},
    words,
};
use crate::{
    engine::Seat,
    service::{DAY, Notifier, ServiceError, feed::Note, ports::HttpAnswer, reading::time},
    store::{Change, DeliveryKey, DeliveryRow, Fate, HookChange, HookHealth, HookKey, HookRow, Write},
    words::{Failure, HookState, News, Outcome, Way},
};

/// Longest pause while messages wait: the clock may change, and the store may fail.
const LOOK: Duration = Duration::from_secs(1);
const AGAIN: u64 = 30_000;
/// Messages of one hook before other hooks of its host.
const BATCH: u32 = 16;
/// Notifications in one email.
const IN_ONE_MAIL: u32 = 200;
/// An older message may no longer be true, or was seen.
pub(super) const LATE: u64 = 30_000;

/// The outcome of a message.
enum DeliveryOutcome {
    Delivered(HttpAnswer),
    Failed(Failure, Option<HttpAnswer>),
}

impl DeliveryOutcome {
    fn of(sent: Result<HttpAnswer, Failure>) -> Self {
        match sent {
            Ok(answer) if (200..300).contains(&answer.status) => Self::Delivered(answer),
            Ok(answer) => Self::Failed(Failure::Refused, Some(answer)),
            Err(failure) => Self::Failed(failure, None),
        }
    }
}

impl Notifier {
    /// Sends due messages, for ever.
    pub async fn send_messages(&self) {
        let mut under_way = FuturesUnordered::new();
        loop {
            let now = self.clock.now();
            while let Some(hook) = self.next_hook(now) {
                under_way.push(self.serve(hook));
            }
            tokio::select! {
                Some(()) = under_way.next() => {}
                () = self.outbox.woken.notified() => {}
                () = sleep(self.until_next(now)) => {}
            }
        }
    }

    fn next_hook(&self, now: u64) -> Option<HookKey> {
        self.outbox.schedule().next(now)
    }

    /// Returns the longest time without due messages. A new message wakes the task.
    fn until_next(&self, now: u64) -> Duration {
        let next = self.outbox.schedule().wakes_at().map(|at| Duration::from_millis(at.saturating_sub(now)));
        next.map_or(Duration::MAX, |next| next.min(LOOK))
    }

    async fn serve(&self, hook: HookKey) {
        let next = self.send_of(hook).await;
        // While the store fails, nothing can be settled either.
        let next = next.unwrap_or_else(|_| Some(self.clock.now().saturating_add(AGAIN)));
        self.outbox.schedule().done(hook, next);
    }

    /// Sends the due messages of a hook, and returns when it has more.
    async fn send_of(&self, hook: HookKey) -> Result<Option<u64>, ServiceError> {
        // A message that cannot be noted as sent would be sent again and again.
        self.store.ready().await?;
        let Some(mut row) = self.store.hook(hook).await? else { return Ok(None) };
        let now = self.clock.now();
        if row.health.rests_until > now {
            return Ok(Some(row.health.rests_until));
        }
        let batch = if row.way == Way::Mail { IN_ONE_MAIL } else { BATCH };
        let mut due = self.store.deliveries_due(hook, now, batch).await?;
        if row.game.is_none() {
            due = self.unless_unwelcome(&row, due, now).await?;
        }
        if row.way == Way::Mail {
            self.send_mail(&mut row, &due).await?;
            due.clear();
        }
        for delivery in &due {
            if !self.send_one(&mut row, delivery).await? {
                break;
            }
        }
        let next = self.store.next_due(hook).await?;
        Ok(next.map(|next| next.max(row.health.rests_until)))
    }

    /// Sends one message, and returns whether the next may follow.
    async fn send_one(&self, row: &mut HookRow, delivery: &DeliveryRow) -> Result<bool, ServiceError> {
        let (now, tries) = (self.clock.now(), delivery.fate.tries.saturating_add(1));
        let fate = |outcome| Fate { tries, outcome, tried_at: Some(now), ..Fate::default() };
        let Some(item) = self.worth_telling(row, delivery).await? else {
            self.drop_deliveries(vec![delivery.key]).await?;
            return Ok(true);
        };
        let (hook, message, at) = (&*row, delivery.message.as_str(), delivery.at);
        let (link, picture) = (self.outbox.link(&item), self.outbox.picture(&item));
        let outgoing = Outgoing { hook, message, item: &item, at, link, picture };
        let parcel = outgoing.parcel(now, &self.outbox.key, &self.outbox.push_key);
        let sent = match parcel {
            Some(parcel) => self.outbox.courier.carry(parcel).await,
            None => Err(Failure::Unwanted),
        };
        let outcome = DeliveryOutcome::of(sent);
        self.outbox.delivered.note(row.way, matches!(outcome, DeliveryOutcome::Delivered(_)));
        match outcome {
            DeliveryOutcome::Delivered(answer) => {
                let fate = Fate { status: Some(answer.status), ..fate(Some(Outcome::Delivered)) };
                self.delivered(row, delivery, fate, &answer).await.map(|()| true)
            }
            DeliveryOutcome::Failed(failure, answer) => {
                let status = answer.as_ref().map(|answer| answer.status);
                let fate = Fate { failure: Some(failure), status, ..fate(None) };
                self.failed(row, delivery, fate, answer).await.map(|()| false)
            }
        }
    }

    /// Settles an email and all notifications in it.
    pub(super) async fn mailed(
        &self,
        row: &mut HookRow,
        told: &[&DeliveryRow],
        sent: Result<(), Failure>,
    ) -> Result<(), ServiceError> {
        let now = self.clock.now();
        let fate = |outcome, failure| {
            let tries = told.iter().map(|delivery| delivery.fate.tries).max().unwrap_or_default() + 1;
            Fate { tries, outcome, failure, status: None, tried_at: Some(now) }
        };
        let keys = told.iter().map(|delivery| delivery.key).collect();
        self.outbox.delivered.note(Way::Mail, sent.is_ok());
        let Err(failure) = sent else {
            self.outbox.note_mail(Ok(()));
            // Confirmations are few and need no pause.
            let pause = if told.iter().all(|delivery| is_test(delivery)) { 0 } else { mailbox::PAUSE };
            let health = HookHealth { rests_until: now + pause, ..HookHealth::default() };
            self.set_health(row, health).await?;
            return self.settle(keys, None, fate(Some(Outcome::Delivered), None)).await;
        };
        // Disables an address after a permanent refusal or days of deferrals. A fault of our own mail server
        // disables nobody.
        let bounced = failure == Failure::Refused;
        let is_ours = !bounced && failure != Failure::NoAnswer;
        if !bounced {
            self.outbox.note_mail(Err(failure));
        }
        let dice = told.first().map_or(0, |delivery| delivery.at);
        let health = retry::after_failure(row.health, now, None, dice).filter(|_| !bounced);
        let health =
            health.or(is_ours.then(|| HookHealth { rests_until: now.saturating_add(DAY), ..row.health }));
        self.rest_or_end(row, health, keys, Some(now), fate(None, Some(failure))).await
    }

    /// Returns why emails fail, for the operator.
    pub fn mail_goes_out(&self) -> Result<(), ServiceError> {
        let told = |failure: Failure| {
            let cause = format!("the mail server refuses messages: {}", failure.word());
            ServiceError::Internal(cause)
        };
        self.outbox.mail_failure().map(told).map_or(Ok(()), Err)
    }

    /// Drops these messages.
    pub(super) async fn drop_deliveries(&self, deliveries: Vec<DeliveryKey>) -> Result<(), ServiceError> {
        if deliveries.is_empty() {
            return Ok(());
        }
        let tried_at = Some(self.clock.now());
        let fate = Fate { outcome: Some(Outcome::Dropped), tried_at, ..Fate::default() };
        self.settle(deliveries, None, fate).await
    }

    async fn delivered(
        &self,
        row: &mut HookRow,
        delivery: &DeliveryRow,
        mut fate: Fate,
        answer: &HttpAnswer,
    ) -> Result<(), ServiceError> {
        if is_test(delivery) && row.state == HookState::Unproved {
            match proves(row, answer) {
                Some(true) => self.set_state(row, HookState::On, HookHealth::default()).await?,
                Some(false) => {
                    fate = Fate { outcome: Some(Outcome::Failed), failure: Some(Failure::NoEcho), ..fate };
                }
                None => {}
            }
        } else if row.health != HookHealth::default() {
            self.set_health(row, HookHealth::default()).await?;
        }
        self.settle(vec![delivery.key], None, fate).await
    }

    async fn failed(
        &self,
        row: &mut HookRow,
        delivery: &DeliveryRow,
        fate: Fate,
        answer: Option<HttpAnswer>,
    ) -> Result<(), ServiceError> {
        let now = self.clock.now();
        let given_up = Fate { outcome: Some(Outcome::Failed), ..fate };
        if is_test(delivery) {
            return self.settle(vec![delivery.key], None, given_up).await;
        }
        let status = fate.status.unwrap_or_default();
        let is_gone = status == 410 || (status == 404 && row.way == Way::Push);
        let wish = answer.and_then(|answer| answer.retry_after);
        let wish = wish.and_then(|wish| retry::wish(&wish, now));
        let health = (!is_gone).then(|| retry::after_failure(row.health, now, wish, delivery.at)).flatten();
        let is_unwanted = retry::is_about_the_message(status) && fate.tries >= retry::MOST_REFUSALS;
        let (due, fate) = if is_unwanted { (None, given_up) } else { (delivery.due, fate) };
        self.rest_or_end(row, health, vec![delivery.key], due, fate).await
    }

    /// After a failure, lets the hook rest and schedules the messages again, or turns the hook off.
    async fn rest_or_end(
        &self,
        row: &mut HookRow,
        health: Option<HookHealth>,
        deliveries: Vec<DeliveryKey>,
        due: Option<u64>,
        fate: Fate,
    ) -> Result<(), ServiceError> {
        if let Some(health) = health {
            self.set_health(row, health).await?;
            return self.settle(deliveries, due, fate).await;
        }
        self.settle(deliveries, None, Fate { outcome: Some(Outcome::Failed), ..fate }).await?;
        self.end(row).await
    }

    /// Turns a hook off that nothing reaches, and notifies its owner through other channels.
    async fn end(&self, row: &mut HookRow) -> Result<(), ServiceError> {
        self.set_state(row, HookState::Off, row.health).await?;
        let note = Note::webhook(row.id);
        self.feed.hub.note(row.player, &note);
        let now = self.clock.now();
        let place = format!("{}_{now}", row.id.simple());
        let name = Settings::read(&row.settings).name;
        let words = |lang| words::end(lang, &name);
        let letters = self.outbox.letters_of_note(row.player, &note, &place, None, now, words);
        self.post_letters(letters).await
    }

    /// Writes and schedules messages that come with no other change.
    pub(in crate::service) async fn post_letters(
        &self,
        mut letters: OutboxEntries,
    ) -> Result<(), ServiceError> {
        if !letters.is_empty() {
            self.store.write(Write::of(letters.take())).await?;
            self.outbox.send(&letters);
        }
        Ok(())
    }

    pub(super) async fn set_state(
        &self,
        row: &mut HookRow,
        state: HookState,
        health: HookHealth,
    ) -> Result<(), ServiceError> {
        let change = HookChange::SetState { hook: row.key, state, health };
        self.store.write(Write::of(Change::Hook(change))).await?;
        let changed = state != row.state;
        (row.state, row.health) = (state, health);
        if changed {
            self.outbox.note(row);
        }
        Ok(())
    }

    async fn set_health(&self, row: &mut HookRow, health: HookHealth) -> Result<(), ServiceError> {
        let change = HookChange::SetHealth { hook: row.key, health };
        self.store.write(Write::of(Change::Hook(change))).await?;
        row.health = health;
        Ok(())
    }

    pub(super) async fn settle(
        &self,
        deliveries: Vec<DeliveryKey>,
        due: Option<u64>,
        fate: Fate,
    ) -> Result<(), ServiceError> {
        let change = HookChange::Settle { deliveries, due, fate };
        Ok(self.store.write(Write::of(Change::Hook(change))).await?)
    }

    /// Returns the content of a delivery, if it is still worth sending.
    pub(super) async fn worth_telling(
        &self,
        row: &HookRow,
        delivery: &DeliveryRow,
    ) -> Result<Option<Item>, ServiceError> {
        let Some(item) = Item::read(&delivery.body).filter(|_| row.state != HookState::Off) else {
            return Ok(None);
        };
        let is_true = self.still_true(row, delivery, &item, self.clock.now()).await?;
        Ok(is_true.then_some(item))
    }

    /// Returns whether a late message still applies to this hook, and still matters.
    async fn still_true(
        &self,
        row: &HookRow,
        delivery: &DeliveryRow,
        item: &Item,
        now: u64,
    ) -> Result<bool, ServiceError> {
        let is_deadline = item.news() == Some(News::Deadline);
        let is_late = delivery.fate.tries > 0 || now.saturating_sub(delivery.at) > LATE;
        let game = item.game.as_deref().filter(|_| is_late || is_deadline);
        let Some(game) = game.and_then(|game| game.parse().ok()) else { return Ok(true) };
        // The receiver has no seat yet.
        if matches!(item.news(), Some(News::Invitation | News::Rematch)) {
            return Ok(true);
        }
        // A damaged game must not hide the others.
        let Some(locked) = self.games.unless_damaged(game, self.games.lock(game).await)? else {
            return Ok(false);
        };
        let live = locked.game()?;
        if live.seat_with(row.player).is_none() {
            let gave_way: Vec<String> = live.gave_way().map(str::to_owned).collect();
            let people = live.people.clone();
            drop(locked);
            for player in gave_way.iter().filter(|_| item.news() == Some(News::Seat)) {
                if self.games.key_of(&people, player).await? == Some(row.player) {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        Ok(match item.news() {
            Some(News::Deadline) => {
                let deadline = live.deadline(self.limits.reveal_ms).map(time);
                let waits_for = live.game.waits_for().map(Seat::number);
                waits_for == item.seat && deadline.as_deref() == item.data["deadline"].as_str()
            }
            Some(News::Turn) if row.way != Way::Standard => {
                live.game.waits_for().map(Seat::number) == item.seat
            }
            _ => true,
        })
    }
}

/// Returns whether a message is a test, which is sent once, at once, also in quiet hours.
pub(super) fn is_test(delivery: &DeliveryRow) -> bool {
    delivery.message.starts_with(TEST)
}

/// Returns whether the answer to a test confirms the hook. `None` if a person confirms it.
fn proves(row: &HookRow, answer: &HttpAnswer) -> Option<bool> {
    match row.way {
        Way::Standard => Some(contains(&answer.begins, challenge(row).as_bytes())),
        // Only a push service accepts such a message.
        Way::Push => Some(answer.status == 201),
        Way::Discord | Way::Slack | Way::Ntfy | Way::Mail => None,
    }
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
