//! The log: conditional appends, atomic writes, and equal reads from rows and segments.

use rusqlite::Connection;

use super::fixture::{Fixture, sweep_of, wait};
use crate::store::testing::{append_of, entries, entry, new_game};
use crate::store::traits::{Database as _, GameStore as _};
use crate::store::{
    Change, GameKey, StoreError, Write,
    sqlite::{Settings, compaction::Compaction},
};

#[test]
fn an_append_leaves_no_gap() {
    let fixture = Fixture::new();
    let game = fixture.game(fixture.player(1));
    fixture.append(game, 0..3).unwrap();
    for wrong in [0..1, 2..3, 4..5] {
        let conflict = fixture.append(game, wrong.clone());
        assert!(
            matches!(conflict, Err(StoreError::Conflict { expected, actual: 3 }) if expected == wrong.start),
            "{conflict:?}"
        );
    }
    fixture.append(game, 3..4).unwrap();
    assert_eq!(fixture.entries(game), entries(0..4));
}

#[test]
fn games_read_the_same_in_rows_and_in_segments() {
    let mut fixture = Fixture::new();
    let mut sweep = fixture.sweep();
    let player = fixture.player(1);
    let games: Vec<_> = (0..7).map(|_| fixture.game(player)).collect();
    let mut next = [0_u64; 7];
    for step in 0..900_usize {
        let place = (step * step + step / 7) % 7;
        let more = 1 + (step % 4) as u64;
        fixture.append(games[place], next[place]..next[place] + more).unwrap();
        next[place] += more;
        sweep.step().unwrap();
        if step % 50 == 0 {
            for (game, next) in games.iter().zip(next) {
                assert_eq!(fixture.entries(*game), entries(0..next), "at step {step}");
            }
        }
        if step % 300 == 299 {
            drop(sweep);
            fixture = fixture.reopened(&Settings::default());
            sweep = fixture.sweep();
        }
    }
    assert!(fixture.rows_in_log() < 200, "the log stays short");
    let query = "SELECT max(n) FROM (SELECT count(*) AS n FROM segment GROUP BY game)";
    let raw = Connection::open(fixture.path()).unwrap();
    let segments: i64 = raw.query_row(query, [], |row| row.get(0)).unwrap();
    assert!((1..=12).contains(&segments), "a game has few segments, not {segments}");
}

/// A reader must find every entry once while rows move into segments.
#[test]
fn readers_see_whole_games_while_the_log_is_swept() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    let games: Vec<_> = (0..4).map(|_| fixture.game(player)).collect();
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let mut lengths = [0; 4];
            while lengths[3] < 300 {
                for (game, length) in games.iter().zip(&mut lengths) {
                    let read = fixture.entries(*game);
                    assert!(read.len() >= *length, "what was there once is there");
                    *length = read.len();
                }
            }
        });
        let mut sweep = fixture.sweep();
        for seq in 0..300 {
            for game in &games {
                fixture.append(*game, seq..seq + 1).unwrap();
            }
            sweep.step().unwrap();
        }
        reading.join().unwrap();
    });
}

#[test]
fn the_log_can_be_neither_changed_nor_deleted() {
    let fixture = Fixture::new();
    let game = fixture.game(fixture.player(1));
    let mut sweep = fixture.sweep();
    for seq in 0..100 {
        fixture.append(game, seq..seq + 1).unwrap();
        sweep.step().unwrap();
    }
    drop(sweep);
    let path = fixture.path();
    drop(fixture.store);
    let raw = Connection::open(path).unwrap();
    let rows: i64 = raw.query_row("SELECT count(*) FROM segment", [], |row| row.get(0)).unwrap();
    assert!(rows > 0, "there are segments to protect");
    for attack in [
        "UPDATE log SET body = x'00'",
        "UPDATE log SET seq = seq + 1",
        "DELETE FROM log",
        "UPDATE segment SET entries = x'00'",
        "DELETE FROM segment",
    ] {
        let refused = raw.execute(attack, []).unwrap_err().to_string();
        assert!(refused.contains("append-only") || refused.contains("never"), "{attack}: {refused}");
    }
}

