//! A game that tests play entry by entry, with the signatures of its players.

use serde_json::{Value, json};

use crate::{
    engine::{Format, Seat, Seats},
    ledger::{
        chain::Link,
        consequence::Consequence,
        device::Device,
        document,
        entry::{Body, By, Genesis, Holder, Join, PlainAct},
        evidence::Evidence,
        game::{Dealer, Game},
        message::{Message, Seating, Spot},
        plan::{Plan, PlanRule},
        player_secret::PlayerSecret,
        receipt::Receipt,
        report::{Outcome, Report},
        seed::{ServerSeed, entropy_commitment},
        signed::{PartOfRequest, Signed},
        standing::{Control, Sitting},
        terms::{Clock, Terms},
        verify::verify,
    },
    rulesets::{AnyCommand, RulesetId},
    tree::{note::VerifierKey, signer::Signer},
};

pub const GAME: &str = "0199a000-0000-7000-8000-000000000001";

pub fn signer() -> Signer {
    Signer::new("play.example", &[42; 32]).unwrap()
}

pub fn key() -> VerifierKey {
    signer().verifier_key()
}

pub fn secret(byte: u8) -> PlayerSecret {
    PlayerSecret::new(&[byte; 32])
}

/// The terms of a table. `Played::start` adds the rules.
pub fn terms() -> Terms {
    Terms {
        clock: Some(Clock { move_seconds: 60, bank_seconds: 90 }),
        takebacks: true,
        substitutes: true,
        ..Terms::of("", 1, Value::Null, 0)
    }
}

/// A game in progress. A seat with keys signs with its newest.
pub struct Played {
    pub game: Game,
    pub links: Vec<Link>,
    pub seed: ServerSeed,
    pub now: u64,
    signers: Vec<Option<u8>>,
    statements: Vec<Device>,
    claims: u8,
}

impl Played {
    /// Starts a table whose seats have these keys. Players with a key contribute to the shuffle.
    pub fn start(ruleset: &str, signers: &[Option<u8>], options: &Value, terms: Terms) -> Self {
        let mut played = Self::open(ruleset, signers, options, terms);
        for seat in 0..signers.len() as u64 {
            played.join(seat);
        }
        for seat in 0..signers.len() as u64 {
            played.reveal(seat);
        }
        played.settle();
        played
    }

    /// The table before anyone joins.
    pub fn open(ruleset: &str, signers: &[Option<u8>], options: &Value, terms: Terms) -> Self {
        let id = RulesetId::current(ruleset).unwrap();
        let (seed, count) = (ServerSeed::new([7; 32]), signers.len() as u64);
        let options = json!(id.read_options(options, Seats::new(count).unwrap()).unwrap());
        let terms =
            Terms { ruleset: id.name().into(), version: id.version().into(), options, seats: count, ..terms };
        let genesis = Genesis { format: Format::Three, game: GAME.into(), commit: seed.commitment(), terms };
        let mut played = Self {
            game: Game::open(&genesis, Dealer::Seed(seed.clone())).unwrap(),
            links: Vec::new(),
            seed,
            now: 1_790_000_000_000,
            signers: signers.to_vec(),
            statements: Vec::new(),
            claims: 0,
        };
        played.write(&Body::Genesis(Box::new(genesis)));
        played
    }

    pub fn join(&mut self, seat: u64) {
        let (holder, entropy) = (Holder::person(format!("player-{seat}")), self.entropy(seat));
        let commit = entropy.map(|bytes| entropy_commitment(&bytes));
        let signed = self.signer(seat).map(|by| {
            let seating = Seating::Join { player: &holder.player, commit: commit.as_ref() };
            secret(by).claim(seating, (GAME, seat), self.nonce(), &self.game.standing.terms).unwrap()
        });
        self.write(&Body::Join(Join { seat, holder, commit, signed }));
    }

    pub fn reveal(&mut self, seat: u64) {
        if let Some(entropy) = self.entropy(seat) {
            self.write(&Body::Reveal { seat, entropy });
        }
    }

    pub fn signer(&self, seat: u64) -> Option<u8> {
        self.signers[usize::try_from(seat).unwrap()]
    }

    fn entropy(&self, seat: u64) -> Option<[u8; 32]> {
        self.signer(seat).map(|_| [100 + u8::try_from(seat).unwrap(); 32])
    }

    fn nonce(&mut self) -> [u8; 32] {
        self.claims += 1;
        [self.claims; 32]
    }

    /// Writes an entry without its consequences.
    pub fn write(&mut self, body: &Body) {
        let link = self.game.decide(self.now, body).unwrap_or_else(|fault| panic!("{body:?}: {fault}"));
        self.links.push(link);
    }

    /// Writes an entry and its consequences.
    pub fn add(&mut self, body: &Body) {
        self.write(body);
        self.settle();
    }

    pub fn settle(&mut self) {
        while let Some(next) = self.game.consequence().unwrap() {
            self.follow(&next);
        }
    }

    fn follow(&mut self, next: &Consequence) {
        self.links.push(match next {
            Consequence::Entry(body) => self.game.decide(self.now, body).unwrap(),
            Consequence::Command(body, command) => self.game.decide_command(self.now, body, command).unwrap(),
        });
    }

    /// Signs for the player of a seat, with the needed device statements.
    pub fn sign(&self, seat: u64, message: &Message) -> Option<Signed> {
        let mut signed = self.signature(self.signer(seat)?, seat, message);
        self.game.attach(seat, &mut signed, &self.statements);
        Some(signed)
    }

    fn signature(&self, by: u8, seat: u64, message: &Message) -> Signed {
        let (seen, head) = (self.game.seq(), self.game.chain.head());
        secret(by).sign(message, Spot { game: GAME, seat, seen, head })
    }

