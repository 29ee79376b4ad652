//! Management of subscriptions.

use uuid::Uuid;

use super::{
    item::Item,
    register::Subscriber,
    request::{HookChanges, NewHook},
    settings::Settings,
    view::{DeliveryView, HookView, NewHookView, TEST, challenge, code},
    words,
};
use crate::{
    engine::{Lang, Malformed, Text},
    service::{
        Notifier, ServiceError,
        cost::{self, Work},
        games::{Player, Session, access::seat_of},
        notify::outbox::OutboxEntries,
        ports::Unwanted,
        reading::page::{Page, Window},
    },
    store::{Change, Fate, GameKey, HookChange, HookHealth, HookKey, HookRow, Write},
    words::{HookState, Way},
};

/// Webhooks of a player, and of a game.
const MOST_OF_PLAYER: usize = 10;
const MOST_OF_GAME: usize = 6;
/// Time to confirm a hook, and to keep its deliveries.
const TO_PROVE: u64 = crate::service::DAY;
const KEPT: u64 = 7 * crate::service::DAY;

impl Notifier {
    /// Returns a game where the caller sits.
    async fn table_of(&self, game: Uuid, player: &Player) -> Result<GameKey, ServiceError> {
        let locked = self.games.visible(game, Some(player)).await?;
        let live = locked.game()?;
        seat_of(live, player)?;
        Ok(live.facts.key)
    }

    /// Returns the webhooks of the caller, or those of all players of a game where it sits.
    async fn hooks(&self, game: Option<GameKey>, player: &Player) -> Result<Vec<HookRow>, ServiceError> {
        let mut rows = match game {
            Some(game) => self.store.hooks_of_game(game).await?,
            None => self.store.hooks_of_player(player.key).await?,
        };
        rows.retain(|row| !matches!(row.way, Way::Mail | Way::Push));
        Ok(rows)
    }

    /// Returns a hook of the caller.
    async fn own_hook(&self, player: &Player, id: Uuid) -> Result<HookRow, ServiceError> {
        let hooks = self.hooks(None, player).await?;
        hooks.into_iter().find(|row| row.id == id).ok_or(ServiceError::NotFound)
    }

    fn shown_hook(&self, row: &HookRow, caller: &Player) -> HookView {
        HookView::of(row, &self.outbox.host(row), caller.key)
    }

    pub async fn webhooks(
        &self,
        game: Option<Uuid>,
        player: &Player,
        window: &Window,
    ) -> Result<Page<HookView>, ServiceError> {
        let game = match game {
            Some(game) => Some(self.table_of(game, player).await?),
            None => None,
        };
        let rows = self.hooks(game, player).await?;
        Page::of_few(rows, window, |row| row.id, |row| self.shown_hook(&row, player))
    }

    pub async fn webhook(&self, player: &Player, id: Uuid) -> Result<HookView, ServiceError> {
        Ok(self.shown_hook(&self.own_hook(player, id).await?, player))
    }

    pub async fn add_webhook(
        &self,
        session: &Session,
        new: NewHook,
        lang: Lang,
    ) -> Result<NewHookView, ServiceError> {
        let player = &session.player;
        let host = self.outbox.courier.accepts(&new.url).map_err(|reason| unwanted("url", reason))?;
        let mut settings = Settings::new(&host, lang);
        let (game, most) = match new.game {
            Some(game) => (Some(self.table_of(game, player).await?), MOST_OF_GAME),
            None => (None, MOST_OF_PLAYER),
        };
        let mut others = self.hooks(game, player).await?;
        others.retain(|row| row.game == game);
        if others.len() >= most {
            return Err(ServiceError::TooManyWebhooks(most));
        }
        settings.game = new.game.map(|game| game.to_string());
        settings.change(new.name.as_ref(), new.types, new.lang);
        settings.mentions = new.mentions.map_or_else(Vec::new, |mentions| mentions.0);
        let row = self.add_hook(session, game, (new.format, new.url), &settings, None).await?;
        Ok(NewHookView::of(&row, &host))
    }

