//! Backups of a database under load.

use super::fixture::Fixture;
use crate::store::sqlite::Inspection;

#[test]
fn a_snapshot_shows_nothing_that_was_written_after_it() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    let game = fixture.game(player);
    fixture.append(game, 0..3).unwrap();
    let (health, inspection) = Inspection::examine(&fixture.path()).unwrap();
    fixture.append(game, 3..6).unwrap();
    let later = fixture.game(player);
    fixture.append(later, 0..2).unwrap();
    let inspection = inspection.unwrap();
    let mut entries = Vec::new();
    let mut show = |game, _: &[_]| entries.push(inspection.opening(game).unwrap().unwrap().entries.len());
    inspection.each_game(&mut show).unwrap();
    assert_eq!((health.games, entries), (1, vec![3]));
    assert_eq!(inspection.unfinished().unwrap().len(), 1);
}
