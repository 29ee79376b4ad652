//! Explorations: a player continues a position for all seats or against bots. An exploration is in no log and
//! is deleted after a day.
//!
//! A finished game is explored from its true position. In a running game, the hidden cards are dealt again
//! from what the caller's seat knows, so an exploration reveals nothing.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Bots, pool::Lane};
#[cfg(test)]
use crate::service::tables::new_machines::NewMachine;
use crate::{
    engine::{Chance, Format, Seat, Seed, Viewer},
    ledger::{game::Game, replay::written},
    rulesets::{AnyCommand, AnyEvent, AnyTable},
    service::{
        DAY, ServiceError,
        cost::{self, Work},
        games::{Player, Session, access::seat_of},
        reading::{
            context::{ViewContext, ViewOptions},
            event_item::{Spoken, told},
            time,
            view::{Moves, View},
        },
        request::{Typed, request},
        tables::new_machines::NewMachines,
    },
    store::{Change, ExplorationChange, ExplorationRow, StoreError, Write},
    words::{Level, Status},
};

/// Commands of an exploration.
const MOST_COMMANDS: usize = 1_000;
/// Decisions of bots in one request. The next request continues.
const MOST_THOUGHTS: usize = 24;

request! {
    /// A position to explore.
    #[schema(example = json!({"seq": 12, "bots": [{"seat": 1, "level": "hard"}]}))]
    pub struct NewExploration {
        /// Start after this entry. Default: the newest.
        #[schema(value_type = Option<u64>)]
        pub seq: Option<u64>,
        /// Seats that built-in bots play. The caller plays all other seats.
        #[schema(value_type = Option<Vec<NewMachine>>, max_items = 4)]
        pub bots: Option<NewMachines>,
    }
}

request! {
    #[schema(example = json!({"expected_seq": 0, "command": {"type": "roll"}}))]
    pub struct ExploredCommand {
        /// Number of commands that the client has seen.
        pub expected_seq: u64,
        #[schema(value_type = AnyCommand)]
        pub command: Typed,
        /// Seat that plays the command. Default: the seat to act.
        #[schema(value_type = Option<Seat>)]
        pub seat: Option<u64>,
    }
}

/// A private continuation of a position. It is not recorded in any log.
#[derive(Serialize)]
#[wire]
pub struct Exploration {
    #[schema(format = Uuid)]
    pub id: String,
    #[schema(format = Uuid)]
    pub game: String,
    /// Entry of the game after which the exploration starts.
    pub from_seq: u64,
    /// Seat whose knowledge was used to deal the hidden cards again. `null` for the true position of a
    /// finished game.
    pub dealt_for: Option<Seat>,
    /// Bot level of each seat. `null` for seats that the caller plays.
    #[schema(min_items = 2, max_items = 4)]
    pub levels: Vec<Option<Level>>,
    /// Number of commands played.
    #[schema(maximum = 1_000)]
    pub seq: u64,
    /// When the server deletes it.
    #[schema(format = DateTime)]
    pub expires_at: String,
    /// View of the requested seat, or of the seat to act. Its `seq` and `head` are those of the game.
    pub view: View,
    pub legal: Moves,
    /// Events of the last request, from the same perspective.
    pub events: Vec<Spoken<AnyEvent>>,
}

/// A command that was played.
#[derive(Deserialize)]
struct PlayedCommand {
    seat: u64,
    cmd: Value,
}

/// A loaded exploration.
struct Explored {
    row: ExplorationRow,
    game: Game,
    context: ViewContext,
    table: AnyTable,
    levels: Vec<Option<Level>>,
    played: Vec<Value>,
    /// The tables after each command of this request.
    happened: Vec<AnyTable>,
}

impl Bots {
    pub async fn explore(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: NewExploration,
        wish: ViewOptions,
    ) -> Result<Exploration, ServiceError> {
        let locked = self.games.visible(uuid, Some(player)).await?;
        let live = locked.game()?;
        let seat = match live.game.status() {
            Status::Finished => None,
            Status::Running => Some(seat_of(live, player)?),
            other => return Err(ServiceError::NotRunning(other)),
        };
        let (newest, seats) = (live.game.seq(), live.game.setting.seats);
        let seq = sent.seq.unwrap_or(newest);
        if seq > newest {
            return Err(ServiceError::NoEntry { newest });
        }
        let bots = sent.bots.unwrap_or_default().at(seats, None)?;
        let level =
            |seat: Seat| bots.iter().find(|(of, _)| *of == u64::from(seat.number())).map(|(_, level)| *level);
        let levels: Vec<Option<Level>> = seats.iter().map(level).collect();
        let row = ExplorationRow {
            id: crate::id::fresh(),
            player: player.key,
            game: live.facts.key,
            game_id: uuid,
            seq,
            seat: seat.map(Seat::number),
            seed: self.entropy.bytes()?,
            levels: json!(levels).to_string(),
            commands: "[]".to_owned(),
            created_at: self.clock.now(),
        };
        drop(locked);
        if !bots.is_empty() {
            cost::may_think()?;
        }
        let mut explored = self.explored(row.clone(), player, wish).await?;
        self.store.write(Write::of(Change::Exploration(ExplorationChange::Add(row)))).await?;
        self.let_machines_explore(&mut explored).await?;
        self.keep(&mut explored).await?;
        explored.show(None)
    }

