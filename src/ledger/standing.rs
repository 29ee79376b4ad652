//! Where a game stands by its log alone: who sits where, what was promised, who plays each seat, and whether it is over.

use std::{collections::BTreeSet, mem};

use serde_json::{Value, json};

use super::{
    entry::{Body, By, Genesis, Holder, Join, Op, Reason},
    terms::Terms,
};
use crate::{
    engine::{Format, hash::Bytes32},
    words::{PlayedBy, Share, Status},
};

/// After this many decisions of the autopilot in a row a seat is left to it.
const MOST_TIMEOUTS: u8 = 3;
/// After this many commands of the autopilot for a seat that is left to it, anybody may take the seat.
const LONG_LEFT: u8 = 4;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    pub format: Format,
    pub terms: Terms,
    pub status: Status,
    pub seats: Vec<Option<Sitting>>,
    /// All that was ever promised here, also for a seat that was left again.
    pub promises: BTreeSet<Bytes32>,
    /// The head of the chain after the seal, on which the seed hangs. Zeros before it.
    pub head_of_seal: Bytes32,
    /// The seats that have resigned, the first one first.
    pub resigned: Vec<u64>,
    /// What must be the next entry, if the log alone says so.
    pub due: Option<Due>,
}

/// What follows at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Due {
    /// The seat goes to the autopilot, unless the game is over.
    Autopilot(u64),
    End(Reason, Value),
}

/// Who sits on a seat, and what the log says of the seat since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sitting {
    pub holder: Holder,
    /// The player from whom the seat was handed on.
    pub gave_way: Option<Box<str>>,
    /// What the player promised, and what it revealed.
    pub promise: Option<Bytes32>,
    pub revealed: Option<Bytes32>,
    /// Whether what was revealed is a player's, and not the server's own for its machine, whoever has the
    /// seat later.
    pub is_share: bool,
    pub control: Control,
    /// How many decisions in a row the autopilot has made for the seat.
    pub timeouts: u8,
    /// How many commands the autopilot has given for the seat since it was left to it, as far as that
    /// matters.
    pub left: u8,
    /// How many decisions in a row plans have made for the seat.
    pub planned: u8,
    /// What a signed plan of the seat must have seen: the newest entry that ended its plans, or what its
    /// newest plan had seen.
    pub plans_after: u64,
    /// How many entries there are of the seat since the newest command of the game.
    pub others: u8,
    /// The entry with which its player sat down, and the newest that the player caused.
    pub joined: u64,
    pub acted: u64,
}

/// In whose hands a seat is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    Player,
    Autopilot,
    /// The autopilot plays it to the end.
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
    pub const fn new(holder: Holder, promise: Option<Bytes32>, control: Control) -> Self {
        Self {
            holder,
            gave_way: None,
            promise,
            revealed: None,
            is_share: false,
            control,
            timeouts: 0,
            left: 0,
            planned: 0,
            plans_after: 0,
            others: 0,
            joined: 0,
            acted: 0,
        }
    }

    pub const fn share(&self) -> Share {
        match (self.promise, self.revealed) {
            (None, _) => Share::None,
            (Some(_), None) => Share::Promised,
            (Some(_), Some(_)) => Share::Revealed,
        }
    }

    /// Whether its player has been away for so long that another may take the seat.
    pub const fn is_long_left(&self) -> bool {
        matches!(self.control, Control::Autopilot) && self.left >= LONG_LEFT
    }

    /// Whether its player, a person, plays it.
    const fn is_played_by_a_person(&self) -> bool {
        matches!(self.control, Control::Player) && self.holder.bot.is_none()
    }

    /// Its player is there again.
    const fn is_back(&mut self) {
        (self.timeouts, self.planned, self.left) = (0, 0, 0);
    }
}

impl Standing {
    /// A table of which nothing stands but its genesis: all seats are free.
    pub fn new(genesis: &Genesis) -> Self {
        Self::of(genesis.format, genesis.seats, genesis.terms.clone())
    }

    pub fn of(format: Format, seats: u64, terms: Terms) -> Self {
        let seats = vec![None; usize::try_from(seats).unwrap_or_default()];
        Self {
            format,
            terms,
            status: Status::Open,
            seats,
            promises: BTreeSet::new(),
            head_of_seal: [0; 32],
            resigned: Vec::new(),
            due: None,
        }
    }

