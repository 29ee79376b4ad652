//! Playing: legal commands, and commands.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Reply, draft::Draft, reply::CommandDone};
use crate::{
    engine::{Fields, Malformed, Seat, Viewer},
    ledger::{
        entry::{Body, By, Op},
        replay::written,
        standing::Control,
    },
    rulesets::{AnyCommand, AnyEvent, Refused},
    service::{
        Service, ServiceError,
        game::{
            LiveGame, Placed, Player,
            access::{running, seat_in_play, seat_of},
        },
        read::{
            event_item::told,
            sight::Wish,
            view::{Moves, View},
        },
        request::{Field, Raw, request},
    },
    store::NewClaim,
};

/// What the caller's seat may do now.
#[derive(Serialize, ToSchema)]
pub struct LegalCommands {
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub seq: u64,
    pub seat: Seat,
    #[serde(flatten)]
    pub moves: Moves,
}

request! {
    #[schema(as = NewCommand, example = json!({"expected_seq": 12, "command": {"type": "choose_combination", "column": 1}}))]
    pub struct Command {
        /// The seq of the newest entry that the sender saw.
        #[schema(maximum = 9_007_199_254_740_991_u64)]
        pub expected_seq: u64,
        #[schema(value_type = AnyCommand)]
        pub command: Typed,
        /// Only say whether the command would be accepted.
        #[schema(required = false, default = false)]
        pub dry_run: bool,
    }
}

/// A command, as far as it can be read without knowing the game: it has a type.
pub struct Typed(Value);

impl Field for Typed {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let Raw(command) = Raw::read(fields, name)?;
        Fields::of(&command, fields.place(name))?.text("type")?;
        Ok(Self(command))
    }
}

impl Service {
    /// What the caller's seat may do. A caller without a seat is told so, with a token or without.
    pub async fn legal_commands(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        wish: Wish,
    ) -> Result<LegalCommands, ServiceError> {
        let locked = self.visible(uuid, caller).await?;
        let live = locked.game()?;
        let seat = seat_of(live, caller.ok_or(ServiceError::NotSeated)?)?;
        running(live)?;
        let moves = Moves::of(&live.game, seat, &self.sight(live, wish));
        Ok(LegalCommands { seq: live.game.seq(), seat, moves })
    }

    /// Whether the command would be accepted, and nothing of what it would do.
    pub async fn try_command(&self, uuid: Uuid, player: &Player, sent: &Command) -> Result<(), ServiceError> {
        let locked = self.visible(uuid, Some(player)).await?;
        let live = locked.game()?;
        let (seat, command) = read(live, player, sent)?;
        check(live, seat, &command)
    }

    pub(super) async fn play(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: &Command,
        wish: Wish,
        claim: Option<NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let locked = self.act_if_due(self.visible(uuid, Some(player)).await?).await?;
        let live = locked.game()?;
        let (seat, command) = read(live, player, sent)?;
        let resumes = live.sitting(seat).is_some_and(|sitting| sitting.control == Control::Autopilot);
        if resumes {
            // The seat goes back to its player by a command that the rules accept, and by no other.
            check(live, seat, &command)?;
        }
        let mut draft = self.draft(locked)?;
        if resumes {
            draft.sys(seat, Op::Resume)?;
        }
        let (placed, events) = match submit(&mut draft, seat, &command) {
            Ok(done) => done,
            Err(error) => return Err(draft.refused(error)),
        };
        draft = self.settled(draft).await?;
        let claim = claim.map(|claim| (placed.seq, claim));
        let done = |live: &LiveGame| {
            let receipt = self.signer.sign(&live.receipt(placed));
            let (sight, viewer) = (self.sight(live, wish).as_of(&live.game), live.viewer(Some(player)));
            let events = told(events, &sight, &live.game);
            CommandDone { seq: placed.seq, events, view: View::of(&sight, &live.game, viewer), receipt }
        };
        self.commit(draft, claim, done).await
    }
}

/// Reads a command and checks all but the rules, in the order that the contract gives: the form, the seat, the status,
/// the seq.
fn read(live: &LiveGame, player: &Player, sent: &Command) -> Result<(Seat, AnyCommand), ServiceError> {
    let command = live.game.setting.ruleset.read_command(&sent.command.0)?;
    let seat = seat_in_play(live, player)?;
    let seq = live.game.seq();
    if sent.expected_seq == seq { Ok((seat, command)) } else { Err(ServiceError::StaleSeq { seq }) }
}

fn check(live: &LiveGame, seat: Seat, command: &AnyCommand) -> Result<(), ServiceError> {
    let table = live.game.table.as_ref().ok_or_else(|| ServiceError::NotRunning(live.game.status()))?;
    table.check(seat, command).map_err(|refused| match refused {
        Refused::Rule(refusal) => ServiceError::Illegal(refusal),
        Refused::OtherGame => ServiceError::Internal("a command of another game".into()),
    })
}

/// Decides a command, and says what the seat saw of it.
fn submit(
    draft: &mut Draft,
    seat: Seat,
    command: &AnyCommand,
) -> Result<(Placed, Vec<AnyEvent>), ServiceError> {
    let body = Body::Cmd { seat: seat.number().into(), by: By::Player, cmd: written(command)? };
    let placed = draft.submit(&body, command)?;
    let table = draft.live.game.table.as_ref();
    Ok((placed, table.map(|table| table.events(Viewer::Seat(seat))).unwrap_or_default()))
}
