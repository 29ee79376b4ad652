//! A backup that was put back, by receipts and statements alone: what was lost convicts nobody, and nothing passes for it.

use serde_json::json;

use super::{
    hosted::{GAME, key, signer},
    played::{Played, terms},
};
use crate::{
    engine::Format,
    ledger::{
        chain::Link,
        document,
        entry::Op,
        evidence::Evidence,
        receipt::Receipt,
        report::Outcome,
        restore::{Restore, place},
        verify::verify,
    },
    tree::signer::Signer,
};

/// The last entry that was in the backup.
const BACKUP: u64 = 4;
/// What becomes of the same opening is decided this long after it, before the statement and after it.
const LOST: u64 = 1_000;
const ANEW: u64 = 9_000;

fn next() -> Signer {
    Signer::new("play.example", &[43; 32]).unwrap()
}

/// The same opening, and then this column a while later.
fn life(column: u64, later: u64) -> Played {
    let options = json!({"first_seat": 0, "max_rounds": 1});
    let mut played = Played::start("industrial-waste", &[Some(1), None], &options, terms());
    assert_eq!(played.game.seq(), BACKUP);
    played.now += later;
    let seat = played.game.waits_for().unwrap();
    let command = json!({"type": "choose_combination", "column": column});
    let command = played.game.table.as_ref().unwrap().ruleset().read_command(&command).unwrap();
    played.play(seat, &[command]);
    played.sys(Op::Resign, 1);
    played
}

/// The receipt by one of the keys for an entry.
fn receipt(played: &Played, by: &Signer, seq: u64) -> String {
    let head = played.links[usize::try_from(seq).unwrap()].head;
    by.sign(&Receipt { format: Format::Two, game: GAME.into(), seq, head })
}

/// The statement that the first key ended in this game, this long after the opening.
fn statement(played: &Played, later: u64) -> Restore {
    let head = &played.links[usize::try_from(BACKUP).unwrap()].head;
    let at = played.now - ANEW + later;
    Restore::read(&Restore::sign(&signer(), &next(), at, [place(GAME, BACKUP, head)])).unwrap()
}

/// What is said of receipts: of the one in the document, and of those beside it.
fn said(played: &Played, end: &str, kept: &[String], restores: &[Restore]) -> (Outcome, String) {
    let document = document::write(played.links.iter().map(Link::parts), &played.seed, end, &[]);
    let keys = [key(), next().verifier_key()];
    let evidence =
        Evidence { document: &document, keys: &keys, receipts: kept, restores, ..Evidence::default() };
    let report = verify(&evidence);
    (report.checks[3].outcome, report.checks[3].detail.clone())
}

/// A game that went on from its backup, and the one that was lost.
fn lives() -> (Played, Played) {
    (life(1, ANEW), life(2, LOST))
}

#[test]
fn a_receipt_for_what_was_lost_convicts_nobody() {
    let (played, lost) = lives();
    let (old, last) = (signer(), played.game.seq());
    let (end, before) = (receipt(&played, &next(), last), receipt(&played, &old, BACKUP));
    let kept = [before, receipt(&lost, &old, BACKUP + 1), receipt(&lost, &old, last)];
    let restores = [statement(&played, LOST)];
    let (outcome, detail) = said(&played, &end, &kept, &restores);
    assert_eq!(outcome, Outcome::Pass, "{detail}");
    assert!(detail.starts_with("1 receipt(s) of the document and 1 kept by seats"), "{detail}");
    assert!(detail.contains("; 2 kept receipt(s) are for entries"), "{detail}");
    let (outcome, detail) = said(&played, &end, &kept[..1], &restores);
    assert_eq!((outcome, detail.contains("lost")), (Outcome::Pass, false), "{detail}");

    // Nothing but the statement excuses it, and only of games that it names.
    let head = &played.links[usize::try_from(BACKUP).unwrap()].head;
    let of_another = Restore::sign(&old, &next(), 1, [place("another", BACKUP, head)]);
    for restores in [&[][..], &[Restore::read(&of_another).unwrap()]] {
        let (outcome, detail) = said(&played, &end, &kept, restores);
        assert_eq!(outcome, Outcome::Fail);
        assert!(detail.contains("signed another history"), "{detail}");
    }
}

#[test]
fn a_statement_excuses_one_key_behind_its_end_alone() {
    let (played, lost) = lives();
    let end = receipt(&played, &next(), played.game.seq());
    let restores = [statement(&played, LOST)];
    let unheard = |seq| Receipt { format: Format::Two, game: GAME.into(), seq, head: [9; 32] };
    for (kept, what) in [
        (receipt(&lost, &next(), BACKUP + 1), "signed another history"),
        (signer().sign(&unheard(BACKUP)), "signed another history"),
        (next().sign(&unheard(400)), "does not have"),
    ] {
        let (outcome, detail) = said(&played, &end, &[kept], &restores);
        assert_eq!(outcome, Outcome::Fail, "{what}");
        assert!(detail.contains(what), "{what}: {detail}");
    }
    // What was lost may have been longer than what came of it.
    assert_eq!(said(&played, &end, &[signer().sign(&unheard(400))], &restores).0, Outcome::Pass);
}

#[test]
fn a_key_that_goes_on_after_the_word_that_it_ended_keeps_a_second_history() {
    let (played, _) = lives();
    let (end, kept) = (receipt(&played, &next(), played.game.seq()), receipt(&played, &signer(), BACKUP + 1));
    let (outcome, detail) = said(&played, &end, &[kept], &[statement(&played, ANEW - 1)]);
    assert_eq!(outcome, Outcome::Fail);
    assert!(detail.contains("after the operator had said"), "{detail}");
}

/// What the operator says was lost is what lies before the reader.
#[test]
fn of_a_history_that_was_lost_its_receipts_prove_nothing() {
    let (played, lost) = lives();
    let last = lost.game.seq();
    let old = receipt(&lost, &signer(), last);
    // Up to the very moment of the statement.
    for restores in [[statement(&played, ANEW)], [statement(&played, LOST)]] {
        for (end, kept) in [(&old, &[][..]), (&receipt(&lost, &next(), last), std::slice::from_ref(&old))] {
            let (outcome, detail) = said(&lost, end, kept, &restores);
            assert_eq!(outcome, Outcome::NotRun, "{detail}");
            assert!(detail.contains("speak neither for it nor against it"), "{detail}");
        }
    }
    // What contradicts it up to there does so all the same.
    let forged = Receipt { format: Format::Two, game: GAME.into(), seq: BACKUP - 1, head: [9; 32] };
    let (outcome, detail) = said(&lost, &old, &[signer().sign(&forged)], &[statement(&played, ANEW)]);
    assert_eq!(outcome, Outcome::Fail, "{detail}");
    assert_eq!(said(&lost, &old, &[], &[]).0, Outcome::Pass, "without the statement it is as any other");
}

#[test]
fn the_end_itself_must_be_signed() {
    let (played, _) = lives();
    let (outcome, detail) = said(&played, &receipt(&played, &next(), played.game.seq() - 1), &[], &[]);
    assert_eq!(outcome, Outcome::Fail);
    assert!(detail.contains("no receipt for its end"), "{detail}");
}
