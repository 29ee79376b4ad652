//! One of the two stores, whichever the operator has chosen.

use std::{path::Path, time::Duration};

use futures_util::future::Either;
use tokio::sync::mpsc::UnboundedReceiver;
use uuid::Uuid;

use super::{
    BotRow, Claim, DeliveryKey, DeliveryRow, DeviceRow, Entry, ExplorationRow, GameFilter, GameKey, HeardRow,
    Hearing, Held, HookKey, HookRow, Keeper, Known, LinkRow, Listed, Moved, NewClaim, Newest, NoteRow,
    OnCommit, Opening, PinnedRow, Place, PlayerKey, PlayerRow, QuietRow, Recovering, Rung, SeatRow, Seen,
    SigningKey, StoreError, Stretch, SubstitutionRow, Tally, TokenRow, Touched, TreeKey, TreeRow, Turn,
    Unpinned, Write,
    postgres::{self, Postgres},
    slow_commits::SlowCommits,
    sqlite::{self, Sqlite},
};

pub enum Store {
    /// A file of this server's own.
    File(Sqlite),
    /// A database that servers share.
    Server(Postgres),
}

impl Store {
    pub fn open(path: &Path, settings: &sqlite::Settings) -> Result<Self, StoreError> {
        Sqlite::open(path, settings).map(Self::File)
    }

    /// Returns the version of the schema before this start and after.
    pub const fn versions(&self) -> (u32, u32) {
        match self {
            Self::File(file) => file.versions,
            Self::Server(server) => server.versions,
        }
    }

    pub async fn connect(settings: &postgres::Settings) -> Result<Self, StoreError> {
        Postgres::connect(settings).await.map(Self::Server)
    }
}

/// Methods that are only handed on. What is asked of another machine is in a box, or whoever asks a file
/// would have room in itself for a conversation with a server.
macro_rules! hand_on {
    ($(fn $name:ident($($arg:ident: $Arg:ty),*) -> $Answer:ty;)+ $(async fn $later:ident($($larg:ident: $LArg:ty),*) -> $Later:ty;)+) => {
        $(fn $name(&self, $($arg: $Arg),*) -> $Answer {
            match self {
                Self::File(file) => file.$name($($arg),*),
                Self::Server(server) => Keeper::$name(server, $($arg),*),
            }
        })+
        $(async fn $later(&self, $($larg: $LArg),*) -> Result<$Later, StoreError> {
            match self {
                Self::File(file) => file.$later($($larg),*).await,
                Self::Server(server) => Box::pin(Keeper::$later(server, $($larg),*)).await,
            }
        })+
    };
}

