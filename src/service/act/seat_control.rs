//! What becomes of a seat beside its commands: given up, taken back, its keys, its pauses, and what it takes back.

use std::ops::Range;

use uuid::Uuid;

use super::Reply;
use crate::{
    engine::{Fields, Format, Malformed, Seat, Text},
    ledger::{
        conduct::MOST_OTHERS,
        entry::{Body, Op},
        signed::SeatKey,
        standing::Control,
    },
    service::{
        Service, ServiceError,
        error::Term,
        game::{LiveGame, Locked, Player, access::seat_in_play},
        request::{Field, SeatKeys, Signature, request},
    },
    store::NewClaim,
};

/// So many entries of its own decision alone a seat may have written and still take back. Without a bound it
/// could go to and fro for ever, in a log that nobody verifies any more.
const LONGEST_RUN: u64 = 256;

request! {
    /// Body of a request that may need the player's signature.
    #[cfg_attr(feature = "openapi", schema(example = json!({})))]
    pub struct Consent {
        /// Signature. Required if the seat has keys.
        pub signed: Option<Signature>,
    }
}

request! {
    pub struct NewKeys {
        /// All keys of the seat from now on. At least one.
        #[cfg_attr(feature = "openapi", schema(value_type = SeatKeys, min_items = 1, max_items = 8))]
        pub keys: SomeKeys,
        /// Signature by a current key of the seat, or by one of the new keys if the seat has none.
        pub signed: Option<Signature>,
    }
}

request! {
    #[cfg_attr(feature = "openapi", schema(example = json!({"expected_seq": 31, "to": 29})))]
    pub struct NewTakeback {
        /// Newest entry that the client has seen.
        #[cfg_attr(feature = "openapi", schema(maximum = 9_007_199_254_740_991_u64))]
        pub expected_seq: u64,
        /// Entry to return to. The game continues from the position after it.
        #[cfg_attr(feature = "openapi", schema(maximum = 9_007_199_254_740_991_u64))]
        pub to: u64,
        /// Signature. Required if the seat has keys.
        pub signed: Option<Signature>,
    }
}

/// At least one key: who has none left gives the keys up.
pub struct SomeKeys(SeatKeys);

impl Field for SomeKeys {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let keys = SeatKeys::read(fields, name)?;
        if keys.as_list().is_empty() {
            let problem = Text::new("must contain at least one key", "deve contenere almeno una chiave");
            return Err(fields.wrong(name, problem));
        }
        Ok(Self(keys))
    }
}

/// What a player does about its seat.
pub enum SeatAct {
    Sys(Op, Option<Signature>),
    Keys(Vec<SeatKey>, Option<Signature>),
    Takeback { expected_seq: u64, to: u64, signed: Option<Signature> },
}

impl SeatAct {
    pub fn sys(op: Op, consent: Consent) -> Self {
        Self::Sys(op, consent.signed)
    }

    fn body(&self, seat: Seat) -> Body {
        let seat = seat.number().into();
        let signed = |signed: &Option<Signature>| signed.as_ref().map(|signed| signed.get().clone());
        match self {
            Self::Sys(op, by) => Body::Sys { op: *op, seat, signed: signed(by) },
            Self::Keys(keys, by) => Body::Keys { seat, keys: keys.clone(), signed: signed(by) },
            Self::Takeback { to, signed: by, .. } => Body::Takeback { seat, to: *to, signed: signed(by) },
        }
    }
}

impl From<NewKeys> for SeatAct {
    fn from(NewKeys { keys, signed }: NewKeys) -> Self {
        Self::Keys(keys.0.list(), signed)
    }
}

impl From<NewTakeback> for SeatAct {
    fn from(NewTakeback { expected_seq, to, signed }: NewTakeback) -> Self {
        Self::Takeback { expected_seq, to, signed }
    }
}

