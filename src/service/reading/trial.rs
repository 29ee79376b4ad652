//! Trials: what a seat would see after commands that are not sent.
//!
//! Commands are tried on tables that the seat cannot tell from the true one, dealt from what it knows. So a
//! trial reveals nothing, whatever a command does. If the tables come to differ, the trial stops and says so.

use serde::Serialize;
use uuid::Uuid;

use super::{
    context::{ViewContext, ViewOptions},
    event_item::{Spoken, told},
    view::{Moves, View},
};
use crate::{
    engine::{Chance, Seat, Viewer},
    ledger::game::Game,
    rulesets::{AnyCommand, AnyEvent, AnyTable, AnyView, Refused},
    service::{
        Reading, ServiceError,
        cost::{self, Work},
        games::{Player, access::seat_in_play},
        request::{Typed, request},
    },
};

/// Number of the table whose position is shown.
const SHOWN: u64 = 1;
/// Numbers of the tables to compare with. More tables make a wrong certainty rarer.
const OTHERS: [u64; 1] = [2];

request! {
    #[schema(example = json!({"expected_seq": 12, "commands": [{"type": "take_loan", "count": 1}]}))]
    pub struct NewDraft {
        /// Newest entry that the client has seen.
        pub expected_seq: u64,
        #[schema(value_type = Vec<AnyCommand>, min_items = 1, max_items = 32)]
        pub commands: Vec<Typed>,
    }
}

/// Result of a draft: what the seat would see after the commands.
#[derive(Serialize)]
#[wire]
pub struct Draft {
    pub view: View,
    pub events: Vec<Spoken<AnyEvent>>,
    pub legal: Moves,
    /// The command that stopped the draft. `null` if all commands were tried.
    pub stopped: Option<Stopped>,
}

#[derive(Clone, Copy, Serialize)]
#[wire]
pub struct Stopped {
    /// Position of the command in the list, from 0.
    #[schema(maximum = 31)]
    pub index: u64,
    pub because: Because,
}

#[derive(Clone, Copy, Serialize)]
#[wire]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// The command draws, or reveals hidden information.
    Chance,
    /// The effect depends on others, or is for others to decide.
    Others,
}

impl Reading {
    /// Tries commands for the caller's seat, without writes or notices.
    pub async fn try_out(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: &NewDraft,
        wish: ViewOptions,
    ) -> Result<Draft, ServiceError> {
        let locked = self.games.visible(uuid, Some(player)).await?;
        let live = locked.game()?;
        let commands = Typed::read_all(&sent.commands, live.game.setting.ruleset)?;
        let seat = seat_in_play(live, player)?;
        let seq = live.game.seq();
        if sent.expected_seq != seq {
            return Err(ServiceError::StaleSeq { seq });
        }
        cost::charge(Work::Replay { entries: commands.len() as u64 });
        let table = live.game.table.as_ref().ok_or_else(|| ServiceError::NotRunning(live.game.status()))?;
        let whose = (live.facts.key, seat);
        let mut trial = self.trials.take(whose, seq).unwrap_or_else(|| Box::new(Trial::at(table, seat)));
        let stopped = trial.play(&commands);
        let answer = stopped.map(|stopped| trial.show(&live.game, &self.context(live, wish), stopped));
        self.trials.keep(whose, seq, trial);
        answer
    }
}

/// The trial of a seat. It is kept, so that a client that adds or replaces a command does not start again.
pub struct Trial {
    seat: Seat,
    /// The table before any command. The tables to compare with are dealt when they are needed.
    shown: AnyTable,
    others: Option<Others>,
    /// The last tried commands, and the tables after them.
    tried: Option<Tried>,
    /// The seat's view after them, until it is returned.
    seen: Option<AnyView>,
}

type Others = [AnyTable; OTHERS.len()];

struct Tried {
    commands: Vec<AnyCommand>,
    shown: AnyTable,
    others: Others,
    events: Vec<AnyEvent>,
}

impl Trial {
    fn at(table: &AnyTable, seat: Seat) -> Self {
        let shown = table.redealt(Viewer::Seat(seat), Chance::imagined(SHOWN));
        Self { seat, shown, others: None, tried: None, seen: None }
    }

