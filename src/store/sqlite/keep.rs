//! What the service asks of a store, of this one. Looking one row up is done at once; what reads more is done
//! on a thread that may wait for the disk.

use std::{
    sync::{PoisonError, atomic::Ordering},
    time::Duration,
};

use tokio::sync::mpsc::UnboundedReceiver;

use uuid::Uuid;

use super::{Reads, Sqlite, queue::Work, space};
use crate::store::{
    BotRow, Change, Claim, DeliveryKey, DeliveryRow, DeviceRow, Entry, ExplorationChange, ExplorationRow,
    GameFilter, GameKey, HeardRow, Hearing, Held, HookChange, HookKey, HookRow, Keeper, Known, LinkRow,
    Listed, Moved, NewClaim, Newest, NoteRow, OnCommit, Opening, PinnedRow, Place, PlayerKey, PlayerRow,
    QuietRow, Recovering, Rung, SeatRow, Seen, SigningKey, StoreError, Stretch, SubstitutionRow, Tally,
    TokenRow, TreeKey, TreeRow, Turn, Unpinned, Write, keeper::Touched, slow_commits::SlowCommits,
};

impl Keeper for Sqlite {
    fn write_and(
        &self,
        write: Write,
        on_commit: OnCommit,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + use<> {
        let queued = self.queue.put(Work::Write(write), on_commit);
        async move { queued?.outcome().await }
    }

    fn is_shared(&self) -> bool {
        false
    }

    async fn look(&self, _: Known) -> Result<Seen, StoreError> {
        Ok(Seen::Same)
    }

    fn hooks_changed(&self) -> i64 {
        0
    }

    fn ring(&self, _: String) {}

    fn bells(&self) -> Option<UnboundedReceiver<Rung>> {
        None
    }

    async fn places(&self, game: GameKey, first: u64, last: u64) -> Result<Vec<Place>, StoreError> {
        let rows = self.reads.index.rows(game);
        Ok(rows.between(first, last.saturating_add(1)).map(Place::Row).collect())
    }

    async fn moved_lately(&self) -> Result<Vec<Moved>, StoreError> {
        Ok(Vec::new())
    }

    async fn try_turn(&self, _: Turn) -> Result<Option<Held>, StoreError> {
        Ok(Some(Held::File))
    }

    async fn wait_for_turn(&self, _: Turn) -> Result<Held, StoreError> {
        Ok(Held::File)
    }

    fn new_player_key(&self) -> PlayerKey {
        PlayerKey(self.next_player.fetch_add(1, Ordering::Relaxed))
    }

    fn new_game_key(&self) -> GameKey {
        GameKey(self.next_game.fetch_add(1, Ordering::Relaxed))
    }

    async fn token(&self, digest: &[u8; 32]) -> Result<Option<(TokenRow, PlayerRow)>, StoreError> {
        self.reads.token(digest)
    }

    async fn tokens(&self, player: PlayerKey) -> Result<Vec<TokenRow>, StoreError> {
        self.reads.tokens(player)
    }

    async fn put_ticket(&self, digest: [u8; 32], token: [u8; 32], until: u64) -> Result<(), StoreError> {
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner).put(digest, (token, until));
        Ok(())
    }

    async fn take_ticket(&self, digest: &[u8; 32]) -> Result<Option<([u8; 32], u64)>, StoreError> {
        Ok(self.tickets.lock().unwrap_or_else(PoisonError::into_inner).pop(digest))
    }

    async fn player_by_code(&self, code: &[u8; 32]) -> Result<Option<Recovering>, StoreError> {
        self.reads.player_by_code(code)
    }

    async fn link(&self, code: &[u8; 32]) -> Result<Option<LinkRow>, StoreError> {
        self.reads.link(code)
    }

    async fn devices(&self, player: PlayerKey) -> Result<Vec<DeviceRow>, StoreError> {
        self.reads.devices(player)
    }

    async fn tally(&self, player: PlayerKey) -> Result<Vec<Tally>, StoreError> {
        self.reads.tally(player)
    }

    async fn player(&self, uuid: Uuid) -> Result<Option<PlayerRow>, StoreError> {
        self.reads.player(uuid)
    }

    async fn machines(&self) -> Result<Vec<PlayerRow>, StoreError> {
        self.reads.machines()
    }

    async fn bots(&self, after: Option<PlayerKey>, limit: u32) -> Result<Vec<BotRow>, StoreError> {
        self.reads.bots(after, limit)
    }

