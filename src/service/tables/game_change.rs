//! A game that is being changed.

use crate::{
    engine::Seat,
    ledger::{
        chain::Link,
        consequence::Consequence,
        entry::{Body, PlainAct},
        game::Game,
        plan::Plan,
        replay::Fault,
    },
    rulesets::AnyCommand,
    service::{
        ServiceError,
        feed::{CommitNews, Note, Notice, NoticeKind, RenderedEntry, Warning, Watched, addressed},
        games::{EntryRef, LiveGame, Locked, project},
        notify::OutboxEntries,
        reading::context::{ViewContext, ViewOptions},
    },
    store::{self, Change, NewClaim, PlayerKey, SubstitutionChange, Write},
    words::Status,
};

/// A game taken out of its slot. Entries are decided in memory and collected for the store. If the store
/// refuses them or the change is dropped, the game is loaded again.
pub struct GameChange {
    pub live: Box<LiveGame>,
    locked: Locked,
    now: u64,
    reveal_ms: u64,
    /// Needs of watchers, if there are any.
    watched: Option<Watched>,
    entries: Vec<store::Entry>,
    changes: Vec<Change>,
    told: Vec<RenderedEntry>,
    notices: Vec<(PlayerKey, Notice)>,
    /// The entry that sealed the table.
    pub sealed: Option<EntryRef>,
    pub asked: InvitedPlayers,
}

/// Players who are invited to a table, and their messages, which are written with the table.
#[derive(Default)]
pub struct InvitedPlayers {
    pub notes: Vec<(PlayerKey, Note)>,
    pub letters: OutboxEntries,
}

/// A complete change.
pub struct CompleteChange {
    pub live: Box<LiveGame>,
    pub locked: Locked,
    pub write: Write,
    pub news: CommitNews,
    pub asked: InvitedPlayers,
}

impl GameChange {
    pub fn new(
        live: Box<LiveGame>,
        locked: Locked,
        now: u64,
        reveal_ms: u64,
        watched: Option<Watched>,
    ) -> Box<Self> {
        // Usually there is one entry and one row change.
        let (entries, changes) = (Vec::with_capacity(1), Vec::with_capacity(1));
        let (told, notices) = (Vec::new(), Vec::new());
        // Boxed, since it moves through several functions.
        Box::new(Self {
            live,
            locked,
            now,
            reveal_ms,
            watched,
            entries,
            changes,
            told,
            notices,
            sealed: None,
            asked: InvitedPlayers::default(),
        })
    }

    /// Decides an entry that is no command.
    pub fn add(&mut self, body: &Body) -> Result<EntryRef, ServiceError> {
        self.decide(body, |game, now| Ok(game.decide(now, body)?))
    }

    /// Decides a command of a player. The rules may refuse it.
    pub fn submit(&mut self, body: &Body, command: &AnyCommand) -> Result<EntryRef, ServiceError> {
        self.decide(body, |game, now| {
            game.decide_command(now, body, command).map_err(|fault| match fault {
                Fault::Refused(refusal) => ServiceError::Illegal(refusal),
                other => other.into(),
            })
        })
    }

    /// Decides up to `most` consequences, and returns whether none is left.
    pub fn run_consequences(&mut self, most: u64) -> Result<bool, ServiceError> {
        for _ in 0..most {
            let Some(next) = self.next()? else { return Ok(true) };
            self.follow(&next)?;
        }
        Ok(false)
    }

    /// Returns the next consequence: of the game alone, or of the plan of the seat to act.
    fn next(&self) -> Result<Option<Consequence>, ServiceError> {
        let game = &self.live.game;
        if let Some(next) = game.consequence()? {
            return Ok(Some(next));
        }
        let planned = game.waits_for().and_then(|seat| Some((seat, self.live.plans[seat].as_ref()?)));
        let Some((seat, plan)) = planned else { return Ok(None) };
        Ok(game.by_plan(seat, plan)?)
    }

    /// Stores the plan of a seat, or removes it.
    pub fn plan(&mut self, seat: Seat, plan: Option<(PlayerKey, Plan)>) {
        let (game, text) =
            (self.live.facts.key, plan.as_ref().map(|(player, plan)| (*player, plan.write().to_string())));
        self.live.plans[seat] = plan.map(|(_, plan)| Box::new(plan));
        self.changes.push(Change::SetPlan { game, seat: seat.number(), plan: text });
    }

    /// Adds a change that is written with the game.
    pub fn also(&mut self, change: Change) {
        self.changes.push(change);
    }

    pub fn withdraw_offer(&mut self, seat: Seat) {
        let withdraw = SubstitutionChange::Withdraw { game: self.live.facts.key, seat: seat.number() };
        self.changes.push(Change::Substitution(withdraw));
    }