impl Keeper for Store {
    fn write_and(
        &self,
        write: Write,
        on_commit: OnCommit,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + use<> {
        match self {
            Self::File(file) => Either::Left(file.write_and(write, on_commit)),
            Self::Server(server) => Either::Right(Box::pin(server.write_and(write, on_commit))),
        }
    }

    fn slow_commits(&self) -> &SlowCommits {
        match self {
            Self::File(file) => file.slow_commits(),
            Self::Server(server) => server.slow_commits(),
        }
    }

    hand_on! {
        fn is_shared() -> bool;
        fn hooks_changed() -> i64;
        fn bells() -> Option<UnboundedReceiver<Rung>>;
        fn new_player_key() -> PlayerKey;
        fn new_game_key() -> GameKey;
        fn new_hook_key() -> HookKey;
        fn new_message_id() -> i64;
        fn silent_for() -> Duration;
        fn copies() -> u32;
        fn free_bytes() -> Option<u64>;
        fn waiting() -> usize;
        fn ring(line: String) -> ();
        async fn look(known: Known) -> Seen;
        async fn places(game: GameKey, first: u64, last: u64) -> Vec<Place>;
        async fn moved_lately() -> Vec<Moved>;
        async fn try_turn(turn: Turn) -> Option<Held>;
        async fn wait_for_turn(turn: Turn) -> Held;
        async fn token(digest: &[u8; 32]) -> Option<(TokenRow, PlayerRow)>;
        async fn tokens(player: PlayerKey) -> Vec<TokenRow>;
        async fn put_ticket(digest: [u8; 32], token: [u8; 32], until: u64) -> ();
        async fn take_ticket(digest: &[u8; 32]) -> Option<([u8; 32], u64)>;
        async fn player_by_code(code: &[u8; 32]) -> Option<Recovering>;
        async fn link(code: &[u8; 32]) -> Option<LinkRow>;
        async fn devices(player: PlayerKey) -> Vec<DeviceRow>;
        async fn tally(player: PlayerKey) -> Vec<Tally>;
        async fn player(uuid: Uuid) -> Option<PlayerRow>;
        async fn machines() -> Vec<PlayerRow>;
        async fn bots(after: Option<PlayerKey>, limit: u32) -> Vec<BotRow>;
        async fn bot_called(name: &str) -> Option<BotRow>;
        async fn offer(player: PlayerKey) -> Option<String>;
        async fn games_of_machines() -> Vec<(Uuid, PlayerKey)>;
        async fn standing_games_of_machines() -> Vec<(Uuid, PlayerKey)>;
        async fn opening(game: Uuid) -> Option<Opening>;
        async fn entries(game: GameKey, first: u64, most: u64) -> Vec<Entry>;
        async fn newest_entry(game: GameKey) -> Option<Newest>;
        async fn games(filter: GameFilter) -> Vec<Listed>;
        async fn game_key(uuid: Uuid) -> Option<GameKey>;
        async fn invited_to(invite: &str) -> Option<Uuid>;
        async fn rematch(game: GameKey) -> Option<Uuid>;
        async fn substitution_by_code(code: &str) -> Option<SubstitutionRow>;
        async fn substitution(game: GameKey, seat: u8) -> Option<SubstitutionRow>;
        async fn seat_of(game: GameKey, player: PlayerKey) -> Option<u8>;
        async fn seats(game: GameKey) -> Vec<SeatRow>;
        async fn exploration(id: Uuid) -> Option<ExplorationRow>;
        async fn forget_explorations(before: u64) -> ();
        async fn forget_deliveries(before: u64, unproved_before: u64) -> ();
        async fn hooks() -> Vec<HookRow>;
        async fn hooks_of_player(player: PlayerKey) -> Vec<HookRow>;
        async fn hooks_of_game(game: GameKey) -> Vec<HookRow>;
        async fn hook(key: HookKey) -> Option<HookRow>;
        async fn hook_by_id(id: Uuid) -> Option<HookRow>;
        async fn deliveries_due(hook: HookKey, now: u64, limit: u32) -> Vec<DeliveryRow>;
        async fn deliveries(hook: HookKey, before: Option<DeliveryKey>, limit: u32) -> Vec<DeliveryRow>;
        async fn delivery(hook: HookKey, message: &str) -> Option<DeliveryRow>;
        async fn hooks_due() -> Vec<(HookKey, u64)>;
        async fn next_due(hook: HookKey) -> Option<u64>;
        async fn quiet(player: PlayerKey) -> QuietRow;
        async fn note(game: GameKey, player: PlayerKey) -> Option<NoteRow>;
        async fn messages(hearing: Hearing, after: i64, limit: u32) -> Vec<HeardRow>;
        async fn count_messages(game: GameKey, most: u32) -> u32;
        async fn mutes(game: GameKey) -> Vec<(PlayerKey, PlayerKey)>;
        async fn active_games(player: PlayerKey) -> u32;
        async fn games_begun(player: PlayerKey, since: u64, most: u32) -> u32;
        async fn open_since_before(at: u64, limit: u32) -> Vec<Uuid>;
        async fn due(now: u64, limit: u32) -> Vec<Uuid>;
        async fn claim(player: PlayerKey, key: &str, claim: &NewClaim) -> Option<Claim>;
        async fn forget_claims(before: u64) -> ();
        async fn newest_place() -> Place;
        async fn touched_since(player: PlayerKey, place: Place) -> Option<Vec<Touched>>;
        async fn signing_keys() -> Vec<SigningKey>;
        async fn pulse() -> Option<u64>;
        async fn own_key(purpose: &'static str) -> Option<Vec<u8>>;
        async fn tree() -> Option<TreeRow>;
        async fn tree_keys() -> Vec<TreeKey>;
        async fn unpinned() -> Unpinned;
        async fn stretches(wanted: Vec<Stretch>) -> Vec<Vec<[u8; 32]>>;
        async fn pinned(game: GameKey) -> Option<PinnedRow>;
        async fn has_games() -> bool;
        async fn ready() -> ();
    }
}
