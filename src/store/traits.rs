//! The contract of a store, a trait for each noun. Each backend implements a trait next to its SQL.

use uuid::Uuid;

use super::{
    AppRow, BotRow, ClaimOutcome, DeliveryKey, DeliveryRow, DeviceCodeRow, DeviceRow, Entry, ExplorationRow,
    GameFilter, GameKey, HashRange, HeardRow, Hearing, HookKey, HookRow, Listed, LogPosition, NewClaim,
    Newest, NoteRow, OnCommit, Opening, PinnedRow, PlayerKey, PlayerRow, QuietRow, Recovering, RefreshedApp,
    RulesetRecord, SeatRow, SigningKey, Store, StoreError, SubstitutionRow, TokenOfPlayer, TokenRow, Touched,
    TreeKey, TreeRow, Unpinned, Write, backend::contract, slow_commits::SlowCommits,
};

/// Writes of the store. A write is atomic, and durable when its future resolves.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use playledger::store::{Change, GameFilter, Store, Write, sqlite::Settings};
///
/// let folder = tempfile::tempdir().unwrap();
/// let store = Store::open(&folder.path().join("games.db"), &Settings::default()).unwrap();
///
/// store.write(Write::of(Change::AddSigningKey { key: "example.org+1+2".into(), at: 1 })).await.unwrap();
/// assert_eq!(store.signing_keys().await.unwrap().len(), 1);
/// assert!(store.games(GameFilter::default()).await.unwrap().is_empty());
/// # });
/// ```
pub trait Database {
    /// Queues a write; the future resolves once it is durable.
    fn write_and(
        &self,
        write: Write,
        on_commit: OnCommit,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + use<Self>;

    fn write(&self, write: Write) -> impl Future<Output = Result<(), StoreError>> + Send + use<Self> {
        self.write_and(write, OnCommit::nothing())
    }

    fn slow_commits(&self) -> &SlowCommits;
}

contract! {
    /// Whether the store works, and how busy it is.
    pub trait Health {
        sync {
            /// Returns the free space in bytes, if it is known.
            fn free_bytes() -> Option<u64>;
            /// Returns the number of writes that wait.
            fn waiting() -> usize;
        }
        /// Fails unless the store answers and writes.
        async fn ready() -> ();
    }
}

contract! {
    /// Players, tokens, codes, devices and bots.
    pub trait AccountStore {
        sync {
            /// Returns the key for a new player.
            fn new_player_key() -> PlayerKey;
        }
        /// Returns the token with this SHA-256, with its player.
        async fn token(digest: &[u8; 32]) -> Option<TokenOfPlayer>;
        /// Returns the tokens of a player that belong to no app, oldest first.
        async fn tokens(player: PlayerKey) -> Vec<TokenRow>;
        /// Stores a ticket for a token, by the SHA-256 of both.
        async fn put_ticket(digest: [u8; 32], token: [u8; 32], until: u64) -> ();
        /// Removes a ticket, and returns its token and its end.
        async fn take_ticket(digest: &[u8; 32]) -> Option<([u8; 32], u64)>;
        /// Returns the player whose recovery code has this SHA-256, and the nonce of a recovery that has
        /// begun.
        async fn player_by_code(code: &[u8; 32]) -> Option<Recovering>;
        /// Returns the device code with this SHA-256.
        async fn link(code: &[u8; 32]) -> Option<DeviceCodeRow>;
        /// Returns the app of a code.
        async fn app_by_code(code: &[u8; 32]) -> Option<(AppRow, PlayerRow)>;
        /// Returns the app of a refresh token.
        async fn app_by_refresh(refresh: &[u8; 32]) -> Option<RefreshedApp>;
        /// Returns the connected apps of a player, oldest first.
        async fn apps(player: PlayerKey) -> Vec<AppRow>;
        /// Returns the device statements of a player, oldest first.
        async fn devices(player: PlayerKey) -> Vec<DeviceRow>;
        /// Returns the results of a player, by ruleset.
        async fn tally(player: PlayerKey) -> Vec<RulesetRecord>;
        /// Returns the player with this id.
        async fn player(uuid: Uuid) -> Option<PlayerRow>;
        /// Returns the built-in bots.
        async fn machines() -> Vec<PlayerRow>;
        /// Returns bots after one of them, oldest first.
        async fn bots(after: Option<PlayerKey>, limit: u32) -> Vec<BotRow>;
        /// Returns the player's bot with this name.
        async fn bot_called(name: &str) -> Option<BotRow>;
        /// Returns the games that a bot accepts, as JSON.
        async fn offer(player: PlayerKey) -> Option<String>;
    }
}

contract! {
    /// Games and their seats.
    pub trait GameStore {
        sync {
            /// Returns the key for a new game.
            fn new_game_key() -> GameKey;
        }
        /// Returns the key of a game.
        async fn game_key(uuid: Uuid) -> Option<GameKey>;
        /// Returns all rows and entries of a game.
        async fn opening(game: Uuid) -> Option<Opening>;
        /// Returns a list of games, newest first.
        async fn games(filter: GameFilter) -> Vec<Listed>;
        /// Returns the running games with built-in bots, each with its creator.
        async fn games_of_machines() -> Vec<(Uuid, PlayerKey)>;
        /// Returns the game of an invite code.
        async fn invited_to(invite: &str) -> Option<Uuid>;
        /// Returns the rematch of a game, unless it was cancelled.
        async fn rematch(game: GameKey) -> Option<Uuid>;
        /// Returns the seat of a player in a game.
        async fn seat_of(game: GameKey, player: PlayerKey) -> Option<u8>;
        /// Returns the seats of a game.
        async fn seats(game: GameKey) -> Vec<SeatRow>;
        /// Returns the number of unfinished games of a player.
        async fn active_games(player: PlayerKey) -> u32;
        /// Returns how many games a player has created since a time, counted up to `most`.
        async fn games_begun(player: PlayerKey, since: u64, most: u32) -> u32;
        /// Returns games that opened before a time and are still open, oldest first.
        async fn open_since_before(at: u64, limit: u32) -> Vec<Uuid>;
        /// Returns games past their deadline, most overdue first. On PostgreSQL, each goes to one server; if
        /// the server dies, others get the game a while later.
        async fn due(now: u64, limit: u32) -> Vec<Uuid>;
        /// Returns whether there is any game.
        async fn has_games() -> bool;
    }
}

contract! {
    /// Seats that are offered to another player.
    pub trait SubstitutionStore {
        /// Returns the offer with this code.
        async fn substitution_by_code(code: &str) -> Option<SubstitutionRow>;
        /// Returns the offer of a seat.
        async fn substitution(game: GameKey, seat: u8) -> Option<SubstitutionRow>;
    }
}

contract! {
    /// Explorations.
    pub trait ExplorationStore {
        async fn exploration(id: Uuid) -> Option<ExplorationRow>;
        /// Deletes explorations that were last used before a time.
        async fn forget_explorations(before: u64) -> ();
    }
}

contract! {
    /// The log of all games.
    pub trait LogStore {
        /// Returns the entries of a game from `first` on, at most this many.
        async fn entries(game: GameKey, first: u64, most: u64) -> Vec<Entry>;
        /// Returns the last entry of a game.
        async fn newest_entry(game: GameKey) -> Option<Newest>;
        /// Returns the position of the newest entry.
        async fn newest_place() -> LogPosition;
        /// Returns the games of a player with entries after a position, or `None` if that is no longer known.
        async fn touched_since(player: PlayerKey, place: LogPosition) -> Option<Vec<Touched>>;
    }
}

contract! {
    /// Idempotency keys.
    pub trait ClaimStore {
        /// Returns the outcome of a player's earlier request with this key.
        async fn claim(player: PlayerKey, key: &str, claim: &NewClaim) -> Option<ClaimOutcome>;
        /// Deletes keys from before a time.
        async fn forget_claims(before: u64) -> ();
    }
}

contract! {
    /// Notification hooks and their deliveries.
    pub trait HookStore {
        sync {
            /// Returns the key for a new hook.
            fn new_hook_key() -> HookKey;
        }
        /// Returns all hooks, oldest first.
        async fn hooks() -> Vec<HookRow>;
        /// Returns the hooks of a player, including those for one game.
        async fn hooks_of_player(player: PlayerKey) -> Vec<HookRow>;
        async fn hooks_of_game(game: GameKey) -> Vec<HookRow>;
        async fn hook(key: HookKey) -> Option<HookRow>;
        async fn hook_by_id(id: Uuid) -> Option<HookRow>;
        /// Returns the due deliveries of a hook, longest due first.
        async fn deliveries_due(hook: HookKey, now: u64, limit: u32) -> Vec<DeliveryRow>;
        /// Returns the deliveries of a hook before one of them, newest first.
        async fn deliveries(hook: HookKey, before: Option<DeliveryKey>, limit: u32) -> Vec<DeliveryRow>;
        async fn delivery(hook: HookKey, message: &str) -> Option<DeliveryRow>;
        /// Returns the hooks with deliveries, and when the first is due.
        async fn hooks_due() -> Vec<(HookKey, u64)>;
        /// Returns when the next delivery of a hook is due.
        async fn next_due(hook: HookKey) -> Option<u64>;
        /// Returns the quiet hours of a player.
        async fn quiet(player: PlayerKey) -> QuietRow;
        /// Deletes settled deliveries from before a time, and hooks that were not confirmed by another.
        async fn forget_deliveries(before: u64, unproved_before: u64) -> ();
    }
}

contract! {
    /// Private notes and messages.
    pub trait TalkStore {
        sync {
            /// Returns the id for a new message.
            fn new_message_id() -> i64;
        }
        async fn note(game: GameKey, player: PlayerKey) -> Option<NoteRow>;
        /// Returns the messages after an id, without those of muted players.
        async fn messages(hearing: Hearing, after: i64, limit: u32) -> Vec<HeardRow>;
        /// Returns the number of messages of a game, counted up to `most`.
        async fn count_messages(game: GameKey, most: u32) -> u32;
        /// Returns pairs of a player and a muted player.
        async fn mutes(game: GameKey) -> Vec<(PlayerKey, PlayerKey)>;
    }
}

contract! {
    /// The public tree.
    pub trait TreeStore {
        /// Returns the state of the tree, if it exists.
        async fn tree() -> Option<TreeRow>;
        /// Returns the names and keys of the tree, newest first.
        async fn tree_keys() -> Vec<TreeKey>;
        /// Returns the heads that are new since the last growth: each landmark, and the newest head of every
        /// other game that moved; all heads, if there is no tree. The log keeps these entries until then.
        async fn unpinned() -> Unpinned;
        /// Returns the stored hashes of each stretch.
        async fn stretches(wanted: Vec<HashRange>) -> Vec<Vec<[u8; 32]>>;
        /// Returns the newest published entry of a game.
        async fn pinned(game: GameKey) -> Option<PinnedRow>;
    }
}

contract! {
    /// Keys of the server, each with the last time of a running server.
    pub trait KeyStore {
        /// Returns the keys that have signed, newest first.
        async fn signing_keys() -> Vec<SigningKey>;
        /// Returns the server's own key for a purpose.
        async fn own_key(purpose: &'static str) -> Option<Vec<u8>>;
        /// Returns when a server was last running.
        async fn pulse() -> Option<u64>;
    }
}
