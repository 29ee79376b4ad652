//! Reads: a list, a page of a long log, a past view.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{
    abandoned::play_out,
    client::{Client, Failure},
    server::Server,
};

/// Repetitions of each read.
const TIMES: usize = 40;

/// Measures a game with some thousand entries, and a list of a hundred ended games.
pub async fn measure(server: &Server) -> Result<(), Failure> {
    let mut client = Client::connect(server.address).await?;
    for _ in 0..100 {
        play_out(&mut client, "ecopolis", 12).await?;
    }
    time(&mut client, "a list of 100 finished games", |_| "/v1/games?status=finished&limit=100".to_owned())
        .await?;
    let (path, ..) = play_out(&mut client, "industrial-waste", 200).await?;
    let game: Value = serde_json::from_slice(&client.get(&path, None).await?)?;
    let newest = game["seq"].as_u64().ok_or("no seq")?;
    println!("  a game of {newest} entries:");
    let somewhere = |number: usize| newest / 2 + number as u64 * 37 % (newest / 4);
    let view = |number| format!("{path}/view?seq={}", somewhere(number));
    time(&mut client, "a view in the middle", view).await?;
    let events = |number| format!("{path}/events?limit=100&after={}", somewhere(number));
    time(&mut client, "a page of 100 events in the middle", events).await?;
    let log = |number| format!("{path}/log?limit=100&after={}", somewhere(number));
    time(&mut client, "a page of 100 entries in the middle", log).await?;
    let begin = Instant::now();
    for page in 0..newest.div_ceil(100) {
        let after = (page * 100).cast_signed() - 1;
        client.get(&format!("{path}/events?limit=100&after={after}"), None).await?;
    }
    println!("    all events, page by page: {:.0} ms", begin.elapsed().as_secs_f64() * 1e3);
    Ok(())
}

async fn time(client: &mut Client, name: &str, path: impl Fn(usize) -> String) -> Result<(), Failure> {
    let mut times: Vec<Duration> = Vec::new();
    for number in 0..TIMES {
        let begin = Instant::now();
        client.get(&path(number), None).await?;
        times.push(begin.elapsed());
    }
    let first = times[0].as_secs_f64() * 1e3;
    times.sort_unstable();
    println!("    {name}: {:.2} ms, the first time {first:.2} ms", times[TIMES / 2].as_secs_f64() * 1e3);
    Ok(())
}
