//! The games in which a bot must act, in the order of their turns.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::{sync::Notify, time::timeout_at};
use uuid::Uuid;

use crate::{
    service::fair_queue::{FairQueue, OwnersTurn},
    store::PlayerKey,
};

/// Games that may wait for a bot. If there are more, the queue only notes that fact.
const MOST_WAITING: usize = 10_000;

/// Games in which a bot must act. The players who created them take turns.
#[derive(Default)]
pub struct BotQueue {
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Default)]
struct Queue {
    games: FairQueue<PlayerKey, Uuid>,
    known: HashSet<Uuid>,
    /// Whether games found no place in the queue.
    more: bool,
}

impl BotQueue {
    pub fn add(&self, game: Uuid, creator: PlayerKey) {
        let mut queue = self.queue();
        if queue.known.len() >= MOST_WAITING {
            queue.more = true;
        } else if queue.known.insert(game) {
            queue.games.push(creator, game);
            self.changed.notify_one();
        }
    }

    /// Waits for the next game. Its creator gets no other turn before the `BotTurn` is dropped.
    pub async fn next(&self) -> BotTurn<'_> {
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
    fn take(&self) -> Result<BotTurn<'_>, Option<Instant>> {
        let (mut queue, now) = (self.queue(), Instant::now());
        let Some(turn) = queue.games.take(now) else { return Err(queue.games.next_ready(now)) };
        queue.known.remove(&turn.item);
        let OwnersTurn { owner: creator, item: game, more, others } = turn;
        let game = QueuedGame { game, creator, waiting: more.max(others) };
        Ok(BotTurn { queue: self, game, rest: Duration::ZERO })
    }

    /// Ends a turn. The creator then rests for a time.
    fn done(&self, creator: PlayerKey, rest: Duration) {
        self.queue().games.done(creator, Instant::now() + rest);
        self.changed.notify_one();
    }

    pub fn count(&self) -> usize {
        self.queue().games.len()
    }

    /// Returns whether the store must be searched for games that found no place.
    pub fn has_more(&self) -> bool {
        let mut queue = self.queue();
        queue.games.len() == 0 && std::mem::take(&mut queue.more)
    }

    /// Notes that the search failed.
    pub fn look_again(&self) {
        self.queue().more = true;
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A game whose turn has come.
#[derive(Clone, Copy)]
pub struct QueuedGame {
    pub game: Uuid,
    pub creator: PlayerKey,
    /// Other games of this creator that wait, or other creators, whichever are more.
    pub waiting: usize,
}

/// The turn of a creator, which ends when it is dropped, also after a panic.
pub struct BotTurn<'q> {
    queue: &'q BotQueue,
    pub game: QueuedGame,
    /// Time for which the creator rests afterwards.
    pub rest: Duration,
}

impl Drop for BotTurn<'_> {
    fn drop(&mut self) {
        self.queue.done(self.game.creator, self.rest);
    }
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
        let queue = BotQueue::default();
        for number in 0..MOST_WAITING {
            queue.add(game(number), player(1));
            queue.add(game(0), player(1));
        }
        assert_eq!((queue.count(), queue.has_more()), (MOST_WAITING, false));
        queue.add(game(MOST_WAITING), player(1));
        assert_eq!(queue.count(), MOST_WAITING);
        let next = || queue.take().ok().map(|turn| turn.game.game);
        assert!(std::iter::from_fn(next).eq((0..MOST_WAITING).map(game)), "the first comes first");
        assert!(queue.has_more(), "there are games that found no place");
        assert!(!queue.has_more(), "and they are looked for once");
    }

    #[test]
    fn a_player_with_many_games_delays_nobody_else() {
        let queue = BotQueue::default();
        for number in 0..200 {
            queue.add(game(number), player(1));
        }
        queue.add(game(200), player(2));
        let turns = [queue.take().ok().unwrap(), queue.take().ok().unwrap()];
        assert_eq!(turns.each_ref().map(|turn| turn.game.game), [game(0), game(200)]);
        assert!(queue.take().is_err(), "each player has one decision under way");
    }
}
