//! A server on a port of its own, and a client that holds every answer against the OpenAPI document.

pub mod database;
pub mod mail_server;
pub mod program;
pub mod raw;
pub mod receiver;
mod stream;

use std::{
    collections::BTreeMap,
    future::poll_fn,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{
        Arc, LazyLock, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    task::Poll,
    time::{Duration, Instant},
};

use clap::Parser as _;
use futures_util::future::join_all;
use playledger::{
    config::Config,
    http::{app::server, document, state::State},
    keys,
    service::{
        Service, ServiceError,
        act::{Act, play::Command, talk::NewMessage},
        ports,
        read::sight::Wish,
        request::Request as _,
    },
};
use serde_json::{Value, json};
use tempfile::TempDir;

pub use stream::{Event, Stream};

#[derive(clap::Parser)]
struct Flags {
    #[command(flatten)]
    config: Config,
}

/// One server, or several that work together: requests go to them in turn.
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
    state: Arc<State>,
    handle: actix_web::dev::ServerHandle,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// A clock that stands still until it is set.
#[derive(Clone)]
pub struct Clock(Arc<Mutex<u64>>);

impl Default for Clock {
    fn default() -> Self {
        Self::at(1_800_000_000_000)
    }
}

impl Clock {
    pub fn at(time: u64) -> Self {
        Self(Arc::new(Mutex::new(time)))
    }

    pub fn advance(&self, milliseconds: u64) {
        *self.0.lock().unwrap() += milliseconds;
    }
}

impl ports::Clock for Clock {
    fn now(&self) -> u64 {
        *self.0.lock().unwrap()
    }
}

/// Tries again until something is there, and fails instead of hanging if it never comes.
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_mins(1) {
        if let Some(found) = look() {
            return found;
        }
        std::thread::yield_now();
    }
    panic!("after a minute it is still not so that {what}");
}

impl Server {
    pub fn start() -> Self {
        Self::with(&[])
    }

    pub fn with(flags: &[&str]) -> Self {
        Self::in_folder(Arc::new(tempfile::tempdir().unwrap()), flags, &|| Box::new(ports::System))
    }

    pub fn with_clock(clock: &Clock) -> Self {
        Self::with_clock_and(clock, &[])
    }

    pub fn with_clock_and(clock: &Clock, flags: &[&str]) -> Self {
        Self::in_folder(Arc::new(tempfile::tempdir().unwrap()), flags, &|| Box::new(clock.clone()))
    }

    /// A server on the database that lies in this folder.
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

    /// The service of one of them, each in turn.
    fn service(&self) -> &Service {
        &self.nodes[self.turn() % self.nodes.len()].state.service
    }

    /// Sends all who listen away, as a stop does.
    pub fn close_streams(&self) {
        self.nodes.iter().for_each(|node| node.state.service.close_streams());
    }

    /// A server that somebody else started.
    pub fn at(address: SocketAddr) -> Self {
        Self::together(vec![address])
    }

    /// Servers that somebody else started, and that work together.
    pub fn together(addresses: Vec<SocketAddr>) -> Self {
        let (address, next) = (addresses[0], AtomicUsize::new(0));
        Self { address, addresses, next, nodes: Vec::new(), folder: None, flags: Vec::new() }
    }

