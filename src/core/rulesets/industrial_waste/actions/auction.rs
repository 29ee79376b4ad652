//! Bidding for a lot (section 9).

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::rulesets::industrial_waste::{event::EventView, phase::Phase, round::after_turn};

pub fn check_bid(state: &State, seat: Seat, amount: u64) -> Verdict {
    ensure(amount > 0, Rejection::EmptyBid)?;
    let standing = least_bid(state) - 1;
    ensure(amount > standing, Rejection::BidTooLow { standing })?;
    let cash = state.companies[seat].cash;
    ensure(amount <= cash, Rejection::BidBeyondCash { cash })
}

/// Returns the least bid above the highest one.
pub fn least_bid(state: &State) -> u64 {
    match &state.phase {
        Phase::Auction(auction) => auction.standing().map_or(1, |(_, amount)| amount + 1),
        _ => 1,
    }
}

pub fn bid(step: &mut Game, seat: Seat, amount: u64) {
    step.emit(EventView::BidMade { seat, amount }.into());
    after_bid(step);
}

pub fn pass(step: &mut Game, seat: Seat) {
    step.emit(EventView::BidPassed { seat }.into());
    after_bid(step);
}

/// When the seller has spoken, the lot goes to the highest bidder (IW-9.3).
fn after_bid(step: &mut Game) {
    let Phase::Auction(auction) = &step.state().phase else {
        return;
    };
    if !auction.still_to_bid.is_empty() {
        return;
    }
    let (seller, lot) = (auction.seller, auction.lot);
    step.emit(match auction.standing() {
        Some((buyer, price)) => EventView::LotSold { seller, buyer, lot, price }.into(),
        None => EventView::LotReturned { seller, lot }.into(),
    });
    after_turn(step, seller);
}
