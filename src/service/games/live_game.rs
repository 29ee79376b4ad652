//! A game in memory, with its rows that are not in the log.

use super::{People, Player, StoredEntry};
use crate::{
    engine::{BySeat, Seat, Viewer, hash::Bytes32},
    ledger::{
        entry::{Body, Entry},
        game::{Dealer, Game},
        plan::Plan,
        receipt::Receipt,
        seed::ServerSeed,
        standing::Sitting,
    },
    service::ServiceError,
    store::{self, CachedVersion, GameFacts, Newest, Opening, PlayerKey},
    words::Status,
};

pub struct LiveGame {
    pub facts: GameFacts,
    pub game: Game,
    pub people: People,
    /// The plan of each seat, visible only to its player.
    pub plans: BySeat<Option<Box<Plan>>>,
    /// The deadline in the row of the game.
    pub noted_deadline: Option<u64>,
    /// Revision of the rows that are not in the log. Only other servers make it differ.
    pub beside: u64,
}

/// An entry of the chain, for its receipt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryRef {
    pub seq: u64,
    pub at: u64,
    pub head: Bytes32,
}

impl LiveGame {
    pub fn new(facts: GameFacts, game: Game) -> Self {
        let plans = BySeat::new(game.setting.seats, |_| None);
        Self { facts, game, people: People::default(), plans, noted_deadline: None, beside: 0 }
    }

    /// Rebuilds a game from its rows and entries.
    pub fn load(opening: Opening) -> Result<Self, ServiceError> {
        let Opening { facts, deadline, seats, plans, entries, beside } = opening;
        let dealer = Dealer::Seed(server_seed(&facts));
        let mut game = None;
        for stored in &entries {
            follow(&mut game, stored, &dealer)?;
        }
        let mut game = game.ok_or_else(|| ServiceError::Internal("a stored log is empty".into()))?;
        game.forget_last();
        let planned = |seat: Seat| plans.iter().find(|(planned, _)| *planned == seat.number());
        let plans =
            BySeat::new(game.setting.seats, |seat| planned(seat).and_then(|(_, plan)| read_plan(plan)));
        Ok(Self { facts, game, people: People::of(seats), plans, noted_deadline: deadline, beside })
    }

    /// Applies the next entry of another server, and returns it.
    pub fn follow(&mut self, stored: &store::Entry) -> Result<Entry, ServiceError> {
        let StoredEntry { entry, head } = StoredEntry::read(stored, Some(self.game.format()))?;
        self.game.follow(&entry, head)?;
        Ok(entry)
    }

    /// Returns the version of the game in memory, to compare with the store.
    pub fn known(&self) -> CachedVersion {
        CachedVersion { game: self.facts.key, newest: self.newest(), beside: self.beside }
    }

    pub fn seat_of(&self, player: &Player) -> Option<Seat> {
        self.game.seat_of(&player.id)
    }

    pub fn sitting(&self, seat: Seat) -> Option<&Sitting> {
        self.game.sitting(seat)
    }

    pub fn player_at(&self, seat: Seat) -> Option<PlayerKey> {
        self.people.key_of(&self.sitting(seat)?.holder.player)
    }

    pub fn seat_with(&self, player: PlayerKey) -> Option<Seat> {
        self.game.setting.seats.iter().find(|seat| self.player_at(*seat) == Some(player))
    }

    /// Returns the players who were replaced.
    pub fn gave_way(&self) -> impl Iterator<Item = &str> {
        let seats = self.game.setting.seats.iter();
        seats.filter_map(|seat| self.sitting(seat)?.gave_way.as_deref())
    }

    /// Returns the seat that may cancel the table: the creator's, or else the longest-seated one.
    pub fn host(&self) -> Option<Seat> {
        let seats = || self.game.setting.seats.iter();
        let is_creator = |seat: &Seat| self.player_at(*seat) == Some(self.facts.creator);
        let is_person = |sitting: &&Sitting| sitting.holder.bot.is_none();
        let longest =
            || seats().filter_map(|seat| Some((self.sitting(seat).filter(is_person)?.joined, seat))).min();
        seats().find(is_creator).or_else(|| longest().map(|(_, seat)| seat))
    }

    /// Returns the player whose clock runs, and a quarter of the time in milliseconds.
    pub fn runs_for(&self) -> Option<(PlayerKey, u64)> {
        let seat = self.game.turn().seat.filter(|_| self.game.status() == Status::Running)?;
        let quarter = u64::from(self.facts.move_seconds?) * 250;
        Some((self.player_at(seat)?, quarter))
    }

    pub fn viewer(&self, player: Option<&Player>) -> Viewer {
        player.map_or(Viewer::Spectator, |player| self.game.viewer(&player.id))
    }

    pub fn newest(&self) -> Newest {
        Newest { seq: self.game.seq(), head: *self.game.chain.head() }
    }

    pub const fn newest_placed(&self) -> EntryRef {
        EntryRef { seq: self.game.seq(), at: self.game.chain.at(), head: *self.game.chain.head() }
    }

    /// Returns the unsigned receipt of an entry. A signed receipt leaves the service only after the commit.
    pub fn receipt(&self, placed: EntryRef) -> Receipt {
        Receipt { game: self.facts.uuid.to_string(), seq: placed.seq, at: placed.at, head: placed.head }
    }

    pub fn deadline(&self, reveal_ms: u64) -> Option<u64> {
        deadline(&self.game, reveal_ms)
    }
}

/// Returns when the server must act: void a game with unrevealed promises, or decide for the seat to act.
pub fn deadline(game: &Game, reveal_ms: u64) -> Option<u64> {
    match game.status() {
        Status::Sealed => game.times.sealed.map(|sealed| sealed.saturating_add(reveal_ms)),
        Status::Running => game.clocks.deadline(),
        Status::Open | Status::Finished | Status::Void => None,
    }
}

/// Reads a stored plan. A plan of an unknown form is dropped.
fn read_plan(text: &str) -> Option<Box<Plan>> {
    let value = serde_json::from_str(text).ok()?;
    Plan::read(&value, "plan").ok().map(Box::new)
}

/// Returns the server's random bytes of a game.
pub fn server_seed(facts: &GameFacts) -> ServerSeed {
    ServerSeed::new(facts.server_seed)
}

/// Applies the next entry of a stored log and returns it. The first entry opens the game.
pub fn follow(
    game: &mut Option<Game>,
    stored: &store::Entry,
    dealer: &Dealer,
) -> Result<Entry, ServiceError> {
    let StoredEntry { entry, head } = StoredEntry::read(stored, game.as_ref().map(Game::format))?;
    let game = match (game, &entry.body) {
        (Some(game), _) => game,
        (none, Body::Genesis(genesis)) => none.insert(Game::open(genesis, dealer.clone())?),
        (None, _) => return Err(ServiceError::Internal("a stored log has no genesis".into())),
    };
    game.follow(&entry, head)?;
    Ok(entry)
}
