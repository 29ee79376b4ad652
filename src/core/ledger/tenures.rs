//! Tenures: who had which seat, and with which keys.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    checks::chain::History,
    device::Device,
    document::Document,
    entry::{Body, By, Holder, Join, PlainAct},
    evidence::Evidence,
    player_id,
    seat_key::SeatKey,
    signed::Signed,
};
use crate::engine::hash::Bytes32;

/// The tenure of one player at a seat, from its `join` or `hand`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct Tenure {
    pub seat: u64,
    /// Seq of the `join` or `hand`.
    pub from: u64,
    pub player: String,
    /// Level of the built-in bot, if it was one.
    pub bot: Option<String>,
    /// Keys in the order of their changes.
    pub keys: Vec<KeyEvent>,
    /// Number of moves by each key, or `unsigned`.
    pub moves: BTreeMap<String, u64>,
    /// Number of decisions by plans of each key, or `unsigned`.
    pub plans: BTreeMap<String, u64>,
    pub proved: Proved,
}

/// A change of a key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct KeyEvent {
    pub seq: u64,
    pub what: KeyChange,
    /// The key, or null if the seat has no key from here on.
    pub key: Option<String>,
}

/// The kind of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[serde(rename_all = "snake_case")]
pub enum KeyChange {
    Join,
    Hand,
    Device,
    Rekey,
    Revoke,
}

/// Whether trusted keys signed all, some or none of a tenure's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[serde(rename_all = "snake_case")]
pub enum Proved {
    All,
    Some,
    None,
}

const UNSIGNED: &str = "unsigned";

/// Returns all tenures of a log with valid signatures, by seat.
pub fn report(document: &Document, history: &History, evidence: &Evidence) -> Vec<Tenure> {
    let mut seats: Vec<Vec<TenureReader>> = (0..history.genesis.terms.seats).map(|_| Vec::new()).collect();
    for (recorded, seq) in document.entries().zip(0..) {
        let body = &recorded.entry.body;
        let place = body.seat().and_then(|seat| usize::try_from(seat).ok());
        let Some(seat) = place.and_then(|place| seats.get_mut(place)) else { continue };
        match body {
            Body::Join(Join { holder, .. }) => {
                seat.push(TenureReader::new(seq, KeyChange::Join, body, holder));
            }
            Body::Leave { .. } => drop(seat.pop()),
            Body::Hand { holder, .. } => seat.push(TenureReader::new(seq, KeyChange::Hand, body, holder)),
            _ => {
                if let Some(tenure) = seat.last_mut() {
                    tenure.take_in(seq, body);
                }
            }
        }
    }
    let known: BTreeSet<&Bytes32> = evidence.players.iter().map(SeatKey::as_bytes).collect();
    seats.into_iter().flatten().map(|reader| reader.finish(&known, evidence.devices)).collect()
}

/// A tenure while its entries are read.
struct TenureReader {
    tenure: Tenure,
    statements: Vec<Device>,
    /// The key of the beginning and of every `rekey`: each must be trusted for all to be proved.
    roots: Vec<Option<SeatKey>>,
    signers: Vec<SeatKey>,
}

impl TenureReader {
    fn new(from: u64, how: KeyChange, body: &Body, holder: &Holder) -> Self {
        let key = body.claim().map(|claim| claim.key.clone());
        let Holder { player, bot } = holder.clone();
        let (moves, plans) = (BTreeMap::new(), BTreeMap::new());
        let seat = body.seat().unwrap_or_default();
        let keys = vec![KeyEvent { seq: from, what: how, key: key.as_ref().map(SeatKey::hex) }];
        let tenure = Tenure { seat, from, player, bot, keys, moves, plans, proved: Proved::None };
        Self { tenure, statements: Vec::new(), roots: vec![key], signers: Vec::new() }
    }

