//! Views, at present and of the past.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::Serialize;
use uuid::Uuid;

use super::{
    context::{ViewContext, ViewOptions},
    game_view::{SeatedPlayer, result_of},
    prompt, time,
};
use crate::{
    engine::{Legal, LegalCommand, Placement, Seat, Viewer, Voice, hash::Bytes32},
    ledger::{
        encoding::{hex, in_hex},
        game::Game,
        standing::Control,
    },
    rulesets::{AnyCommand, AnyTable, AnyView},
    service::{
        Reading, ServiceError,
        games::{Player, access::running},
    },
    words::{Ending, PlayedBy, Status},
};

/// The position as the caller may see it.
#[derive(Serialize)]
#[wire]
pub struct View {
    pub id: Uuid,
    #[schema(value_type = crate::rulesets::RulesetName)]
    pub ruleset: &'static str,
    pub seq: u64,
    /// Head of the hash chain after that entry.
    #[serde(serialize_with = "in_hex")]
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub head: Bytes32,
    pub viewer: Viewer,
    pub status: Status,
    #[schema(value_type = Vec<Seat>, max_items = 4)]
    pub to_act: Vec<Seat>,
    #[schema(min_items = 2, max_items = 4)]
    pub seats: Vec<ViewSeat>,
    /// When the autopilot plays for the seats to act. In a sealed game: when it becomes void.
    #[schema(format = DateTime)]
    pub deadline: Option<String>,
    /// Whether the game is paused: all players have asked for a pause, and no time runs.
    pub paused: bool,
    /// Entries that the viewer's seat can return to now. `null` if there are none.
    pub takeback: Option<Takeback>,
    /// Server time. Deadlines refer to it.
    #[schema(format = DateTime)]
    pub now: String,
    /// How the game ended. `null` until then.
    pub end: Option<Ending>,
    /// Final places, however the game ended. `null` until then and for a void game.
    pub result: Option<Vec<Placement>>,
    /// Position. `null` before the game starts.
    pub state: Option<AnyView>,
    /// With `with=legal`: legal commands of the caller's own seat. `null` for other viewers and when no
    /// one can act.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub legal: Option<Option<Moves>>,
    /// With `words=true`: what the viewer has to do, or whom the game waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub prompt: Option<String>,
}

/// A seat and its player.
#[derive(Serialize)]
#[wire]
pub struct ViewSeat {
    pub seat: Seat,
    pub player: Option<SeatedPlayer>,
    pub control: PlayedBy,
    /// Whether the player has resigned.
    pub resigned: bool,
    /// Whether the seat asks for a pause. The game pauses once all players have asked.
    pub asks_pause: bool,
    /// Time left in the time bank, in seconds. Present if the clock has a bank.
    #[schema(maximum = 2_592_000)]
    pub bank_seconds: Option<u64>,
}

/// The pause of a running game.
#[derive(Serialize)]
#[wire]
#[schema(as = Pause)]
pub struct PauseView {
    /// Whether the game is paused.
    pub paused: bool,
    /// Seats that ask for a pause.
    #[schema(max_items = 4)]
    pub asked_by: Vec<Seat>,
}

/// Entries that a seat can return to, from the first to the last.
#[derive(Serialize)]
#[wire]
pub struct Takeback {
    pub from: u64,
    pub to: u64,
}

/// Commands that a seat may send.
#[derive(Default, Serialize)]
#[wire]
pub struct Moves {
    /// Whether it is this seat's turn. Some commands, such as a loan in Industrial Waste, are also legal
    /// off turn.
    pub turn: bool,
    pub commands: Vec<LegalCommand<AnyCommand>>,
    /// Types of commands that are legal but too many to list.
    pub free_form: Vec<&'static str>,
}

impl Moves {
    pub fn of(game: &Game, seat: Seat, context: &ViewContext) -> Self {
        let resigned = game.sitting(seat).is_some_and(|sitting| sitting.control == Control::Resigned);
        let table = game.table.as_ref().filter(|_| !resigned && !game.clocks.is_paused());
        table.map_or_else(Self::default, |table| Self::at(table, seat, context.voice(game).as_ref()))
    }

    /// Returns the moves at a table that may differ from the game's.
    pub fn at(table: &AnyTable, seat: Seat, voice: Option<&Voice>) -> Self {
        let Legal { commands, free_form } =
            voice.map_or_else(|| table.legal(seat), |voice| table.legal_in_words(seat, voice));
        Self { turn: table.to_act() == Some(seat), commands, free_form }
    }
}

impl View {
    pub fn of(context: &ViewContext, game: &Game, viewer: Viewer) -> Self {
        let own = match viewer {
            Viewer::Seat(seat) if game.status() == Status::Running => Some(seat),
            _ => None,
        };
        Self {
            takeback: own.and_then(|seat| takeback(game, seat)),
            legal: context.wish.legal.then(|| own.map(|seat| Moves::of(game, seat, context))),
            prompt: context.voice(game).map(|voice| prompt::text(game, viewer, &voice)),
            ..Self::at(context, game, viewer, game.table.as_ref().map(|table| table.view(viewer)))
        }
    }