    /// Stops the server and starts another on the same database.
    pub fn restarted(self) -> Self {
        self.restarted_with(&|| Box::new(ports::System))
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

    /// Lets the server look at its deadlines, as it does by itself a few times a second.
    pub fn look_at_the_clock(&self) {
        let service = self.service();
        actix_web::rt::System::new().block_on(service.act_on_deadlines()).unwrap();
        database::wait_for_deadlines(&self.folder().join("games.db"));
    }

    /// Lets the server pin what is new in its public tree, as it does by itself every ten seconds.
    pub fn pin(&self) {
        self.try_to_pin().unwrap();
    }

    pub fn try_to_pin(&self) -> Result<(), ServiceError> {
        let service = self.service();
        actix_web::rt::System::new().block_on(service.pin())
    }

    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends a command and goes away as soon as it is on its way to the disk.
    pub fn command_and_hang_up(&self, player: &Player, game: &str, sent: &Value) {
        let service = self.service();
        let game = game.rsplit('/').next().unwrap().parse().unwrap();
        let act = Act::Play(game, Command::read(sent).unwrap(), Wish::default());
        actix_web::rt::System::new().block_on(async {
            let player = service.session(Service::digest_of(&player.token)).await.unwrap().player.clone();
            let mut sending = Box::pin(service.carry_out(&player, &act, None, |_| None));
            let polled = poll_fn(|context| Poll::Ready(sending.as_mut().poll(context).is_pending())).await;
            assert!(polled, "it waits for the disk");
        });
    }

    /// Says something so many times, which nobody can by HTTP in less than hours.
    pub fn says(&self, player: &Player, game: &str, times: usize) {
        let service = self.service();
        let game = game.rsplit('/').next().unwrap().parse().unwrap();
        let message = || NewMessage::read(&json!({"text": "So be it."})).unwrap();
        actix_web::rt::System::new().block_on(async {
            let player = service.session(Service::digest_of(&player.token)).await.unwrap().player.clone();
            let said = join_all((0..times).map(|_| service.say(game, &player, message()))).await;
            assert!(said.iter().all(Result::is_ok));
        });
    }

    pub fn folder(&self) -> PathBuf {
        self.folder.as_ref().unwrap().path().to_owned()
    }

    pub fn send(&self, method: &str, path: &str) -> Request<'_> {
        Request { server: self, method: method.into(), path: path.into(), headers: vec![], body: None }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path).go()
    }

    /// What the verifier says of a document.
    pub fn audit(&self, document: &str) -> Answer {
        self.send("POST", "/v1/audits").text(document).header("Content-Type", "application/json").go()
    }

    /// The verifier's report on a game, in which no check fails.
    pub fn verifies(&self, game: &str) -> Value {
        no_check_fails(self.audit(&self.get(&format!("{game}/replay")).text()).expect(200))
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

impl Node {
    fn start(folder: &Path, flags: &[&str], clock: Box<dyn ports::Clock>) -> Self {
        let own = ["test", "--listen", "127.0.0.1:0", "--workers", "2", "--log-format", "off"];
        let kept = database::flags(&folder.join("games.db"));
        let args = own.into_iter().chain(kept.iter().map(String::as_str)).chain(flags.iter().copied());
        let config = Flags::try_parse_from(args).unwrap().config;
        let key = keys::path_beside(&folder.join("games.db"));
        let signer = keys::load(&key, "test.example", &keys::Known::Nothing, true).unwrap();
        let outside = ports::Outside {
            clock,
            entropy: Box::new(ports::System),
            courier: Box::new(config.courier().unwrap()),
            public_url: config.public_url.clone(),
            witnesses: config.witnesses().unwrap(),
        };
        let service = actix_web::rt::System::new().block_on(async {
            let store = Arc::new(database::open(&config).await);
            Service::new(store, signer, outside, config.limits()).await.unwrap()
        });
        let state = Arc::new(State::new(service, config));
        let served = Arc::clone(&state);
        let (tell, told) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async {
                let (server, address) = server(served).unwrap();
                tell.send((address, server.handle())).unwrap();
                server.await.unwrap();
            });
        });
        let (address, handle) = told.recv().unwrap();
        Self { address, state, handle, thread: Some(thread) }
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

pub struct Player<'s> {
    pub server: &'s Server,
    pub id: String,
    pub token: String,
    pub recovery: String,
}

impl<'s> Player<'s> {
    /// A player of whom only a token is known.
    pub fn with(server: &'s Server, token: String) -> Self {
        Self { server, id: String::new(), token, recovery: String::new() }
    }

