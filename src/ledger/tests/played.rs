//! Games of fairlog/2 with all that may happen in them, each the same for the same number.

use serde_json::{Value, json};

use super::hosted::{GAME, key, signer};
use crate::{
    engine::{Format, Seat, Seats, Vary, conformance::Dice},
    ledger::{
        chain::Link,
        consequence::Consequence,
        document,
        entry::{Body, By, Genesis, Holder, Join, Op},
        evidence::Evidence,
        game::{Dealer, Game},
        plan::{Plan, PlanRule},
        player_secret::PlayerSecret,
        receipt::Receipt,
        report::Report,
        seed::ServerSeed,
        signed::{Message, SeatKey, Signed, SignedPart, Spot},
        standing::Control,
        terms::{Clock, Terms},
        verify::verify,
    },
    rulesets::{AnyCommand, RulesetId, short_options},
    words::Status,
};

/// A game being played, and the keys with which its seats sign.
pub struct Played {
    pub game: Game,
    pub links: Vec<Link>,
    pub seed: ServerSeed,
    pub now: u64,
    secrets: Vec<Option<u8>>,
}

pub fn terms() -> Terms {
    let clock = Some(Clock { move_seconds: 60, bank_seconds: 90 });
    Terms { clock, takebacks: true, substitutes: true, previous: None }
}

impl Played {
    /// A table of these seats, each of which has this key or none.
    pub fn start(ruleset: &str, secrets: &[Option<u8>], options: &Value, terms: Terms) -> Self {
        let id = RulesetId::current(ruleset).unwrap();
        let (seed, seats) =
            (ServerSeed::new(Format::Two, [7; 32]), Seats::new(secrets.len() as u64).unwrap());
        let genesis = Genesis {
            format: Format::Two,
            game: GAME.into(),
            ruleset: id.name().into(),
            version: id.version().into(),
            options: json!(id.read_options(options, seats).unwrap()),
            seats: secrets.len() as u64,
            commit: seed.commitment(),
            terms,
        };
        let game = Game::open(&genesis, Dealer::Seed(seed.clone())).unwrap();
        let mut played =
            Self { game, links: Vec::new(), seed, now: 1_790_000_000_000, secrets: secrets.to_vec() };
        // An empty table would be void by itself.
        let link = played.game.decide(played.now, &Body::Genesis(Box::new(genesis))).unwrap();
        played.links.push(link);
        for (seat, secret) in (0..).zip(secrets) {
            let keys = secret.iter().map(|secret| public(*secret)).collect();
            let holder = Holder { keys, ..Holder::person(format!("player-{seat}")) };
            played.add(&Body::Join(Join { seat, holder, commit: None }));
        }
        played
    }

