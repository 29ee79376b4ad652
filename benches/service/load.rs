//! Load: connections that send a request after each answer.

use std::time::{Duration, Instant};

use crate::{
    client::{Client, Failure},
    server::Server,
    table::{Pair, Signs, Table},
};

/// Length of each measurement.
const ROUND: Duration = Duration::from_secs(5);
/// Games played at the same time.
pub const GAMES: u32 = 256;
/// Idle games in memory.
pub const IDLE_GAMES: u32 = 2_048;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    Commands,
    /// Each under an idempotency key.
    KeyedCommands,
    /// Views of a spectator, without a token.
    Views,
    /// Views of the seat to act, with legal commands.
    OwnViews,
    Drafts,
    Health,
}

pub struct Rate {
    pub a_second: f64,
    pub p50: Duration,
    pub p99: Duration,
}

impl Rate {
    /// Returns the mean of two rounds.
    pub fn mean(&self, other: &Self) -> Self {
        Self {
            a_second: f64::midpoint(self.a_second, other.a_second),
            p50: (self.p50 + other.p50) / 2,
            p99: (self.p99 + other.p99) / 2,
        }
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (p50, p99) = (self.p50.as_secs_f64() * 1e3, self.p99.as_secs_f64() * 1e3);
        write!(f, "{:>7.0} a second, p50 {p50:.2} ms, p99 {p99:.2} ms", self.a_second)
    }
}

/// Opens games of unsigned seats.
pub async fn open_games(server: &Server, count: u32) -> Result<Vec<Table>, Failure> {
    open_games_with(server, count, Signs::Never).await
}

pub async fn open_games_with(server: &Server, count: u32, signs: Signs) -> Result<Vec<Table>, Failure> {
    let mut client = Client::connect(server.address).await?;
    let mut tables = Vec::new();
    for number in 0..count {
        let pair = Pair::new(&mut client).await?;
        tables.push(Table::open_with(&mut client, pair, usize::try_from(number)?, signs).await?);
    }
    Ok(tables)
}

/// Lets connections work for a while, each on tables of its own.
pub async fn run(
    server: &Server,
    tables: &mut Vec<Table>,
    connections: usize,
    work: Work,
) -> Result<Rate, Failure> {
    run_in_turn(&[server], tables, connections, work).await
}

/// Runs the load on these servers, request by request.
pub async fn run_in_turn(
    servers: &[&Server],
    tables: &mut Vec<Table>,
    connections: usize,
    work: Work,
) -> Result<Rate, Failure> {
    run_for(ROUND, servers, tables, connections, work).await
}

/// Runs the load for this long.
pub async fn run_for(
    long: Duration,
    servers: &[&Server],
    tables: &mut Vec<Table>,
    connections: usize,
    work: Work,
) -> Result<Rate, Failure> {
    let mut shares: Vec<Vec<Table>> = (0..connections).map(|_| Vec::new()).collect();
    for (place, table) in tables.drain(..).enumerate() {
        shares[place % connections].push(table);
    }
    let end = Instant::now() + long;
    let workers = shares.into_iter().map(|mut mine| {
        let addresses: Vec<_> = servers.iter().map(|server| server.address).collect();
        tokio::task::spawn_local(async move {
            let mut clients = Vec::new();
            for address in addresses {
                clients.push(Client::connect(address).await?);
            }
            let mut times = Vec::new();
            for turn in 0.. {
                if Instant::now() >= end {
                    break;
                }
                // A table goes to another server each time, however many tables there are.
                let (server, place) = ((turn + turn / mine.len()) % clients.len(), turn % mine.len());
                times.extend(once(&mut clients[server], &mut mine[place], work).await?);
            }
            Ok::<_, Failure>((mine, times))
        })
    });
    let mut times = Vec::new();
    for worker in workers.collect::<Vec<_>>() {
        let (mine, taken) = worker.await??;
        tables.extend(mine);
        times.extend(taken);
    }
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    let count = f64::from(u32::try_from(times.len())?);
    Ok(Rate { a_second: count / long.as_secs_f64(), p50: at(50), p99: at(99) })
}

/// Sends a request. Returns its time, unless a new game had to be opened first.
async fn once(client: &mut Client, table: &mut Table, work: Work) -> Result<Option<Duration>, Failure> {
    if matches!(work, Work::Commands | Work::KeyedCommands) && !table.goes_on() {
        table.again(client).await?;
        return Ok(None);
    }
    let begin = Instant::now();
    match work {
        Work::Commands => table.play(client).await?,
        Work::KeyedCommands => table.play_under(client, true).await?,
        Work::Drafts => table.draft(client).await?,
        Work::Views => drop(client.get(&format!("{}/view", table.path), None).await?),
        Work::OwnViews => table.own_view(client).await?,
        Work::Health => drop(client.get("/health/live", None).await?),
    }
    Ok(Some(begin.elapsed()))
}
