//! Input from other servers about public trees: checkpoints, proofs, offers to a witness, names of tiles.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playledger::tree::{
    checkpoint::{Checkpoint, sign, text},
    merkle::{Shape, is_continued, root_by},
    note::VerifierKey,
    proof::Proof,
    signer::Signer,
    tile::TileRequest,
    witness::{WitnessRequest, WitnessRefusal, line_of},
};

fuzz_target!(|input: &str| {
    let (log, witness) = keys();
    if let Ok(read) = Checkpoint::read(input) {
        assert!(read.is_extended || read.text == text(read.origin, read.shape), "it is written in one way");
        let is_signed = read.check_log(std::slice::from_ref(&log)).is_ok();
        assert!(!is_signed || input.starts_with(&signed(read.shape)), "nobody signs for the log");
    }
    if let Ok(proof) = Proof::read(input) {
        // No entry has this head, so a valid proof would be a collision.
        let checked = proof.check(&[7; 32], std::slice::from_ref(&log), &[], 0);
        assert!(checked.is_err() || proof.checkpoint().shape.size > 0);
    }
    if let Ok(offer) = WitnessRequest::read(input) {
        for known in [None, Some(Shape { size: offer.old, root: [3; 32] }), Some(offer.checkpoint.shape)] {
            let judged = offer.judge(known);
            assert!(offer.old <= offer.checkpoint.shape.size || judged == Err(WitnessRefusal::Backwards));
        }
        let _ = offer.log(std::slice::from_ref(&log));
    }
    if let Some(asked) = TileRequest::read(input) {
        assert_eq!(asked.path(), format!("tile/{input}"), "a tile has one name");
    }
    assert_eq!(line_of(&witness, "a\n1\n", input), None, "nobody signs for the witness");
    let bytes = input.as_bytes();
    let hashes: Vec<[u8; 32]> = bytes.chunks_exact(32).map(|hash| hash.try_into().unwrap()).collect();
    let number =
        |at: usize| bytes.get(at..at + 8).map_or(0, |eight| u64::from_be_bytes(eight.try_into().unwrap()));
    let _ = root_by(&[1; 32], number(0), number(8), &hashes);
    let (old, new) = (Shape { size: number(0), root: [1; 32] }, Shape { size: number(8), root: [2; 32] });
    assert!(!is_continued(old, new, &hashes), "no tree leads to such roots");
});

fn signer() -> Signer {
    Signer::new("games.example/tlog", &[3; 32]).unwrap()
}

fn keys() -> (VerifierKey, playledger::tree::note::WitnessKey) {
    let witness = playledger::tree::signer::Cosigner::new("friend.example", &[4; 32]).unwrap();
    (signer().verifier_key(), witness.verifier_key())
}

fn signed(shape: Shape) -> String {
    let note = sign(&signer(), shape);
    note.split_once("\n\n").unwrap().0.to_owned()
}
