//! Reads outside the serving threads.

use std::sync::Arc;

use super::{Reads, Sqlite};
use crate::store::StoreError;

impl Sqlite {
    /// Reads on a thread that may wait for the disk.
    pub(super) async fn read_aside<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Reads) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let reads = self.reads.clone();
        let room = Arc::clone(&reads.room).acquire_owned().await.map_err(|_| StoreError::Stopped)?;
        let reading = tokio::task::spawn_blocking(move || {
            // The permit moves into the work, which continues if the caller gives up.
            let _room = room;
            read(&reads)
        });
        reading.await.unwrap_or(Err(StoreError::Stopped))
    }
}
