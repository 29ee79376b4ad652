//! Clients and their requests.

use std::time::Duration;

use serde_json::Value;

use super::{Answer, Server, Stream, recorder};

pub struct Player<'s> {
    pub server: &'s Server,
    pub id: String,
    pub token: String,
    pub recovery: String,
}

impl<'s> Player<'s> {
    /// Returns a player with only a token.
    pub fn with(server: &'s Server, token: String) -> Self {
        Self { server, id: String::new(), token, recovery: String::new() }
    }

    pub fn send(&self, method: &str, path: &str) -> Request<'_> {
        self.server.send(method, path).token(&self.token)
    }

    /// Returns whether its token is valid.
    pub fn is_known(&self) -> bool {
        self.get("/v1/me").status == 200
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path).go()
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path).json(body).go()
    }

    /// Reads a list as a whole and item by item. Returns the number of items.
    pub fn counts_in_pages(&self, path: &str) -> usize {
        let join = if path.contains('?') { '&' } else { '?' };
        // Other fields of items may change meanwhile.
        let ids = |page: &Value| -> Vec<Value> {
            page["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect()
        };
        let whole = self.get(&format!("{path}{join}limit=100")).expect(200);
        assert_eq!(whole["next_cursor"], Value::Null, "{path}");
        let (mut items, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.get(&format!("{path}{join}limit=1{cursor}")).expect(200);
            items.extend(ids(&page));
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(items, ids(&whole), "{path}");
        self.get(&format!("{path}{join}cursor=zz")).problem(400, "malformed");
        self.get(&format!("{path}{join}limit=0")).problem(400, "malformed");
        items.len()
    }

    /// Returns the legal commands of the player's seat, with the `seq` of the view.
    pub fn legal(&self, game: &str) -> Value {
        let mut view = self.get(&format!("{game}/view?with=legal")).expect(200);
        let seq = view["seq"].take();
        let mut legal = view["legal"].take();
        legal["seq"] = seq;
        legal
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

impl<'s> Request<'s> {
    pub fn new(server: &'s Server, method: &str, path: &str) -> Self {
        Self { server, method: method.into(), path: path.into(), headers: vec![], body: None }
    }

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
        let url = format!("http://{}{}", self.server.next_address(), self.path);
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

    /// Sends the request, and checks the answer against the document.
    pub fn go(self) -> Answer {
        let (method, path, body) = (self.method.clone(), self.path.clone(), self.body.clone());
        let answer = self.go_unchecked();
        answer.assert_is_as_documented(&method, &path);
        recorder::record(&method, &path, body.as_deref(), &answer);
        answer
    }

    /// Sends the request without checks, for answers stored by an earlier version.
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
