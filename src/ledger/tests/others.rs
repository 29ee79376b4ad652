//! How many entries a seat may write between its moves.

use super::{
    forged::{after, entries, first_move, put_in, sys, unsigned},
    played::{Played, terms},
};

const MOST: usize = 8;

/// The checks that fail of a game in which a seat has written so many entries before the one move of seat 0, or after it. Seat
/// 0 resigns at the end.
fn crowded(is_before: bool, seat: u64, count: usize) -> Vec<&'static str> {
    let played = unsigned(terms(), Played::move_once);
    let place = first_move(&entries(&played));
    after(&played, |entries| {
        for number in (0..count).rev() {
            let op = if number % 2 == 0 { "pause" } else { "continue" };
            put_in(entries, if is_before { place } else { place + 1 }, sys(op, seat));
        }
    })
}

#[test]
fn a_seat_writes_8_entries_between_its_moves_and_no_more() {
    for (is_before, seat, most) in [(true, 0, MOST), (true, 1, MOST), (false, 1, MOST)] {
        assert_eq!(crowded(is_before, seat, most), Vec::<&str>::new(), "{is_before} {seat}");
        assert_eq!(crowded(is_before, seat, most + 1), ["chain"], "{is_before} {seat}");
    }
    // A resignation is one of them.
    assert_eq!(crowded(false, 0, MOST - 1), Vec::<&str>::new());
    assert_eq!(crowded(false, 0, MOST), ["chain"]);
}
