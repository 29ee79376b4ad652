//! Where machines think: on threads of their own, which give way to those that serve.

use std::{
    sync::{Arc, Mutex, OnceLock, PoisonError, mpsc},
    thread,
    time::Instant,
};

use tokio::sync::oneshot;

use super::ServiceError;

/// How nice a thinker is to those who serve (of 19); nicer, and on a busy machine nobody would hear of it again.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;
/// For how many times as long as it has thought a thinker rests.
const REST: u32 = 2;

type Task = Box<dyn FnOnce() + Send>;

/// The threads on which machines think. They begin when one has to.
#[derive(Default)]
pub struct Thinkers(OnceLock<mpsc::Sender<Task>>);

impl Thinkers {
    /// How many think at once: half of the processors are left to those who serve.
    pub fn count() -> usize {
        thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1))
    }

    /// Thinks something over. Whoever calls bounds how much waits.
    pub async fn think<T: Send + 'static>(
        &self,
        thought: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let (answer, result) = oneshot::channel();
        let task: Task = Box::new(move || {
            // Nobody may wait for it any more.
            let _ = answer.send(thought());
        });
        let lost = || ServiceError::Internal("a thought was lost".into());
        self.0.get_or_init(begin).send(task).map_err(|_| lost())?;
        result.await.map_err(|_| lost())
    }
}

fn begin() -> mpsc::Sender<Task> {
    let (sender, tasks) = mpsc::channel::<Task>();
    let tasks = Arc::new(Mutex::new(tasks));
    for _ in 0..Thinkers::count() {
        let tasks = Arc::clone(&tasks);
        // Where no thread can be had, the others think alone; where none can, a machine waits and the server says why.
        let _ = thread::Builder::new().name("thinking".to_owned()).spawn(move || {
            give_way();
            loop {
                let next = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok(task) = next else { return };
                let began = Instant::now();
                task();
                // Two processors are often the halves of one: who serves is slowed down by a thinker that never rests.
                thread::sleep(began.elapsed() * REST);
            }
        });
    }
    sender
}

#[cfg(target_os = "linux")]
fn give_way() {
    // On Linux each thread is as nice as it wants to be.
    let _ = rustix::process::nice(NICE);
}

#[cfg(not(target_os = "linux"))]
const fn give_way() {}
