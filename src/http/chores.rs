//! Background tasks of the server, and its stop.

use std::{cell::RefCell, rc::Rc, sync::Arc, time::Duration};

use actix_web::{
    dev::ServerHandle,
    rt::{
        self, signal,
        time::{sleep, timeout},
    },
    web,
};
use serde_json::json;

use super::{budget::ServerBudget, state::Shared};
use crate::{
    config::LogFormat,
    logging,
    service::{ServiceError, SlowCommit, bots::Decided, cost},
};

/// Pause of the watch over deadlines while no game is in memory.
const IDLE: Duration = Duration::from_secs(2);
/// Time for the last checkpoint at a stop.
const TO_PIN: Duration = Duration::from_secs(3);

#[derive(Clone, Copy)]
pub enum Chore {
    /// Decide for seats whose time has run out, and void games with unrevealed promises.
    ActOnDeadlines,
    /// Void forgotten tables.
    CloseForgotten,
    /// Delete old idempotency keys, explorations and deliveries.
    ForgetOld,
    /// Log damaged games and failing email.
    TellFaults,
    /// Grow the public tree, and publish a checkpoint.
    Pin,
    /// Take over the work of servers that are gone.
    Adopt,
    /// Note that a server is running.
    Beat,
}

/// Repeats a task after a pause.
pub async fn every(shared: Arc<Shared>, pause: Duration, chore: Chore) {
    let (mut failing, mut told) = (Failing::default(), Reported::default());
    loop {
        let done = match chore {
            Chore::ActOnDeadlines => {
                let payer = Rc::new(ServerBudget(Arc::clone(&shared)));
                cost::paid_by(payer, shared.service.tables.act_on_deadlines()).await.map(|_| ())
            }
            Chore::CloseForgotten => shared.service.tables.close_forgotten().await.map(|_| ()),
            Chore::ForgetOld => shared.service.forget_old().await,
            Chore::Pin => pin(&shared).await,
            Chore::Adopt => shared.service.adopt().await,
            Chore::Beat => shared.service.tables.beat().await,
            Chore::TellFaults => {
                told.look(&shared);
                shared.service.notifier.mail_goes_out()
            }
        };
        failing.note(shared.config.log_format, "chore", done.err().map(|error| error.to_string()));
        // Without games in memory, few deadlines are near.
        let is_idle = matches!(chore, Chore::ActOnDeadlines) && shared.service.games.count() == 0;
        sleep(if is_idle { pause.max(IDLE) } else { pause }).await;
    }
}

/// Publishes the public tree, and stores its size next to the key.
async fn pin(shared: &Arc<Shared>) -> Result<(), ServiceError> {
    shared.service.tree.pin().await?;
    let size = shared.service.tree.tree_size().await?;
    let shared = Arc::clone(shared);
    let keep = move || shared.watermark.get().map_or(Ok(()), |watermark| watermark.keep(size));
    let kept = web::block(keep).await.map_err(|_| ServiceError::Busy)?;
    kept.map_err(|error| ServiceError::Internal(format!("the size of the tree cannot be noted: {error}")))
}

/// A condition that is logged when it begins and ends.
#[derive(Default)]
struct Failing(Option<String>);

impl Failing {
    /// Logs a cause unless a similar one was logged last, and its end.
    fn note(&mut self, format: LogFormat, event: &'static str, cause: Option<String>) {
        match (&cause, &self.0) {
            (None, None) => return,
            // Causes that differ only in numbers are the same.
            (Some(cause), Some(last)) if shape(cause) == shape(last) => return,
            (Some(cause), _) => logging::write(format, event, || json!({"cause": cause})),
            (None, Some(last)) => logging::write(format, "recovered", || json!({"of": event, "cause": last})),
        }
        self.0 = cause;
    }
}

fn millis(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

/// Returns a text without its numbers.
fn shape(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit() && *c != '-').collect()
}

/// Conditions of the server that are logged when they change.
#[derive(Default)]
struct Reported {
    clock: Failing,
    disk: Failing,
    host: Option<String>,
}

impl Reported {
    fn look(&mut self, shared: &Shared) {
        let (service, format) = (&shared.service, shared.config.log_format);
        for (game, cause) in service.games.new_faults() {
            logging::write(format, "damaged", || json!({"game": game.to_string(), "cause": cause}));
        }
        for SlowCommit { writes, took, steps } in service.slow_commits() {
            let mut fields = json!({"writes": writes, "millis": millis(took)});
            for (step, took) in steps {
                fields[step] = json!(millis(took));
            }
            logging::write(format, "slow_commit", || fields);
        }
        self.clock.note(format, "clock", service.unsteady().map(|unsteady| unsteady.text().0));
        let full =
            |free| format!("{free} bytes are free: no new games until there are more (--min-free-bytes)");
        self.disk.note(format, "disk", service.nearly_full().map(full));
        if let Some(host) = service.database_host().filter(|host| self.host.as_ref() != Some(host)) {
            logging::write(format, "database_host", || json!({"host": host}));
            self.host = Some(host);
        }
    }
}

