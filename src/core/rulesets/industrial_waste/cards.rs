//! The 53 action cards (IW-1.1).

use arrayvec::ArrayVec;

use crate::engine::{
    Tally,
    id::{Id, ids},
};

ids! {
    /// A kind of action card.
    #[schema(as = industrial_waste::Kind)]
    pub enum Kind {
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

/// Face-up cards.
pub type Cards = Tally<Kind, KINDS>;

/// All the cards of the box.
pub const BOX: Cards = Cards::new([9, 8, 8, 7, 7, 4, 4, 3, 2, 1]);
