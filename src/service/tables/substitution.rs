//! Seats that go to another player: offered by their own, requested by code and handed over, or open to
//! anyone after their player has left.

use data_encoding::BASE64URL_NOPAD;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::{
    Reply,
    lobby::check_seating,
    new_table::JoinRequest,
    seat_control::{is_signed, may_write},
};
use crate::{
    engine::Seat,
    ledger::{
        entry::{Body, Holder},
        message::Seating,
        signed::{Claim, Signed},
        standing::{Control, Sitting},
    },
    service::{
        ServiceError, Tables,
        error::Term,
        feed::Note,
        games::{
            LiveGame, Locked, Player,
            access::{running, seat_in_play},
        },
        notify::{self, About},
        reading::game_view::SeatedPlayer,
        request::{SeatClaim, Signature, request},
    },
    store::{Change, KnownPlayer, NewClaim, SubstitutionChange, SubstitutionRow, Write},
};

/// An offer of a seat to another player.
#[derive(Serialize)]
#[wire]
pub struct Substitution {
    pub seat: Seat,
    /// Code that a substitute sends as `invite` to `POST /v1/games/{id}/seats`. Anyone who has it may ask
    /// for the seat. `null` if the seat is not offered.
    pub code: Option<String>,
    /// Player who asked for the seat, and its signature. The current player signs this. `null` until
    /// someone asks.
    pub asked: Option<Asked>,
}

#[derive(Serialize)]
#[wire]
pub struct Asked {
    pub player: SeatedPlayer,
    /// The signature with which the player takes the seat, exactly as it is signed. `null` without a key.
    #[schema(value_type = Option<SeatClaim>)]
    pub taken: Option<Value>,
}

/// The request for a seat was recorded and its player was notified.
#[derive(Serialize)]
#[wire]
pub struct AskedFor {
    #[schema(format = Uuid)]
    pub game: String,
    pub seat: Seat,
}

request! {
    pub struct Acceptance {
        /// Player who gets the seat, as in `asked` of the offer.
        #[schema(value_type = String, format = Uuid)]
        pub player: Uuid,
        /// Signature. Required if the seat has keys.
        pub signed: Option<Signature>,
    }
}

/// Start of the code of a substitution. An invite code has no dot.
const CODE: &str = "s.";

/// Returns whether an invite is the code of a substitution.
pub fn is_substitution(code: &str) -> bool {
    code.starts_with(CODE)
}

impl Substitution {
    fn of(row: &SubstitutionRow, seat: Seat) -> Self {
        let asked = row.asker.map(|(_, id)| Asked {
            player: SeatedPlayer::new(id.to_string(), row.asker_name.clone(), row.asker_nature),
            taken: claim_of(row).as_ref().map(Claim::write),
        });
        Self { seat, code: Some(row.code.clone()), asked }
    }
}

/// Returns the signature of the player who asks for a seat.
fn claim_of(row: &SubstitutionRow) -> Option<Claim> {
    let written: Value = serde_json::from_str(row.taken.as_deref()?).ok()?;
    Claim::of(&written, "taken".to_owned()).ok()
}

impl Tables {
    /// Offers the caller's seat. Replaces an earlier offer.
    pub async fn offer_seat(&self, uuid: Uuid, player: &Player) -> Result<Substitution, ServiceError> {
        let (locked, seat) = self.seat_in_play(uuid, player).await?;
        let live = locked.game()?;
        may_substitute(live)?;
        let code = format!("{CODE}{}", BASE64URL_NOPAD.encode(&self.entropy.bytes()?[..15]));
        let (id, game) = (crate::id::fresh(), live.facts.key);
        let offer = SubstitutionChange::Offer {
            game,
            seat: seat.number(),
            player: player.key,
            id,
            code: code.clone(),
        };
        self.store.write(Write::of(Change::Substitution(offer))).await?;
        Ok(Substitution { seat, code: Some(code), asked: None })
    }

    /// Returns the offer of the caller's seat.
    pub async fn seat_offer(&self, uuid: Uuid, player: &Player) -> Result<Substitution, ServiceError> {
        let locked = self.games.visible(uuid, Some(player)).await?;
        let live = locked.game()?;
        let seat = seat_in_play(live, player)?;
        let row = self.store.substitution(live.facts.key, seat.number()).await?;
        let own = row.filter(|row| row.player == player.key);
        Ok(own.map_or(Substitution { seat, code: None, asked: None }, |own| Substitution::of(&own, seat)))
    }

    pub async fn withdraw_seat(&self, uuid: Uuid, player: &Player) -> Result<(), ServiceError> {
        let (locked, seat, _) = self.offered(uuid, player).await?;
        let game = locked.game()?.facts.key;
        let withdraw = SubstitutionChange::Withdraw { game, seat: seat.number() };
        Ok(self.store.write(Write::of(Change::Substitution(withdraw))).await?)
    }

    async fn offered(
        &self,
        uuid: Uuid,
        player: &Player,
    ) -> Result<(Locked, Seat, SubstitutionRow), ServiceError> {
        let (locked, seat) = self.seat_in_play(uuid, player).await?;
        let row = self.store.substitution(locked.game()?.facts.key, seat.number()).await?;
        let row = row.filter(|row| row.player == player.key).ok_or(ServiceError::NotFound)?;
        Ok((locked, seat, row))
    }

