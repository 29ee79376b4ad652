//! Whose time runs: deadlines, banks and pauses, by the times of the entries alone.

use super::{
    entry::{Body, By, Op},
    terms::Clock,
};
use crate::engine::{BySeat, Seat, Seats};

/// The clocks of a game. All times in it are those of entries less all that was paused until then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clocks {
    clock: Option<Clock>,
    /// What is left of each seat's bank, and whether it asks for a pause.
    banks: BySeat<u64>,
    asks: BySeat<bool>,
    /// How long the game was paused, in all.
    paused: u64,
    /// Since when it is paused now.
    pause: Option<u64>,
    turn: Option<Mark>,
}

/// The seat that must decide, since when, and what is left of its bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    pub seat: Seat,
    pub since: u64,
    pub bank: u64,
}

impl Clocks {
    pub fn new(clock: Option<Clock>, seats: Seats) -> Self {
        let bank = clock.map_or(0, Clock::bank_ms);
        Self {
            clock,
            banks: BySeat::new(seats, |_| bank),
            asks: BySeat::new(seats, |_| false),
            paused: 0,
            pause: None,
            turn: None,
        }
    }

    pub const fn is_paused(&self) -> bool {
        self.pause.is_some()
    }

    pub fn asks(&self, seat: Seat) -> bool {
        self.asks[seat]
    }

    pub fn bank(&self, seat: Seat) -> u64 {
        self.banks[seat]
    }

    /// The seat that must decide.
    pub fn waits_for(&self) -> Option<Seat> {
        self.turn.map(|turn| turn.seat)
    }

    /// By the server's clock, since when the seat that must decide has had to.
    pub fn since(&self) -> Option<u64> {
        self.turn.map(|turn| turn.since.saturating_add(self.paused))
    }

    /// How the turn stands, to go back to it.
    pub const fn mark(&self) -> Option<Mark> {
        self.turn
    }

    /// By the server's clock, when the time of the seat that must decide has run out.
    pub fn deadline(&self) -> Option<u64> {
        let (clock, turn) = (self.clock?, self.turn.filter(|_| !self.is_paused())?);
        Some(last(clock, turn).saturating_add(self.paused))
    }

    /// The time of the game at a time of the server.
    const fn time(&self, at: u64) -> u64 {
        let at = match self.pause {
            Some(since) => since,
            None => at,
        };
        at.saturating_sub(self.paused)
    }

    /// What is wrong with the time of an entry. For a takeback it must be said how the turn stands after it.
    pub fn judge(&self, body: &Body, at: u64, back: Option<Mark>) -> Result<(), String> {
        let Some(clock) = self.clock else { return Ok(()) };
        let asks =
            |seat: &u64| self.asks.iter().any(|(asking, asks)| u64::from(asking.number()) == *seat && *asks);
        match body {
            Body::Cmd { .. } | Body::Takeback { .. } if self.is_paused() => {
                Err("the game is paused here".into())
            }
            Body::Cmd { by, .. } => {
                let Some(turn) = self.turn.filter(|_| self.is_turn_of(body.seat())) else { return Ok(()) };
                let (deadline, time) = (last(clock, turn), self.time(at));
                let off = deadline.abs_diff(time);
                match (matches!(by, By::Autopilot), time >= deadline) {
                    (true, false) => Err(format!("the autopilot decides {off} ms before the deadline")),
                    (false, true) => Err(format!("the seat decides {off} ms after its time has run out")),
                    _ => Ok(()),
                }
            }
            Body::Takeback { .. } if back.is_some_and(|turn| self.time(at) >= last(clock, turn)) => {
                Err("the seat takes back after its time has run out".into())
            }
            Body::Sys { op: Op::Pause, seat, .. } if asks(seat) => {
                Err(format!("seat {seat} asks for a pause a second time"))
            }
            Body::Sys { op: Op::Continue, seat, .. } if !asks(seat) => {
                Err(format!("seat {seat} did not ask for a pause"))
            }
            _ => Ok(()),
        }
    }

    /// Takes an entry in, after which this seat is to act, and these are under their players' control and still take part. A
    /// takeback puts the turn back.
    pub fn follow(
        &mut self,
        body: &Body,
        at: u64,
        back: Option<Mark>,
        to_act: Option<Seat>,
        plays: &BySeat<bool>,
    ) {
        let time = self.time(at);
        let decided = matches!(body, Body::Cmd { .. }) && self.is_turn_of(body.seat());
        if decided {
            self.charge(time);
        }
        self.note_asking(body);
        if let Some(back) = back {
            self.banks[back.seat] = back.bank;
        }
        self.turn = to_act.filter(|seat| plays[*seat]).map(|seat| {
            let since = match (back, self.turn) {
                (Some(back), _) => back.since,
                (None, Some(turn)) if turn.seat == seat && !decided => turn.since,
                _ => time,
            };
            Mark { seat, since, bank: self.banks[seat] }
        });
        self.pause_or_go_on(at, plays);
    }

    fn is_turn_of(&self, seat: Option<u64>) -> bool {
        self.turn.is_some_and(|turn| Some(u64::from(turn.seat.number())) == seat)
    }

    /// Takes from the bank what a decision took beyond its own time.
    fn charge(&mut self, time: u64) {
        if let (Some(clock), Some(turn)) = (self.clock, self.turn) {
            let beyond = time.saturating_sub(turn.since).saturating_sub(clock.move_ms());
            self.banks[turn.seat] = self.banks[turn.seat].saturating_sub(beyond);
        }
    }

    fn note_asking(&mut self, body: &Body) {
        let asks = match body {
            Body::Sys { op: Op::Pause, .. } => true,
            Body::Sys { op: Op::Continue | Op::Resume, .. } | Body::Hand { .. } => false,
            _ => return,
        };
        for (seat, asking) in self.asks.iter_mut() {
            if Some(u64::from(seat.number())) == body.seat() {
                *asking = asks;
            }
        }
    }

    /// The game is paused while every seat that plays asks for it. When a pause ends, nobody asks any more.
    fn pause_or_go_on(&mut self, at: u64, plays: &BySeat<bool>) {
        let mut playing = plays.iter().filter(|(_, plays)| **plays).peekable();
        let pauses = playing.peek().is_some() && playing.all(|(seat, _)| self.asks[seat]);
        match (self.pause, pauses) {
            (None, true) => self.pause = Some(at),
            (Some(since), false) => {
                self.paused += at.saturating_sub(since);
                self.pause = None;
                self.asks.iter_mut().for_each(|(_, asks)| *asks = false);
            }
            _ => {}
        }
    }
}

/// The last moment of a turn: from then on it is the autopilot's.
const fn last(clock: Clock, turn: Mark) -> u64 {
    turn.since.saturating_add(clock.move_ms()).saturating_add(turn.bank)
}
