//! Offers and the answers to them (section 8).

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::{
    engine::id::Id,
    rulesets::ecopolis::{
        debt::{CREDIT, Owed},
        event::EventView,
        phase::{Moment, Phase},
        rejection::Goods,
        state::WORST,
        tables::Territory,
        trade::{Offer, Side},
        turn,
    },
};

/// The time of a check (CO-8.4).
#[derive(Clone, Copy, PartialEq, Eq)]
enum TradeStage {
    Proposal,
    Counter,
    Acceptance,
}

/// A proposal as it was sent.
pub struct Proposal<'c> {
    pub to: u64,
    pub give: &'c Side,
    pub take: &'c Side,
    pub settles_debt: bool,
}

impl Proposal<'_> {
    /// Returns the offer, if it has a valid addressee (CO-8.1).
    fn address(&self, state: &State, from: Seat) -> Result<Offer, Rejection> {
        let there = |to: &Seat| *to != from && state.players[*to].eliminated.is_none();
        let to = state.seats.seat(self.to).filter(there).ok_or(Rejection::NobodyToTradeWith)?;
        let (give, take) = (self.give.clone(), self.take.clone());
        Ok(Offer { settles_debt: self.settles_debt, ..Offer::plain(from, to, give, take) })
    }
}

/// Returns the addressee's own offer in answer to the open one (CO-8.8).
fn answer(state: &State, give: &Side, take: &Side) -> Option<Offer> {
    let Offer { from, to, settles_debt, .. } = *state.phase.offer()?;
    let plain = Offer::plain(to, from, give.clone(), take.clone());
    Some(Offer { settles_debt, counter: true, ..plain })
}

pub fn check_propose(state: &State, seat: Seat, proposal: &Proposal) -> Verdict {
    check(state, &proposal.address(state, seat)?, TradeStage::Proposal)
}

pub fn check_accept(state: &State) -> Verdict {
    state.phase.offer().map_or(Ok(()), |offer| check(state, offer, TradeStage::Acceptance))
}

pub fn check_counter(state: &State, give: &Side, take: &Side) -> Verdict {
    let Some(offer) = answer(state, give, take) else { return Ok(()) };
    ensure(state.phase.offer().is_some_and(|first| !first.counter), Rejection::CounterToCounter)?;
    check(state, &offer, TradeStage::Counter)
}

/// Checks all conditions in the order of CO-4.5, and reports every broken one.
fn check(state: &State, offer: &Offer, stage: TradeStage) -> Verdict {
    let of_form = check_form(offer);
    let of_goods = [
        check_goods(state, offer.from, &offer.give, TradeStage::Acceptance),
        check_goods(state, offer.to, &offer.take, stage),
    ];
    // A balance needs goods that exist and are named once.
    let is_sound = of_form.is_ok() && of_goods.iter().all(Result::is_ok);
    let [of_proposer, of_addressee] = of_goods;
    Rejection::all([
        of_form,
        check_debt(state, offer),
        ensure(offer.settles_debt || offer.gives_both_ways(), Rejection::NothingGiven),
        ensure(offer.give.actions.len() == offer.take.actions.len(), Rejection::UnequalCards),
        check_rents(state, offer),
        of_proposer,
        of_addressee,
        ensure(stage != TradeStage::Proposal || state.offers_left() > 0, Rejection::NoOfferLeft),
        check_rest(state, offer),
        if is_sound { check_balances(state, offer) } else { Ok(()) },
    ])
}

fn check_form(offer: &Offer) -> Verdict {
    for (_, _, side) in offer.sides() {
        ensure(side.euros.is_multiple_of(100), Rejection::UnevenEuros)?;
        let mut named = [false; Territory::ALL.len()];
        for territory in &side.territories {
            let twice = std::mem::replace(&mut named[territory.index()], true);
            ensure(!twice, Rejection::NamedTwice { territory: *territory })?;
        }
    }
    Ok(())
}

fn check_debt(state: &State, offer: &Offer) -> Verdict {
    let partner = offer.partner_of(state.turn_seat);
    let creditor = state.phase.debt().and_then(Owed::creditor);
    ensure(!offer.settles_debt || creditor == Some(partner), Rejection::NoDebtToThem { to: partner })
}

