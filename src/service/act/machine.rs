//! The server's own players: who they are, and how they come to act.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::{sync::Notify, time::timeout_at};
use uuid::Uuid;

use crate::{
    engine::Seat,
    ledger::{
        entry::{Body, By, Holder, Join},
        replay::written,
    },
    rulesets::AnyCommand,
    service::{
        Service, ServiceError,
        bot_pool::{BotPool, Lane},
        fair_queue::{FairQueue, Turn},
        game::{LiveGame, Player},
    },
    store::{self, AccountChange, Change, Keeper as _, PlayerKey, PlayerRow, Store, Write},
    words::{Level, Nature},
};

/// As many of each level as one table may need.
const NAMES: [(Level, [&str; 4]); 4] = [
    (Level::Easy, ["Moss", "Fern", "Clover", "Lichen"]),
    (Level::Middle, ["Hazel", "Rowan", "Alder", "Juniper"]),
    (Level::Hard, ["Otter", "Heron", "Badger", "Lynx"]),
    (Level::Hardest, ["Raven", "Wolf", "Orca", "Kestrel"]),
];
/// A machine has the same id on every server: this, with its level and its number at the end. It has the form
/// of all ids, `UUIDv7`, with the time at which machines began to play. In older databases they have others,
/// and keep them.
const FIRST_ID: u128 = 0x0199_3cd4_7c00_7467_8572_0000_0000_0000;
/// How many games may wait for a machine to be looked at. Of more is only known that there are some.
const MOST_WAITING: usize = 10_000;

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

    /// Returns the first bot, under whom the answers to callers without a token are kept: each row needs a
    /// player.
    pub fn first(&self) -> Result<PlayerKey, ServiceError> {
        let first = self.0.first().map(|player| player.key);
        first.ok_or_else(|| ServiceError::Internal("there is no bot of the server".into()))
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

/// Games in which a bot must act. The players who created them take turns.
#[derive(Default)]
pub struct Waiting {
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Default)]
struct Queue {
    games: FairQueue<PlayerKey, Uuid>,
    known: HashSet<Uuid>,
    /// Whether there are games that found no place in the queue.
    more: bool,
}

impl Waiting {
    pub fn add(&self, game: Uuid, creator: PlayerKey) {
        let mut queue = self.queue();
        if queue.known.len() >= MOST_WAITING {
            queue.more = true;
        } else if queue.known.insert(game) {
            queue.games.push(creator, game);
            self.changed.notify_one();
        }
    }

    /// Waits for the next game. Its creator gets no other turn before [`done`](Self::done).
    async fn next(&self) -> Turn<PlayerKey, Uuid> {
        loop {
            let changed = self.changed.notified();
            let ready = match self.take() {
                Ok(turn) => return turn,
                Err(ready) => ready,
            };
            match ready {
                Some(ready) => drop(timeout_at(ready.into(), changed).await),
                None => changed.await,
            }
        }
    }

    /// Takes the next game, or returns when one will be ready.
    fn take(&self) -> Result<Turn<PlayerKey, Uuid>, Option<Instant>> {
        let (mut queue, now) = (self.queue(), Instant::now());
        let Some(turn) = queue.games.take(now) else { return Err(queue.games.next_ready(now)) };
        queue.known.remove(&turn.item);
        Ok(turn)
    }

    /// Ends a turn, after which the creator rests for as long as the decision asks.
    fn done(&self, creator: PlayerKey, rest: Duration) {
        self.queue().games.done(creator, Instant::now() + rest);
        self.changed.notify_one();
    }

    pub fn count(&self) -> usize {
        self.queue().games.len()
    }

    /// Returns whether games that found no place must be looked for.
    fn has_more(&self) -> bool {
        let mut queue = self.queue();
        queue.games.len() == 0 && std::mem::take(&mut queue.more)
    }

    /// Notes that they could not be looked for.
    fn look_again(&self) {
        self.queue().more = true;
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the turn of a creator when it is dropped, also after a panic.
struct TurnGuard<'w> {
    waiting: &'w Waiting,
    creator: PlayerKey,
    rest: Duration,
}

impl Drop for TurnGuard<'_> {
    fn drop(&mut self) {
        self.waiting.done(self.creator, self.rest);
    }
}

/// Returns the part of its games that a bot imagines when this many of them wait, or this many other players.
fn part(waiting: usize) -> u32 {
    match waiting / BotPool::threads() {
        0..=2 => 1,
        3..=8 => 8,
        9..=24 => 32,
        _ => 128,
    }
}

/// A decision of a bot that is written at a time of its own.
pub struct Decided {
    pub game: Uuid,
    creator: PlayerKey,
    seq: u64,
    seat: Seat,
    command: AnyCommand,
    /// The time of the entry, in milliseconds since 1970; none if it is written at once.
    at: Option<u64>,
}

/// Returns the first step after `since` that is not before `now`. It depends on nothing that a viewer may not
/// know.
const fn next_step(since: u64, now: u64, step: u64) -> u64 {
    let steps = now.saturating_sub(since).div_ceil(step);
    since.saturating_add(step.saturating_mul(if steps == 0 { 1 } else { steps }))
}

/// A machine takes a seat.
pub fn seated(seat: u64, machine: &Player, level: Level) -> Body {
    let holder = Holder { bot: Some(level.word().to_owned()), ..Holder::person(machine.id.to_string()) };
    Body::Join(Join { seat, holder, commit: None, signed: None })
}

impl Service {
    /// Finds the games in which a bot must act: after a start, and when the queue was full.
    pub async fn find_waiting(&self) -> Result<(), ServiceError> {
        for (game, creator) in self.store.games_of_machines().await? {
            self.waiting.add(game, creator);
        }
        Ok(())
    }

