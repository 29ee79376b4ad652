//! A rematch names the game before it, by its id and its last head: whoever has that game's document holds it to it.

use super::{
    forged::{anew, entries, renumber, unsigned},
    hosted::{GAME, failed, key},
    played::terms,
};
use crate::ledger::{
    evidence::Evidence,
    terms::{Previous, Terms},
    verify::verify,
};

/// The checks that fail of a rematch that names a game by this id and head.
fn failing(game: &str, head: [u8; 32], before: &[u8]) -> Vec<&'static str> {
    let previous = Some(Previous { game: game.into(), head });
    held(&unsigned(Terms { previous, ..terms() }, |_| {}).document(), before)
}

/// The checks that fail of a game if this is the document of the game before it.
fn held(document: &[u8], before: &[u8]) -> Vec<&'static str> {
    failed(&verify(&Evidence { document, keys: &[key()], previous: Some(before), ..Evidence::default() }))
}

#[test]
fn a_rematch_is_held_against_the_game_before_it() {
    let before = unsigned(terms(), |_| {});
    let (document, head) = (before.document(), before.links.last().unwrap().head);
    assert_eq!(failing(GAME, head, &document), Vec::<&str>::new());
    assert_eq!(failing("another", head, &document), ["chain"], "a game of another id");
    assert_eq!(failing(GAME, [7; 32], &document), ["chain"], "another end");
    assert_eq!(failing(GAME, head, b"{}"), ["chain"], "no document at all");
    let ended_otherwise = unsigned(terms(), |played| played.now += 1).document();
    assert_eq!(failing(GAME, head, &ended_otherwise), ["chain"], "another game of this id");
    let mut broken = entries(&before);
    broken.remove(1);
    renumber(&mut broken);
    let broken = anew(&before, &broken).unwrap();
    assert_eq!(failing(GAME, head, &broken), ["chain"], "a log that is none");
    assert_eq!(held(&document, &document), ["chain"], "who names no game before it");
}
