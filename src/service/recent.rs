//! A bounded map that keeps what was asked for lately.

use std::{cell::Cell, hash::Hash, num::NonZeroUsize};

use lru::LruCache;

/// What is found is only marked. To bring it to the front of the queue each time would change three places of memory that
/// all threads share. Instead what is marked gets another chance when room is needed.
pub struct Recent<K, V>(LruCache<K, Entry<V>>);

struct Entry<V> {
    value: V,
    is_marked: Cell<bool>,
}

impl<K: Eq + Hash + Clone, V> Recent<K, V> {
    pub fn new(most: NonZeroUsize) -> Self {
        Self(LruCache::new(most))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, entry)| (key, &entry.value))
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        let entry = self.0.peek(key)?;
        if !entry.is_marked.get() {
            entry.is_marked.set(true);
        }
        Some(&entry.value)
    }

    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.0.peek_mut(key).map(|entry| &mut entry.value)
    }

    pub fn remove(&mut self, key: &K) {
        self.0.pop(key);
    }

    /// Keeps something, and lets go of the least used that is not held, if there is one.
    pub fn put(&mut self, key: K, value: V, is_held: impl Fn(&V) -> bool) {
        if self.0.len() == self.0.cap().get() && !self.0.contains(&key) {
            self.pass_over(is_held);
        }
        self.0.put(key, Entry { value, is_marked: Cell::new(false) });
    }

    /// Brings what may go to the end of the queue. After one round nothing is marked any more.
    fn pass_over(&mut self, is_held: impl Fn(&V) -> bool) {
        for _ in 0..2 * self.0.len() {
            match self.0.peek_lru() {
                Some((key, entry)) if entry.is_marked.take() || is_held(&entry.value) => {
                    let key = key.clone();
                    self.0.promote(&key);
                }
                _ => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(marked: &[u32]) -> Recent<u32, u32> {
        let mut recent = Recent::new(NonZeroUsize::new(3).unwrap());
        (0..3).for_each(|key| recent.put(key, key, |_| false));
        assert!(marked.iter().all(|key| recent.get(key).is_some()));
        recent
    }

    fn keys(recent: &Recent<u32, u32>) -> Vec<u32> {
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
