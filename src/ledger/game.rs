//! A game as its log tells it. `Game::apply` says what an entry means, and nothing else changes a game.

use super::{
    chain::{Chain, Link},
    entry::{Body, Entry, Genesis, Reason},
    replay::{Fault, Setting, ends_in, replay},
    seed::ServerSeed,
    standing::{Sitting, Standing},
};
use crate::{
    engine::{Chance, Draw, Seat, Viewer, hash::Bytes32},
    rulesets::{AnyCommand, AnyStatus, AnyTable, Refused},
    words::Status,
};

#[derive(Clone)]
pub struct Game {
    pub setting: Setting,
    pub standing: Standing,
    /// What is being played; nothing before the start.
    pub table: Option<AnyTable>,
    pub chain: Chain,
    pub times: Times,
    turn: Turn,
    dealer: Dealer,
}

/// When what happened happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    pub sealed: Option<u64>,
    pub started: Option<u64>,
    pub ended: Option<u64>,
}

/// The seat that must decide as of the last entry, and since when it has had to make this decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Turn {
    pub seat: Option<Seat>,
    pub since: Option<u64>,
}

/// Where the chance of a game comes from.
#[derive(Clone, Debug)]
pub enum Dealer {
    /// A game that can go on.
    Seed(ServerSeed),
    /// A game that is only looked at: the log says what was drawn.
    Log,
}