    /// Returns a view with a state that may differ from the game's, without the parts that only the game
    /// knows.
    pub fn at(context: &ViewContext, game: &Game, viewer: Viewer, state: Option<AnyView>) -> Self {
        let seat = |seat: Seat| {
            let sitting = game.sitting(seat);
            let player = sitting.map(|sitting| SeatedPlayer::of(&sitting.holder.player, &context.people));
            let control = sitting.map_or(Control::Player, |sitting| sitting.control);
            ViewSeat {
                seat,
                player,
                control: control.played_by(),
                resigned: control == Control::Resigned,
                asks_pause: game.clocks.asks(seat),
                bank_seconds: context.has_bank.then(|| game.clocks.bank(seat) / 1_000),
            }
        };
        Self {
            id: context.uuid,
            ruleset: game.setting.ruleset.name(),
            seq: game.seq(),
            head: *game.chain.head(),
            viewer,
            status: game.status(),
            to_act: game.to_act().into_iter().collect(),
            seats: game.setting.seats.iter().map(seat).collect(),
            deadline: context.deadline(game).map(time),
            paused: game.status() == Status::Running && game.clocks.is_paused(),
            takeback: None,
            now: time(context.now),
            end: game.ending.as_ref().map(|end| end.reason.ending()),
            result: result_of(game),
            state,
            legal: None,
            prompt: None,
        }
    }
}

fn takeback(game: &Game, seat: Seat) -> Option<Takeback> {
    let reached = game.takebacks(seat);
    let last = reached.end.checked_sub(1).filter(|_| !reached.is_empty() && !game.clocks.is_paused())?;
    Some(Takeback { from: reached.start, to: last })
}

/// The viewer whose eyes a finished game is seen with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Perspective {
    Own,
    Seat(u8),
    Spectator,
}

/// A view and its tag. The tag changes when the view may change.
pub struct Tagged {
    pub view: View,
    pub tag: String,
}

impl Tagged {
    fn new(context: &ViewContext, game: &Game, viewer: Viewer) -> Self {
        let view = View::of(context, game, viewer);
        let viewer = match viewer {
            Viewer::Seat(seat) => seat.to_string(),
            Viewer::Spectator => "s".to_owned(),
        };
        let lang = context.wish.words.map_or("", |lang| lang.tag());
        let mut names = DefaultHasher::new();
        context.people.names().for_each(|name| name.hash(&mut names));
        let tag = format!(
            "{}-{viewer}{lang}-{}-{:x}",
            view.seq,
            hex(&view.head[..8]),
            names.finish() & 0xffff_ffff
        );
        Self { view, tag }
    }
}

impl Reading {
    /// Returns the pause of a running game.
    pub async fn pause(&self, uuid: Uuid, caller: Option<&Player>) -> Result<PauseView, ServiceError> {
        let locked = self.games.visible(uuid, caller).await?;
        let live = locked.game()?;
        running(live)?;
        let clocks = &live.game.clocks;
        let asked_by = live.game.setting.seats.iter().filter(|seat| clocks.asks(*seat)).collect();
        Ok(PauseView { paused: clocks.is_paused(), asked_by })
    }

    /// Returns the view after an entry, by default the newest.
    pub async fn view(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        seq: Option<u64>,
        eyes: Perspective,
        wish: ViewOptions,
    ) -> Result<Tagged, ServiceError> {
        let locked = self.games.visible(uuid, caller).await?;
        let live = locked.game()?;
        let viewer = match eyes {
            Perspective::Own => live.viewer(caller),
            _ if !matches!(live.game.status(), Status::Finished | Status::Void) => {
                return Err(ServiceError::ReplaySealed);
            }
            Perspective::Spectator => Viewer::Spectator,
            Perspective::Seat(number) => {
                let seat = live.game.setting.seats.seat(number.into());
                Viewer::Seat(seat.ok_or(ServiceError::NoSuchSeat)?)
            }
        };
        let (newest, mut context) = (live.game.seq(), self.context(live, wish));
        let seq = match seq.filter(|seq| *seq != newest) {
            None => return Ok(Tagged::new(&context, &live.game, viewer)),
            Some(seq) if seq > newest => return Err(ServiceError::NoEntry { newest }),
            Some(seq) => seq,
        };
        let game = (uuid, live.facts.key);
        drop(locked);
        // Past commands are no longer legal.
        context.wish.legal = false;
        // Boxed: most callers read the present, and the future stays small.
        let views =
            Box::pin(self.walk(game, seq, 1, move |step| Ok(Tagged::new(&context, step.game, viewer))));
        views.await?.into_iter().next().ok_or_else(|| ServiceError::Internal("an entry is missing".into()))
    }
}
