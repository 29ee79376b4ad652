//! A game of fairlog/1 hosted from its genesis to its end, as earlier versions of the service did it.

use serde_json::{Value, json};

use crate::{
    engine::{Chance, Format, Seat, Seats, Vary, conformance::Dice, hash::Bytes32},
    ledger::{
        chain::{Chain, Link},
        document,
        entry::{Body, By, Genesis, Holder, Join, Op, Reason},
        evidence::Evidence,
        receipt::Receipt,
        report::{Outcome, Report},
        seed::{ServerSeed, entropy_commitment},
        terms::Terms,
        verify::verify,
    },
    rulesets::{AnyCommand, AnyStatus, AnyTable, RulesetId, short_options},
    tree::{note::VerifierKey, signer::Signer},
};

/// What these games are written in.
const FORMAT: Format = Format::One;

pub const GAME: &str = "0199a000-0000-7000-8000-000000000001";

pub fn signer() -> Signer {
    Signer::new("play.example", &[42; 32]).unwrap()
}

pub fn key() -> VerifierKey {
    signer().verifier_key()
}

/// A log in the making.
pub struct Hosted {
    pub chain: Chain,
    pub links: Vec<Link>,
    pub server_seed: ServerSeed,
    pub seats: Seats,
    pub table: Option<AnyTable>,
    clock: u64,
}

impl Hosted {
    pub fn open(seats: u64, options: &Value, seed: u8) -> Self {
        Self::open_of("industrial-waste", seats, options, seed)
    }

    pub fn open_of(ruleset: &str, seats: u64, options: &Value, seed: u8) -> Self {
        let id = RulesetId::current(ruleset).unwrap();
        let server_seed = ServerSeed::new(FORMAT, [seed; 32]);
        let seats = Seats::new(seats).unwrap();
        let options = serde_json::to_value(id.read_options(options, seats).unwrap()).unwrap();
        let commit = server_seed.commitment();
        let mut hosted = Self {
            chain: Chain::new(FORMAT),
            links: Vec::new(),
            server_seed,
            seats,
            table: None,
            clock: 1_770_000_000_000,
        };
        hosted.add(&Body::Genesis(Box::new(Genesis {
            format: FORMAT,
            game: GAME.into(),
            ruleset: id.name().into(),
            version: id.version().into(),
            options,
            seats: seats.count().into(),
            commit,
            terms: Terms::default(),
        })));
        hosted
    }

    pub fn add(&mut self, body: &Body) {
        self.clock += 1_000;
        let link = self.chain.append(&self.server_seed, self.clock, body, &[]).unwrap();
        self.links.push(link);
    }

    fn add_played(&mut self, body: &Body) {
        self.clock += 1_000;
        let draws = self.table.as_ref().unwrap().draws();
        let link = self.chain.append(&self.server_seed, self.clock, body, draws).unwrap();
        self.links.push(link);
    }

    /// Takes every seat; those that give bytes promise them.
    pub fn fill(&mut self, entropy: &[Option<Bytes32>]) {
        for (seat, entropy) in (0..).zip(entropy) {
            let commit = entropy.as_ref().map(|bytes| entropy_commitment(FORMAT, bytes));
            let holder = Holder::person(format!("player-{seat}"));
            self.add(&Body::Join(Join { seat, holder, commit }));
        }
        self.add(&Body::Seal);
    }

    pub fn reveal_and_start(&mut self, entropy: &[Option<Bytes32>]) {
        let head = *self.chain.head();
        for (seat, entropy) in (0..).zip(entropy) {
            if let Some(entropy) = entropy {
                self.add(&Body::Reveal { seat, entropy: *entropy });
            }
        }
        let genesis: Value = serde_json::from_slice(&self.links[0].body).unwrap();
        let id = RulesetId::current(genesis["rules"]["name"].as_str().unwrap()).unwrap();
        let options = id.read_options(&genesis["options"], self.seats).unwrap();
        let seed = self.server_seed.game_seed(&head, entropy);
        self.table = Some(AnyTable::start(&options, self.seats, Chance::seeded(seed)));
        self.add_played(&Body::Start);
    }

