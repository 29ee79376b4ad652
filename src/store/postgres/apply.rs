//! A write in its own transaction.

use uuid::Uuid;

use super::{
    accounts, append,
    columns::{Int, whole},
    explorations,
    failure::doubled,
    hooks,
    link::{Fail, Link, Value},
    number::Numbers,
    small, substitutions, talk,
    transaction::{Transaction, note_again},
    tree,
};
use crate::{
    store::{Change, GameFacts, GameKey, StoreError, Write, sql},
    words::{Ending, PlayedBy, Status},
};

/// Carries out a write. A committed transaction with this id is not repeated.
pub async fn carry_out(
    link: &Link,
    numbers: &Numbers,
    (id, at): (Uuid, i64),
    write: &Write,
) -> Result<(), Fail> {
    link.run("BEGIN").await?;
    let transaction = Transaction { link, numbers, at };
    let done = match transaction.note(id).await {
        Ok(()) => transaction.apply(write).await,
        failed => failed,
    };
    match done {
        Ok(()) => Ok(link.run("COMMIT").await?),
        Err(Fail::Wire(error)) if doubled(&error) == Some("done_pkey") => {
            link.run("ROLLBACK").await?;
            Ok(note_again(link, at).await?)
        }
        Err(fail) => {
            // If this fails too, the connection and its transaction are lost.
            let _ = link.run("ROLLBACK").await;
            Err(fail)
        }
    }
}

