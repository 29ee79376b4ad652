use std::{
    collections::BTreeSet,
    error::Error,
    io::{BufRead as _, BufReader},
    process::ExitCode,
    thread,
    time::Duration,
};

use clap::Args;
use playledger::arena::Program;
use serde_json::{Value, json};
use ureq::{Agent, Body, http::Response};

use super::client;

/// Pause before a request is repeated.
const PAUSE: Duration = Duration::from_secs(2);
/// A stream is silent for at most this long.
pub const SILENCE: Duration = Duration::from_mins(2);

/// Connect a bot program to a server (the same program as for the arena)
///
/// Accepts invitations, and asks the program whenever one of its games waits for it. One process serves
/// all games. If the program has no answer, that game waits: the bridge reports it and continues with the
/// others.
#[derive(Args)]
pub struct Bridge {
    /// Address of the server, such as `https://play.example`
    #[arg(long, value_name = "URL")]
    server: String,
    /// Token of the program's account, with the scope `play`
    #[arg(long, env = "PLAYLEDGER_TOKEN", hide_env_values = true)]
    token: String,
    /// Milliseconds that the program has for a decision
    #[arg(long, default_value_t = 10_000, value_name = "COUNT")]
    move_ms: u64,
    /// Program and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    program: Vec<String>,
}

/// A server, for one of its players.
struct Server {
    url: String,
    token: String,
    agent: Agent,
}

impl Bridge {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let mut program = Program::begin(&self.program, Duration::from_millis(self.move_ms))?;
        let server = Server::new(&self.server, self.token);
        let me = server.get("/v1/me")?;
        let name = me["name"].as_str().unwrap_or_default().to_owned();
        eprintln!("playledger: {name} plays at {}", server.url);
        if me["bot"] != true {
            eprintln!(
                "playledger: {name} is not marked as a bot; `PUT /v1/me/bot` marks it and says which games it accepts"
            );
        }
        loop {
            if let Err(error) = follow(&server, &mut program) {
                eprintln!("playledger: {error}; trying again");
            }
            thread::sleep(PAUSE);
        }
    }
}

/// Plays in the waiting games, then follows the stream until it ends.
fn follow(server: &Server, program: &mut Program) -> Result<(), Box<dyn Error>> {
    // Listens first, so that no event is missed.
    let mut lines = server.listen("/v1/me/events")?.lines();
    let mut waiting: BTreeSet<String> = BTreeSet::new();
    for game in server.get("/v1/me/games?turn=mine&limit=100")?["items"].as_array().into_iter().flatten() {
        waiting.extend(game["id"].as_str().map(str::to_owned));
    }
    let mut kind = String::new();
    loop {
        for game in std::mem::take(&mut waiting) {
            if let Err(error) = act(server, program, &game) {
                eprintln!("playledger: game {game}: {error}");
            }
        }
        let line = lines.next().ok_or("the server has ended the stream")??;
        if let Some(event) = line.strip_prefix("event: ") {
            event.clone_into(&mut kind);
        } else if let Some(data) = line.strip_prefix("data: ") {
            let data: Value = serde_json::from_str(data).unwrap_or_default();
            let game = data["game"].as_str().unwrap_or_default().to_owned();
            match kind.as_str() {
                "turn" => drop(waiting.insert(game)),
                "invitation" => join(server, &game, &data["invite"]),
                "reset" => return Ok(()),
                _ => {}
            }
        }
    }
}

/// Takes a seat at a table to which the program is invited. Another player may have been faster.
fn join(server: &Server, game: &str, invite: &Value) {
    let key = format!("join-{game}");
    match server.post(&format!("/v1/games/{game}/seats"), &key, &json!({"invite": invite})) {
        Ok(_) => eprintln!("playledger: joined {game}"),
        Err(error) => eprintln!("playledger: did not join {game}: {error}"),
    }
}

/// Plays in a game while it is the program's turn.
fn act(server: &Server, program: &mut Program, game: &str) -> Result<(), Box<dyn Error>> {
    loop {
        let view = server.get(&format!("/v1/games/{game}/view?with=legal"))?;
        let seat = &view["viewer"]["seat"];
        let is_mine = view["to_act"].as_array().is_some_and(|to_act| to_act.contains(seat));
        if seat.is_null() || !is_mine || view["paused"] == true {
            return Ok(());
        }
        let asked = json!({
            "game": game, "ruleset": view["ruleset"], "seat": seat, "seq": view["seq"], "view": view["state"], "legal": view["legal"],
        });
        let command = program.ask(&asked).map_err(|foul| foul.to_string())?;
        // A repeated decision under the same key is carried out once.
        let key = format!("{game}-{}", view["seq"]);
        let sent = json!({"expected_seq": view["seq"], "command": command});
        let done = server.post(&format!("/v1/games/{game}/commands"), &key, &sent)?;
        if done["code"] == "stale_seq" {
            continue;
        }
        if let Some(detail) = done["detail"].as_str() {
            return Err(format!("the program sent an illegal command: {detail}").into());
        }
    }
}

impl Server {
    fn new(url: &str, token: String) -> Self {
        let agent = client::agent(|config| {
            config.timeout_connect(Some(SILENCE)).timeout_recv_response(Some(SILENCE))
        });
        Self { url: url.trim_end_matches('/').to_owned(), token, agent }
    }

    fn get(&self, path: &str) -> Result<Value, Box<dyn Error>> {
        let request = self.agent.get(format!("{}{path}", self.url));
        read(request.header("Authorization", format!("Bearer {}", self.token)).call()?)
    }

    /// Repeats a request until it succeeds or is refused. Temporary failures are retried.
    fn post(&self, path: &str, key: &str, body: &Value) -> Result<Value, Box<dyn Error>> {
        loop {
            let request = self.agent.post(format!("{}{path}", self.url));
            let request = request.header("Authorization", format!("Bearer {}", self.token));
            let request = request.header("Idempotency-Key", key).header("Content-Type", "application/json");
            match request.send(body.to_string()) {
                Ok(answer) if matches!(answer.status().as_u16(), 429 | 500..) => {}
                Ok(mut answer) => {
                    let is_well = answer.status().is_success();
                    let said: Value = serde_json::from_str(&answer.body_mut().read_to_string()?)?;
                    let is_told = is_well || said["code"].is_string();
                    return if is_told { Ok(said) } else { Err(answer.status().to_string().into()) };
                }
                Err(error) => eprintln!("playledger: {error}; trying again"),
            }
            thread::sleep(PAUSE);
        }
    }

    /// Opens a stream, which is read until the server is silent.
    fn listen(&self, path: &str) -> Result<BufReader<impl std::io::Read + use<>>, Box<dyn Error>> {
        let request = self.agent.get(format!("{}{path}", self.url)).header("Accept", "text/event-stream");
        let answer = request.header("Authorization", format!("Bearer {}", self.token)).call()?;
        if !answer.status().is_success() {
            return Err(read(answer).map_or_else(|error| error, |_| "the stream is not available".into()));
        }
        Ok(BufReader::new(answer.into_body().into_reader()))
    }
}

fn read(mut answer: Response<Body>) -> Result<Value, Box<dyn Error>> {
    let is_well = answer.status().is_success();
    let said: Value = serde_json::from_str(&answer.body_mut().read_to_string()?).unwrap_or_default();
    if is_well {
        Ok(said)
    } else {
        Err(format!("{}: {}", answer.status(), said["detail"].as_str().unwrap_or("no reason given")).into())
    }
}
