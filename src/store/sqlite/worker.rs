//! Background threads.

use std::{
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread::JoinHandle,
    time::Duration,
};

use crate::store::StoreError;

/// The pause of a worker that has nothing to do.
const IDLE: Duration = Duration::from_secs(2);

/// A thread that repeats its work with pauses, until dropped.
pub struct Worker {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread. `work` returns whether there was something to do; otherwise the next pause is long.
    pub fn start(
        name: &str,
        pause: Duration,
        mut work: impl FnMut() -> bool + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (stop, stopped) = channel();
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let mut wait = pause;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = if work() { pause } else { IDLE };
            }
        })?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
