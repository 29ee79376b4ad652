//! Keys that sign for a seat during one tenure.

use std::collections::BTreeSet;

use super::{
    device::Device,
    entry::MOST_KEYS,
    finding::{Finding, finding},
    seat_key::SeatKey,
    signed::{Claim, Signed},
};
use crate::engine::hash::Bytes32;

/// The keys in force, and the revoked keys.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeatKeys {
    in_force: Vec<SeatKey>,
    revoked: BTreeSet<Bytes32>,
}

impl SeatKeys {
    /// Returns the keys at the start of a tenure.
    pub fn of(claim: Option<&Claim>) -> Self {
        Self {
            in_force: claim.map(|claim| claim.key.clone()).into_iter().collect(),
            revoked: BTreeSet::new(),
        }
    }

    pub fn in_force(&self) -> &[SeatKey] {
        &self.in_force
    }

    pub fn is_empty(&self) -> bool {
        self.in_force.is_empty()
    }

    /// Returns the equal key in force, whose point may be decoded already.
    pub fn find(&self, key: &SeatKey) -> Option<&SeatKey> {
        self.in_force.iter().find(|own| *own == key)
    }

    pub fn is_revoked(&self, key: &SeatKey) -> bool {
        self.revoked.contains(key.as_bytes())
    }

    /// Returns the keys that a signature adds: none if its key is in force, otherwise the keys of its device
    /// statements. The signatures of the statements are not checked here.
    pub fn added_by(&self, signed: &Signed) -> Result<Vec<SeatKey>, Finding> {
        if self.find(&signed.key).is_some() {
            return if signed.devices.is_empty() {
                Ok(Vec::new())
            } else {
                Err(finding!("devices_not_needed"))
            };
        }
        let mut added: Vec<SeatKey> = Vec::new();
        for device in &signed.devices {
            let new = self.next_of_chain(device, added.last()).ok_or_else(|| finding!("devices_no_chain"))?;
            if self.find(new).is_some() || self.is_revoked(new) || added.contains(new) {
                return Err(finding!("device_not_allowed"));
            }
            added.push(new.clone());
        }
        match added.last() {
            None => Err(finding!("other_key")),
            Some(last) if *last != signed.key => Err(finding!("devices_no_chain")),
            Some(_) => Ok(added),
        }
    }

    /// Returns the key that a statement adds. Its other key must be in force or come from the statement
    /// before.
    fn next_of_chain<'d>(&self, device: &'d Device, before: Option<&SeatKey>) -> Option<&'d SeatKey> {
        let [a, b] = &device.keys;
        let known = |key: &SeatKey| before.map_or_else(|| self.find(key).is_some(), |before| key == before);
        if known(a) { Some(b) } else { known(b).then_some(a) }
    }

    /// Returns whether the seat may have these further keys.
    pub fn have_room(&self, added: &[SeatKey]) -> bool {
        self.in_force.len() + added.len() <= MOST_KEYS
    }

    /// Puts the keys of a chain in force.
    pub fn add(&mut self, added: Vec<SeatKey>) {
        if self.have_room(&added) {
            self.in_force.extend(added);
        }
    }

    pub fn revoke(&mut self, keys: &[SeatKey]) {
        self.in_force.retain(|key| !keys.contains(key));
        self.revoked.extend(keys.iter().map(|key| *key.as_bytes()));
    }

    /// Replaces all keys in force by one or none.
    pub fn rekey(&mut self, key: Option<&SeatKey>) {
        self.in_force = key.cloned().into_iter().collect();
        if let Some(key) = key {
            self.revoked.remove(key.as_bytes());
        }
    }

    /// Returns the shortest chain of statements from a key in force to this key. The server attaches it.
    pub fn chain_to(&self, key: &SeatKey, statements: &[Device]) -> Vec<Device> {
        if self.is_empty() || self.find(key).is_some() || self.is_revoked(key) {
            return Vec::new();
        }
        let mut reached: Vec<(SeatKey, Vec<Device>)> =
            self.in_force.iter().map(|key| (key.clone(), Vec::new())).collect();
        let mut place = 0;
        while let Some((from, chain)) = reached.get(place).cloned() {
            place += 1;
            let room = super::device::MOST_DEVICES.min(MOST_KEYS - self.in_force.len());
            if chain.len() >= room {
                continue;
            }
            for device in statements {
                let Some(next) = device.other(&from) else { continue };
                if self.is_revoked(next) || reached.iter().any(|(known, _)| known == next) {
                    continue;
                }
                let longer: Vec<Device> = chain.iter().chain([device]).cloned().collect();
                if next == key {
                    return longer;
                }
                reached.push((next.clone(), longer));
            }
        }
        Vec::new()
    }
}
