//! Games before they start: created, joined, left, called off; and promised bytes revealed.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use uuid::Uuid;

use super::{
    Player, Service, ServiceError, Written,
    access::{open, seat_of},
    draft::{Draft, Placed, to_value},
    game::{Game, Sitting},
    lives::Locked,
    new_table::{Join, NewTable},
    once::Turn,
    resource::GameView,
};
use crate::{
    engine::hash::Bytes32,
    ledger::{
        entry::{Body, Genesis},
        replay::Setting,
        seed::{ServerSeed, entropy_commitment},
    },
    store::{Change, Control, Entropy, GameRow, NewGame, Status, Visibility},
};

impl Service {
    pub async fn create_game(
        &self,
        player: &Player,
        new: NewTable,
        turn: Option<&Turn<'_>>,
    ) -> Result<Written, ServiceError> {
        self.has_room(player)?;
        let (row, added) = self.new_row(player, &new)?;
        let place = self.reserve(row.uuid).await;
        let mut game = Box::new(Game::new(row, new.setting));
        let mut draft = self.draft(&mut game);
        let genesis = genesis(draft.game)?;
        draft.note(Change::AddGame(Box::new(added)));
        draft.add(&genesis)?;
        let placed = draft.join(0, sitting(player, new.promise))?;
        let (write, bulletin) = draft.finish();
        let answer = Written::of(&self.with_receipt(&game, player, placed))?;
        self.publish(answer.kept_with(write, turn), bulletin, place, game).await?;
        Ok(answer)
    }

    fn new_row(&self, player: &Player, new: &NewTable) -> Result<(GameRow, NewGame), ServiceError> {
        let invite = match new.visibility {
            Visibility::Public => None,
            _ => Some(URL_SAFE_NO_PAD.encode(&self.entropy.bytes()?[..15])),
        };
        let options = to_value(&new.setting.options)?.to_string();
        let added = NewGame {
            key: self.store.new_game_key(),
            uuid: Uuid::now_v7(),
            creator: player.key,
            ruleset: new.setting.ruleset.name().to_owned(),
            version: new.setting.ruleset.version(),
            seats: new.setting.seats.count(),
            options,
            title: new.title.clone(),
            visibility: new.visibility,
            invite,
            move_seconds: new.move_seconds,
            server_seed: self.entropy.bytes()?,
            created_at: self.clock.now(),
        };
        Ok((added.row(), added))
    }

    /// Whether the player may sit at one more game.
    fn has_room(&self, player: &Player) -> Result<(), ServiceError> {
        let most = self.limits.games_of_player;
        if self.store.active_games(player.key)? >= most {
            return Err(ServiceError::TooManyGames(most));
        }
        Ok(())
    }

    pub async fn game(&self, uuid: Uuid, caller: Option<&Player>) -> Result<GameView, ServiceError> {
        let locked = self.visible(uuid, caller).await?;
        let game = locked.game()?;
        let mut view = GameView::of(game, caller);
        if game.row.status == Status::Sealed
            && caller.is_some_and(|player| game.seat_of(player.key).is_some())
        {
            view.seal_receipt =
                Some(self.signer.sign(&game.receipt(Placed { seq: game.seq(), head: *game.chain.head() })));
        }
        Ok(view)
    }

    pub async fn join(
        &self,
        uuid: Uuid,
        player: &Player,
        join: Join,
        turn: Option<&Turn<'_>>,
    ) -> Result<Written, ServiceError> {
        let locked = self.lock(uuid).await?;
        let game = locked.game()?;
        let seat = self.may_join(game, player, join.invite.as_deref())?;
        self.change(locked, player, turn, |draft| {
            let placed = draft.join(seat, sitting(player, join.promise))?;
            draft.seal_if_full()?;
            Ok(placed)
        })
        .await
    }

    /// The lowest free seat, for a player who may take it.
    fn may_join(&self, game: &Game, player: &Player, invite: Option<&str>) -> Result<u8, ServiceError> {
        let seated = game.seat_of(player.key).is_some();
        let invited = seated || game.row.invite.as_deref().is_none_or(|right| Some(right) == invite);
        match (invited, game.row.visibility) {
            (false, Visibility::Private) => return Err(ServiceError::NoGame),
            (false, _) => return Err(ServiceError::WrongInvite),
            (true, _) => {}
        }
        if seated {
            return Err(ServiceError::AlreadySeated);
        }
        open(game)?;
        if game.chain.next_seq() >= self.limits.lobby_entries {
            return Err(ServiceError::LobbyWornOut);
        }
        self.has_room(player)?;
        let free = game.seats.iter().position(Option::is_none).and_then(|place| u8::try_from(place).ok());
        free.ok_or(ServiceError::NotOpen(Status::Sealed.word()))
    }

