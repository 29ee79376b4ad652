//! Tables of all kinds, and their players.

use std::{collections::BTreeMap, sync::Arc, thread, time::Duration};

use playledger::{
    engine::{Fields, Seats},
    ledger::{
        encoding::unhex,
        message::{Message, Seating, Spot},
        plan::PlanRule,
        player_secret::PlayerSecret,
        terms::Terms,
    },
    rulesets::RulesetId,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{streams::Heard, world::World};

const RULESETS: [&str; 2] = ["industrial-waste", "ecopolis"];
const LEVELS: [&str; 4] = ["easy", "middle", "hard", "hardest"];

/// A player of many tables.
pub struct Person {
    pub id: String,
    pub token: String,
    pub inbox: Heard,
    secret: PlayerSecret,
}

/// Everything that players heard of a game.
pub struct Record {
    pub game: String,
    /// Number of seats with people, from the lowest on.
    pub people: usize,
    pub is_finished: bool,
    /// For each key: the seq of its entry, and its head by the receipt.
    pub receipts: BTreeMap<String, (u64, String)>,
    pub streamed: Heard,
}

/// People who play one game after another, and the records of their games.
pub struct Circle {
    pub people: Vec<Person>,
    /// The first one's hook.
    pub hook: String,
    pub records: Vec<Record>,
}

/// Plays one game after another until the end of the soak.
pub fn play_on(world: &Arc<World>, number: usize, hook: &str) -> Circle {
    let people: Vec<Person> = (0..4u8).map(|person| Person::new(world, person)).collect();
    let order = json!({"url": hook, "format": "standard", "types": ["finished"]});
    let made = world.send("POST", "/v1/webhooks", &people[0].token, None, &order).unwrap();
    let hook = made["id"].as_str().unwrap().to_owned();
    let mut circle = Circle { people, hook, records: Vec::new() };
    while !world.is_stopped() {
        let name = format!("{number}-{}", circle.records.len());
        let record = Table::open(world, &circle.people, name).play();
        circle.records.push(record);
    }
    circle
}

impl Person {
    fn new(world: &Arc<World>, number: u8) -> Self {
        let token = world.player();
        let id = world.get("/v1/me", &token)["id"].as_str().unwrap().to_owned();
        let inbox = Heard::follow(world, "/v1/me/events", &token);
        // After the first event no event can be missed, so a table without guests makes one.
        while inbox.all().is_empty() {
            let new = json!({"ruleset": "ecopolis", "seats": 2, "visibility": "private"});
            world.send("POST", "/v1/games", &token, None, &new).unwrap();
            thread::sleep(Duration::from_millis(500));
        }
        Self { id, token, inbox, secret: PlayerSecret::new(&[number + 1; 32]) }
    }
}

struct Table<'w> {
    world: &'w World,
    people: &'w [Person],
    name: String,
    path: String,
    is_signed: bool,
    acts: usize,
    record: Record,
}

impl<'w> Table<'w> {
    fn open(world: &'w Arc<World>, all: &'w [Person], name: String) -> Self {
        let seats = [2, 4][world.random(2)];
        let people = &all[..=world.random(seats)];
        let is_signed = world.once_in(3);
        let level = |_| LEVELS[world.random(LEVELS.len())];
        let bots: Vec<Value> =
            (people.len()..seats).map(|seat| json!({"seat": seat, "level": level(seat)})).collect();
        let clock = world.once_in(3).then(|| json!({"move_seconds": 600, "bank_seconds": 60}));
        let mut new = json!({
            "ruleset": RULESETS[world.random(2)], "seats": seats, "options": {"max_rounds": 3}, "bots": bots,
            "takebacks": world.once_in(2), "clock": clock, "title": "Soaked", "rated": false,
        });
        if is_signed {
            sign_new(&mut new, &people[0]);
        }
        let made =
            world.send("POST", "/v1/games", &people[0].token, Some(&format!("{name}-new")), &new).unwrap();
        let game = made["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/games/{game}");
        for (seat, person) in (1..).zip(&people[1..]) {
            let (seats, key) = (format!("{path}/seats"), format!("{name}-join"));
            let join = if is_signed {
                let log = world.get(&format!("{path}/log?limit=1"), &person.token);
                json!({"seat": seat, "signed": claim(person, &game, seat, &log["items"][0]["body"])})
            } else {
                json!({})
            };
            world.send("POST", &seats, &person.token, Some(&key), &join).unwrap();
        }
        let streamed = Heard::follow(world, &format!("{path}/events?after=-1"), "");
        let record =
            Record { game, people: people.len(), is_finished: false, receipts: BTreeMap::new(), streamed };
        Self { world, people, name, path, is_signed, acts: 0, record }
    }

    fn play(mut self) -> Record {
        while !self.world.is_stopped() {
            let game = self.world.get(&self.path, "");
            if game["status"] == "finished" {
                self.record.is_finished = true;
                self.world.finished.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                self.audit();
                break;
            }
            let waits_for = game["to_act"].as_array().unwrap();
            let seat =
                waits_for.iter().filter_map(Value::as_u64).find(|seat| *seat < self.people.len() as u64);
            match seat {
                Some(seat) => self.act(seat),
                // The machine thinks.
                None => thread::sleep(Duration::from_millis(50)),
            }
        }
        self.record
    }

