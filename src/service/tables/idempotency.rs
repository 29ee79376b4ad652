//! Idempotency: a request under a key is carried out once, and every repetition gets the same answer.
//!
//! The store keeps which entry was written under the key; the answer is rebuilt from the log. The store keeps
//! answers only where no entry exists: refusals, and answers about what is not in the log.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{Act, Reply, again::again, answer_seal::AnswerSeal, in_flight::Digest};
use crate::{
    engine::Viewer,
    ledger::{encoding::hex, entry::Body, game::Game, receipt::Receipt},
    rulesets::AnyEvent,
    service::{
        DAY, ServiceError, Tables,
        games::{EntryRef, People, Player, deadline},
        reading::{
            context::ViewOptions,
            event_item::told,
            game_view::{GameView, GameWithReceipt},
            view::View,
        },
        tables::reply::CommandDone,
    },
    store::{Change, GameFacts, Kept, KeptAnswer, NewClaim, PlayerKey, StoreError, Write},
};

/// How long a key is remembered.
const KEPT_FOR: u64 = DAY;
/// Attempts of an act that other writes overtake.
const TRIES: usize = 3;

/// The client's name for a request, with which the request can be repeated safely.
#[derive(Clone)]
pub struct IdempotencyKey {
    pub text: String,
    /// Digest of the request without white space. Another request under the same key is refused.
    pub fingerprint: [u8; 16],
}

/// The owner of a key. Keys of other owners are independent.
pub enum KeyOwner<'a> {
    Player(&'a Player),
    /// Callers from this address without a token.
    Address(String),
}

/// The answer to an act.
pub enum Answer {
    Done(Reply),
    /// The act was carried out before.
    DoneBefore(Reply),
    /// The act was answered before, with these bytes.
    AnsweredBefore(Vec<u8>),
}

impl Tables {
    /// Carries an act out: once under a key, and again from the start if another write was faster. `refusal`
    /// serializes a refusal that must be kept.
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
            // Boxed: rare, keeps the future small.
            if let Some(kept) = self.kept(player.key, key, &claim).await? {
                return Box::pin(self.answer_again(player, act, kept)).await;
            }
            held.is_fresh()?;
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

    /// Carries out once what leaves no entry, and stores its answer. If the server stops between the two,
    /// before it answers, a repetition may carry it out again.
    pub async fn do_once(
        &self,
        owner: KeyOwner<'_>,
        key: Option<&IdempotencyKey>,
        act: impl Future<Output = Result<Reply, ServiceError>>,
    ) -> Result<Answer, ServiceError> {
        let Some(key) = key else { return act.await.map(Answer::Done) };
        let (row, key) = match owner {
            KeyOwner::Player(player) => (player.key, key.clone()),
            KeyOwner::Address(address) => (self.house_bots.first()?, key.of_address(&address)),
        };
        let held = self.in_flight.hold(digest(row, &key)).await;
        let claim = self.claim(&key, held.digest);
        match self.kept(row, &key, &claim).await? {
            None => {}
            Some(Kept::Body(body)) => return Ok(Answer::AnsweredBefore(body)),
            Some(Kept::Entry { .. }) => return Err(ServiceError::KeyReused),
        }
        held.is_fresh()?;
        let reply = act.await?;
        // The act is done: the client gets its answer even if storing it fails.
        let _ = self.keep_answer(row, &key, claim, reply.json.clone()).await;
        Ok(Answer::Done(reply))
    }

    fn claim(&self, key: &IdempotencyKey, digest: Digest) -> NewClaim {
        let at = self.clock.now();
        NewClaim { digest, fingerprint: key.fingerprint, at, fresh_since: at.saturating_sub(KEPT_FOR) }
    }

    async fn try_again(&self, player: &Player, act: &Act) -> Result<Reply, ServiceError> {
        again(TRIES, async || self.perform(player, act, None).await).await
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
            // After a change of the signing key the answer is lost, and the request must not be carried out
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

    /// Answers with a refusal, and stores it if it must be kept. If an earlier request with the same key was
    /// carried out meanwhile, answers with its result. Returns `None` if the act must be tried again.
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
            // Another refusal was stored meanwhile: repeat that one.
            Err(StoreError::ClaimStands) => Ok(None),
            Err(failed) => Err(failed.into()),
        }
    }

    /// Stores an answer under a key, encrypted, since answers contain tokens and codes.
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

    /// Returns the answer to an earlier request.
    async fn answer_again(&self, player: &Player, act: &Act, kept: Kept) -> Result<Answer, ServiceError> {
        match kept {
            Kept::Body(body) => Ok(Answer::AnsweredBefore(body)),
            Kept::Entry { game, seq, last } => {
                self.reply_again(player, act, (game, seq, last)).await.map(Answer::DoneBefore)
            }
        }
    }

    /// Rebuilds the answer to an act from its entry and the last entry of its commit.
    async fn reply_again(
        &self,
        player: &Player,
        act: &Act,
        (uuid, seq, last): (Uuid, u64, u64),
    ) -> Result<Reply, ServiceError> {
        let wish = if let Act::Play(.., wish) = act { *wish } else { ViewOptions::default() };
        let locked = self.games.lock(uuid).await?;
        let live = locked.game()?;
        let (facts, context) = (live.facts.clone(), self.reading.context(live, wish));
        drop(locked);
        let me = player.id.clone();
        // The claim names the last command of a list.
        let first = match act {
            Act::Play(_, command, _) => (seq + 1).saturating_sub(command.list().len() as u64),
            _ => seq,
        };
        let steps = self.reading.walk((uuid, facts.key), first, last + 1 - first, move |step| {
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
            let placed = EntryRef { seq, at, head };
            Ok(LogParts {
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
        let before: Vec<LogParts> = seen.by_ref().take(own).collect();
        let own = seen.next().ok_or_else(missing)?;
        let sign =
            |EntryRef { seq, at, head }| self.signer.sign(&Receipt { game: uuid.to_string(), seq, at, head });
        let receipt = sign(own.placed);
        let game = own.game.or_else(|| seen.last()?.game).ok_or_else(missing)?;
        if let Some(events) = own.events {
            let before = before.into_iter().filter_map(|seen| seen.events).flatten();
            let events = before.chain(events).collect();
            let context = context.as_of(&game);
            let (events, view) =
                (told(events, &context, &game), View::of(&context, &game, game.viewer(&player.id)));
            return Reply::of(&CommandDone { seq, events, view, receipt });
        }
        let mut game = self.game_view_then(player, &facts, &game).await?;
        game.seal_receipt = seal.map(sign);
        Reply::of(&GameWithReceipt { game, receipt })
    }

    /// Returns the game resource as it was, with the present names of its players.
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
    /// Returns the key of a caller without a token, which is distinct for each address.
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

/// Parts of the log for an answer.
struct LogParts {
    placed: EntryRef,
    /// The entry that filled the table, if it is the same one.
    seal: Option<EntryRef>,
    events: Option<Vec<AnyEvent>>,
    /// The game after the last entry.
    game: Option<Game>,
}