    /// Removes the plans that an entry has ended.
    fn forget_plans(&mut self, body: &Body) {
        let (seats, about) = (self.live.game.setting.seats, body.seat());
        let ends = |seat: Seat| {
            let has_keys = || self.live.game.sitting(seat).is_some_and(|sitting| !sitting.keys.is_empty());
            let is_its = about == Some(seat.number().into());
            match body {
                Body::End(_) => true,
                Body::Hand { .. }
                | Body::Revoke { .. }
                | Body::Remove { .. }
                | Body::Act { act: PlainAct::Rekey | PlainAct::Resign, .. } => is_its,
                Body::Act { act: PlainAct::Resume, .. } => is_its && has_keys(),
                _ => false,
            }
        };
        let ended: Vec<Seat> =
            seats.iter().filter(|seat| self.live.plans[*seat].is_some() && ends(*seat)).collect();
        for seat in ended {
            self.plan(seat, None);
        }
    }

    /// Returns the number of entries.
    pub const fn count(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Decides one consequence.
    pub fn follow(&mut self, consequence: &Consequence) -> Result<EntryRef, ServiceError> {
        match consequence {
            Consequence::Entry(body) => self.add(body),
            Consequence::Command(body, command) => {
                self.decide(body, |game, now| Ok(game.decide_command(now, body, command)?))
            }
        }
    }

    fn decide(
        &mut self,
        body: &Body,
        decide: impl FnOnce(&mut Game, u64) -> Result<Link, ServiceError>,
    ) -> Result<EntryRef, ServiceError> {
        let waited = self.live.game.turn().seat;
        let Link { seq, at, body: bytes, secret, x, head, is_landmark } =
            decide(&mut self.live.game, self.now)?;
        self.entries.push(store::Entry { seq, x, head, body: bytes, secret, is_landmark });
        self.changes.extend(project(&self.live, at, body)?);
        if !matches!(body, Body::Cmd { .. }) {
            self.forget_plans(body);
        }
        for kind in NoticeKind::of(body, waited, &self.live.game) {
            self.announce(seq, at, kind);
        }
        if let Some(watched) = self.watched {
            let context = ViewContext::of(&self.live, self.now, self.reveal_ms, ViewOptions::default());
            self.told.push(RenderedEntry::new(at, body, &self.live.game, context, watched)?);
        }
        let placed = EntryRef { seq, at, head };
        if self.live.game.was_filled_by(body) {
            self.sealed = Some(placed);
        }
        Ok(placed)
    }

    /// Adds a notice for the players concerned.
    fn announce(&mut self, seq: u64, at: u64, kind: NoticeKind) {
        let notice = Notice::new(self.live.facts.uuid, seq, at, kind);
        self.notices.extend(addressed(&self.live, &notice));
    }

    /// Returns the game, which a refusal has not changed, to its slot; passes the refusal on.
    pub fn refused(self, error: ServiceError) -> ServiceError {
        if self.entries.is_empty() {
            self.locked.put_back(self.live);
        }
        error
    }

    /// Returns the write for the store, and the news to announce after it. `claim` names an entry that was
    /// written under an idempotency key.
    pub fn into_write(mut self, claim: Option<(u64, &NewClaim)>) -> CompleteChange {
        let key = self.live.facts.key;
        let shows = |row: &Change| !matches!(row, Change::SetPlan { .. });
        let changes_lobby = self.changes.iter().any(shows);
        let deadline = self.live.deadline(self.reveal_ms);
        if deadline != self.live.noted_deadline {
            self.live.noted_deadline = deadline;
            self.changes.push(Change::SetDeadline { game: key, at: deadline });
        }
        if self.live.game.status() != Status::Running {
            self.changes.push(Change::SetNewest { game: key, newest: self.live.newest() });
        }
        let count = self.entries.len() as u64;
        self.live.beside += self.changes.iter().filter(|row| row.is_beside()).count() as u64;
        let claim = claim.map(|(seq, claim)| (seq, claim.clone()));
        let append = Change::Append { game: key, entries: self.entries, claim };
        self.changes.push(append);
        let write = Write::of_all(self.changes);
        let (game, seq) = (self.live.facts.uuid, self.live.game.seq());
        let first = seq + 1 - count;
        let warning = Warning::of(&self.live, deadline);
        let (told, notices) = (self.told, self.notices);
        let news = CommitNews { game, first, seq, entries: told, notices, warning, changes_lobby };
        CompleteChange { live: self.live, locked: self.locked, write, news, asked: self.asked }
    }
}