    /// Adds a hook of a player in place of an earlier one, and sends it a test message that confirms it.
    /// Fails if the token has ended meanwhile: the owner could not remove the hook any more.
    pub(super) async fn add_hook(
        &self,
        session: &Session,
        game: Option<GameKey>,
        (way, target): (Way, String),
        settings: &Settings,
        before: Option<&HookRow>,
    ) -> Result<HookRow, ServiceError> {
        let row = HookRow {
            key: self.store.new_hook_key(),
            id: crate::id::fresh(),
            player: session.player.key,
            game,
            way,
            target,
            secret: self.entropy.bytes()?,
            settings: settings.write(),
            state: HookState::Unproved,
            health: HookHealth::default(),
            created_at: self.clock.now(),
        };
        let mut write = session.write();
        if let Some(before) = before {
            write = write.and(Change::Hook(HookChange::Remove { hook: before.key }));
        }
        let write = write.and(Change::Hook(HookChange::Add(Box::new(row.clone()))));
        match self.send_test(&row, write).await {
            // The token is this write's only precondition, so losing the race means a revoked token.
            Err(ServiceError::Overtaken) => return Err(ServiceError::BadToken),
            sent => sent?,
        };
        if let Some(before) = before {
            self.outbox.register.forget(before);
        }
        Ok(row)
    }

    /// Stores the settings of a hook.
    pub(super) async fn keep_settings(
        &self,
        row: &mut HookRow,
        settings: &Settings,
    ) -> Result<(), ServiceError> {
        let settings = settings.write();
        if settings == row.settings {
            return Ok(());
        }
        row.settings.clone_from(&settings);
        let change = HookChange::SetSettings { hook: row.key, settings };
        self.store.write(Write::of(Change::Hook(change))).await?;
        self.outbox.note(row);
        Ok(())
    }

    pub async fn change_webhook(
        &self,
        player: &Player,
        id: Uuid,
        changes: HookChanges,
    ) -> Result<HookView, ServiceError> {
        let mut row = self.own_hook(player, id).await?;
        if let Some(typed) = &changes.code {
            if typed.trim().to_lowercase() != code(&row) || row.way == Way::Standard {
                return Err(ServiceError::WrongCode);
            }
            self.set_state(&mut row, HookState::On, HookHealth::default()).await?;
        }
        if let Some(state) = changes.state {
            if row.state == HookState::Unproved {
                return Err(ServiceError::NotProved);
            }
            self.set_state(&mut row, state, HookHealth::default()).await?;
        }
        let mut settings = Settings::read(&row.settings);
        settings.change(changes.name.as_ref(), changes.types, changes.lang);
        if let Some(mentions) = changes.mentions {
            settings.mentions = mentions.0;
        }
        self.keep_settings(&mut row, &settings).await?;
        Ok(self.shown_hook(&row, player))
    }

    pub async fn remove_webhook(&self, player: &Player, id: Uuid) -> Result<(), ServiceError> {
        let row = self.own_hook(player, id).await?;
        self.remove_hook(&row).await
    }

    pub(super) async fn remove_hook(&self, row: &HookRow) -> Result<(), ServiceError> {
        let change = HookChange::Remove { hook: row.key };
        self.store.write(Write::of(Change::Hook(change))).await?;
        self.outbox.register.forget(row);
        Ok(())
    }

    /// Sends a test message, which confirms a hook or shows that it works.
    pub async fn test_webhook(&self, player: &Player, id: Uuid) -> Result<DeliveryView, ServiceError> {
        let row = self.own_hook(player, id).await?;
        let message = self.send_test(&row, Write::default()).await?;
        self.shown_delivery(row.key, &message).await
    }

