//! Games before they start: created, listed, joined, left, called off; and promised bytes revealed.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::{
    Player, Service, ServiceError,
    access::{open, seat_of},
    game::{Draft, Game, Placed, Sitting, to_value},
    lives::Locked,
    once::Turn,
    page::Page,
    resource::{GameView, GameWithReceipt},
};
use crate::{
    engine::{Fields, Malformed, Seats, tagged::Bytes32},
    ledger::{
        body::{Body, Genesis, Op},
        encoding::unhex,
        playback::Setting,
        seed::{ServerSeed, entropy_commitment},
    },
    rulesets::RulesetId,
    store::{Change, Control, Entropy, GameFilter, GameRow, NewGame, Status, Visibility},
};

const LONGEST_TITLE: usize = 100;
const LONGEST_MOVE: u64 = 2_592_000;

/// A game to be created.
pub struct NewTable {
    setting: Setting,
    title: Option<String>,
    visibility: Visibility,
    move_seconds: Option<u32>,
    promise: Option<Bytes32>,
}

/// A seat to be taken.
pub struct Join {
    invite: Option<String>,
    promise: Option<Bytes32>,
}

/// Which games to list.
#[derive(Default)]
pub struct Listing {
    pub status: Option<Status>,
    pub ruleset: Option<String>,
    pub player: Option<Uuid>,
    pub cursor: Option<String>,
    pub limit: u32,
}

impl NewTable {
    pub fn read(request: &Value) -> Result<Self, Malformed> {
        let mut fields = Fields::of(request, "")?;
        let ruleset = RulesetId::current(fields.text("ruleset")?)
            .ok_or_else(|| fields.wrong("ruleset", "is not a ruleset of this server"))?;
        let seats =
            Seats::new(fields.whole("seats")?).filter(|seats| ruleset.seats().contains(&seats.count()));
        let seats =
            seats.ok_or_else(|| fields.wrong("seats", "is not a size of table that this ruleset has"))?;
        let none = Value::Object(serde_json::Map::new());
        let options = ruleset.read_options(fields.get("options").unwrap_or(&none), seats)?;
        let table = Self {
            setting: Setting { ruleset, options, seats },
            title: read_title(&mut fields)?,
            visibility: read_visibility(&mut fields)?,
            move_seconds: read_clock(&mut fields)?,
            promise: read_promise(&mut fields)?,
        };
        fields.end()?;
        Ok(table)
    }
}

impl Join {
    pub fn read(request: &Value) -> Result<Self, Malformed> {
        let mut fields = Fields::of(request, "")?;
        let invite = match fields.get("invite") {
            None | Some(Value::Null) => None,
            Some(_) => Some(fields.text("invite")?.to_owned()),
        };
        let promise = read_promise(&mut fields)?;
        fields.end()?;
        Ok(Self { invite, promise })
    }
}

fn read_title(fields: &mut Fields) -> Result<Option<String>, Malformed> {
    if matches!(fields.get("title"), None | Some(Value::Null)) {
        return Ok(None);
    }
    let title = fields.text("title")?.trim();
    if title.chars().count() > LONGEST_TITLE || title.chars().any(char::is_control) {
        return Err(fields.wrong("title", "must have at most 100 characters, and no control characters"));
    }
    Ok(Some(title.to_owned()).filter(|title| !title.is_empty()))
}

fn read_visibility(fields: &mut Fields) -> Result<Visibility, Malformed> {
    if fields.get("visibility").is_none() {
        return Ok(Visibility::Public);
    }
    let word = fields.text("visibility")?;
    Visibility::from_word(word)
        .ok_or_else(|| fields.wrong("visibility", "must be `public`, `unlisted` or `private`"))
}

fn read_clock(fields: &mut Fields) -> Result<Option<u32>, Malformed> {
    let clock = match fields.get("clock") {
        None | Some(Value::Null) => return Ok(None),
        Some(clock) => clock,
    };
    let mut inner = Fields::of(clock, fields.place("clock"))?;
    let seconds = inner.whole("move_seconds")?;
    if !(1..=LONGEST_MOVE).contains(&seconds) {
        return Err(inner.wrong("move_seconds", "must be from 1 to 2,592,000"));
    }
    inner.end()?;
    Ok(u32::try_from(seconds).ok())
}

fn read_promise(fields: &mut Fields) -> Result<Option<Bytes32>, Malformed> {
    match fields.get("entropy_commit") {
        None | Some(Value::Null) => Ok(None),
        Some(_) => read_bytes(fields, "entropy_commit").map(Some),
    }
}

