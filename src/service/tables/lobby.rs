//! Games before they start: create, join, leave, cancel, and reveal promised bytes.

use data_encoding::BASE64URL_NOPAD;
use uuid::Uuid;

use super::{
    Reply,
    new_table::{JoinRequest, NewTable},
};
use crate::{
    engine::{Format, Malformed, Seat, Text, hash::Bytes32, malformed::no_seat},
    ledger::{
        consent::check_claim,
        entry::{Body, Genesis, Holder, Join},
        game::{Dealer, Game},
        message::Seating,
        replay::written,
        seed::entropy_commitment,
        signed::Claim,
        standing::Sitting,
    },
    service::{
        DAY, Limits, ServiceError, Tables,
        games::{
            LiveGame, Locked, Player,
            access::{open, seat_of},
            server_seed,
        },
        request::SeatClaim,
    },
    store::{GameFacts, GameKey, NewClaim, PlayerKey},
    words::{Share, Status, Visibility},
};

/// The origin of a table.
pub struct Origin {
    /// The creator's seat.
    pub seat: u64,
    pub rematch_of: Option<GameKey>,
}

impl Tables {
    pub(super) async fn create_game(
        &self,
        player: &Player,
        new: &NewTable,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let origin = Origin { seat: new.seat, rematch_of: None };
        self.open_table(player, new, origin, claim).await
    }

    /// Opens a table, where the player takes a seat.
    pub(super) async fn open_table(
        &self,
        player: &Player,
        new: &NewTable,
        origin: Origin,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        self.has_room(player).await?;
        self.may_begin(player).await?;
        let facts = GameFacts { rematch_of: origin.rematch_of, ..self.facts(player, new)? };
        let genesis = genesis(&facts, new);
        let slot = self.games.reserve(facts.uuid).await;
        if new.id.is_some() {
            self.is_new_id(facts.uuid).await?;
        }
        let game = Game::open(&genesis, Dealer::Seed(server_seed(&facts)))?;
        let genesis = Body::Genesis(Box::new(genesis));
        let mut live = LiveGame::new(facts, game);
        live.people.introduce(player);
        let mut change = self.begin_with(Box::new(live), slot);
        change.add(&genesis)?;
        let join = join(&change.live, origin.seat, player, new.signed.as_ref(), new.promise)?;
        let placed = change.add(&join)?;
        if !new.machines.is_empty() {
            new.machines
                .iter()
                .try_for_each(|(seat, level)| self.seat_bot(&mut change, *seat, *level).map(|_| ()))?;
            change = self.with_consequences(change).await?;
        }
        if let (Some(before), Some(previous)) = (origin.rematch_of, &new.terms.previous) {
            change.asked = self.asked_again(before, &previous.game, &change.live, player).await?;
        }
        self.commit_for(player, change, placed, claim).await
    }

    /// Fails unless the client may use this id for a new game.
    async fn is_new_id(&self, id: Uuid) -> Result<(), ServiceError> {
        let made_at = id.get_timestamp().map(|at| at.to_unix()).unwrap_or_default();
        let made_at = made_at.0.saturating_mul(1_000).saturating_add(u64::from(made_at.1 / 1_000_000));
        if made_at.abs_diff(self.clock.now()) > DAY {
            let (en, it) = ("must have been made within a day", "dev'essere stato creato entro un giorno");
            return Err(Malformed::new("id", Text::new(en, it)).into());
        }
        if self.store.game_key(id).await?.is_some() { Err(ServiceError::GameExists) } else { Ok(()) }
    }

    fn facts(&self, player: &Player, new: &NewTable) -> Result<GameFacts, ServiceError> {
        let invite = match new.visibility {
            Visibility::Public => None,
            _ => Some(BASE64URL_NOPAD.encode(&self.entropy.bytes()?[..15])),
        };
        Ok(GameFacts {
            key: self.store.new_game_key(),
            uuid: new.id.unwrap_or_else(crate::id::fresh),
            creator: player.key,
            ruleset: new.setting.ruleset.name().to_owned(),
            version: new.setting.ruleset.version(),
            seats: new.setting.seats.count(),
            options: written(&new.setting.options)?.to_string(),
            title: new.title.clone(),
            visibility: new.visibility,
            invite,
            move_seconds: new.terms.clock.map(|clock| clock.move_seconds),
            bank_seconds: new.terms.clock.map_or(0, |clock| clock.bank_seconds),
            takebacks: new.terms.takebacks,
            substitutes: new.terms.substitutes,
            rated: new.terms.rated,
            format: Format::default().number(),
            server_seed: self.entropy.bytes()?,
            created_at: self.clock.now(),
            rematch_of: None,
        })
    }