    /// Plays commands from the start, or continues an earlier trial.
    fn play(&mut self, commands: &[AnyCommand]) -> Result<Option<Stopped>, ServiceError> {
        if !commands.starts_with(self.commands()) {
            (self.tried, self.seen) = (None, None);
        }
        for (no, command) in (0..).zip(commands).skip(self.commands().len()) {
            match self.play_one(command) {
                Ok(None) => {}
                Ok(Some(because)) => return Ok(Some(Stopped { index: no, because })),
                Err(refused) => return Err(ServiceError::illegal(Some(no), refused)),
            }
        }
        Ok(None)
    }

    fn commands(&self) -> &[AnyCommand] {
        self.tried.as_ref().map_or(&[], |tried| &tried.commands)
    }

    fn table(&self) -> &AnyTable {
        self.tried.as_ref().map_or(&self.shown, |tried| &tried.shown)
    }

    /// Plays a command at all tables, if its effect can be known.
    fn play_one(&mut self, command: &AnyCommand) -> Result<Option<Because>, Refused> {
        let (seat, viewer) = (self.seat, Viewer::Seat(self.seat));
        let passed = self.tried.is_some() && self.table().to_act() != Some(seat);
        let mut shown = self.table().clone();
        match hangs_on_chance(&mut shown, seat, command) {
            Err(_) if passed => return Ok(Some(Because::Others)),
            Err(refused) => {
                let is_refused = |table: &AnyTable| table.check(seat, command).as_ref() == Err(&refused);
                let by_all = self.others().iter().all(is_refused);
                return if by_all { Err(refused) } else { Ok(Some(Because::Others)) };
            }
            Ok(true) => return Ok(Some(Because::Chance)),
            Ok(false) => {}
        }
        let (more, seen) = (shown.events(viewer), shown.view(viewer));
        let mut others = self.others().clone();
        for other in &mut others {
            match hangs_on_chance(other, seat, command) {
                Ok(true) => return Ok(Some(Because::Chance)),
                Ok(false) if other.events(viewer) == more && other.view(viewer) == seen => {}
                _ => return Ok(Some(Because::Others)),
            }
        }
        let (mut commands, mut events) =
            self.tried.take().map_or_else(Default::default, |tried| (tried.commands, tried.events));
        commands.push(command.clone());
        events.extend(more);
        self.tried = Some(Tried { commands, shown, others, events });
        self.seen = Some(seen);
        Ok(None)
    }

    /// Returns the tables to compare with. A redealt table is dealt again as the true one would be.
    fn others(&mut self) -> &Others {
        let (shown, viewer) = (&self.shown, Viewer::Seat(self.seat));
        let deal = || OTHERS.map(|number| shown.redealt(viewer, Chance::imagined(number)));
        match &self.tried {
            Some(tried) => &tried.others,
            None => self.others.get_or_insert_with(deal),
        }
    }

    fn show(&mut self, game: &Game, context: &ViewContext, stopped: Option<Stopped>) -> Draft {
        let seen = self.seen.take();
        let (table, viewer, voice) = (self.table(), Viewer::Seat(self.seat), context.voice(game));
        let state = seen.unwrap_or_else(|| table.view(viewer));
        let prompt = voice.as_ref().map(|voice| table.prompt(viewer, voice));
        let now = View::at(context, game, viewer, Some(state));
        let to_act = table.to_act().into_iter().collect();
        // The time of another seat is known only after the move.
        let deadline = if now.to_act == to_act { now.deadline } else { None };
        let events = self.tried.as_ref().map_or_else(Vec::new, |tried| tried.events.clone());
        Draft {
            view: View { to_act, deadline, prompt, ..now },
            events: told(events, context, game),
            legal: Moves::at(table, self.seat, voice.as_ref()),
            stopped,
        }
    }
}