    /// Asks for an offered seat, and notifies its player. The first request wins, so an agreement that was
    /// meant for one player never serves another.
    pub async fn ask_for_seat(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: &JoinRequest,
    ) -> Result<AskedFor, ServiceError> {
        let code = sent.invite.as_deref().unwrap_or_default();
        let offer = self.store.substitution_by_code(code).await?.filter(|offer| offer.game == uuid);
        let offer = offer.ok_or(ServiceError::WrongInvite)?;
        let locked = self.games.lock(offer.game).await?;
        let live = locked.game()?;
        running(live)?;
        if live.seat_of(player).is_some() {
            return Err(ServiceError::AlreadySeated);
        }
        if self.store.blockers(player.key).await?.contains(&offer.player) {
            return Err(ServiceError::CannotJoin);
        }
        self.has_room(player).await?;
        let before = offer.asker.map(|(asker, _)| asker);
        if before.is_some_and(|asker| asker != player.key) && offer.asker_name.is_some() {
            return Err(ServiceError::AskedForAlready);
        }
        let seat = live.game.setting.seats.seat(offer.seat.into()).ok_or(ServiceError::NoSuchSeat)?;
        if sent.seat.is_some_and(|wanted| wanted != u64::from(offer.seat)) {
            return Err(ServiceError::SeatTaken);
        }
        let claim = sent.signed.as_ref().map(SeatClaim::get);
        check_seating(live, offer.seat.into(), Seating::Hand { player: &player.id }, claim)?;
        let taken = claim.map(|claim| claim.write().to_string());
        let ask = SubstitutionChange::Ask { id: offer.id, asker: player.key, taken, before };
        let note = Note::substitution(offer.game, seat, &player.id);
        let (place, about) = (format!("{}_{}", offer.id.simple(), player.id), About::of(live));
        let words = |lang| notify::words::substitution(lang, player);
        let mut letters = self.notifier.outbox.letters_of_note(
            offer.player,
            &note,
            &place,
            Some(&about),
            self.clock.now(),
            words,
        );
        self.store.write(Write::of(Change::Substitution(ask)).and(letters.take())).await?;
        self.feed.hub.note(offer.player, &note);
        self.notifier.outbox.send(&letters);
        Ok(AskedFor { game: offer.game.to_string(), seat })
    }

    /// Hands the caller's seat to the player who asked for it.
    pub(super) async fn accept_substitute(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: &Acceptance,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let (locked, seat, row) = self.offered(uuid, player).await?;
        let signed = self.linked(locked.game()?, player, seat, sent.signed.as_ref()).await?;
        let asker = row.asker.map(|(_, asker)| asker).filter(|asker| *asker == sent.player);
        let asker = asker.ok_or(ServiceError::NobodyAsked)?;
        let is_welcome =
            |known: &KnownPlayer| known.name.is_some() && known.ban_at(self.clock.now()).is_none();
        let successor = self.store.known_player(asker).await?.filter(is_welcome);
        let successor = Player::from(successor.ok_or(ServiceError::NobodyAsked)?);
        // The successor may have joined other games since.
        self.has_room(&successor).await.map_err(|error| match error {
            ServiceError::TooManyGames(_) => ServiceError::AskerHasNoRoom,
            other => other,
        })?;
        let handed = Handed { seat, taken: claim_of(&row), signed };
        self.hand(locked, handed, (player, &successor), claim).await
    }

    /// Takes the seat of a player who has resigned or is long gone.
    pub(super) async fn take_over(
        &self,
        locked: Locked,
        player: &Player,
        sent: &JoinRequest,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let locked = self.act_if_due(locked).await?;
        let live = locked.game()?;
        running(live)?;
        let is_open = |seat: &Seat| live.sitting(*seat).is_some_and(is_open);
        let wanted = |seat: &Seat| sent.seat.is_none_or(|wanted| wanted == u64::from(seat.number()));
        let seat = live.game.setting.seats.iter().filter(wanted).find(is_open);
        let seat = seat.ok_or(ServiceError::NotOpen(live.game.status()))?;
        self.has_room(player).await?;
        let taken = sent.signed.as_ref().map(|claim| claim.get().clone());
        self.hand(locked, Handed { seat, taken, signed: None }, (player, player), claim).await
    }

    async fn hand(
        &self,
        locked: Locked,
        Handed { seat, taken, signed }: Handed,
        (caller, successor): (&Player, &Player),
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let live = locked.game()?;
        may_substitute(live)?;
        if live.seat_of(successor).is_some() {
            return Err(ServiceError::AlreadySeated);
        }
        let number = u64::from(seat.number());
        check_seating(live, number, Seating::Hand { player: &successor.id }, taken.as_ref())?;
        let holder = Holder::person(&*successor.id);
        let body = Body::Hand { seat: number, holder, taken, signed };
        may_write(live, &body, self.clock.now())?;
        is_signed(live, &body)?;
        let mut change = self.begin(locked)?;
        change.live.people.introduce(successor);
        let placed = change.add(&body)?;
        change.withdraw_offer(seat);
        change = self.with_consequences(change).await?;
        self.commit_for(caller, change, placed, claim).await
    }
}

/// A seat that goes to another player, with both signatures.
struct Handed {
    seat: Seat,
    taken: Option<Claim>,
    signed: Option<Signed>,
}

/// Returns whether anyone may take the seat, at a table with substitutes.
fn is_open(sitting: &Sitting) -> bool {
    sitting.control == Control::Resigned || sitting.is_long_away()
}

fn may_substitute(live: &LiveGame) -> Result<(), ServiceError> {
    if live.game.standing.terms.substitutes {
        Ok(())
    } else {
        Err(ServiceError::NotAgreed(Term::Substitutes))
    }
}