    /// Decides an entry, and all that follows by itself.
    pub fn add(&mut self, body: &Body) {
        self.links.push(self.game.decide(self.now, body).unwrap_or_else(|fault| panic!("{body:?}: {fault}")));
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

    /// What the player of a seat signs, as of the newest entry.
    pub fn sign(&self, seat: u64, message: &Message) -> Option<Signed> {
        let secret = self.secrets[usize::try_from(seat).unwrap()]?;
        let (seen, head) = (self.game.seq(), self.game.chain.head());
        Some(PlayerSecret::new(&[secret; 32]).sign(message, Spot { game: GAME, seat, seen, head }))
    }

    pub fn sys(&mut self, op: Op, seat: u64) {
        let signed = self.sign(seat, &Message::sys(op)).filter(|_| op != Op::Unkey);
        self.add(&Body::Sys { op, seat, signed });
    }

    /// A request of commands by the player of a seat.
    pub fn play(&mut self, seat: Seat, commands: &[AnyCommand]) {
        let place = u64::from(seat.number());
        let cmds: Vec<Value> = commands.iter().map(|command| json!(command)).collect();
        let message = Message::play(&cmds.iter().collect::<Vec<_>>()).unwrap();
        let signed = self.sign(place, &message);
        if self.game.sitting(seat).unwrap().control == Control::Autopilot {
            self.links.push(self.game.decide(self.now, &Body::sys(Op::Resume, place)).unwrap());
        }
        for ((no, cmd), command) in (0..).zip(cmds.iter()).zip(commands) {
            let part = |signed: &Signed| SignedPart { signed: signed.clone(), no, of: cmds.len() as u64 };
            let signed = signed.as_ref().map(part);
            let body = Body::Cmd { seat: place, by: By::Player, cmd: cmd.clone(), signed };
            self.links.push(self.game.decide_command(self.now, &body, command).unwrap());
        }
        self.settle();
    }

    /// Whoever is waited for sends this command.
    pub fn send(&mut self, command: &Value) {
        let command = self.game.setting.ruleset.read_command(command).unwrap();
        self.play(self.game.waits_for().unwrap(), &[command]);
    }

    /// Whoever is waited for does the first thing that may be done.
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

    pub fn change_keys(&mut self, seat: u64, secret: u8) {
        let keys = vec![public(secret)];
        let old = self.sign(seat, &Message::keys(&keys).unwrap());
        self.secrets[usize::try_from(seat).unwrap()] = Some(secret);
        let signed = old.or_else(|| self.sign(seat, &Message::keys(&keys).unwrap()));
        self.add(&Body::Keys { seat, keys, signed });
    }

    pub fn hand(&mut self, seat: u64, secret: Option<u8>) {
        let keys = secret.iter().map(|secret| public(*secret)).collect();
        let holder = Holder { keys, ..Holder::person(format!("substitute-{}", self.links.len())) };
        let message = Message::hand(&holder).unwrap();
        let resigned = self.game.standing.sitting(seat).unwrap().control == Control::Resigned;
        let signed = self.sign(seat, &message).filter(|_| !resigned);
        self.add(&Body::Hand { seat, holder, signed });
        self.secrets[usize::try_from(seat).unwrap()] = secret;
    }

    /// Lets a plan of the seat decide, if it says something.
    pub fn plan(&mut self, seat: Seat, rules: Vec<PlanRule>) {
        let signed = self.sign(seat.number().into(), &Message::plan(&rules).unwrap());
        let plan = Plan { rules, signed };
        if let Some(next) = self.game.by_plan(seat, &plan).unwrap() {
            self.follow(&next);
            self.settle();
        }
    }

    /// The receipt that was given for an entry.
    pub fn receipt(&self, seq: u64) -> String {
        let head = self.links[usize::try_from(seq).unwrap()].head;
        signer().sign(&Receipt { format: Format::Two, game: GAME.into(), seq, head })
    }

    pub fn document(&self) -> Vec<u8> {
        let end = self.receipt(self.links.last().unwrap().seq);
        document::write(self.links.iter().map(Link::parts), &self.seed, &end, &[])
    }
}

pub fn public(secret: u8) -> SeatKey {
    PlayerSecret::new(&[secret; 32]).public()
}

pub fn check(document: &[u8]) -> Report {
    verify(&Evidence { document, keys: &[key()], ..Evidence::default() })
}

/// A whole game in which all that fairlog/2 has happens now and then.
pub fn random_game(ruleset: &str, number: u64) -> Played {
    let mut dice = Dice::new(number);
    let seats = 2 + dice.below(3);
    let secrets: Vec<Option<u8>> = (0..seats)
        .map(|seat| (number.is_multiple_of(2) || dice.often()).then(|| 10 + u8::try_from(seat).unwrap()))
        .collect();
    let options = short_options(RulesetId::current(ruleset).unwrap(), Seats::new(seats).unwrap(), 4);
    let mut played = Played::start(ruleset, &secrets, &options, terms());
    while played.game.status() == Status::Running {
        played.now += dice.below(20_000);
        step(&mut played, &mut dice);
    }
    played
}

/// A game of which all seats let their time run out.
pub fn abandoned_game() -> Played {
    let mut played = Played::start("ecopolis", &[Some(10), None], &json!({"first_seat": 1}), terms());
    while played.game.status() == Status::Running {
        played.time_out();
    }
    played
}

fn step(played: &mut Played, dice: &mut Dice) {
    let seats = u64::from(played.game.setting.seats.count());
    let other = dice.below(seats);
    let (control, others) = {
        let sitting = played.game.standing.sitting(other).unwrap();
        (sitting.control, sitting.others)
    };
    let is_quiet = others < 6;
    if played.game.clocks.is_paused() {
        let asking = played.game.setting.seats.iter().find(|seat| played.game.clocks.asks(*seat)).unwrap();
        played.now += 3_600_000;
        return played.sys(Op::Continue, asking.number().into());
    }
    let Some(seat) = played.game.waits_for() else { return };
    if played.game.clocks.deadline().is_some_and(|deadline| deadline <= played.now) {
        return played.time_out();
    }
    // Now and then a player is away for a while.
    let is_away = (played.links.len() / 24).is_multiple_of(3) && seat == played.game.setting.seats.first();
    match (dice.below(40), control) {
        (0, _) => played.time_out(),
        (20.., _) if is_away => played.time_out(),
        (1, Control::Autopilot) => played.sys(Op::Resume, other),
        (2, Control::Player) if is_quiet => {
            played.change_keys(other, 100 + u8::try_from(dice.below(50)).unwrap());
        }
        (3, Control::Player) if is_quiet && dice.below(3) == 0 => {
            played.sys(Op::Unkey, other);
            played.secrets[usize::try_from(other).unwrap()] = None;
        }
        (4, Control::Player) if is_quiet => {
            for seat in played.game.setting.seats.iter().collect::<Vec<_>>() {
                let plays = played.game.sitting(seat).unwrap().control == Control::Player;
                if plays && !played.game.clocks.asks(seat) && !played.game.clocks.is_paused() {
                    played.sys(Op::Pause, seat.number().into());
                }
            }
        }
        (5, _) if is_quiet && control != Control::Player || dice.below(20) == 0 => {
            played.hand(other, Some(200 + u8::try_from(dice.below(50)).unwrap()));
        }
        (6, Control::Player) if dice.below(6) == 0 => played.sys(Op::Resign, other),
        (7..12, _)
            if !played.game.takebacks(seat).is_empty() && played.game.sitting(seat).unwrap().others < 6 =>
        {
            let reached = played.game.takebacks(seat);
            let to = reached.start + dice.below(reached.end - reached.start);
            let body = Body::Takeback { seat: seat.number().into(), to, signed: None };
            if played.game.judge(&body, played.now).is_ok() {
                played.take_back(seat, to);
            }
        }
        (12..17, _) => {
            let listed = played.game.table.as_ref().unwrap().legal(seat).commands;
            let phase = played.game.table.as_ref().unwrap().phase().to_owned();
            let mut rules: Vec<PlanRule> = listed.iter().take(3).map(|listed| rule(&phase, listed)).collect();
            rules.insert(
                0,
                PlanRule { phase: "nowhere".into(), command: json!({"type": "nothing"}), up_to: None },
            );
            played.plan(seat, rules);
        }
        _ => {
            let command = some_command(played, dice, seat);
            let mut commands = vec![command];
            let loan = played.game.setting.ruleset.read_command(&json!({"type": "take_loan", "count": 1}));
            if let Ok(loan) = loan
                && dice.below(6) == 0
            {
                let mut table = played.game.table.as_ref().unwrap().clone();
                if (0..2).all(|_| table.submit(seat, &loan).is_ok()) {
                    commands = vec![loan.clone(), loan];
                }
            }
            played.play(seat, &commands);
        }
    }
}

/// A rule that leaves the number open, if there is one.
fn rule(phase: &str, listed: &crate::engine::LegalCommand<AnyCommand>) -> PlanRule {
    let mut command = json!(listed.command);
    let field =
        listed.vary.as_ref().map(|vary| vary.field).filter(|field| ["amount", "count"].contains(field));
    let up_to = field.and_then(|field| command.as_object_mut().unwrap().remove(field)).map(|_| 40);
    PlanRule { phase: phase.to_owned(), command, up_to }
}

fn some_command(played: &Played, dice: &mut Dice, seat: Seat) -> AnyCommand {
    let table = played.game.table.as_ref().unwrap();
    let listed = table.legal(seat).commands;
    let choice = dice.pick(&listed).clone();
    choice.vary.map_or(choice.command.clone(), |Vary { field, min, max }| {
        let mut varied = json!(choice.command);
        varied[field] = (min + dice.below(max - min + 1)).into();
        table.ruleset().read_command(&varied).unwrap()
    })
}
