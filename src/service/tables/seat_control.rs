//! Acts of a seat's player other than commands: resign, resume, pause, change keys, take back.

use std::ops::Range;

use uuid::Uuid;

use super::{Reply, game_change::GameChange};
use crate::{
    engine::Seat,
    ledger::{
        conduct::MOST_OTHERS,
        entry::{Body, PlainAct},
        seat_key::SeatKey,
        signed::Signed,
        standing::{Control, Sitting, is_limited},
    },
    service::{
        ServiceError, Tables,
        error::Term,
        feed::Note,
        games::{LiveGame, Locked, Player, access::seat_in_play},
        notify::{self, About},
        request::{RevokedKeys, Signature, request},
    },
    store::NewClaim,
};

/// Entries of one decision that a seat may write and still take back. Without a bound, a seat could repeat
/// itself for ever, in a log that becomes too long to verify.
const LONGEST_RUN: u64 = 256;

request! {
    /// Body of a request that may need the player's signature.
    #[schema(example = json!({}))]
    pub struct Consent {
        /// Signature. Required if the seat has keys.
        pub signed: Option<Signature>,
    }
}

request! {
    pub struct NewRevocation {
        /// Keys that may never sign for the seat again.
        pub keys: RevokedKeys,
        /// Signature by a key that is in force, or by a device linked to one.
        pub signed: Option<Signature>,
    }
}

request! {
    #[schema(example = json!({"expected_seq": 31, "to": 29}))]
    pub struct NewTakeback {
        /// Newest entry that the client has seen.
        pub expected_seq: u64,
        /// Entry to return to. The game continues from the position after it.
        pub to: u64,
        /// Signature. Required if the seat has keys.
        pub signed: Option<Signature>,
    }
}

/// An act of a player about its seat.
pub enum SeatAct {
    Plain(PlainAct, Option<Signature>),
    Revoke(Vec<SeatKey>, Option<Signature>),
    Takeback { expected_seq: u64, to: u64, signed: Option<Signature> },
}

impl SeatAct {
    pub fn plain(act: PlainAct, consent: Consent) -> Self {
        Self::Plain(act, consent.signed)
    }

    const fn signature(&self) -> Option<&Signature> {
        match self {
            Self::Plain(_, signed) | Self::Revoke(_, signed) | Self::Takeback { signed, .. } => {
                signed.as_ref()
            }
        }
    }

    fn body(&self, seat: Seat, signed: Option<Signed>) -> Body {
        let seat = seat.number().into();
        match self {
            Self::Plain(act, _) => Body::Act { act: *act, seat, signed },
            Self::Revoke(keys, _) => Body::Revoke { seat, keys: keys.clone(), signed },
            Self::Takeback { to, .. } => Body::Takeback { seat, to: *to, signed },
        }
    }
}

impl From<NewRevocation> for SeatAct {
    fn from(NewRevocation { keys, signed }: NewRevocation) -> Self {
        Self::Revoke(keys.list(), signed)
    }
}

impl From<NewTakeback> for SeatAct {
    fn from(NewTakeback { expected_seq, to, signed }: NewTakeback) -> Self {
        Self::Takeback { expected_seq, to, signed }
    }
}

impl Tables {
    pub(super) async fn act_on_seat(
        &self,
        uuid: Uuid,
        player: &Player,
        act: &SeatAct,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let (locked, seat) = self.seat_in_play(uuid, player).await?;
        let live = locked.game()?;
        // A new key signs its own `rekey` and needs no link to earlier keys.
        let signed = match act {
            SeatAct::Plain(PlainAct::Rekey, signed) => signed.as_ref().map(|signed| signed.get().clone()),
            _ => self.linked(live, player, seat, act.signature()).await?,
        };
        let body = act.body(seat, signed);
        if let SeatAct::Takeback { expected_seq, .. } = act
            && *expected_seq != live.game.seq()
        {
            return Err(ServiceError::StaleSeq { seq: live.game.seq() });
        }
        may_write(live, &body, self.clock.now())?;
        is_signed(live, &body)?;
        let mut change = self.begin(locked)?;
        let placed = change.add(&body)?;
        change = self.with_consequences(change).await?;
        if body.is_act(PlainAct::Rekey) {
            Box::pin(self.tell_of_rekey(player, &mut change, placed.seq)).await?;
        }
        self.commit_for(player, change, placed, claim).await
    }

    /// Notifies the player of a new key, through every channel.
    async fn tell_of_rekey(
        &self,
        player: &Player,
        change: &mut GameChange,
        seq: u64,
    ) -> Result<(), ServiceError> {
        self.notifier.know_hooks().await?;
        let (note, about) = (Note::rekey(change.live.facts.uuid), About::of(&change.live));
        let (place, now) = (format!("{}_{seq}", change.live.facts.uuid.simple()), self.clock.now());
        let letters = self.notifier.outbox.letters_of_note(
            player.key,
            &note,
            &place,
            Some(&about),
            now,
            notify::words::rekey,
        );
        change.asked.letters.join(letters);
        change.asked.notes.push((player.key, note));
        Ok(())
    }

