//! Rematches: another game for the players of a finished one, with the seats moved by one.

use serde_json::Value;
use uuid::Uuid;

use super::{
    Reply,
    game_change::InvitedPlayers,
    lobby::Origin,
    new_table::{GameId, JoinRequest, NewRematch, NewTable},
};
use crate::{
    engine::Seats,
    ledger::{
        replay::Setting,
        terms::{Clock, Previous, Terms},
    },
    rulesets::RulesetId,
    service::{
        ServiceError, Tables,
        feed::Note,
        games::{LiveGame, Player, access::seat_of},
        notify::{self, About},
        reading::game_view::{GameView, GameWithReceipt},
    },
    store::{GameFacts, GameKey, NewClaim, SeatRow},
    words::{Level, Status},
};

impl Tables {
    /// Opens the rematch of a game, or joins the one that another player has opened.
    pub(super) async fn rematch(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: &NewRematch,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let locked = self.games.visible(uuid, Some(player)).await?;
        let live = locked.game()?;
        seat_of(live, player)?;
        if live.game.status() != Status::Finished {
            return Err(ServiceError::NotFinished);
        }
        let (before, facts) = (live.facts.key, live.facts.clone());
        let previous = Previous { game: uuid.to_string(), head: *live.game.chain.head() };
        drop(locked);
        if let Some(open) = self.store.rematch(before).await? {
            if sent.id.is_some_and(|GameId(id)| id != open) {
                return Err(ServiceError::GameExists);
            }
            return self.join_rematch(open, player, sent, claim).await;
        }
        let seat = self.seat_in_rematch(before, player, facts.seats).await?.ok_or(ServiceError::NotSeated)?;
        if sent.seat.is_some_and(|wanted| wanted != seat) {
            return Err(ServiceError::SeatsKept);
        }
        let mut new = same_again(&facts, previous, sent)?;
        new.machines = self.machines_again(before, facts.seats).await?;
        self.open_table(player, &new, Origin { seat, rematch_of: Some(before) }, claim).await
    }

    async fn join_rematch(
        &self,
        game: Uuid,
        player: &Player,
        sent: &NewRematch,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let locked = self.games.lock(game).await?;
        let live = locked.game()?;
        if live.seat_of(player).is_some() {
            // A player who has a seat already gets the table, with the receipt of its newest entry.
            let receipt = self.signer.sign(&live.receipt(live.newest_placed()));
            let shown = GameWithReceipt { game: GameView::of(live, Some(player)), receipt };
            return Reply::of(&shown);
        }
        let invite = live.facts.invite.clone();
        drop(locked);
        self.join(
            game,
            player,
            &JoinRequest {
                invite,
                seat: sent.seat,
                signed: sent.signed.clone(),
                entropy_commit: sent.entropy_commit,
            },
            claim,
        )
        .await
    }

    pub(super) async fn seat_in_rematch(
        &self,
        before: GameKey,
        player: &Player,
        seats: u8,
    ) -> Result<Option<u64>, ServiceError> {
        let seat = self.store.seat_of(before, player.key).await?;
        Ok(seat.map(|seat| u64::from((seat + 1) % seats)))
    }

    /// Returns the seats of built-in bots in a rematch.
    async fn machines_again(&self, before: GameKey, seats: u8) -> Result<Vec<(u64, Level)>, ServiceError> {
        let rows = self.store.seats(before).await?;
        let moved = |row: &SeatRow| Some((u64::from((row.seat + 1) % seats), row.nature.level()?));
        Ok(rows.iter().filter_map(moved).collect())
    }

    /// Returns the invitations for the other players of the finished game.
    pub(super) async fn asked_again(
        &self,
        before: GameKey,
        previous: &str,
        live: &LiveGame,
        by: &Player,
    ) -> Result<InvitedPlayers, ServiceError> {
        self.notifier.know_hooks().await?;
        let Ok(previous) = Uuid::try_parse(previous) else { return Ok(InvitedPlayers::default()) };
        let (game, about, now) = (live.facts.uuid, About::of(live), self.clock.now());
        let (note, place) = (Note::rematch(game, previous, &by.id), game.simple().to_string());
        let mut asked = InvitedPlayers::default();
        let blockers = self.store.blockers(by.key).await?;
        let hears = |other: &&SeatRow| other.player != by.key && !blockers.contains(&other.player);
        for other in self.store.seats(before).await?.iter().filter(hears) {
            let words = |lang| notify::words::rematch(lang, by);
            let letters =
                self.notifier.outbox.letters_of_note(other.player, &note, &place, Some(&about), now, words);
            asked.letters.join(letters);
            asked.notes.push((other.player, note.clone()));
        }
        Ok(asked)
    }
}

/// Returns the order for a table like that of a finished game.
fn same_again(facts: &GameFacts, previous: Previous, sent: &NewRematch) -> Result<NewTable, ServiceError> {
    let damaged = || ServiceError::Internal("the rows of a game cannot be read".into());
    let ruleset = RulesetId::current(&facts.ruleset).ok_or_else(damaged)?;
    let seats = Seats::new(facts.seats.into()).ok_or_else(damaged)?;
    let options: Value = serde_json::from_str(&facts.options).map_err(|_| damaged())?;
    let options = ruleset.read_options(&options, seats).map_err(|_| damaged())?;
    let written = serde_json::to_value(&options).map_err(|_| damaged())?;
    let mut terms = Terms::of(ruleset.name(), ruleset.version().into(), written, facts.seats.into());
    terms.clock =
        facts.move_seconds.map(|move_seconds| Clock { move_seconds, bank_seconds: facts.bank_seconds });
    (terms.takebacks, terms.substitutes, terms.rated) = (facts.takebacks, facts.substitutes, facts.rated);
    terms.previous = Some(previous);
    Ok(NewTable {
        id: sent.id.map(|GameId(id)| id),
        setting: Setting { ruleset, options, seats },
        title: facts.title.clone(),
        visibility: facts.visibility,
        terms,
        seat: 0,
        signed: sent.signed.clone(),
        promise: sent.entropy_commit,
        machines: Vec::new(),
    })
}