impl Transaction<'_> {
    async fn apply(&self, write: &Write) -> Result<(), Fail> {
        // Entries first: they show whether the writer's copy of the game is current.
        let (appends, others): (Vec<_>, Vec<_>) =
            write.changes.iter().partition(|change| matches!(change, Change::Append { .. }));
        for change in appends.into_iter().chain(others) {
            self.apply_one(change).await?;
        }
        Ok(())
    }

    async fn apply_one(&self, change: &Change) -> Result<(), Fail> {
        match change {
            Change::Append { game, entries, claim } => {
                append::one(self, *game, entries, claim.as_ref()).await
            }
            Change::Account(change) => accounts::apply(self, change).await,
            Change::Talk(change) => talk::apply(self, change).await,
            Change::Small(change) => small::apply(self, change).await,
            Change::Substitution(change) => substitutions::apply(self, change).await,
            Change::Exploration(change) => explorations::apply(self, change).await,
            Change::Hook(change) => hooks::apply(self, change).await,
            Change::Tree(change) => tree::apply(self, change).await,
            Change::AddGame(game) => self.add_game(game).await,
            Change::KeepAnswer(answer) => append::keep(self, answer).await,
            Change::SetNewest { game, newest } => {
                let set = sql::SET_NEWEST.postgres;
                self.must(set, &[game, &whole(newest.seq), &&newest.head[..]], "the game is not there").await
            }
            Change::SetDeadline { game, at: Some(at) } => {
                let set = "INSERT INTO due (game, at) VALUES ($1, $2)
                    ON CONFLICT (game) DO UPDATE SET at = excluded.at, held_until = 0";
                self.run(set, &[game, &whole(*at)]).await.map(|_| ())
            }
            Change::SetDeadline { game, at: None } => {
                self.run("DELETE FROM due WHERE game = $1", &[game]).await.map(|_| ())
            }
            Change::SetStatus { game, status, at, ended } => {
                self.set_status(*game, *status, *at, ended.as_ref()).await
            }
            Change::AddSigningKey { key, at } => {
                self.run(sql::DELETE_SIGNING_KEY.postgres, &[key]).await?;
                let add = "INSERT INTO signing_key (id, key, since)
                    SELECT coalesce(max(id), 0) + 1, $1, $2 FROM signing_key";
                self.run(add, &[key, &whole(*at)]).await.map(|_| ())
            }
            Change::AddOwnKey { purpose, key } => {
                self.run(sql::ADD_OWN_KEY.postgres, &[purpose, key]).await.map(|_| ())
            }
            Change::Beat { at } => {
                let beat = "INSERT INTO pulse (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at";
                self.run(beat, &[&whole(*at)]).await.map(|_| ())
            }
            Change::EndSigningKey { key, statement } => {
                let end = sql::END_SIGNING_KEY.postgres;
                self.must(end, &[key, statement], "the key is not there, or has ended before").await
            }
            change => self.apply_to_seat(change).await,
        }
    }

    async fn apply_to_seat(&self, change: &Change) -> Result<(), Fail> {
        const FREE: &str = "the seat is free";
        let game = match change {
            Change::TakeSeat { game, seat, player, share } => {
                let take = sql::TAKE_SEAT.postgres;
                self.must(
                    take,
                    &[game, &Int((*seat).into()), player, &share.word()],
                    "the game is not there",
                )
                .await?;
                game
            }
            Change::FreeSeat { game, seat } => {
                let free = sql::FREE_SEAT.postgres;
                self.must(free, &[game, &Int((*seat).into())], FREE).await?;
                game
            }
            Change::SetShare { game, seat, share } => {
                let set = sql::SET_SHARE.postgres;
                return self.must(set, &[game, &Int((*seat).into()), &share.word()], FREE).await;
            }
            Change::SetPlayedBy { game, seat, played_by } => {
                let control = if *played_by == PlayedBy::Player { "player" } else { "autopilot" };
                let resigned = *played_by == PlayedBy::Resigned;
                let set = "UPDATE seat SET control = $3, resigned = $4 WHERE game = $1 AND seat = $2";
                return self.must(set, &[game, &Int((*seat).into()), &control, &resigned], FREE).await;
            }
            Change::HandSeat { game, seat, player } => {
                let hand = "UPDATE seat SET player = $3, control = 'player', resigned = false WHERE game = $1 AND seat = $2";
                self.must(hand, &[game, &Int((*seat).into()), player], FREE).await?;
                game
            }
            Change::SetPlan { game, seat, plan: Some((player, plan)) } => {
                let set = "INSERT INTO plan (game, seat, player, plan) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (game, seat) DO UPDATE SET player = excluded.player, plan = excluded.plan";
                self.run(set, &[game, &Int((*seat).into()), player, plan]).await?;
                game
            }
            Change::SetPlan { game, seat, plan: None } => {
                self.run(sql::DELETE_PLAN.postgres, &[game, &Int((*seat).into())]).await?;
                game
            }
            _ => return Ok(()),
        };
        self.run("UPDATE game SET beside = beside + 1 WHERE id = $1", &[game]).await.map(|_| ())
    }

    async fn set_status(
        &self,
        game: GameKey,
        status: Status,
        at: u64,
        ended: Option<&(Ending, Option<String>)>,
    ) -> Result<(), Fail> {
        let (started, finished) = match status {
            Status::Open => return Err(StoreError::Contradiction("a game does not open again".into()).into()),
            Status::Sealed => (None, None),
            Status::Running => (Some(whole(at)), None),
            Status::Finished | Status::Void => (None, Some(whole(at))),
        };
        let (ending, result) =
            (ended.map(|(ending, _)| ending.word()), ended.and_then(|(_, result)| result.as_deref()));
        // A game that has ended keeps its status.
        let set = sql::SET_STATUS.postgres;
        let values: [Value<'_>; 6] = [&game, &status.word(), &result, &started, &finished, &ending];
        self.must(set, &values, "the game is over or not there").await?;
        self.run(sql::SET_STATUS_OF_SEATS.postgres, &[&game, &status.word()]).await?;
        if status != Status::Finished {
            return Ok(());
        }
        // In order of players: two games of the same players may end at once.
        let count = "INSERT INTO tally (player, ruleset, played, won)
            SELECT seat.player, game.ruleset, 1, EXISTS (
                SELECT 1 FROM jsonb_array_elements(game.result::jsonb) AS placed
                WHERE (placed ->> 'seat')::int = seat.seat AND (placed ->> 'place')::int = 1)::int
            FROM seat JOIN game ON game.id = seat.game
            WHERE game.id = $1 AND game.visibility <> 'private' ORDER BY seat.player
            ON CONFLICT (player, ruleset) DO UPDATE SET played = tally.played + 1, won = tally.won + excluded.won";
        self.run(count, &[&game]).await.map(|_| ())
    }

    async fn add_game(&self, game: &GameFacts) -> Result<(), Fail> {
        let add = "INSERT INTO game (id, uuid, creator, ruleset, version, seats, options, title, visibility, invite,
                move_seconds, server_seed, status, created_at, rematch_of, format, bank_seconds, takebacks, substitutes, rated)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'open', $13, $14, $15, $16, $17, $18, $19)";
        let (version, seats, format) =
            (Int(game.version.into()), Int(game.seats.into()), Int(game.format.into()));
        let (clock, bank) =
            (game.move_seconds.map(|seconds| Int(seconds.into())), Int(game.bank_seconds.into()));
        let values: [Value<'_>; 19] = [
            &game.key,
            &game.uuid,
            &game.creator,
            &game.ruleset,
            &version,
            &seats,
            &game.options,
            &game.title,
            &game.visibility,
            &game.invite,
            &clock,
            &&game.server_seed[..],
            &whole(game.created_at),
            &game.rematch_of,
            &format,
            &bank,
            &game.takebacks,
            &game.substitutes,
            &game.rated,
        ];
        // An index refuses a second rematch.
        self.run(add, &values).await.map(|_| ())
    }
}
