//! The bots of the server: accounts of no person, a few for each level.

use uuid::Uuid;

use crate::{
    engine::Seat,
    ledger::entry::{Body, Holder, Join},
    service::{
        ServiceError,
        games::{LiveGame, Player},
    },
    store::{self, AccountChange, Change, PlayerKey, PlayerRow, Store, Write},
    words::{Level, Nature},
};

/// As many bots of each level as a table has seats.
const NAMES: [(Level, [&str; 4]); 4] = [
    (Level::Easy, ["Moss", "Fern", "Clover", "Lichen"]),
    (Level::Middle, ["Hazel", "Rowan", "Alder", "Juniper"]),
    (Level::Hard, ["Otter", "Heron", "Badger", "Lynx"]),
    (Level::Hardest, ["Raven", "Wolf", "Orca", "Kestrel"]),
];
/// The id of the first bot. A bot has the same id on every server: this `UUIDv7` with its level and number at
/// the end.
const FIRST_ID: u128 = 0x0199_3cd4_7c00_7467_8572_0000_0000_0000;
/// The bots of the server.
pub struct HouseBots(Vec<Player>);

impl HouseBots {
    /// Loads the bots, and creates missing ones.
    pub async fn gather(store: &Store, now: u64) -> Result<Self, ServiceError> {
        let mut known = store.machines().await?;
        let mut write = Write::default();
        for (uuid, level, name) in all() {
            let is_it =
                |row: &PlayerRow| row.nature == Nature::Machine(level) && row.name.as_deref() == Some(name);
            if known.iter().any(is_it) {
                continue;
            }
            let (key, name) = (store.new_player_key(), name.to_owned());
            let new = store::NewPlayerRow {
                key,
                uuid,
                name: name.clone(),
                recovery: None,
                level: Some(level),
                created_at: now,
            };
            write = write.and(Change::Account(AccountChange::AddPlayer(new)));
            known.push(PlayerRow {
                key,
                uuid,
                name: Some(name),
                created_at: now,
                nature: Nature::Machine(level),
            });
        }
        if !write.is_empty() {
            store.write(write).await?;
        }
        Ok(Self(known.into_iter().map(Player::from).collect()))
    }

    /// Returns the first bot, under whom the answers to callers without a token are kept: each row needs a
    /// player.
    pub fn first(&self) -> Result<PlayerKey, ServiceError> {
        let first = self.0.first().map(|player| player.key);
        first.ok_or_else(|| ServiceError::Internal("there is no bot of the server".into()))
    }

    /// Returns a bot of this level without a seat in the game.
    pub fn free(&self, level: Level, live: &LiveGame) -> Option<&Player> {
        let is_free =
            |player: &&Player| player.nature == Nature::Machine(level) && live.seat_of(player).is_none();
        self.0.iter().find(is_free)
    }
}

fn all() -> impl Iterator<Item = (Uuid, Level, &'static str)> {
    let of_level = |(place, (level, names)): (u128, (Level, [&'static str; 4]))| {
        let id = move |number: u128| Uuid::from_u128(FIRST_ID + place * 16 + number);
        (0..).zip(names).map(move |(number, name)| (id(number), level, name))
    };
    (1..).zip(NAMES).flat_map(of_level)
}

/// Returns the entry by which a bot takes a seat.
pub fn seated(seat: u64, machine: &Player, level: Level) -> Body {
    let holder = Holder { bot: Some(level.word().to_owned()), ..Holder::person(machine.id.to_string()) };
    Body::Join(Join { seat, holder, commit: None, signed: None })
}

/// Returns the bot to act, if there is one.
pub fn bot_to_act(live: &LiveGame) -> Option<(Seat, Level)> {
    let seat = live.game.waits_for()?;
    let level = live.sitting(seat)?.holder.bot.as_deref()?;
    Some((seat, Level::from_word(level)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_machine_for_each_seat_of_a_table() {
        let all: Vec<(Uuid, Level, &str)> = all().collect();
        for level in Level::ALL {
            assert_eq!(all.iter().filter(|(_, of, _)| of == level).count(), 4);
        }
        assert!((0..all.len()).all(|one| !all[..one].iter().any(|(id, ..)| *id == all[one].0)));
        assert!(all.iter().all(|(id, ..)| id.get_version_num() == 7));
    }
}
