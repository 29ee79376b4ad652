//! Ids of requests, in answers and log lines.

use std::{
    cell::Cell,
    time::{SystemTime, UNIX_EPOCH},
};

use uuid::{Builder, Uuid};

thread_local! {
    /// Each thread counts from its own start, without the system or other threads.
    static NEXT: Cell<u64> = Cell::new(crate::id::fresh().as_u64_pair().1);
}

/// Returns a unique id.
pub fn next() -> Uuid {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let mut counted = [0; 10];
    let number = NEXT.get();
    NEXT.set(number.wrapping_add(1));
    counted[2..].copy_from_slice(&number.to_be_bytes());
    let now = u64::try_from(now).unwrap_or(u64::MAX);
    Builder::from_unix_timestamp_millis(now, &counted).into_uuid()
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, thread};

    use super::*;

    #[test]
    fn no_two_are_the_same_on_any_thread() {
        let threads: Vec<_> =
            (0..4).map(|_| thread::spawn(|| (0..1_000).map(|_| next()).collect::<Vec<_>>())).collect();
        let ids: BTreeSet<Uuid> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert_eq!(ids.len(), 4_000);
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
    }
}