    pub fn send(&self, method: &str, path: &str) -> Request<'_> {
        self.server.send(method, path).token(&self.token)
    }

    /// Whether its token is good for anything.
    pub fn is_known(&self) -> bool {
        self.get("/v1/me").status == 200
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path).go()
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path).json(body).go()
    }

    /// Creates a game and gives its path.
    pub fn creates(&self, game: &Value) -> String {
        let created = self.post("/v1/games", game).expect(201);
        format!("/v1/games/{}", created["id"].as_str().unwrap())
    }
}

pub struct Request<'s> {
    server: &'s Server,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Request<'_> {
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub fn token(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    pub fn json(self, body: &Value) -> Self {
        self.text(&body.to_string()).header("Content-Type", "application/json")
    }

    pub fn text(mut self, body: &str) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Opens a stream of events.
    pub fn stream(self) -> Stream {
        let response = self.header("Accept", "text/event-stream").sent();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Stream::read(response.into_body().into_reader())
    }

    fn sent(self) -> ureq::http::Response<ureq::Body> {
        let addresses = &self.server.addresses;
        let url = format!("http://{}{}", addresses[self.server.turn() % addresses.len()], self.path);
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .allow_non_standard_methods(true)
            .timeout_global(Some(Duration::from_mins(1)))
            .build()
            .into();
        let mut request = ureq::http::Request::builder().method(self.method.as_str()).uri(url);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        match self.body {
            Some(body) => agent.run(request.body(body).unwrap()).unwrap(),
            None => agent.run(request.body(()).unwrap()).unwrap(),
        }
    }

    /// Sends the request, and checks what every answer must keep.
    pub fn go(self) -> Answer {
        let (method, path) = (self.method.clone(), self.path.clone());
        let answer = self.go_unchecked();
        answer.assert_is_as_documented(&method, &path);
        answer
    }

    /// Sends the request, of which an earlier version has kept the answer.
    pub fn go_unchecked(self) -> Answer {
        let mut response = self.sent();
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        let body = response.body_mut().with_config().limit(64 << 20).read_to_vec().unwrap();
        Answer { status: response.status().as_u16(), headers, body }
    }
}

/// A report, when the game that it is about holds.
pub fn no_check_fails(report: Value) -> Value {
    let checks = report["checks"].as_array().unwrap();
    assert!(checks.iter().any(|check| check["outcome"] == "pass"), "{report}");
    assert!(checks.iter().all(|check| check["outcome"] != "fail"), "{report}");
    report
}

/// A view, but for the time at which it was looked at.
pub fn timeless(mut view: Value) -> Value {
    view["now"] = Value::Null;
    view
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// All that it tells, without what is of this one request.
    pub fn shape(&self) -> (u16, BTreeMap<String, String>, String) {
        let own = ["date", "x-request-id", "ratelimit"];
        let headers = self.headers.iter().filter(|(name, _)| !own.contains(&name.as_str()));
        (self.status, headers.cloned().collect(), self.text())
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()
    }

    /// The answer must be this problem.
    #[track_caller]
    pub fn problem(self, status: u16, code: &str) -> Value {
        let body = self.expect(status);
        assert_eq!(body["code"], code, "{body}");
        body
    }

    fn assert_is_as_documented(&self, method: &str, path: &str) {
        assert!(self.header("x-request-id").is_some(), "{method} {path}: every answer has an id");
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"));
        let kind = self.header("content-type").unwrap_or_default();
        if self.status >= 400 && method != "HEAD" {
            assert_eq!(kind, "application/problem+json", "{method} {path}: {}", self.text());
            let problem = self.json();
            assert_eq!(problem["type"], format!("/problems/{}", problem["code"].as_str().unwrap()));
            assert_eq!(problem["status"], self.status);
        }
        let Some(operation) = operation(method, path) else { return };
        let status = self.status.to_string();
        if matches!(self.status, 405 | 406) {
            return;
        }
        let documented = &operation["responses"][&status];
        assert!(documented.is_object(), "{method} {path}: {status} is not documented");
        if self.status >= 400 && method != "HEAD" {
            let code = &self.json()["code"];
            let codes = documented["x-codes"].as_array().unwrap();
            assert!(codes.contains(code), "{method} {path}: {code} is not documented");
        }
        let schema = &documented["content"][kind.split(';').next().unwrap()]["schema"];
        let is_plain = self.header("content-encoding").is_none();
        if kind.contains("json") && schema.is_object() && is_plain {
            let value = self.json();
            let schema = json!({"allOf": [schema], "components": DOCUMENT["components"]});
            let validator = jsonschema::draft202012::new(&schema).unwrap();
            let wrong: Vec<String> = validator
                .iter_errors(&value)
                .map(|error| format!("{error} at {}", error.instance_path()))
                .collect();
            assert_eq!(wrong, Vec::<String>::new(), "{method} {path} {status}: {value}");
        }
    }
}

/// The document of the API.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(document::TEXT).unwrap());

/// The documented operation behind a request, if there is one.
fn operation(method: &str, path: &str) -> Option<&'static Value> {
    let path = path.split('?').next()?;
    let fits = |pattern: &str| {
        let (pattern, path): (Vec<_>, Vec<_>) = (pattern.split('/').collect(), path.split('/').collect());
        pattern.len() == path.len()
            && pattern.iter().zip(path).all(|(part, word)| part.starts_with('{') || *part == word)
    };
    let (_, item) = DOCUMENT["paths"].as_object()?.iter().find(|(pattern, _)| fits(pattern))?;
    item.get(method.to_lowercase())
}