    /// Returns a signature with the device statements that lead from a key in force to the signing one.
    pub(super) async fn linked(
        &self,
        live: &LiveGame,
        player: &Player,
        seat: Seat,
        signature: Option<&Signature>,
    ) -> Result<Option<Signed>, ServiceError> {
        let Some(signed) = signature.map(|signature| signature.get().clone()) else { return Ok(None) };
        let is_in_force =
            |sitting: &Sitting| sitting.keys.is_empty() || sitting.keys.find(&signed.key).is_some();
        if live.sitting(seat).is_none_or(is_in_force) {
            return Ok(Some(signed));
        }
        // Rare, so it is boxed: otherwise each request would reserve memory for it.
        Box::pin(self.with_statements(live, player, seat, signed)).await.map(Some)
    }

    async fn with_statements(
        &self,
        live: &LiveGame,
        player: &Player,
        seat: Seat,
        mut signed: Signed,
    ) -> Result<Signed, ServiceError> {
        let statements = self.reading.devices_of(player.key).await?;
        live.game.attach(seat.number().into(), &mut signed, &statements);
        Ok(signed)
    }

    pub(super) async fn seat_in_play(
        &self,
        uuid: Uuid,
        player: &Player,
    ) -> Result<(Locked, Seat), ServiceError> {
        let locked = self.act_if_due(self.games.visible(uuid, Some(player)).await?).await?;
        let seat = seat_in_play(locked.game()?, player)?;
        Ok((locked, seat))
    }
}

/// Fails unless the game accepts such an entry now, with a clearer text than the log's refusal.
pub fn may_write(live: &LiveGame, body: &Body, now: u64) -> Result<(), ServiceError> {
    let game = &live.game;
    let Some(number) = body.seat() else { return Ok(()) };
    let (Some(sitting), Some(seat)) = (game.standing.sitting(number), game.setting.seats.seat(number)) else {
        return Ok(());
    };
    let refused = match body {
        Body::Act { act, signed, .. } => refuses_act(live, *act, signed.as_ref(), seat, sitting),
        Body::Takeback { to, .. } => refuses_takeback(live, body, *to, seat, now),
        Body::Hand { .. } if !game.standing.terms.substitutes => {
            Some(ServiceError::NotAgreed(Term::Substitutes))
        }
        Body::Revoke { .. } if sitting.keys.is_empty() => Some(ServiceError::NoKeys),
        Body::Revoke { keys, .. } if keys.iter().all(|key| sitting.keys.is_revoked(key)) => {
            Some(ServiceError::ChangesNothing)
        }
        _ => None,
    };
    match refused {
        Some(refused) => Err(refused),
        None if is_limited(body) && sitting.others >= MOST_OTHERS => Err(ServiceError::TooManyEntries),
        None => Ok(()),
    }
}

fn refuses_act(
    live: &LiveGame,
    act: PlainAct,
    signed: Option<&Signed>,
    seat: Seat,
    sitting: &Sitting,
) -> Option<ServiceError> {
    let game = &live.game;
    let has_clock = game.standing.terms.clock.is_some();
    let is_autopilots = sitting.control == Control::Autopilot;
    let asks = game.clocks.asks(seat);
    match act {
        PlainAct::Resign => None,
        // With keys, a resumption also withdraws plans that the server may have kept.
        PlainAct::Resume if is_autopilots || !sitting.keys.is_empty() => None,
        PlainAct::Resume => Some(ServiceError::NotAutopilots),
        PlainAct::Rekey => {
            let before = sitting.keys.in_force();
            let is_same = before.len() == signed.map_or(0, |_| 1)
                && signed.is_none_or(|signed| before.first() == Some(&signed.key));
            is_same.then_some(ServiceError::ChangesNothing)
        }
        _ if !has_clock => Some(ServiceError::NotAgreed(Term::Clock)),
        _ if is_autopilots => Some(ServiceError::Autopilots),
        PlainAct::Pause => asks.then_some(ServiceError::AsksAlready),
        PlainAct::Continue => (!asks).then_some(ServiceError::AsksNot),
    }
}

fn refuses_takeback(live: &LiveGame, body: &Body, to: u64, seat: Seat, now: u64) -> Option<ServiceError> {
    let game = &live.game;
    let is_autopilots = game.sitting(seat).is_some_and(|sitting| sitting.control == Control::Autopilot);
    let reached = game.takebacks(seat);
    match () {
        () if !game.standing.terms.takebacks => Some(ServiceError::NotAgreed(Term::Takebacks)),
        () if is_autopilots => Some(ServiceError::Autopilots),
        () if game.clocks.is_paused() => Some(ServiceError::Paused),
        () if !reached.contains(&to) => Some(ServiceError::NothingToTakeBack),
        () if is_long(reached) => Some(ServiceError::TooManyEntries),
        () if game.judge(body, now.max(game.chain.at())).is_err() => Some(ServiceError::NothingToTakeBack),
        () => None,
    }
}

fn is_long(run: Range<u64>) -> bool {
    run.end - run.start >= LONGEST_RUN
}

/// Fails unless an entry that is no command has the required signature.
pub fn is_signed(live: &LiveGame, body: &Body) -> Result<(), ServiceError> {
    let game = live.facts.uuid.to_string();
    live.game.consent(&game, body)?.map_err(ServiceError::BadSignature)
}
