//! The seating of a game by its log alone, without the rules: players, promises, control, keys, and the end.

use std::{collections::BTreeSet, mem};

use serde_json::{Value, json};

use super::{
    entry::{Body, By, End, Genesis, Holder, Join, PlainAct, Reason},
    finding::{Finding, finding},
    keys::SeatKeys,
    seed::entropy_commitment,
    terms::Terms,
};
use crate::{
    engine::hash::Bytes32,
    words::{PlayedBy, Share, Status},
};

/// Timeouts in a row after which the autopilot takes a seat over.
const MOST_TIMEOUTS: u8 = 3;
/// Commands of the autopilot after which the seat is open to substitutes.
const OPEN_AFTER: u8 = 4;

#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    pub terms: Terms,
    pub status: Status,
    pub seats: Vec<Option<Sitting>>,
    /// All promises and nonces, including those of players who left.
    pub promises: BTreeSet<Bytes32>,
    pub nonces: BTreeSet<Bytes32>,
    /// Head of the join that filled the table, which the seed uses. Zeros before.
    pub head_of_full: Bytes32,
    /// Resigned seats, in order.
    pub resigned: Vec<u64>,
    /// The required type of the next entry, if the log alone determines it.
    pub due: Option<Due>,
}

/// The required next entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Due {
    /// The autopilot takes the seat over, unless the game is over by its rules.
    Autopilot(u64),
    End(Reason, Value),
}

/// The player of a seat, and the state of the seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sitting {
    pub holder: Holder,
    pub keys: SeatKeys,
    /// The previous player, who handed the seat over.
    pub gave_way: Option<Box<str>>,
    pub promise: Option<Bytes32>,
    pub revealed: Option<Bytes32>,
    pub control: Control,
    /// Timeouts since the seat's player last decided or returned.
    pub timeouts: u8,
    /// Commands of the autopilot in a row.
    pub autopiloted: u8,
    /// Decisions of plans since the seat's player last decided or returned.
    pub planned: u8,
    /// Least `seen` of a signed plan: the entry that last ended the seat's plans, or the `seen` of its newest
    /// plan.
    pub plans_after: u64,
    /// Entries of the seat that count for `MOST_OTHERS` since the newest command of the game.
    pub others: u8,
    /// Entry with which the player joined, and the newest entry that the player caused.
    pub joined: u64,
    pub acted: u64,
    /// The newest entry that the autopilot caused for the seat; 0 if there is none.
    pub timed_out: u64,
}

/// The control of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    Player,
    Autopilot,
    /// The autopilot plays to the end.
    Resigned,
}

impl Control {
    pub const fn played_by(self) -> PlayedBy {
        match self {
            Self::Player => PlayedBy::Player,
            Self::Autopilot => PlayedBy::Autopilot,
            Self::Resigned => PlayedBy::Resigned,
        }
    }
}

impl Sitting {
    pub const fn new(holder: Holder, keys: SeatKeys, promise: Option<Bytes32>, seq: u64) -> Self {
        Self {
            holder,
            keys,
            gave_way: None,
            promise,
            revealed: None,
            control: Control::Player,
            timeouts: 0,
            autopiloted: 0,
            planned: 0,
            plans_after: seq,
            others: 0,
            joined: seq,
            acted: seq,
            timed_out: 0,
        }
    }

    pub const fn share(&self) -> Share {
        match (self.promise, self.revealed) {
            (None, _) => Share::None,
            (Some(_), None) => Share::Promised,
            (Some(_), Some(_)) => Share::Revealed,
        }
    }

    /// Returns whether the player is away long enough for a substitute.
    pub const fn is_long_away(&self) -> bool {
        matches!(self.control, Control::Autopilot) && self.autopiloted >= OPEN_AFTER
    }

    const fn is_played_by_a_person(&self) -> bool {
        matches!(self.control, Control::Player) && self.holder.bot.is_none()
    }

    /// Its player is there again.
    const fn is_back(&mut self) {
        (self.timeouts, self.planned, self.autopiloted) = (0, 0, 0);
    }
}

impl Standing {
    /// A table after its genesis: all seats are free.
    pub fn new(genesis: &Genesis) -> Self {
        Self::of(genesis.terms.clone())
    }

    pub fn of(terms: Terms) -> Self {
        let seats = vec![None; usize::try_from(terms.seats).unwrap_or_default()];
        Self {
            terms,
            status: Status::Open,
            seats,
            promises: BTreeSet::new(),
            nonces: BTreeSet::new(),
            head_of_full: [0; 32],
            resigned: Vec::new(),
            due: None,
        }
    }