    /// Returns an exploration of the caller, from one seat. Bots that ran out of time before decide now.
    pub async fn exploration(
        &self,
        id: Uuid,
        session: &Session,
        eyes: Option<u64>,
        wish: ViewOptions,
    ) -> Result<Exploration, ServiceError> {
        let mut explored = self.own_exploration(id, session, wish).await?;
        self.let_machines_explore(&mut explored).await?;
        match self.keep(&mut explored).await {
            // Another request was faster, and its bots decided.
            Err(ServiceError::StaleSeq { .. }) => self.own_exploration(id, session, wish).await?.show(eyes),
            kept => kept.and_then(|()| explored.show(eyes)),
        }
    }

    /// Plays a command in an exploration, and lets bots decide.
    pub async fn explore_on(
        &self,
        id: Uuid,
        session: &Session,
        sent: &ExploredCommand,
        wish: ViewOptions,
    ) -> Result<Exploration, ServiceError> {
        let mut explored = self.own_exploration(id, session, wish).await?;
        let seq = explored.played.len() as u64;
        if sent.expected_seq != seq {
            return Err(ServiceError::StaleSeq { seq });
        }
        if explored.played.len() >= MOST_COMMANDS {
            return Err(ServiceError::Explored);
        }
        let command = sent.command.of(explored.game.setting.ruleset)?;
        let seat = match sent.seat {
            Some(number) => explored.game.setting.seats.seat(number).ok_or(ServiceError::NoSuchSeat)?,
            None => explored.table.to_act().ok_or(ServiceError::NotRunning(Status::Finished))?,
        };
        if explored.level(seat).is_some() {
            return Err(ServiceError::MachinesSeat);
        }
        explored.submit(seat, &command)?;
        self.let_machines_explore(&mut explored).await?;
        self.keep(&mut explored).await?;
        explored.show(None)
    }

    pub async fn leave_exploration(&self, id: Uuid, session: &Session) -> Result<(), ServiceError> {
        let id = self.own_row(id, session).await?.id;
        let remove = ExplorationChange::Remove { id, player: session.player.key };
        Ok(self.store.write(Write::of(Change::Exploration(remove))).await?)
    }

    async fn own_exploration(
        &self,
        id: Uuid,
        session: &Session,
        wish: ViewOptions,
    ) -> Result<Explored, ServiceError> {
        self.explored(self.own_row(id, session).await?, &session.player, wish).await
    }

    /// Returns an exploration of the player. Fails for a token that is limited to another game.
    async fn own_row(&self, id: Uuid, session: &Session) -> Result<ExplorationRow, ServiceError> {
        let is_own = |row: &ExplorationRow| {
            let is_seen = session.game.is_none_or(|only| only == row.game_id);
            row.player == session.player.key
                && is_seen
                && row.created_at.saturating_add(DAY) > self.clock.now()
        };
        self.store.exploration(id).await?.filter(is_own).ok_or(ServiceError::NotFound)
    }

    /// Replays an exploration from its game, seed and commands.
    async fn explored(
        &self,
        row: ExplorationRow,
        player: &Player,
        wish: ViewOptions,
    ) -> Result<Explored, ServiceError> {
        let locked = self.games.visible(row.game_id, Some(player)).await?;
        let context = self.reading.context(locked.game()?, wish);
        drop(locked);
        let found =
            self.reading.walk((row.game_id, row.game), row.seq, 1, |step| Ok(step.game.clone())).await?;
        let game = found.into_iter().next().ok_or(ServiceError::NotFound)?;
        let before = game.table.as_ref().ok_or(ServiceError::NotRunning(game.status()))?;
        let chance = Chance::seeded(Seed::new(Format::default(), row.seed));
        let table = match row.seat.and_then(|number| game.setting.seats.seat(number.into())) {
            Some(seat) => before.redealt(Viewer::Seat(seat), chance),
            None => before.under(chance),
        };
        let played: Vec<PlayedCommand> = serde_json::from_str(&row.commands).map_err(unreadable)?;
        cost::charge(Work::Replay { entries: played.len() as u64 });
        let levels: Vec<Option<String>> = serde_json::from_str(&row.levels).map_err(unreadable)?;
        let levels = levels.into_iter().map(|level| Level::from_word(&level?)).collect();
        let mut explored =
            Explored { row, game, context, table, levels, played: Vec::new(), happened: Vec::new() };
        for PlayedCommand { seat, cmd } in played {
            let seat = explored.game.setting.seats.seat(seat).ok_or(ServiceError::NoSuchSeat)?;
            let command = explored.game.setting.ruleset.read_command(&cmd)?;
            explored.submit(seat, &command)?;
        }
        explored.happened.clear();
        Ok(explored)
    }

