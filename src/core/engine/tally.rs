//! Cards of which only the number of each kind matters.

use std::marker::PhantomData;

use super::id::Id;

/// The number of each of the `N` kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally<T, const N: usize>([u8; N], PhantomData<T>);

impl<T, const N: usize> Tally<T, N> {
    /// Takes a count for each kind, in the order of the kinds.
    pub const fn new(counts: [u8; N]) -> Self {
        Self(counts, PhantomData)
    }

    pub fn total(&self) -> u8 {
        self.0.iter().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0 == [0; N]
    }
}

impl<T, const N: usize> Default for Tally<T, N> {
    fn default() -> Self {
        Self::new([0; N])
    }
}

impl<T: Id, const N: usize> Tally<T, N> {
    pub fn count(&self, kind: T) -> u8 {
        self.0[kind.index()]
    }

    pub fn holds(&self, kind: T) -> bool {
        self.count(kind) > 0
    }

    /// Returns whether every card of `other` is here as well.
    pub fn holds_all(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(here, there)| here >= there)
    }

    pub fn add(&mut self, kind: T) {
        self.0[kind.index()] += 1;
    }

    pub fn remove(&mut self, kind: T) {
        self.0[kind.index()] -= 1;
    }

    /// Returns the kinds with at least one card.
    pub fn kinds(&self) -> impl Iterator<Item = T> {
        T::ALL.iter().copied().filter(|kind| self.holds(*kind))
    }

    /// Returns every card, in the order of the kinds.
    pub fn sorted(&self) -> impl Iterator<Item = T> {
        self.kinds().flat_map(|kind| std::iter::repeat_n(kind, self.count(kind).into()))
    }
}

impl<T: Id, const N: usize> Extend<T> for Tally<T, N> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, kinds: I) {
        kinds.into_iter().for_each(|kind| self.add(kind));
    }
}

impl<T: Id, const N: usize> FromIterator<T> for Tally<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(kinds: I) -> Self {
        let mut tally = Self::default();
        tally.extend(kinds);
        tally
    }
}
