//! The state of a game, replayed from its log. Only `Game::apply` changes it.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    chain::{Chain, Link},
    clocks::{Clocks, Decides, Mark},
    entry::{Body, By, End, Entry, Genesis, Reason},
    finding::{Finding, finding},
    replay::{Fault, Setting, ends_in, replay, written},
    run::Run,
    seed::ServerSeed,
    standing::{Control, Sitting, Standing},
};
use crate::{
    engine::{BySeat, Chance, Draw, Format, Seat, Viewer, hash::Bytes32},
    rulesets::{AnyCommand, AnyTable, Refused},
    words::Status,
};

#[derive(Clone)]
pub struct Game {
    pub setting: Setting,
    pub standing: Standing,
    /// The position. `None` before the start.
    pub table: Option<AnyTable>,
    pub chain: Chain,
    pub times: Times,
    /// The end of the game.
    pub ending: Option<End>,
    pub clocks: Clocks,
    /// Commands that the seat to act may take back.
    run: Option<Run>,
    dealer: Dealer,
}

/// When the game reached each stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    pub sealed: Option<u64>,
    pub started: Option<u64>,
    pub ended: Option<u64>,
}

/// The seat to act after the last entry, and the start of its decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Turn {
    pub seat: Option<Seat>,
    pub since: Option<u64>,
}

/// Where the chance of a game comes from.
#[derive(Clone, Debug)]
pub enum Dealer {
    /// A game that can continue.
    Seed(ServerSeed),
    /// A replay: draws come from the log.
    Log,
}

