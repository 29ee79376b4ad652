//! Limits on connections, streams and long polls, in all and for each client.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Permits, and how many each client has, or each client at one game.
pub struct ConnectionQuota<C: Copy + Eq + Hash> {
    most: usize,
    most_of_client: usize,
    taken: Mutex<Taken<C>>,
}

struct Taken<C> {
    all: usize,
    by_client: HashMap<C, usize>,
}

/// A permit, until it is dropped.
pub struct QuotaGuard<C: Copy + Eq + Hash> {
    places: Arc<ConnectionQuota<C>>,
    client: Option<C>,
}

impl<C: Copy + Eq + Hash> ConnectionQuota<C> {
    pub fn new(most: usize, most_of_client: usize) -> Arc<Self> {
        let taken = Taken { all: 0, by_client: HashMap::new() };
        Arc::new(Self { most, most_of_client, taken: Mutex::new(taken) })
    }

    fn taken(&self) -> MutexGuard<'_, Taken<C>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a permit, for a client or for none.
    pub fn take(self: &Arc<Self>, client: Option<C>) -> Option<QuotaGuard<C>> {
        let mut taken = self.taken();
        if taken.all >= self.most {
            return None;
        }
        if let Some(client) = client {
            let of_client = taken.by_client.entry(client).or_default();
            if *of_client >= self.most_of_client {
                return None;
            }
            *of_client += 1;
        }
        taken.all += 1;
        Some(QuotaGuard { places: Arc::clone(self), client })
    }

    pub fn count(&self) -> usize {
        self.taken().all
    }
}

impl<C: Copy + Eq + Hash> Drop for QuotaGuard<C> {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        taken.all -= 1;
        let Some(client) = self.client else { return };
        if let Some(of_client) = taken.by_client.get_mut(&client) {
            *of_client -= 1;
            if *of_client == 0 {
                taken.by_client.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::client::Client;

    #[test]
    fn one_client_leaves_room_for_others_and_a_place_is_given_back() {
        let places = ConnectionQuota::new(3, 2);
        let client = |last| Some(Client::at([192, 0, 2, last].into()));
        let first = places.take(client(1)).unwrap();
        let second = places.take(client(1)).unwrap();
        assert!(places.take(client(1)).is_none(), "it has all that one client may have");
        let third = places.take(client(2)).unwrap();
        assert!(places.take(None).is_none(), "all are taken");
        drop(first);
        assert!(places.take(client(1)).is_some());
        drop((second, third));
        assert_eq!((places.count(), places.taken().by_client.len()), (0, 0));
    }
}
