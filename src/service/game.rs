//! A game in memory: what its rows and its log say.

use arrayvec::ArrayVec;

use super::{ServiceError, draft::Placed, history::Stored, notice::Tiding};
use crate::{
    engine::{Chance, Seat, Seed, Viewer, hash::Bytes32},
    ledger::{
        chain::Chain,
        entry::{Body, By, Op, Reason},
        receipt::Receipt,
        replay::{Setting, replay},
        seed::ServerSeed,
    },
    rulesets::{AnyCommand, AnyStatus, AnyTable},
    store::{self, Control, Entropy, GameRow, PlayerKey, SeatRow, Status},
};

/// What one entry meant for those who sit at a game.
pub type Tidings = ArrayVec<Tiding, 2>;

/// Who sits on a seat.
#[derive(Clone, Debug)]
pub struct Sitting {
    pub player: PlayerKey,
    pub uuid: uuid::Uuid,
    pub name: String,
    pub control: Control,
    pub resigned: bool,
    /// What the seat promised, and what it revealed.
    pub promise: Option<Bytes32>,
    pub revealed: Option<Bytes32>,
    /// How many decisions in a row the autopilot has made for it.
    pub timeouts: u8,
}

impl Sitting {
    pub const fn entropy(&self) -> Entropy {
        match (self.promise, self.revealed) {
            (None, _) => Entropy::None,
            (Some(_), None) => Entropy::Promised,
            (Some(_), Some(_)) => Entropy::Revealed,
        }
    }
}

/// A game in memory. It is a function of its row and its log.
pub struct Game {
    pub row: GameRow,
    pub setting: Setting,
    pub seats: Vec<Option<Sitting>>,
    pub chain: Chain,
    pub table: Option<AnyTable>,
    pub(super) head_of_seal: Bytes32,
    /// The seat that must decide, as of the last entry, and since when it has had to make this decision.
    waiting: Option<Seat>,
    pub turn_since: Option<u64>,
}

impl Game {
    pub fn new(row: GameRow, setting: Setting) -> Self {
        let seats = vec![None; usize::from(setting.seats.count())];
        Self {
            row,
            setting,
            seats,
            chain: Chain::default(),
            table: None,
            head_of_seal: [0; 32],
            waiting: None,
            turn_since: None,
        }
    }

    /// The game that a log is of, before its first entry.
    pub fn begin(row: GameRow, entries: &[Stored]) -> Result<Self, ServiceError> {
        match entries.first().map(|entry| &entry.body) {
            Some(Body::Genesis(genesis)) => Ok(Self::new(row, Setting::read(genesis)?)),
            _ => Err(ServiceError::Internal("a stored log has no genesis".into())),
        }
    }

    /// Rebuilds a game from what is stored.
    pub fn load(row: GameRow, seats: Vec<SeatRow>, entries: &[store::Entry]) -> Result<Self, ServiceError> {
        let entries = super::history::read(entries)?;
        let mut game = Self::begin(row, &entries)?;
        for entry in entries {
            game.follow(entry)?;
        }
        for row in seats {
            if let Some(Some(sitting)) = game.seats.get_mut(usize::from(row.seat)) {
                (sitting.player, sitting.uuid, sitting.name) = (row.player, row.player_uuid, row.player_name);
            }
        }
        Ok(game)
    }

    /// Takes one stored entry in, and says what it meant for those who sit there.
    pub(super) fn follow(&mut self, entry: Stored) -> Result<Tidings, ServiceError> {
        match &entry.body {
            Body::Genesis(_) | Body::End { .. } => {}
            Body::Join { seat, commit, .. } => self.sit(*seat, *commit),
            Body::Leave { seat } => self.set(*seat, |sitting| *sitting = None),
            Body::Seal => self.head_of_seal = entry.head,
            Body::Reveal { seat, entropy } => self.with(*seat, |sitting| sitting.revealed = Some(*entropy)),
            Body::Start => self.table = Some(self.setting.start(self.chance(), entry.draws)?),
            Body::Cmd { seat, by, cmd } => {
                let table = self.table.as_mut().ok_or(ServiceError::NotFound)?;
                replay(table, *seat, *by, cmd, entry.draws)?;
            }
            Body::Sys { op, seat } => self.with(*seat, |sitting| sitting.follow(*op)),
        }
        self.chain = Chain::after(entry.seq, entry.at, entry.head);
        Ok(self.note(&entry.body, entry.at))
    }

