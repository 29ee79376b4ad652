//! A game of two simple bots that parse little of each answer, so that the measured time is the server's.

use std::rc::Rc;

use playledger::{
    engine::Seats,
    ledger::{
        encoding::unhex,
        message::{Message, Seating, Spot},
        player_secret::PlayerSecret,
        terms::Terms,
    },
    rulesets::RulesetId,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::client::{Client, Failure};

/// The played games, in turn.
const GAMES: [&str; 2] = ["ecopolis", "industrial-waste"];

/// Two players of many games.
pub struct Pair {
    tokens: [String; 2],
    ids: [String; 2],
}

impl Pair {
    pub async fn new(client: &mut Client) -> Result<Rc<Self>, Failure> {
        let (mut tokens, mut ids) = ([String::new(), String::new()], [String::new(), String::new()]);
        for (token, id) in tokens.iter_mut().zip(&mut ids) {
            let created = client.post_json("/v1/players", None, &json!({"name": "Bot"})).await?;
            created["token"].as_str().unwrap_or_default().clone_into(token);
            created["player"]["id"].as_str().unwrap_or_default().clone_into(id);
        }
        Ok(Rc::new(Self { tokens, ids }))
    }

    pub fn token(&self, seat: usize) -> &str {
        &self.tokens[seat]
    }
}

pub struct Table {
    pub pair: Rc<Pair>,
    /// The number of the game, which determines its moves.
    number: usize,
    pub path: String,
    seq: u64,
    seat: usize,
    command: Option<String>,
    signs: Signs,
    /// The newest head, for signatures.
    head: Option<[u8; 32]>,
}

/// Whether players sign their moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Signs {
    Never,
    /// Players sign, but do not send the signatures: the same load for comparison.
    InVain,
    Always,
}

/// Returns the key of a seat.
fn secret(seat: usize) -> PlayerSecret {
    PlayerSecret::new(&[u8::try_from(seat).unwrap_or_default() + 1; 32])
}

impl Table {
    pub async fn open(client: &mut Client, pair: Rc<Pair>, number: usize) -> Result<Self, Failure> {
        Self::open_with(client, pair, number, Signs::Never).await
    }

    pub async fn open_with(
        client: &mut Client,
        pair: Rc<Pair>,
        number: usize,
        signs: Signs,
    ) -> Result<Self, Failure> {
        let ruleset = GAMES[number % GAMES.len()];
        let mut new = json!({"ruleset": ruleset, "seats": 2, "options": {"max_rounds": 200}});
        let mut join = json!({});
        if signs == Signs::Always {
            join = sign_both(&mut new, &pair).ok_or("a game that can be signed")?;
        }
        let created = client.post_json("/v1/games", Some(pair.token(0)), &new).await?;
        let path = format!("/v1/games/{}", created["id"].as_str().unwrap_or_default());
        client.post(&format!("{path}/seats"), Some(pair.token(1)), join.to_string()).await?;
        let mut table = Self { pair, number, path, seq: 0, seat: 0, command: None, signs, head: None };
        table.look(client).await?;
        Ok(table)
    }

    /// Two other players play the same in its place.
    pub async fn again(&mut self, client: &mut Client) -> Result<(), Failure> {
        let pair = Pair::new(client).await?;
        *self = Self::open_with(client, pair, self.number, self.signs).await?;
        Ok(())
    }

    /// Returns whether the game continues.
    pub const fn goes_on(&self) -> bool {
        self.command.is_some()
    }

    pub async fn look(&mut self, client: &mut Client) -> Result<(), Failure> {
        let view = client.get(&format!("{}/view", self.path), Some(self.pair.token(self.seat))).await?;
        self.read(&view)
    }

    /// Sends the command that follows from the last answer.
    pub async fn play(&mut self, client: &mut Client) -> Result<(), Failure> {
        self.play_under(client, false).await
    }

