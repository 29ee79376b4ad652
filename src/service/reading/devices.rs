//! The device statements of a player that both keys have signed.

use super::Reading;
use crate::{
    ledger::{device::Device, seat_key::SeatKey},
    service::ServiceError,
    store::{DeviceRow, PlayerKey},
};

/// Returns the statement in a row, if both keys have signed it.
pub fn whole(row: &DeviceRow) -> Option<Device> {
    let [Some(low), Some(high)] = row.sigs else { return None };
    Some(Device { keys: row.keys.map(SeatKey::new), sigs: [low, high] })
}

impl Reading {
    /// Returns the statements that both keys have signed.
    pub async fn devices_of(&self, player: PlayerKey) -> Result<Vec<Device>, ServiceError> {
        Ok(self.store.devices(player).await?.iter().filter_map(whole).collect())
    }
}
