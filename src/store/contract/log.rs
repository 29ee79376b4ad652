//! Appends: conditional, together or not at all.

use super::Contract;
use crate::{
    store::{
        Change, GameKey, StoreError, Write,
        testing::{append_of, entries, new_game},
    },
    words::Status,
};

#[test]
fn an_entry_is_appended_once() {
    let fixture = Contract::new();
    let game = fixture.game(fixture.player(1));
    fixture.append(game, 0..3).unwrap();
    for seqs in [0..1, 2..3, 2..5] {
        let conflict = fixture.append(game, seqs);
        assert!(matches!(conflict, Err(StoreError::Conflict { actual: 3, .. })), "{conflict:?}");
    }
    fixture.append(game, 3..4).unwrap();
    assert_eq!(fixture.entries(game), entries(0..4));
}

#[test]
fn of_two_that_append_at_once_one_wins() {
    let fixture = Contract::new();
    let game = fixture.game(fixture.player(1));
    let append = || fixture.store.write(Write::of(append_of(game, entries(0..1))));
    let (first, second) = (append(), append());
    assert!(matches!(
        (fixture.wait(first), fixture.wait(second)),
        (Ok(()), Err(StoreError::Conflict { actual: 1, .. }))
    ));
}

#[test]
fn a_write_happens_whole_or_not_at_all() {
    let fixture = Contract::new();
    let player = fixture.player(1);
    let game = fixture.game(player);
    fixture.append(game, 0..2).unwrap();
    let other = fixture.store.new_game_key();
    let broken = Write::of(Change::AddGame(Box::new(new_game(other, player))))
        .and(append_of(other, entries(0..2)))
        .and(append_of(game, entries(2..4)))
        .and(Change::SetStatus { game, status: Status::Sealed, at: 1, ended: None })
        .and(Change::FreeSeat { game, seat: 3 });
    assert!(matches!(fixture.write(broken), Err(StoreError::Contradiction(_))));
    assert_eq!(fixture.entries(game), entries(0..2));
    assert_eq!(fixture.entries(other), []);
    fixture.append(game, 2..3).unwrap();
    assert_eq!(fixture.entries(game), entries(0..3));
}

#[test]
fn one_that_fails_takes_none_of_the_others_with_it() {
    let fixture = Contract::new();
    let player = fixture.player(1);
    let games: Vec<_> = (0..20).map(|_| fixture.game(player)).collect();
    for game in games.iter().step_by(3) {
        fixture.append(*game, 0..1).unwrap();
    }
    let append = |game: &GameKey| fixture.store.write(Write::of(append_of(*game, entries(0..1))));
    let waiting: Vec<_> = games.iter().map(append).collect();
    for (n, written) in waiting.into_iter().enumerate() {
        assert_eq!(fixture.wait(written).is_ok(), n % 3 != 0, "game {n}");
    }
    for (n, game) in games.iter().enumerate() {
        assert_eq!(fixture.entries(*game), entries(0..1), "game {n}");
    }
}
