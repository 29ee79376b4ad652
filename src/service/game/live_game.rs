//! A game in memory, and what the lobby knows of it beside its log.

use std::sync::Arc;

use super::{Player, StoredEntry};
use crate::{
    engine::{Seat, Viewer, hash::Bytes32},
    ledger::{
        entry::Body,
        game::{Dealer, Game},
        receipt::Receipt,
        seed::ServerSeed,
        standing::Sitting,
    },
    service::ServiceError,
    store::{GameFacts, Newest, Opening, PlayerKey},
    words::Status,
};

pub struct LiveGame {
    pub facts: GameFacts,
    pub game: Game,
    people: Vec<Person>,
    /// The deadline that its row has.
    pub noted_deadline: Option<u64>,
}

/// Somebody who sits there, or sat there while it was in memory.
struct Person {
    id: Arc<str>,
    key: PlayerKey,
    name: Option<Arc<str>>,
}

/// The place of an entry in the chain, for its receipt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    pub seq: u64,
    pub head: Bytes32,
}

impl LiveGame {
    pub const fn new(facts: GameFacts, game: Game) -> Self {
        Self { facts, game, people: Vec::new(), noted_deadline: None }
    }

    /// Rebuilds a game from what is stored.
    pub fn load(opening: Opening) -> Result<Self, ServiceError> {
        let Opening { facts, deadline, seats, entries } = opening;
        let dealer = Dealer::Seed(ServerSeed::new(facts.server_seed));
        let mut game = None;
        for stored in &entries {
            follow(&mut game, &StoredEntry::read(stored)?, &dealer)?;
        }
        let game = game.ok_or_else(|| ServiceError::Internal("a stored log is empty".into()))?;
        let people = seats.into_iter().map(|seat| Person {
            id: seat.player_uuid.to_string().into(),
            key: seat.player,
            name: seat.player_name.map(Into::into),
        });
        Ok(Self { facts, game, people: people.collect(), noted_deadline: deadline })
    }

    /// Makes a player known who is about to sit down.
    pub fn introduce(&mut self, player: &Player) {
        if self.key_of(&player.id).is_none() {
            let Player { key, id, name, .. } = player.clone();
            self.people.push(Person { id, key, name });
        }
    }

    fn person(&self, id: &str) -> Option<&Person> {
        self.people.iter().find(|person| *person.id == *id)
    }

    pub fn key_of(&self, id: &str) -> Option<PlayerKey> {
        self.person(id).map(|person| person.key)
    }

    pub fn name_of(&self, id: &str) -> Option<&str> {
        self.person(id)?.name.as_deref()
    }

    /// Calls a player as it is called now, if it is known here.
    pub fn rename(&mut self, player: &Player) {
        for person in self.people.iter_mut().filter(|person| person.key == player.key) {
            person.name.clone_from(&player.name);
        }
    }

    pub fn seat_of(&self, player: &Player) -> Option<Seat> {
        self.game.seat_of(&player.id)
    }

    pub fn sitting(&self, seat: Seat) -> Option<&Sitting> {
        self.game.sitting(seat)
    }

    pub fn viewer(&self, player: Option<&Player>) -> Viewer {
        player.map_or(Viewer::Spectator, |player| self.game.viewer(&player.id))
    }

    pub fn newest(&self) -> Newest {
        Newest { seq: self.game.seq(), head: *self.game.chain.head() }
    }

    /// The receipt for an entry. Signed, it leaves the service only after the entry is durable.
    pub fn receipt(&self, placed: Placed) -> Receipt {
        Receipt { game: self.facts.uuid.to_string(), seq: placed.seq, head: placed.head }
    }

    pub fn deadline(&self, reveal_ms: u64) -> Option<u64> {
        deadline(&self.game, self.facts.move_seconds, reveal_ms)
    }
}

/// When the server must act by itself: void a game whose promises are not kept, or decide for the seat that must.
pub fn deadline(game: &Game, move_seconds: Option<u32>, reveal_ms: u64) -> Option<u64> {
    match game.status() {
        Status::Sealed => game.times.sealed.map(|sealed| sealed.saturating_add(reveal_ms)),
        Status::Running => {
            let seconds = u64::from(move_seconds?);
            game.turn().since.map(|since| since.saturating_add(seconds * 1_000))
        }
        Status::Open | Status::Finished | Status::Void => None,
    }
}

/// Takes the next entry of a stored log in; the first one opens the game.
pub fn follow(game: &mut Option<Game>, stored: &StoredEntry, dealer: &Dealer) -> Result<(), ServiceError> {
    let StoredEntry { entry, head } = stored;
    let game = match (game, &entry.body) {
        (Some(game), _) => game,
        (none, Body::Genesis(genesis)) => none.insert(Game::open(genesis, dealer.clone())?),
        (None, _) => return Err(ServiceError::Internal("a stored log has no genesis".into())),
    };
    Ok(game.follow(entry, *head)?)
}
