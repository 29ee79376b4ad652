//! Playing: legal commands, and commands.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    Player, Service, ServiceError, Written,
    access::{running, seat_of},
    draft::{Draft, Placed, to_value},
    game::Game,
    once::Turn,
    watch::View,
};
use crate::{
    engine::{Fields, LegalCommand, Malformed, Seat, Viewer},
    ledger::entry::{By, Op},
    rulesets::{AnyCommand, AnyEvent, Refused},
    store::Control,
};

/// What the caller's seat may do now.
#[derive(Serialize, ToSchema)]
pub struct LegalCommands {
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub seq: u64,
    pub seat: Seat,
    pub commands: Vec<LegalCommand<AnyCommand>>,
    /// Kinds of command that are possible now but too many to list.
    pub free_form: Vec<&'static str>,
}

/// What a command did.
#[derive(Serialize, ToSchema)]
pub struct CommandDone {
    /// The number of the command's own entry.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub seq: u64,
    pub events: Vec<AnyEvent>,
    /// The newest view; its seq may be greater.
    pub view: View,
    /// A signed note; keep it.
    pub receipt: String,
}

/// A command, as far as it can be read without knowing the game.
pub struct Command {
    expected_seq: u64,
    sent: Value,
    pub dry_run: bool,
}

impl Command {
    pub fn read(request: &Value) -> Result<Self, Malformed> {
        let mut fields = Fields::of(request, "")?;
        let expected_seq = fields.whole("expected_seq")?;
        let command = fields.get("command").ok_or_else(|| fields.wrong("command", "is missing"))?;
        Fields::of(command, "command")?.text("type")?;
        let dry_run = fields.flag("dry_run")?;
        fields.end()?;
        Ok(Self { expected_seq, sent: command.clone(), dry_run })
    }
}

impl Service {
    /// For seats only: whoever else may see the game is not seated, with a token or without.
    pub async fn legal_commands(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
    ) -> Result<LegalCommands, ServiceError> {
        let locked = self.visible(uuid, caller).await?;
        let game = locked.game()?;
        let seat = seat_of(game, caller.ok_or(ServiceError::NotSeated)?)?;
        running(game)?;
        let resigned = game.sitting(seat).is_some_and(|sitting| sitting.resigned);
        let legal =
            game.table.as_ref().filter(|_| !resigned).map(|table| table.legal(seat)).unwrap_or_default();
        Ok(LegalCommands { seq: game.seq(), seat, commands: legal.commands, free_form: legal.free_form })
    }

    /// Whether the command would be accepted, and nothing of what it would do.
    pub async fn try_command(&self, uuid: Uuid, player: &Player, sent: &Command) -> Result<(), ServiceError> {
        let locked = self.visible(uuid, Some(player)).await?;
        check(locked.game()?, player, sent).map(|_| ())
    }

    pub async fn command(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: &Command,
        turn: Option<&Turn<'_>>,
    ) -> Result<Written, ServiceError> {
        let locked = self.act_if_due(self.visible(uuid, Some(player)).await?).await?;
        let (seat, command) = check(locked.game()?, player, sent)?;
        self.commit(
            locked,
            turn,
            |draft| carry_out(draft, seat, &command),
            |game, (placed, events)| {
                let receipt = self.signer.sign(&game.receipt(placed));
                CommandDone { seq: placed.seq, events, view: View::now(game, Some(player)), receipt }
            },
        )
        .await
    }
}

/// Checks in the order that the contract gives: the form, the seat, the status, the seq, the rules.
fn check(game: &Game, player: &Player, sent: &Command) -> Result<(Seat, AnyCommand), ServiceError> {
    let command = game.setting.ruleset.read_command(&sent.sent)?;
    let seat = seat_of(game, player)?;
    running(game)?;
    if game.sitting(seat).is_some_and(|sitting| sitting.resigned) {
        return Err(ServiceError::Resigned);
    }
    if sent.expected_seq != game.seq() {
        return Err(ServiceError::StaleSeq { seq: game.seq() });
    }
    let table = game.table.as_ref().ok_or(ServiceError::NotRunning("not started"))?;
    table.check(seat, &command).map_err(|refused| match refused {
        Refused::Rule(refusal) => ServiceError::Illegal(refusal),
        Refused::OtherGame => ServiceError::Internal("a command of another game".into()),
    })?;
    Ok((seat, command))
}

/// Plays a command that was checked, and whatever the autopilot plays after it.
fn carry_out(
    draft: &mut Draft,
    seat: Seat,
    command: &AnyCommand,
) -> Result<(Placed, Vec<AnyEvent>), ServiceError> {
    if draft.game.sitting(seat).is_some_and(|sitting| sitting.control == Control::Autopilot) {
        draft.sys(seat, Op::Resume)?;
    }
    let table = draft.game.table.as_mut().ok_or(ServiceError::NotRunning("not started"))?;
    table
        .submit(seat, command)
        .map_err(|_| ServiceError::Internal("a checked command was refused".into()))?;
    let events = table.events(Viewer::Seat(seat));
    let placed = draft.add_command(seat, By::Player, to_value(command)?)?;
    draft.play_on()?;
    Ok((placed, events))
}
