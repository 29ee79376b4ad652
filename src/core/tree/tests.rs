//! The tree, compared with a naive implementation and with one by others.

use std::{cell::RefCell, collections::BTreeMap, convert::Infallible};

use super::{
    checkpoint::{self, Checkpoint},
    merkle::{Shape, Tiles, Tree, grow, is_continued, of_children, of_leaf, root_by},
    proof::{self, Proof},
    signer::{Cosigner, Signer},
    tile::{Tile, TileRequest, WIDTH, entries, read_entries},
    walk::{Source, TreeFault, walk},
    witness::{WitnessRefusal, WitnessRequest, line_of},
};
use crate::engine::hash::Bytes32;

/// Computes the root naively.
fn plain(leaves: &[Bytes32]) -> Bytes32 {
    match leaves {
        [] => Shape::empty().root,
        [leaf] => of_leaf(leaf),
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            of_children(&plain(left), &plain(right))
        }
    }
}

fn leaf(number: u64) -> Bytes32 {
    let mut leaf = [7; 32];
    leaf[..8].copy_from_slice(&number.to_be_bytes());
    leaf
}

/// A log that stores leaves and hashes over full tiles, like a server.
#[derive(Default, Clone)]
struct Log {
    leaves: Vec<Bytes32>,
    nodes: BTreeMap<(u32, u64), Bytes32>,
    /// A wrong bit in an answer.
    flipped: Option<TileRequest>,
    asked: RefCell<Vec<Tile>>,
}

impl Log {
    fn of(count: u64) -> Self {
        let mut log = Self::default();
        log.append(&(0..count).map(leaf).collect::<Vec<_>>());
        log
    }

    fn append(&mut self, leaves: &[Bytes32]) {
        let Ok(nodes) = grow(self, self.size(), leaves);
        self.nodes.extend(nodes.iter().map(|node| ((node.level, node.place), node.hash)));
        self.leaves.extend(leaves);
    }

    fn size(&self) -> u64 {
        self.leaves.len() as u64
    }

    fn shape(&self) -> Shape {
        let Ok(shape) = Tree::new(self, self.size()).shape();
        shape
    }

    fn flip(&self, asked: TileRequest, mut hashes: Vec<Bytes32>) -> Vec<Bytes32> {
        if self.flipped == Some(asked) {
            hashes[0][5] ^= 16;
        }
        hashes
    }
}

impl Tiles for Log {
    type Error = Infallible;

    fn tile(&self, tile: Tile) -> Result<Vec<Bytes32>, Infallible> {
        self.asked.borrow_mut().push(tile);
        let places = tile.first()..tile.first() + tile.width;
        let hash = |place: u64| match tile.level {
            0 => of_leaf(&self.leaves[usize::try_from(place).unwrap()]),
            level => self.nodes[&(level, place)],
        };
        Ok(self.flip(TileRequest::Hashes(tile), places.map(hash).collect()))
    }
}

impl Source for Log {
    fn leaves(&self, tile: Tile) -> Result<Vec<Bytes32>, Infallible> {
        let places = tile.first()..tile.first() + tile.width;
        let leaves = places.map(|place| self.leaves[usize::try_from(place).unwrap()]).collect();
        Ok(self.flip(TileRequest::Entries(tile), leaves))
    }
}

#[test]
fn every_leaf_of_every_small_tree_leads_to_its_root() {
    for size in 1..=33 {
        let log = Log::of(size);
        let expected = plain(&log.leaves);
        assert_eq!(log.shape().root, expected);
        for index in 0..size {
            let Ok(path) = Tree::new(&log, size).path(index);
            assert_eq!(root_by(&leaf(index), index, size, &path), Some(expected), "{index} of {size}");
            assert_ne!(root_by(&leaf(99), index, size, &path), Some(expected));
            assert_ne!(root_by(&leaf(index), index + 1, size, &path), Some(expected));
            let longer = [&path[..], &[[9; 32]]].concat();
            assert_ne!(root_by(&leaf(index), index, size, &longer), Some(expected));
            if let Some((_, shorter)) = path.split_last() {
                assert_ne!(root_by(&leaf(index), index, size, shorter), Some(expected));
            }
        }
    }
}

#[test]
fn every_small_tree_continues_every_smaller_one() {
    let logs: Vec<Log> = (0..=40).map(Log::of).collect();
    for new in &logs {
        for old in logs.iter().take_while(|old| old.size() <= new.size()) {
            let Ok(proof) = Tree::new(new, new.size()).continuation(old.size());
            assert!(is_continued(old.shape(), new.shape(), &proof), "{} {}", old.size(), new.size());
            let longer = [&proof[..], &[[9; 32]]].concat();
            assert!(!is_continued(old.shape(), new.shape(), &longer));
            if old.size() > 0 {
                let other = Shape { root: [1; 32], ..old.shape() };
                assert!(!is_continued(other, new.shape(), &proof));
            }
            if old.size() > 0 && old.size() < new.size() {
                assert!(!is_continued(old.shape(), Shape { root: [1; 32], ..new.shape() }, &proof));
                let shorter = &proof[..proof.len() - 1];
                assert!(!is_continued(old.shape(), new.shape(), shorter));
            }
        }
    }
}