    /// Fails if the player may not create another game. A game may grow beyond what its creator sends, since
    /// it is played out after everyone has left.
    async fn may_begin(&self, player: &Player) -> Result<(), ServiceError> {
        let Limits { games_a_day: most, min_free_bytes, .. } = *self.limits;
        if self.store.free_bytes().is_some_and(|free| free < min_free_bytes) {
            return Err(ServiceError::DiskNearlyFull);
        }
        let since = self.clock.now().saturating_sub(DAY);
        if most > 0 && self.store.games_begun(player.key, since, most).await? >= most {
            return Err(ServiceError::TooManyBegun(most));
        }
        Ok(())
    }

    /// Fails if the player has too many games.
    pub(super) async fn has_room(&self, player: &Player) -> Result<(), ServiceError> {
        let most = self.limits.games_of_player;
        if self.store.active_games(player.key).await? >= most {
            return Err(ServiceError::TooManyGames(most));
        }
        Ok(())
    }

    pub(super) async fn join(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: &JoinRequest,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let locked = self.games.lock(uuid).await?;
        let live = locked.game()?;
        invited(live, player, sent)?;
        if live.seat_of(player).is_none() {
            self.admits(live, player).await?;
        }
        if live.game.status() == Status::Running && live.game.standing.terms.substitutes {
            return self.take_over(locked, player, sent, claim).await;
        }
        let seat = self.may_join(live, player, sent).await?;
        let mut change = self.begin(locked)?;
        change.live.people.introduce(player);
        let placed = match join(&change.live, seat, player, sent.signed.as_ref(), sent.entropy_commit) {
            Ok(body) => change.add(&body)?,
            Err(error) => return Err(change.refused(error)),
        };
        change = self.with_consequences(change).await?;
        self.commit_for(player, change, placed, claim).await
    }

    /// Returns the requested seat, or the lowest free one, if the player may take it.
    async fn may_join(
        &self,
        live: &LiveGame,
        player: &Player,
        sent: &JoinRequest,
    ) -> Result<u64, ServiceError> {
        open(live)?;
        if sent.signed.is_some() && sent.seat.is_none() {
            let (en, it) = ("is required with `signed`", "è obbligatorio con `signed`");
            return Err(Malformed::new("seat", Text::new(en, it)).into());
        }
        if live.game.chain.next_seq() >= self.limits.lobby_entries {
            return Err(ServiceError::TooManyChanges);
        }
        // A copied promise adds no randomness and would count as a second contributor.
        if sent.entropy_commit.is_some_and(|promise| live.game.standing.promises.contains(&promise)) {
            return Err(ServiceError::PromiseCopied);
        }
        self.has_room(player).await?;
        if let Some(before) = live.facts.rematch_of {
            // The seats of a rematch are kept for the players of the game before.
            let kept = self.seat_in_rematch(before, player, live.facts.seats).await?;
            let kept = kept.ok_or(ServiceError::SeatsKept)?;
            return if sent.seat.is_none_or(|wanted| wanted == kept) {
                Ok(kept)
            } else {
                Err(ServiceError::SeatsKept)
            };
        }
        free_seat(live, sent.seat).map(|seat| seat.number().into())
    }

    /// Fails if the player who opened the table, or who is its host, has blocked this player.
    async fn admits(&self, live: &LiveGame, player: &Player) -> Result<(), ServiceError> {
        let blockers = self.store.blockers(player.key).await?;
        let host = live.host().and_then(|seat| live.player_at(seat));
        let has_blocked = |owner: PlayerKey| blockers.contains(&owner);
        if has_blocked(live.facts.creator) || host.is_some_and(has_blocked) {
            return Err(ServiceError::CannotJoin);
        }
        Ok(())
    }

    pub(super) async fn leave(
        &self,
        uuid: Uuid,
        player: &Player,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let locked = self.act_if_due(self.games.visible(uuid, Some(player)).await?).await?;
        let live = locked.game()?;
        let seat = seat_of(live, player)?;
        // A player without an unrevealed promise may leave a sealed table, which voids it.
        let owes = live.sitting(seat).is_some_and(|sitting| sitting.share() == Share::Promised);
        let body = match live.game.status() {
            Status::Sealed if !owes => Body::void(),
            Status::Sealed => return Err(ServiceError::StillOwes),
            Status::Open => Body::Leave { seat: seat.number().into() },
            other => return Err(ServiceError::NotOpen(other)),
        };
        let mut change = self.begin(locked)?;
        let placed = change.add(&body)?;
        change = self.with_consequences(change).await?;
        self.commit_for(player, change, placed, claim).await
    }