/// Where an entry comes from.
enum EntrySource<'e> {
    /// A new entry. A command comes with its parsed form.
    Decided(Option<&'e AnyCommand>),
    /// An entry of a log, with its draws.
    Logged(&'e [Draw]),
}

/// The effect of an entry on takebacks.
enum Trace {
    /// Earlier entries can no longer be taken back.
    None,
    /// A command of a run. The first one creates the run.
    Command(Option<Box<Run>>, AnyCommand),
    Back(u64, Option<Mark>),
}

impl Game {
    /// Returns the game of a genesis, before any other entry.
    pub fn open(genesis: &Genesis, dealer: Dealer) -> Result<Self, Fault> {
        let (setting, standing) = (Setting::read(&genesis.terms)?, Standing::new(genesis));
        let clocks = Clocks::new(genesis.terms.clock, setting.seats);
        let (chain, times) = (Chain::new(genesis.format), Times::default());
        Ok(Self { setting, standing, table: None, chain, times, ending: None, clocks, run: None, dealer })
    }

    /// Frees the events of the newest entry after they were announced. Most games wait.
    pub fn forget_last(&mut self) {
        if let Some(table) = &mut self.table {
            table.forget_last();
        }
    }

    pub const fn format(&self) -> Format {
        self.chain.format()
    }

    /// Decides the next entry. Time never goes back within a game, even if the clock does.
    pub fn decide(&mut self, now: u64, body: &Body) -> Result<Link, Fault> {
        self.decide_as(now, body, None)
    }

    /// Applies a new command. A refusal by the rules changes nothing. `body` contains the command in its
    /// written form.
    pub fn decide_command(&mut self, now: u64, body: &Body, command: &AnyCommand) -> Result<Link, Fault> {
        self.decide_as(now, body, Some(command))
    }

    fn decide_as(&mut self, now: u64, body: &Body, command: Option<&AnyCommand>) -> Result<Link, Fault> {
        let Dealer::Seed(seed) = &self.dealer else { return Err(Fault::NoSeed) };
        let (seed, at) = (seed.clone(), now.max(self.chain.at()));
        self.judge(body, at).map_err(Fault::OffTime)?;
        let link = self.apply(at, body, EntrySource::Decided(command), |chain, draws| {
            Ok(chain.append(&seed, at, body, draws)?)
        })?;
        Ok(Link { is_landmark: link.is_landmark || self.was_filled_by(body), ..link })
    }

    /// Applies the next entry of a log. `head` is its head in the chain.
    pub fn follow(&mut self, entry: &Entry, head: Bytes32) -> Result<(), Fault> {
        let Entry { seq, at, body, draws } = entry;
        self.apply(*at, body, EntrySource::Logged(draws), |chain, _| {
            *chain = Chain::after(chain.format(), *seq, *at, head);
            Ok(())
        })
    }

    /// Applies an entry: its whole meaning. `link` runs last, because the secret of an entry contains its
    /// draws.
    fn apply<L>(
        &mut self,
        at: u64,
        body: &Body,
        source: EntrySource,
        link: impl FnOnce(&mut Chain, &[Draw]) -> Result<L, Fault>,
    ) -> Result<L, Fault> {
        if matches!(body, Body::Genesis(_)) && self.chain.next_seq() == 0 {
            return link(&mut self.chain, &[]);
        }
        let gap = at.saturating_sub(self.chain.at());
        self.standing.admit(body, gap).map_err(Fault::Misplaced)?;
        if let Body::Reveal { seat, entropy } = body {
            self.standing.judge_reveal(*seat, entropy).map_err(Fault::Misplaced)?;
        }
        self.refuse_when_over(body)?;
        let trace = self.play(body, source)?;
        let draws = match (body, &self.table) {
            (Body::Start | Body::Cmd { .. }, Some(table)) => table.draws(),
            _ => &[],
        };
        let linked = link(&mut self.chain, draws)?;
        self.standing.follow(body, self.seq());
        self.note_times(at, body, &trace);
        self.note_run(trace);
        Ok(linked)
    }

    /// After the end by the rules, only `end` may follow.
    fn refuse_when_over(&self, body: &Body) -> Result<(), Fault> {
        let is_over = self.table.as_ref().is_some_and(|table| table.to_act().is_none());
        if is_over && body.reason() != Some(Reason::Finished) {
            return Err(Fault::Misplaced(finding!("game_over")));
        }
        Ok(())
    }

    /// Applies an entry at the table.
    fn play(&mut self, body: &Body, source: EntrySource) -> Result<Trace, Fault> {
        match (body, &mut self.table, source) {
            (Body::Start, _, source) => {
                let Setting { options, seats, .. } = &self.setting;
                self.table = Some(match source {
                    EntrySource::Decided(_) => AnyTable::start(options, *seats, self.chance()),
                    EntrySource::Logged(draws) => self.setting.start(self.chance(), draws.to_vec())?,
                });
            }
            (Body::Cmd { seat, by, .. }, _, source) => return self.play_command(*seat, by, body, source),
            (Body::Takeback { seat, to, .. }, _, _) => return self.take_back(*seat, *to),
            (Body::End(End { reason: Reason::Finished, result, .. }), Some(table), _) => {
                ends_in(table, &self.standing, result)?;
            }
            _ => {}
        }
        Ok(Trace::None)
    }

    fn play_command(&mut self, seat: u64, by: &By, body: &Body, source: EntrySource) -> Result<Trace, Fault> {
        let seat = self.setting.seats.seat(seat).ok_or(Fault::NoSuchSeat(seat))?;
        let can_be_taken_back = self.standing.terms.takebacks && matches!(by, By::Player);
        let goes_on = can_be_taken_back && self.run.as_ref().is_some_and(|run| run.seat == seat);
        let begins = can_be_taken_back && !goes_on && self.to_act() == Some(seat);
        let begun = if begins { self.begin_run(seat) } else { None };
        let command = match (source, body) {
            (EntrySource::Decided(Some(command)), _) => Cow::Borrowed(self.submit(seat, command)?),
            (EntrySource::Logged(draws), Body::Cmd { cmd, .. }) => {
                Cow::Owned(self.replay(seat, by, cmd, draws.to_vec())?)
            }
            _ => return Err(Fault::CommandNotWrittenOut),
        };
        if !goes_on && begun.is_none() {
            return Ok(Trace::None);
        }
        Ok(Trace::Command(begun, command.into_owned()))
    }

    fn submit<'c>(&mut self, seat: Seat, command: &'c AnyCommand) -> Result<&'c AnyCommand, Fault> {
        let table = self.table.as_mut().ok_or(Fault::CommandNotWrittenOut)?;
        table.submit(seat, command).map_err(|refused| match refused {
            Refused::Rule(refusal) => Fault::Refused(refusal),
            Refused::OtherGame => Fault::CommandNotWrittenOut,
        })?;
        Ok(command)
    }

    /// Replays a command, after a check of its author.
    fn replay(&mut self, seat: Seat, by: &By, cmd: &Value, draws: Vec<Draw>) -> Result<AnyCommand, Fault> {
        match by {
            By::Autopilot if !self.is_the_autopilots(seat) => return Err(Fault::NotTheAutopilots),
            By::Player | By::Autopilot => {}
            By::Plan(plan) => {
                let choice = self.planned(seat, plan).ok_or(Fault::NotThePlans)?;
                if written(&choice)? != *cmd {
                    return Err(Fault::NotThePlans);
                }
            }
        }
        let table = self.table.as_mut().ok_or(Fault::CommandNotWrittenOut)?;
        replay(table, seat, by, cmd, draws)
    }

    /// Returns whether the autopilot may decide for a seat: its player has left, or its time has run out.
    fn is_the_autopilots(&self, seat: Seat) -> bool {
        let left = self.sitting(seat).is_some_and(|sitting| sitting.control != Control::Player);
        left || self.to_act() == Some(seat)
    }

    /// Begins a run: the next command is the first that can be taken back.
    fn begin_run(&self, seat: Seat) -> Option<Box<Run>> {
        let table = self.table.clone()?;
        Some(Box::new(Run::new(seat, self.seq(), table, self.clocks.mark())))
    }

    fn take_back(&mut self, seat: u64, to: u64) -> Result<Trace, Fault> {
        let reached = self.run.as_ref().filter(|run| u64::from(run.seat.number()) == seat);
        let reached = reached.filter(|run| run.reaches().contains(&to)).ok_or(Fault::NothingToTakeBack)?;
        let mark = reached.mark(to);
        self.table = Some(reached.table(to).ok_or(Fault::NothingToTakeBack)?);
        Ok(Trace::Back(to, mark))
    }

    /// Returns the entries to which a seat can take its moves back.
    pub fn takebacks(&self, seat: Seat) -> std::ops::Range<u64> {
        self.run.as_ref().filter(|run| run.seat == seat).map_or(0..0, Run::reaches)
    }

    fn note_run(&mut self, trace: Trace) {
        let mark = self.clocks.mark();
        self.run = match (trace, self.run.take(), &self.table) {
            (Trace::Command(begun, command), run, Some(table)) => {
                begun.map(|begun| *begun).or(run).and_then(|run| run.command(command, table, mark))
            }
            (Trace::Back(to, _), Some(mut run), _) => {
                run.back(to, mark);
                Some(run)
            }
            _ => None,
        };
    }

    /// Checks the time of an entry.
    pub fn judge(&self, body: &Body, at: u64) -> Result<(), Finding> {
        let back = match body {
            Body::Takeback { to, .. } => self.run.as_ref().and_then(|run| run.mark(*to)),
            _ => None,
        };
        self.clocks.judge(body, at, back)
    }

    fn chance(&self) -> Chance {
        match &self.dealer {
            Dealer::Log => Chance::recorded(),
            Dealer::Seed(seed) => {
                Chance::seeded(seed.game_seed(&self.standing.head_of_full, &self.standing.revealed()))
            }
        }
    }

    /// Updates the clocks and the turn after an entry.
    fn note_times(&mut self, at: u64, body: &Body, trace: &Trace) {
        match body {
            _ if self.was_filled_by(body) => {
                self.standing.head_of_full = *self.chain.head();
                self.times.sealed = Some(at);
            }
            Body::Start => self.times.started = Some(at),
            Body::End(end) => {
                self.times.ended = Some(at);
                self.ending = Some(end.clone());
            }
            _ => {}
        }
        let back = match trace {
            Trace::Back(_, mark) => *mark,
            _ => None,
        };
        let to_act = self.to_act();
        let decides = BySeat::new(self.setting.seats, |seat| {
            let has_player = self.sitting(seat).is_some_and(|sitting| sitting.control == Control::Player);
            let is_person = self.playing(seat).is_some_and(|sitting| sitting.holder.bot.is_none());
            Decides { plays: has_player, votes: is_person }
        });
        self.clocks.follow(body, at, back, to_act, &decides);
    }

    /// Returns the player of a seat, if the player decides and the seat is in the game.
    pub fn playing(&self, seat: Seat) -> Option<&Sitting> {
        let takes_part = self.table.as_ref().is_some_and(|table| table.is_in(seat));
        self.sitting(seat).filter(|sitting| takes_part && sitting.control == Control::Player)
    }

    /// The seq of the newest entry.
    pub const fn seq(&self) -> u64 {
        self.chain.next_seq().saturating_sub(1)
    }

    /// Returns whether the newest entry, `newest`, filled the table.
    pub const fn was_filled_by(&self, newest: &Body) -> bool {
        matches!(newest, Body::Join(_)) && matches!(self.status(), Status::Sealed)
    }

    pub const fn status(&self) -> Status {
        self.standing.status
    }

    pub fn turn(&self) -> Turn {
        Turn { seat: self.to_act(), since: self.clocks.since() }
    }

    /// Returns the seat that must decide.
    pub fn to_act(&self) -> Option<Seat> {
        let table = self.table.as_ref().filter(|_| self.status() == Status::Running)?;
        table.to_act()
    }

    /// Returns the seat that must decide, unless the game is paused or the autopilot plays the seat.
    pub fn waits_for(&self) -> Option<Seat> {
        self.clocks.waits_for().filter(|_| !self.clocks.is_paused())
    }

    pub fn sitting(&self, seat: Seat) -> Option<&Sitting> {
        self.standing.sitting(seat.number().into())
    }

    pub fn seat_of(&self, player: &str) -> Option<Seat> {
        let sits = |sitting: &Sitting| sitting.holder.player == player;
        self.setting.seats.iter().find(|seat| self.sitting(*seat).is_some_and(sits))
    }

    /// Returns the perspective of a player: its seat, or a spectator's.
    pub fn viewer(&self, player: &str) -> Viewer {
        self.seat_of(player).map_or(Viewer::Spectator, Viewer::Seat)
    }
}