/// Trees with several levels of tiles, grown in steps of all sizes.
#[test]
fn a_tree_that_grows_in_steps_is_the_tree_of_all_its_leaves() {
    let mut log = Log::default();
    let mut shapes = vec![log.shape()];
    for step in [1, 254, 1, 1, 255, 3, 65_000, 20, 600, 70_000, 256, 131_072] {
        let from = log.size();
        log.append(&(from..from + step).map(leaf).collect::<Vec<_>>());
        assert_eq!(log.shape().root, plain(&log.leaves), "{}", log.size());
        for old in &shapes {
            let Ok(proof) = Tree::new(&log, log.size()).continuation(old.size);
            assert!(is_continued(*old, log.shape(), &proof), "{} {}", old.size, log.size());
        }
        for index in [0, from, log.size() / 2, log.size() - 1] {
            let Ok(path) = Tree::new(&log, log.size()).path(index);
            assert_eq!(root_by(&leaf(index), index, log.size(), &path), Some(log.shape().root));
        }
        shapes.push(log.shape());
    }
    log.asked.borrow_mut().clear();
    let Ok(_) = Tree::new(&log, log.size()).path(77);
    assert!(log.asked.borrow().len() <= 6, "a proof reads few tiles");
}

#[test]
fn a_monitor_sees_every_leaf_once_and_every_bit_that_is_wrong() {
    let sizes = [0, 1, 255, 256, 257, 700, 65_536, 65_537, 70_000];
    let whole = Log::of(70_000);
    for old in sizes {
        let (mut seen, before) = (old, Log::of(old).shape());
        walk(&whole, before, whole.shape(), |index, head| {
            assert_eq!((index, *head), (seen, leaf(index)));
            seen += 1;
        })
        .unwrap();
        assert_eq!(seen, whole.size());
    }
    let tiles = [(0, 0), (0, 100), (0, 273), (1, 0), (1, 1), (2, 0)].map(|(level, place)| {
        TileRequest::Hashes(Tile::holding(level, place * WIDTH, whole.size()).unwrap())
    });
    let last = Tile::holding(0, 69_999, whole.size()).unwrap();
    for asked in tiles.into_iter().chain([TileRequest::Entries(last)]) {
        let log = Log { flipped: Some(asked), ..whole.clone() };
        let found = walk(&log, Shape::empty(), whole.shape(), |_, _| {});
        assert!(
            matches!(found, Err(TreeFault::Damaged(at)) if at == asked) || found == Err(TreeFault::Edge),
            "{asked:?}"
        );
    }
}

#[test]
fn a_fork_is_told_from_a_tile_that_is_damaged() {
    let (honest, mut other) = (Log::of(300), Log::of(290));
    other.append(&[[9; 32]; 40]);
    assert_eq!(walk(&other, honest.shape(), other.shape(), |_, _| {}), Err(TreeFault::Fork));
    assert_eq!(walk(&other, Log::of(290).shape(), other.shape(), |_, _| {}), Ok(()));
    assert_eq!(
        walk(&honest, honest.shape(), Log::of(200).shape(), |_, _| {}),
        Err(TreeFault::Fork),
        "smaller"
    );
    let same = Shape { root: [1; 32], ..honest.shape() };
    assert_eq!(walk(&honest, honest.shape(), same, |_, _| {}), Err(TreeFault::Fork));
    let tile = Tile::holding(0, 256, other.size()).unwrap();
    let damaged = Log { flipped: Some(TileRequest::Hashes(tile)), ..other.clone() };
    let found = walk(&damaged, honest.shape(), other.shape(), |_, _| {});
    assert_eq!(found, Err(TreeFault::Edge));
}

fn signer() -> Signer {
    Signer::new("games.example/tlog", &[3; 32]).unwrap()
}

#[test]
fn a_proof_is_written_and_read_and_holds_for_its_leaf_alone() {
    let (log, signer, cosigner) =
        (Log::of(300), signer(), Cosigner::new("friend.example", &[4; 32]).unwrap());
    let note = checkpoint::sign(&signer, log.shape());
    let text = checkpoint::text("games.example/tlog", log.shape());
    let note = note + &cosigner.cosign(&text, 1_800_000_000);
    let Ok(path) = Tree::new(&log, 300).path(270);
    let written = proof::write(270, &path, &note);
    let read = Proof::read(&written).unwrap();
    let (logs, witnesses) = ([signer.verifier_key()], [cosigner.verifier_key()]);
    let pinned = read.check(&leaf(270), &logs, &witnesses, 1).unwrap();
    assert_eq!((pinned.index, pinned.size, pinned.seen[0].1), (270, 300, 1_800_000_000));
    assert!(read.check(&leaf(271), &logs, &witnesses, 1).is_err());
    assert!(read.check(&leaf(270), &logs, &witnesses, 2).is_err());
    assert!(read.check(&leaf(270), &[], &witnesses, 0).is_err());
    let at = |time: u64| {
        let note = checkpoint::sign(&signer, log.shape()) + &cosigner.cosign(&text, time);
        Proof::read(&proof::write(270, &path, &note)).unwrap().check(&leaf(270), &logs, &witnesses, 1)
    };
    assert!(at(i64::MAX as u64).is_ok() && at(1 << 63).is_err(), "the latest time that there is");
    let cosigned = cosigner.cosign(&text, 5);
    let line = line_of(&cosigner.verifier_key(), &text, &cosigned).unwrap();
    assert_eq!(line, cosigned);
    assert_eq!(line_of(&cosigner.verifier_key(), "other\n1\n", line), None);
    assert!(Proof::read(&written.replace("\nindex 270\n", "\nindex 0270\n")).is_err());
    let extended = written.replace("\n300\n", "\n300\nAAAA\n");
    assert!(Proof::read(&extended).is_err());
    let one = checkpoint::sign(&signer, Log::of(1).shape());
    assert!(Proof::read(&proof::write(0, &[], &one)).unwrap().check(&leaf(0), &logs, &[], 0).is_ok());
}