/// Lets bots act, several at once: while one decides, the decision of another is written.
pub fn let_bots_act(shared: &Arc<Shared>, at_once: usize) {
    let failing = Rc::<RefCell<Failing>>::default();
    for _ in 0..at_once {
        let (shared, failing) = (Arc::clone(shared), Rc::clone(&failing));
        rt::spawn(async move {
            loop {
                match shared.service.bots.next_decision().await {
                    Ok(None) => {}
                    Ok(Some(decided)) => {
                        rt::spawn(play_decided(Arc::clone(&shared), decided, Rc::clone(&failing)));
                    }
                    Err(error) => tell_once(&shared, &failing, &error).await,
                }
            }
        });
    }
}

/// Writes the decision of a bot when its time has come. If that fails, the bot decides again.
async fn play_decided(shared: Arc<Shared>, decided: Decided, failing: Rc<RefCell<Failing>>) {
    sleep(shared.service.bots.wait_of(&decided)).await;
    let payer = Rc::new(ServerBudget(Arc::clone(&shared)));
    match cost::paid_by(payer, shared.service.bots.play_decided(&decided)).await {
        Ok(()) => failing.borrow_mut().note(shared.config.log_format, "bots", None),
        Err(error) => {
            tell_once(&shared, &failing, &error).await;
            shared.service.bots.decide_again(&decided);
        }
    }
}

/// Logs a failure unless it was the last one logged, and waits a moment.
async fn tell_once(shared: &Shared, failing: &RefCell<Failing>, error: &ServiceError) {
    failing.borrow_mut().note(shared.config.log_format, "bots", Some(error.to_string()));
    sleep(Duration::from_secs(1)).await;
}

/// Follows the entries of other servers.
pub async fn hear(shared: Arc<Shared>) {
    shared.service.feed.hear().await;
}

/// Sends notifications.
pub async fn send_messages(shared: Arc<Shared>) {
    shared.service.notifier.send_messages().await;
}

/// Finds the games that wait for bots, after a start.
pub async fn find_waiting(shared: Arc<Shared>) {
    while let Err(error) = shared.service.bots.find_waiting().await {
        logging::write(shared.config.log_format, "chore", || json!({"cause": error.to_string()}));
        sleep(Duration::from_secs(1)).await;
    }
}

/// Stops the server on a signal: ends streams, drops decisions of bots, and finishes the requests that are
/// under way. Listens from the call on, before anything is awaited.
pub fn stop_when_told(shared: Arc<Shared>, server: ServerHandle) -> impl Future<Output = ()> {
    let told = told_to_stop();
    async move {
        told.await;
        shared.service.stop();
        server.stop(true).await;
    }
}

/// Publishes the last entries when the server has stopped, so that an older database is recognized.
pub async fn pin_the_last(shared: &Arc<Shared>) {
    // A witness that does not answer does not delay the stop for long.
    let cause = match timeout(TO_PIN, pin(shared)).await {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error.to_string(),
        Err(elapsed) => elapsed.to_string(),
    };
    logging::write(shared.config.log_format, "chore", || json!({"cause": cause}));
}

/// Waits for SIGTERM or SIGINT. SIGHUP, which tools for logs send by habit, changes nothing.
#[cfg(unix)]
fn told_to_stop() -> impl Future<Output = ()> {
    use signal::unix::{SignalKind, signal as listen};
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    let signals = kinds.map(|kind| listen(kind).ok());
    async move {
        let [Some(mut terminate), Some(mut interrupt), Some(mut hangup)] = signals else {
            let _ = signal::ctrl_c().await;
            return;
        };
        loop {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = interrupt.recv() => return,
                _ = hangup.recv() => {}
            }
        }
    }
}

#[cfg(not(unix))]
async fn told_to_stop() {
    let _ = signal::ctrl_c().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_once_while_only_its_number_changes_and_so_is_its_end() {
        let mut failing = Failing::default();
        let mut told = |cause: Option<&str>| {
            let before = failing.0.clone();
            failing.note(LogFormat::Off, "chore", cause.map(str::to_owned));
            failing.0 != before
        };
        assert!(!told(None));
        assert!(told(Some("the clocks differ by -4999 ms")));
        assert!(!told(Some("the clocks differ by 5001 ms")));
        assert!(told(Some("the database is silent")));
        assert!(told(None));
        assert!(!told(None));
    }
}
