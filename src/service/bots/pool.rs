//! The threads on which bots decide. They yield to the serving threads.
//!
//! Decisions of games come first. Explorations share the remaining time, and players take turns: each has one
//! running decision and a few waiting ones. A decision without a waiting request is dropped before it begins.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use crate::{
    service::{ServiceError, fair_queue::FairQueue},
    store::PlayerKey,
};

/// The niceness (of 19) of the threads. At the highest, a busy machine would hardly run them.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;
/// A player, and a thread after an exploration, rests this many times as long as the decision took.
const REST: u32 = 2;
/// Explorations of a player whose next decision may wait, and of all players.
const WAITING_OF_PLAYER: usize = 4;
const WAITING: usize = 1_024;

/// Which decisions go first.
#[derive(Clone, Copy, Debug)]
pub enum Lane {
    /// For a game. The caller bounds how many there are, and lets players take turns.
    Game,
    /// For an exploration of this player.
    Exploration(PlayerKey),
}

/// Worker threads for decisions. They start with the first decision.
#[derive(Default)]
pub struct BotPool {
    queues: Arc<Queues>,
    threads: OnceLock<()>,
}

#[derive(Default)]
struct Queues {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    games: VecDeque<Box<dyn Job>>,
    explorations: FairQueue<PlayerKey, Box<dyn Job>>,
    is_closed: bool,
}

/// A decision that waits for its turn.
trait Job: Send {
    /// Whether a request still waits for the answer.
    fn is_wanted(&self) -> bool;
    fn run(self: Box<Self>);
}

struct Decision<F, T> {
    decide: F,
    answer: oneshot::Sender<(T, Duration)>,
}

impl<T: Send, F: FnOnce() -> T + Send> Job for Decision<F, T> {
    fn is_wanted(&self) -> bool {
        !self.answer.is_closed()
    }

    fn run(self: Box<Self>) {
        let (began, Self { decide, answer }) = (Instant::now(), *self);
        // A panic drops the sender, and so fails this decision and no other.
        if let Ok(decided) = catch_unwind(AssertUnwindSafe(decide)) {
            let _ = answer.send((decided, began.elapsed()));
        }
    }
}

impl BotPool {
    /// Returns the number of threads: half of the processors are left to the serving threads.
    pub fn threads() -> usize {
        thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1))
    }

    /// Returns how long a player rests after a decision.
    pub fn rest(took: Duration) -> Duration {
        took.saturating_mul(REST)
    }

    /// Runs a decision on one of the threads. Returns its result and its time.
    ///
    /// Dropping the future before the decision begins cancels it. Fails with [`ServiceError::Busy`] if too
    /// many decisions of the player or of all players wait, and after closing.
    pub async fn decide<T: Send + 'static>(
        &self,
        lane: Lane,
        decide: impl FnOnce() -> T + Send + 'static,
    ) -> Result<(T, Duration), ServiceError> {
        let (answer, result) = oneshot::channel();
        self.put(lane, Box::new(Decision { decide, answer }))?;
        self.threads.get_or_init(|| start(&self.queues));
        result.await.map_err(|_| {
            let is_closed = self.queues.waiting().is_closed;
            if is_closed { ServiceError::Busy } else { ServiceError::Internal("a decision failed".into()) }
        })
    }

    fn put(&self, lane: Lane, job: Box<dyn Job>) -> Result<(), ServiceError> {
        let mut waiting = self.queues.waiting();
        if waiting.is_closed {
            return Err(ServiceError::Busy);
        }
        match lane {
            Lane::Game => waiting.games.push_back(job),
            Lane::Exploration(player) => {
                let explorations = &mut waiting.explorations;
                explorations.retain(player, |job| job.is_wanted());
                if explorations.len_of(player) >= WAITING_OF_PLAYER || explorations.len() >= WAITING {
                    return Err(ServiceError::Busy);
                }
                explorations.push(player, job);
            }
        }
        // A thread that rests takes no exploration: all look whether they do.
        self.queues.changed.notify_all();
        Ok(())
    }

    /// Drops all waiting decisions, and refuses new ones.
    pub fn close(&self) {
        let mut waiting = self.queues.waiting();
        waiting.is_closed = true;
        waiting.games.clear();
        waiting.explorations.clear();
        self.queues.changed.notify_all();
    }
}

impl Drop for BotPool {
    fn drop(&mut self) {
        self.close();
    }
}

