//! How many entries a seat may write between its moves.

use super::{
    forged::{after, entries, first_move, put_in, sys, unsigned},
    played::{Played, terms},
};
use crate::{
    engine::Format,
    ledger::{
        entry::{Body, Holder, Join},
        standing::Standing,
    },
};

const MOST: usize = 8;

/// The checks that fail of a game in which a seat has written so many entries before the one move of seat 0,
/// or after it. Seat 0 resigns at the end.
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

/// What a machine brought to the shuffle is the server's own, whoever has its seat later; and what a player
/// brought is its own.
#[test]
fn bytes_stay_those_of_who_brought_them() {
    let mut standing = Standing::of(Format::Two, 2, terms());
    let bot = Holder { bot: Some("easy".into()), ..Holder::person("machine") };
    let join = |seat: u8, holder| Body::Join(Join { seat: seat.into(), holder, commit: Some([seat; 32]) });
    let reveal = |seat: u8| Body::Reveal { seat: seat.into(), entropy: [seat; 32] };
    let hand = |seat, holder| Body::Hand { seat, holder, signed: None };
    let log = [
        join(0, Holder::person("ada")),
        join(1, bot.clone()),
        Body::Seal,
        reveal(0),
        reveal(1),
        Body::Start,
        hand(0, bot),
        hand(1, Holder::person("bob")),
    ];
    for (seq, body) in (1..).zip(&log) {
        standing.place(body).unwrap();
        standing.hand_over(body).unwrap();
        standing.note(body, seq);
    }
    let shares: Vec<bool> = standing.seats.iter().flatten().map(|sitting| sitting.is_share).collect();
    assert_eq!(shares, [true, false]);
}
