//! Compares all acknowledgements and announcements with the final state.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{
    eventually,
    receiver::{Received, Receiver},
    servers::Servers,
    streams::{Heard, RESET, Told},
    table::{Circle, Person, Record},
    world::World,
};

pub fn judge(world: &World, servers: &Servers, receiver: &Receiver, circles: &[Circle]) {
    let (mut games, mut finished, mut commands, mut notices) = (0, 0, 0, 0);
    for circle in circles {
        for record in &circle.records {
            games += 1;
            finished += usize::from(record.is_finished);
            commands += record.receipts.len();
            judge_game(world, record);
        }
        for person in &circle.people {
            notices += judge_inbox(world, person);
        }
        judge_finished(circle);
    }
    let messages = judge_hooks(world, receiver, circles);
    servers.follow_the_tree();
    println!(
        "{games} games, {finished} of them finished and pinned, {commands} commands acknowledged, {notices} notices told, \
         {messages} messages sent, {} kills, {} MB on disk: nothing lost, nothing twice, nothing contradicted",
        servers.kills(),
        servers.megabytes()
    );
    println!("{}", servers.check());
}

/// Checks a game: each receipt has its entry, each command took effect once, and the stream had each entry.
fn judge_game(world: &World, record: &Record) {
    let game = &record.game;
    let entries = whole_log(world, game);
    for (key, (seq, head)) in &record.receipts {
        let entry = entries.get(usize::try_from(*seq).unwrap());
        assert_eq!(
            entry.map(|entry| &entry["head"]),
            Some(&Value::from(head.as_str())),
            "{game}: {key} for entry {seq}"
        );
    }
    let own: BTreeSet<u64> = record.receipts.values().map(|(seq, _)| *seq).collect();
    assert_eq!(own.len(), record.receipts.len(), "{game}: two keys led to one entry");
    let is_own = |body: &Value| {
        let seat = body["seat"].as_u64().is_some_and(|seat| seat < record.people as u64);
        body["type"] == "cmd" && body["by"] == "player" && seat
    };
    let commands = entries.iter().filter(|entry| is_own(&entry["body"])).count();
    assert_eq!(commands, own.len(), "{game}: each key led to one command");
    let expected: Vec<String> = (0..entries.len()).map(|seq| seq.to_string()).collect();
    eventually("the stream has told the game", || {
        let told: Vec<String> = record.streamed.all().into_iter().map(|told| told.id).collect();
        assert!(told.iter().zip(&expected).all(|(told, seq)| told == seq), "{game}: a gap in {told:?}");
        (told.len() >= expected.len()).then_some(())
    });
    if record.is_finished {
        eventually("the game is pinned", || {
            let (status, _) = world.ask("GET", &format!("/v1/games/{game}/proof"), "", None, "");
            (status == 200).then_some(())
        });
    }
}

fn whole_log(world: &World, game: &str) -> Vec<Value> {
    let mut entries: Vec<Value> = Vec::new();
    loop {
        let after = i64::try_from(entries.len()).unwrap() - 1;
        let page = world.get(&format!("/v1/games/{game}/log?after={after}&limit=100"), "");
        let items = page["items"].as_array().unwrap();
        if items.is_empty() {
            return entries;
        }
        entries.extend(items.iter().cloned());
    }
}

/// Compares the live events of an inbox, through all kills, with the events afterwards. Returns their number.
fn judge_inbox(world: &World, person: &Person) -> usize {
    let live = person.inbox.all();
    assert!(live.iter().all(|told| told.kind != RESET), "a stream lost its place");
    let mut rest = &live[..];
    let truth = loop {
        let [first, .., last] = rest else { return live.len() };
        match Heard::again(world, "/v1/me/events", &person.token, &first.id, &last.id) {
            Some(truth) => break truth,
            // Only the last few thousand entries are looked through.
            None => rest = &rest[rest.len() / 2..],
        }
    };
    let known: BTreeMap<&str, &Told> = live.iter().map(|told| (told.id.as_str(), told)).collect();
    // With a shared database, a stream starts some seconds earlier, possibly before the first listener.
    let begin = place_of(&rest[0]);
    for told in truth.iter().filter(|told| place_of(told) >= begin) {
        assert_eq!(known.get(told.id.as_str()), Some(&told), "a notice was lost");
    }
    live.len()
}

/// Where a notice stands among all: its row, or its time.
fn place_of(told: &Told) -> u64 {
    told.id.split('-').next().unwrap().parse().unwrap()
}

/// Checks that every player got the end of each game.
fn judge_finished(circle: &Circle) {
    for (seat, person) in circle.people.iter().enumerate() {
        for record in circle.records.iter().filter(|record| record.is_finished && seat < record.people) {
            eventually("a player is told of the end", || {
                let told = person.inbox.all();
                told.iter().any(|told| told.kind == "finished" && told.game == record.game).then_some(())
            });
        }
    }
}

/// Checks that each end was delivered to the webhook, or waits for delivery. Returns the number of
/// deliveries.
fn judge_hooks(world: &World, receiver: &Receiver, circles: &[Circle]) -> usize {
    let received: Vec<Value> = receiver.received().iter().map(Received::json).collect();
    let came: BTreeSet<&str> = received
        .iter()
        .filter(|message| message["type"] == "finished")
        .filter_map(|m| m["data"]["game"].as_str())
        .collect();
    for circle in circles {
        let listed = deliveries(world, circle);
        for record in circle.records.iter().filter(|record| record.is_finished) {
            let game = record.game.as_str();
            assert!(came.contains(game) || listed.contains(game), "the end of {game} was told to no hook");
        }
    }
    came.len()
}

/// Returns all past and pending deliveries of a circle's webhook.
fn deliveries(world: &World, circle: &Circle) -> String {
    let first = format!("/v1/webhooks/{}/deliveries?limit=100", circle.hook);
    let (mut path, mut listed) = (first.clone(), String::new());
    loop {
        let page = world.get(&path, &circle.people[0].token);
        listed.push_str(&page["items"].to_string());
        let Some(cursor) = page["next_cursor"].as_str() else { return listed };
        path = format!("{first}&cursor={cursor}");
    }
}
