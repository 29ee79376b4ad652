//! Application of events to the state.

use super::{
    cards::{Cards, Kind},
    company::{LOAN, MOST_WASTE},
    event::{Event, EventView},
    phase::{Auction, ColumnOffer, Phase},
    state::State,
};
use crate::engine::Seat;

impl State {
    pub(super) fn evolve(&mut self, event: &Event) {
        match event {
            Event::Shuffled { supply } => {
                self.supply.clone_from(supply);
                self.discards = Cards::default();
            }
            Event::Open(event) => self.follow(event),
        }
    }

    fn follow(&mut self, event: &EventView) {
        match event {
            EventView::SupplyShuffled { .. } => {}
            EventView::GameStarted { starting_seat } => self.starting_seat = *starting_seat,
            EventView::RoundStarted { round, starting_seat, final_round } => {
                self.begin_round(*round, *starting_seat, *final_round);
            }
            EventView::TurnBegan { seat } => self.phase = Phase::Playing { turn: *seat },
            EventView::FinalRoundReached { .. } => self.final_round = true,
            EventView::AccidentReturned {} => self.accident_aside = false,
            EventView::FinalAccidentBegan {} => {
                let to_settle = self.seats.clockwise_from(self.starting_seat).collect();
                self.phase = Phase::FinalAccident { to_settle };
            }
            EventView::GameFinished { result } => self.phase = Phase::Finished(result.clone()),
            _ => self.follow_offer(event),
        }
    }

    fn begin_round(&mut self, round: u64, starting_seat: Seat, final_round: bool) {
        self.round = round;
        self.starting_seat = starting_seat;
        self.final_round = final_round;
        self.phase = Phase::Dealing(ColumnOffer::new(self.seats));
        for (_, company) in self.companies.iter_mut() {
            company.out = false;
        }
    }

    /// Applies events of phases 1 and 2: the deal, accidents in it, and the choice.
    fn follow_offer(&mut self, event: &EventView) {
        match event {
            EventView::CardDealt { column, card } => {
                self.supply.pop();
                if let Phase::Dealing(offer) = &mut self.phase {
                    offer.lay((*column).into(), *card);
                }
            }
            EventView::DuplicateDiscarded { card, .. } => {
                self.supply.pop();
                self.discards.add(*card);
            }
            EventView::AccidentDrawn {} => {
                self.supply.pop();
                self.accident_aside = true;
                let to_settle = self.seats.clockwise_from(self.starting_seat).collect();
                self.with_offer(|offer| Phase::Accident { offer, to_settle });
            }
            EventView::AccidentEnded {} => self.with_offer(Phase::Dealing),
            EventView::OfferCompleted {} => {
                let chooser = self.starting_seat;
                self.with_offer(|offer| Phase::Choosing { offer, chooser });
            }
            EventView::CombinationChosen { seat, column, cards } => {
                let next = self.seats.after(*seat);
                if let Phase::Choosing { offer, chooser } = &mut self.phase {
                    offer.take((*column).into());
                    *chooser = next;
                }
                self.companies[*seat].cards.extend(cards.iter().copied());
            }
            EventView::LastColumnDiscarded { cards, .. } => {
                self.discards.extend(cards.iter().copied());
                self.phase = Phase::Engine;
            }
            EventView::SavedCardTurnedUp { seat, card } => {
                let company = &mut self.companies[*seat];
                company.saved = None;
                company.cards.add(*card);
            }
            _ => self.follow_sale(event),
        }
    }

    fn with_offer(&mut self, next: impl FnOnce(ColumnOffer) -> Phase) {
        self.phase = match std::mem::replace(&mut self.phase, Phase::Engine) {
            Phase::Dealing(offer) | Phase::Accident { offer, .. } | Phase::Choosing { offer, .. } => {
                next(offer)
            }
            other => other,
        };
    }

    /// Section 9: the auction.
    fn follow_sale(&mut self, event: &EventView) {
        match event {
            EventView::LotOffered { seat, advisor, lot } => {
                self.spend(*seat, Kind::RawMaterials, *advisor);
                self.common_materials -= lot;
                self.phase = Phase::Auction(Auction::new(self.seats, *seat, *lot));
            }
            EventView::NothingSold { seat, advisor } => self.spend(*seat, Kind::RawMaterials, *advisor),
            EventView::BidMade { amount, .. } => self.record_bid(Some(*amount)),
            EventView::BidPassed { .. } => self.record_bid(None),
            EventView::LotSold { seller, buyer, lot, price } => {
                self.companies[*buyer].materials += lot;
                self.companies[*buyer].cash -= price;
                if buyer != seller {
                    self.companies[*seller].cash += price;
                }
                self.phase = Phase::Engine;
            }
            EventView::LotReturned { lot, .. } => {
                self.common_materials += lot;
                self.phase = Phase::Engine;
            }
            _ => self.follow_company(event),
        }
    }

