//! Commands that are only tried: what their seat would see after them.
//!
//! They are tried on tables that the seat cannot tell from the true one, made of what it knows. So the answer tells nothing
//! that it does not know, whatever a command does; and where these tables come to differ, it says that it cannot tell.

use serde::Serialize;
use uuid::Uuid;

use super::{
    event_item::{Spoken, told},
    sight::{Sight, Wish},
    view::{Moves, View},
};
use crate::{
    engine::{Chance, Seat, Viewer},
    ledger::game::Game,
    rulesets::{AnyCommand, AnyEvent, AnyTable, AnyView, Refused},
    service::{
        Service, ServiceError,
        game::{Player, access::seat_in_play},
        request::{Typed, request},
        work::{self, Work},
    },
};

/// The number of the table on which commands are tried and shown.
const SHOWN: u64 = 1;
/// The numbers of those that it is held against. The more there are, the rarer is a guess that looks like knowledge.
const OTHERS: [u64; 1] = [2];

request! {
    #[cfg_attr(feature = "openapi", schema(example = json!({"expected_seq": 12, "commands": [{"type": "take_loan", "count": 1}]})))]
    pub struct NewDraft {
        /// The seq of the newest entry that the sender saw.
        #[cfg_attr(feature = "openapi", schema(maximum = 9_007_199_254_740_991_u64))]
        pub expected_seq: u64,
        #[cfg_attr(feature = "openapi", schema(value_type = Vec<AnyCommand>, min_items = 1, max_items = 32))]
        pub commands: Vec<Typed>,
    }
}

/// What a seat would see after commands that it only tries.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Draft {
    pub view: View,
    pub events: Vec<Spoken<AnyEvent>>,
    pub legal: Moves,
    /// Before which command it ends; null if all were tried.
    pub stopped: Option<Stopped>,
}

#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Stopped {
    /// The place of the command in the list, from 0.
    #[cfg_attr(feature = "openapi", schema(maximum = 31))]
    pub no: u64,
    pub because: Because,
}

#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
        let commands = Typed::read_all(&sent.commands, live.game.setting.ruleset)?;
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
    /// The table that is shown, after the commands that could be tried.
    shown: AnyTable,
    /// The others that are as far; none before one is asked for.
    others: Vec<AnyTable>,
    /// What the seat sees of each of them; nothing before the first command. What it may do follows from that.
    seen: Option<AnyView>,
    events: Vec<AnyEvent>,
    stopped: Option<Because>,
    tried: u64,
}

impl Trial {
    fn new(game: &Game, seat: Seat) -> Result<Self, ServiceError> {
        let table = game.table.as_ref().ok_or_else(|| ServiceError::NotRunning(game.status()))?;
        Ok(Self::at(table, seat))
    }

    fn at(table: &AnyTable, seat: Seat) -> Self {
        let shown = table.redealt(Viewer::Seat(seat), Chance::imagined(SHOWN));
        Self { seat, shown, others: Vec::new(), seen: None, events: Vec::new(), stopped: None, tried: 0 }
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
        let (seat, viewer) = (self.seat, Viewer::Seat(self.seat));
        let passed = self.tried > 0 && self.shown.to_act() != Some(seat);
        let mut next = self.shown.clone();
        match hangs_on_chance(&mut next, seat, command) {
            Err(_) if passed => return Ok(Some(Because::Others)),
            Err(refused) => {
                let is_refused = |table: &AnyTable| table.check(seat, command).as_ref() == Err(&refused);
                let by_all = self.others().iter().all(is_refused);
                return if by_all { Err(refused) } else { Ok(Some(Because::Others)) };
            }
            Ok(true) => return Ok(Some(Because::Chance)),
            Ok(false) => {}
        }
        let (events, seen) = (next.events(viewer), next.view(viewer));
        for other in self.others() {
            match hangs_on_chance(other, seat, command) {
                Ok(true) => return Ok(Some(Because::Chance)),
                Ok(false) if other.events(viewer) == events && other.view(viewer) == seen => {}
                _ => return Ok(Some(Because::Others)),
            }
        }
        self.shown = next;
        self.seen = Some(seen);
        self.events.extend(events);
        Ok(None)
    }

    /// The tables that are not shown. One that was redealt is redealt as the true one would be.
    fn others(&mut self) -> &mut [AnyTable] {
        if self.others.is_empty() {
            let redealt = |number| self.shown.redealt(Viewer::Seat(self.seat), Chance::imagined(number));
            self.others = OTHERS.map(redealt).into();
        }
        &mut self.others
    }

    fn show(self, game: &Game, sight: &Sight) -> Draft {
        let (table, viewer, voice) = (&self.shown, Viewer::Seat(self.seat), sight.voice(game));
        let state = self.seen.unwrap_or_else(|| table.view(viewer));
        let prompt = voice.as_ref().map(|voice| table.prompt(viewer, voice));
        let now = View::at(sight, game, viewer, Some(state));
        let to_act = table.to_act().into_iter().collect();
        // How long another will have is known only when it is played.
        let deadline = if now.to_act == to_act { now.deadline } else { None };
        Draft {
            view: View { to_act, deadline, prompt, ..now },
            events: told(self.events, sight, game),
            legal: Moves::at(table, self.seat, voice.as_ref()),
            stopped: self.stopped.map(|because| Stopped { no: self.tried, because }),
        }
    }
}

/// Plays a command at a table; says whether it drew, or showed what was hidden.
pub fn hangs_on_chance(table: &mut AnyTable, seat: Seat, command: &AnyCommand) -> Result<bool, Refused> {
    let face_down = table.face_down();
    table.submit(seat, command)?;
    Ok(!table.draws().is_empty() || table.face_down() != face_down)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{engine::conformance::Dice, rulesets::short_table};

    /// All that a trial answers, but for what the game around it is.
    fn tried(table: &AnyTable, seat: Seat, commands: &[AnyCommand]) -> Value {
        match Trial::at(table, seat).play(commands) {
            Ok(Trial { shown: first, events, stopped, tried, .. }) => json!({
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

    /// What a draft shows is what comes to be.
    #[test]
    fn what_a_draft_shows_comes_to_be() {
        let mut held = 0;
        for number in 0..40_u64 {
            let mut dice = Dice::new(number);
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
