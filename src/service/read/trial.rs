//! Commands that are only tried: what their seat would see after them.
//!
//! They are tried on tables that the seat cannot tell from the true one, made of what it knows. So the answer tells nothing
//! that it does not know, whatever a command does; and where these tables come to differ, it says that it cannot tell.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    event_item::{Spoken, told},
    sight::{Sight, Wish},
    view::{Moves, View},
};
use crate::{
    engine::{Chance, Legal, Seat, Viewer},
    ledger::game::Game,
    rulesets::{AnyCommand, AnyEvent, AnyTable, AnyView, Refused},
    service::{
        Service, ServiceError,
        game::{Player, access::seat_in_play},
        request::{Typed, request},
        work::{self, Work},
    },
};

/// The numbers of the tables on which commands are tried. The more there are, the rarer is a guess that looks like knowledge.
const IMAGINED: [u64; 2] = [1, 2];

request! {
    #[schema(example = json!({"expected_seq": 12, "commands": [{"type": "take_loan", "count": 1}]}))]
    pub struct NewDraft {
        /// The seq of the newest entry that the sender saw.
        #[schema(maximum = 9_007_199_254_740_991_u64)]
        pub expected_seq: u64,
        #[schema(value_type = Vec<AnyCommand>, min_items = 1, max_items = 32)]
        pub commands: Vec<Typed>,
    }
}

/// What a seat would see after commands that it only tries.
#[derive(Serialize, ToSchema)]
pub struct Draft {
    pub view: View,
    pub events: Vec<Spoken<AnyEvent>>,
    pub legal: Moves,
    /// Before which command it ends; null if all were tried.
    pub stopped: Option<Stopped>,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
pub struct Stopped {
    /// The place of the command in the list, from 0.
    #[schema(maximum = 31)]
    pub no: u64,
    pub because: Because,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// It draws, or shows what is hidden.
    Chance,
    /// What it does depends on others, or is for others to decide.
    Others,
}

impl Service {
    /// Tries commands for the caller's seat. Nothing is written, and nobody learns of it.
    pub async fn try_out(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: &NewDraft,
        wish: Wish,
    ) -> Result<Draft, ServiceError> {
        let locked = self.visible(uuid, Some(player)).await?;
        let live = locked.game()?;
        let read = |typed: &Typed| live.game.setting.ruleset.read_command(typed.value());
        let commands = sent.commands.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let seat = seat_in_play(live, player)?;
        let seq = live.game.seq();
        if sent.expected_seq != seq {
            return Err(ServiceError::StaleSeq { seq });
        }
        work::charge(Work::Replay { entries: commands.len() as u64 });
        let tried = Trial::new(&live.game, seat)?.play(&commands)?;
        Ok(tried.show(&live.game, &self.sight(live, wish)))
    }
}

/// Commands being tried.
struct Trial {
    seat: Seat,
    /// Tables that the seat cannot tell from each other, nor from the true one.
    tables: [AnyTable; IMAGINED.len()],
    /// What the seat sees of each of them; nothing before the first command.
    seen: Option<Seen>,
    events: Vec<AnyEvent>,
    stopped: Option<Because>,
    tried: u64,
}

/// What a seat sees of a table after a command.
#[derive(PartialEq)]
struct Seen {
    view: AnyView,
    legal: Legal<AnyCommand>,
}

impl Seen {
    fn of(table: &AnyTable, seat: Seat) -> Self {
        Self { view: table.view(Viewer::Seat(seat)), legal: table.legal(seat) }
    }
}

impl Trial {
    fn new(game: &Game, seat: Seat) -> Result<Self, ServiceError> {
        let table = game.table.as_ref().ok_or_else(|| ServiceError::NotRunning(game.status()))?;
        Ok(Self::at(table, seat))
    }

    fn at(table: &AnyTable, seat: Seat) -> Self {
        let redealt = |number| table.redealt(Viewer::Seat(seat), Chance::imagined(number));
        Self { seat, tables: IMAGINED.map(redealt), seen: None, events: Vec::new(), stopped: None, tried: 0 }
    }

    fn play(mut self, commands: &[AnyCommand]) -> Result<Self, ServiceError> {
        for command in commands {
            match self.play_one(command) {
                Ok(None) => self.tried += 1,
                Ok(Some(because)) => {
                    self.stopped = Some(because);
                    break;
                }
                Err(refused) => return Err(ServiceError::illegal(Some(self.tried), refused)),
            }
        }
        Ok(self)
    }

