//! Private notes and messages at a table. Neither is part of the log.

use std::sync::Arc;

use serde::Serialize;
use uuid::Uuid;

use crate::{
    engine::{Fields, Malformed, Seat, Seats, Text},
    service::{
        Base, ServiceError,
        cost::{self, Work},
        feed::{Feed, Note, Said},
        games::{Games, Player, access::seat_of},
        notify::{About, Notifier, OutboxEntries},
        ports::Clock,
        reading::{game_view::SeatedPlayer, page::Page, time},
        request::{Field, request},
    },
    store::{Change, GameKey, HeardRow, Hearing, MessageRow, NoteRow, PlayerKey, Store, TalkChange, Write},
};

const LONGEST_NOTE: usize = 4_000;
const LONGEST_MESSAGE: usize = 500;
/// Messages of a game.
const MOST_MESSAGES: u32 = 2_000;

request! {
    pub struct NewNote {
        /// Text, at most 4,000 characters. An empty text deletes the note.
        #[schema(value_type = String, max_length = 4_000)]
        pub text: Writing<0, LONGEST_NOTE>,
    }
}

request! {
    pub struct NewMessage {
        /// Text, 1 to 500 characters.
        #[schema(value_type = String, min_length = 1, max_length = 500)]
        pub text: Writing<1, LONGEST_MESSAGE>,
    }
}

/// A text of several lines, with a bounded length.
pub struct Writing<const LEAST: usize, const MOST: usize>(pub String);

impl<const LEAST: usize, const MOST: usize> Field for Writing<LEAST, MOST> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let text = fields.text(name)?.trim();
        if !(LEAST..=MOST).contains(&text.chars().count()) {
            let en = format!("must have {LEAST} to {MOST} characters after trimming");
            let it =
                format!("deve avere da {LEAST} a {MOST} caratteri, senza contare gli spazi alle estremità");
            return Err(fields.wrong(name, Text::new(en, it)));
        }
        if text.chars().any(|sign| sign.is_control() && !matches!(sign, '\n' | '\t')) {
            let en = "must not contain control characters other than line breaks and tabs";
            let it = "non può avere caratteri di controllo, salvo a capo e tabulazioni";
            return Err(fields.wrong(name, Text::new(en, it)));
        }
        Ok(Self(text.to_owned()))
    }
}

/// The caller's private note about a game.
#[derive(Serialize)]
#[wire]
#[schema(as = Note)]
pub struct NoteView {
    pub text: String,
    /// Newest entry when the note was written. `null` if there is no note.
    pub seq: Option<u64>,
    #[schema(format = DateTime)]
    pub at: Option<String>,
}

/// A chat message.
#[derive(Serialize)]
#[wire]
#[schema(as = Message)]
pub struct MessageView {
    pub id: i64,
    pub seat: Seat,
    pub player: SeatedPlayer,
    pub text: String,
    #[schema(format = DateTime)]
    pub at: String,
}

/// Seats that the caller has muted.
#[derive(Serialize)]
#[wire]
pub struct Mutes {
    #[schema(max_items = 4)]
    pub seats: Vec<Seat>,
}

/// A player at a game.
struct TalkMember {
    game: GameKey,
    seat: Seat,
    seq: u64,
    /// The other players, with their seats.
    others: Vec<(Seat, PlayerKey)>,
    seats: Seats,
    about: About,
}

/// Private notes, and messages between the players of a game.
pub struct Talk {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    games: Arc<Games>,
    feed: Arc<Feed>,
    notifier: Arc<Notifier>,
}

impl Talk {
    pub fn new(base: &Base, games: &Arc<Games>, feed: &Arc<Feed>, notifier: &Arc<Notifier>) -> Self {
        Self {
            store: Arc::clone(&base.store),
            clock: Arc::clone(&base.clock),
            games: Arc::clone(games),
            feed: Arc::clone(feed),
            notifier: Arc::clone(notifier),
        }
    }

    /// Returns the place of a player. Only players of the game may write and read.
    async fn place(&self, uuid: Uuid, player: &Player) -> Result<TalkMember, ServiceError> {
        let locked = self.games.visible(uuid, Some(player)).await?;
        let live = locked.game()?;
        let seat = seat_of(live, player)?;
        let seats = live.game.setting.seats;
        let others = seats.iter().filter(|other| *other != seat);
        let others = others.filter_map(|other| Some((other, live.player_at(other)?))).collect();
        Ok(TalkMember {
            game: live.facts.key,
            seat,
            seq: live.game.seq(),
            others,
            seats,
            about: About::of(live),
        })
    }

    pub async fn note(&self, uuid: Uuid, player: &Player) -> Result<NoteView, ServiceError> {
        let place = self.place(uuid, player).await?;
        Ok(NoteView::of(self.store.note(place.game, player.key).await?))
    }

    pub async fn set_note(
        &self,
        uuid: Uuid,
        player: &Player,
        new: NewNote,
    ) -> Result<NoteView, ServiceError> {
        let place = self.place(uuid, player).await?;
        let note = NoteRow { text: new.text.0, seq: place.seq, at: self.clock.now() };
        let shown = NoteView::of((!note.text.is_empty()).then(|| note.clone()));
        let change = TalkChange::SetNote { game: place.game, player: player.key, note };
        cost::charge(Work::Commit { entries: 1 });
        self.store.write(Write::of(Change::Talk(change))).await?;
        Ok(shown)
    }