    /// Makes one decision of a seat, and sometimes another act.
    fn act(&mut self, seat: u64) {
        let person = &self.people[usize::try_from(seat).unwrap()];
        let view = self.world.get(&format!("{}/view?with=legal", self.path), &person.token);
        let all = view["legal"]["commands"].as_array().unwrap_or_else(|| panic!("{view}"));
        // Loans are always legal, so other commands are preferred.
        let some: Vec<&Value> =
            all.iter().filter(|listed| listed["command"]["type"] != "take_loan").collect();
        if some.is_empty() {
            return;
        }
        let command = &some[self.world.random(some.len())]["command"];
        self.aside(person, seat, &view, command);
        let message = Message::commands(&[command]).unwrap();
        let mut sent = json!({"expected_seq": view["seq"], "command": command});
        self.sign(&mut sent, person, seat, &view, &message);
        let Some(done) = self.send("POST", "commands", person, &sent) else { return };
        let lines: Vec<&str> = done["receipt"].as_str().unwrap().lines().collect();
        self.record.receipts.insert(self.acts.to_string(), (lines[2].parse().unwrap(), lines[4].to_owned()));
        self.world.commands.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if self.world.once_in(10)
            && let Some(to) = done["view"]["takeback"]["to"].as_u64()
        {
            let mut sent = json!({"expected_seq": done["view"]["seq"], "to": to});
            let message = Message::takeback(to);
            self.sign(&mut sent, person, seat, &done["view"], &message);
            self.send("POST", "takebacks", person, &sent);
        }
    }

    /// Makes a random act other than a move.
    fn aside(&mut self, person: &Person, seat: u64, view: &Value, command: &Value) {
        let drafted = json!({"expected_seq": view["seq"], "commands": [command]});
        match self.world.random(24) {
            0 | 1 => drop(self.send("POST", "drafts", person, &drafted)),
            2 => {
                let rules = json!([{"phase": view["state"]["phase"], "command": command}]);
                let Ok(read) = PlanRule::read_all(rules.as_array().unwrap(), "rules") else { return };
                let mut plan = json!({"rules": rules});
                self.sign(&mut plan, person, seat, view, &Message::plan(&read).unwrap());
                self.send("PUT", "plan", person, &plan);
            }
            3 => drop(self.send("PUT", "note", person, &json!({"text": "What I mean to do next."}))),
            4 => drop(self.send("POST", "messages", person, &json!({"text": "Good luck!"}))),
            5 => {
                let at = self.world.random(usize::try_from(view["seq"].as_u64().unwrap()).unwrap() + 1);
                self.world.ask("GET", &format!("{}/view?at={at}", self.path), &person.token, None, "");
                self.world.get(&format!("{}/log?after={at}&limit=20", self.path), "");
            }
            6 if self.world.once_in(20) => drop(self.send("POST", "resignation", person, &json!({}))),
            _ => {}
        }
    }

    /// Sends an act with its own key. Acts that another player made impossible are ignored.
    fn send(&mut self, method: &str, what: &str, person: &Person, body: &Value) -> Option<Value> {
        self.acts += 1;
        let (path, key) = (format!("{}/{what}", self.path), format!("{}-{}", self.name, self.acts));
        match self.world.send(method, &path, &person.token, Some(&key), body) {
            Ok(done) => Some(done),
            Err(problem) => {
                let met: Value = serde_json::from_str(&problem).unwrap();
                let code = met["code"].as_str().unwrap();
                assert!(POSSIBLE.contains(&code), "{method} {path}: {problem} to {body}");
                None
            }
        }
    }

    fn sign(&self, sent: &mut Value, person: &Person, seat: u64, view: &Value, message: &Message) {
        if self.is_signed {
            let head = unhex(view["head"].as_str().unwrap()).unwrap();
            let spot =
                Spot { game: &self.record.game, seat, seen: view["seq"].as_u64().unwrap(), head: &head };
            sent["signed"] = person.secret.sign(message, spot).write();
        }
    }

    /// Verifies the whole game.
    fn audit(&self) {
        let (status, replay) = self.world.ask("GET", &format!("{}/replay", self.path), "", None, "");
        assert_eq!(status, 200, "{replay}");
        let report = self.world.send("POST", "/v1/audits", "", None, &json!({"replay": replay})).unwrap();
        for check in report["checks"].as_array().unwrap() {
            assert_ne!(check["outcome"], "fail", "{}: {report}", self.path);
        }
    }
}

/// Refusals caused by faster players or by time.
const POSSIBLE: [&str; 6] =
    ["stale_seq", "not_your_turn", "illegal_command", "game_not_running", "invalid_signature", "resigned"];

/// Completes a new game with an id and the signature of its creator.
fn sign_new(new: &mut Value, person: &Person) {
    let (id, count) = (Uuid::now_v7().to_string(), new["seats"].as_u64().unwrap());
    let ruleset = RulesetId::current(new["ruleset"].as_str().unwrap()).unwrap();
    let options = ruleset.read_options(&new["options"], Seats::new(count).unwrap()).unwrap();
    new["options"] = json!(options);
    new["version"] = ruleset.version().into();
    let genesis = json!({
        "rules": {"name": ruleset.name(), "version": ruleset.version()}, "options": options, "seats": count,
        "clock": new["clock"], "takebacks": new["takebacks"], "substitutes": false, "rated": false,
        "event": null, "previous": null,
    });
    new["signed"] = claim(person, &id, 0, &genesis);
    new["id"] = id.into();
}

fn claim(person: &Person, game: &str, seat: u64, genesis: &Value) -> Value {
    let terms = Terms::read(&mut Fields::of(genesis, "").unwrap()).unwrap();
    let half = *Uuid::now_v7().as_bytes();
    let nonce = std::array::from_fn(|place| half[place % 16]);
    let seating = Seating::Join { player: &person.id, commit: None };
    person.secret.claim(seating, (game, seat), nonce, &terms).unwrap().write()
}