    /// Sends a test message after this write, and returns the id of the message.
    pub(super) async fn send_test(&self, row: &HookRow, write: Write) -> Result<String, ServiceError> {
        let now = self.clock.now();
        let brief = Subscriber::of(row, self.outbox.host(row));
        let data = serde_json::json!({"webhook": row.id.to_string(), "challenge": challenge(row)});
        let text = match row.way {
            Way::Push => words::welcome(brief.lang),
            _ => words::test(brief.lang, &code(row)),
        };
        let (kind, title) = ("test".to_owned(), "playledger".to_owned());
        let item = Item { kind, game: None, seat: None, title, text, data, picture: None };
        let message = format!("{TEST}{}", crate::id::fresh().simple());
        let mut letters = OutboxEntries::default();
        letters.add(&brief, message.clone(), &item, now, now);
        cost::charge(Work::Commit { entries: 1 });
        self.store.write(write.and(letters.take())).await?;
        self.outbox.send(&letters);
        Ok(message)
    }

    pub(super) async fn shown_delivery(
        &self,
        hook: HookKey,
        message: &str,
    ) -> Result<DeliveryView, ServiceError> {
        let found = self.store.delivery(hook, message).await?;
        found.and_then(DeliveryView::of).ok_or(ServiceError::NotFound)
    }

    /// Returns the deliveries of a hook, newest first.
    pub async fn deliveries(
        &self,
        player: &Player,
        id: Uuid,
        window: &Window,
    ) -> Result<Page<DeliveryView>, ServiceError> {
        let row = self.own_hook(player, id).await?;
        let before = match &window.cursor {
            Some(message) => {
                Some(self.store.delivery(row.key, message).await?.ok_or(ServiceError::NoCursor)?.key)
            }
            None => None,
        };
        let rows = self.store.deliveries(row.key, before, window.limit + 1).await?;
        cost::charge(Work::Read { entries: rows.len() as u64 });
        Ok(Page::of(rows, window.limit, |row| row.message.clone(), DeliveryView::of))
    }

    /// Sends a delivery again.
    pub async fn deliver_again(
        &self,
        player: &Player,
        id: Uuid,
        message: &str,
    ) -> Result<DeliveryView, ServiceError> {
        let mut row = self.own_hook(player, id).await?;
        if row.state != HookState::On {
            return Err(ServiceError::NotProved);
        }
        let delivery = self.store.delivery(row.key, message).await?.ok_or(ServiceError::NotFound)?;
        let now = self.clock.now();
        // The owner asks, so the hook does not rest any longer.
        let rested = HookHealth { rests_until: 0, ..row.health };
        self.set_state(&mut row, HookState::On, rested).await?;
        let settle =
            HookChange::Settle { deliveries: vec![delivery.key], due: Some(now), fate: Fate::default() };
        self.store.write(Write::of(Change::Hook(settle))).await?;
        self.outbox.send_at(&row, now);
        self.shown_delivery(row.key, message).await
    }

    /// Deletes old deliveries, and hooks that were never confirmed.
    pub async fn forget_deliveries(&self) -> Result<(), ServiceError> {
        let now = self.clock.now();
        let (before, unproved_before) = (now.saturating_sub(KEPT), now.saturating_sub(TO_PROVE));
        Ok(self.store.forget_deliveries(before, unproved_before).await?)
    }
}

/// Returns the refusal of an address in a field.
pub fn unwanted(field: &'static str, reason: Unwanted) -> ServiceError {
    let problem = match reason {
        Unwanted::Form => Text::new(
            "must be an address such as https://ntfy.sh/my-games, of at most 2,000 characters, without a user name or password",
            "dev'essere un indirizzo come https://ntfy.sh/my-games, di al massimo 2.000 caratteri, senza nome utente né password",
        ),
        Unwanted::Place => Text::new(
            "must be a public https address on port 443, unless the operator of this server allows more",
            "dev'essere un indirizzo https pubblico sulla porta 443, salvo che il gestore di questo server ammetta altro",
        ),
    };
    Malformed::new(field, problem).into()
}