/// A game of Industrial Waste of these players.
pub fn table(players: &[&Player], options: &Value) -> String {
    table_of("industrial-waste", players, options)
}

/// A game of these players, created by the first and joined by the others.
pub fn table_of(ruleset: &str, players: &[&Player], options: &Value) -> String {
    let game = players[0].creates(&json!({"ruleset": ruleset, "seats": players.len(), "options": options}));
    for player in &players[1..] {
        player.post(&format!("{game}/seats"), &json!({})).expect(201);
    }
    game
}

/// Plays the first listed command of whoever must decide, and keeps its receipt.
pub fn play_one(game: &str, players: &[&Player]) -> String {
    let view = players[0].get(&format!("{game}/view")).expect(200);
    let player = players[usize::try_from(view["to_act"][0].as_u64().unwrap()).unwrap()];
    let legal = player.get(&format!("{game}/legal-commands")).expect(200);
    let sent = json!({"expected_seq": legal["seq"], "command": legal["commands"][0]["command"]});
    player.post(&format!("{game}/commands"), &sent).expect(201)["receipt"].as_str().unwrap().to_owned()
}

/// Lets every seat play its listed commands, chosen by `choose`, to the end; gives the receipts.
pub fn play_to_the_end(
    game: &str,
    players: &[&Player],
    mut choose: impl FnMut(usize) -> usize,
) -> Vec<String> {
    let mut receipts = Vec::new();
    loop {
        let view = players[0].get(&format!("{game}/view")).expect(200);
        let Some(seat) = view["to_act"][0].as_u64() else { return receipts };
        let player = players[usize::try_from(seat).unwrap()];
        let legal = player.get(&format!("{game}/legal-commands")).expect(200);
        let all = legal["commands"].as_array().unwrap();
        // Loans are always possible; a game of nothing but loans is a dull one.
        let some: Vec<&Value> =
            all.iter().filter(|listed| listed["command"]["type"] != "take_loan").collect();
        let command = &some[choose(some.len())]["command"];
        let sent = json!({"expected_seq": legal["seq"], "command": command});
        let done = player.post(&format!("{game}/commands"), &sent).expect(201);
        receipts.push(done["receipt"].as_str().unwrap().to_owned());
    }
}
