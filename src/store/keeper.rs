//! What the service asks of a store.

use uuid::Uuid;

use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;

use super::{
    BotRow, Claim, DeliveryKey, DeliveryRow, DeviceRow, Entry, ExplorationRow, GameFilter, GameKey, HeardRow,
    Hearing, Held, HookKey, HookRow, Known, LinkRow, Listed, Moved, NewClaim, Newest, NoteRow, Opening,
    PinnedRow, Place, PlayerKey, PlayerRow, QuietRow, Recovering, Rung, SeatRow, Seen, SigningKey,
    StoreError, Stretch, SubstitutionRow, Tally, TokenRow, TreeKey, TreeRow, Turn, Unpinned, Write,
    slow_commits::SlowCommits,
};

/// Callbacks that run on the writer's thread after the commit, even if the caller has gone. Must not block.
pub struct OnCommit {
    /// Runs before the caller gets its answer.
    pub before: Box<dyn FnOnce() + Send>,
    /// Runs after the answer has left. It is given the place of the last entry among those of all games; the
    /// entries of one write have places next to each other.
    pub after: Box<dyn FnOnce(Place) + Send>,
}

impl OnCommit {
    pub fn nothing() -> Self {
        Self::before(|| ())
    }

    pub fn before(before: impl FnOnce() + Send + 'static) -> Self {
        Self { before: Box::new(before), after: Box::new(|_| ()) }
    }

    /// Runs the first part, gives the answer with `answer`, and returns the second part.
    pub fn run(self, answer: impl FnOnce()) -> Box<dyn FnOnce(Place) + Send> {
        (self.before)();
        answer();
        self.after
    }
}

/// An answer of the store.
type Answer<T> = Result<T, StoreError>;

