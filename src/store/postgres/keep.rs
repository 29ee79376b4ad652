//! What the service asks of a store, of this one.

use std::sync::{PoisonError, atomic::Ordering};

use tokio::sync::mpsc::UnboundedReceiver;
use uuid::Uuid;

use super::{
    Postgres, append,
    claims::AskClaim,
    columns::{get, whole},
    link::{Fail, again},
    players::AskToken,
};
use crate::store::{
    BotRow, Change, Claim, DeliveryKey, DeliveryRow, DeviceRow, Entry, ExplorationChange, ExplorationRow,
    GameFilter, GameKey, HeardRow, Hearing, Held, HookChange, HookKey, HookRow, Keeper, Known, LinkRow,
    Listed, Moved, NewClaim, Newest, NoteRow, OnCommit, Opening, PinnedRow, Place, PlayerKey, PlayerRow,
    QuietRow, Recovering, Rung, SeatRow, Seen, SigningKey, StoreError, Stretch, SubstitutionRow, Tally,
    TokenRow, Touched, TreeKey, TreeRow, Turn, Unpinned, Write, slow_commits::SlowCommits,
};

/// For how long transactions are known by their names: much longer than one is tried again.
const DONE_MS: i64 = 60 * 60 * 1_000;

impl Keeper for Postgres {
    fn write_and(
        &self,
        write: Write,
        on_commit: OnCommit,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + use<> {
        let queued =
            self.queue.as_ref().ok_or(StoreError::Stopped).and_then(|queue| queue.put(write, on_commit));
        async move { queued?.await.unwrap_or(Err(StoreError::Stopped)) }
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn look(&self, known: Known) -> Result<Seen, StoreError> {
        let (seen, hooks) = self.news.ask(known).await?;
        self.note_hooks(hooks);
        Ok(seen)
    }

    fn hooks_changed(&self) -> i64 {
        self.hooks_changed.load(Ordering::Relaxed)
    }

    fn ring(&self, line: String) {
        let _ = self.ring.send(line);
    }

    fn bells(&self) -> Option<UnboundedReceiver<Rung>> {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    async fn places(&self, game: GameKey, first: u64, last: u64) -> Result<Vec<Place>, StoreError> {
        let query = "SELECT at FROM log WHERE game = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq";
        self.all(query, &[&game, &whole(first), &whole(last)], |row| Ok(Place::Moment(get(row, 0)?))).await
    }

    async fn moved_lately(&self) -> Result<Vec<Moved>, StoreError> {
        self.moved_since(self.at() - super::entries::LATELY_MS).await
    }

    async fn try_turn(&self, turn: Turn) -> Result<Option<Held>, StoreError> {
        Ok(Self::try_turn(self, turn).await?.map(Held::Server))
    }

    async fn wait_for_turn(&self, turn: Turn) -> Result<Held, StoreError> {
        Self::wait_for_turn(self, turn).await.map(Held::Server)
    }

    fn new_player_key(&self) -> PlayerKey {
        PlayerKey(self.numbers.next())
    }

    fn new_game_key(&self) -> GameKey {
        GameKey(self.numbers.next())
    }

    async fn token(&self, digest: &[u8; 32]) -> Result<Option<(TokenRow, PlayerRow)>, StoreError> {
        let (found, hooks) = self.tokens.ask(AskToken(*digest)).await?;
        self.note_hooks(hooks);
        Ok(found)
    }

    async fn tokens(&self, player: PlayerKey) -> Result<Vec<TokenRow>, StoreError> {
        self.tokens_of(player).await
    }

    async fn put_ticket(&self, digest: [u8; 32], token: [u8; 32], until: u64) -> Result<(), StoreError> {
        let put = "INSERT INTO ticket (digest, token, until) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        let (digest, token) = (&digest[..], &token[..]);
        self.reader().execute(put, &[&digest, &token, &whole(until)]).await.map(|_| ())
    }

    async fn take_ticket(&self, digest: &[u8; 32]) -> Result<Option<([u8; 32], u64)>, StoreError> {
        let take = "DELETE FROM ticket WHERE digest = $1 RETURNING token, until";
        self.one(take, &[&&digest[..]], |row| Ok((get(row, 0)?, get(row, 1)?))).await
    }

    async fn player_by_code(&self, code: &[u8; 32]) -> Result<Option<Recovering>, StoreError> {
        self.whose_code(code).await
    }

    async fn link(&self, code: &[u8; 32]) -> Result<Option<LinkRow>, StoreError> {
        self.link_with(code).await
    }

    async fn devices(&self, player: PlayerKey) -> Result<Vec<DeviceRow>, StoreError> {
        self.devices_of(player).await
    }

    async fn tally(&self, player: PlayerKey) -> Result<Vec<Tally>, StoreError> {
        self.tally_of(player).await
    }

    async fn player(&self, uuid: Uuid) -> Result<Option<PlayerRow>, StoreError> {
        self.player_called(uuid).await
    }

    async fn machines(&self) -> Result<Vec<PlayerRow>, StoreError> {
        self.all_machines().await
    }

    async fn bots(&self, after: Option<PlayerKey>, limit: u32) -> Result<Vec<BotRow>, StoreError> {
        self.bots_after(after, limit).await
    }

    async fn bot_called(&self, name: &str) -> Result<Option<BotRow>, StoreError> {
        self.program_called(name).await
    }

    async fn offer(&self, player: PlayerKey) -> Result<Option<String>, StoreError> {
        self.offer_of(player).await
    }

    async fn games_of_machines(&self) -> Result<Vec<(Uuid, PlayerKey)>, StoreError> {
        self.games_with_machines().await
    }

    async fn standing_games_of_machines(&self) -> Result<Vec<(Uuid, PlayerKey)>, StoreError> {
        self.standing_games().await
    }

    async fn opening(&self, game: Uuid) -> Result<Option<Opening>, StoreError> {
        self.open_game(game).await
    }

    async fn entries(&self, game: GameKey, first: u64, most: u64) -> Result<Vec<Entry>, StoreError> {
        self.entries_of(game, first, most).await
    }

    async fn newest_entry(&self, game: GameKey) -> Result<Option<Newest>, StoreError> {
        self.newest_of(game).await
    }

    async fn games(&self, filter: GameFilter) -> Result<Vec<Listed>, StoreError> {
        self.list(&filter).await
    }

    async fn game_key(&self, uuid: Uuid) -> Result<Option<GameKey>, StoreError> {
        self.key_of(uuid).await
    }

    async fn invited_to(&self, invite: &str) -> Result<Option<Uuid>, StoreError> {
        self.game_with(invite).await
    }

    async fn rematch(&self, game: GameKey) -> Result<Option<Uuid>, StoreError> {
        self.rematch_of(game).await
    }

    async fn substitution_by_code(&self, code: &str) -> Result<Option<SubstitutionRow>, StoreError> {
        self.offered_as(code).await
    }

    async fn substitution(&self, game: GameKey, seat: u8) -> Result<Option<SubstitutionRow>, StoreError> {
        self.offered_at(game, seat).await
    }

    async fn seat_of(&self, game: GameKey, player: PlayerKey) -> Result<Option<u8>, StoreError> {
        self.seat_at(game, player).await
    }

    async fn seats(&self, game: GameKey) -> Result<Vec<SeatRow>, StoreError> {
        self.seats_at(game).await
    }

    async fn exploration(&self, id: Uuid) -> Result<Option<ExplorationRow>, StoreError> {
        self.explored(id).await
    }

    async fn forget_explorations(&self, before: u64) -> Result<(), StoreError> {
        if self.has_explorations_before(before).await? {
            self.write(Write::of(Change::Exploration(ExplorationChange::Forget { before }))).await?;
        }
        Ok(())
    }

    async fn forget_deliveries(&self, before: u64, unproved_before: u64) -> Result<(), StoreError> {
        if self.has_deliveries_before(before, unproved_before).await? {
            self.write(Write::of(Change::Hook(HookChange::Forget { before, unproved_before }))).await?;
        }
        Ok(())
    }

    fn new_hook_key(&self) -> HookKey {
        HookKey(self.numbers.next())
    }

    async fn hooks(&self) -> Result<Vec<HookRow>, StoreError> {
        self.hooks_where("ORDER BY id", &[]).await
    }

    async fn hooks_of_player(&self, player: PlayerKey) -> Result<Vec<HookRow>, StoreError> {
        self.hooks_where("WHERE player = $1 ORDER BY id", &[&player]).await
    }

    async fn hooks_of_game(&self, game: GameKey) -> Result<Vec<HookRow>, StoreError> {
        self.hooks_where("WHERE game = $1 ORDER BY id", &[&game]).await
    }

    async fn hook(&self, key: HookKey) -> Result<Option<HookRow>, StoreError> {
        Ok(self.hooks_where("WHERE id = $1", &[&key]).await?.pop())
    }

    async fn hook_by_id(&self, id: Uuid) -> Result<Option<HookRow>, StoreError> {
        Ok(self.hooks_where("WHERE uuid = $1", &[&id]).await?.pop())
    }

    async fn deliveries_due(
        &self,
        hook: HookKey,
        now: u64,
        limit: u32,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        self.hold_due(hook, now, limit).await
    }

    async fn deliveries(
        &self,
        hook: HookKey,
        before: Option<DeliveryKey>,
        limit: u32,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        self.deliveries_of(hook, before, limit).await
    }

    async fn delivery(&self, hook: HookKey, message: &str) -> Result<Option<DeliveryRow>, StoreError> {
        self.delivery_called(hook, message).await
    }

    async fn hooks_due(&self) -> Result<Vec<(HookKey, u64)>, StoreError> {
        self.all_due().await
    }

    async fn next_due(&self, hook: HookKey) -> Result<Option<u64>, StoreError> {
        self.due_next(hook).await
    }

    async fn quiet(&self, player: PlayerKey) -> Result<QuietRow, StoreError> {
        self.quiet_of(player).await
    }

    fn new_message_id(&self) -> i64 {
        self.numbers.next_small(self.minder.at())
    }

    async fn note(&self, game: GameKey, player: PlayerKey) -> Result<Option<NoteRow>, StoreError> {
        self.note_of(game, player).await
    }

    async fn messages(&self, hearing: Hearing, after: i64, limit: u32) -> Result<Vec<HeardRow>, StoreError> {
        self.messages_after(hearing, after, limit).await
    }

    async fn count_messages(&self, game: GameKey, most: u32) -> Result<u32, StoreError> {
        self.messages_of(game, most).await
    }

    async fn mutes(&self, game: GameKey) -> Result<Vec<(PlayerKey, PlayerKey)>, StoreError> {
        self.mutes_at(game).await
    }

    async fn active_games(&self, player: PlayerKey) -> Result<u32, StoreError> {
        self.unfinished_of(player).await
    }

    async fn games_begun(&self, player: PlayerKey, since: u64, most: u32) -> Result<u32, StoreError> {
        self.begun_by(player, since, most).await
    }

    async fn open_since_before(&self, at: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        self.forgotten(at, limit).await
    }

    /// Each is given to one node. Should that die, others have it a while later; should it not, what two do
    /// is done once.
    async fn due(&self, now: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        self.due_games(now, limit).await
    }

    async fn claim(
        &self,
        player: PlayerKey,
        key: &str,
        claim: &NewClaim,
    ) -> Result<Option<Claim>, StoreError> {
        self.claims.ask(AskClaim { player, key: key.to_owned(), claim: claim.clone() }).await
    }

    async fn forget_claims(&self, before: u64) -> Result<(), StoreError> {
        let (before, done) = (before.cast_signed(), self.at() - DONE_MS);
        Ok(again!(self.reader(), link => append::forget(&link, before, done).await.map_err(Fail::Wire))?)
    }

    async fn newest_place(&self) -> Result<Place, StoreError> {
        self.newest_at().await
    }

    async fn touched_since(
        &self,
        player: PlayerKey,
        place: Place,
    ) -> Result<Option<Vec<Touched>>, StoreError> {
        self.touched_after(player, place).await
    }

    async fn signing_keys(&self) -> Result<Vec<SigningKey>, StoreError> {
        let query = "SELECT key, since, statement FROM signing_key ORDER BY id DESC";
        let key = |row: &tokio_postgres::Row| {
            Ok(SigningKey { key: get(row, 0)?, since: get(row, 1)?, statement: super::columns::opt(row, 2)? })
        };
        self.all(query, &[], key).await
    }

    async fn pulse(&self) -> Result<Option<u64>, StoreError> {
        self.one("SELECT at FROM pulse", &[], |row| get(row, 0)).await
    }

    async fn own_key(&self, purpose: &'static str) -> Result<Option<Vec<u8>>, StoreError> {
        self.one("SELECT key FROM own_key WHERE purpose = $1", &[&purpose], |row| get(row, 0)).await
    }

    async fn tree(&self) -> Result<Option<TreeRow>, StoreError> {
        self.tree_row().await
    }

    async fn tree_keys(&self) -> Result<Vec<TreeKey>, StoreError> {
        self.names_of_tree().await
    }

    async fn unpinned(&self) -> Result<Unpinned, StoreError> {
        self.behind_the_tree().await
    }

    async fn stretches(&self, wanted: Vec<Stretch>) -> Result<Vec<Vec<[u8; 32]>>, StoreError> {
        futures_util::future::try_join_all(wanted.into_iter().map(|one| self.stretch(one))).await
    }

    async fn pinned(&self, game: GameKey) -> Result<Option<PinnedRow>, StoreError> {
        self.pinned_of(game).await
    }

    async fn has_games(&self) -> Result<bool, StoreError> {
        self.is("SELECT EXISTS (SELECT 1 FROM game)", &[]).await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.minder.ready()
    }

    fn silent_for(&self) -> std::time::Duration {
        self.minder.silence()
    }

    fn copies(&self) -> u32 {
        self.minder.copies()
    }

    fn free_bytes(&self) -> Option<u64> {
        None
    }

    fn waiting(&self) -> usize {
        self.queue.as_ref().map_or(0, super::Queue::waiting)
    }

    fn slow_commits(&self) -> &SlowCommits {
        &self.slow_commits
    }
}