    /// Sends the command that follows from the last answer, with or without an idempotency key.
    pub async fn play_under(&mut self, client: &mut Client, has_key: bool) -> Result<(), Failure> {
        let Some(command) = self.command.take() else { return Ok(()) };
        let key = has_key.then(|| format!("{}-{}", &self.path[10..], self.seq));
        let signed = self.sign(&command)?;
        let signed = signed.filter(|_| self.signs == Signs::Always);
        let signed = signed.map_or(String::new(), |signed| format!(r#","signed":{signed}"#));
        let body = format!(r#"{{"expected_seq":{},"command":{command}{signed}}}"#, self.seq);
        let path = format!("{}/commands", self.path);
        let token = Some(self.pair.token(self.seat));
        let answer = client.post_under(&path, token, body, key.as_deref()).await?;
        self.read(&answer)
    }

    fn sign(&self, command: &str) -> Result<Option<Value>, Failure> {
        let Some(head) = &self.head else { return Ok(None) };
        let message = Message::commands(&[&serde_json::from_str(command)?])?;
        let game = self.path.rsplit('/').next().unwrap_or_default();
        let spot = Spot { game, seat: self.seat as u64, seen: self.seq, head };
        Ok(Some(secret(self.seat).sign(&message, spot).write()))
    }

    /// Tries the command that follows from the last answer.
    pub async fn draft(&self, client: &mut Client) -> Result<(), Failure> {
        let Some(command) = &self.command else { return Ok(()) };
        let body = format!(r#"{{"expected_seq":{},"commands":[{command}]}}"#, self.seq);
        let token = Some(self.pair.token(self.seat));
        client.post(&format!("{}/drafts", self.path), token, body).await.map(drop)
    }

    pub async fn own_view(&self, client: &mut Client) -> Result<(), Failure> {
        let token = Some(self.pair.token(self.seat));
        client.get(&format!("{}/view?with=legal", self.path), token).await.map(drop)
    }

    fn read(&mut self, answer: &[u8]) -> Result<(), Failure> {
        // In the answer to a command, the view follows the events.
        let view = after(answer, r#""view":"#).unwrap_or(answer);
        self.seq = number(view, r#""seq":"#).ok_or("no seq")?;
        self.command = None;
        let head = || unhex(until(after(view, r#""head":""#)?, "\"")?);
        self.head = (self.signs != Signs::Never).then(head).flatten();
        let Some(seat) = number(view, r#""to_act":["#) else { return Ok(()) };
        self.seat = usize::try_from(seat)?;
        self.command = command(view, self.seat);
        Ok(())
    }
}

/// Returns the text after the first occurrence.
fn after<'t>(text: &'t [u8], what: &str) -> Option<&'t [u8]> {
    memchr::memmem::find(text, what.as_bytes()).map(|place| &text[place + what.len()..])
}

/// Returns the text before the first occurrence.
fn until<'t>(text: &'t [u8], what: &str) -> Option<&'t str> {
    str::from_utf8(&text[..memchr::memmem::find(text, what.as_bytes())?]).ok()
}

fn number(text: &[u8], name: &str) -> Option<u64> {
    let rest = after(text, name)?;
    let digits = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

/// Returns the command of a bot. It resigns in debt, since the next game starts soon.
fn command(view: &[u8], seat: usize) -> Option<String> {
    let plain = |name: &str| Some(format!(r#"{{"type":"{name}"}}"#));
    match until(after(view, r#""phase":""#)?, "\"")? {
        "roll" => plain("roll"),
        "square" => plain("end_turn"),
        "choosing" => {
            // Columns are in brackets. A taken column is null.
            let column = until(after(view, r#""offer":["#)?, "[")?.matches("null").count();
            Some(format!(r#"{{"type":"choose_combination","column":{column}}}"#))
        }
        "auction" => plain("pass_bid"),
        "accident" | "final_accident" => plain("accept_accident"),
        "playing" => {
            let mut mine = after(view, r#""cards":["#)?;
            for _ in 0..seat {
                mine = after(mine, r#""cards":["#)?;
            }
            let cards: Vec<&str> = until(mine, "]")?.split(',').collect();
            match cards.iter().find(|card| **card != r#""raw_materials""#) {
                _ if cards.len() == 1 => plain("save_card"),
                Some(card) => Some(format!(r#"{{"type":"discard","card":{card}}}"#)),
                None => Some(r#"{"type":"sell_materials","advisor":false}"#.to_owned()),
            }
        }
        _ => None,
    }
}

/// Signs both seats of a new game: completes its request, and returns the other player's request.
fn sign_both(new: &mut Value, pair: &Pair) -> Option<Value> {
    let (id, ruleset) = (Uuid::now_v7().to_string(), RulesetId::current(new["ruleset"].as_str()?)?);
    let options = ruleset.read_options(&new["options"], Seats::new(2)?).ok()?;
    let mut terms = Terms::of(ruleset.name(), ruleset.version().into(), json!(options), 2);
    terms.rated = true;
    let claim = |seat: usize| {
        let seating = Seating::Join { player: &pair.ids[seat], commit: None };
        let half = *Uuid::now_v7().as_bytes();
        let nonce = std::array::from_fn(|place| half[place % 16]);
        Some(secret(seat).claim(seating, (&id, seat as u64), nonce, &terms).ok()?.write())
    };
    let (first, second) = (claim(0)?, claim(1)?);
    new["options"] = json!(options);
    new["version"] = ruleset.version().into();
    new["signed"] = first;
    new["id"] = json!(id);
    Some(json!({"seat": 1, "signed": second}))
}
