//! The server's own players: who they are, and how they come to act.

use std::{
    collections::{HashSet, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;
use uuid::Uuid;

use crate::{
    engine::{Seat, hash::Bytes32},
    ledger::{
        entry::{Body, By, Holder, Join},
        replay::written,
    },
    rulesets::AnyCommand,
    service::{
        Service, ServiceError,
        game::{LiveGame, Locked, Player},
        thinkers::Thinkers,
    },
    store::{self, AccountChange, Change, Keeper as _, PlayerRow, Store, Write},
    words::{Level, Nature},
};

/// As many of each level as one table may need.
const NAMES: [(Level, [&str; 4]); 4] = [
    (Level::Easy, ["Moss", "Fern", "Clover", "Lichen"]),
    (Level::Middle, ["Hazel", "Rowan", "Alder", "Juniper"]),
    (Level::Hard, ["Otter", "Heron", "Badger", "Lynx"]),
    (Level::Hardest, ["Raven", "Wolf", "Orca", "Kestrel"]),
];
/// A machine has the same id on every server: this, with its level and its number at the end. It has the form of all ids,
/// `UUIDv7`, with the time at which machines began to play. In older databases they have others, and keep them.
const FIRST_ID: u128 = 0x0199_3cd4_7c00_7467_8572_0000_0000_0000;
/// How many games may wait for a machine to be looked at. Of more is only known that there are some.
const MOST_WAITING: usize = 10_000;
/// How many commands without a choice follow a decision in the same write.
const FORCED: usize = 8;

/// The machines that play here.
pub struct Machines(Vec<Player>);

impl Machines {
    /// All machines, of which those that are missing begin to play now.
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
            let new = store::NewPlayer {
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

    /// A machine of this level that does not sit at the game.
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

/// Games in which a machine is waited for, in the order in which they came to that.
#[derive(Default)]
pub struct Waiting {
    queue: Mutex<Queue>,
    came: Notify,
}

#[derive(Default)]
struct Queue {
    games: VecDeque<Uuid>,
    known: HashSet<Uuid>,
    /// Whether some are waiting that are not in the queue.
    more: bool,
}

impl Waiting {
    pub fn add(&self, game: Uuid) {
        let mut queue = self.queue();
        if queue.known.len() >= MOST_WAITING {
            queue.more = true;
        } else if queue.known.insert(game) {
            queue.games.push_back(game);
            self.came.notify_one();
        }
    }

    /// The game that waits longest, and how many others do.
    async fn next(&self) -> (Uuid, usize) {
        loop {
            if let Some(next) = self.take() {
                return next;
            }
            self.came.notified().await;
        }
    }

    fn take(&self) -> Option<(Uuid, usize)> {
        let mut queue = self.queue();
        let game = queue.games.pop_front()?;
        queue.known.remove(&game);
        Some((game, queue.games.len()))
    }

    pub fn count(&self) -> usize {
        self.queue().games.len()
    }

    /// Whether games must be looked for that found no place.
    fn has_more(&self) -> bool {
        let mut queue = self.queue();
        queue.games.is_empty() && std::mem::take(&mut queue.more)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which part of its games a machine imagines, when so many others wait.
fn part(waiting: usize) -> u32 {
    match waiting / Thinkers::count() {
        0..=2 => 1,
        3..=8 => 8,
        9..=24 => 32,
        _ => 128,
    }
}

/// A machine takes a seat.
pub fn seated(seat: u64, machine: &Player, level: Level) -> Body {
    let holder = Holder { bot: Some(level.word().to_owned()), ..Holder::person(machine.id.to_string()) };
    let commit: Option<Bytes32> = None;
    Body::Join(Join { seat, holder, commit })
}

impl Service {
    /// Looks for the games that wait for a machine: after a start, and when there were too many to be noted.
    pub async fn find_waiting(&self) -> Result<(), ServiceError> {
        for game in self.store.games_of_machines().await? {
            self.waiting.add(game);
        }
        Ok(())
    }

    /// Looks for games in which nothing has happened for a while: whoever should have let a machine act may be gone.
    pub(in crate::service) async fn adopt_machines(&self) -> Result<(), ServiceError> {
        for game in self.store.standing_games_of_machines().await? {
            self.waiting.add(game);
        }
        Ok(())
    }

    /// Waits for a game that waits for a machine, and lets the machine act. What fails is met again later.
    pub async fn let_machine_act(&self) -> Result<(), ServiceError> {
        if self.waiting.has_more() {
            self.find_waiting().await?;
        }
        let (game, others) = self.waiting.next().await;
        let acted = self.act_for_machine(game, part(others)).await;
        if acted.is_err() {
            self.waiting.add(game);
        }
        acted
    }

    async fn act_for_machine(&self, uuid: Uuid, part: u32) -> Result<(), ServiceError> {
        let locked = self.lock(uuid).await?;
        let live = locked.game()?;
        let Some((seat, level)) = machine_to_act(live) else { return Ok(()) };
        let Some(table) = &live.game.table else { return Ok(()) };
        let (seq, thought) = (live.game.seq(), table.thought(seat, self.fresh_number()?));
        drop(locked);
        let command = self.thinkers.think(move || thought.decide(level, part)).await?;
        let locked = self.act_if_due(self.lock(uuid).await?).await?;
        if locked.game()?.game.seq() != seq {
            // Somebody else did something meanwhile, and has noted whether the machine is still waited for.
            return Ok(());
        }
        let command =
            command.ok_or_else(|| ServiceError::Internal("a machine knows nothing to do".into()))?;
        self.play_for_machine(locked, seat, command).await
    }

    /// Plays what a machine has decided, and what it has to do then without a choice.
    async fn play_for_machine(
        &self,
        locked: Locked,
        seat: Seat,
        first: AnyCommand,
    ) -> Result<(), ServiceError> {
        let mut draft = self.draft(locked)?;
        let mut next = Some(first);
        for _ in 0..=FORCED {
            let Some(command) = next.take() else { break };
            draft.submit(&Body::cmd(seat.number().into(), By::Player, written(&command)?), &command)?;
            let still = machine_to_act(&draft.live).is_some_and(|(to_act, _)| to_act == seat);
            let table = draft.live.game.table.as_ref().filter(|_| still);
            next = table.map(|table| table.thought(seat, 0)).and_then(|thought| thought.forced());
        }
        draft = self.settled(draft).await?;
        self.commit(draft, None, |_| || ()).await.map(|_| ())
    }

    /// A number that nobody can guess.
    pub(super) fn fresh_number(&self) -> Result<u64, ServiceError> {
        let bytes = self.entropy.bytes()?;
        Ok(bytes.first_chunk().map_or(0, |chunk| u64::from_be_bytes(*chunk)))
    }
}

/// The machine that is waited for, if one is.
pub fn machine_to_act(live: &LiveGame) -> Option<(Seat, Level)> {
    let seat = live.game.waits_for()?;
    let level = live.sitting(seat)?.holder.bot.as_deref()?;
    Some((seat, Level::from_word(level)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_waits_once_and_no_more_are_noted_than_fit() {
        let waiting = Waiting::default();
        let game = |number: usize| Uuid::from_u128(number as u128);
        for number in 0..MOST_WAITING {
            waiting.add(game(number));
            waiting.add(game(0));
        }
        assert_eq!((waiting.count(), waiting.has_more()), (MOST_WAITING, false));
        waiting.add(game(MOST_WAITING));
        assert_eq!(waiting.count(), MOST_WAITING);
        let order: Vec<Uuid> = std::iter::from_fn(|| waiting.take().map(|(game, _)| game)).collect();
        assert!(order.into_iter().eq((0..MOST_WAITING).map(game)), "who came first is first");
        assert!(waiting.has_more(), "there are some that found no place");
        assert!(!waiting.has_more(), "and they are looked for once");
    }

    #[test]
    fn the_more_games_wait_the_less_is_imagined_of_each() {
        let parts: Vec<u32> = [0, 5, 20, 4_000].map(|waiting| part(waiting * Thinkers::count())).to_vec();
        assert!(parts.is_sorted() && parts[0] == 1 && parts[3] > parts[1], "{parts:?}");
    }

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
