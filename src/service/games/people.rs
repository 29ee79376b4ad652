//! The names of the players of a game in memory, present and past.

use std::sync::Arc;

use super::Player;
use crate::{
    engine::{Lang, Seat, Voice},
    ledger::game::Game,
    store::{PlayerKey, SeatRow},
    words::Nature,
};

/// Cheap to clone. A rename copies the list.
#[derive(Clone, Default)]
pub struct People(Arc<Vec<Person>>);

#[derive(Clone)]
pub struct Person {
    pub id: Arc<str>,
    pub key: PlayerKey,
    pub name: Option<Arc<str>>,
    pub nature: Nature,
}

impl People {
    pub fn of(seats: Vec<SeatRow>) -> Self {
        let people = seats.into_iter().map(|seat| Person {
            id: seat.player_uuid.to_string().into(),
            key: seat.player,
            name: seat.player_name.map(Into::into),
            nature: seat.nature,
        });
        Self(Arc::new(people.collect()))
    }

    /// Adds a player who is about to join.
    pub fn introduce(&mut self, player: &Player) {
        if self.key_of(&player.id).is_none() {
            let Player { key, id, name, nature, .. } = player.clone();
            Arc::make_mut(&mut self.0).push(Person { id, key, name, nature });
        }
    }

    /// Updates the name of a player in the list.
    pub fn rename(&mut self, player: &Player) {
        if self.0.iter().any(|person| person.key == player.key && person.name != player.name) {
            let renamed = Arc::make_mut(&mut self.0).iter_mut().filter(|person| person.key == player.key);
            renamed.for_each(|person| person.name.clone_from(&player.name));
        }
    }

    pub fn person(&self, id: &str) -> Option<&Person> {
        self.0.iter().find(|person| *person.id == *id)
    }

    pub fn key_of(&self, id: &str) -> Option<PlayerKey> {
        self.person(id).map(|person| person.key)
    }

    /// Returns the id of a player.
    pub fn id_of(&self, key: PlayerKey) -> Option<&str> {
        self.0.iter().find(|person| person.key == key).map(|person| &*person.id)
    }

    pub fn name_of(&self, id: &str) -> Option<&str> {
        self.person(id)?.name.as_deref()
    }

    /// Returns all names. A cached text depends on them.
    pub fn names(&self) -> impl Iterator<Item = Option<&str>> {
        self.0.iter().map(|person| person.name.as_deref())
    }

    /// Returns the localizer for a game, with the names of its players.
    pub fn voice(&self, lang: Lang, game: &Game) -> Voice {
        let name = |seat: Seat| self.name_of(&game.sitting(seat)?.holder.player).map(str::to_owned);
        Voice::new(lang, game.setting.seats, name)
    }
}