    /// Returns the messages after `after`, without those of muted players.
    pub async fn messages(
        &self,
        uuid: Uuid,
        player: &Player,
        after: i64,
        limit: u32,
    ) -> Result<Page<MessageView>, ServiceError> {
        let place = self.place(uuid, player).await?;
        let hearing = Hearing { game: place.game, listener: player.key };
        let found = self.store.messages(hearing, after, limit + 1).await?;
        cost::charge(Work::Read { entries: found.len() as u64 });
        Ok(Page::of(found, limit, |heard| heard.message.id.to_string(), |heard| place.message(heard)))
    }

    /// Returns one message, unless its player is muted.
    pub async fn message(&self, uuid: Uuid, player: &Player, id: i64) -> Result<MessageView, ServiceError> {
        let page = self.messages(uuid, player, id.saturating_sub(1), 1).await?;
        page.items.into_iter().find(|message| message.id == id).ok_or(ServiceError::NotFound)
    }

    pub async fn say(
        &self,
        uuid: Uuid,
        player: &Player,
        new: NewMessage,
    ) -> Result<MessageView, ServiceError> {
        let place = self.place(uuid, player).await?;
        if self.store.count_messages(place.game, MOST_MESSAGES).await? >= MOST_MESSAGES {
            return Err(ServiceError::TooManyMessages(MOST_MESSAGES));
        }
        let mutes = self.store.mutes(place.game).await?;
        // The lock keeps ids in the order of commits, so a reader of one id has read all earlier ones.
        let _order = self.games.lock(uuid).await?;
        let (id, at) = (self.store.new_message_id(), self.clock.now());
        let row = MessageRow { id, seat: place.seat.number(), player: player.key, text: new.text.0, at };
        let change = TalkChange::AddMessage { game: place.game, message: row.clone() };
        let blockers = self.store.blockers(player.key).await?;
        let hears = |(_, other): &&(Seat, PlayerKey)| {
            !mutes.contains(&(*other, player.key)) && !blockers.contains(other)
        };
        let listeners: Vec<_> = place.others.iter().filter(hears).collect();
        let note = Note::message(uuid, id, place.seat);
        let said = format!("{}: {}", player.name.as_deref().unwrap_or_default(), row.text);
        let mut letters = OutboxEntries::default();
        for (_, other) in &listeners {
            let message = format!("{}_m{id}", uuid.simple());
            letters.join(self.notifier.outbox.letters_of_note(
                *other,
                &note,
                &message,
                Some(&place.about),
                at,
                |_| said.clone(),
            ));
        }
        cost::charge(Work::Commit { entries: 1 });
        self.store.write(Write::of(Change::Talk(change)).and(letters.take())).await?;
        self.notifier.outbox.send(&letters);
        let speaker = SeatedPlayer::new(
            player.id.to_string(),
            player.name.as_deref().map(str::to_owned),
            player.nature,
        );
        let message = MessageView { id, seat: place.seat, player: speaker, text: row.text, at: time(at) };
        for (_, other) in &listeners {
            self.feed.hub.note(*other, &note);
        }
        let heard_by = listeners.iter().map(|(_, other)| *other).chain([player.key]).collect();
        let text =
            serde_json::to_string(&message).map_err(|error| ServiceError::Internal(error.to_string()))?;
        self.feed.hub.say(uuid, Said { text, heard_by });
        Ok(message)
    }

    pub async fn mutes(&self, uuid: Uuid, player: &Player) -> Result<Mutes, ServiceError> {
        let place = self.place(uuid, player).await?;
        let mutes = self.store.mutes(place.game).await?;
        let is_muted = |(_, other): &&(Seat, PlayerKey)| mutes.contains(&(player.key, *other));
        Ok(Mutes { seats: place.others.iter().filter(is_muted).map(|(seat, _)| *seat).collect() })
    }

    /// Mutes another seat, or ends that.
    pub async fn mute(
        &self,
        uuid: Uuid,
        player: &Player,
        seat: u64,
        is_muted: bool,
    ) -> Result<Mutes, ServiceError> {
        let place = self.place(uuid, player).await?;
        let other = place.others.iter().find(|(other, _)| u64::from(other.number()) == seat);
        let (_, muted) = *other.ok_or(ServiceError::NobodyThere)?;
        let change = TalkChange::Mute { game: place.game, player: player.key, muted, is_muted };
        cost::charge(Work::Commit { entries: 1 });
        self.store.write(Write::of(Change::Talk(change))).await?;
        self.mutes(uuid, player).await
    }
}

impl TalkMember {
    /// Returns a message with its author, even after a change of the seat.
    fn message(&self, heard: HeardRow) -> Option<MessageView> {
        let MessageRow { id, seat, text, at, .. } = heard.message;
        let player = SeatedPlayer::new(heard.speaker.to_string(), heard.name, heard.nature);
        Some(MessageView { id, seat: self.seats.seat(seat.into())?, player, text, at: time(at) })
    }
}

impl NoteView {
    fn of(note: Option<NoteRow>) -> Self {
        match note {
            None => Self { text: String::new(), seq: None, at: None },
            Some(NoteRow { text, seq, at }) => Self { text, seq: Some(seq), at: Some(time(at)) },
        }
    }
}
