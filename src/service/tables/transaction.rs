//! Commits: changes are decided in memory, and announced after they are durable.

use std::sync::{Arc, atomic::Ordering};

use serde::Serialize;

use super::{
    Reply,
    game_change::{CompleteChange, GameChange},
};
use crate::{
    service::{
        ServiceError, Tables,
        accounts::bot_to_act,
        aside,
        cost::{self, Work},
        games::{EntryRef, LiveGame, Locked, Player},
        reading::game_view::{GameView, GameWithReceipt},
    },
    store::{NewClaim, OnCommit, StoreError},
};

/// More entries than this are more than a command and its consequences.
const SHORT: u64 = 32;

impl Tables {
    /// Takes a game out of its slot to change it.
    pub(super) fn begin(&self, locked: Locked) -> Result<Box<GameChange>, ServiceError> {
        self.begin_at(locked, self.clock.now())
    }

    pub(super) fn begin_with(&self, live: Box<LiveGame>, locked: Locked) -> Box<GameChange> {
        self.begin_with_at(live, locked, self.clock.now())
    }

    /// Takes a game out of its slot to change it at this time.
    pub(in crate::service) fn begin_at(
        &self,
        locked: Locked,
        now: u64,
    ) -> Result<Box<GameChange>, ServiceError> {
        let (live, locked) = locked.take()?;
        Ok(self.begin_with_at(live, locked, now))
    }

    fn begin_with_at(&self, live: Box<LiveGame>, locked: Locked, now: u64) -> Box<GameChange> {
        let watched = self.feed.hub.watched(live.facts.uuid);
        GameChange::new(live, locked, now, self.limits.reveal_ms, watched)
    }

    /// Decides all consequences. Many of them, as in an abandoned game, are decided outside the serving
    /// threads.
    pub(in crate::service) async fn with_consequences(
        &self,
        mut change: Box<GameChange>,
    ) -> Result<Box<GameChange>, ServiceError> {
        // Boxed: rare, keeps the future small.
        if change.run_consequences(SHORT)? {
            Ok(change)
        } else {
            Box::pin(self.run_consequences_aside(change)).await
        }
    }

    async fn run_consequences_aside(
        &self,
        mut change: Box<GameChange>,
    ) -> Result<Box<GameChange>, ServiceError> {
        let room = Arc::clone(&self.long_changes).acquire_owned().await.map_err(|_| ServiceError::Busy)?;
        // Before any write, refuse a player over budget.
        cost::solvent()?;
        aside(move || {
            let _room = room;
            change.run_consequences(u64::MAX)?;
            Ok(change)
        })
        .await
    }

    /// Writes a change. After the commit the game returns to its slot and the news is announced, even if the
    /// caller has gone. The game stays locked until then: no caller sees what is not on disk.
    ///
    /// `see` collects the answer while the game is at hand. The answer is signed and serialized during the
    /// commit, and leaves after it.
    pub(in crate::service) async fn commit<A: FnOnce() -> T, T: Serialize>(
        &self,
        change: Box<GameChange>,
        claim: Option<(u64, &NewClaim)>,
        see: impl FnOnce(&LiveGame) -> A,
    ) -> Result<Reply, ServiceError> {
        self.notifier.know_hooks().await?;
        let (written, reply) = self.hand_over(*change, claim, see);
        written.await?;
        reply
    }

    /// Queues a change, and serializes the answer while the disk works.
    fn hand_over<A: FnOnce() -> T, T: Serialize>(
        &self,
        change: GameChange,
        claim: Option<(u64, &NewClaim)>,
        see: impl FnOnce(&LiveGame) -> A,
    ) -> (impl Future<Output = Result<(), StoreError>>, Result<Reply, ServiceError>) {
        let (creator, entries) = (change.live.facts.creator, change.count());
        cost::charge(Work::Commit { entries });
        self.entries.fetch_add(entries, Ordering::Relaxed);
        if entries > SHORT {
            // The creator of an abandoned game pays for playing it out.
            cost::charge_player(creator, Work::Commit { entries });
        }
        let CompleteChange { mut live, locked, mut write, news, asked } = change.into_write(claim);
        let mut letters = self.notifier.outbox.letters(&live, &news, self.clock.now());
        letters.join(asked.letters);
        if !letters.is_empty() {
            write = write.and(letters.take());
        }
        let answer = see(&live);
        live.game.forget_last();
        let (hub, post) = (Arc::clone(&self.feed.hub), Arc::clone(&self.notifier.outbox));
        let waiting = bot_to_act(&live).map(|_| (Arc::clone(&self.bot_queue), live.facts.uuid));
        // The caller is answered first, then the watchers.
        let before = Box::new(move || locked.put_back(live));
        let after = Box::new(move |place| {
            hub.tell(news, place);
            asked.notes.iter().for_each(|(player, note)| hub.note(*player, note));
            post.send(&letters);
            if let Some((waiting, game)) = waiting {
                waiting.add(game, creator);
            }
        });
        let written = self.store.write_and(write, OnCommit { before, after });
        (written, Reply::of(&answer()))
    }

    /// Writes a change of a table, and answers with the game and the receipt of the caller's entry.
    pub(super) async fn commit_for(
        &self,
        player: &Player,
        change: Box<GameChange>,
        placed: EntryRef,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let claim = claim.map(|claim| (placed.seq, claim));
        let sealed = change.sealed;
        let see = |live: &LiveGame| {
            let (game, receipt) = (GameView::of(live, Some(player)), live.receipt(placed));
            let seal = sealed.map(|sealed| live.receipt(sealed));
            move || {
                let seal_receipt = seal.map(|seal| self.signer.sign(&seal));
                GameWithReceipt {
                    game: GameView { seal_receipt, ..game },
                    receipt: self.signer.sign(&receipt),
                }
            }
        };
        self.commit(change, claim, see).await
    }
}
