//! Idempotency: a request under a key is carried out once, and told the same whenever it comes again.
//!
//! What is kept is that an entry was written under the key. The answer follows from the log, and is made from
//! it again. Only what leaves no entry is kept itself: a refusal, and the answer to what is done beside the
//! log.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{Act, Reply, answer_seal::AnswerSeal};
use crate::{
    engine::Viewer,
    ledger::{encoding::hex, entry::Body, game::Game, receipt::Receipt},
    rulesets::AnyEvent,
    service::{
        DAY, Service, ServiceError,
        act::reply::CommandDone,
        game::{People, Placed, Player, deadline},
        read::{
            event_item::told,
            game_view::{GameView, GameWithReceipt},
            sight::Wish,
            view::View,
        },
    },
    store::{Change, GameFacts, Keeper as _, Kept, KeptAnswer, NewClaim, PlayerKey, StoreError, Write},
};

/// For how long a request is remembered under its key.
const KEPT_FOR: u64 = DAY;
/// How often an act is tried that others overtake.
const TRIES: usize = 3;

/// What a client calls a request, so that it can send it again without doing it again.
#[derive(Clone)]
pub struct IdempotencyKey {
    pub text: String,
    /// What the request was, so that another request under the same key is noticed; white space apart.
    pub fingerprint: [u8; 16],
}

/// The owner of a key. Requests of other owners do not meet it.
pub enum KeyOwner<'a> {
    Player(&'a Player),
    /// Callers from this address that have no token.
    Address(String),
}

/// What a player is told of an act.
pub enum Answer {
    Done(Reply),
    /// It was done before.
    DoneBefore(Reply),
    /// It was answered before, with these bytes.
    AnsweredBefore(Vec<u8>),
}

/// Requests under a key that are being carried out, so that a second one waits for the first one's answer.
/// Where somebody waits there is a gate, which is closed, and so lets everybody go, when the first is done.
#[derive(Default)]
pub struct InFlight(Mutex<HashMap<Digest, Option<Arc<Semaphore>>>>);

/// Stands for a player and its key.
type Digest = [u8; 16];

/// The right to carry out requests under a key. Others wait until it is dropped.
struct Held<'s> {
    in_flight: &'s InFlight,
    digest: Digest,
}

impl InFlight {
    async fn hold(&self, digest: Digest) -> Held<'_> {
        while let Some(gate) = self.gate(digest) {
            // It never opens; it is closed. Mostly nobody waits, and has no room in itself for it.
            let _ = Box::pin(gate.acquire()).await;
        }
        Held { in_flight: self, digest }
    }

    /// The gate to wait at, if the key is held; otherwise it is held from now on.
    fn gate(&self, digest: Digest) -> Option<Arc<Semaphore>> {
        match self.running().entry(digest) {
            Entry::Occupied(mut held) => {
                let gate = held.get_mut().get_or_insert_with(|| Arc::new(Semaphore::new(0)));
                Some(Arc::clone(gate))
            }
            Entry::Vacant(free) => {
                free.insert(None);
                None
            }
        }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<Digest, Option<Arc<Semaphore>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Some(Some(gate)) = self.in_flight.running().remove(&self.digest) {
            gate.close();
        }
    }
}

impl Service {
    /// Carries an act out: once if it comes under a key, and again from the start if somebody else was
    /// faster. `refusal` writes a refusal out that is to be kept.
    pub async fn carry_out(
        &self,
        player: &Player,
        act: &Act,
        key: Option<&IdempotencyKey>,
        refusal: impl Fn(&ServiceError) -> Option<Vec<u8>>,
    ) -> Result<Answer, ServiceError> {
        let Some(key) = key else {
            return self.try_again(player, act).await.map(Answer::Done);
        };
        let held = self.in_flight.hold(digest(player.key, key)).await;
        for _ in 0..TRIES {
            let claim = self.claim(key, held.digest);
            // What is rare is in a box, or every request would have room in itself for it.
            if let Some(kept) = self.kept(player.key, key, &claim).await? {
                return Box::pin(self.answer_again(player, act, kept)).await;
            }
            let refused = match self.perform(player, act, Some(&claim)).await {
                Ok(reply) => return Ok(Answer::Done(reply)),
                Err(ServiceError::Overtaken) => continue,
                Err(error) => {
                    let body = refusal(&error);
                    Box::pin(self.refuse(player, act, key, claim, (error, body)))
                }
            };
            if let Some(answer) = refused.await? {
                return Ok(answer);
            }
        }
        Err(ServiceError::Busy)
    }