impl Service {
    pub(super) async fn act_on_seat(
        &self,
        uuid: Uuid,
        player: &Player,
        act: &SeatAct,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let (locked, seat) = self.seat_in_play(uuid, player).await?;
        let live = locked.game()?;
        let body = act.body(seat);
        if let SeatAct::Takeback { expected_seq, .. } = act
            && *expected_seq != live.game.seq()
        {
            return Err(ServiceError::StaleSeq { seq: live.game.seq() });
        }
        may_write(live, &body, self.clock.now())?;
        is_signed(live, &body)?;
        let mut draft = self.draft(locked)?;
        let placed = draft.add(&body)?;
        draft = self.settled(draft).await?;
        self.commit_for(player, draft, placed, claim).await
    }

    pub(super) async fn seat_in_play(
        &self,
        uuid: Uuid,
        player: &Player,
    ) -> Result<(Locked, Seat), ServiceError> {
        let locked = self.act_if_due(self.visible(uuid, Some(player)).await?).await?;
        let seat = seat_in_play(locked.game()?, player)?;
        Ok((locked, seat))
    }
}

/// Whether the game takes such an entry of a seat now: said in words before the log refuses it.
pub fn may_write(live: &LiveGame, body: &Body, now: u64) -> Result<(), ServiceError> {
    let (game, terms) = (&live.game, &live.game.standing.terms);
    let op = if let Body::Sys { op, .. } = body { Some(*op) } else { None };
    let is_old = game.format() == Format::One;
    let Some(sitting) = body.seat().and_then(|seat| game.standing.sitting(seat)) else { return Ok(()) };
    let is_autopilots = sitting.control == Control::Autopilot;
    // Whoever leaves for good gives up keys and seat: there is always room for these two.
    let leaves = matches!(op, Some(Op::Resign | Op::Unkey));
    let room = if leaves { MOST_OTHERS } else { MOST_OTHERS - 2 };
    let seat = body.seat().and_then(|seat| game.setting.seats.seat(seat));
    let asks = seat.is_some_and(|seat| game.clocks.asks(seat));
    let refused = match (body, op) {
        (_, Some(Op::Resign)) => None,
        (_, Some(Op::Resume)) if !is_autopilots => Some(ServiceError::NotAutopilots),
        (_, Some(Op::Resume)) if is_old => None,
        _ if is_old => Some(ServiceError::OldFormat),
        (_, Some(Op::Pause | Op::Continue)) if terms.clock.is_none() => {
            Some(ServiceError::NotAgreed(Term::Clock))
        }
        (Body::Takeback { .. }, _) if !terms.takebacks => Some(ServiceError::NotAgreed(Term::Takebacks)),
        (Body::Hand { .. }, _) if !terms.substitutes => Some(ServiceError::NotAgreed(Term::Substitutes)),
        (Body::Takeback { .. }, _) | (_, Some(Op::Pause)) if is_autopilots => Some(ServiceError::Autopilots),
        (Body::Takeback { .. }, _) if game.clocks.is_paused() => Some(ServiceError::Paused),
        (Body::Takeback { to, .. }, _) if seat.is_none_or(|seat| !game.takebacks(seat).contains(to)) => {
            Some(ServiceError::NothingToTakeBack)
        }
        (Body::Takeback { .. }, _) if seat.is_some_and(|seat| is_long(game.takebacks(seat))) => {
            Some(ServiceError::TooManyEntries)
        }
        (Body::Takeback { .. }, _) if game.judge(body, now.max(game.chain.at())).is_err() => {
            Some(ServiceError::NothingToTakeBack)
        }
        (_, Some(Op::Pause)) if asks => Some(ServiceError::AsksAlready),
        (_, Some(Op::Continue)) if !asks => Some(ServiceError::AsksNot),
        _ => None,
    };
    let is_full = !is_old && sitting.others >= room;
    match refused {
        Some(refused) => Err(refused),
        None if is_full => Err(ServiceError::TooManyEntries),
        None => Ok(()),
    }
}

fn is_long(run: Range<u64>) -> bool {
    run.end - run.start >= LONGEST_RUN
}

/// Whether an entry that is no command has the signature that it needs, standing by itself.
pub fn is_signed(live: &LiveGame, body: &Body) -> Result<(), ServiceError> {
    let game = live.facts.uuid.to_string();
    live.game.consent(&game, body)?.map_err(ServiceError::BadSignature)
}
