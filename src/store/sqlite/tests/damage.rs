//! Full disks, and files that are locked, damaged, foreign, read-only or from a newer version.

use std::{fs, time::Duration};

use rusqlite::Connection;

use super::fixture::{Fixture, read, wait};
use crate::store::testing::{append_of, entries, entry};
use crate::store::traits::{Database as _, Health as _};
use crate::store::{
    StoreError, Write,
    sqlite::{Settings, Sqlite, backup, check},
};

fn impatient() -> Settings {
    Settings { lock_timeout: Duration::from_millis(20), ..Settings::default() }
}

#[test]
fn a_full_disk_refuses_loses_nothing_and_goes_on_once_there_is_room() {
    let fixture = Fixture::with(&Settings { max_pages: Some(120), ..Settings::default() });
    let game = fixture.game(fixture.player(1));
    let mut written = 0;
    let refused = loop {
        match fixture.append(game, written..written + 20) {
            Ok(()) => written += 20,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, StoreError::Full), "{refused}");
    assert!(written > 100);
    assert_eq!(fixture.entries(game), entries(0..written), "all that was acknowledged is there");
    assert!(fixture.append(game, written..written + 20).is_err(), "it is still full");

    let fixture = fixture.reopened(&Settings::default());
    assert_eq!(fixture.entries(game), entries(0..written));
    fixture.append(game, written..written + 500).unwrap();
    assert_eq!(fixture.entries(game), entries(0..written + 500));
}

#[test]
fn small_writes_go_on_beside_one_that_does_not_fit() {
    let fixture = Fixture::with(&Settings { max_pages: Some(120), ..Settings::default() });
    let player = fixture.player(1);
    let (large, small) = (fixture.game(player), fixture.game(player));
    let append = |game, entries| fixture.store.write(Write::of(append_of(game, entries)));
    let waiting =
        [append(small, entries(0..1)), append(large, entries(0..20_000)), append(small, entries(1..2))];
    let outcomes = waiting.map(wait);
    assert!(matches!(outcomes[1], Err(StoreError::Full)), "{:?}", outcomes[1]);
    let kept = fixture.entries(small);
    let acknowledged = usize::from(outcomes[0].is_ok()) + usize::from(outcomes[2].is_ok());
    assert_eq!(kept.len(), acknowledged);
    fixture.append(small, kept.len() as u64..kept.len() as u64 + 1).unwrap();
}

#[test]
fn a_file_that_somebody_else_locks_is_told_and_waited_for() {
    let fixture = Fixture::with(&impatient());
    let game = fixture.game(fixture.player(1));
    let mut other = Connection::open(fixture.path()).unwrap();
    let lock = other.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    assert!(matches!(fixture.append(game, 0..1), Err(StoreError::Locked)));
    lock.rollback().unwrap();
    fixture.append(game, 0..1).unwrap();
}

#[test]
fn a_sweep_that_fails_begins_anew() {
    let fixture = Fixture::with(&impatient());
    let game = fixture.game(fixture.player(1));
    fixture.append(game, 0..100).unwrap();
    let mut sweep = fixture.sweep();
    let mut other = Connection::open(fixture.path()).unwrap();
    let lock = other.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    let failed = loop {
        if let Err(error) = sweep.step() {
            break error;
        }
    };
    assert!(matches!(failed, StoreError::Locked), "{failed}");
    lock.rollback().unwrap();
    fixture.sweep_down_to(50, &mut sweep);
    assert_eq!(fixture.entries(game), entries(0..100));
}

#[test]
fn a_database_is_served_by_one_at_a_time() {
    let fixture = Fixture::new();
    let second = Sqlite::open(&fixture.path(), &Settings::default());
    assert!(matches!(second.err(), Some(StoreError::InUse(_))));
    let fixture = fixture.reopened(&Settings::default());
    drop(fixture);
}

/// Locks must meet under all names of a file.
#[cfg(unix)]
#[test]
fn a_database_is_one_under_all_its_names() {
    let fixture = Fixture::new();
    let link = fixture.folder.path().join("link.db");
    std::os::unix::fs::symlink(fixture.path(), &link).unwrap();
    let refused = Sqlite::open(&link, &Settings::default()).err();
    assert!(matches!(refused, Some(StoreError::InUse(_))), "{refused:?}");
    let second = fixture.folder.path().join("second.db");
    fs::hard_link(fixture.path(), &second).unwrap();
    let refused = Sqlite::open(&second, &Settings::default()).err();
    assert!(matches!(refused, Some(StoreError::SecondName)), "{refused:?}");
}

/// A second writer may evade the lock (a copied folder, another system, a console). The store then stops
/// writing, so no second history begins.
#[test]
fn what_somebody_else_wrote_ends_all_writing() {
    let fixture = Fixture::new();
    let game = fixture.game(fixture.player(1));
    fixture.append(game, 0..2).unwrap();
    let raw = Connection::open(fixture.path()).unwrap();
    raw.execute(
        "INSERT INTO log (game, seq, x, head, body, landmark) VALUES (?1, 2, x'00', x'00', x'00', 0)",
        [game],
    )
    .unwrap();
    for _ in 0..2 {
        let refused = fixture.append(game, 2..3).unwrap_err();
        assert!(matches!(refused, StoreError::TwoWriters), "{refused}");
        assert!(wait(fixture.store.ready()).is_err());
    }
}