#[test]
fn a_witness_signs_what_continues_what_it_has_signed() {
    let signer = signer();
    let logs = [signer.verifier_key()];
    let (old, new) = (Log::of(5), Log::of(9));
    let note = checkpoint::sign(&signer, new.shape());
    let Ok(proof) = Tree::new(&new, 9).continuation(5);
    let body = WitnessRequest::write(5, &proof, &note);
    let offer = WitnessRequest::read(&body).unwrap();
    assert_eq!(offer.log(&logs), Ok(&logs[0]));
    assert_eq!(offer.judge(Some(old.shape())), Ok(()));
    assert_eq!(offer.judge(None), Err(WitnessRefusal::Conflict { size: 0 }));
    assert_eq!(offer.judge(Some(new.shape())), Err(WitnessRefusal::Conflict { size: 9 }));
    let other = Shape { root: [1; 32], ..old.shape() };
    assert_eq!(offer.judge(Some(other)), Err(WitnessRefusal::Inconsistent));
    assert_eq!(offer.log(&[]), Err(WitnessRefusal::UnknownLog));
    let stranger = Signer::new("games.example/tlog", &[9; 32]).unwrap().verifier_key();
    assert!(matches!(offer.log(&[stranger]), Err(WitnessRefusal::Unsigned(_))));
    let first = WitnessRequest::write(0, &[], &note);
    assert_eq!(WitnessRequest::read(&first).unwrap().judge(None), Ok(()), "the first that it sees");
    let again = WitnessRequest::write(9, &[], &note);
    assert_eq!(WitnessRequest::read(&again).unwrap().judge(Some(new.shape())), Ok(()), "the same once more");
    let same_size = Shape { root: [1; 32], ..new.shape() };
    assert_eq!(
        WitnessRequest::read(&again).unwrap().judge(Some(same_size)),
        Err(WitnessRefusal::Inconsistent)
    );
    let backwards = WitnessRequest::write(10, &[], &note);
    assert_eq!(WitnessRequest::read(&backwards).unwrap().judge(None), Err(WitnessRefusal::Backwards));
    let empty = checkpoint::sign(&signer, Shape { size: 0, root: [1; 32] });
    let empty = WitnessRequest::write(0, &[], &empty);
    assert_eq!(WitnessRequest::read(&empty).unwrap().judge(None), Err(WitnessRefusal::Inconsistent));
    for wrong in [
        String::new(),
        body.replacen("old 5", "old 05", 1),
        body.replacen("old 5", "5", 1),
        body.replacen("\n\n", "\n", 1),
        body.replacen("\n\n", "\nAAAA\n\n", 1),
        WitnessRequest::write(5, &[[1; 32]; 64], &note),
        "x".repeat(40_000),
    ] {
        assert!(matches!(WitnessRequest::read(&wrong), Err(WitnessRefusal::Malformed(_))), "{wrong}");
    }
}

#[test]
fn a_checkpoint_is_read_in_one_way() {
    let note = checkpoint::sign(&signer(), Log::of(7).shape());
    let read = Checkpoint::read(&note).unwrap();
    assert_eq!(
        (read.origin, read.shape, read.is_extended),
        ("games.example/tlog", Log::of(7).shape(), false)
    );
    for place in 0..note.len() * 8 {
        let mut bytes = note.clone().into_bytes();
        bytes[place / 8] ^= 1 << (place % 8);
        let is_taken = String::from_utf8(bytes).is_ok_and(|text| {
            Checkpoint::read(&text).is_ok_and(|read| read.check_log(&[signer().verifier_key()]).is_ok())
        });
        assert!(!is_taken, "bit {place}");
    }
}

#[test]
fn entries_are_served_each_after_its_length() {
    let leaves = [leaf(1), leaf(2)];
    let bytes = entries(&leaves);
    assert_eq!((bytes.len(), &bytes[..2], &bytes[34..36]), (68, &[0, 32][..], &[0, 32][..]));
    assert_eq!(read_entries(&bytes), Some(leaves.to_vec()));
    assert_eq!(read_entries(&bytes[..60]), None);
}
