//! Legal commands, and commands.

use serde_json::Value;
use uuid::Uuid;

use super::{Reply, game_change::GameChange, reply::CommandDone, seat_control::may_write};
use crate::{
    engine::{Malformed, Seat, Viewer},
    ledger::{
        consent::Why,
        entry::{Body, By, PlainAct},
        message::Message,
        replay::written,
        signed::{PartOfRequest, Signed},
        standing::Control,
    },
    rulesets::{AnyCommand, AnyEvent, AnyTable, RulesetId},
    service::{
        ServiceError, Tables,
        games::{EntryRef, LiveGame, Locked, Player, access::seat_in_play},
        reading::{context::ViewOptions, event_item::told, trial::hangs_on_chance, view::View},
        request::{Signature, Typed, request},
    },
    store::NewClaim,
};

request! {
    #[schema(
        as = NewCommand,
        example = json!({"expected_seq": 12, "command": {"type": "choose_combination", "column": 1}})
    )]
    pub struct Command {
        /// Newest entry that the client has seen.
        pub expected_seq: u64,
        /// One command; or in its place `commands`.
        #[schema(value_type = AnyCommand, required = false)]
        pub command: Option<Typed>,
        /// Commands that are accepted together or not at all. Only the last may draw, reveal hidden
        /// information or pass the turn.
        #[schema(value_type = Vec<AnyCommand>, required = false, min_items = 1, max_items = 32)]
        pub commands: Option<Vec<Typed>>,
        /// Required if the seat has keys. Signs the commands in the form of the log, with all defaults
        /// written out.
        pub signed: Option<Signature>,
    }
    one of command, commands
}

impl Command {
    /// Returns the commands of the request.
    pub fn list(&self) -> &[Typed] {
        self.commands.as_deref().unwrap_or(self.command.as_slice())
    }

    fn read(&self, ruleset: RulesetId) -> Result<Vec<AnyCommand>, Malformed> {
        match &self.command {
            Some(command) => Ok(vec![command.of(ruleset)?]),
            None => Typed::read_all(self.list(), ruleset),
        }
    }
}

/// Commands that were played.
struct PlayedCommands {
    change: Box<GameChange>,
    /// The last entry.
    placed: EntryRef,
    /// The events, as the player sees them.
    events: Vec<AnyEvent>,
}

impl Tables {
    pub(super) async fn play(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: &Command,
        wish: ViewOptions,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let locked = self.act_if_due(self.games.visible(uuid, Some(player)).await?).await?;
        let live = locked.game()?;
        let (seat, commands) = read(live, player, sent)?;
        let PlayedCommands { change, placed, events } = {
            let signed = self.linked(live, player, seat, sent.signed.as_ref()).await?;
            self.played(locked, seat, &commands, sent, signed.as_ref())?
        };
        let change = self.with_consequences(change).await?;
        let claim = claim.map(|claim| (placed.seq, claim));
        let see = |live: &LiveGame| {
            let receipt = live.receipt(placed);
            let (context, viewer) =
                (self.reading.context(live, wish).as_of(&live.game), live.viewer(Some(player)));
            let (seq, events) = (placed.seq, told(events, &context, &live.game));
            let view = View::of(&context, &live.game, viewer);
            move || CommandDone { seq, events, view, receipt: self.signer.sign(&receipt) }
        };
        self.commit(change, claim, see).await
    }

    /// Plays the commands, without their consequences.
    fn played(
        &self,
        locked: Locked,
        seat: Seat,
        commands: &[AnyCommand],
        sent: &Command,
        signed: Option<&Signed>,
    ) -> Result<PlayedCommands, ServiceError> {
        let live = locked.game()?;
        let sitting = live.sitting(seat);
        let resumes = sitting.is_some_and(|sitting| sitting.control == Control::Autopilot);
        if resumes && sitting.is_some_and(|sitting| !sitting.keys.is_empty()) {
            // With keys, the player signs the return to the seat separately.
            return Err(ServiceError::Autopilots);
        }
        let entries = bodies(live, seat, commands, sent, signed)?;
        if resumes || commands.len() > 1 {
            // Only legal commands return the seat to its player, and of several commands all are played or
            // none.
            rehearse(live, seat, commands)?;
        }
        if resumes {
            may_write(live, &Body::act(PlainAct::Resume, seat.number().into()), self.clock.now())?;
        }
        let mut change = self.begin(locked)?;
        if resumes {
            change.add(&Body::act(PlainAct::Resume, seat.number().into()))?;
        }
        let (mut placed, mut events) = (None, Vec::new());
        for (body, command) in entries.iter().zip(commands) {
            match change.submit(body, command) {
                Ok(done) => placed = Some(done),
                Err(error) => return Err(change.refused(error)),
            }
            let table = change.live.game.table.as_ref();
            events.extend(table.into_iter().flat_map(|table| table.events(Viewer::Seat(seat))));
        }
        let placed = placed.ok_or_else(|| ServiceError::Internal("nothing was played".into()))?;
        Ok(PlayedCommands { change, placed, events })
    }
}