/// Plays a command at a table, and returns whether it drew or revealed something.
pub fn hangs_on_chance(table: &mut AnyTable, seat: Seat, command: &AnyCommand) -> Result<bool, Refused> {
    let hidden_cards = table.hidden_cards();
    table.submit(seat, command)?;
    Ok(!table.draws().is_empty() || table.hidden_cards() != hidden_cards)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::{TestDice, short_table};

    /// Returns the answer of a new trial, without the game around it.
    fn tried(table: &AnyTable, seat: Seat, commands: &[AnyCommand]) -> Value {
        asked(&mut Trial::at(table, seat), commands)
    }

    /// Returns the answer of a trial that may have been used before.
    fn asked(trial: &mut Trial, commands: &[AnyCommand]) -> Value {
        match trial.play(commands) {
            Ok(stopped) => json!({
                "view": trial.table().view(Viewer::Seat(trial.seat)),
                "legal": trial.table().legal(trial.seat),
                "events": trial.tried.as_ref().map(|tried| json!(tried.events)),
                "stopped": stopped,
                "tried": trial.commands().len(),
            }),
            Err(error) => json!(error.to_string()),
        }
    }

    /// A trial answers the same for every state that its caller cannot tell from the true one.
    #[test]
    fn a_draft_tells_nothing_that_its_seat_does_not_know() {
        let (mut shown, mut stopped) = (0, 0);
        for number in 0..60_u64 {
            let mut dice = TestDice::new(number);
            let seats = 2 + dice.below(3);
            let mut table = short_table(number, seats, 3, &mut dice);
            while let Some(seat) = table.to_act() {
                let listed = table.legal(seat).commands;
                let commands: Vec<AnyCommand> = (0..3).map(|_| dice.pick(&listed).command.clone()).collect();
                for seat in table.seats().iter() {
                    let answer = tried(&table, seat, &commands);
                    let other = table.redealt(Viewer::Seat(seat), Chance::seeded(dice.seed()));
                    assert_eq!(tried(&other, seat, &commands), answer, "game {number}, seat {seat}");
                    shown += usize::from(answer["tried"].as_u64() > Some(0));
                    stopped += usize::from(answer["stopped"].is_object() || answer["stopped"].is_string());
                }
                table.submit(seat, &commands[0]).unwrap();
            }
        }
        assert!(shown > 100 && stopped > 100, "{shown} were shown, {stopped} stopped");
    }

    /// The answer does not depend on earlier trials at the same entry.
    #[test]
    fn what_was_tried_before_changes_no_answer() {
        let (mut went_on, mut began_anew) = (0, 0);
        for number in 0..40_u64 {
            let mut dice = TestDice::new(number);
            let mut table = short_table(number, 3, 3, &mut dice);
            while let Some(seat) = table.to_act() {
                let listed = table.legal(seat).commands;
                let mut trial = Trial::at(&table, seat);
                let mut commands: Vec<AnyCommand> = Vec::new();
                for _ in 0..8 {
                    commands.truncate(*dice.pick(&[0, 1, 2, 3]));
                    commands.push(dice.pick(&listed).command.clone());
                    let before = trial.commands().len();
                    let is_kept = commands.starts_with(trial.commands());
                    assert_eq!(asked(&mut trial, &commands), tried(&table, seat, &commands), "game {number}");
                    went_on += usize::from(before > 0 && is_kept);
                    began_anew += usize::from(before > 0 && !is_kept);
                }
                table.submit(seat, &listed[0].command).unwrap();
            }
        }
        assert!(went_on > 100 && began_anew > 100, "{went_on} went on, {began_anew} began anew");
    }

    /// The shown position is the one after the commands are sent.
    #[test]
    fn what_a_draft_shows_comes_to_be() {
        let mut held = 0;
        for number in 0..40_u64 {
            let mut dice = TestDice::new(number);
            let mut table = short_table(number, 3, 3, &mut dice);
            while let Some(seat) = table.to_act() {
                let command = dice.pick(&table.legal(seat).commands).command.clone();
                let answer = tried(&table, seat, std::slice::from_ref(&command));
                table.submit(seat, &command).unwrap();
                if answer["tried"] == 1 {
                    held += 1;
                    assert_eq!(answer["view"], json!(table.view(Viewer::Seat(seat))), "game {number}");
                    assert_eq!(answer["events"], json!(table.events(Viewer::Seat(seat))));
                }
            }
        }
        assert!(held > 100, "{held} were shown");
    }
}