    pub(super) async fn call_off(
        &self,
        uuid: Uuid,
        player: &Player,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let locked = self.hosted(uuid, player).await?;
        let mut change = self.begin(locked)?;
        let placed = change.add(&Body::void())?;
        self.commit_for(player, change, placed, claim).await
    }

    pub(super) async fn reveal(
        &self,
        uuid: Uuid,
        player: &Player,
        entropy: Bytes32,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let locked = self.act_if_due(self.games.visible(uuid, Some(player)).await?).await?;
        let live = locked.game()?;
        let seat = seat_of(live, player)?;
        if live.game.status() != Status::Sealed {
            return Err(ServiceError::NotSealed(live.game.status()));
        }
        let promise = match live.sitting(seat) {
            Some(Sitting { promise: Some(promise), revealed: None, .. }) => *promise,
            _ => return Err(ServiceError::NothingPromised),
        };
        if entropy_commitment(&entropy) != promise {
            return Err(ServiceError::WrongEntropy);
        }
        let mut change = self.begin(locked)?;
        let placed = change.add(&Body::Reveal { seat: seat.number().into(), entropy })?;
        change = self.with_consequences(change).await?;
        self.commit_for(player, change, placed, claim).await
    }
}

impl Tables {
    /// Locks an open table for its host.
    pub(super) async fn hosted(&self, uuid: Uuid, player: &Player) -> Result<Locked, ServiceError> {
        let locked = self.games.visible(uuid, Some(player)).await?;
        let live = locked.game()?;
        let seat = live.seat_of(player);
        if seat.is_none() || seat != live.host() {
            return Err(ServiceError::NotHost);
        }
        open(live)?;
        Ok(locked)
    }
}

/// Returns the requested seat if it is free, or the lowest free one.
pub(super) fn free_seat(live: &LiveGame, wanted: Option<u64>) -> Result<Seat, ServiceError> {
    let seats = live.game.setting.seats;
    let is_free = |seat: &Seat| live.sitting(*seat).is_none();
    let seat = match wanted {
        None => seats.iter().find(is_free),
        Some(number) => {
            let seat = seats.seat(number).ok_or_else(|| Malformed::new("seat", no_seat()))?;
            Some(seat).filter(is_free)
        }
    };
    seat.ok_or(ServiceError::SeatTaken)
}

/// Fails unless a player without a seat may join this table.
fn invited(live: &LiveGame, player: &Player, sent: &JoinRequest) -> Result<(), ServiceError> {
    let seated = live.seat_of(player).is_some();
    let invited =
        seated || live.facts.invite.as_deref().is_none_or(|right| Some(right) == sent.invite.as_deref());
    match (invited, live.facts.visibility) {
        (false, Visibility::Private) => Err(ServiceError::NoGame),
        (false, _) => Err(ServiceError::WrongInvite),
        (true, _) if seated => Err(ServiceError::AlreadySeated),
        (true, _) => Ok(()),
    }
}

/// Decides the entry by which a player takes a seat.
fn join(
    live: &LiveGame,
    seat: u64,
    player: &Player,
    signed: Option<&SeatClaim>,
    commit: Option<Bytes32>,
) -> Result<Body, ServiceError> {
    let claim = signed.map(SeatClaim::get);
    check_seating(live, seat, Seating::Join { player: &player.id, commit: commit.as_ref() }, claim)?;
    let holder = Holder::person(player.id.to_string());
    Ok(Body::Join(Join { seat, holder, commit, signed: claim.cloned() }))
}

/// Fails unless the signature of a new player is valid and its key new in this game.
pub(super) fn check_seating(
    live: &LiveGame,
    seat: u64,
    seating: Seating,
    claim: Option<&Claim>,
) -> Result<(), ServiceError> {
    if claim.is_some_and(|claim| live.game.standing.nonces.contains(&claim.nonce)) {
        return Err(ServiceError::NonceUsed);
    }
    let game = live.facts.uuid.to_string();
    check_claim(&live.game, (&game, seat), seating, claim)?.map_err(ServiceError::BadSignature)
}

fn genesis(facts: &GameFacts, new: &NewTable) -> Genesis {
    Genesis {
        format: Format::default(),
        game: facts.uuid.to_string(),
        commit: server_seed(facts).commitment(),
        terms: new.terms.clone(),
    }
}
