//! One game of a contest.

use std::{
    fmt, io,
    time::{Duration, Instant},
};

use super::Player;
use crate::{
    engine::{Format, hash::Bytes32, random_words::mix},
    ledger::{
        chain::Link,
        consequence::Consequence,
        document,
        entry::{Body, By, Genesis, Holder, Join, PlainAct},
        game::{Dealer, Game},
        receipt::Receipt,
        replay::{Fault, Setting, written},
        seed::ServerSeed,
        terms::Terms,
    },
    tree::signer::Signer,
};

/// Time of the first entry of a game. A contest has no clock.
const BEGIN: u64 = 1_770_000_000_000;
const STEP: u64 = 1_000;
/// The public key pair of all signatures. A signature proves nothing here.
const SIGNER: (&str, Bytes32) = ("arena", [0x5e; 32]);

/// How a program fails; its seat then resigns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Foul {
    BrokenOff(String),
    TooLate,
    Illegal(String),
    /// The program gave no answer.
    Silent,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BrokenOff(cause) => write!(f, "stopped: {cause}"),
            Self::TooLate => f.write_str("was too late"),
            Self::Illegal(cause) => write!(f, "sent an illegal command: {cause}"),
            Self::Silent => f.write_str("sent no answer"),
        }
    }
}

/// A game that was played.
pub struct Bout {
    pub number: u64,
    /// Contestant, place, times of decisions, and failure of each seat.
    pub seats: Vec<Seated>,
    /// Id of the game in its log.
    id: String,
    links: Vec<Link>,
    seed: ServerSeed,
    game: Game,
}

pub struct Seated {
    pub contestant: usize,
    pub place: u8,
    pub thought: Vec<Duration>,
    pub foul: Option<Foul>,
}

impl Bout {
    pub(super) fn play(
        setting: &Setting,
        seating: &[usize],
        players: &mut [Player],
        seed: u64,
        deal: u64,
        number: u64,
    ) -> io::Result<Self> {
        let mut bout = Self::open(setting, seating, seed, deal, number).map_err(broken)?;
        bout.settle().map_err(broken)?;
        while let Some(seat) = bout.game.waits_for() {
            let place = usize::from(seat.number());
            let began = Instant::now();
            let thought = mix(seed ^ mix(number)) ^ bout.game.seq();
            let decided = players[seating[place]].decide(&bout.name(), &bout.game, seat, thought);
            bout.seats[place].thought.push(began.elapsed());
            match decided {
                Ok(command) => {
                    let body =
                        Body::cmd(seat.number().into(), By::Player, written(&command).map_err(broken)?);
                    bout.follow(&Consequence::Command(body, command)).map_err(broken)?;
                }
                Err(foul) => {
                    bout.seats[place].foul = Some(foul);
                    bout.add(&Body::act(PlainAct::Resign, seat.number().into())).map_err(broken)?;
                }
            }
            bout.settle().map_err(broken)?;
        }
        bout.note_places();
        Ok(bout)
    }

    fn open(setting: &Setting, seating: &[usize], seed: u64, deal: u64, number: u64) -> Result<Self, Fault> {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_be_bytes());
        bytes[8..16].copy_from_slice(&deal.to_be_bytes());
        let server_seed = ServerSeed::new(bytes);
        let Setting { ruleset, options, seats } = setting;
        // The shuffle follows from the head of the join that fills the table, so all games of a deal have the
        // same entries before.
        let id = format!("arena-{seed}-{deal}");
        let genesis = Genesis {
            format: Format::default(),
            game: id.clone(),
            commit: server_seed.commitment(),
            terms: Terms::of(
                ruleset.name(),
                ruleset.version().into(),
                written(options)?,
                seats.count().into(),
            ),
        };
        let game = Game::open(&genesis, Dealer::Seed(server_seed.clone()))?;
        let seated = |contestant: &usize| Seated {
            contestant: *contestant,
            place: 0,
            thought: Vec::new(),
            foul: None,
        };
        let seats = seating.iter().map(seated).collect();
        let mut bout = Self { number, seats, id, links: Vec::new(), seed: server_seed, game };
        bout.add(&Body::Genesis(Box::new(genesis)))?;
        for seat in 0..seating.len() as u64 {
            let holder = Holder::person(format!("seat-{seat}"));
            bout.add(&Body::Join(Join { seat, holder, commit: None, signed: None }))?;
        }
        Ok(bout)
    }

    fn now(&self) -> u64 {
        BEGIN + STEP * self.game.chain.next_seq()
    }

    fn add(&mut self, body: &Body) -> Result<(), Fault> {
        let link = self.game.decide(self.now(), body)?;
        self.links.push(link);
        Ok(())
    }

    fn follow(&mut self, next: &Consequence) -> Result<(), Fault> {
        match next {
            Consequence::Entry(body) => self.add(body),
            Consequence::Command(body, command) => {
                let link = self.game.decide_command(self.now(), body, command)?;
                self.links.push(link);
                Ok(())
            }
        }
    }

    fn settle(&mut self) -> Result<(), Fault> {
        while let Some(next) = self.game.consequence()? {
            self.follow(&next)?;
        }
        Ok(())
    }

    /// Returns the id of the game for programs.
    fn name(&self) -> String {
        format!("arena-{}", self.number)
    }

    /// Notes the place of each seat. If all others resigned, the last one is first.
    fn note_places(&mut self) {
        let result = self.game.ending.as_ref().and_then(|end| end.result.as_array());
        let place_of = |seat: usize| {
            let score = result?.iter().find(|score| score["seat"].as_u64() == Some(seat as u64))?;
            u8::try_from(score["place"].as_u64()?).ok()
        };
        let last = u8::try_from(self.seats.len()).unwrap_or(u8::MAX);
        let places: Vec<Option<u8>> = (0..self.seats.len()).map(place_of).collect();
        for (seated, place) in self.seats.iter_mut().zip(places) {
            seated.place = place.unwrap_or(if seated.foul.is_some() { last } else { 1 });
        }
    }

    /// Returns the replay document.
    pub fn document(&self) -> Vec<u8> {
        let receipt = Receipt {
            game: self.id.clone(),
            seq: self.game.seq(),
            at: self.game.chain.at(),
            head: *self.game.chain.head(),
        };
        let signed = Signer::new(SIGNER.0, &SIGNER.1).map(|signer| signer.sign(&receipt)).unwrap_or_default();
        document::write(self.links.iter().map(Link::parts), &self.seed, &signed, &[])
    }
}

fn broken(fault: impl fmt::Debug) -> io::Error {
    io::Error::other(format!("a game of the arena cannot go on: {fault:?}"))
}
