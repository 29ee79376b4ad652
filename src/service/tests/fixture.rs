//! A service in a folder of its own.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    service::{
        Accounts, Limits, Player, Service, ServiceError, Session,
        accounts::NewPlayer,
        ports::{self, Clock, HttpRequest, Outside, System, Transport, Unwanted, Witness},
        reading::{context::ViewOptions, view::Perspective},
        request::Request as _,
        tables::{
            Act, Answer, IdempotencyKey,
            new_table::{JoinRequest, NewTable},
            play::Command,
        },
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

/// A transport without connections.
struct Nobody;

impl Transport for Nobody {
    fn accepts(&self, _: &str) -> Result<Arc<str>, Unwanted> {
        Ok(Arc::from("nobody"))
    }

    fn carry(&self, _: HttpRequest) -> BoxFuture<'_, Result<ports::HttpAnswer, Failure>> {
        Box::pin(async { Err(Failure::Unwanted) })
    }

    fn fetch(&self, _: String, _: usize) -> BoxFuture<'_, Result<Vec<u8>, Failure>> {
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
    /// Returns a service whose store is in memory, if the system has such a folder.
    pub async fn new() -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        Self::on(folder, Vec::new()).await
    }

    /// Returns a service on the database in this folder.
    pub async fn on(folder: TempDir, witnesses: Vec<Box<dyn Witness>>) -> Self {
        let clock = StillClock(Arc::new(AtomicU64::new(1_800_000_000_000)));
        let store = Store::open(&folder.path().join("games.db"), &Settings::default()).unwrap();
        Self::over(Arc::new(store), clock, folder, witnesses).await
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns another service on the same store, without games in memory.
    pub async fn reopened(self) -> Self {
        let Self { service, clock, folder } = self;
        Self::over(Arc::clone(&service.base.store), clock, folder, Vec::new()).await
    }

    async fn over(
        store: Arc<Store>,
        clock: StillClock,
        folder: TempDir,
        witnesses: Vec<Box<dyn Witness>>,
    ) -> Self {
        let signer = Signer::new("test", &[1; 32]).unwrap();
        let outside = Outside {
            clock: Arc::new(clock.clone()),
            entropy: Arc::new(System),
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
        let token = self.service.accounts.create_player(new).await.unwrap().token;
        self.service.accounts.session(&Accounts::digest_of(&token)).await.unwrap()
    }

    /// A running game of Ecopolis between two players. Seat 0, the first player, must act.
    pub async fn game_of(&self, players: [&Player; 2]) -> Uuid {
        self.game_with(players, json!({})).await
    }

    /// Such a game with more members in its order.
    pub async fn game_with(&self, [first, second]: [&Player; 2], more: Value) -> Uuid {
        let mut new = json!({"ruleset": "ecopolis", "seats": 2, "options": {"first_seat": 0}});
        if let (Value::Object(new), Value::Object(more)) = (&mut new, more) {
            new.extend(more);
        }
        let new = Act::Create(Box::new(NewTable::read(&new).unwrap()));
        let table = self.act(first, new).await;
        let join = JoinRequest::read(&json!({ "invite": table["invite"] })).unwrap();
        self.act(second, Act::Join(id(&table), join)).await;
        id(&table)
    }

    /// Plays the first legal command of a player.
    pub async fn play_first(&self, game: Uuid, player: &Player) -> Value {
        let wish = ViewOptions { legal: true, ..ViewOptions::default() };
        let view = self.view(game, Some(player), None, wish).await;
        let sent = json!({"expected_seq": view["seq"], "command": view["legal"]["commands"][0]["command"]});
        let command = Command::read(&sent).unwrap();
        self.act(player, Act::Play(game, command, ViewOptions::default())).await
    }

    /// The view of a game, as JSON.
    pub async fn view(
        &self,
        game: Uuid,
        caller: Option<&Player>,
        seq: Option<u64>,
        wish: ViewOptions,
    ) -> Value {
        let view = self.service.reading.view(game, caller, seq, Perspective::Own, wish).await.unwrap();
        serde_json::to_value(view.view).unwrap()
    }

    /// Carries out an act, which must succeed.
    pub async fn act(&self, player: &Player, act: Act) -> Value {
        self.try_act(player, &act).await.unwrap()
    }

    pub async fn try_act(&self, player: &Player, act: &Act) -> Result<Value, ServiceError> {
        let answer = self.service.tables.carry_out(player, act, None, |_| None).await?;
        Ok(serde_json::from_slice(&bytes(answer).0).unwrap())
    }

    /// Carries out an act with a key. Returns the answer, and whether it was a repetition.
    pub async fn act_under(&self, player: &Player, act: &Act, key: &str) -> (Vec<u8>, bool) {
        let key = IdempotencyKey { text: key.to_owned(), fingerprint: [7; 16] };
        bytes(self.service.tables.carry_out(player, act, Some(&key), |_| None).await.unwrap())
    }
}

fn bytes(answer: Answer) -> (Vec<u8>, bool) {
    match answer {
        Answer::Done(reply) => (reply.json, false),
        Answer::DoneBefore(reply) => (reply.json, true),
        Answer::AnsweredBefore(body) => (body, true),
    }
}

/// Returns the game of an answer.
pub fn id(answer: &Value) -> Uuid {
    answer["id"].as_str().unwrap().parse().unwrap()
}

/// Runs an asynchronous test.
pub fn wait<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(test)
}
