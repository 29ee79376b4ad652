//! Deadlines, banks, pauses and outages, by the times of the entries alone.

use super::{
    entry::{Body, By, PlainAct},
    finding::{Finding, finding},
    terms::Clock,
};
use crate::engine::{BySeat, Seat, Seats};

/// The clocks of a game. They run on entry times minus earlier pauses and outages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clocks {
    clock: Option<Clock>,
    /// Time left in the bank of each seat, and whether the seat asks for a pause.
    banks: BySeat<u64>,
    asks: BySeat<bool>,
    /// Total time of ended pauses and outages.
    stopped: u64,
    /// Start of the current pause.
    pause: Option<u64>,
    turn: Option<Mark>,
}

/// The control of a seat: whether its player decides, and whether it votes on pauses. Bots and seats that
/// left the game have no vote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decides {
    pub plays: bool,
    pub votes: bool,
}

/// A turn: the seat that must decide, its start, and the time left in its bank.
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
            stopped: 0,
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

    /// Returns the seat that must decide.
    pub fn waits_for(&self) -> Option<Seat> {
        self.turn.map(|turn| turn.seat)
    }

    /// Returns the start of the current turn, by the server's clock.
    pub fn since(&self) -> Option<u64> {
        self.turn.map(|turn| turn.since.saturating_add(self.stopped))
    }

    /// Returns the current turn, for a takeback.
    pub const fn mark(&self) -> Option<Mark> {
        self.turn
    }

    /// Returns the deadline of the current turn, by the server's clock.
    pub fn deadline(&self) -> Option<u64> {
        let (clock, turn) = (self.clock?, self.turn.filter(|_| !self.is_paused())?);
        Some(last(clock, turn).saturating_add(self.stopped))
    }

    /// The time of the game at a time of the server.
    const fn time(&self, at: u64) -> u64 {
        let at = match self.pause {
            Some(since) => since,
            None => at,
        };
        at.saturating_sub(self.stopped)
    }

    /// Checks the time of an entry. For a takeback, `back` is the restored turn.
    pub fn judge(&self, body: &Body, at: u64, back: Option<Mark>) -> Result<(), Finding> {
        let Some(clock) = self.clock else { return Ok(()) };
        match body {
            Body::Cmd { .. } | Body::Takeback { .. } | Body::Outage { .. } if self.is_paused() => {
                Err(finding!("in_a_pause", kind = body.kind()))
            }
            Body::Cmd { by, .. } => {
                let Some(turn) = self.turn.filter(|_| self.is_turn_of(body.seat())) else { return Ok(()) };
                let (deadline, time) = (last(clock, turn), self.time(at));
                let ms = deadline.abs_diff(time);
                match (matches!(by, By::Autopilot), time >= deadline) {
                    (true, false) => Err(finding!("timeout_early", ms = ms)),
                    (false, true) => Err(finding!("decision_late", ms = ms)),
                    _ => Ok(()),
                }
            }
            Body::Takeback { .. } if back.is_some_and(|turn| self.time(at) >= last(clock, turn)) => {
                Err(finding!("takeback_late"))
            }
            Body::Act { act: PlainAct::Pause, seat, .. } if self.asks_by_number(*seat) => {
                Err(finding!("asks_already", seat = seat))
            }
            Body::Act { act: PlainAct::Continue, seat, .. } if !self.asks_by_number(*seat) => {
                Err(finding!("asks_not", seat = seat))
            }
            _ => Ok(()),
        }
    }

    fn asks_by_number(&self, seat: u64) -> bool {
        self.asks.iter().any(|(asking, asks)| u64::from(asking.number()) == seat && *asks)
    }

    /// Applies an entry. Afterwards `to_act` must decide, and `seats` has the control of each seat. For a
    /// takeback, `back` is the restored turn.
    pub fn follow(
        &mut self,
        body: &Body,
        at: u64,
        back: Option<Mark>,
        to_act: Option<Seat>,
        seats: &BySeat<Decides>,
    ) {
        if let Body::Outage { ms } = body {
            self.stopped = self.stopped.saturating_add(*ms);
        }
        let time = self.time(at);
        let decided = matches!(body, Body::Cmd { .. }) && self.is_turn_of(body.seat());
        if decided {
            self.charge(time);
        }
        self.note_asking(body);
        if let Some(back) = back {
            self.banks[back.seat] = back.bank;
        }
        self.turn = to_act.filter(|seat| seats[*seat].plays).map(|seat| {
            let since = match (back, self.turn) {
                (Some(back), _) => back.since,
                (None, Some(turn)) if turn.seat == seat && !decided => turn.since,
                _ => time,
            };
            Mark { seat, since, bank: self.banks[seat] }
        });
        self.pause_or_go_on(at, seats);
    }

    fn is_turn_of(&self, seat: Option<u64>) -> bool {
        self.turn.is_some_and(|turn| Some(u64::from(turn.seat.number())) == seat)
    }

    /// Charges the bank for the time of a decision beyond the time per move.
    fn charge(&mut self, time: u64) {
        if let (Some(clock), Some(turn)) = (self.clock, self.turn) {
            let beyond = time.saturating_sub(turn.since).saturating_sub(clock.move_ms());
            self.banks[turn.seat] = self.banks[turn.seat].saturating_sub(beyond);
        }
    }

    fn note_asking(&mut self, body: &Body) {
        let asks = match body {
            Body::Act { act: PlainAct::Pause, .. } => true,
            Body::Act { act: PlainAct::Continue | PlainAct::Resign, .. }
            | Body::Autopilot { .. }
            | Body::Remove { .. }
            | Body::Hand { .. } => false,
            _ => return,
        };
        for (seat, asking) in self.asks.iter_mut() {
            if Some(u64::from(seat.number())) == body.seat() {
                *asking = asks;
            }
        }
    }

    /// Pauses the game if all voters ask for a pause. The end of a pause withdraws all requests.
    fn pause_or_go_on(&mut self, at: u64, seats: &BySeat<Decides>) {
        let mut voters = seats.iter().filter(|(_, seat)| seat.votes).peekable();
        let pauses = voters.peek().is_some() && voters.all(|(seat, _)| self.asks[seat]);
        match (self.pause, pauses) {
            (None, true) => self.pause = Some(at),
            (Some(since), false) => {
                self.stopped += at.saturating_sub(since);
                self.pause = None;
                self.asks.iter_mut().for_each(|(_, asks)| *asks = false);
            }
            _ => {}
        }
    }
}

