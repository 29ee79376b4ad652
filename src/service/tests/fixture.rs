//! A service in a folder of its own.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use futures_util::future::BoxFuture;
use serde_json::Value;
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    service::{
        Limits, Player, Service, ServiceError, Session,
        act::{Act, Answer, IdempotencyKey, accounts::NewPlayer},
        ports::{self, Clock, Courier, Outside, Parcel, System, Unwanted, Witness},
        request::Request as _,
    },
    store::{Store, sqlite::Settings},
    tree::signer::Signer,
    words::Failure,
};

/// A clock that stands still until it is set.
#[derive(Clone)]
pub struct StillClock(Arc<AtomicU64>);

impl StillClock {
    pub fn advance(&self, milliseconds: u64) {
        self.0.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

impl Clock for StillClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Carries nothing anywhere.
struct Nobody;

impl Courier for Nobody {
    fn accepts(&self, _: &str) -> Result<Arc<str>, Unwanted> {
        Ok(Arc::from("nobody"))
    }

    fn carry(&self, _: Parcel) -> BoxFuture<'_, Result<ports::Answer, Failure>> {
        Box::pin(async { Err(Failure::Unwanted) })
    }

    fn has_mail(&self) -> bool {
        false
    }

    fn mails(&self, _: &str) -> bool {
        false
    }

    fn mail(&self, _: ports::Mail) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async { Err(Failure::Unwanted) })
    }
}

pub struct Fixture {
    pub service: Service,
    pub clock: StillClock,
    folder: TempDir,
}

impl Fixture {
    pub async fn new() -> Self {
        Self::on(tempfile::tempdir().unwrap(), Vec::new()).await
    }

    /// A service on the database in this folder.
    pub async fn on(folder: TempDir, witnesses: Vec<Box<dyn Witness>>) -> Self {
        let clock = StillClock(Arc::new(AtomicU64::new(1_800_000_000_000)));
        let store = Store::open(&folder.path().join("games.db"), &Settings::default()).unwrap();
        Self::over(Arc::new(store), clock, folder, witnesses).await
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Another service over the same store, which has no game in memory yet.
    pub async fn reopened(self) -> Self {
        let Self { service, clock, folder } = self;
        Self::over(Arc::clone(&service.store), clock, folder, Vec::new()).await
    }

    async fn over(
        store: Arc<Store>,
        clock: StillClock,
        folder: TempDir,
        witnesses: Vec<Box<dyn Witness>>,
    ) -> Self {
        let signer = Signer::new("test", &[1; 32]).unwrap();
        let outside = Outside {
            clock: Box::new(clock.clone()),
            entropy: Box::new(System),
            courier: Box::new(Nobody),
            public_url: None,
            witnesses,
        };
        let service = Service::new(store, signer, outside, Limits::default()).await.unwrap();
        Self { service, clock, folder }
    }

    pub async fn player(&self, name: &str) -> Player {
        self.session(name).await.player.clone()
    }

    /// A new player, with its first token.
    pub async fn session(&self, name: &str) -> Arc<Session> {
        let new = NewPlayer::read(&serde_json::json!({ "name": name })).unwrap();
        let token = self.service.create_player(new).await.unwrap().token;
        self.service.session(&Service::digest_of(&token)).await.unwrap()
    }

    /// Does something, which must be taken, and gives the answer.
    pub async fn act(&self, player: &Player, act: Act) -> Value {
        self.try_act(player, &act).await.unwrap()
    }

    pub async fn try_act(&self, player: &Player, act: &Act) -> Result<Value, ServiceError> {
        let answer = self.service.carry_out(player, act, None, |_| None).await?;
        Ok(serde_json::from_slice(&bytes(answer).0).unwrap())
    }

    /// Does something under a key, and says whether it was done before.
    pub async fn act_under(&self, player: &Player, act: &Act, key: &str) -> (Vec<u8>, bool) {
        let key = IdempotencyKey { text: key.to_owned(), fingerprint: [7; 16] };
        bytes(self.service.carry_out(player, act, Some(&key), |_| None).await.unwrap())
    }
}

fn bytes(answer: Answer) -> (Vec<u8>, bool) {
    match answer {
        Answer::Done(reply) => (reply.json, false),
        Answer::DoneBefore(reply) => (reply.json, true),
        Answer::AnsweredBefore(body) => (body, true),
    }
}

/// The game that an answer is about.
pub fn id(answer: &Value) -> Uuid {
    answer["id"].as_str().unwrap().parse().unwrap()
}

/// Runs a test that waits.
pub fn wait<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(test)
}