    pub async fn leave(&self, uuid: Uuid, player: &Player) -> Result<Written, ServiceError> {
        let locked = self.visible(uuid, Some(player)).await?;
        let game = locked.game()?;
        let seat = seat_of(game, player)?;
        open(game)?;
        self.change(locked, player, None, |draft| {
            let key = draft.game.row.key;
            draft.note(Change::FreeSeat { game: key, seat: seat.number() });
            draft.game.seats[usize::from(seat.number())] = None;
            let placed = draft.add(&Body::Leave { seat: seat.number().into() })?;
            if draft.game.seats.iter().all(Option::is_none) {
                draft.make_void()?;
            }
            Ok(placed)
        })
        .await
    }

    pub async fn call_off(&self, uuid: Uuid, player: &Player) -> Result<Written, ServiceError> {
        let locked = self.visible(uuid, Some(player)).await?;
        let game = locked.game()?;
        if game.row.creator != player.key {
            return Err(ServiceError::NotCreator);
        }
        open(game)?;
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the method is not general over the lifetime"
        )]
        self.change(locked, player, None, |draft| draft.make_void()).await
    }

    /// Makes games void that have waited for players too long, and says how many. What fails is met again the next time,
    /// and the last failure is told.
    pub async fn close_forgotten(&self) -> Result<u32, ServiceError> {
        const AT_ONCE: u32 = 100;
        let before = self.clock.now().saturating_sub(self.limits.open_for);
        let mut done = Ok(0);
        for uuid in self.store.open_since_before(before, AT_ONCE)? {
            done = self.close(uuid).await.and_then(|closed| done.map(|before| before + u32::from(closed)));
        }
        done
    }

    /// Makes a game void, if it is still open.
    async fn close(&self, uuid: Uuid) -> Result<bool, ServiceError> {
        let locked = self.lock(uuid).await?;
        if open(locked.game()?).is_err() {
            return Ok(false);
        }
        #[expect(clippy::redundant_closure_for_method_calls, reason = "not general over the lifetime")]
        self.commit(locked, None, |draft| draft.make_void(), |_, _| ()).await.map(|_| true)
    }

    pub async fn reveal(
        &self,
        uuid: Uuid,
        player: &Player,
        entropy: Bytes32,
        turn: Option<&Turn<'_>>,
    ) -> Result<Written, ServiceError> {
        let locked = self.act_if_due(self.visible(uuid, Some(player)).await?).await?;
        let game = locked.game()?;
        let seat = seat_of(game, player)?;
        if game.row.status != Status::Sealed {
            return Err(ServiceError::NotSealed(game.row.status.word()));
        }
        let promise = match game.sitting(seat) {
            Some(Sitting { promise: Some(promise), revealed: None, .. }) => *promise,
            _ => return Err(ServiceError::NothingPromised),
        };
        if entropy_commitment(&entropy) != promise {
            return Err(ServiceError::WrongEntropy);
        }
        self.change(locked, player, turn, |draft| {
            let (key, number) = (draft.game.row.key, seat.number());
            if let Some(sitting) = &mut draft.game.seats[usize::from(number)] {
                sitting.revealed = Some(entropy);
            }
            draft.note(Change::SetEntropy { game: key, seat: number, entropy: Entropy::Revealed });
            let placed = draft.add(&Body::Reveal { seat: number.into(), entropy })?;
            draft.start_if_revealed()?;
            Ok(placed)
        })
        .await
    }

    pub(super) async fn change(
        &self,
        locked: Locked,
        player: &Player,
        turn: Option<&Turn<'_>>,
        act: impl FnOnce(&mut Draft) -> Result<Placed, ServiceError>,
    ) -> Result<Written, ServiceError> {
        self.commit(locked, turn, act, |game, placed| self.with_receipt(game, player, placed)).await
    }
}

fn genesis(game: &Game) -> Result<Body, ServiceError> {
    let Setting { ruleset, options, seats } = &game.setting;
    Ok(Body::Genesis(Genesis {
        game: game.row.uuid.to_string(),
        ruleset: ruleset.name().to_owned(),
        version: ruleset.version().into(),
        options: to_value(options)?,
        seats: seats.count().into(),
        commit: ServerSeed::new(game.row.server_seed).commitment(),
    }))
}

fn sitting(player: &Player, promise: Option<Bytes32>) -> Sitting {
    Sitting {
        player: player.key,
        uuid: player.uuid,
        name: player.name.clone(),
        control: Control::Player,
        resigned: false,
        promise,
        revealed: None,
        timeouts: 0,
    }
}