    pub fn sitting(&self, seat: u64) -> Option<&Sitting> {
        self.seats.get(usize::try_from(seat).ok()?)?.as_ref()
    }

    pub(super) fn sitting_mut(&mut self, seat: u64) -> Option<&mut Sitting> {
        self.seats.get_mut(usize::try_from(seat).ok()?)?.as_mut()
    }

    /// Takes an entry in where it may stand, as far as seats and status go. A refusal says why and changes
    /// nothing.
    pub fn place(&mut self, body: &Body) -> Result<(), String> {
        match (body, self.status) {
            (Body::Genesis(_), _) => Err("a second genesis stands here".into()),
            (Body::Join(Join { seat, holder, commit }), Status::Open) => {
                let seat = self.seat(*seat, false)?;
                self.promises.extend(commit);
                self.seats[seat] = Some(Sitting::new(holder.clone(), *commit, Control::Player));
                Ok(())
            }
            (Body::Leave { seat }, Status::Open) => {
                let seat = self.seat(*seat, true)?;
                self.seats[seat] = None;
                Ok(())
            }
            (Body::Seal, Status::Open) if self.seats.iter().all(Option::is_some) => {
                self.status = Status::Sealed;
                Ok(())
            }
            (Body::Seal, Status::Open) => Err("the table is sealed before it is full".into()),
            (Body::Reveal { seat, entropy }, Status::Sealed) => {
                self.seat(*seat, true)?;
                match self.sitting_mut(*seat) {
                    Some(Sitting { revealed: Some(_), .. }) | None => {
                        Err(format!("seat {seat} reveals a second time"))
                    }
                    Some(sitting) => {
                        sitting.revealed = Some(*entropy);
                        sitting.is_share = sitting.holder.bot.is_none();
                        Ok(())
                    }
                }
            }
            (Body::Start, Status::Sealed) => {
                self.status = Status::Running;
                Ok(())
            }
            (
                Body::Cmd { seat, .. }
                | Body::Sys { seat, .. }
                | Body::Keys { seat, .. }
                | Body::Hand { seat, .. }
                | Body::Takeback { seat, .. },
                Status::Running,
            ) => self.seat(*seat, true).map(|_| ()),
            (Body::End { reason, .. }, Status::Running) if *reason != Reason::Void => {
                self.status = Status::Finished;
                Ok(())
            }
            (Body::End { reason: Reason::Void, result }, Status::Open | Status::Sealed)
                if result.is_null() =>
            {
                self.status = Status::Void;
                Ok(())
            }
            (body, _) => Err(format!("an entry of the type `{}` may not stand here", body.kind())),
        }
    }

    /// The place of a seat that must be taken, or free.
    fn seat(&self, number: u64, taken: bool) -> Result<usize, String> {
        let fits = |place: &usize| self.seats.get(*place).is_some_and(|seat| seat.is_some() == taken);
        usize::try_from(number).ok().filter(fits).ok_or_else(|| {
            let state = if taken { "is not taken" } else { "is not free" };
            format!("seat {number} {state} at this table")
        })
    }

    /// Hands a seat over where the entry does so, and refuses an entry of a seat that is not in the right
    /// hands for it. A seat that resigned stays with the autopilot, unless another player gets it; one that
    /// went to it is its player's again after a `resume`.
    pub fn hand_over(&mut self, body: &Body) -> Result<(), String> {
        let Some(sitting) = body.seat().and_then(|seat| self.sitting_mut(seat)) else { return Ok(()) };
        let is_players_only = match body {
            Body::Cmd { by: By::Autopilot, .. } => return Ok(()),
            Body::Cmd { .. } | Body::Takeback { .. } | Body::Sys { op: Op::Pause | Op::Autopilot, .. } => {
                true
            }
            Body::Keys { .. } | Body::Hand { .. } | Body::Sys { .. } => false,
            _ => return Ok(()),
        };
        let seat = body.seat().unwrap_or_default();
        match (sitting.control, body) {
            (_, Body::Hand { holder, .. }) => {
                let Sitting { promise, revealed, is_share, others, .. } = *sitting;
                let next = Sitting::new(holder.clone(), promise, Control::Player);
                let before = mem::replace(sitting, Sitting { revealed, is_share, others, ..next });
                sitting.gave_way = Some(before.holder.player.into_boxed_str());
                self.resigned.retain(|resigned| *resigned != seat);
            }
            (Control::Resigned, _) => return Err(format!("seat {seat} has resigned")),
            (Control::Autopilot, _) if is_players_only => {
                return Err(format!("seat {seat} is the autopilot's until it resumes"));
            }
            (Control::Player, Body::Sys { op: Op::Resume, .. }) => {
                return Err(format!("seat {seat} is its player's already"));
            }
            (_, Body::Sys { op: Op::Resume, .. }) => {
                sitting.control = Control::Player;
                sitting.is_back();
            }
            (_, Body::Sys { op: Op::Autopilot, .. }) => {
                (sitting.control, sitting.left) = (Control::Autopilot, 0);
            }
            (_, Body::Sys { op: Op::Resign, .. }) => {
                sitting.control = Control::Resigned;
                self.resigned.push(seat);
            }
            (_, Body::Sys { op: Op::Unkey, .. }) => sitting.holder.keys.clear(),
            (_, Body::Keys { keys, .. }) => sitting.holder.keys.clone_from(keys),
            _ => {}
        }
        Ok(())
    }

