//! Acknowledged writes survive kill -9.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use super::fixture::{Fixture, read, sweep_of, wait};
use crate::store::testing::{append_of, new_game, new_player};
use crate::store::traits::{AccountStore as _, Database as _, GameStore as _};
use crate::{
    engine::Format,
    ledger::{
        chain::{Chain, Link},
        entry::Body,
        seed::ServerSeed,
    },
    store::{
        Change, Entry, GameKey, Write,
        sqlite::{Settings, Sqlite},
    },
    testing::TestDice,
};

const FOLDER: &str = "PLAYLEDGER_CRASH_FOLDER";
const GAMES: i64 = 24;
const ROUNDS: u64 = 20;

fn seed() -> ServerSeed {
    ServerSeed::new([8; 32])
}

/// Returns the next entry of a game.
fn next(chain: &mut Chain) -> Entry {
    let link = chain.append(&seed(), 1_000, &Body::Outage { ms: 1 }, &[]).unwrap();
    let Link { seq, x, head, body, secret, is_landmark, .. } = link;
    Entry { seq, x, head, body, secret, is_landmark }
}

fn chain_of(entries: &[Entry]) -> Chain {
    let mut chain = Chain::new(Format::default());
    for entry in entries {
        assert_eq!(chain.follow(&entry.body, &entry.x), entry.head, "the chain is intact");
    }
    chain
}

/// The child process of `acknowledged_appends_survive_a_kill`, not a test.
#[test]
#[ignore = "started by acknowledged_appends_survive_a_kill"]
fn writes_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let store = Sqlite::open(&Path::new(&folder).join("games.db"), &Settings::default()).unwrap();
    let mut chains: Vec<(GameKey, Chain)> =
        (1..=GAMES).map(|number| (GameKey(number), chain_of(&read(&store, GameKey(number))))).collect();
    let mut sweep = sweep_of(&store, 40);
    loop {
        let waiting: Vec<_> = chains
            .iter_mut()
            .map(|(game, chain)| {
                let entry = next(chain);
                let seq = entry.seq;
                (*game, seq, store.write(Write::of(append_of(*game, vec![entry]))))
            })
            .collect();
        for (game, seq, written) in waiting {
            wait(written).unwrap();
            println!("acknowledged {} {seq}", game.0);
        }
        // Most kills fall into a sweep.
        sweep.step().unwrap();
    }
}

#[test]
fn acknowledged_appends_survive_a_kill() {
    let fixture = Fixture::new();
    let player = fixture.store.new_player_key();
    fixture.write(new_player(player, 1)).unwrap();
    for number in 1..=GAMES {
        let key = fixture.store.new_game_key();
        assert_eq!(key, GameKey(number));
        fixture.write(Write::of(Change::AddGame(Box::new(new_game(key, player))))).unwrap();
    }
    let folder = fixture.folder;
    drop(fixture.store);

    let mut acknowledged: BTreeMap<i64, u64> = BTreeMap::new();
    let mut dice = TestDice::new(20);
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "store::sqlite::tests::durable::writes_until_it_is_killed",
                "--ignored",
                "--nocapture",
            ])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut left = 1 + dice.below(3_000);
        let mut note = |line: &str| {
            let mut words = line.split_once("acknowledged ").map_or("", |(_, rest)| rest).split(' ');
            if let (Some(game), Some(seq)) = (words.next(), words.next()) {
                let (Ok(game), Ok(seq)) = (game.parse(), seq.parse()) else { return };
                acknowledged.insert(game, seq);
                left = left.saturating_sub(1);
            }
            if left == 0 {
                child.kill().unwrap();
            }
        };
        // Lines still in the pipe were acknowledged too.
        for line in lines.by_ref() {
            note(&line.unwrap());
        }
        child.wait().unwrap();

        let store = Sqlite::open(&folder.path().join("games.db"), &Settings::default()).unwrap();
        for number in 1..=GAMES {
            let entries = read(&store, GameKey(number));
            chain_of(&entries);
            let seen = acknowledged.get(&number).map_or(0, |seq| seq + 1);
            assert!(entries.len() as u64 >= seen, "round {round}: game {number} lost what was acknowledged");
        }
    }
    assert!(acknowledged.values().sum::<u64>() > 1_000, "the children wrote");
}