    pub fn sitting(&self, seat: u64) -> Option<&Sitting> {
        self.seats.get(usize::try_from(seat).ok()?)?.as_ref()
    }

    fn sitting_mut(&mut self, seat: u64) -> Option<&mut Sitting> {
        self.seats.get_mut(usize::try_from(seat).ok()?)?.as_mut()
    }

    /// Checks the revealed bytes of a seat.
    pub fn judge_reveal(&self, seat: u64, entropy: &Bytes32) -> Result<(), Finding> {
        match self.sitting(seat).map(|sitting| (sitting.promise, sitting.revealed)) {
            Some((Some(promise), None)) if promise == entropy_commitment(entropy) => Ok(()),
            Some((Some(_), None)) => Err(finding!("reveal_differs", seat = seat)),
            Some((Some(_), Some(_))) => Err(finding!("reveal_twice", seat = seat)),
            _ => Err(finding!("reveal_without_promise", seat = seat)),
        }
    }

    /// Applies an admitted entry.
    pub fn follow(&mut self, body: &Body, seq: u64) {
        self.due = None;
        self.follow_signature(body);
        match body {
            Body::Join(join) => self.seat_player(join, seq),
            Body::Leave { seat } => self.free(*seat),
            Body::Reveal { seat, entropy } => {
                if let Some(sitting) = self.sitting_mut(*seat) {
                    sitting.revealed = Some(*entropy);
                }
            }
            Body::Start => self.status = Status::Running,
            Body::Cmd { seat, by, .. } => self.note_command(*seat, by),
            Body::Takeback { seat, .. } => {
                if let Some(sitting) = self.sitting_mut(*seat) {
                    sitting.is_back();
                }
            }
            Body::Hand { seat, .. } => self.hand_over(*seat, body, seq),
            Body::Act { seat, act, signed } => {
                self.follow_act(*seat, *act, signed.as_ref().map(|signed| &signed.key), seq);
            }
            Body::Revoke { seat, keys, .. } => {
                if let Some(sitting) = self.sitting_mut(*seat) {
                    sitting.keys.revoke(keys);
                    sitting.plans_after = seq;
                }
            }
            Body::Autopilot { seat } => {
                if let Some(sitting) = self.sitting_mut(*seat) {
                    (sitting.control, sitting.autopiloted) = (Control::Autopilot, 0);
                }
                self.due = self.end_of_play(false);
            }
            Body::Remove { seat, .. } => self.resign(*seat),
            Body::End(End { reason, .. }) => {
                let unplayed = *reason == Reason::Void || self.status != Status::Running;
                self.status = if unplayed { Status::Void } else { Status::Finished };
            }
            Body::Genesis(_) | Body::Outage { .. } => {}
        }
        self.count(body, seq);
    }

    /// A signature with device statements puts their keys in force. Whether they are genuine is a matter of
    /// check 7.
    fn follow_signature(&mut self, body: &Body) {
        let Some(signed) = body.signed().filter(|signed| !signed.devices.is_empty()) else { return };
        if let Some(sitting) = body.seat().and_then(|seat| self.sitting_mut(seat)) {
            let added = sitting.keys.added_by(signed).unwrap_or_default();
            sitting.keys.add(added);
        }
    }

    fn seat_player(&mut self, join: &Join, seq: u64) {
        let Join { seat, holder, commit, signed } = join;
        self.promises.extend(commit);
        self.nonces.extend(signed.as_ref().map(|claim| claim.nonce));
        let sitting = Sitting::new(holder.clone(), SeatKeys::of(signed.as_ref()), *commit, seq);
        if let Some(place) = usize::try_from(*seat).ok().and_then(|seat| self.seats.get_mut(seat)) {
            *place = Some(sitting);
        }
        if self.seats.iter().all(Option::is_some) {
            self.status = Status::Sealed;
        }
    }

    fn free(&mut self, seat: u64) {
        if let Some(place) = usize::try_from(seat).ok().and_then(|seat| self.seats.get_mut(seat)) {
            *place = None;
        }
    }

    fn hand_over(&mut self, seat: u64, body: &Body, seq: u64) {
        let Body::Hand { holder, taken, .. } = body else { return };
        self.nonces.extend(taken.as_ref().map(|claim| claim.nonce));
        self.resigned.retain(|resigned| *resigned != seat);
        let Some(sitting) = self.sitting_mut(seat) else { return };
        let Sitting { promise, revealed, others, .. } = *sitting;
        let next = Sitting::new(holder.clone(), SeatKeys::of(taken.as_ref()), promise, seq);
        let before = mem::replace(sitting, Sitting { revealed, others, ..next });
        sitting.gave_way = Some(before.holder.player.into_boxed_str());
    }

