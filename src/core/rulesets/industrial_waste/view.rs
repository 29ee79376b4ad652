//! Views (section 12), and redealt states.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    cards::Kind,
    company::{Company, Needs, Zone},
    phase::{Auction, Phase, PhaseName},
    scoring::Outcome,
    state::State,
};
use crate::engine::{Chance, Seat, Viewer};

/// Position of the game, as the viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = industrial_waste::State)]
pub struct View {
    #[schema(minimum = 1, maximum = 200)]
    pub round: u64,
    pub final_round: bool,
    pub phase: PhaseName,
    /// Seat to act. `null` when the game is over.
    pub to_act: Option<Seat>,
    pub starting_seat: Seat,
    /// Columns on offer. `null` for a column that was taken; empty after phase 2.
    pub offer: Vec<Option<Vec<Kind>>>,
    /// Number of cards in the supply.
    #[schema(maximum = 53)]
    pub supply: usize,
    pub accident_aside: bool,
    pub discards: Discards,
    #[schema(maximum = 50)]
    pub common_materials: u8,
    pub companies: Vec<CompanyView>,
    pub auction: Option<AuctionView>,
    pub accident: Option<AccidentView>,
    pub result: Option<Outcome>,
}

/// Number of cards of each kind on the discard stack. Kinds without a card are left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
#[wire]
#[schema(as = industrial_waste::Discards)]
pub struct Discards(pub BTreeMap<Kind, u8>);

/// Factory and mat of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = industrial_waste::Company)]
pub struct CompanyView {
    pub seat: Seat,
    #[schema(minimum = 14, maximum = 20)]
    pub column: u8,
    #[schema(minimum = 1, maximum = 5)]
    pub row: u8,
    pub needs: Needs,
    #[schema(maximum = 16)]
    pub waste: u8,
    pub zone: Zone,
    /// Cash. `null` if the viewer may not see it.
    pub cash: Option<u64>,
    pub loans: u64,
    #[schema(maximum = 50)]
    pub materials: u8,
    /// Face-up cards in front of the company.
    pub cards: Vec<Kind>,
    pub saved: Option<Kind>,
    /// Whether the seat has no turn left in this round.
    pub out: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = industrial_waste::Auction)]
pub struct AuctionView {
    pub seller: Seat,
    #[schema(minimum = 1, maximum = 10)]
    pub lot: u8,
    /// Bids in the order they were made.
    pub bids: Vec<BidView>,
    /// Seats that may still bid. The first one decides next.
    pub still_to_bid: Vec<Seat>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = industrial_waste::Bid)]
pub struct BidView {
    pub seat: Seat,
    /// Amount of the bid. `null` for a pass.
    pub amount: Option<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = industrial_waste::Accident)]
pub struct AccidentView {
    /// Seats still to be settled. The first one decides next.
    pub to_settle: Vec<Seat>,
}

impl View {
    pub(super) fn of(state: &State, viewer: Viewer) -> Self {
        let State {
            options,
            seats: _,
            round,
            final_round,
            starting_seat,
            supply,
            discards,
            accident_aside,
            common_materials,
            companies,
            phase,
        } = state;
        let open_cash = options.open_cash || matches!(phase, Phase::Finished(_));
        Self {
            round: *round,
            final_round: *final_round,
            phase: phase.name(),
            to_act: phase.to_act(),
            starting_seat: *starting_seat,
            offer: phase.offer().map_or(vec![], |offer| {
                offer.columns().map(|column| column.map(|cards| cards.to_vec())).collect()
            }),
            supply: supply.len(),
            accident_aside: *accident_aside,
            discards: Discards(discards.kinds().map(|kind| (kind, discards.count(kind))).collect()),
            common_materials: *common_materials,
            companies: companies
                .iter()
                .map(|(seat, company)| CompanyView::of(seat, company, open_cash || viewer.is(seat)))
                .collect(),
            auction: match phase {
                Phase::Auction(auction) => Some(AuctionView::of(auction)),
                _ => None,
            },
            accident: phase.to_settle().map(|seats| AccidentView { to_settle: seats.to_vec() }),
            result: match phase {
                Phase::Finished(outcome) => Some(outcome.clone()),
                _ => None,
            },
        }
    }
}

impl CompanyView {
    fn of(seat: Seat, company: &Company, open_cash: bool) -> Self {
        let Company { column, row, needs, waste, cash, loans, materials, cards, saved, out } = company;
        Self {
            seat,
            column: *column,
            row: *row,
            needs: *needs,
            waste: *waste,
            zone: company.zone(),
            cash: open_cash.then_some(*cash),
            loans: *loans,
            materials: *materials,
            cards: cards.sorted().collect(),
            saved: *saved,
            out: *out,
        }
    }
}

impl AuctionView {
    fn of(auction: &Auction) -> Self {
        let Auction { seller, lot, bids, still_to_bid } = auction;
        Self {
            seller: *seller,
            lot: *lot,
            bids: bids.iter().map(|(seat, amount)| BidView { seat: *seat, amount: *amount }).collect(),
            still_to_bid: still_to_bid.to_vec(),
        }
    }
}

impl State {
    /// Lays the supply in another order and gives the others other cash, no less than they have bid.
    pub(super) fn redeal(&self, viewer: Viewer, chance: &mut Chance) -> Self {
        const MOST: u32 = 60;
        let mut other = self.clone();
        if matches!(self.phase, Phase::Finished(_)) {
            return other;
        }
        let size = u32::try_from(self.supply.len()).unwrap_or(u32::MAX);
        // Sorted first, so that the deal depends only on the viewer's knowledge.
        let mut sorted = self.supply.clone();
        sorted.sort_unstable();
        let order = chance.shuffle("redeal", size).iter();
        other.supply = order.map(|place| sorted[*place as usize]).collect();
        if self.options.open_cash {
            return other;
        }
        let standing = match &self.phase {
            Phase::Auction(auction) => auction.standing(),
            _ => None,
        };
        for (seat, company) in other.companies.iter_mut() {
            if !viewer.is(seat) {
                let bid = standing.filter(|(bidder, _)| *bidder == seat).map_or(0, |(_, amount)| amount);
                company.cash = bid + u64::from(chance.roll("redeal_cash", &[MOST])[0]);
            }
        }
        other
    }
}