/// 32 bytes in hex.
pub fn read_bytes(fields: &mut Fields, field: &'static str) -> Result<Bytes32, Malformed> {
    unhex(fields.text(field)?).ok_or_else(|| fields.wrong(field, "must be 64 lowercase hex digits"))
}

impl Service {
    pub async fn create_game(
        &self,
        player: &Player,
        new: NewTable,
        turn: Option<&Turn<'_>>,
    ) -> Result<GameWithReceipt, ServiceError> {
        self.has_room(player)?;
        let (row, added) = self.new_row(player, &new)?;
        let mut game = Game::new(row, new.setting);
        let mut draft = Draft::new(&mut game, added.created_at);
        let genesis = genesis(draft.game)?;
        draft.note(Change::AddGame(Box::new(added)));
        draft.add(&genesis)?;
        let placed = draft.join(0, sitting(player, new.promise))?;
        let write = draft.into_write();
        let answer = self.with_receipt(&game, player, placed);
        self.store.write(kept(write, turn, &answer)?).await?;
        self.lives.put(game);
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
        Ok(GameView::of(locked.game()?, caller))
    }

    /// Public games, newest first.
    pub async fn games(
        &self,
        listing: &Listing,
        caller: Option<&Player>,
    ) -> Result<Page<GameView>, ServiceError> {
        let player = match listing.player {
            None => None,
            Some(uuid) => match self.store.player(uuid)? {
                Some(player) => Some(player.key),
                None => return Ok(Page { items: vec![], next_cursor: None }),
            },
        };
        self.list(listing, GameFilter { public: true, player, ..GameFilter::default() }, caller).await
    }

    /// The games that a player sits at, whoever else may see them.
    pub async fn games_of(&self, player: &Player, listing: &Listing) -> Result<Page<GameView>, ServiceError> {
        let filter = GameFilter { player: Some(player.key), ..GameFilter::default() };
        self.list(listing, filter, Some(player)).await
    }

    /// The games that wait for a player, the longest waiting first.
    pub async fn waiting_games(
        &self,
        player: &Player,
        listing: &Listing,
    ) -> Result<Page<GameView>, ServiceError> {
        let filter = GameFilter {
            player: Some(player.key),
            status: Some(Status::Running),
            limit: self.limits.games_of_player,
            ..GameFilter::default()
        };
        let mut waiting = Vec::new();
        for row in self.store.games(&filter)? {
            let locked = self.lock(row.uuid).await?;
            let game = locked.game()?;
            if game.to_act().is_some_and(|seat| game.seat_of(player.key) == Some(seat)) {
                waiting.push((game.turn_since, row.uuid, GameView::of(game, Some(player))));
            }
        }
        waiting.sort_by_key(|(since, uuid, _)| (*since, *uuid));
        let begin = match &listing.cursor {
            None => 0,
            Some(cursor) => {
                let last = Uuid::try_parse(cursor).ok();
                waiting.iter().position(|(_, uuid, _)| Some(*uuid) == last).map_or(0, |place| place + 1)
            }
        };
        let more = waiting.len() - begin > listing.limit as usize;
        let items: Vec<GameView> =
            waiting.into_iter().skip(begin).take(listing.limit as usize).map(|(.., game)| game).collect();
        let next_cursor = items.last().filter(|_| more).map(|game| game.id.replace('-', ""));
        Ok(Page { items, next_cursor })
    }

    async fn list(
        &self,
        listing: &Listing,
        filter: GameFilter,
        caller: Option<&Player>,
    ) -> Result<Page<GameView>, ServiceError> {
        let before = match &listing.cursor {
            None => None,
            Some(cursor) => Some(self.cursor(cursor)?),
        };
        let rows = self.store.games(&GameFilter {
            status: listing.status,
            ruleset: listing.ruleset.clone(),
            before,
            limit: listing.limit + 1,
            ..filter
        })?;
        let more = rows.len() > listing.limit as usize;
        let mut items = Vec::new();
        for row in rows.iter().take(listing.limit as usize) {
            let locked = self.lock(row.uuid).await?;
            items.push(GameView::of(locked.game()?, caller));
        }
        let next_cursor = items.last().filter(|_| more).map(|game| game.id.replace('-', ""));
        Ok(Page { items, next_cursor })
    }