    /// Does once under a key what leaves no entry, and keeps its answer whole. If the server stops between
    /// the two, before anybody was answered, it may be done again.
    pub async fn do_once(
        &self,
        owner: KeyOwner<'_>,
        key: Option<&IdempotencyKey>,
        act: impl Future<Output = Result<Reply, ServiceError>>,
    ) -> Result<Answer, ServiceError> {
        let Some(key) = key else { return act.await.map(Answer::Done) };
        let (row, key) = match owner {
            KeyOwner::Player(player) => (player.key, key.clone()),
            KeyOwner::Address(address) => (self.machines.first()?, key.of_address(&address)),
        };
        let held = self.in_flight.hold(digest(row, &key)).await;
        let claim = self.claim(&key, held.digest);
        match self.kept(row, &key, &claim).await? {
            None => {}
            Some(Kept::Body(body)) => return Ok(Answer::AnsweredBefore(body)),
            Some(Kept::Entry { .. }) => return Err(ServiceError::KeyReused),
        }
        let reply = act.await?;
        // It is done: if this is not kept, the client is answered all the same.
        let _ = self.keep_answer(row, &key, claim, reply.json.clone()).await;
        Ok(Answer::Done(reply))
    }

    fn claim(&self, key: &IdempotencyKey, digest: Digest) -> NewClaim {
        let at = self.clock.now();
        NewClaim { digest, fingerprint: key.fingerprint, at, fresh_since: at.saturating_sub(KEPT_FOR) }
    }

    async fn try_again(&self, player: &Player, act: &Act) -> Result<Reply, ServiceError> {
        for _ in 0..TRIES {
            match self.perform(player, act, None).await {
                Err(ServiceError::Overtaken) => {}
                done => return done,
            }
        }
        Err(ServiceError::Busy)
    }

    /// Returns what is kept of an earlier request under this key. Fails if that was another request.
    async fn kept(
        &self,
        player: PlayerKey,
        key: &IdempotencyKey,
        claim: &NewClaim,
    ) -> Result<Option<Kept>, ServiceError> {
        let Some(found) = self.store.claim(player, &key.text, claim).await? else { return Ok(None) };
        if key.fingerprint != found.fingerprint {
            return Err(ServiceError::KeyReused);
        }
        Ok(match found.kept {
            // After a change of the signing key it cannot be opened, and the request must not be carried out
            // again.
            Kept::Body(sealed) => {
                let opened = self.answer_seal().open(sealed, &claim.digest);
                Some(Kept::Body(opened.ok_or(ServiceError::KeyReused)?))
            }
            entry @ Kept::Entry { .. } => Some(entry),
        })
    }

    fn answer_seal(&self) -> AnswerSeal {
        AnswerSeal::new(&self.signer.branch("answers"))
    }

    /// Tells a refusal, and keeps it under the key where it is written out. But an earlier request that
    /// nobody waited for may have been carried out meanwhile, and be the reason: then its answer is told.
    /// `None` where it is to be tried again.
    async fn refuse(
        &self,
        player: &Player,
        act: &Act,
        key: &IdempotencyKey,
        claim: NewClaim,
        (error, body): (ServiceError, Option<Vec<u8>>),
    ) -> Result<Option<Answer>, ServiceError> {
        if let Some(kept) = self.kept(player.key, key, &claim).await? {
            return self.answer_again(player, act, kept).await.map(Some);
        }
        let Some(body) = body else { return Err(error) };
        match self.keep_answer(player.key, key, claim, body).await {
            Ok(()) => Err(error),
            // An earlier refusal was kept meanwhile, and is told again.
            Err(StoreError::ClaimStands) => Ok(None),
            Err(failed) => Err(failed.into()),
        }
    }

    /// Keeps under a key what its request was answered, sealed: answers have tokens and codes in them.
    async fn keep_answer(
        &self,
        player: PlayerKey,
        key: &IdempotencyKey,
        claim: NewClaim,
        body: Vec<u8>,
    ) -> Result<(), StoreError> {
        let sealed = self.answer_seal().seal(body, &claim.digest);
        let body = sealed.ok_or_else(|| StoreError::Other("an answer could not be sealed".into()))?;
        let answer = KeptAnswer { player, key: key.text.clone(), claim, body };
        self.store.write(Write::of(Change::KeepAnswer(answer))).await
    }

    /// What an earlier request was answered.
    async fn answer_again(&self, player: &Player, act: &Act, kept: Kept) -> Result<Answer, ServiceError> {
        match kept {
            Kept::Body(body) => Ok(Answer::AnsweredBefore(body)),
            Kept::Entry { game, seq, last } => {
                self.reply_again(player, act, (game, seq, last)).await.map(Answer::DoneBefore)
            }
        }
    }

