//! A server on its own port, or several that share a database.

use std::{
    future::poll_fn,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    task::Poll,
};

use clap::Parser as _;
use futures_util::future::join_all;
use playledger::{
    config::Config,
    http::{app::server, state::Shared},
    keys,
    service::{
        Accounts, Service, ServiceError, games,
        moderation::key_token,
        ports,
        reading::context::ViewOptions,
        request::Request as _,
        tables::{Act, play::Command},
        talk::NewMessage,
    },
};
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use super::{Answer, Clock, Player, Request, database, no_check_fails};

#[derive(clap::Parser)]
struct Flags {
    #[command(flatten)]
    config: Config,
}

/// A server, or several that get requests in turn.
pub struct Server {
    pub address: SocketAddr,
    addresses: Vec<SocketAddr>,
    next: AtomicUsize,
    nodes: Vec<Node>,
    folder: Option<Arc<TempDir>>,
    flags: Vec<String>,
}

struct Node {
    address: SocketAddr,
    shared: Arc<Shared>,
    handle: actix_web::dev::ServerHandle,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    pub fn start() -> Self {
        Self::with(&[])
    }

    pub fn with(flags: &[&str]) -> Self {
        Self::in_folder(Arc::new(tempfile::tempdir().unwrap()), flags, &|| {
            Box::new(ports::SystemClock::default())
        })
    }

    pub fn with_clock(clock: &Clock) -> Self {
        Self::with_clock_and(clock, &[])
    }

    pub fn with_clock_and(clock: &Clock, flags: &[&str]) -> Self {
        Self::in_folder(Arc::new(tempfile::tempdir().unwrap()), flags, &|| Box::new(clock.clone()))
    }

    /// Starts a server on the database in this folder.
    pub fn on(folder: &Arc<TempDir>, clock: &Clock) -> Self {
        Self::in_folder(Arc::clone(folder), &[], &|| Box::new(clock.clone()))
    }

    fn in_folder(folder: Arc<TempDir>, flags: &[&str], clock: &dyn Fn() -> Box<dyn ports::Clock>) -> Self {
        let nodes: Vec<Node> =
            (0..database::nodes()).map(|_| Node::start(folder.path(), flags, clock())).collect();
        let addresses: Vec<SocketAddr> = nodes.iter().map(|node| node.address).collect();
        let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        let (address, next) = (addresses[0], AtomicUsize::new(0));
        Self { address, addresses, next, nodes, folder: Some(folder), flags }
    }

