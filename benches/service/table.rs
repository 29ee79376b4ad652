//! A game of Ecopolis played by two bots who read no more of an answer than they must.

use std::rc::Rc;

use serde_json::json;

use crate::client::{Client, Failure};

/// Two players who play many games with each other.
pub struct Pair {
    tokens: [String; 2],
}

impl Pair {
    pub async fn new(client: &mut Client) -> Result<Rc<Self>, Failure> {
        let mut tokens = [String::new(), String::new()];
        for token in &mut tokens {
            let created = client.post_json("/v1/players", None, &json!({"name": "Bot"})).await?;
            created["token"].as_str().unwrap_or_default().clone_into(token);
        }
        Ok(Rc::new(Self { tokens }))
    }

    pub fn token(&self, seat: usize) -> &str {
        &self.tokens[seat]
    }
}

pub struct Table {
    pair: Rc<Pair>,
    pub path: String,
    seq: u64,
    seat: usize,
    command: Option<String>,
}

impl Table {
    pub async fn open(client: &mut Client, pair: Rc<Pair>) -> Result<Self, Failure> {
        let new = json!({"ruleset": "ecopolis", "seats": 2, "options": {"max_rounds": 200}});
        let created = client.post_json("/v1/games", Some(pair.token(0)), &new).await?;
        let path = format!("/v1/games/{}", created["id"].as_str().unwrap_or_default());
        client.post(&format!("{path}/seats"), Some(pair.token(1)), "{}".into()).await?;
        let mut table = Self { pair, path, seq: 0, seat: 0, command: None };
        table.look(client).await?;
        Ok(table)
    }

    /// Whether the game goes on.
    pub const fn goes_on(&self) -> bool {
        self.command.is_some()
    }

    pub async fn look(&mut self, client: &mut Client) -> Result<(), Failure> {
        let view = client.get(&format!("{}/view", self.path), Some(self.pair.token(self.seat))).await?;
        self.read(&String::from_utf8_lossy(&view))
    }

    /// Sends the command that follows from the last answer.
    pub async fn play(&mut self, client: &mut Client) -> Result<(), Failure> {
        let Some(command) = self.command.take() else { return Ok(()) };
        let body = format!(r#"{{"expected_seq":{},"command":{command}}}"#, self.seq);
        let path = format!("{}/commands", self.path);
        let answer = client.post(&path, Some(self.pair.token(self.seat)), body).await?;
        self.read(&String::from_utf8_lossy(&answer))
    }

    fn read(&mut self, answer: &str) -> Result<(), Failure> {
        // The answer to a command has the view behind what happened.
        let view = answer.find(r#""viewer":"#).map_or(answer, |place| &answer[place.saturating_sub(20)..]);
        let number = |name: &str| -> Option<u64> {
            let rest = &view[view.find(name)? + name.len()..];
            rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse().ok()
        };
        self.seq = number(r#""seq":"#).ok_or("no seq")?;
        self.command = None;
        let Some(seat) = number(r#""to_act":["#) else { return Ok(()) };
        self.seat = usize::try_from(seat)?;
        let phase = view.find(r#""phase":""#).map(|place| &view[place + 9..]).ok_or("no phase")?;
        self.command = Some(match phase.split('"').next() {
            Some("roll") => r#"{"type":"roll"}"#.to_owned(),
            Some("square") => r#"{"type":"end_turn"}"#.to_owned(),
            // In debt these bots give up: the next game is soon begun.
            _ => return Ok(()),
        });
        Ok(())
    }
}