    /// Counts what an entry says of who decides, and notes what must follow it.
    pub fn note(&mut self, body: &Body, seq: u64) {
        self.due = None;
        match body {
            Body::Cmd { seat, by, .. } => self.note_command(*seat, by),
            Body::Keys { .. } | Body::Hand { .. } | Body::Sys { op: Op::Unkey | Op::Resume, .. } => {
                if let Some(sitting) = body.seat().and_then(|seat| self.sitting_mut(seat)) {
                    sitting.plans_after = seq;
                }
            }
            Body::Sys { op: op @ (Op::Resign | Op::Autopilot), .. } => self.due = self.end_of_play(*op),
            Body::Takeback { seat, .. } => {
                if let Some(sitting) = self.sitting_mut(*seat) {
                    sitting.is_back();
                }
            }
            _ => {}
        }
        let is_other = !matches!(body, Body::Cmd { .. }) && self.status == Status::Running;
        let is_players = is_of_player(body);
        let Some(sitting) = body.seat().and_then(|seat| self.sitting_mut(seat)) else { return };
        sitting.others = sitting.others.saturating_add(is_other.into());
        if is_players {
            sitting.acted = seq;
        }
        if matches!(body, Body::Join(_) | Body::Hand { .. }) {
            (sitting.joined, sitting.acted) = (seq, seq);
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
                sitting.plans_after = plan.signed.as_ref().map_or(sitting.plans_after, |signed| signed.seen);
                sitting.timeouts = 0;
                sitting.planned = sitting.planned.saturating_add(1);
            }
            By::Autopilot => {
                sitting.timeouts = sitting.timeouts.saturating_add(1);
                sitting.left = sitting.left.saturating_add(1);
                let is_left = sitting.control == Control::Player && sitting.timeouts >= MOST_TIMEOUTS;
                self.due = is_left.then_some(Due::Autopilot(seat));
            }
        }
    }

    /// How a game ends that has lost a player, if it does. Games of fairlog/1 are played on.
    fn end_of_play(&self, op: Op) -> Option<Due> {
        let taken =
            || (0_u64..).zip(&self.seats).filter_map(|(seat, sitting)| Some((seat, sitting.as_ref()?)));
        let mut staying = taken().filter(|(_, sitting)| sitting.control != Control::Resigned);
        if self.format == Format::One {
            return None;
        }
        if let (Op::Resign, Some((last, _)), None) = (op, staying.next(), staying.next()) {
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

    /// What each seat revealed.
    pub fn revealed(&self) -> Vec<Option<Bytes32>> {
        self.seats.iter().map(|seat| seat.as_ref().and_then(|sitting| sitting.revealed)).collect()
    }
}

/// Whether the player of the seat caused it.
const fn is_of_player(body: &Body) -> bool {
    match body {
        Body::Join(_)
        | Body::Reveal { .. }
        | Body::Keys { .. }
        | Body::Hand { .. }
        | Body::Takeback { .. }
        | Body::Cmd { by: By::Player, .. } => true,
        Body::Sys { op, .. } => !matches!(op, Op::Autopilot),
        _ => false,
    }
}