    fn record_bid(&mut self, amount: Option<u64>) {
        if let Phase::Auction(auction) = &mut self.phase {
            let bidder = auction.still_to_bid.remove(0);
            auction.bids.push((bidder, amount));
        }
    }

    /// Applies an event to one company or to all.
    fn follow_company(&mut self, event: &EventView) {
        match event {
            EventView::LoansTaken { seat, count, .. } => {
                self.companies[*seat].loans += count;
                self.companies[*seat].cash += LOAN * count;
            }
            EventView::AccidentSettled { seat, paid, bribed, column, .. } => {
                self.settle(*seat, *paid, *bribed, *column);
            }
            EventView::OrderCompleted { seat, advisor, materials, income, waste } => {
                self.spend(*seat, Kind::Order, *advisor);
                self.common_materials += materials;
                let company = &mut self.companies[*seat];
                company.materials -= materials;
                company.cash += income;
                company.waste = *waste;
            }
            EventView::FactoryGrew { seat, advisor, column } => {
                self.spend(*seat, Kind::Growth, *advisor);
                self.companies[*seat].column = *column;
            }
            EventView::WorkforceAdjusted { seat, advisor, row } => {
                self.spend(*seat, Kind::HiringFiring, *advisor);
                self.companies[*seat].row = *row;
            }
            EventView::AreasImproved { seat, advisor, areas, cost } => {
                self.spend(*seat, Kind::Innovation, *advisor);
                let company = &mut self.companies[*seat];
                company.cash -= cost;
                for area in areas {
                    company.needs.improve(*area);
                }
            }
            EventView::WasteDisposed { seat, advisor, waste } => {
                self.spend(*seat, Kind::WasteDisposal, *advisor);
                self.companies[*seat].waste = *waste;
            }
            EventView::WasteRemoved { seat, advisor } => {
                self.spend(*seat, Kind::WasteRemoval, *advisor);
                let amount = if *advisor { 2 } else { 1 };
                for (other, company) in self.companies.iter_mut() {
                    company.waste = if other == *seat {
                        company.waste.saturating_sub(amount)
                    } else {
                        (company.waste + amount).min(MOST_WASTE)
                    };
                }
            }
            _ => self.follow_cash(event),
        }
    }

    /// Applies payments for loans, costs and turns.
    fn follow_cash(&mut self, event: &EventView) {
        match event {
            EventView::LoanRepaid { seat } => {
                self.spend(*seat, Kind::Advisor, false);
                self.companies[*seat].cash -= LOAN;
                self.companies[*seat].loans -= 1;
            }
            EventView::CardDiscarded { seat, card } => self.spend(*seat, *card, false),
            EventView::CardSaved { seat, card } => {
                self.companies[*seat].remove_card(*card);
                self.companies[*seat].saved = Some(*card);
            }
            EventView::BasicCostsPaid { seat, amount } => self.companies[*seat].cash -= amount,
            // Applied above. All events are listed, so a new event must be handled.
            EventView::LoansTaken { .. }
            | EventView::AccidentSettled { .. }
            | EventView::OrderCompleted { .. }
            | EventView::FactoryGrew { .. }
            | EventView::WorkforceAdjusted { .. }
            | EventView::AreasImproved { .. }
            | EventView::WasteDisposed { .. }
            | EventView::WasteRemoved { .. }
            | EventView::GameStarted { .. }
            | EventView::RoundStarted { .. }
            | EventView::SupplyShuffled { .. }
            | EventView::CardDealt { .. }
            | EventView::DuplicateDiscarded { .. }
            | EventView::AccidentDrawn {}
            | EventView::AccidentEnded {}
            | EventView::OfferCompleted {}
            | EventView::CombinationChosen { .. }
            | EventView::LastColumnDiscarded { .. }
            | EventView::SavedCardTurnedUp { .. }
            | EventView::LotOffered { .. }
            | EventView::NothingSold { .. }
            | EventView::BidMade { .. }
            | EventView::BidPassed { .. }
            | EventView::LotSold { .. }
            | EventView::LotReturned { .. }
            | EventView::TurnBegan { .. }
            | EventView::FinalRoundReached { .. }
            | EventView::AccidentReturned {}
            | EventView::FinalAccidentBegan {}
            | EventView::GameFinished { .. } => {}
        }
    }

    fn settle(&mut self, seat: Seat, paid: u64, bribed: bool, column: u8) {
        if let Phase::Accident { to_settle, .. } | Phase::FinalAccident { to_settle } = &mut self.phase {
            to_settle.remove(0);
        }
        let company = &mut self.companies[seat];
        company.cash -= paid;
        company.column = column;
        if bribed && let Some(card) = company.saved.take() {
            self.discards.add(card);
        }
    }

    /// Discards a card, and the advisor with it.
    fn spend(&mut self, seat: Seat, card: Kind, advisor: bool) {
        let spent = [Some(card), advisor.then_some(Kind::Advisor)];
        for card in spent.into_iter().flatten() {
            self.companies[seat].remove_card(card);
            self.discards.add(card);
        }
    }
}
