//! A bounded map that keeps recently used entries.

use std::{
    cell::Cell,
    collections::{HashMap, VecDeque},
    hash::Hash,
    num::NonZeroUsize,
};

/// A CLOCK cache. A hit only marks its entry: moving it to the front of a queue would change memory that all
/// threads share. A marked entry gets another chance at the next eviction. Entries are in the map itself,
/// which saves an indirection.
pub struct ClockCache<K, V> {
    most: usize,
    kept: HashMap<K, CachedEntry<V>>,
    /// All keys, in the order of eviction.
    queue: VecDeque<K>,
}

struct CachedEntry<V> {
    value: V,
    is_marked: Cell<bool>,
}

impl<K: Eq + Hash + Clone, V> ClockCache<K, V> {
    pub fn new(most: NonZeroUsize) -> Self {
        Self { most: most.get(), kept: HashMap::new(), queue: VecDeque::new() }
    }

    pub fn len(&self) -> usize {
        self.kept.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.kept.iter().map(|(key, entry)| (key, &entry.value))
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        let entry = self.kept.get(key)?;
        if !entry.is_marked.get() {
            entry.is_marked.set(true);
        }
        Some(&entry.value)
    }

    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let entry = self.kept.get_mut(key)?;
        entry.is_marked.set(true);
        Some(&mut entry.value)
    }

    /// Removes an entry. Rare: searches the queue.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let removed = self.kept.remove(key)?;
        self.queue.retain(|queued| queued != key);
        Some(removed.value)
    }

    /// Inserts an entry, and evicts the least used one that is not held.
    pub fn put(&mut self, key: K, value: V, is_held: impl Fn(&V) -> bool) {
        let entry = CachedEntry { value, is_marked: Cell::new(false) };
        if self.kept.insert(key.clone(), entry).is_some() {
            return;
        }
        if self.kept.len() > self.most {
            self.let_go(is_held);
        }
        self.queue.push_back(key);
    }

    /// After one round all marks are gone. After two rounds all entries are held, and the next is evicted
    /// anyway.
    fn let_go(&mut self, is_held: impl Fn(&V) -> bool) {
        for _ in 0..2 * self.queue.len() {
            let may_stay = |entry: &CachedEntry<V>| entry.is_marked.take() || is_held(&entry.value);
            if !self.queue.front().and_then(|key| self.kept.get(key)).is_some_and(may_stay) {
                break;
            }
            self.queue.rotate_left(1);
        }
        if let Some(key) = self.queue.pop_front() {
            self.kept.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(marked: &[u32]) -> ClockCache<u32, u32> {
        let mut recent = ClockCache::new(NonZeroUsize::new(3).unwrap());
        (0..3).for_each(|key| recent.put(key, key, |_| false));
        assert!(marked.iter().all(|key| recent.get(key).is_some()));
        recent
    }

    fn keys(recent: &ClockCache<u32, u32>) -> Vec<u32> {
        let mut keys: Vec<u32> = recent.iter().map(|(key, _)| *key).collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn what_was_not_asked_for_goes_first() {
        for (marked, kept) in
            [(&[][..], [1, 2, 3]), (&[0], [0, 2, 3]), (&[0, 1], [0, 1, 3]), (&[0, 1, 2], [1, 2, 3])]
        {
            let mut recent = filled(marked);
            recent.put(3, 3, |_| false);
            assert_eq!(keys(&recent), kept, "{marked:?}");
        }
    }

    #[test]
    fn what_is_held_stays_while_anything_else_can_go() {
        let mut recent = filled(&[2]);
        recent.put(3, 3, |value| *value < 2);
        assert_eq!(keys(&recent), [0, 1, 3]);
        recent.put(4, 4, |_| true);
        assert_eq!(recent.len(), 3, "there is a bound all the same");
    }

    #[test]
    fn what_is_put_again_takes_no_room_of_others() {
        let mut recent = filled(&[]);
        recent.put(1, 7, |_| false);
        assert_eq!((keys(&recent), recent.get(&1)), (vec![0, 1, 2], Some(&7)));
    }
}
