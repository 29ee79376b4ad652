//! Name lookups by the system.

use std::{
    io,
    net::{IpAddr, ToSocketAddrs as _},
    sync::Arc,
};

use tokio::sync::Semaphore;

/// Lookups at the same time, so that slow ones do not take all blocking threads.
const AT_ONCE: usize = 32;

type Lookup = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

pub struct Names {
    lookup: Arc<Lookup>,
    room: Arc<Semaphore>,
}

impl Names {
    pub fn of_the_system() -> Self {
        Self::by(|name| Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect()))
    }

    pub fn by(lookup: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static) -> Self {
        Self { lookup: Arc::new(lookup), room: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    pub async fn addresses(&self, name: &str) -> Vec<IpAddr> {
        if let Ok(address) = name.parse() {
            return vec![address];
        }
        let (lookup, name) = (Arc::clone(&self.lookup), name.to_owned());
        let Ok(room) = Arc::clone(&self.room).acquire_owned().await else { return Vec::new() };
        // A lookup continues after its caller gives up, and keeps its permit.
        let looked_up = tokio::task::spawn_blocking(move || {
            let found = lookup(&name);
            drop(room);
            found
        });
        looked_up.await.ok().and_then(Result::ok).unwrap_or_default()
    }
}
