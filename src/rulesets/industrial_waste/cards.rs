//! The 53 action cards (IW-1.1).

use arrayvec::ArrayVec;

use crate::engine::id::{Id, ids};

ids! {
    /// A kind of action card. Cards of a kind cannot be told apart.
    #[schema(as = industrial_waste::Kind)]
    pub enum Kind is "card" {
        Order = "order",
        RawMaterials = "raw_materials",
        Growth = "growth",
        Innovation = "innovation",
        WasteDisposal = "waste_disposal",
        Advisor = "advisor",
        HiringFiring = "hiring_firing",
        WasteRemoval = "waste_removal",
        Bribery = "bribery",
        Accident = "accident",
    }
}

const KINDS: usize = Kind::ALL.len();
pub const DECK: usize = 53;

/// Three cards of different kinds, or fewer while they are being dealt.
pub type Combination = ArrayVec<Kind, 3>;
/// Face-down cards; the last is the top.
pub type Supply = ArrayVec<Kind, DECK>;

/// Face-up cards of which only the number of each kind matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cards([u8; KINDS]);

impl Cards {
    /// All the cards of the box.
    pub const BOX: Self = Self([9, 8, 8, 7, 7, 4, 4, 3, 2, 1]);

    pub const fn count(&self, kind: Kind) -> u8 {
        self.0[kind as usize]
    }

    pub const fn holds(&self, kind: Kind) -> bool {
        self.count(kind) > 0
    }

    pub fn total(&self) -> u8 {
        self.0.iter().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0 == [0; KINDS]
    }

    pub const fn add(&mut self, kind: Kind) {
        self.0[kind as usize] += 1;
    }

    pub const fn remove(&mut self, kind: Kind) {
        self.0[kind as usize] -= 1;
    }

    /// The kinds of which there is a card, in the order of IW-1.1.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        Kind::ALL.iter().copied().filter(|kind| self.holds(*kind))
    }

    /// Every card, in the order of IW-1.1, those of a kind side by side.
    pub fn sorted(&self) -> impl Iterator<Item = Kind> {
        self.kinds().flat_map(|kind| std::iter::repeat_n(kind, self.count(kind).into()))
    }
}

impl Extend<Kind> for Cards {
    fn extend<I: IntoIterator<Item = Kind>>(&mut self, kinds: I) {
        kinds.into_iter().for_each(|kind| self.add(kind));
    }
}
