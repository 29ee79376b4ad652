//! What the service needs of the outside world.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use futures_util::future::BoxFuture;

use super::clock_watch::{ClockWatch, Unsteady};
use crate::{tree::note::WitnessKey, words::Failure};

/// All of it, and under which address people find this server, if they do.
pub struct Outside {
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    pub courier: Box<dyn Courier>,
    pub public_url: Option<String>,
    /// Those who sign the public tree of this server.
    pub witnesses: Vec<Box<dyn Witness>>,
}

/// The time.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970.
    fn now(&self) -> u64;

    /// Returns why no deadline may be decided by this clock now.
    fn unsteady(&self) -> Option<Unsteady> {
        None
    }
}

/// Bytes that nobody can guess.
pub trait Entropy: Send + Sync {
    fn bytes(&self) -> Result<[u8; 32], getrandom::Error>;
}

/// What carries messages to those who are not here.
pub trait Courier: Send + Sync {
    /// The host of an address, if something may be sent there. Where the host leads is looked at each time.
    fn accepts(&self, url: &str) -> Result<Arc<str>, Unwanted>;

    fn carry(&self, parcel: Parcel) -> BoxFuture<'_, Result<Answer, Failure>>;

    /// Whether mail is sent at all.
    fn has_mail(&self) -> bool;

    /// Whether mail is sent, and could be to this address.
    fn mails(&self, address: &str) -> bool;

    /// Sends a mail. It is refused where nobody reads it.
    fn mail(&self, mail: Mail) -> BoxFuture<'_, Result<(), Failure>>;
}

/// Somebody who has seen checkpoints of the public tree, and says so.
pub trait Witness: Send + Sync {
    fn key(&self) -> &WitnessKey;

    /// Sends the body of a request to sign a checkpoint.
    fn ask(&self, offer: String) -> BoxFuture<'_, Result<Answer, Failure>>;
}

/// A mail on its way. It has no `Debug`: who gets it is its owner's secret.
pub struct Mail {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Where a mail program says that its user wants no more of it.
    pub unsubscribe: Option<String>,
}

/// Why nothing is sent to an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwanted {
    /// It is no address that can be sent to.
    Form,
    /// It is not of the public internet, or not by https on its own port, and the operator has not allowed
    /// it.
    Place,
}

/// A message on its way. It has no `Debug`: where it goes is its owner's secret.
pub struct Parcel {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// What came back.
pub struct Answer {
    pub status: u16,
    pub retry_after: Option<String>,
    /// The first bytes of what was said.
    pub begins: Vec<u8>,
}

/// The clock of the machine.
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

/// The randomness of the machine.
pub struct System;

impl Entropy for System {
    fn bytes(&self) -> Result<[u8; 32], getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(bytes)
    }
}