    /// Notes whose turn it is after an entry that has been carried out, and what is to be told of it.
    pub(super) fn note(&mut self, body: &Body, at: u64) -> Tidings {
        let mut tidings = Tidings::new();
        let decided = match body {
            Body::Cmd { seat, by, .. } => {
                self.with(*seat, |sitting| sitting.decided(*by));
                self.setting.seats.seat(*seat)
            }
            Body::Start => {
                tidings.push(Tiding::Started);
                None
            }
            Body::End { reason: Reason::Finished, .. } => {
                tidings.push(Tiding::Finished);
                None
            }
            Body::End { reason: Reason::Void, .. } => {
                tidings.push(Tiding::Void);
                None
            }
            _ => None,
        };
        let to_act = self.to_act();
        // Whoever decides again has its time anew; what others do meanwhile gives nobody more time.
        if to_act != self.waiting || to_act == decided {
            self.turn_since = to_act.map(|_| at);
        }
        if to_act != self.waiting {
            let by_player =
                |seat: &Seat| self.sitting(*seat).is_some_and(|sitting| sitting.control == Control::Player);
            tidings.extend(to_act.filter(by_player).map(Tiding::Turn));
        }
        self.waiting = to_act;
        tidings
    }

    fn sit(&mut self, seat: u64, promise: Option<Bytes32>) {
        // Who it is stands in the rows of the lobby, and is put in afterwards.
        let player = self.row.creator;
        let sitting = Sitting {
            player,
            uuid: uuid::Uuid::nil(),
            name: String::new(),
            control: Control::Player,
            resigned: false,
            promise,
            revealed: None,
            timeouts: 0,
        };
        self.set(seat, |place| *place = Some(sitting));
    }

    fn set(&mut self, seat: u64, change: impl FnOnce(&mut Option<Sitting>)) {
        if let Some(place) = usize::try_from(seat).ok().and_then(|place| self.seats.get_mut(place)) {
            change(place);
        }
    }

    pub(super) fn with(&mut self, seat: u64, change: impl FnOnce(&mut Sitting)) {
        self.set(seat, |place| {
            if let Some(sitting) = place {
                change(sitting);
            }
        });
    }

    /// The chance of the game, once the table is sealed and everything promised is revealed.
    pub(super) fn chance(&self) -> Chance {
        Chance::seeded(self.seed())
    }

    fn seed(&self) -> Seed {
        let revealed: Vec<_> =
            self.seats.iter().map(|place| place.as_ref().and_then(|sitting| sitting.revealed)).collect();
        self.server_seed().game_seed(&self.head_of_seal, &revealed)
    }

    pub const fn server_seed(&self) -> ServerSeed {
        ServerSeed::new(self.row.server_seed)
    }

    /// The receipt for an entry. Signed, it leaves the service only after the entry is durable.
    pub fn receipt(&self, placed: Placed) -> Receipt {
        Receipt { game: self.row.uuid.to_string(), seq: placed.seq, head: placed.head }
    }

    /// The seq of the newest entry.
    pub const fn seq(&self) -> u64 {
        self.chain.next_seq().saturating_sub(1)
    }

    pub fn to_act(&self) -> Option<Seat> {
        match self.table.as_ref()?.status() {
            AnyStatus::ToAct(seat) => Some(seat),
            AnyStatus::Finished(_) => None,
        }
    }

    /// When the server must act by itself: void a game whose promises are not kept, or decide for the seat that must.
    pub fn deadline(&self, reveal_for: u64) -> Option<u64> {
        match self.row.status {
            Status::Sealed => self.row.sealed_at.map(|sealed| sealed.saturating_add(reveal_for)),
            Status::Running => {
                let seconds = u64::from(self.row.move_seconds?);
                self.turn_since.map(|since| since.saturating_add(seconds * 1_000))
            }
            Status::Open | Status::Finished | Status::Void => None,
        }
    }

    pub fn seat_of(&self, player: PlayerKey) -> Option<Seat> {
        let sits = |place: &Option<Sitting>| place.as_ref().is_some_and(|sitting| sitting.player == player);
        let place = self.seats.iter().position(sits)?;
        self.setting.seats.seat(place as u64)
    }

    pub fn sitting(&self, seat: Seat) -> Option<&Sitting> {
        self.seats.get(usize::from(seat.number()))?.as_ref()
    }

    /// What the autopilot plays next, for a seat of its own. A seat may have something to do although another must
    /// decide: take back an offer, for instance.
    pub(super) fn autopilots_next(&self) -> Option<(Seat, AnyCommand)> {
        let table = self.table.as_ref()?;
        let is_autopilots =
            |seat: &Seat| self.sitting(*seat).is_some_and(|sitting| sitting.control == Control::Autopilot);
        let mut seats = self.setting.seats.iter().filter(is_autopilots);
        seats.find_map(|seat| Some((seat, table.autopilot(seat)?)))
    }

    pub fn viewer(&self, player: Option<PlayerKey>) -> Viewer {
        player.and_then(|player| self.seat_of(player)).map_or(Viewer::Spectator, Viewer::Seat)
    }
}

impl Sitting {
    pub(super) fn follow(&mut self, op: Op) {
        match op {
            Op::Resign => (self.control, self.resigned) = (Control::Autopilot, true),
            Op::Autopilot => self.control = Control::Autopilot,
            Op::Resume => (self.control, self.timeouts) = (Control::Player, 0),
        }
    }

    const fn decided(&mut self, by: By) {
        self.timeouts = match by {
            By::Player => 0,
            By::Autopilot => self.timeouts.saturating_add(1),
        };
    }
}
