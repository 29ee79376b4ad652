//! Players, games, seats and answers.

use rusqlite::Connection;

use super::fixture::Fixture;
use crate::store::testing::{append_under, claim, new_game};
use crate::store::traits::{AccountStore as _, ClaimStore as _, GameStore as _};
use crate::store::{
    Change, ClaimOutcome, Kept, NewClaim, PlayerKey, TABLES, Write,
    sqlite::{Settings, migrate::bring_up_to_date},
};

#[test]
fn keys_go_on_after_a_restart() {
    let fixture = Fixture::new();
    let (player, game) = (fixture.player(1), fixture.store.new_game_key());
    fixture.write(Write::of(Change::AddGame(Box::new(new_game(game, player))))).unwrap();
    let fixture = fixture.reopened(&Settings::default());
    assert_ne!(fixture.store.new_player_key(), player);
    assert_ne!(fixture.store.new_game_key(), game);
}

/// Returns the result of a request with this key.
fn found(fixture: &Fixture, player: PlayerKey, claim: &NewClaim) -> Option<Kept> {
    let found: Option<ClaimOutcome> =
        fixture.store.reads.claim(player, &claim.digest[0].to_string(), claim).unwrap();
    found.map(|claim| {
        assert_eq!(claim.fingerprint, [4; 16]);
        claim.kept
    })
}

#[test]
fn a_claim_is_found_in_the_log_in_a_segment_and_after_a_restart() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    let game = fixture.game(player);
    let uuid = fixture.newest_game().row.facts.uuid;
    fixture.write(append_under(game, 0..3, 1, claim(1, 9, 0))).unwrap();
    let kept = Some(Kept::Entry { game: uuid, seq: 1, last: 2 });
    let new = claim(1, 90, 0);
    assert_eq!(found(&fixture, player, &new), kept, "in the log");
    assert_eq!(found(&fixture, player, &claim(1, 90, 10)), None, "too old");
    let fixture = fixture.reopened(&Settings::default());
    assert_eq!(found(&fixture, player, &new), kept, "in the log, after a restart");
    fixture.append(game, 3..100).unwrap();
    let mut sweep = fixture.sweep();
    fixture.sweep_down_to(60, &mut sweep);
    assert_eq!(found(&fixture, player, &new), kept, "swept");
    assert_eq!(found(&fixture, player, &claim(1, 90, 10)), None, "swept, and too old");
    drop(sweep);
    let fixture = fixture.reopened(&Settings::default());
    assert_eq!(found(&fixture, player, &new), kept, "swept, after a restart");
    super::fixture::wait(fixture.store.forget_claims(10)).unwrap();
    assert_eq!(found(&fixture, player, &new), None, "forgotten");
}

/// A column without a copy here would be lost in a move to another store.
#[test]
fn every_column_is_carried_to_another_store() {
    let mut connection = Connection::open_in_memory().unwrap();
    bring_up_to_date(&mut connection).unwrap();
    // PostgreSQL has the first in another table, and the second counts rows.
    let elsewhere = [("game", "deadline"), ("claim", "id")];
    for table in TABLES.iter().filter(|table| table.read.is_none()) {
        let mut query = connection.prepare("SELECT name FROM pragma_table_info(?1)").unwrap();
        let columns = query.query_map([table.name], |row| row.get::<_, String>(0)).unwrap();
        let mut columns: Vec<String> = columns.map(Result::unwrap).collect();
        columns.retain(|column| !elsewhere.contains(&(table.name, column)));
        let mut named: Vec<&str> = table.columns.split(", ").map(str::trim).collect();
        columns.sort_unstable();
        named.sort_unstable();
        assert_eq!(columns, named, "{}", table.name);
    }
}
