//! The servers as clients see them: a request goes to one after another until it is answered.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};

use crate::receiver::{Received, Reply};

/// The servers, wherever they are just now.
pub type Addresses = Arc<Mutex<Vec<SocketAddr>>>;

pub struct World {
    addresses: Addresses,
    stop: AtomicBool,
    chance: AtomicU64,
    agent: ureq::Agent,
    answered: AtomicU64,
    tried_again: AtomicU64,
    pub commands: AtomicU64,
    pub finished: AtomicU64,
}

impl World {
    pub fn of(addresses: Addresses) -> Arc<Self> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)))
            .max_idle_age(Duration::from_secs(1))
            .build();
        Arc::new(Self {
            addresses,
            stop: AtomicBool::new(false),
            chance: AtomicU64::new(u64::from(since.subsec_nanos()) | 1),
            agent: agent.into(),
            answered: AtomicU64::new(0),
            tried_again: AtomicU64::new(0),
            commands: AtomicU64::new(0),
            finished: AtomicU64::new(0),
        })
    }

    pub fn random(&self, below: usize) -> usize {
        let next = |mut x: u64| {
            x ^= x << 13;
            x ^= x >> 7;
            Some(x ^ (x << 17))
        };
        let drawn = self.chance.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).unwrap();
        usize::try_from(drawn >> 11).unwrap() % below
    }

    /// Returns true once in this number of calls, at random.
    pub fn once_in(&self, times: usize) -> bool {
        self.random(times) == 0
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub fn any(&self) -> SocketAddr {
        let addresses = self.addresses.lock().unwrap();
        addresses[self.random(addresses.len())]
    }

    pub fn so_far(&self) -> String {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let [answered, again] = [&self.answered, &self.tried_again].map(count);
        let [commands, finished] = [&self.commands, &self.finished].map(count);
        format!(
            "{answered} answers ({again} asked for again), {commands} commands, {finished} games finished"
        )
    }

    /// Sends a request once. A killed server does not answer.
    pub fn try_once(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Option<(u16, String)> {
        let mut request =
            ureq::http::Request::builder().method(method).uri(format!("http://{}{path}", self.any()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut answer = self.agent.run(request.body(body.to_owned()).ok()?).ok()?;
        let status = answer.status().as_u16();
        let text = answer.body_mut().with_config().limit(64 << 20).read_to_string().ok()?;
        assert!(status < 500 || status == 503, "{method} {path}: {status} {text}");
        self.answered.fetch_add(1, Ordering::Relaxed);
        Some((status, text))
    }

    /// Repeats a request until it has a final answer.
    pub fn ask(&self, method: &str, path: &str, token: &str, key: Option<&str>, body: &str) -> (u16, String) {
        let begin = Instant::now();
        let bearer = format!("Bearer {token}");
        let mut headers = vec![("Content-Type", "application/json")];
        headers.extend((!token.is_empty()).then_some(("Authorization", bearer.as_str())));
        headers.extend(key.map(|key| ("Idempotency-Key", key)));
        loop {
            assert!(begin.elapsed() < Duration::from_mins(2), "{method} {path} is not answered");
            match self.try_once(method, path, &headers, body) {
                Some((status, text)) if !matches!(status, 429 | 503) => return (status, text),
                _ => {
                    self.tried_again.fetch_add(1, Ordering::Relaxed);
                    thread::sleep(Duration::from_millis(20));
                }
            }
        }
    }

    pub fn get(&self, path: &str, token: &str) -> Value {
        let (status, text) = self.ask("GET", path, token, None, "");
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Sends a request, and returns a successful answer.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        token: &str,
        key: Option<&str>,
        body: &Value,
    ) -> Result<Value, String> {
        let (status, text) = self.ask(method, path, token, key, &body.to_string());
        if status < 300 { Ok(serde_json::from_str(&text).unwrap_or_default()) } else { Err(text) }
    }

    /// Returns a receiver of webhooks that often fails.
    pub fn failing(self: &Arc<Self>) -> impl FnMut(&Received) -> Reply + Send + use<> {
        let world = Arc::clone(self);
        move |received| match world.random(8) {
            _ if received.body.contains(r#""type":"test""#) => Reply::Echo(200),
            0..=3 => Reply::Echo(200),
            4 => Reply::Echo(500),
            5 => Reply::Text("what is this\r\n\r\n".into()),
            6 => Reply::Silence,
            _ => Reply::Close,
        }
    }

    /// Returns the token of a new player.
    pub fn player(&self) -> String {
        let made = self.send("POST", "/v1/players", "", None, &json!({"name": "Somebody"})).unwrap();
        made["token"].as_str().unwrap().to_owned()
    }
}