    fn cursor(&self, cursor: &str) -> Result<crate::store::GameKey, ServiceError> {
        let wrong = || Malformed::new("cursor", "is not one that a list has given");
        let uuid = Uuid::try_parse(cursor).map_err(|_| wrong())?;
        Ok(self.store.game(uuid)?.ok_or_else(wrong)?.key)
    }

    pub async fn join(
        &self,
        uuid: Uuid,
        player: &Player,
        join: Join,
        turn: Option<&Turn<'_>>,
    ) -> Result<GameWithReceipt, ServiceError> {
        let mut locked = self.lock(uuid).await?;
        let game = locked.game()?;
        let seat = self.may_join(game, player, join.invite.as_deref())?;
        self.change(&mut locked, player, turn, |draft| {
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
        if game.chain.len() >= self.limits.lobby_entries {
            return Err(ServiceError::LobbyWornOut);
        }
        self.has_room(player)?;
        let free = game.seats.iter().position(Option::is_none).and_then(|place| u8::try_from(place).ok());
        free.ok_or(ServiceError::NotOpen(Status::Sealed.word()))
    }

    pub async fn leave(&self, uuid: Uuid, player: &Player) -> Result<GameWithReceipt, ServiceError> {
        let mut locked = self.visible(uuid, Some(player)).await?;
        let game = locked.game()?;
        let seat = seat_of(game, player)?;
        open(game)?;
        self.change(&mut locked, player, None, |draft| {
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

    pub async fn call_off(&self, uuid: Uuid, player: &Player) -> Result<GameWithReceipt, ServiceError> {
        let mut locked = self.visible(uuid, Some(player)).await?;
        let game = locked.game()?;
        if game.row.creator != player.key {
            return Err(ServiceError::NotCreator);
        }
        open(game)?;
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the method is not general over the lifetime"
        )]
        self.change(&mut locked, player, None, |draft| draft.make_void()).await
    }

    pub async fn reveal(
        &self,
        uuid: Uuid,
        player: &Player,
        entropy: Bytes32,
        turn: Option<&Turn<'_>>,
    ) -> Result<GameWithReceipt, ServiceError> {
        let mut locked = self.visible(uuid, Some(player)).await?;
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
        self.change(&mut locked, player, turn, |draft| {
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

    pub async fn resign(
        &self,
        uuid: Uuid,
        player: &Player,
        turn: Option<&Turn<'_>>,
    ) -> Result<GameWithReceipt, ServiceError> {
        let mut locked = self.visible(uuid, Some(player)).await?;
        let game = locked.game()?;
        let seat = seat_of(game, player)?;
        super::access::running(game)?;
        if game.sitting(seat).is_some_and(|sitting| sitting.resigned) {
            return Err(ServiceError::Resigned);
        }
        self.change(&mut locked, player, turn, |draft| {
            let before = draft.game.to_act();
            let placed = draft.sys(seat, Op::Resign)?;
            draft.play_on(before)?;
            Ok(placed)
        })
        .await
    }

    async fn change(
        &self,
        locked: &mut Locked,
        player: &Player,
        turn: Option<&Turn<'_>>,
        act: impl FnOnce(&mut Draft) -> Result<Placed, ServiceError>,
    ) -> Result<GameWithReceipt, ServiceError> {
        self.commit(locked, turn, act, |game, placed| Ok(self.with_receipt(game, player, placed))).await
    }

    /// Changes a game: in memory, then on disk. The answer is made before the commit, so that it can be kept with it
    /// under an idempotency key, and leaves only after.
    pub(super) async fn commit<A, T: Serialize>(
        &self,
        locked: &mut Locked,
        turn: Option<&Turn<'_>>,
        act: impl FnOnce(&mut Draft) -> Result<A, ServiceError>,
        answer: impl FnOnce(&Game, A) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        let mut game = locked.take()?;
        let mut draft = Draft::new(&mut game, self.clock.now());
        let done = act(&mut draft)?;
        let write = draft.into_write();
        let answer = answer(&game, done)?;
        self.store.write(kept(write, turn, &answer)?).await?;
        locked.put_back(game);
        Ok(answer)
    }
}

/// The write, with its answer kept if it came under a key.
fn kept<T: Serialize>(
    write: crate::store::Write,
    turn: Option<&Turn<'_>>,
    answer: &T,
) -> Result<crate::store::Write, ServiceError> {
    let Some(turn) = turn else { return Ok(write) };
    let bytes = serde_json::to_vec(answer).map_err(|error| ServiceError::Internal(error.to_string()))?;
    Ok(write.and(turn.keep(bytes)))
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
    }
}