/// Keeps the games. A write happens whole or not at all, and what was answered is durable.
pub trait Keeper: Send + Sync + 'static {
    /// Queues a write and resolves once it is durable.
    ///
    /// Writes may run concurrently on PostgreSQL: await the first before queueing one that depends on it.
    fn write_and(
        &self,
        write: Write,
        on_commit: OnCommit,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + use<Self>;

    fn write(&self, write: Write) -> impl Future<Output = Result<(), StoreError>> + Send + use<Self> {
        self.write_and(write, OnCommit::nothing())
    }

    /// Whether other servers write to the same database. Then what is in memory is believed only after a
    /// look.
    fn is_shared(&self) -> bool;

    /// What is new of a game since it was read.
    fn look(&self, known: Known) -> impl Future<Output = Result<Seen, StoreError>> + Send;

    /// How often hooks have changed, as far as the answers to other questions have told.
    fn hooks_changed(&self) -> i64;

    /// Tells the other servers something that they may miss.
    fn ring(&self, line: String);

    /// What the other servers tell, for one listener; nothing, where there are none.
    fn bells(&self) -> Option<UnboundedReceiver<Rung>>;

    /// The places of these entries of a game.
    fn places(
        &self,
        game: GameKey,
        first: u64,
        last: u64,
    ) -> impl Future<Output = Result<Vec<Place>, StoreError>> + Send;

    /// Which games moved a moment ago.
    fn moved_lately(&self) -> impl Future<Output = Result<Vec<Moved>, StoreError>> + Send;

    /// The turn to do what one server at a time does, if no other has it.
    fn try_turn(&self, turn: Turn) -> impl Future<Output = Result<Option<Held>, StoreError>> + Send;

    /// The turn, when it comes.
    fn wait_for_turn(&self, turn: Turn) -> impl Future<Output = Result<Held, StoreError>> + Send;

    /// A number for a player that is about to be written.
    fn new_player_key(&self) -> PlayerKey;

    /// A number for a game that is about to be written.
    fn new_game_key(&self) -> GameKey;

    /// The token that has this SHA-256, and whose it is.
    fn token(&self, digest: &[u8; 32]) -> impl Future<Output = Answer<Option<(TokenRow, PlayerRow)>>> + Send;

    /// The tokens of a player, the oldest first.
    fn tokens(&self, player: PlayerKey) -> impl Future<Output = Result<Vec<TokenRow>, StoreError>> + Send;

    /// Keeps a ticket, by its SHA-256, that stands for a token for a while.
    fn put_ticket(
        &self,
        digest: [u8; 32],
        token: [u8; 32],
        until: u64,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Takes a ticket: for which token it stands, and until when.
    fn take_ticket(&self, digest: &[u8; 32]) -> impl Future<Output = Answer<Option<([u8; 32], u64)>>> + Send;

    /// The player whose recovery code has this SHA-256, and the nonce of its recovery if that has begun.
    fn player_by_code(&self, code: &[u8; 32]) -> impl Future<Output = Answer<Option<Recovering>>> + Send;

    fn link(&self, code: &[u8; 32]) -> impl Future<Output = Result<Option<LinkRow>, StoreError>> + Send;

    /// The device statements of a player, the oldest first.
    fn devices(&self, player: PlayerKey) -> impl Future<Output = Result<Vec<DeviceRow>, StoreError>> + Send;

    /// What came of a player's games.
    fn tally(&self, player: PlayerKey) -> impl Future<Output = Result<Vec<Tally>, StoreError>> + Send;

    fn player(&self, uuid: Uuid) -> impl Future<Output = Result<Option<PlayerRow>, StoreError>> + Send;

    /// The server's own players.
    fn machines(&self) -> impl Future<Output = Result<Vec<PlayerRow>, StoreError>> + Send;

    /// Those who are no persons, after this one.
    fn bots(
        &self,
        after: Option<PlayerKey>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<BotRow>, StoreError>> + Send;

    /// The program of this name.
    fn bot_called(&self, name: &str) -> impl Future<Output = Result<Option<BotRow>, StoreError>> + Send;

    /// What a program takes part in, as JSON.
    fn offer(&self, player: PlayerKey) -> impl Future<Output = Result<Option<String>, StoreError>> + Send;

    /// Returns the running games with bots of the server, each with its creator.
    fn games_of_machines(&self) -> impl Future<Output = Result<Vec<(Uuid, PlayerKey)>, StoreError>> + Send;

    /// Returns those of them in which nothing has happened for some seconds: another server may have left
    /// them.
    fn standing_games_of_machines(
        &self,
    ) -> impl Future<Output = Result<Vec<(Uuid, PlayerKey)>, StoreError>> + Send;

    fn opening(&self, game: Uuid) -> impl Future<Output = Result<Option<Opening>, StoreError>> + Send;

    /// The entries of a game from `first` on, at most this many.
    fn entries(
        &self,
        game: GameKey,
        first: u64,
        most: u64,
    ) -> impl Future<Output = Result<Vec<Entry>, StoreError>> + Send;

    /// Where the log of a game ends.
    fn newest_entry(&self, game: GameKey) -> impl Future<Output = Result<Option<Newest>, StoreError>> + Send;

    /// Games as lists show them, newest first.
    fn games(&self, filter: GameFilter) -> impl Future<Output = Result<Vec<Listed>, StoreError>> + Send;

    fn game_key(&self, uuid: Uuid) -> impl Future<Output = Result<Option<GameKey>, StoreError>> + Send;

    /// The game that this code invites to.
    fn invited_to(&self, invite: &str) -> impl Future<Output = Result<Option<Uuid>, StoreError>> + Send;

    /// The rematch of a game that is not called off.
    fn rematch(&self, game: GameKey) -> impl Future<Output = Result<Option<Uuid>, StoreError>> + Send;

    /// The offer of a seat with this code.
    fn substitution_by_code(
        &self,
        code: &str,
    ) -> impl Future<Output = Answer<Option<SubstitutionRow>>> + Send;

    /// What is offered of a seat.
    fn substitution(
        &self,
        game: GameKey,
        seat: u8,
    ) -> impl Future<Output = Result<Option<SubstitutionRow>, StoreError>> + Send;

    /// Which seat of a game a player has.
    fn seat_of(
        &self,
        game: GameKey,
        player: PlayerKey,
    ) -> impl Future<Output = Result<Option<u8>, StoreError>> + Send;

    /// Who sits at a game.
    fn seats(&self, game: GameKey) -> impl Future<Output = Result<Vec<SeatRow>, StoreError>> + Send;

    fn exploration(
        &self,
        id: Uuid,
    ) -> impl Future<Output = Result<Option<ExplorationRow>, StoreError>> + Send;

    /// Forgets games that were played on before this time.
    fn forget_explorations(&self, before: u64) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Forgets deliveries from before this time that are settled, and hooks that were not proved by then.
    fn forget_deliveries(
        &self,
        before: u64,
        unproved_before: u64,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// A number for a hook that is about to be written.
    fn new_hook_key(&self) -> HookKey;

    /// All hooks, the oldest first.
    fn hooks(&self) -> impl Future<Output = Result<Vec<HookRow>, StoreError>> + Send;

    /// The hooks of a player, those for one game as well.
    fn hooks_of_player(
        &self,
        player: PlayerKey,
    ) -> impl Future<Output = Result<Vec<HookRow>, StoreError>> + Send;

    fn hooks_of_game(&self, game: GameKey) -> impl Future<Output = Result<Vec<HookRow>, StoreError>> + Send;

    fn hook(&self, key: HookKey) -> impl Future<Output = Result<Option<HookRow>, StoreError>> + Send;

    fn hook_by_id(&self, id: Uuid) -> impl Future<Output = Result<Option<HookRow>, StoreError>> + Send;

    /// What a hook is to send by now, the longest due first.
    fn deliveries_due(
        &self,
        hook: HookKey,
        now: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<DeliveryRow>, StoreError>> + Send;

    /// What was to be sent by a hook before this, the newest first.
    fn deliveries(
        &self,
        hook: HookKey,
        before: Option<DeliveryKey>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<DeliveryRow>, StoreError>> + Send;

    fn delivery(
        &self,
        hook: HookKey,
        message: &str,
    ) -> impl Future<Output = Result<Option<DeliveryRow>, StoreError>> + Send;

    /// The hooks that have something to send, and when the first of it is due.
    fn hooks_due(&self) -> impl Future<Output = Result<Vec<(HookKey, u64)>, StoreError>> + Send;

    /// When a hook is to send something next.
    fn next_due(&self, hook: HookKey) -> impl Future<Output = Result<Option<u64>, StoreError>> + Send;

    fn quiet(&self, player: PlayerKey) -> impl Future<Output = Result<QuietRow, StoreError>> + Send;

    /// A number for a message that is about to be written.
    fn new_message_id(&self) -> i64;

    fn note(
        &self,
        game: GameKey,
        player: PlayerKey,
    ) -> impl Future<Output = Result<Option<NoteRow>, StoreError>> + Send;

    /// What was said at a game after a message, but for what the listener does not want to hear.
    fn messages(
        &self,
        hearing: Hearing,
        after: i64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<HeardRow>, StoreError>> + Send;

    /// How many messages a game has, counted up to `most`.
    fn count_messages(
        &self,
        game: GameKey,
        most: u32,
    ) -> impl Future<Output = Result<u32, StoreError>> + Send;

    /// Those whom others at a game do not want to hear: who, and whom.
    fn mutes(
        &self,
        game: GameKey,
    ) -> impl Future<Output = Result<Vec<(PlayerKey, PlayerKey)>, StoreError>> + Send;

    /// How many games that are not over a player sits at.
    fn active_games(&self, player: PlayerKey) -> impl Future<Output = Result<u32, StoreError>> + Send;

    /// How many games a player has created since this time, counted up to `most`.
    fn games_begun(
        &self,
        player: PlayerKey,
        since: u64,
        most: u32,
    ) -> impl Future<Output = Result<u32, StoreError>> + Send;

    /// Games that opened before this time and are still open, the oldest first.
    fn open_since_before(
        &self,
        at: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Uuid>, StoreError>> + Send;

    /// Games on which the server must act by itself, the most overdue first.
    fn due(&self, now: u64, limit: u32) -> impl Future<Output = Result<Vec<Uuid>, StoreError>> + Send;

    /// What came of an earlier request of this player under this key.
    fn claim(
        &self,
        player: PlayerKey,
        key: &str,
        claim: &NewClaim,
    ) -> impl Future<Output = Result<Option<Claim>, StoreError>> + Send;

    /// Forgets what came under idempotency keys before this time.
    fn forget_claims(&self, before: u64) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The place of the newest entry among those of all games.
    fn newest_place(&self) -> impl Future<Output = Result<Place, StoreError>> + Send;

    /// The games of a player that have entries behind this place, with the place and the seq of the first of
    /// them; nothing if that can no longer be told.
    fn touched_since(
        &self,
        player: PlayerKey,
        place: Place,
    ) -> impl Future<Output = Result<Option<Vec<Touched>>, StoreError>> + Send;

    /// The keys that signed for what is stored, the newest first.
    fn signing_keys(&self) -> impl Future<Output = Result<Vec<SigningKey>, StoreError>> + Send;

    /// When a server was last there.
    fn pulse(&self) -> impl Future<Output = Result<Option<u64>, StoreError>> + Send;

    /// The server's own key for a purpose.
    fn own_key(&self, purpose: &'static str) -> impl Future<Output = Answer<Option<Vec<u8>>>> + Send;

    /// Where the public tree stands, if it has begun.
    fn tree(&self) -> impl Future<Output = Result<Option<TreeRow>, StoreError>> + Send;

    /// The names and keys under which it was published, the newest first.
    fn tree_keys(&self) -> impl Future<Output = Result<Vec<TreeKey>, StoreError>> + Send;

    /// What is new since it has grown last: each head that is always pinned, and the newest of every other
    /// game that moved; all that there is, if it has not begun. What it is about to have is kept in the log
    /// until it has it.
    fn unpinned(&self) -> impl Future<Output = Result<Unpinned, StoreError>> + Send;

    /// What it has of each of these, as far as it is there.
    fn stretches(
        &self,
        wanted: Vec<Stretch>,
    ) -> impl Future<Output = Result<Vec<Vec<[u8; 32]>>, StoreError>> + Send;

    /// What is pinned of a game.
    fn pinned(&self, game: GameKey) -> impl Future<Output = Result<Option<PinnedRow>, StoreError>> + Send;

    /// Whether there is any game.
    fn has_games(&self) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Whether the store answers, and writes.
    fn ready(&self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// For how long it has not answered.
    fn silent_for(&self) -> Duration;

    /// On how many machines something is when it is acknowledged.
    fn copies(&self) -> u32;

    /// How much more can be stored, if that can be told.
    fn free_bytes(&self) -> Option<u64>;

    /// How many writes wait.
    fn waiting(&self) -> usize;

    /// Returns the commits that took long.
    fn slow_commits(&self) -> &SlowCommits;
}

/// The entries of a game behind a place in the log of all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touched {
    pub key: GameKey,
    pub uuid: Uuid,
    /// The seq of the first of them, and the place of each.
    pub first: u64,
    pub places: Vec<Place>,
}