fn check_rents(state: &State, offer: &Offer) -> Verdict {
    let Offer { give, take, settles_debt, .. } = offer;
    if *settles_debt {
        return Ok(());
    }
    for (giver, more, fewer) in [(offer.from, give, take), (offer.to, take, give)] {
        if covers_debt(state, giver, more, fewer) {
            continue;
        }
        let least = lowest_rents(state, more, more.territories.len().saturating_sub(fewer.territories.len()));
        ensure(fewer.euros >= least, Rejection::RentsNotMatched { least })?;
    }
    Ok(())
}

/// Returns whether a seat cannot pay its debt with euros and credits before a trade, but can after it.
fn covers_debt(state: &State, seat: Seat, give: &Side, take: &Side) -> bool {
    let debt = state.phase.debt().filter(|_| seat == state.turn_seat);
    let worth = |euros: u64, credits: u64| u128::from(euros) + u128::from(credits) * u128::from(CREDIT);
    debt.is_some_and(|owed| {
        let player = &state.players[seat];
        let (before, owed) = (worth(player.euros, player.credits), u128::from(owed.worth()));
        let after = before + worth(take.euros, take.credits);
        before < owed && after >= owed + worth(give.euros, give.credits)
    })
}

/// Returns the sum of the lowest rents of a side's territories.
fn lowest_rents(state: &State, side: &Side, count: usize) -> u64 {
    let mut rents: Vec<u64> = side.territories.iter().map(|territory| state.rent(*territory)).collect();
    rents.sort_unstable();
    rents.iter().take(count).sum()
}

/// Checks that a seat has its goods. A proposal does not check the addressee's cards, which would reveal
/// them.
fn check_goods(state: &State, seat: Seat, side: &Side, stage: TradeStage) -> Verdict {
    let player = &state.players[seat];
    for territory in &side.territories {
        let goods = Goods::Territory(*territory);
        ensure(state.owner(*territory) == Some(seat), Rejection::NotHeld { seat, goods })?;
    }
    ensure(player.euros >= side.euros, Rejection::NotHeld { seat, goods: Goods::Euros })?;
    ensure(player.credits >= side.credits, Rejection::NotHeld { seat, goods: Goods::Credits })?;
    if stage == TradeStage::Acceptance {
        ensure(player.hand.holds_all(&side.hand()), Rejection::NotHeld { seat, goods: Goods::Actions })?;
    }
    Ok(())
}

fn check_rest(state: &State, offer: &Offer) -> Verdict {
    for territory in offer.sides().into_iter().flat_map(|(_, _, side)| &side.territories) {
        let rests = state.holding(*territory).is_some_and(|holding| holding.rests > 0);
        ensure(!rests, Rejection::Resting { territory: *territory })?;
    }
    Ok(())
}

fn check_balances(state: &State, offer: &Offer) -> Verdict {
    let after = |territory| offer.receiver_of(territory).or_else(|| state.owner(territory));
    let balances = [offer.from, offer.to].map(|seat| (seat, state.balance_if(seat, after)));
    for (seat, balance) in balances {
        ensure(balance < state.wins(), Rejection::WinByGift { seat, balance })?;
    }
    for (seat, balance) in balances {
        ensure(balance > WORST, Rejection::BalanceTooLow { seat, balance })?;
    }
    Ok(())
}

pub fn propose(step: &mut Game, seat: Seat, proposal: &Proposal) {
    if let Ok(trade) = proposal.address(step.state(), seat) {
        step.emit(EventView::TradeProposed { trade: trade.into() }.into());
    }
}

pub fn counter(step: &mut Game, give: &Side, take: &Side) {
    if let Some(trade) = answer(step.state(), give, take) {
        step.emit(EventView::TradeCountered { trade: trade.into() }.into());
    }
}

/// Exchanges the goods, and settles or pays a debt if possible (CO-7.3, 7.4).
pub fn accept(step: &mut Game) {
    let Phase::Trade { offer, then } = step.state().phase.clone() else {
        return;
    };
    let (seat, settles_debt) = (step.state().turn_seat, offer.settles_debt);
    let to = offer.partner_of(seat);
    step.emit(EventView::TradeAccepted { trade: offer }.into());
    match then {
        Moment::Debt(owed) if settles_debt => {
            step.emit(EventView::DebtSettled { seat, to }.into());
            turn::go_on(step, seat, owed);
        }
        _ => turn::pay_debt(step, seat),
    }
}

pub fn reject(step: &mut Game, seat: Seat) {
    step.emit(EventView::TradeRejected { seat }.into());
}

pub fn withdraw(step: &mut Game, seat: Seat) {
    step.emit(EventView::TradeWithdrawn { seat }.into());
}
