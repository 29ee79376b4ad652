//! Those who sit at a game, or sat there while it was in memory: by which names they are called.

use std::sync::Arc;

use super::Player;
use crate::{
    engine::{Lang, Seat, Voice},
    ledger::game::Game,
    store::{PlayerKey, SeatRow},
    words::Nature,
};

/// Cheap to hand on. Whoever renames somebody makes a list of its own.
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

    /// Makes a player known who is about to sit down.
    pub fn introduce(&mut self, player: &Player) {
        if self.key_of(&player.id).is_none() {
            let Player { key, id, name, nature, .. } = player.clone();
            Arc::make_mut(&mut self.0).push(Person { id, key, name, nature });
        }
    }

    /// Calls a player as it is called now, if it is known here.
    pub fn rename(&mut self, player: &Player) {
        if self.0.iter().any(|person| person.key == player.key && person.name != player.name) {
            let renamed = Arc::make_mut(&mut self.0).iter_mut().filter(|person| person.key == player.key);
            renamed.for_each(|person| person.name.clone_from(&player.name));
        }
    }

    /// The person with this id.
    pub fn person(&self, id: &str) -> Option<&Person> {
        self.0.iter().find(|person| *person.id == *id)
    }

    pub fn key_of(&self, id: &str) -> Option<PlayerKey> {
        self.person(id).map(|person| person.key)
    }

    pub fn name_of(&self, id: &str) -> Option<&str> {
        self.person(id)?.name.as_deref()
    }

    /// All names, for those who must know when one changes.
    pub fn names(&self) -> impl Iterator<Item = Option<&str>> {
        self.0.iter().map(|person| person.name.as_deref())
    }

    /// The language that a game is told in, with the names of those who sit there.
    pub fn voice(&self, lang: Lang, game: &Game) -> Voice {
        let name = |seat: Seat| self.name_of(&game.sitting(seat)?.holder.player).map(str::to_owned);
        Voice::new(lang, game.setting.seats, name)
    }
}