/// Reads commands and checks everything but the rules, in the documented order: form, seat, status, seq.
fn read(live: &LiveGame, player: &Player, sent: &Command) -> Result<(Seat, Vec<AnyCommand>), ServiceError> {
    let commands = sent.read(live.game.setting.ruleset)?;
    let seat = seat_in_play(live, player)?;
    let seq = live.game.seq();
    if sent.expected_seq != seq {
        let is_late = live.sitting(seat).is_some_and(|sitting| sitting.timed_out > sent.expected_seq);
        return Err(if is_late {
            ServiceError::DeadlinePassed { seq }
        } else {
            ServiceError::StaleSeq { seq }
        });
    }
    if live.game.clocks.is_paused() { Err(ServiceError::Paused) } else { Ok((seat, commands)) }
}

/// Returns the entries of a request, if it is signed as its seat requires. Signed commands are written as
/// they were sent: a player signs only what it wrote.
fn bodies(
    live: &LiveGame,
    seat: Seat,
    commands: &[AnyCommand],
    sent: &Command,
    signed: Option<&Signed>,
) -> Result<Vec<Body>, ServiceError> {
    let cmds: Vec<Value> = commands.iter().map(written).collect::<Result<_, _>>()?;
    let (seat, of) = (u64::from(seat.number()), cmds.len() as u64);
    if signed.is_some() || live.game.standing.sitting(seat).is_some_and(|sitting| !sitting.keys.is_empty()) {
        let message = Message::commands(&cmds.iter().collect::<Vec<_>>())?;
        let game = live.facts.uuid.to_string();
        live.game.consent_to_play(&game, seat, signed, &message).map_err(ServiceError::BadSignature)?;
        if signed.is_some() && sent.list().iter().map(Typed::value).ne(&cmds) {
            return Err(ServiceError::BadSignature(Why::OtherForm.into()));
        }
    }
    let part = |no| {
        // Only the first command carries the device statements.
        let devices = |signed: &Signed| if no == 0 { signed.devices.clone() } else { Vec::new() };
        let signed = signed.map(|signed| Signed { devices: devices(signed), ..signed.clone() });
        signed.map(|signed| PartOfRequest { signed, no, of })
    };
    let body = |(no, cmd)| Body::Cmd { seat, by: By::Player, cmd, signed: part(no) };
    Ok((0..).zip(cmds).map(body).collect())
}

/// Plays commands on a copy of the table, to find refusals.
fn rehearse(live: &LiveGame, seat: Seat, commands: &[AnyCommand]) -> Result<(), ServiceError> {
    let not_running = || ServiceError::NotRunning(live.game.status());
    rehearse_at(live.game.table.as_ref().ok_or_else(not_running)?, seat, commands)
}

/// Stops after a command that draws or reveals: later refusals would tell what nobody may know yet.
fn rehearse_at(table: &AnyTable, seat: Seat, commands: &[AnyCommand]) -> Result<(), ServiceError> {
    if let [command] = commands {
        return table.check(seat, command).map_err(|refused| ServiceError::illegal(None, refused));
    }
    let (mut table, to_act) = (table.clone(), table.to_act());
    for (no, command) in (0..).zip(commands) {
        let by_chance = hangs_on_chance(&mut table, seat, command)
            .map_err(|refused| ServiceError::illegal(Some(no), refused))?;
        let goes_on = !by_chance && table.to_act() == to_act;
        if !goes_on && no + 1 < commands.len() as u64 {
            return Err(ServiceError::NotLast(no));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::Chance,
        testing::{TestDice, short_table},
    };

    /// The answer to a list of commands does not depend on what its seat cannot see.
    #[test]
    fn a_list_of_commands_tells_nothing_that_its_seat_does_not_know() {
        let (mut taken, mut not_last) = (0, 0);
        for number in 0..60_u64 {
            let mut dice = TestDice::new(number);
            let seats = 2 + dice.below(3);
            let mut table = short_table(number, seats, 6, &mut dice);
            let mut known: Vec<AnyCommand> = Vec::new();
            while let Some(seat) = table.to_act() {
                let listed: Vec<AnyCommand> =
                    table.legal(seat).commands.iter().map(|one| one.command.clone()).collect();
                known.extend(listed.iter().filter(|one| !known.contains(one)).cloned().collect::<Vec<_>>());
                // A command may become legal after the first.
                for first in &listed {
                    let commands = [first.clone(), dice.pick(&known).clone()];
                    let said =
                        |table: &AnyTable| rehearse_at(table, seat, &commands).map_err(|no| no.to_string());
                    let (answer, other) =
                        (said(&table), table.redealt(Viewer::Seat(seat), Chance::seeded(dice.seed())));
                    assert_eq!(said(&other), answer, "game {number}, seat {seat}: {commands:?}");
                    taken += usize::from(answer.is_ok());
                    not_last += usize::from(answer.is_err_and(|text| text.contains("last")));
                }
                table.submit(seat, dice.pick(&listed)).unwrap();
            }
        }
        assert!(taken > 100 && not_last > 100, "{taken} were taken, {not_last} were not the last");
    }
}
