//! Ports: what the service needs from outside.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use futures_util::future::BoxFuture;

use super::clock_watch::{ClockWatch, Unsteady};
use crate::{tree::note::WitnessKey, words::Failure};

/// All ports, and the public address of the server.
pub struct Outside {
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    pub courier: Box<dyn Transport>,
    pub public_url: Option<String>,
    /// Witnesses of the public tree.
    pub witnesses: Vec<Box<dyn Witness>>,
}

/// The system clock.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970.
    fn now(&self) -> u64;

    /// Returns why no deadline may be decided now.
    fn unsteady(&self) -> Option<Unsteady> {
        None
    }
}

/// Unpredictable bytes.
pub trait Entropy: Send + Sync {
    fn bytes(&self) -> Result<[u8; 32], getrandom::Error>;
}

/// Sends messages to other hosts.
pub trait Transport: Send + Sync {
    /// Returns the host of an address that may receive messages. Each connection checks the host again.
    fn accepts(&self, url: &str) -> Result<Arc<str>, Unwanted>;

    fn carry(&self, parcel: HttpRequest) -> BoxFuture<'_, Result<HttpAnswer, Failure>>;

    /// Loads a document of at most `most` bytes.
    fn fetch(&self, url: String, most: usize) -> BoxFuture<'_, Result<Vec<u8>, Failure>>;

    /// Returns whether email is configured.
    fn has_mail(&self) -> bool;

    /// Returns whether email could be sent to this address.
    fn mails(&self, address: &str) -> bool;

    /// Sends an email. Fails with a refusal if the mailbox does not exist.
    fn mail(&self, mail: Mail) -> BoxFuture<'_, Result<(), Failure>>;
}

/// A witness of checkpoints.
pub trait Witness: Send + Sync {
    fn key(&self) -> &WitnessKey;

    /// Sends a request to sign a checkpoint.
    fn ask(&self, offer: String) -> BoxFuture<'_, Result<HttpAnswer, Failure>>;
}

/// An email to send. Without `Debug`: the address is its owner's secret.
pub struct Mail {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Address that a mail program uses to unsubscribe.
    pub unsubscribe: Option<String>,
}

/// Why an address may not receive messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwanted {
    /// It is not a valid address.
    Form,
    /// It is not public, or not HTTPS on port 443, and the operator does not allow it.
    Place,
}

/// A request to send. Without `Debug`: the address is its owner's secret.
pub struct HttpRequest {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// The answer of the other host.
pub struct HttpAnswer {
    pub status: u16,
    pub retry_after: Option<String>,
    /// First bytes of the body.
    pub begins: Vec<u8>,
}

/// The clock of the system.
#[derive(Default)]
pub struct SystemClock(ClockWatch);

impl Clock for SystemClock {
    fn now(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn unsteady(&self) -> Option<Unsteady> {
        self.0.look(|| self.now())
    }
}

/// The randomness of the system.
pub struct System;

impl Entropy for System {
    fn bytes(&self) -> Result<[u8; 32], getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(bytes)
    }
}