impl Queues {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next decision. Returns it with its player if it belongs to an exploration, or `None`
    /// once closed.
    fn next(&self, rests_until: Instant) -> Option<(Box<dyn Job>, Option<PlayerKey>)> {
        let mut waiting = self.waiting();
        loop {
            if waiting.is_closed {
                return None;
            }
            if let Some(job) = waiting.games.pop_front() {
                return Some((job, None));
            }
            let now = Instant::now();
            if now >= rests_until
                && let Some(turn) = waiting.explorations.take(now)
            {
                return Some((turn.item, Some(turn.owner)));
            }
            let ready = waiting.explorations.next_ready(now).map(|ready| ready.max(rests_until));
            waiting = match ready.filter(|ready| *ready > now) {
                Some(ready) => {
                    let timed = self.changed.wait_timeout(waiting, ready - now);
                    timed.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn work(&self) {
        let mut rests_until = Instant::now();
        while let Some((job, player)) = self.next(rests_until) {
            let began = Instant::now();
            if job.is_wanted() {
                job.run();
            }
            let Some(player) = player else { continue };
            // Two processors are often halves of one core: a busy thread slows the serving ones.
            rests_until = Instant::now() + BotPool::rest(began.elapsed());
            self.waiting().explorations.done(player, rests_until);
            self.changed.notify_all();
        }
    }
}

fn start(queues: &Arc<Queues>) {
    for _ in 0..BotPool::threads() {
        let queues = Arc::clone(queues);
        // If no thread can be had, the others decide alone; without any, decisions wait and the log says why.
        let _ = thread::Builder::new().name("bots".to_owned()).spawn(move || {
            yield_to_others();
            queues.work();
        });
    }
}

#[cfg(target_os = "linux")]
fn yield_to_others() {
    // On Linux each thread has a niceness of its own.
    let _ = rustix::process::nice(NICE);
}

#[cfg(not(target_os = "linux"))]
const fn yield_to_others() {}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn wait<T>(test: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(test)
    }

    fn player(number: i64) -> PlayerKey {
        serde_json::from_value(number.into()).unwrap()
    }

    #[test]
    fn a_decision_whose_request_has_gone_is_not_made() {
        let pool = BotPool::default();
        let (made, count) = mpsc::channel::<u32>();
        let decide = move || made.send(1).unwrap_or_default();
        let (answer, result) = oneshot::channel();
        drop(result);
        pool.put(Lane::Exploration(player(1)), Box::new(Decision { decide, answer })).unwrap();
        let after = wait(pool.decide(Lane::Exploration(player(1)), || 2)).unwrap().0;
        assert_eq!((after, count.try_recv().ok()), (2, None));
    }

    #[test]
    fn a_player_has_few_decisions_waiting_and_others_have_theirs() {
        let pool = BotPool::default();
        let mut waiting = Vec::new();
        let mut put = |player| {
            let (answer, result) = oneshot::channel::<((), Duration)>();
            waiting.push(result);
            pool.put(Lane::Exploration(player), Box::new(Decision { decide: || (), answer }))
        };
        for _ in 0..WAITING_OF_PLAYER {
            put(player(1)).unwrap();
        }
        assert!(matches!(put(player(1)), Err(ServiceError::Busy)));
        assert!(put(player(2)).is_ok());
    }

    #[test]
    fn a_thread_that_rests_takes_the_exploration_of_a_newcomer_afterwards() {
        let queues = Arc::<Queues>::default();
        let (taken, order) = mpsc::channel();
        let resting = Arc::clone(&queues);
        thread::spawn(move || {
            let next = resting.next(Instant::now() + Duration::from_millis(20));
            taken.send(next.and_then(|(_, player)| player)).unwrap_or_default();
        });
        let (answer, _result) = oneshot::channel::<((), Duration)>();
        queues.waiting().explorations.push(player(2), Box::new(Decision { decide: || (), answer }));
        queues.changed.notify_all();
        assert_eq!(order.recv_timeout(Duration::from_secs(30)).ok().flatten(), Some(player(2)));
    }

    #[test]
    fn decisions_of_games_come_before_explorations() {
        let pool = BotPool::default();
        let (told, order) = mpsc::channel();
        let mut results = Vec::new();
        for (name, lane) in [("exploration", Lane::Exploration(player(1))), ("game", Lane::Game)] {
            let (answer, result) = oneshot::channel();
            let told = told.clone();
            let decide = move || told.send(name).unwrap_or_default();
            pool.put(lane, Box::new(Decision { decide, answer })).unwrap();
            results.push(result);
        }
        let first = pool.queues.next(Instant::now()).unwrap();
        first.0.run();
        assert_eq!(order.recv(), Ok("game"));
    }

    #[test]
    fn closing_drops_what_waits() {
        let pool = BotPool::default();
        let (answer, result) = oneshot::channel::<((), Duration)>();
        pool.put(Lane::Exploration(player(1)), Box::new(Decision { decide: || (), answer })).unwrap();
        pool.close();
        assert!(wait(result).is_err());
        assert!(matches!(wait(pool.decide(Lane::Game, || ())), Err(ServiceError::Busy)));
    }

    #[test]
    fn a_decision_that_panics_fails_alone() {
        let pool = BotPool::default();
        let failed = wait(pool.decide(Lane::Game, || -> u8 { panic!("a fault in a game") }));
        assert!(matches!(failed, Err(ServiceError::Internal(_))));
        assert_eq!(wait(pool.decide(Lane::Game, || 1)).unwrap().0, 1);
    }
}
