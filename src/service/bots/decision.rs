//! Decisions of bots: made on the threads of the [`BotPool`], and written at steps of time.

use std::time::{Duration, Instant};

use uuid::Uuid;

use super::{
    Bots,
    pool::{BotPool, Lane},
};
use crate::{
    engine::Seat,
    ledger::{
        entry::{Body, By},
        replay::written,
    },
    rulesets::AnyCommand,
    service::{ServiceError, accounts::bot_to_act, tables::QueuedGame},
    store::PlayerKey,
};

/// Returns the part of its simulated games that a bot plays when many games or other players wait.
fn part(waiting: usize) -> u32 {
    match waiting / BotPool::threads() {
        0..=2 => 1,
        3..=8 => 8,
        9..=24 => 32,
        _ => 128,
    }
}

/// A decision of a bot that is written at a time of its own.
pub struct Decided {
    pub game: Uuid,
    creator: PlayerKey,
    seq: u64,
    seat: Seat,
    command: AnyCommand,
    /// The time of the entry, in milliseconds since 1970; none if it is written at once.
    at: Option<u64>,
}

/// Returns the first step after `since` and not before `now`. It depends on public times only.
const fn next_step(since: u64, now: u64, step: u64) -> u64 {
    let steps = now.saturating_sub(since).div_ceil(step);
    since.saturating_add(step.saturating_mul(if steps == 0 { 1 } else { steps }))
}

impl Bots {
    /// Finds the games in which a bot must act: after a start, and when the queue was full.
    pub async fn find_waiting(&self) -> Result<(), ServiceError> {
        for (game, creator) in self.store.games_of_machines().await? {
            self.bot_queue.add(game, creator);
        }
        Ok(())
    }

    /// Finds quiet games of bots, whose server may be gone.
    pub(in crate::service) async fn adopt_machines(&self) -> Result<(), ServiceError> {
        let Some(peers) = self.store.peers() else { return Ok(()) };
        for (game, creator) in peers.standing_games_of_machines().await? {
            self.bot_queue.add(game, creator);
        }
        Ok(())
    }

    /// Waits for a game with a bot to act, and decides. After a failure the game waits again.
    pub async fn next_decision(&self) -> Result<Option<Decided>, ServiceError> {
        if self.bot_queue.has_more()
            && let Err(error) = self.find_waiting().await
        {
            self.bot_queue.look_again();
            return Err(error);
        }
        let mut turn = self.bot_queue.next().await;
        let QueuedGame { game, creator, waiting } = turn.game;
        let began = Instant::now();
        let decided = self.decide(game, creator, part(waiting)).await;
        turn.rest = BotPool::rest(decided.as_ref().map_or(began.elapsed(), |(_, took)| *took));
        drop(turn);
        match decided {
            Ok((decided, _)) => Ok(decided),
            Err(error) => {
                self.bot_queue.add(game, creator);
                Err(error)
            }
        }
    }

    /// Decides for the bot to act, if there is one. Returns the time of the decision.
    async fn decide(
        &self,
        game: Uuid,
        creator: PlayerKey,
        part: u32,
    ) -> Result<(Option<Decided>, Duration), ServiceError> {
        let locked = self.games.lock(game).await?;
        let live = locked.game()?;
        let nothing = (None, Duration::ZERO);
        let Some((seat, level)) = bot_to_act(live) else { return Ok(nothing) };
        let Some(table) = &live.game.table else { return Ok(nothing) };
        let (seq, since) = (live.game.seq(), live.game.chain.at());
        let thought = table.thought(seat, self.fresh_number()?);
        drop(locked);
        let (command, took) = self.pool.decide(Lane::Game, move || thought.decide(level, part)).await?;
        let command = command.ok_or_else(|| ServiceError::Internal("a bot has no command".into()))?;
        let step = self.limits.bot_step_ms;
        let at = (step > 0).then(|| next_step(since, self.clock.now(), step));
        Ok((Some(Decided { game, creator, seq, seat, command, at }), took))
    }

    /// Returns how long to wait before a decision is written.
    pub fn wait_of(&self, decided: &Decided) -> Duration {
        let wait = decided.at.map_or(0, |at| at.saturating_sub(self.clock.now()));
        Duration::from_millis(wait.min(self.limits.bot_step_ms))
    }

    /// Writes a decision, unless the game has gone on meanwhile.
    pub async fn play_decided(&self, decided: &Decided) -> Result<(), ServiceError> {
        let locked = self.tables.act_if_due(self.games.lock(decided.game).await?).await?;
        if locked.game()?.game.seq() != decided.seq {
            // The entry that came in between has put the game back into the queue, if a bot must still act.
            return Ok(());
        }
        let Decided { seat, command, at, .. } = decided;
        let mut change = self.tables.begin_at(locked, at.unwrap_or_else(|| self.clock.now()))?;
        change.submit(&Body::cmd(seat.number().into(), By::Player, written(command)?), command)?;
        change = self.tables.with_consequences(change).await?;
        self.tables.commit(change, None, |_| || ()).await.map(|_| ())
    }

    /// Puts a game whose decision could not be written back into the queue.
    pub fn decide_again(&self, decided: &Decided) {
        self.bot_queue.add(decided.game, decided.creator);
    }

    /// An unpredictable number.
    pub(super) fn fresh_number(&self) -> Result<u64, ServiceError> {
        let bytes = self.entropy.bytes()?;
        Ok(bytes.first_chunk().map_or(0, |chunk| u64::from_be_bytes(*chunk)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_acts_at_steps_of_time_and_at_no_other() {
        for (now, at) in [(900, 1_300), (1_000, 1_300), (1_300, 1_300), (1_301, 1_600), (2_000, 2_200)] {
            assert_eq!(next_step(1_000, now, 300), at, "decided at {now}");
        }
    }

    #[test]
    fn the_more_games_wait_the_less_is_imagined_of_each() {
        let parts: Vec<u32> = [0, 5, 20, 4_000].map(|waiting| part(waiting * BotPool::threads())).to_vec();
        assert!(parts.is_sorted() && parts[0] == 1 && parts[3] > parts[1], "{parts:?}");
    }
}
