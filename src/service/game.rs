//! A game in memory: what its rows and its log say, and the drafts that change both.

use crate::{
    engine::{Chance, Draw, Seat, Seed, Viewer, tagged::Bytes32},
    ledger::{
        body::{Body, By, Op, Reason},
        chain::{Chain, Link},
        playback::{Setting, replay},
        seed::ServerSeed,
    },
    rulesets::{AnyCommand, AnyStatus, AnyTable},
    store::{self, Change, Control, Entropy, GameRow, PlayerKey, SeatRow, Status},
};

use super::ServiceError;

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
    head_of_seal: Bytes32,
    /// Since when the seat that must decide has had to.
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
            turn_since: None,
        }
    }

    /// Rebuilds a game from what is stored.
    pub fn load(row: GameRow, seats: Vec<SeatRow>, entries: &[store::Entry]) -> Result<Self, ServiceError> {
        let entries = super::history::read(entries)?;
        let Some(Body::Genesis(genesis)) = entries.first().map(|entry| &entry.body) else {
            return Err(ServiceError::Internal("a stored log has no genesis".into()));
        };
        let mut game = Self::new(row, Setting::read(genesis)?);
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

    /// Takes one stored entry in.
    fn follow(&mut self, entry: super::history::Stored) -> Result<(), ServiceError> {
        let before = self.to_act();
        match entry.body {
            Body::Genesis(_) | Body::End { .. } => {}
            Body::Join { seat, commit, .. } => self.sit(seat, commit),
            Body::Leave { seat } => self.set(seat, |sitting| *sitting = None),
            Body::Seal => self.head_of_seal = entry.head,
            Body::Reveal { seat, entropy } => self.with(seat, |sitting| sitting.revealed = Some(entropy)),
            Body::Start => self.table = Some(self.setting.start(self.chance(), entry.draws)?),
            Body::Cmd { seat, by, cmd } => {
                let table = self.table.as_mut().ok_or(ServiceError::NotFound)?;
                replay(table, seat, by, &cmd, entry.draws)?;
            }
            Body::Sys { op, seat } => self.with(seat, |sitting| sitting.follow(op)),
        }
        self.chain = Chain::after(entry.seq, entry.at, entry.head);
        self.note_turn(before, entry.at);
        Ok(())
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
        };
        self.set(seat, |place| *place = Some(sitting));
    }

    fn set(&mut self, seat: u64, change: impl FnOnce(&mut Option<Sitting>)) {
        if let Some(place) = usize::try_from(seat).ok().and_then(|place| self.seats.get_mut(place)) {
            change(place);
        }
    }

    fn with(&mut self, seat: u64, change: impl FnOnce(&mut Sitting)) {
        self.set(seat, |place| {
            if let Some(sitting) = place {
                change(sitting);
            }
        });
    }

    fn note_turn(&mut self, before: Option<Seat>, at: u64) {
        let now = self.to_act();
        if now != before {
            self.turn_since = now.map(|_| at);
        }
    }

    /// The chance of the game, once the table is sealed and everything promised is revealed.
    fn chance(&self) -> Chance {
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

    /// The seq of the newest entry.
    pub const fn seq(&self) -> u64 {
        self.chain.len().saturating_sub(1)
    }

    pub fn to_act(&self) -> Option<Seat> {
        match self.table.as_ref()?.status() {
            AnyStatus::ToAct(seat) => Some(seat),
            AnyStatus::Finished(_) => None,
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
    fn autopilots_next(&self) -> Option<(Seat, AnyCommand)> {
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
    fn follow(&mut self, op: Op) {
        match op {
            Op::Resign => (self.control, self.resigned) = (Control::Autopilot, true),
            Op::Autopilot => self.control = Control::Autopilot,
            Op::Resume => self.control = Control::Player,
        }
    }
}

/// A game being changed: what happens is done in memory and noted for the store. If the store refuses, the game in
/// memory is thrown away.
pub struct Draft<'g> {
    pub game: &'g mut Game,
    now: u64,
    entries: Vec<store::Entry>,
    changes: Vec<Change>,
}

/// The place of an entry in the chain, for its receipt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    pub seq: u64,
    pub head: Bytes32,
}

impl<'g> Draft<'g> {
    pub const fn new(game: &'g mut Game, now: u64) -> Self {
        Self { game, now, entries: Vec::new(), changes: Vec::new() }
    }

    pub fn note(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// Writes an entry that draws nothing.
    pub fn add(&mut self, body: &Body) -> Result<Placed, ServiceError> {
        self.link(body, &[])
    }

    fn link(&mut self, body: &Body, draws: &[Draw]) -> Result<Placed, ServiceError> {
        let seed = self.game.server_seed();
        let Link { seq, at, body, secret, x, head } = self.game.chain.append(&seed, self.now, body, draws)?;
        self.now = at;
        self.entries.push(store::Entry { seq, x, head, body, secret });
        Ok(Placed { seq, head })
    }

    /// Writes the entry for what the table did last, with what it drew.
    fn add_played(&mut self, body: &Body) -> Result<Placed, ServiceError> {
        let draws = self.game.table.as_ref().map_or_else(Vec::new, |table| table.draws().to_vec());
        self.link(body, &draws)
    }

    pub fn join(&mut self, seat: u8, sitting: Sitting) -> Result<Placed, ServiceError> {
        let (player, commit) = (sitting.uuid.to_string(), sitting.promise);
        let entropy = sitting.entropy();
        self.note(Change::TakeSeat { game: self.game.row.key, seat, player: sitting.player, entropy });
        self.game.seats[usize::from(seat)] = Some(sitting);
        self.add(&Body::Join { seat: seat.into(), player, commit })
    }

    /// Seals the table if it is full, and starts it if nothing is left to be revealed.
    pub fn seal_if_full(&mut self) -> Result<(), ServiceError> {
        if self.game.seats.iter().any(Option::is_none) {
            return Ok(());
        }
        self.game.head_of_seal = self.add(&Body::Seal)?.head;
        self.set_status(Status::Sealed, None);
        self.start_if_revealed()
    }

    pub fn start_if_revealed(&mut self) -> Result<(), ServiceError> {
        let waits = |place: &Option<Sitting>| {
            place.as_ref().is_some_and(|sitting| sitting.entropy() == Entropy::Promised)
        };
        if self.game.seats.iter().any(waits) {
            return Ok(());
        }
        self.game.table =
            Some(AnyTable::start(&self.game.setting.options, self.game.setting.seats, self.game.chance()));
        self.add_played(&Body::Start)?;
        self.set_status(Status::Running, None);
        self.game.note_turn(None, self.now);
        Ok(())
    }

    /// Writes a command that the table has just carried out.
    pub fn add_command(
        &mut self,
        seat: Seat,
        by: By,
        cmd: serde_json::Value,
    ) -> Result<Placed, ServiceError> {
        self.add_played(&Body::Cmd { seat: seat.number().into(), by, cmd })
    }

    pub fn sys(&mut self, seat: Seat, op: Op) -> Result<Placed, ServiceError> {
        self.game.with(seat.number().into(), |sitting| sitting.follow(op));
        let control = self.game.sitting(seat).map_or(Control::Player, |sitting| sitting.control);
        self.note(Change::SetControl { game: self.game.row.key, seat: seat.number(), control });
        self.add(&Body::Sys { op, seat: seat.number().into() })
    }

    /// Lets the autopilot play every seat that is its own until a player must decide, and ends a game that is over.
    pub fn play_on(&mut self, before: Option<Seat>) -> Result<(), ServiceError> {
        while let Some((seat, command)) = self.game.autopilots_next() {
            self.autopilot(seat, &command)?;
        }
        self.game.note_turn(before, self.now);
        let status = self.game.table.as_ref().map(AnyTable::status);
        if let Some(AnyStatus::Finished(outcome)) = status {
            let result = to_value(&outcome)?;
            self.add(&Body::End { reason: Reason::Finished, result: result.clone() })?;
            self.set_status(Status::Finished, Some(result.to_string()));
        }
        Ok(())
    }

    fn autopilot(&mut self, seat: Seat, command: &AnyCommand) -> Result<(), ServiceError> {
        let stuck = || ServiceError::Internal("the autopilot's command is not legal".into());
        let table = self.game.table.as_mut().ok_or_else(stuck)?;
        table.submit(seat, command).map_err(|_| stuck())?;
        self.add_command(seat, By::Autopilot, to_value(command)?)?;
        Ok(())
    }

    pub fn make_void(&mut self) -> Result<Placed, ServiceError> {
        let placed = self.add(&Body::End { reason: Reason::Void, result: serde_json::Value::Null })?;
        self.set_status(Status::Void, None);
        Ok(placed)
    }

    fn set_status(&mut self, status: Status, result: Option<String>) {
        let at = self.now;
        let row = &mut self.game.row;
        row.status = status;
        row.result.clone_from(&result);
        match status {
            Status::Open => {}
            Status::Sealed => row.sealed_at = Some(at),
            Status::Running => row.started_at = Some(at),
            Status::Finished | Status::Void => row.finished_at = Some(at),
        }
        let game = row.key;
        self.note(Change::SetStatus { game, status, at, result });
    }

    /// Everything that the store must write.
    pub fn into_write(self) -> store::Write {
        let append = Change::Append { game: self.game.row.key, entries: self.entries };
        self.changes.into_iter().fold(store::Write::default(), store::Write::and).and(append)
    }
}

pub fn to_value(value: &impl serde::Serialize) -> Result<serde_json::Value, ServiceError> {
    serde_json::to_value(value).map_err(|error| ServiceError::Internal(error.to_string()))
}