/// Where an entry comes from.
enum Source<'e> {
    /// It is decided now. A command stands beside its written form.
    Decided(Option<&'e AnyCommand>),
    /// A log holds it, with what it drew.
    Logged(&'e [Draw]),
}

impl Game {
    /// The game that a genesis opens, before any entry.
    pub fn new(setting: Setting, dealer: Dealer) -> Self {
        let standing = Standing::new(setting.seats.count().into());
        let (chain, times, turn) = (Chain::default(), Times::default(), Turn::default());
        Self { setting, standing, table: None, chain, times, turn, dealer }
    }

    pub fn open(genesis: &Genesis, dealer: Dealer) -> Result<Self, Fault> {
        Ok(Self::new(Setting::read(genesis)?, dealer))
    }

    /// Decides the next entry. Time never goes back within a game, even if the clock does.
    pub fn decide(&mut self, now: u64, body: &Body) -> Result<Link, Fault> {
        self.decide_as(now, body, None)
    }

    /// Decides a command, which stands in the entry as it is written. The rules check it here, and if they refuse,
    /// nothing has changed.
    pub fn decide_command(&mut self, now: u64, body: &Body, command: &AnyCommand) -> Result<Link, Fault> {
        self.decide_as(now, body, Some(command))
    }

    fn decide_as(&mut self, now: u64, body: &Body, command: Option<&AnyCommand>) -> Result<Link, Fault> {
        let Dealer::Seed(seed) = &self.dealer else { return Err(Fault::NoSeed) };
        let (seed, at) = (seed.clone(), now.max(self.chain.at()));
        self.apply(at, body, Source::Decided(command), |chain, draws| {
            Ok(chain.append(&seed, at, body, draws)?)
        })
    }

    /// Takes the next entry of a log in; `head` is the head of the chain after it.
    pub fn follow(&mut self, entry: &Entry, head: Bytes32) -> Result<(), Fault> {
        let Entry { seq, at, body, draws } = entry;
        self.apply(*at, body, Source::Logged(draws), |chain, _| {
            *chain = Chain::after(*seq, *at, head);
            Ok(())
        })
    }

    /// What an entry means. It is linked once it is carried out, since its secret holds what was drawn.
    fn apply<L>(
        &mut self,
        at: u64,
        body: &Body,
        source: Source,
        link: impl FnOnce(&mut Chain, &[Draw]) -> Result<L, Fault>,
    ) -> Result<L, Fault> {
        if matches!(body, Body::Genesis(_)) && self.chain.next_seq() == 0 {
            return link(&mut self.chain, &[]);
        }
        self.standing.place(body).map_err(Fault::Misplaced)?;
        self.standing.hand_over(body).map_err(Fault::WrongHands)?;
        self.play(body, source)?;
        let draws = match (body, &self.table) {
            (Body::Start | Body::Cmd { .. }, Some(table)) => table.draws(),
            _ => &[],
        };
        let linked = link(&mut self.chain, draws)?;
        self.standing.note_act(body, self.chain.next_seq().saturating_sub(1));
        self.note_times(at, body);
        Ok(linked)
    }

    /// Carries out what the entry says at the table.
    fn play(&mut self, body: &Body, source: Source) -> Result<(), Fault> {
        match (body, &mut self.table, source) {
            (Body::Start, _, source) => {
                let Setting { options, seats, .. } = &self.setting;
                self.table = Some(match source {
                    Source::Decided(_) => AnyTable::start(options, *seats, self.chance()),
                    Source::Logged(draws) => self.setting.start(self.chance(), draws.to_vec())?,
                });
            }
            (Body::Cmd { seat, by, .. }, Some(table), Source::Decided(Some(command))) => {
                let place = self.setting.seats.seat(*seat).ok_or(Fault::NoSuchSeat(*seat))?;
                table.submit(place, command).map_err(|refused| match refused {
                    Refused::Rule(refusal) => Fault::Refused(refusal),
                    Refused::OtherGame => Fault::CommandNotWrittenOut,
                })?;
                self.standing.decided(*seat, *by);
            }
            (Body::Cmd { seat, by, cmd }, Some(table), Source::Logged(draws)) => {
                replay(table, *seat, *by, cmd, draws.to_vec())?;
                self.standing.decided(*seat, *by);
            }
            (Body::Cmd { .. }, ..) => return Err(Fault::CommandNotWrittenOut),
            (Body::End { reason: Reason::Finished, result }, Some(table), _) => ends_in(table, result)?,
            (
                Body::Genesis(_)
                | Body::Join { .. }
                | Body::Leave { .. }
                | Body::Seal
                | Body::Reveal { .. }
                | Body::Sys { .. }
                | Body::End { .. },
                ..,
            ) => {}
        }
        Ok(())
    }

    fn chance(&self) -> Chance {
        match &self.dealer {
            Dealer::Log => Chance::recorded(),
            Dealer::Seed(seed) => {
                Chance::seeded(seed.game_seed(&self.standing.head_of_seal, &self.standing.revealed()))
            }
        }
    }

    /// Notes when the entry was written, and whose turn it is after it.
    fn note_times(&mut self, at: u64, body: &Body) {
        match body {
            Body::Seal => {
                self.standing.head_of_seal = *self.chain.head();
                self.times.sealed = Some(at);
            }
            Body::Start => self.times.started = Some(at),
            Body::End { .. } => self.times.ended = Some(at),
            _ => {}
        }
        let decided = match body {
            Body::Cmd { seat, .. } => self.setting.seats.seat(*seat),
            _ => None,
        };
        let seat = self.to_act();
        // A seat that decides again has all of its time again; what others do meanwhile gives nobody more.
        if seat != self.turn.seat || seat == decided {
            self.turn = Turn { seat, since: seat.map(|_| at) };
        }
    }

    /// The seq of the newest entry.
    pub const fn seq(&self) -> u64 {
        self.chain.next_seq().saturating_sub(1)
    }

    pub const fn status(&self) -> Status {
        self.standing.status
    }

    pub const fn turn(&self) -> Turn {
        self.turn
    }

    /// The seat that must decide.
    pub fn to_act(&self) -> Option<Seat> {
        match self.table.as_ref()?.status() {
            AnyStatus::ToAct(seat) => Some(seat),
            AnyStatus::Finished(_) => None,
        }
    }

    pub fn sitting(&self, seat: Seat) -> Option<&Sitting> {
        self.standing.sitting(seat.number().into())
    }

    /// The seat of the player with this id.
    pub fn seat_of(&self, player: &str) -> Option<Seat> {
        let sits = |sitting: &Sitting| sitting.player == player;
        self.setting.seats.iter().find(|seat| self.sitting(*seat).is_some_and(sits))
    }

    /// What the player with this id sees: the own seat's side, or a spectator's.
    pub fn viewer(&self, player: &str) -> Viewer {
        self.seat_of(player).map_or(Viewer::Spectator, Viewer::Seat)
    }
}