    fn follow_act(&mut self, seat: u64, act: PlainAct, key: Option<&super::seat_key::SeatKey>, seq: u64) {
        let Some(sitting) = self.sitting_mut(seat) else { return };
        match act {
            PlainAct::Pause | PlainAct::Continue => {}
            PlainAct::Resume => {
                sitting.control = Control::Player;
                sitting.plans_after = seq;
                sitting.is_back();
            }
            PlainAct::Rekey => {
                sitting.keys.rekey(key);
                sitting.plans_after = seq;
            }
            PlainAct::Resign => self.resign(seat),
        }
    }

    fn resign(&mut self, seat: u64) {
        if let Some(sitting) = self.sitting_mut(seat) {
            sitting.control = Control::Resigned;
            self.resigned.push(seat);
        }
        self.due = self.end_of_play(true);
    }

    fn count(&mut self, body: &Body, seq: u64) {
        let (is_limited, is_players) = (is_limited(body), is_of_player(body));
        if let Some(sitting) = body.seat().and_then(|seat| self.sitting_mut(seat)) {
            sitting.others = sitting.others.saturating_add(is_limited.into());
            if is_players {
                sitting.acted = seq;
            }
            if matches!(body, Body::Cmd { by: By::Autopilot, .. }) {
                sitting.timed_out = seq;
            }
        }
    }

    fn note_command(&mut self, seat: u64, by: &By) {
        for sitting in self.seats.iter_mut().flatten() {
            sitting.others = 0;
        }
        let Some(sitting) = self.sitting_mut(seat) else { return };
        match by {
            By::Player => sitting.is_back(),
            By::Plan(plan) => {
                let seen = plan.signed.as_ref().map_or(0, |signed| signed.seen);
                sitting.plans_after = sitting.plans_after.max(seen);
                sitting.timeouts = 0;
                sitting.planned = sitting.planned.saturating_add(1);
            }
            By::Autopilot => {
                sitting.timeouts = sitting.timeouts.saturating_add(1);
                sitting.autopiloted = sitting.autopiloted.saturating_add(1);
                let is_over = sitting.control == Control::Player && sitting.timeouts >= MOST_TIMEOUTS;
                self.due = is_over.then_some(Due::Autopilot(seat));
            }
        }
    }

    /// Returns the required `end` after a resignation, or after the autopilot took a seat over.
    fn end_of_play(&self, resigned: bool) -> Option<Due> {
        let taken =
            || (0_u64..).zip(&self.seats).filter_map(|(seat, sitting)| Some((seat, sitting.as_ref()?)));
        let mut staying = taken().filter(|(_, sitting)| sitting.control != Control::Resigned);
        if let (true, Some((last, _)), None) = (resigned, staying.next(), staying.next()) {
            let order = [last].into_iter().chain(self.resigned.iter().rev().copied());
            let result: Vec<Value> = (1..)
                .zip(order)
                .map(|(place, seat): (u64, u64)| json!({"seat": seat, "place": place}))
                .collect();
            return Some(Due::End(Reason::Resigned, result.into()));
        }
        let persons = taken().any(|(_, sitting)| sitting.holder.bot.is_none());
        let plays = taken().any(|(_, sitting)| sitting.is_played_by_a_person());
        (persons && !plays).then_some(Due::End(Reason::Abandoned, Value::Null))
    }

    /// Returns the revealed bytes of each seat.
    pub fn revealed(&self) -> Vec<Option<Bytes32>> {
        self.seats.iter().map(|seat| seat.as_ref().and_then(|sitting| sitting.revealed)).collect()
    }
}

/// Returns whether an entry counts for the limit of its seat.
pub const fn is_limited(body: &Body) -> bool {
    match body {
        Body::Takeback { .. } | Body::Hand { .. } | Body::Revoke { .. } => true,
        Body::Act { act, .. } => !matches!(act, PlainAct::Resign),
        _ => false,
    }
}

/// Returns whether the player of the seat caused the entry.
const fn is_of_player(body: &Body) -> bool {
    matches!(
        body,
        Body::Join(_)
            | Body::Reveal { .. }
            | Body::Cmd { by: By::Player, .. }
            | Body::Takeback { .. }
            | Body::Act { .. }
            | Body::Hand { .. }
            | Body::Revoke { .. }
    )
}