    /// Plays a command at all tables, if it can be said what it does.
    fn play_one(&mut self, command: &AnyCommand) -> Result<Option<Because>, Refused> {
        let seat = self.seat;
        let passed = self.tried > 0 && self.tables.iter().any(|table| table.to_act() != Some(seat));
        let checked = self.tables.each_ref().map(|table| table.check(seat, command));
        match &checked {
            [Err(refused), ..] if passed || checked.iter().all(|other| other.as_ref() == Err(refused)) => {
                return if passed { Ok(Some(Because::Others)) } else { Err(refused.clone()) };
            }
            _ if checked.iter().any(Result::is_err) => return Ok(Some(Because::Others)),
            _ => {}
        }
        let [first, ..] = &self.tables;
        let before = first.clone();
        let stopped = self.carry_out(command)?;
        if stopped.is_some() {
            // What is shown is how it was before; nothing more is tried.
            self.tables[0] = before;
        }
        Ok(stopped)
    }

    fn carry_out(&mut self, command: &AnyCommand) -> Result<Option<Because>, Refused> {
        let (seat, viewer) = (self.seat, Viewer::Seat(self.seat));
        for table in &mut self.tables {
            let face_down = table.face_down();
            table.submit(seat, command)?;
            if !table.draws().is_empty() || table.face_down() != face_down {
                return Ok(Some(Because::Chance));
            }
        }
        let [first, others @ ..] = &self.tables;
        let (events, seen) = (first.events(viewer), Seen::of(first, seat));
        let is_alike = |table: &AnyTable| table.events(viewer) == events && Seen::of(table, seat) == seen;
        if !others.iter().all(is_alike) {
            return Ok(Some(Because::Others));
        }
        self.seen = Some(seen);
        self.events.extend(events);
        Ok(None)
    }

    fn show(self, game: &Game, sight: &Sight) -> Draft {
        let [table, ..] = &self.tables;
        let (viewer, voice) = (Viewer::Seat(self.seat), sight.voice(game));
        let Seen { view: state, legal } = self.seen.unwrap_or_else(|| Seen::of(table, self.seat));
        let (prompt, legal) = match &voice {
            None => (None, legal),
            Some(voice) => (Some(table.prompt(viewer, voice)), table.legal_in_words(self.seat, voice)),
        };
        let to_act = table.to_act().into_iter().collect();
        Draft {
            view: View { to_act, prompt, ..View::at(sight, game, viewer, Some(state)) },
            events: told(self.events, sight, game),
            legal: legal.into(),
            stopped: self.stopped.map(|because| Stopped { no: self.tried, because }),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        engine::{Seats, conformance::Dice},
        rulesets::{RulesetId, short_options},
    };

    /// All that a trial answers, but for what the game around it is.
    fn tried(table: &AnyTable, seat: Seat, commands: &[AnyCommand]) -> Value {
        match Trial::at(table, seat).play(commands) {
            Ok(Trial { tables: [first, ..], events, stopped, tried, .. }) => json!({
                "view": first.view(Viewer::Seat(seat)),
                "legal": first.legal(seat),
                "events": events,
                "stopped": stopped,
                "tried": tried,
            }),
            Err(error) => json!(error.to_string()),
        }
    }

    /// A draft answers the same for every state that its caller cannot tell from the true one.
    #[test]
    fn a_draft_tells_nothing_that_its_seat_does_not_know() {
        let (mut shown, mut stopped) = (0, 0);
        for number in 0..60_u64 {
            let mut dice = Dice::new(number);
            let ruleset = RulesetId::ALL[usize::try_from(number).unwrap() % RulesetId::ALL.len()];
            let seats = Seats::new(2 + dice.below(3)).unwrap();
            let options = ruleset.read_options(&short_options(ruleset, seats, 3), seats).unwrap();
            let mut table = AnyTable::start(&options, seats, Chance::seeded(dice.seed()));
            while let Some(seat) = table.to_act() {
                let listed = table.legal(seat).commands;
                let commands: Vec<AnyCommand> = (0..3).map(|_| dice.pick(&listed).command.clone()).collect();
                for seat in seats.iter() {
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

    /// What a draft shows is what comes to be.
    #[test]
    fn what_a_draft_shows_comes_to_be() {
        let mut held = 0;
        for number in 0..40_u64 {
            let mut dice = Dice::new(number);
            let ruleset = RulesetId::ALL[usize::try_from(number).unwrap() % RulesetId::ALL.len()];
            let seats = Seats::new(3).unwrap();
            let options = ruleset.read_options(&short_options(ruleset, seats, 3), seats).unwrap();
            let mut table = AnyTable::start(&options, seats, Chance::seeded(dice.seed()));
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