#[test]
fn a_log_that_has_grown_long_is_swept_without_being_asked() {
    let fixture = Fixture::with(&Settings { log_rows: 40, ..Settings::default() });
    let game = fixture.game(fixture.player(1));
    fixture.append(game, 0..100).unwrap();
    let begin = std::time::Instant::now();
    while fixture.rows_in_log() > 50 {
        assert!(begin.elapsed().as_secs() < 60, "it is swept within a minute");
        std::thread::yield_now();
    }
    assert_eq!(fixture.entries(game), entries(0..100));
}

/// Plays bursts of a hundred entries, with a step of the sweep after each.
fn bursts(fixture: &Fixture, game: GameKey, sweep: &mut Compaction, count: u64) {
    for burst in 0..count {
        fixture.append(game, burst * 100..(burst + 1) * 100).unwrap();
        sweep.step().unwrap();
    }
}

#[test]
fn a_burst_is_swept_when_it_is_over() {
    let fixture = Fixture::new();
    let game = fixture.game(fixture.player(1));
    let mut sweep = sweep_of(&fixture.store, 1_000);
    bursts(&fixture, game, &mut sweep, 15);
    assert_eq!(fixture.rows_in_log(), 1_500);
    fixture.sweep_down_to(1_000, &mut sweep);
    assert_eq!(fixture.entries(game), entries(0..1_500));
}

#[test]
fn a_burst_that_does_not_end_is_swept_all_the_same() {
    let fixture = Fixture::new();
    let game = fixture.game(fixture.player(1));
    bursts(&fixture, game, &mut sweep_of(&fixture.store, 1_000), 100);
    assert!(fixture.rows_in_log() < 5_000, "{}", fixture.rows_in_log());
    assert_eq!(fixture.entries(game), entries(0..10_000));
}

/// After a restart the log may be much longer than a compaction should load.
#[test]
fn a_sweep_takes_half_of_what_the_log_may_have_however_long_it_is() {
    let fixture = Fixture::new();
    let game = fixture.game(fixture.player(1));
    fixture.append(game, 0..3_000).unwrap();
    sweep_of(&fixture.store, 1_000).step().unwrap();
    assert_eq!(fixture.rows_in_log(), 2_500);
    assert_eq!(fixture.entries(game), entries(0..3_000));
}

/// Under steady load, checkpoints move commits into the file, so the write-ahead log is reused.
#[test]
fn the_write_ahead_log_stays_small() {
    let fixture = Fixture::with(&Settings { log_rows: 2_000, ..Settings::default() });
    let game = fixture.game(fixture.player(1));
    for batch in 0..300 {
        fixture.append(game, batch * 200..(batch + 1) * 200).unwrap();
    }
    let mut wal = fixture.path().into_os_string();
    wal.push("-wal");
    let size = std::fs::metadata(wal).unwrap().len();
    assert!(size < 64 << 20, "{size} bytes");
}

#[test]
fn a_full_queue_is_told_and_loses_nothing() {
    let fixture = Fixture::with(&Settings { queue: 4, ..Settings::default() });
    let player = fixture.player(1);
    let games: Vec<_> = (0..2_000).map(|_| fixture.store.new_game_key()).collect();
    let waiting: Vec<_> = games
        .iter()
        .map(|game| {
            fixture.store.write(
                Write::of(Change::AddGame(Box::new(new_game(*game, player))))
                    .and(append_of(*game, vec![entry(0)])),
            )
        })
        .collect();
    let written: Vec<bool> = waiting
        .into_iter()
        .map(|written| match wait(written) {
            Ok(()) => true,
            Err(StoreError::Busy) => false,
            Err(other) => panic!("{other}"),
        })
        .collect();
    assert!(written.contains(&true) && written.contains(&false), "some waited, some were refused");
    for (game, written) in games.iter().zip(written) {
        assert_eq!(fixture.entries(*game).len(), usize::from(written));
    }
}