    /// Lets bots decide. The caller pays for each decision before the next one. With its budget used up, the
    /// answer shows the position so far, and the next request continues.
    async fn let_machines_explore(&self, explored: &mut Explored) -> Result<(), ServiceError> {
        for made in 0..MOST_THOUGHTS {
            let to_act = explored.table.to_act().and_then(|seat| Some((seat, explored.level(seat)?)));
            let Some((seat, level)) = to_act.filter(|_| explored.played.len() < MOST_COMMANDS) else { break };
            match cost::may_think() {
                Err(_) if made > 0 => break,
                may => may?,
            }
            // Newer explorations of the same player may have deleted it.
            self.store.exploration(explored.row.id).await?.ok_or(ServiceError::NotFound)?;
            let thought = explored.table.thought(seat, self.fresh_number()?);
            let lane = Lane::Exploration(explored.row.player);
            let charge = cost::thinking();
            let decide = move || {
                let began = Instant::now();
                let command = thought.decide(level, 1);
                charge(began.elapsed());
                command
            };
            let (command, _) = self.pool.decide(lane, decide).await?;
            let command = command.ok_or_else(|| ServiceError::Internal("a bot has no command".into()))?;
            explored.submit(seat, &command)?;
        }
        Ok(())
    }

    /// Stores the new commands.
    async fn keep(&self, explored: &mut Explored) -> Result<(), ServiceError> {
        let commands = json!(explored.played).to_string();
        let before = std::mem::replace(&mut explored.row.commands, commands.clone());
        if before == commands {
            return Ok(());
        }
        let set = ExplorationChange::SetCommands { id: explored.row.id, before, commands };
        let seq = explored.played.len() as u64;
        self.store.write(Write::of(Change::Exploration(set))).await.map_err(|error| match error {
            StoreError::Gone => ServiceError::StaleSeq { seq },
            other => other.into(),
        })
    }
}

#[allow(clippy::needless_pass_by_value, reason = "handed over by a result")]
fn unreadable(error: serde_json::Error) -> ServiceError {
    ServiceError::Internal(format!("the row of an exploration cannot be read: {error}"))
}

impl Explored {
    fn level(&self, seat: Seat) -> Option<Level> {
        self.levels.get(usize::from(seat.number())).copied().flatten()
    }

    fn submit(&mut self, seat: Seat, command: &AnyCommand) -> Result<(), ServiceError> {
        self.table.submit(seat, command).map_err(|refused| ServiceError::illegal(None, refused))?;
        self.played.push(json!({"seat": seat, "cmd": written(command)?}));
        self.happened.push(self.table.clone());
        Ok(())
    }

    /// Returns the seat to show: the seat to act if the player plays it, or else the player's first seat.
    fn eyes(&self, asked: Option<u64>) -> Result<Seat, ServiceError> {
        let seats = self.game.setting.seats;
        if let Some(number) = asked {
            return seats.seat(number).ok_or(ServiceError::NoSuchSeat);
        }
        let own = |seat: &Seat| self.level(*seat).is_none();
        let to_act = self.table.to_act().filter(own);
        let known = self.row.seat.and_then(|number| seats.seat(number.into())).filter(own);
        Ok(to_act.or(known).or_else(|| seats.iter().find(own)).unwrap_or(seats.first()))
    }

    fn show(self, eyes: Option<u64>) -> Result<Exploration, ServiceError> {
        let seat = self.eyes(eyes)?;
        let Self { row, game, context, table, levels, played, happened } = self;
        let (viewer, voice) = (Viewer::Seat(seat), context.voice(&game));
        let events = happened.iter().flat_map(|table| table.events(viewer)).collect();
        let to_act = table.to_act();
        let view = View {
            to_act: to_act.into_iter().collect(),
            status: if to_act.is_some() { Status::Running } else { Status::Finished },
            deadline: None,
            paused: false,
            prompt: voice.as_ref().map(|voice| table.prompt(viewer, voice)),
            ..View::at(&context, &game, viewer, Some(table.view(viewer)))
        };
        Ok(Exploration {
            id: row.id.to_string(),
            game: row.game_id.to_string(),
            from_seq: row.seq,
            dealt_for: row.seat.and_then(|number| game.setting.seats.seat(number.into())),
            seq: played.len() as u64,
            expires_at: time(row.created_at.saturating_add(DAY)),
            legal: Moves::at(&table, seat, voice.as_ref()),
            events: told(events, &context, &game),
            view,
            levels,
        })
    }
}
