//! What the server does beside answering: chores at their times, and the stop.

use std::{rc::Rc, sync::Arc, time::Duration};

use actix_web::{
    dev::ServerHandle,
    rt::{signal, time::sleep},
};
use serde_json::json;

use super::{purse::House, state::Shared};
use crate::{logging, service::work};

#[derive(Clone, Copy)]
pub enum Chore {
    /// Decide for seats whose time has run out, and void games whose promises were not kept.
    ActOnDeadlines,
    /// Void games that nobody fills.
    CloseForgotten,
    /// Forget idempotency keys and explorations of yesterday, and what was sent to hooks a week ago.
    ForgetOld,
    /// Tell of games that were found damaged, and of mail that does not go out.
    TellFaults,
    /// Take what is new into the public tree, and publish a checkpoint.
    Pin,
    /// Take over what a server has left that shares the database.
    Adopt,
    /// Let a machine act that is waited for.
    LetMachineAct,
}

/// Does a chore again and again. A failure is told once, until another comes or the chore has gone well in between.
pub async fn every(shared: Arc<Shared>, pause: Duration, chore: Chore) {
    let mut told = None;
    loop {
        let done = match chore {
            Chore::ActOnDeadlines => {
                let payer = Rc::new(House(Arc::clone(&shared)));
                work::paid_by(payer, shared.service.act_on_deadlines()).await.map(|_| ())
            }
            Chore::CloseForgotten => shared.service.close_forgotten().await.map(|_| ()),
            Chore::ForgetOld => shared.service.forget_old().await,
            Chore::LetMachineAct => {
                let payer = Rc::new(House(Arc::clone(&shared)));
                work::paid_by(payer, shared.service.let_machine_act()).await
            }
            Chore::Pin => shared.service.pin().await,
            Chore::Adopt => shared.service.adopt().await,
            Chore::TellFaults => {
                tell_faults(&shared);
                shared.service.mail_goes_out()
            }
        };
        let failure = done.err().map(|error| error.to_string());
        if let Some(cause) = failure.as_ref().filter(|cause| told.as_ref() != Some(*cause)) {
            logging::write(shared.config.log_format, "chore", || json!({"cause": cause}));
        }
        told = failure;
        // A machine waits for the next game by itself, and after a failure like everybody else.
        if told.is_some() || !matches!(chore, Chore::LetMachineAct) {
            sleep(pause).await;
        }
    }
}

/// What other servers do is told here.
pub async fn hear(shared: Arc<Shared>) {
    shared.service.hear().await;
}

/// Messages are sent to those who are not here.
pub async fn send_messages(shared: Arc<Shared>) {
    shared.service.send_messages().await;
}

/// After a start, the games are looked for that wait for a machine.
pub async fn find_waiting(shared: Arc<Shared>) {
    while let Err(error) = shared.service.find_waiting().await {
        logging::write(shared.config.log_format, "chore", || json!({"cause": error.to_string()}));
        sleep(Duration::from_secs(1)).await;
    }
}

fn tell_faults(shared: &Shared) {
    for (game, cause) in shared.service.new_faults() {
        let fields = || json!({"game": game.to_string(), "cause": cause});
        logging::write(shared.config.log_format, "damaged", fields);
    }
}

/// On a signal to stop, sends listeners away, lets what is under way come to its end, and stops.
pub async fn stop_when_told(shared: Arc<Shared>, server: ServerHandle) {
    told_to_stop().await;
    shared.service.close_streams();
    server.stop(true).await;
}

#[cfg(unix)]
async fn told_to_stop() {
    let Ok(mut terminate) = signal::unix::signal(signal::unix::SignalKind::terminate()) else {
        let _ = signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = signal::ctrl_c() => {}
    }
}

#[cfg(not(unix))]
async fn told_to_stop() {
    let _ = signal::ctrl_c().await;
}