    pub fn act(&mut self, act: PlainAct, seat: u64) {
        let signed = self.sign(seat, &Message::act(act));
        self.add(&Body::Act { seat, act, signed });
    }

    /// Another key for the seat on the server's word, or none.
    pub fn rekey(&mut self, seat: u64, by: Option<u8>) {
        let message = Message::act(PlainAct::Rekey);
        let signed = by.map(|by| self.signature(by, seat, &message));
        self.signers[usize::try_from(seat).unwrap()] = by;
        self.add(&Body::Act { seat, act: PlainAct::Rekey, signed });
    }

    /// Links another device of the player, which signs from now on.
    pub fn link(&mut self, seat: u64, by: u8) {
        let player = self.sitting(seat).holder.player.clone();
        let old = self.signer(seat).unwrap();
        self.statements.push(secret(old).link(&secret(by), &player));
        self.signers[usize::try_from(seat).unwrap()] = Some(by);
    }

    /// Revokes all keys of the seat except the signing one.
    pub fn revoke(&mut self, seat: u64) {
        let own = secret(self.signer(seat).unwrap()).public();
        let mut keys = self.sitting(seat).keys.in_force().to_vec();
        keys.retain(|key| *key != own);
        keys.sort();
        let signed = self.sign(seat, &Message::revoke(&keys).unwrap());
        self.add(&Body::Revoke { seat, keys, signed });
    }

    /// A request of commands by the player of a seat.
    pub fn play(&mut self, seat: Seat, commands: &[AnyCommand]) {
        let place = u64::from(seat.number());
        if self.game.sitting(seat).unwrap().control == Control::Autopilot {
            self.act(PlainAct::Resume, place);
        }
        let cmds: Vec<Value> = commands.iter().map(|command| json!(command)).collect();
        let message = Message::commands(&cmds.iter().collect::<Vec<_>>()).unwrap();
        let signed = self.sign(place, &message);
        for ((no, cmd), command) in (0..).zip(cmds.iter()).zip(commands) {
            let signed = signed.clone().map(|mut signed| {
                if no > 0 {
                    signed.devices.clear();
                }
                PartOfRequest { signed, no, of: cmds.len() as u64 }
            });
            let body = Body::Cmd { seat: place, by: By::Player, cmd: cmd.clone(), signed };
            self.links.push(self.game.decide_command(self.now, &body, command).unwrap());
        }
        self.settle();
    }

    /// Sends a command for the seat to act.
    pub fn send(&mut self, command: &Value) {
        let command = self.game.setting.ruleset.read_command(command).unwrap();
        self.play(self.game.waits_for().unwrap(), &[command]);
    }

    /// The seat to act makes the first legal move.
    pub fn move_once(&mut self) {
        let seat = self.game.waits_for().unwrap();
        let command = self.game.table.as_ref().unwrap().legal(seat).commands[0].command.clone();
        self.play(seat, &[command]);
    }

    pub fn time_out(&mut self) {
        let Some(deadline) = self.game.clocks.deadline() else { return };
        self.now = self.now.max(deadline);
        let seat = self.game.waits_for().unwrap();
        let next = self.game.time_out(seat).unwrap().unwrap();
        self.follow(&next);
        self.settle();
    }

    pub fn take_back(&mut self, seat: Seat, to: u64) {
        let place = u64::from(seat.number());
        let signed = self.sign(place, &Message::takeback(to));
        self.add(&Body::Takeback { seat: place, to, signed });
    }

    /// Hands the seat to another player, who signs with this key.
    pub fn hand(&mut self, seat: u64, by: Option<u8>) {
        let holder = Holder::person(format!("substitute-{}", self.links.len()));
        let taken = by.map(|by| {
            let seating = Seating::Hand { player: &holder.player };
            secret(by).claim(seating, (GAME, seat), self.nonce(), &self.game.standing.terms).unwrap()
        });
        let message = Message::hand(&holder, taken.as_ref()).unwrap();
        let resigned = self.sitting(seat).control == Control::Resigned;
        let signed = self.sign(seat, &message).filter(|_| !resigned);
        self.add(&Body::Hand { seat, holder, taken, signed });
        self.signers[usize::try_from(seat).unwrap()] = by;
    }

    /// Plays by a plan of the seat, if a rule fits.
    pub fn plan(&mut self, seat: Seat, rules: Vec<PlanRule>) {
        let signed = self.sign(seat.number().into(), &Message::plan(&rules).unwrap());
        if let Some(next) = self.game.by_plan(seat, &Plan { rules, signed }).unwrap() {
            self.follow(&next);
            self.settle();
        }
    }

    pub fn sitting(&self, seat: u64) -> &Sitting {
        self.game.standing.sitting(seat).unwrap()
    }

    /// The receipt for an entry.
    pub fn receipt(&self, seq: u64) -> String {
        self.receipt_by(&signer(), seq)
    }

    pub fn receipt_by(&self, by: &Signer, seq: u64) -> String {
        let link = &self.links[usize::try_from(seq).unwrap()];
        by.sign(&Receipt { game: GAME.into(), seq, at: link.at, head: link.head })
    }

    pub fn document(&self) -> Vec<u8> {
        let end = self.receipt(self.links.last().unwrap().seq);
        document::write(self.links.iter().map(Link::parts), &self.seed, &end, &[])
    }
}

pub fn check(document: &[u8]) -> Report {
    verify(&Evidence { document, keys: &[key()], ..Evidence::default() })
}

/// Returns the names of the failed checks.
pub fn failed(report: &Report) -> Vec<&'static str> {
    let failed = report.checks.iter().filter(|check| check.outcome == Outcome::Fail);
    failed.map(|check| check.name).collect()
}
