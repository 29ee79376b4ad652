//! A queue whose owners take turns: an owner with many items does not delay the others.

use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
    time::Instant,
};

/// Items by owner. At most one item of an owner is under way; after it the owner rests for a while.
pub struct FairQueue<K, T> {
    owners: HashMap<K, Owner<T>>,
    /// Owners that have items and none under way, in the order of their turns.
    turns: VecDeque<K>,
    len: usize,
}

struct Owner<T> {
    items: VecDeque<T>,
    is_busy: bool,
    /// No item is taken before this time.
    rests_until: Option<Instant>,
}

/// An item whose turn has come.
pub struct OwnersTurn<K, T> {
    pub owner: K,
    pub item: T,
    /// How many other items of the same owner wait.
    pub more: usize,
    /// How many other owners wait.
    pub others: usize,
}

impl<K, T> Default for FairQueue<K, T> {
    fn default() -> Self {
        Self { owners: HashMap::new(), turns: VecDeque::new(), len: 0 }
    }
}

impl<T> Default for Owner<T> {
    fn default() -> Self {
        Self { items: VecDeque::new(), is_busy: false, rests_until: None }
    }
}

impl<K: Copy + Eq + Hash, T> FairQueue<K, T> {
    /// Returns the number of items that wait.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of items of an owner that wait.
    pub fn len_of(&self, owner: K) -> usize {
        self.owners.get(&owner).map_or(0, |owner| owner.items.len())
    }

    pub fn push(&mut self, owner: K, item: T) {
        let entry = self.owners.entry(owner).or_default();
        if entry.items.is_empty() && !entry.is_busy {
            self.turns.push_back(owner);
        }
        entry.items.push_back(item);
        self.len += 1;
    }

    /// Takes the next item. Its owner gets no other turn before [`done`](Self::done).
    pub fn take(&mut self, now: Instant) -> Option<OwnersTurn<K, T>> {
        let is_ready = |owner: &K| self.owners.get(owner).is_some_and(|owner| owner.is_ready(now));
        let place = self.turns.iter().position(is_ready)?;
        let owner = self.turns.remove(place)?;
        let entry = self.owners.get_mut(&owner)?;
        let item = entry.items.pop_front()?;
        entry.is_busy = true;
        self.len -= 1;
        Some(OwnersTurn { owner, item, more: entry.items.len(), others: self.turns.len() })
    }

    /// Ends the turn of an owner. Its next one comes at `rests_until` or later.
    pub fn done(&mut self, owner: K, rests_until: Instant) {
        let now = Instant::now();
        if let Some(entry) = self.owners.get_mut(&owner) {
            entry.is_busy = false;
            entry.rests_until = Some(rests_until);
            if !entry.items.is_empty() {
                self.turns.push_back(owner);
            }
        }
        // Owners that neither wait nor rest need no memory.
        self.owners.retain(|_, owner| owner.is_busy || !owner.items.is_empty() || !owner.is_ready(now));
    }

    /// Drops items of an owner that are no longer needed.
    pub fn retain(&mut self, owner: K, is_wanted: impl Fn(&T) -> bool) {
        let Some(entry) = self.owners.get_mut(&owner) else { return };
        let before = entry.items.len();
        entry.items.retain(is_wanted);
        self.len -= before - entry.items.len();
        if entry.items.is_empty() && before > 0 {
            self.turns.retain(|waiting| *waiting != owner);
        }
    }

    /// Returns when the next item can be taken, or `None` if none waits.
    pub fn next_ready(&self, now: Instant) -> Option<Instant> {
        let owners = self.turns.iter().filter_map(|owner| self.owners.get(owner));
        owners.map(|owner| owner.rests_until.unwrap_or(now)).min()
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

impl<T> Owner<T> {
    fn is_ready(&self, now: Instant) -> bool {
        self.rests_until.is_none_or(|until| until <= now)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn taken(queue: &mut FairQueue<u8, u32>, now: Instant) -> Option<(u8, u32)> {
        queue.take(now).map(|turn| (turn.owner, turn.item))
    }

    #[test]
    fn owners_take_turns_and_have_one_item_under_way() {
        let (mut queue, now) = (FairQueue::default(), Instant::now());
        for item in 0..100 {
            queue.push(1, item);
        }
        queue.push(2, 200);
        assert_eq!(taken(&mut queue, now), Some((1, 0)));
        assert_eq!(taken(&mut queue, now), Some((2, 200)), "the second owner waits for one item at most");
        assert_eq!(taken(&mut queue, now), None, "both are busy");
        queue.push(2, 201);
        queue.done(1, now);
        queue.done(2, now);
        assert_eq!((taken(&mut queue, now), taken(&mut queue, now)), (Some((1, 1)), Some((2, 201))));
        assert_eq!((queue.len(), queue.len_of(1), queue.len_of(2)), (98, 98, 0));
    }

    #[test]
    fn an_owner_that_rests_lets_others_pass() {
        let (mut queue, now) = (FairQueue::default(), Instant::now());
        queue.push(1, 10);
        queue.push(1, 11);
        assert_eq!(taken(&mut queue, now), Some((1, 10)));
        let rested = now + Duration::from_hours(1);
        queue.done(1, rested);
        queue.push(2, 20);
        assert_eq!(taken(&mut queue, now), Some((2, 20)));
        assert_eq!((taken(&mut queue, now), queue.next_ready(now)), (None, Some(rested)));
        assert_eq!(taken(&mut queue, rested), Some((1, 11)));
    }

    #[test]
    fn items_that_are_wanted_no_more_take_no_turn() {
        let (mut queue, now) = (FairQueue::default(), Instant::now());
        queue.push(1, 10);
        queue.push(2, 20);
        queue.retain(1, |_| false);
        assert_eq!((taken(&mut queue, now), queue.len()), (Some((2, 20)), 0));
        queue.push(1, 11);
        assert_eq!(taken(&mut queue, now), Some((1, 11)), "an owner whose items were dropped comes again");
    }

    #[test]
    fn an_owner_without_items_is_forgotten() {
        let (mut queue, now) = (FairQueue::default(), Instant::now());
        for owner in 0..100 {
            queue.push(owner, 0);
            taken(&mut queue, now);
            queue.done(owner, now);
        }
        assert_eq!(queue.owners.len(), 0);
    }
}
