//! Contests of bots and programs, without a server.
//!
//! A game is hosted as by the service, with a verifiable log. Each deal is played once from every seat, so
//! that luck with a seat evens out.

mod bout;
mod contestant;
mod program;
mod standings;

use std::{
    io,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

pub use bout::{Bout, Foul};
pub use contestant::{Contestant, NoContestant, Player};
pub use program::Program;
pub use standings::{ContestantTally, Share, Standings};

use crate::{
    engine::Seats,
    ledger::replay::Setting,
    rulesets::{AnyOptions, RulesetId},
};

/// The settings of a contest.
pub struct Contest {
    pub ruleset: RulesetId,
    pub options: AnyOptions,
    pub seats: Seats,
    /// One for each seat.
    pub contestants: Vec<Contestant>,
    pub games: u64,
    /// Seed of the deals and of the bots.
    pub seed: u64,
    /// Time limit of a program's decision.
    pub patience: Duration,
    pub threads: usize,
    /// Folder for the replay documents.
    pub replays: Option<PathBuf>,
}

impl Contest {
    /// Plays all games.
    pub fn run(&self) -> io::Result<Standings> {
        let (next, all) = (AtomicU64::new(0), Mutex::new(Standings::new(self.contestants.len())));
        let work = || -> io::Result<()> {
            let begin = |contestant: &Contestant| contestant.begin(self.patience);
            let mut players = self.contestants.iter().map(begin).collect::<io::Result<Vec<_>>>()?;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.games {
                    return Ok(());
                }
                let bout = self.play(number, &mut players)?;
                all.lock().unwrap_or_else(PoisonError::into_inner).note(&bout);
            }
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| {
                thread.join().map_err(|_| io::Error::other("a thread of the arena broke off"))?
            })
        })?;
        Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Plays the game with this number. Contestants move by one seat between the games of a deal.
    fn play(&self, number: u64, players: &mut [Player]) -> io::Result<Bout> {
        let count = players.len() as u64;
        let (deal, turn) = (number / count, number % count);
        let seating: Vec<usize> = (0..players.len())
            .map(|seat| (seat + usize::try_from(turn).unwrap_or(0)) % players.len())
            .collect();
        let setting = Setting { ruleset: self.ruleset, options: self.options.clone(), seats: self.seats };
        let bout = Bout::play(&setting, &seating, players, self.seed, deal, number)?;
        if let Some(folder) = &self.replays {
            std::fs::write(folder.join(format!("{number:06}.json")), bout.document())?;
        }
        Ok(bout)
    }
}