    /// Makes the answer to an act again, from the entry that it wrote and the last one of its commit.
    async fn reply_again(
        &self,
        player: &Player,
        act: &Act,
        (uuid, seq, last): (Uuid, u64, u64),
    ) -> Result<Reply, ServiceError> {
        let wish = if let Act::Play(.., wish) = act { *wish } else { Wish::default() };
        let locked = self.lock(uuid).await?;
        let live = locked.game()?;
        let (facts, sight) = (live.facts.clone(), self.sight(live, wish));
        drop(locked);
        let me = player.id.clone();
        // The claim is that of the last command of a list.
        let first = match act {
            Act::Play(_, command, _) => (seq + 1).saturating_sub(command.list().len() as u64),
            _ => seq,
        };
        let steps = self.walk((uuid, facts.key), first, last + 1 - first, move |step| {
            let game = (step.entry.seq == last).then(|| step.game.clone());
            let seat = step.game.seat_of(&me);
            let events = match (&step.entry.body, seat, &step.game.table) {
                (Body::Cmd { .. }, Some(seat), Some(table)) if step.entry.seq <= seq => {
                    Some(table.events(Viewer::Seat(seat)))
                }
                _ => None,
            };
            let head = *step.game.chain.head();
            let (seq, at) = (step.entry.seq, step.entry.at);
            let placed = Placed { seq, at, head };
            Ok(Seen {
                placed,
                seal: step.game.was_filled_by(&step.entry.body).then_some(placed),
                events,
                game,
            })
        });
        let steps = steps.await?;
        let missing = || ServiceError::Internal("a claim names an entry that is not there".into());
        let seal = steps.iter().find_map(|seen| seen.seal);
        let own = usize::try_from(seq - first).ok().filter(|own| *own < steps.len()).ok_or_else(missing)?;
        let mut seen = steps.into_iter();
        let before: Vec<Seen> = seen.by_ref().take(own).collect();
        let own = seen.next().ok_or_else(missing)?;
        let sign =
            |Placed { seq, at, head }| self.signer.sign(&Receipt { game: uuid.to_string(), seq, at, head });
        let receipt = sign(own.placed);
        let game = own.game.or_else(|| seen.last()?.game).ok_or_else(missing)?;
        if let Some(events) = own.events {
            let before = before.into_iter().filter_map(|seen| seen.events).flatten();
            let events = before.chain(events).collect();
            let sight = sight.as_of(&game);
            let (events, view) =
                (told(events, &sight, &game), View::of(&sight, &game, game.viewer(&player.id)));
            return Reply::of(&CommandDone { seq, events, view, receipt });
        }
        let mut game = self.game_view_then(player, &facts, &game).await?;
        game.seal_receipt = seal.map(sign);
        Reply::of(&GameWithReceipt { game, receipt }).map(|reply| reply.placed_at(uuid))
    }

    /// The game resource as it was, with the names that its players have now.
    async fn game_view_then(
        &self,
        caller: &Player,
        facts: &GameFacts,
        game: &Game,
    ) -> Result<GameView, ServiceError> {
        let mut people = People::default();
        for sitting in game.standing.seats.iter().flatten() {
            let player = match Uuid::try_parse(&sitting.holder.player) {
                Ok(uuid) => self.store.player(uuid).await?,
                Err(_) => None,
            };
            if let Some(player) = player {
                people.introduce(&player.into());
            }
        }
        let due = deadline(game, self.limits.reveal_ms);
        Ok(GameView::at(facts, game, due, &people, game.seat_of(&caller.id).is_some()))
    }
}

impl IdempotencyKey {
    /// Returns the key as callers without a token have it: no other address meets it.
    fn of_address(&self, address: &str) -> Self {
        let hash = Sha256::new().chain_update(address).chain_update([0]).chain_update(&self.text).finalize();
        Self { text: format!("address {}", hex(&hash)), fingerprint: self.fingerprint }
    }
}

fn digest(player: PlayerKey, key: &IdempotencyKey) -> Digest {
    let player = player.number().to_be_bytes();
    let hash = Sha256::new().chain_update(player).chain_update(&key.text).finalize();
    let mut digest = [0; 16];
    digest.copy_from_slice(&hash[..16]);
    digest
}

/// What an answer needs of an entry.
struct Seen {
    placed: Placed,
    /// The same, if the entry filled the table.
    seal: Option<Placed>,
    events: Option<Vec<AnyEvent>>,
    /// The game after the last entry.
    game: Option<Game>,
}