    pub fn submit(&mut self, seat: Seat, by: By, command: &AnyCommand) {
        self.table.as_mut().unwrap().submit(seat, command).unwrap();
        let cmd = serde_json::to_value(command).unwrap();
        self.add_played(&Body::cmd(seat.number().into(), by, cmd));
    }

    pub fn autopilot(&mut self) -> bool {
        let table = self.table.as_ref().unwrap();
        let AnyStatus::ToAct(seat) = table.status() else { return false };
        let command = table.autopilot(seat).unwrap();
        self.submit(seat, By::Autopilot, &command);
        true
    }

    pub fn end(&mut self) {
        let AnyStatus::Finished(outcome) = self.table.as_ref().unwrap().status() else { panic!("goes on") };
        let result = serde_json::to_value(outcome).unwrap();
        self.add(&Body::End { reason: Reason::Finished, result });
    }

    pub fn call_off(&mut self) {
        self.add(&Body::End { reason: Reason::Void, result: Value::Null });
    }

    /// The receipt that was given for an entry.
    pub fn receipt(&self, seq: u64) -> String {
        let head = self.links[usize::try_from(seq).unwrap()].head;
        signer().sign(&Receipt { format: self.chain.format(), game: GAME.into(), seq, head })
    }

    pub fn document(&self) -> Vec<u8> {
        let end = self.receipt(self.links.last().unwrap().seq);
        document::write(self.links.iter().map(Link::parts), &self.server_seed, &end, &[])
    }
}

/// A short game: two seats, one round, two promises of entropy, and a seat that goes to the autopilot.
pub fn short_game() -> Hosted {
    let entropy = [Some([0x11; 32]), Some([0x22; 32])];
    let mut hosted = Hosted::open(2, &json!({"max_rounds": 1}), 7);
    hosted.fill(&entropy);
    hosted.reveal_and_start(&entropy);
    hosted.add(&Body::sys(Op::Autopilot, 0));
    while hosted.autopilot() {}
    hosted.end();
    hosted
}

/// A whole game of listed commands, the same for the same number.
pub fn random_game(ruleset: &str, number: u64) -> Hosted {
    let mut dice = Dice::new(number);
    let seats = 2 + dice.below(3);
    let mut bytes = || dice.often().then(|| [u8::try_from(dice.below(256)).unwrap(); 32]);
    let entropy: Vec<_> = (0..seats).map(|_| bytes()).collect();
    let options = short_options(RulesetId::current(ruleset).unwrap(), Seats::new(seats).unwrap(), 6);
    let mut hosted = Hosted::open_of(ruleset, seats, &options, u8::try_from(number % 256).unwrap());
    hosted.fill(&entropy);
    hosted.reveal_and_start(&entropy);
    while let AnyStatus::ToAct(seat) = hosted.table.as_ref().unwrap().status() {
        let listed = hosted.table.as_ref().unwrap().legal(seat).commands;
        let choice = dice.pick(&listed).clone();
        let command = choice.vary.map_or(choice.command.clone(), |Vary { field, min, max }| {
            let mut varied = serde_json::to_value(&choice.command).unwrap();
            varied[field] = (min + dice.below(max - min + 1)).into();
            hosted.table.as_ref().unwrap().ruleset().read_command(&varied).unwrap()
        });
        hosted.submit(seat, By::Player, &command);
    }
    hosted.end();
    hosted
}

pub fn check(document: &[u8], receipts: &[String]) -> Report {
    verify(&Evidence { document, keys: &[key()], receipts, ..Evidence::default() })
}

/// The names of the checks that failed.
pub fn failed(report: &Report) -> Vec<&'static str> {
    let failed = report.checks.iter().filter(|check| check.outcome == Outcome::Fail);
    failed.map(|check| check.name).collect()
}

pub fn outcome(report: &Report, name: &str) -> Outcome {
    report.checks.iter().find(|check| check.name == name).unwrap().outcome
}