    fn take_in(&mut self, seq: u64, body: &Body) {
        self.link(seq, body.signed());
        match body {
            Body::Cmd { by: By::Player, signed, .. } => {
                let key = signed.as_ref().map(|part| &part.signed.key);
                count(&mut self.tenure.moves, key);
                self.signers.extend(key.cloned());
            }
            Body::Cmd { by: By::Plan(plan), .. } => {
                let signed = plan.signed.as_ref();
                self.statements.extend(signed.map(|signed| signed.devices.clone()).unwrap_or_default());
                count(&mut self.tenure.plans, signed.map(|signed| &signed.key));
                self.signers.extend(signed.map(|signed| signed.key.clone()));
            }
            Body::Act { act: PlainAct::Rekey, signed, .. } => {
                let key = signed.as_ref().map(|signed| signed.key.clone());
                self.note(seq, KeyChange::Rekey, key.as_ref());
                self.roots.push(key);
            }
            Body::Revoke { keys, .. } => {
                for key in keys {
                    self.note(seq, KeyChange::Revoke, Some(key));
                }
            }
            _ => {}
        }
        // Consecutive moves mostly have the same key.
        self.signers.dedup();
    }

    /// Adds the keys of the device statements of a signature. Each statement names a known key.
    fn link(&mut self, seq: u64, signed: Option<&Signed>) {
        let Some(signed) = signed.filter(|signed| !signed.devices.is_empty()) else { return };
        let mut added = Some(&signed.key);
        let mut chain = Vec::new();
        for device in signed.devices.iter().rev() {
            let Some(key) = added else { break };
            chain.push(key.clone());
            added = device.other(key);
        }
        for key in chain.iter().rev() {
            self.note(seq, KeyChange::Device, Some(key));
        }
        self.statements.extend(signed.devices.iter().cloned());
    }

    fn note(&mut self, seq: u64, what: KeyChange, key: Option<&SeatKey>) {
        self.tenure.keys.push(KeyEvent { seq, what, key: key.map(SeatKey::hex) });
    }

    fn finish(mut self, known: &BTreeSet<&Bytes32>, devices: &[Device]) -> Tenure {
        let own = devices.iter().filter(|device| device.is_of(&self.tenure.player));
        self.statements.extend(own.cloned());
        let trusted = self.trusted(known);
        let is_trusted = |key: &SeatKey| trusted.contains(key.as_bytes());
        let is_unsigned = |counts: &BTreeMap<String, u64>| counts.contains_key(UNSIGNED);
        let roots = self.roots.iter().all(|root| root.as_ref().is_some_and(is_trusted));
        let signed_all = !is_unsigned(&self.tenure.moves) && !is_unsigned(&self.tenure.plans);
        self.tenure.proved = if roots && signed_all && self.signers.iter().all(is_trusted) {
            Proved::All
        } else if self.signers.iter().any(is_trusted) {
            Proved::Some
        } else {
            Proved::None
        };
        self.tenure
    }

    /// Returns the trusted keys: those of the reader, those from which the player's id is derived, and all
    /// keys linked to them.
    fn trusted(&self, known: &BTreeSet<&Bytes32>) -> BTreeSet<Bytes32> {
        let statements = self.statements.iter().flat_map(|device| &device.keys);
        let all = self.roots.iter().flatten().chain(&self.signers).chain(statements);
        let is_root = |key: &&SeatKey| {
            known.contains(key.as_bytes()) || player_id::derived_text(key) == self.tenure.player
        };
        let mut trusted: BTreeSet<Bytes32> = all.filter(is_root).map(|key| *key.as_bytes()).collect();
        let mut links: BTreeMap<&Bytes32, Vec<&Bytes32>> = BTreeMap::new();
        for Device { keys: [a, b], .. } in &self.statements {
            links.entry(a.as_bytes()).or_default().push(b.as_bytes());
            links.entry(b.as_bytes()).or_default().push(a.as_bytes());
        }
        let mut reached: Vec<Bytes32> = trusted.iter().copied().collect();
        while let Some(key) = reached.pop() {
            for next in links.remove(&key).unwrap_or_default() {
                if trusted.insert(*next) {
                    reached.push(*next);
                }
            }
        }
        trusted
    }
}

fn count(counts: &mut BTreeMap<String, u64>, key: Option<&SeatKey>) {
    let key = key.map_or_else(|| UNSIGNED.to_owned(), SeatKey::hex);
    *counts.entry(key).or_default() += 1;
}