/// Returns the last moment of a turn. Later the autopilot decides.
const fn last(clock: Clock, turn: Mark) -> u64 {
    turn.since.saturating_add(clock.move_ms()).saturating_add(turn.bank)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// A table of two, with a minute for each decision and two minutes besides; the first seat is to act from
    /// 1 s on.
    struct Play {
        clocks: Clocks,
        seats: [Seat; 2],
        plays: BySeat<Decides>,
    }

    const PERSON: Decides = Decides { plays: true, votes: true };
    const AWAY: Decides = Decides { plays: false, votes: false };
    const BOT: Decides = Decides { plays: true, votes: false };
    const MINUTE: u64 = 60_000;
    const SECOND: u64 = 1_000;

    impl Play {
        fn new() -> Self {
            let two = Seats::new(2).unwrap();
            let clock = Clock { move_seconds: 60, bank_seconds: 120 };
            let seats = [0, 1].map(|number| two.seat(number).unwrap());
            let mut play =
                Self { clocks: Clocks::new(Some(clock), two), seats, plays: BySeat::new(two, |_| PERSON) };
            play.follow(&Body::Start, SECOND, Some(0));
            play
        }

        fn follow(&mut self, body: &Body, at: u64, to_act: Option<usize>) {
            self.clocks.follow(body, at, None, to_act.map(|seat| self.seats[seat]), &self.plays);
        }

        fn banks(&self) -> [u64; 2] {
            self.seats.map(|seat| self.clocks.bank(seat))
        }

        fn judge(&self, body: &Body, at: u64) -> String {
            self.clocks.judge(body, at, None).err().map_or_else(String::new, |why| why.to_string())
        }
    }

    fn decides(seat: u64, by: By) -> Body {
        Body::Cmd { seat, by, cmd: Value::Null, signed: None }
    }

    fn says(seat: u64, act: PlainAct) -> Body {
        Body::act(act, seat)
    }

    #[test]
    fn a_bank_pays_for_what_a_decision_takes_beyond_its_time() {
        let mut play = Play::new();
        assert_eq!((play.banks(), play.clocks.deadline()), ([2 * MINUTE; 2], Some(3 * MINUTE + SECOND)));
        assert_eq!(play.clocks.waits_for(), Some(play.seats[0]));
        play.follow(&decides(0, By::Player), MINUTE + SECOND, Some(1));
        assert_eq!(play.banks(), [2 * MINUTE; 2], "a whole minute costs nothing");
        play.follow(&decides(1, By::Player), 2 * MINUTE + 6 * SECOND, Some(0));
        assert_eq!(play.banks(), [2 * MINUTE, 2 * MINUTE - 5 * SECOND]);
        // A command out of turn costs the seat to act nothing, and its time runs on.
        let since = play.clocks.since();
        play.follow(&decides(1, By::Player), 20 * MINUTE, Some(0));
        assert_eq!((play.banks()[0], play.clocks.since()), (2 * MINUTE, since));
        play.follow(&decides(0, By::Autopilot), 60 * MINUTE, None);
        assert_eq!((play.banks()[0], play.clocks.deadline(), play.clocks.waits_for()), (0, None, None));
    }

    #[test]
    fn who_decides_again_has_a_whole_time_again() {
        let mut play = Play::new();
        play.follow(&decides(0, By::Player), 31 * SECOND, Some(0));
        assert_eq!(play.clocks.since(), Some(31 * SECOND));
    }

    #[test]
    fn what_is_no_decision_costs_nothing_and_changes_no_deadline() {
        let mut play = Play::new();
        let before = (play.banks(), play.clocks.deadline());
        play.follow(&says(0, PlainAct::Pause), 2 * MINUTE, Some(0));
        assert_eq!((play.banks(), play.clocks.deadline()), before);
        assert!(play.clocks.asks(play.seats[0]) && !play.clocks.asks(play.seats[1]));
    }

    #[test]
    fn a_takeback_puts_the_turn_back_as_it_was() {
        let mut play = Play::new();
        let mark = play.clocks.mark();
        play.follow(&decides(0, By::Player), 2 * MINUTE, Some(1));
        assert_eq!(play.banks()[0], MINUTE + SECOND);
        let back = Body::Takeback { seat: 0, to: 4, signed: None };
        assert_eq!(play.clocks.judge(&back, 3 * MINUTE, mark), Ok(()));
        let late = play.clocks.judge(&back, 3 * MINUTE + SECOND, mark);
        assert_eq!(late.map_err(|why| why.code), Err("takeback_late"));
        let (to_act, plays) = (Some(play.seats[0]), play.plays.clone());
        play.clocks.follow(&back, 2 * MINUTE + SECOND, mark, to_act, &plays);
        assert_eq!((play.clocks.mark(), play.banks()), (mark, [2 * MINUTE; 2]));
    }

    #[test]
    fn no_time_runs_while_all_ask_for_a_pause() {
        let mut play = Play::new();
        play.follow(&says(0, PlainAct::Pause), 10 * SECOND, Some(0));
        assert!(!play.clocks.is_paused());
        assert_eq!(play.judge(&says(0, PlainAct::Pause), 20 * SECOND), "Seat 0 already asks for a pause.");
        assert_eq!(play.judge(&says(1, PlainAct::Continue), 20 * SECOND), "Seat 1 does not ask for a pause.");
        assert_eq!(play.judge(&says(1, PlainAct::Pause), 20 * SECOND), "");
        assert_eq!(play.judge(&says(0, PlainAct::Continue), 20 * SECOND), "");
        play.follow(&says(1, PlainAct::Pause), 21 * SECOND, Some(0));
        assert!(play.clocks.is_paused() && play.clocks.deadline().is_none());
        assert_eq!(play.judge(&decides(0, By::Player), MINUTE), "There is a `cmd` in a pause.");
        play.follow(&says(1, PlainAct::Continue), 60 * MINUTE + 21 * SECOND, Some(0));
        assert!(!play.clocks.is_paused() && play.seats.iter().all(|seat| !play.clocks.asks(*seat)));
        assert_eq!(play.clocks.deadline(), Some(63 * MINUTE + SECOND), "an hour later than it was");
        assert_eq!(play.clocks.since(), Some(60 * MINUTE + SECOND));
        // Twenty seconds had passed before the pause.
        play.follow(&decides(0, By::Player), 61 * MINUTE + 2 * SECOND, Some(1));
        assert_eq!(play.banks()[0], 2 * MINUTE - SECOND);
    }

    #[test]
    fn before_the_deadline_the_seat_decides_and_from_then_on_the_autopilot() {
        let play = Play::new();
        let deadline = 3 * MINUTE + SECOND;
        let judged = |by: By, at| play.judge(&decides(0, by), at);
        assert_eq!(judged(By::Player, deadline - 1), "");
        assert_eq!(judged(By::Player, deadline), "The seat decided 0 ms after its deadline.");
        assert_eq!(judged(By::Autopilot, deadline - 1), "The autopilot decided 1 ms before the deadline.");
        assert_eq!(judged(By::Autopilot, deadline), "");
        assert_eq!(play.judge(&decides(1, By::Player), 60 * MINUTE), "", "it is not its turn that runs out");
    }

    /// A pause needs the votes of playing seats only.
    #[test]
    fn a_pause_is_of_those_who_play() {
        let mut play = Play::new();
        play.plays[play.seats[1]] = AWAY;
        play.follow(&says(0, PlainAct::Pause), 10 * SECOND, Some(0));
        assert!(play.clocks.is_paused());
        play.plays[play.seats[0]] = AWAY;
        play.follow(&says(0, PlainAct::Resign), 20 * SECOND, Some(0));
        assert!(!play.clocks.is_paused() && play.clocks.waits_for().is_none());
    }

    #[test]
    fn bots_do_not_vote_on_pauses() {
        let mut play = Play::new();
        play.plays[play.seats[1]] = BOT;
        play.follow(&says(0, PlainAct::Pause), 10 * SECOND, Some(1));
        assert!(play.clocks.is_paused());
    }

    #[test]
    fn an_outage_takes_no_time_from_anyone() {
        let mut play = Play::new();
        play.follow(&Body::Outage { ms: 5 * MINUTE }, 6 * MINUTE, Some(0));
        assert_eq!(play.clocks.deadline(), Some(8 * MINUTE + SECOND));
        assert_eq!(play.judge(&decides(0, By::Player), 8 * MINUTE), "");
        play.follow(&decides(0, By::Player), 7 * MINUTE + SECOND, Some(1));
        assert_eq!(play.banks()[0], MINUTE, "two minutes counted, one of them beyond the minute of a move");
    }

    #[test]
    fn who_loses_control_of_a_seat_no_longer_asks_for_a_pause() {
        let mut play = Play::new();
        play.follow(&says(0, PlainAct::Pause), 10 * SECOND, Some(0));
        play.follow(&Body::Autopilot { seat: 0 }, 20 * SECOND, Some(0));
        assert!(!play.clocks.asks(play.seats[0]));
    }
}