    fn turn(&self) -> usize {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Where the next request goes.
    pub fn next_address(&self) -> SocketAddr {
        self.addresses[self.turn() % self.addresses.len()]
    }

    /// Returns a service, in turn.
    fn service(&self) -> &Service {
        &self.nodes[self.turn() % self.nodes.len()].shared.service
    }

    /// Ends all streams, like a stop.
    pub fn close_streams(&self) {
        self.nodes.iter().for_each(|node| node.shared.service.stop());
    }

    /// Returns a running server.
    pub fn at(address: SocketAddr) -> Self {
        Self::together(vec![address])
    }

    /// Returns running servers with a common database.
    pub fn together(addresses: Vec<SocketAddr>) -> Self {
        let (address, next) = (addresses[0], AtomicUsize::new(0));
        Self { address, addresses, next, nodes: Vec::new(), folder: None, flags: Vec::new() }
    }

    /// Stops the server and starts another on the same database.
    pub fn restarted(self) -> Self {
        self.restarted_with(&|| Box::new(ports::SystemClock::default()))
    }

    pub fn restarted_at(self, clock: &Clock) -> Self {
        self.restarted_with(&|| Box::new(clock.clone()))
    }

    fn restarted_with(mut self, clock: &dyn Fn() -> Box<dyn ports::Clock>) -> Self {
        let (folder, flags) = (self.folder.take().unwrap(), std::mem::take(&mut self.flags));
        drop(self);
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        Self::in_folder(folder, &flags, clock)
    }

    /// Lets the server act on its deadlines, as it does a few times a second.
    pub fn look_at_the_clock(&self) {
        let service = self.service();
        actix_web::rt::System::new().block_on(service.tables.act_on_deadlines()).unwrap();
        database::wait_for_deadlines(&self.folder().join("games.db"));
    }

    /// Lets the server grow its public tree, as it does every ten seconds.
    pub fn pin(&self) {
        self.try_to_pin().unwrap();
    }

    pub fn try_to_pin(&self) -> Result<(), ServiceError> {
        let service = self.service();
        actix_web::rt::System::new().block_on(service.tree.pin())
    }

    /// Sends a command, and disconnects before the answer.
    pub fn command_and_hang_up(&self, player: &Player, game: &str, sent: &Value) -> bool {
        let service = self.service();
        let act = Act::Play(id_of(game), Command::read(sent).unwrap(), ViewOptions::default());
        actix_web::rt::System::new().block_on(async {
            let player = known(service, player).await;
            let mut sending = Box::pin(service.tables.carry_out(&player, &act, None, |_| None));
            poll_fn(|context| Poll::Ready(sending.as_mut().poll(context).is_pending())).await
        })
    }

    /// Adds messages, faster than the limits of the API allow.
    pub fn says(&self, player: &Player, game: &str, times: usize) {
        let service = self.service();
        let game = id_of(game);
        let message = || NewMessage::read(&json!({"text": "So be it."})).unwrap();
        actix_web::rt::System::new().block_on(async {
            let player = known(service, player).await;
            let said = join_all((0..times).map(|_| service.talk.say(game, &player, message()))).await;
            assert!(said.iter().all(Result::is_ok));
        });
    }

    pub fn folder(&self) -> PathBuf {
        self.folder.as_ref().unwrap().path().to_owned()
    }

    pub fn send(&self, method: &str, path: &str) -> Request<'_> {
        Request::new(self, method, path)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path).go()
    }

    /// Verifies a document.
    pub fn audit(&self, document: &str) -> Answer {
        self.send("POST", "/v1/audits").text(document).header("Content-Type", "application/json").go()
    }

    /// Verifies a game. No check may fail.
    pub fn verifies(&self, game: &str) -> Value {
        no_check_fails(self.audit(&self.get(&format!("{game}/replay")).text()).expect(200))
    }

    /// Returns an operator, whose token is made from the key of the server.
    pub fn operator(&self, clock: &Clock) -> Player<'_> {
        let key = keys::read(&keys::path_beside(&self.folder().join("games.db"))).unwrap().unwrap();
        Player::with(self, key_token(&key, ports::Clock::now(clock)).unwrap())
    }

    /// Deletes what is older than it is kept, as the server does each minute.
    pub fn forget(&self) {
        let service = self.service();
        actix_web::rt::System::new().block_on(service.forget_old()).unwrap();
    }

    pub fn player(&self, name: &str) -> Player<'_> {
        let created = self.send("POST", "/v1/players").json(&json!({"name": name})).go().expect(201);
        Player {
            server: self,
            id: created["player"]["id"].as_str().unwrap().into(),
            token: created["token"].as_str().unwrap().into(),
            recovery: created["recovery"].as_str().unwrap().into(),
        }
    }
}

/// The id in a game's path.
fn id_of(game: &str) -> Uuid {
    game.rsplit('/').next().unwrap().parse().unwrap()
}

/// Returns the service's record of a player.
async fn known(service: &Service, player: &Player<'_>) -> games::Player {
    service.accounts.session(&Accounts::digest_of(&player.token)).await.unwrap().player.clone()
}

impl Node {
    fn start(folder: &Path, flags: &[&str], clock: Box<dyn ports::Clock>) -> Self {
        let own = ["test", "--listen", "127.0.0.1:0", "--workers", "2", "--log-format", "off"];
        let kept = database::flags(&folder.join("games.db"));
        // By default bots act at once, and clients have no limits.
        let has = |names: &[&str]| flags.iter().any(|flag| names.contains(flag));
        let at_once = ["--bot-step-ms", "0"].into_iter().filter(|_| !has(&["--bot-step-ms"]));
        let limits = ["--requests-per-second", "--request-burst"];
        let unlimited = ["--requests-per-second", "0"].into_iter().filter(|_| !has(&limits));
        let args = own
            .into_iter()
            .chain(at_once)
            .chain(unlimited)
            .chain(kept.iter().map(String::as_str))
            .chain(flags.iter().copied());
        let config = Flags::try_parse_from(args).unwrap().config;
        let key = keys::path_beside(&folder.join("games.db"));
        let name = (!key.exists()).then_some("test.example");
        let signer = keys::load(&key, name, &keys::KnownKey::Nothing, true).unwrap();
        let outside = ports::Outside {
            clock: Arc::from(clock),
            entropy: Arc::new(ports::System),
            courier: Box::new(config.courier().unwrap()),
            public_url: config.public_url.clone(),
            witnesses: config.witnesses().unwrap(),
        };
        let service = actix_web::rt::System::new().block_on(async {
            let store = Arc::new(database::open(&config).await);
            Service::new(store, signer, outside, config.limits()).await.unwrap()
        });
        let shared = Arc::new(Shared::new(service, config));
        let served = Arc::clone(&shared);
        let (tell, told) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async {
                let (server, address) = server(served).unwrap();
                tell.send((address, server.handle())).unwrap();
                server.await.unwrap();
            });
        });
        let (address, handle) = told.recv().unwrap();
        Self { address, shared, handle, thread: Some(thread) }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        actix_web::rt::System::new().block_on(self.handle.stop(false));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
