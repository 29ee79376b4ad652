//! Many spectators of a quiet game.

use std::{
    cell::Cell,
    net::SocketAddr,
    rc::Rc,
    time::{Duration, Instant},
};

use http_body_util::BodyExt as _;

use crate::{
    client::{Client, Failure, events_in},
    server::Server,
    table::{Pair, Table},
};

const MOVES: usize = 20;

/// A game, and its streams.
pub struct Watched {
    table: Table,
    address: SocketAddr,
    streams: usize,
    delivered: Rc<Cell<usize>>,
    /// Memory of the server per stream, in KiB.
    pub each: Option<f64>,
}

impl Watched {
    pub async fn open(server: &Server, streams: usize) -> Result<Self, Failure> {
        let address = server.address;
        let mut client = Client::connect(address).await?;
        let pair = Pair::new(&mut client).await?;
        let table = Table::open(&mut client, pair, 0).await?;
        let before = server.memory();
        let delivered = Rc::new(Cell::new(0_usize));
        for _ in 0..streams {
            let mut watcher = Client::connect(address).await?;
            let mut body = watcher.stream(&format!("{}/events", table.path)).await?;
            let delivered = Rc::clone(&delivered);
            tokio::task::spawn_local(async move {
                let _watcher = watcher;
                while let Some(Ok(frame)) = body.frame().await {
                    let text = frame.into_data().unwrap_or_default();
                    delivered.set(delivered.get() + events_in(&text));
                }
            });
        }
        let count = f64::from(u32::try_from(streams)?);
        let each = before.zip(server.memory()).map(|(before, after)| (after - before) / count);
        Ok(Self { table, address, streams, delivered, each })
    }

    /// Measures the time from a command until the last stream has it.
    pub async fn play(&mut self) -> Result<Duration, Failure> {
        if !self.table.goes_on() {
            return Err("the game has ended, and its streams tell nothing more".into());
        }
        // A connection that was idle for long is closed.
        let mut client = Client::connect(self.address).await?;
        let before = self.delivered.get();
        let begin = Instant::now();
        self.table.play(&mut client).await?;
        while self.delivered.get() < before + self.streams {
            tokio::time::sleep(Duration::from_micros(100)).await;
        }
        Ok(begin.elapsed())
    }
}

/// Opens streams of one game, and prints the memory of each and the time of an entry to the last one.
pub async fn measure(server: &Server, streams: usize) -> Result<(), Failure> {
    let mut watched = Watched::open(server, streams).await?;
    if let Some(each) = watched.each {
        println!("  {streams} streams: {each:.1} KiB of the server's memory each");
    }
    let mut times = Vec::new();
    for _ in 0..MOVES {
        times.push(watched.play().await?);
    }
    times.sort_unstable();
    let (median, worst) = (times[MOVES / 2].as_secs_f64() * 1e3, times[MOVES - 1].as_secs_f64() * 1e3);
    println!(
        "  from a command to the last of {streams} deliveries: median {median:.0} ms, worst {worst:.0} ms"
    );
    Ok(())
}
