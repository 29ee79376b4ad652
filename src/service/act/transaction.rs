//! Changes of a game: done in memory, and durable before anybody is told.

use std::sync::Arc;

use serde::Serialize;

use super::{
    Reply,
    draft::{Draft, Finished},
    machine::machine_to_act,
};
use crate::{
    service::{
        Service, ServiceError,
        game::{LiveGame, Locked, Placed, Player},
        read::game_view::{GameView, GameWithReceipt},
        work::{self, Work},
    },
    store::{Keeper as _, NewClaim, OnCommit, StoreError},
};

/// More entries than this are no longer what a player did and what came of it.
const SHORT: u64 = 32;

impl Service {
    /// Takes a game out of its slot, to change it.
    pub(super) fn draft(&self, locked: Locked) -> Result<Box<Draft>, ServiceError> {
        self.draft_at(locked, self.clock.now())
    }

    pub(super) fn draft_of(&self, live: Box<LiveGame>, locked: Locked) -> Box<Draft> {
        self.draft_of_at(live, locked, self.clock.now())
    }

    /// Takes a game out of its slot, to change it at this time.
    pub(super) fn draft_at(&self, locked: Locked, now: u64) -> Result<Box<Draft>, ServiceError> {
        let (live, locked) = locked.take()?;
        Ok(self.draft_of_at(live, locked, now))
    }

    fn draft_of_at(&self, live: Box<LiveGame>, locked: Locked, now: u64) -> Box<Draft> {
        let watched = self.hub.watched(live.facts.uuid);
        Draft::new(live, locked, now, self.limits.reveal_ms, watched)
    }

    /// Decides all that follows by itself; away from the threads that serve if that is long, as where nobody
    /// plays any more.
    pub(super) async fn settled(&self, mut draft: Box<Draft>) -> Result<Box<Draft>, ServiceError> {
        // Rarely is there more, and every move would have room in itself for it.
        if draft.settle(SHORT)? { Ok(draft) } else { Box::pin(self.settled_aside(draft)).await }
    }

    async fn settled_aside(&self, mut draft: Box<Draft>) -> Result<Box<Draft>, ServiceError> {
        let room = Arc::clone(&self.long_drafts).acquire_owned().await.map_err(|_| ServiceError::Busy)?;
        // Nothing is written yet: who has begun many such games finishes them as fast as it pays.
        work::solvent()?;
        self.aside(move || {
            let _room = room;
            draft.settle(u64::MAX)?;
            Ok(draft)
        })
        .await
    }

    /// Writes a draft. As soon as it is durable the game goes back to its slot and what happened is told,
    /// also if nobody waits for the answer any more. Until then the game is locked, so that nobody meets what
    /// the disk does not hold.
    ///
    /// What is answered is seen before the commit, while the game is at hand; it is signed and written out
    /// while the disk is at work, and leaves after it.
    pub(super) async fn commit<A: FnOnce() -> T, T: Serialize>(
        &self,
        draft: Box<Draft>,
        claim: Option<(u64, &NewClaim)>,
        see: impl FnOnce(&LiveGame) -> A,
    ) -> Result<Reply, ServiceError> {
        self.know_hooks().await?;
        let (written, reply) = self.hand_over(*draft, claim, see);
        written.await?;
        reply
    }

    /// Gives a draft to the store, and writes the answer while the disk is at work.
    fn hand_over<A: FnOnce() -> T, T: Serialize>(
        &self,
        draft: Draft,
        claim: Option<(u64, &NewClaim)>,
        see: impl FnOnce(&LiveGame) -> A,
    ) -> (impl Future<Output = Result<(), StoreError>>, Result<Reply, ServiceError>) {
        let (creator, entries) = (draft.live.facts.creator, draft.count());
        work::charge(Work::Commit { entries });
        if entries > SHORT {
            // A game that nobody plays any more is played out at the cost of whoever began it.
            work::charge_player(creator, Work::Commit { entries });
        }
        let Finished { mut live, locked, mut write, bulletin, asked } = draft.finish(claim);
        let mut letters = self.post.letters(&live, &bulletin, self.clock.now());
        letters.join(asked.letters);
        if !letters.is_empty() {
            write = write.and(letters.take());
        }
        let answer = see(&live);
        live.game.forget_last();
        let (hub, post) = (Arc::clone(&self.hub), Arc::clone(&self.post));
        let waiting = machine_to_act(&live).map(|_| (Arc::clone(&self.waiting), live.facts.uuid));
        // The player who moved is answered first, and then those who watch.
        let before = Box::new(move || locked.put_back(live));
        let after = Box::new(move |place| {
            hub.tell(bulletin, place);
            asked.notes.iter().for_each(|(player, note)| hub.note(*player, note));
            post.send(&letters);
            if let Some((waiting, game)) = waiting {
                waiting.add(game, creator);
            }
        });
        let written = self.store.write_and(write, OnCommit { before, after });
        (written, Reply::of(&answer()))
    }

    /// Writes a change of a table, and answers with the game and the receipt for the caller's own entry.
    pub(super) async fn commit_for(
        &self,
        player: &Player,
        draft: Box<Draft>,
        placed: Placed,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let uuid = draft.live.facts.uuid;
        let claim = claim.map(|claim| (placed.seq, claim));
        let sealed = draft.sealed;
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
        self.commit(draft, claim, see).await.map(|reply| reply.placed_at(uuid))
    }
}