    async fn bot_called(&self, name: &str) -> Result<Option<BotRow>, StoreError> {
        self.reads.bot_called(name)
    }

    async fn offer(&self, player: PlayerKey) -> Result<Option<String>, StoreError> {
        self.reads.offer(player)
    }

    async fn games_of_machines(&self) -> Result<Vec<(Uuid, PlayerKey)>, StoreError> {
        self.read_aside(Reads::games_of_machines).await
    }

    async fn standing_games_of_machines(&self) -> Result<Vec<(Uuid, PlayerKey)>, StoreError> {
        Ok(Vec::new())
    }

    async fn opening(&self, game: Uuid) -> Result<Option<Opening>, StoreError> {
        self.read_aside(move |reads| reads.opening(game)).await
    }

    async fn entries(&self, game: GameKey, first: u64, most: u64) -> Result<Vec<Entry>, StoreError> {
        self.read_aside(move |reads| reads.entries(game, first, most)).await
    }

    async fn newest_entry(&self, game: GameKey) -> Result<Option<Newest>, StoreError> {
        self.read_aside(move |reads| reads.newest_entry(game)).await
    }

    async fn games(&self, filter: GameFilter) -> Result<Vec<Listed>, StoreError> {
        self.read_aside(move |reads| reads.games(&filter)).await
    }

    async fn game_key(&self, uuid: Uuid) -> Result<Option<GameKey>, StoreError> {
        self.reads.game_key(uuid)
    }

    async fn invited_to(&self, invite: &str) -> Result<Option<Uuid>, StoreError> {
        self.reads.invited_to(invite)
    }

    async fn rematch(&self, game: GameKey) -> Result<Option<Uuid>, StoreError> {
        self.reads.rematch(game)
    }

    async fn substitution_by_code(&self, code: &str) -> Result<Option<SubstitutionRow>, StoreError> {
        self.reads.substitution_by_code(code)
    }

    async fn substitution(&self, game: GameKey, seat: u8) -> Result<Option<SubstitutionRow>, StoreError> {
        self.reads.substitution(game, seat)
    }

    async fn seat_of(&self, game: GameKey, player: PlayerKey) -> Result<Option<u8>, StoreError> {
        self.reads.seat_of(game, player)
    }

    async fn seats(&self, game: GameKey) -> Result<Vec<SeatRow>, StoreError> {
        self.reads.seats(game)
    }

    async fn forget_deliveries(&self, before: u64, unproved_before: u64) -> Result<(), StoreError> {
        let is_any = move |reads: &Reads| reads.has_deliveries_before(before, unproved_before);
        if !self.read_aside(is_any).await? {
            return Ok(());
        }
        self.write(Write::of(Change::Hook(HookChange::Forget { before, unproved_before }))).await
    }

    fn new_hook_key(&self) -> HookKey {
        HookKey(self.next_hook.fetch_add(1, Ordering::Relaxed))
    }

    async fn hooks(&self) -> Result<Vec<HookRow>, StoreError> {
        self.read_aside(Reads::hooks).await
    }

    async fn hooks_of_player(&self, player: PlayerKey) -> Result<Vec<HookRow>, StoreError> {
        self.reads.hooks_of_player(player)
    }

    async fn hooks_of_game(&self, game: GameKey) -> Result<Vec<HookRow>, StoreError> {
        self.reads.hooks_of_game(game)
    }

    async fn hook(&self, key: HookKey) -> Result<Option<HookRow>, StoreError> {
        self.reads.hook(key)
    }

    async fn hook_by_id(&self, id: Uuid) -> Result<Option<HookRow>, StoreError> {
        self.reads.hook_by_id(id)
    }

    async fn deliveries_due(
        &self,
        hook: HookKey,
        now: u64,
        limit: u32,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        self.reads.deliveries_due(hook, now, limit)
    }

    async fn deliveries(
        &self,
        hook: HookKey,
        before: Option<DeliveryKey>,
        limit: u32,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        self.reads.deliveries(hook, before, limit)
    }

    async fn delivery(&self, hook: HookKey, message: &str) -> Result<Option<DeliveryRow>, StoreError> {
        self.reads.delivery(hook, message)
    }

    async fn hooks_due(&self) -> Result<Vec<(HookKey, u64)>, StoreError> {
        self.read_aside(Reads::hooks_due).await
    }

    async fn next_due(&self, hook: HookKey) -> Result<Option<u64>, StoreError> {
        self.reads.next_due(hook)
    }

    async fn quiet(&self, player: PlayerKey) -> Result<QuietRow, StoreError> {
        self.reads.quiet(player)
    }

