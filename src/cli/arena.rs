use std::{error::Error, fmt::Write as _, fs, path::PathBuf, process::ExitCode, time::Duration};

use clap::Args;
use playledger::{
    arena::{Contest, Contestant, ContestantTally, Share, Standings},
    engine::Seats,
    rulesets::RulesetId,
};
use serde_json::{Value, json};

/// Play bots against each other, without a server
///
/// A program reads one line of JSON per decision (`view`, `legal`) and answers with one line, the
/// command. A program that exits, times out or sends an illegal command loses the game.
#[derive(Args)]
pub struct Arena {
    /// Game: industrial-waste or ecopolis
    #[arg(long, value_name = "ID")]
    game: String,
    /// Player of a seat: level:easy, level:middle, level:hard, level:hardest, random, autopilot or a
    /// command line; repeat for each seat
    #[arg(long = "seat", required = true, value_name = "WHO")]
    seats: Vec<Contestant>,
    /// Number of games; each deal is played once from every seat
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Seed of deals and bots
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Options of the game, as JSON
    #[arg(long, default_value = "{}", value_name = "JSON")]
    options: String,
    /// Milliseconds that a program has for a decision
    #[arg(long, default_value_t = 1_000, value_name = "COUNT")]
    move_ms: u64,
    /// Number of games played at once [default: number of processors]
    #[arg(long, value_name = "COUNT")]
    threads: Option<usize>,
    /// Folder for the replay documents of all games
    #[arg(long, value_name = "FOLDER")]
    replays: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl Arena {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let contest = self.contest()?;
        if let Some(folder) = &self.replays {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let standings = contest.run()?;
        if self.json {
            println!("{}", as_json(&contest, &standings));
        } else {
            print!("{}", as_table(&contest, &standings));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn contest(&self) -> Result<Contest, Box<dyn Error>> {
        let known = || RulesetId::ALL.iter().map(|id| id.name()).collect::<Vec<_>>().join(", ");
        let ruleset = RulesetId::current(&self.game)
            .ok_or_else(|| format!("unknown game `{}`: choose one of {}", self.game, known()))?;
        let count = self.seats.len() as u64;
        let seats = Seats::new(count).filter(|seats| ruleset.seats().contains(&seats.count()));
        let (least, most) = ruleset.seats().into_inner();
        let seats = seats
            .ok_or_else(|| format!("{} has {least} to {most} seats: repeat --seat for each", self.game))?;
        let options: Value =
            serde_json::from_str(&self.options).map_err(|error| format!("--options: {error}"))?;
        let options = ruleset.read_options(&options, seats).map_err(|error| format!("--options: {error}"))?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Contest {
            ruleset,
            options,
            seats,
            contestants: self.seats.clone(),
            games: self.games,
            seed: self.seed,
            patience: Duration::from_millis(self.move_ms),
            threads: self.threads.unwrap_or(cores).max(1),
            replays: self.replays.clone(),
        })
    }
}

fn as_table(contest: &Contest, standings: &Standings) -> String {
    let names = contest.contestants.iter().map(|contestant| contestant.to_string().chars().count());
    let wide = names.max().unwrap_or_default();
    let mut table = format!(
        "{:<wide$} {:>6} {:>7} {:>15} {:>6} {:>9} {:>9}\n",
        "who", "games", "wins", "95 %", "place", "p50 ms", "p99 ms"
    );
    for (contestant, tally) in contest.contestants.iter().zip(standings.tallies()) {
        let (who, games, place) = (contestant.to_string(), tally.games, tally.mean_place());
        let Share { of_all, low, high } = tally.wins();
        let [of_all, low, high] = [of_all, low, high].map(|share| share * 100.0);
        let [half, most] = [50, 99].map(|percent| ms(tally, percent));
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "{who:<wide$} {games:>6} {of_all:>5.1} % {low:>5.1} to {high:>4.1} % {place:>6.2} {half:>9.2} {most:>9.2}"
        );
        for (foul, count) in &tally.fouls {
            let _ = writeln!(table, "  {foul} ({count})");
        }
    }
    table
}

fn as_json(contest: &Contest, standings: &Standings) -> Value {
    let rows = contest.contestants.iter().zip(standings.tallies()).map(|(contestant, tally)| {
        let Share { of_all, low, high } = tally.wins();
        json!({
            "who": contestant.to_string(), "games": tally.games, "wins": of_all, "low": low, "high": high,
            "place": tally.mean_place(), "p50_ms": ms(tally, 50), "p99_ms": ms(tally, 99), "fouls": tally.fouls,
        })
    });
    rows.collect()
}

fn ms(tally: &ContestantTally, percent: usize) -> f64 {
    tally.thought_within(percent).as_secs_f64() * 1_000.0
}