    /// Finds games in which nothing has happened for a while: the server that should have let a bot act may
    /// be gone.
    pub(in crate::service) async fn adopt_machines(&self) -> Result<(), ServiceError> {
        for (game, creator) in self.store.standing_games_of_machines().await? {
            self.waiting.add(game, creator);
        }
        Ok(())
    }

    /// Waits for a game in which a bot must act, and lets it decide. After a failure the game waits again.
    pub async fn next_decision(&self) -> Result<Option<Decided>, ServiceError> {
        if self.waiting.has_more()
            && let Err(error) = self.find_waiting().await
        {
            self.waiting.look_again();
            return Err(error);
        }
        let Turn { owner: creator, item: game, more, others } = self.waiting.next().await;
        let mut turn = TurnGuard { waiting: &self.waiting, creator, rest: Duration::ZERO };
        let began = Instant::now();
        let decided = self.decide(game, creator, part(more.max(others))).await;
        turn.rest = BotPool::rest(decided.as_ref().map_or(began.elapsed(), |(_, took)| *took));
        drop(turn);
        match decided {
            Ok((decided, _)) => Ok(decided),
            Err(error) => {
                self.waiting.add(game, creator);
                Err(error)
            }
        }
    }

    /// Decides for the bot that must act in a game, if one must, and says how long that took.
    async fn decide(
        &self,
        game: Uuid,
        creator: PlayerKey,
        part: u32,
    ) -> Result<(Option<Decided>, Duration), ServiceError> {
        let locked = self.lock(game).await?;
        let live = locked.game()?;
        let nothing = (None, Duration::ZERO);
        let Some((seat, level)) = machine_to_act(live) else { return Ok(nothing) };
        let Some(table) = &live.game.table else { return Ok(nothing) };
        let (seq, since) = (live.game.seq(), live.game.chain.at());
        let thought = table.thought(seat, self.fresh_number()?);
        drop(locked);
        let (command, took) = self.bots.decide(Lane::Game, move || thought.decide(level, part)).await?;
        let command = command.ok_or_else(|| ServiceError::Internal("a bot has no command".into()))?;
        let step = self.limits.bot_step_ms;
        let at = (step > 0).then(|| next_step(since, self.clock.now(), step));
        Ok((Some(Decided { game, creator, seq, seat, command, at }), took))
    }

    /// Returns how long to wait before a decision is written.
    pub fn wait_of(&self, decided: &Decided) -> Duration {
        let wait = decided.at.map_or(0, |at| at.saturating_sub(self.clock.now()));
        Duration::from_millis(wait.min(self.limits.bot_step_ms))
    }

    /// Writes a decision, unless the game has gone on meanwhile.
    pub async fn play_decided(&self, decided: &Decided) -> Result<(), ServiceError> {
        let locked = self.act_if_due(self.lock(decided.game).await?).await?;
        if locked.game()?.game.seq() != decided.seq {
            // The entry that came in between has put the game back into the queue, if a bot must still act.
            return Ok(());
        }
        let Decided { seat, command, at, .. } = decided;
        let mut draft = self.draft_at(locked, at.unwrap_or_else(|| self.clock.now()))?;
        draft.submit(&Body::cmd(seat.number().into(), By::Player, written(command)?), command)?;
        draft = self.settled(draft).await?;
        self.commit(draft, None, |_| || ()).await.map(|_| ())
    }

    /// Puts a game whose decision could not be written back into the queue.
    pub fn decide_again(&self, decided: &Decided) {
        self.waiting.add(decided.game, decided.creator);
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

    fn player(number: i64) -> PlayerKey {
        serde_json::from_value(number.into()).unwrap()
    }

    fn game(number: usize) -> Uuid {
        Uuid::from_u128(number as u128)
    }

    #[test]
    fn a_game_waits_once_and_no_more_are_noted_than_fit() {
        let waiting = Waiting::default();
        for number in 0..MOST_WAITING {
            waiting.add(game(number), player(1));
            waiting.add(game(0), player(1));
        }
        assert_eq!((waiting.count(), waiting.has_more()), (MOST_WAITING, false));
        waiting.add(game(MOST_WAITING), player(1));
        assert_eq!(waiting.count(), MOST_WAITING);
        let next = || {
            let turn = waiting.take().ok()?;
            drop(TurnGuard { waiting: &waiting, creator: turn.owner, rest: Duration::ZERO });
            Some(turn.item)
        };
        assert!(std::iter::from_fn(next).eq((0..MOST_WAITING).map(game)), "the first comes first");
        assert!(waiting.has_more(), "there are games that found no place");
        assert!(!waiting.has_more(), "and they are looked for once");
    }

    #[test]
    fn a_player_with_many_games_delays_nobody_else() {
        let waiting = Waiting::default();
        for number in 0..200 {
            waiting.add(game(number), player(1));
        }
        waiting.add(game(200), player(2));
        let turns: Vec<Uuid> = (0..2).map(|_| waiting.take().ok().unwrap().item).collect();
        assert_eq!(turns, [game(0), game(200)]);
        assert!(waiting.take().is_err(), "each player has one decision under way");
    }

    #[test]
    fn a_bot_acts_at_steps_of_time_and_at_no_other() {
        for (now, at) in [(900, 1_300), (1_000, 1_300), (1_300, 1_300), (1_301, 1_600), (2_000, 2_200)] {
            assert_eq!(next_step(1_000, now, 300), at, "decided at {now}");
        }
    }

    #[test]
    fn the_more_games_wait_the_less_is_imagined_of_each() {
        let parts: Vec<u32> = [0, 5, 20, 4_000].map(|waiting| part(waiting * BotPool::threads())).to_vec();
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