    fn new_message_id(&self) -> i64 {
        self.next_message.fetch_add(1, Ordering::Relaxed)
    }

    async fn note(&self, game: GameKey, player: PlayerKey) -> Result<Option<NoteRow>, StoreError> {
        self.reads.note(game, player)
    }

    async fn messages(&self, hearing: Hearing, after: i64, limit: u32) -> Result<Vec<HeardRow>, StoreError> {
        self.read_aside(move |reads| reads.messages(hearing, after, limit)).await
    }

    async fn count_messages(&self, game: GameKey, most: u32) -> Result<u32, StoreError> {
        self.reads.count_messages(game, most)
    }

    async fn mutes(&self, game: GameKey) -> Result<Vec<(PlayerKey, PlayerKey)>, StoreError> {
        self.reads.mutes(game)
    }

    async fn active_games(&self, player: PlayerKey) -> Result<u32, StoreError> {
        self.reads.active_games(player)
    }

    async fn games_begun(&self, player: PlayerKey, since: u64, most: u32) -> Result<u32, StoreError> {
        self.reads.games_begun(player, since, most)
    }

    async fn open_since_before(&self, at: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        self.reads.open_since_before(at, limit)
    }

    async fn due(&self, now: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        self.reads.due(now, limit)
    }

    async fn claim(
        &self,
        player: PlayerKey,
        key: &str,
        claim: &NewClaim,
    ) -> Result<Option<Claim>, StoreError> {
        self.reads.claim(player, key, claim)
    }

    async fn exploration(&self, id: Uuid) -> Result<Option<ExplorationRow>, StoreError> {
        self.reads.exploration(id)
    }

    async fn forget_explorations(&self, before: u64) -> Result<(), StoreError> {
        if self.reads.has_explorations_before(before)? {
            let forget = ExplorationChange::Forget { before };
            self.write(Write::of(Change::Exploration(forget))).await?;
        }
        Ok(())
    }

    async fn forget_claims(&self, before: u64) -> Result<(), StoreError> {
        while self.reads.has_claims_before(before)? {
            self.queue.put(Work::ForgetClaims { before }, OnCommit::nothing())?.outcome().await?;
        }
        Ok(())
    }

    async fn newest_place(&self) -> Result<Place, StoreError> {
        self.reads.newest_row().map(Place::Row)
    }

    async fn touched_since(
        &self,
        player: PlayerKey,
        place: Place,
    ) -> Result<Option<Vec<Touched>>, StoreError> {
        let Place::Row(row) = place else { return Ok(None) };
        self.read_aside(move |reads| reads.touched_since(player, row)).await
    }

    async fn signing_keys(&self) -> Result<Vec<SigningKey>, StoreError> {
        self.reads.signing_keys()
    }

    async fn pulse(&self) -> Result<Option<u64>, StoreError> {
        self.reads.pulse()
    }

    async fn own_key(&self, purpose: &'static str) -> Result<Option<Vec<u8>>, StoreError> {
        self.reads.own_key(purpose)
    }

    async fn tree(&self) -> Result<Option<TreeRow>, StoreError> {
        self.reads.tree()
    }

    async fn tree_keys(&self) -> Result<Vec<TreeKey>, StoreError> {
        self.reads.tree_keys()
    }

    async fn unpinned(&self) -> Result<Unpinned, StoreError> {
        self.read_aside(Reads::unpinned).await
    }

    async fn stretches(&self, wanted: Vec<Stretch>) -> Result<Vec<Vec<[u8; 32]>>, StoreError> {
        self.read_aside(move |reads| wanted.into_iter().map(|one| reads.stretch(one)).collect()).await
    }

    async fn pinned(&self, game: GameKey) -> Result<Option<PinnedRow>, StoreError> {
        self.reads.pinned(game)
    }

    async fn has_games(&self) -> Result<bool, StoreError> {
        self.reads.has_games()
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.reads.newest_row()?;
        if self.reads.index.is_failing() {
            // Somebody must write to find out that it can be done again.
            self.queue.put(Work::Probe, OnCommit::nothing())?.outcome().await?;
        }
        Ok(())
    }

    fn silent_for(&self) -> Duration {
        Duration::ZERO
    }

    fn copies(&self) -> u32 {
        1
    }

    fn free_bytes(&self) -> Option<u64> {
        space::free_bytes(&self.path)
    }

    fn waiting(&self) -> usize {
        self.queue.waiting()
    }

    fn slow_commits(&self) -> &SlowCommits {
        &self.slow_commits
    }
}