/// The server is not ready while writes fail, and recovers by itself.
#[test]
fn a_store_that_cannot_write_says_so_and_finds_out_when_it_can() {
    let fixture = Fixture::with(&impatient());
    let game = fixture.game(fixture.player(1));
    wait(fixture.store.ready()).unwrap();
    let mut other = Connection::open(fixture.path()).unwrap();
    let lock = other.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    assert!(fixture.append(game, 0..1).is_err());
    assert!(matches!(wait(fixture.store.ready()), Err(StoreError::Locked)));
    lock.rollback().unwrap();
    wait(fixture.store.ready()).unwrap();
}

#[cfg(unix)]
#[test]
fn a_copy_that_others_may_read_is_closed_to_them() {
    use std::os::unix::fs::PermissionsExt as _;
    let fixture = Fixture::new();
    let path = fixture.path();
    let Fixture { store, folder } = fixture;
    drop(store);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let store = Sqlite::open(&path, &Settings::default()).unwrap();
    for file in fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{:?}", file.path());
    }
    drop(store);
}

#[test]
fn a_damaged_page_is_found_and_named() {
    let fixture = Fixture::new();
    let game = fixture.game(fixture.player(1));
    let mut sweep = fixture.sweep();
    for seq in 0..400 {
        fixture.append(game, seq..seq + 1).unwrap();
        sweep.step().unwrap();
    }
    drop(sweep);
    let path = fixture.path();
    drop(fixture.store);
    assert_eq!(check(&path).unwrap().problems, Vec::<String>::new());
    let mut bytes = fs::read(&path).unwrap();
    let pages = bytes.len() / 4096;
    for page in 3..pages {
        bytes[page * 4096..page * 4096 + 200].fill(0xee);
    }
    fs::write(&path, bytes).unwrap();
    let found = check(&path);
    assert!(found.is_err() || !found.unwrap().problems.is_empty());
    let opened = Sqlite::open(&path, &impatient());
    let told = opened.and_then(|store| store.reads.entries(game, 0, u64::MAX).map(|_| ()));
    assert!(matches!(told, Err(StoreError::Corrupt(_))), "{told:?}");
}

#[test]
fn files_that_are_not_ours_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text.db");
    fs::write(&text, "no database at all, but long enough to have a header ".repeat(100)).unwrap();
    assert!(matches!(Sqlite::open(&text, &impatient()).err(), Some(StoreError::Foreign)));

    let foreign = folder.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE theirs (a)").unwrap();
    let before = fs::read(&foreign).unwrap();
    assert!(matches!(Sqlite::open(&foreign, &impatient()).err(), Some(StoreError::Foreign)));
    assert_eq!(fs::read(&foreign).unwrap(), before);
    assert!(matches!(check(&foreign), Err(StoreError::Foreign)));
}

#[test]
fn a_database_from_a_newer_version_is_refused() {
    let fixture = Fixture::new();
    let path = fixture.path();
    drop(fixture.store);
    let raw = Connection::open(&path).unwrap();
    raw.pragma_update(None, "user_version", 99).unwrap();
    drop(raw);
    let refused = Sqlite::open(&path, &impatient()).err().unwrap();
    assert!(matches!(refused, StoreError::Newer { found: 99, .. }), "{refused}");
    assert!(refused.to_string().contains("newer playledger"));
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("missing").join("games.db");
    let told = Sqlite::open(&nowhere, &impatient()).err().unwrap();
    assert!(matches!(told, StoreError::NoFolder), "{told}");
}

#[test]
fn a_connection_that_may_not_write_is_told_as_such() {
    let fixture = Fixture::new();
    let reader = crate::store::sqlite::connection::for_reading(&fixture.path(), &impatient()).unwrap();
    let error = reader.execute("DELETE FROM answer", []).unwrap_err();
    assert!(matches!(StoreError::from(error), StoreError::ReadOnly));
}

#[test]
fn a_backup_of_a_live_database_opens_and_is_whole() {
    let fixture = Fixture::new();
    let game = fixture.game(fixture.player(1));
    fixture.append(game, 0..50).unwrap();
    let copy = fixture.folder.path().join("copy.db");
    let health = backup(&fixture.path(), &copy).unwrap();
    assert_eq!((health.games, health.entries_in_log), (1, 50));
    fixture.append(game, 50..60).unwrap();
    assert!(backup(&fixture.path(), &copy).is_err(), "a backup is never overwritten");
    let restored = Sqlite::open(&copy, &Settings::default()).unwrap();
    assert_eq!(read(&restored, game), entries(0..50));
    wait(restored.write(Write::of(append_of(game, vec![entry(50)])))).unwrap();
    assert_eq!(
        fs::read_dir(fixture.folder.path())
            .unwrap()
            .filter(|file| file
                .as_ref()
                .unwrap()
                .path()
                .extension()
                .is_some_and(|ending| ending == "incomplete"))
            .count(),
        0
    );
}
