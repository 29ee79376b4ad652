//! Application of events to the state.

use super::{
    board::Square,
    debt::Payment,
    deck::EventCards,
    event::{Event, EventView},
    phase::{Moment, Phase},
    rows::SLOTS,
    state::{EUROS_A_PLACE, Holding, LastTurn, Player, State, Turn},
    tables::{EventCard, Territory},
    trade::Offer,
};
use crate::engine::{Seat, id::Id};

/// Credits that the carbon market sells.
const MARKET: u64 = 5;

impl State {
    pub(super) fn evolve(&mut self, event: &Event) {
        match event {
            Event::EventsShuffled { deck } => {
                self.event_deck.clone_from(deck);
                self.event_discards = EventCards::default();
            }
            Event::ActionDrawn { seat, action, .. } => {
                self.bag.remove(*action);
                self.players[*seat].hand.add(*action);
            }
            Event::DebtIncurred { owed, .. } => self.phase = Phase::Turn(Moment::Debt(*owed)),
            Event::Open(event) => self.follow(event),
        }
    }

    fn follow(&mut self, event: &EventView) {
        match event {
            EventView::TerritoryDealt { seat, territory } => self.give(*territory, *seat),
            EventView::GameStarted { first_seat } => self.start(*first_seat),
            EventView::RoundStarted { round } => self.round = *round,
            EventView::TurnBegan { seat } => self.begin_turn(*seat),
            EventView::TurnEnded { seat } => self.end_turn(*seat),
            EventView::DiceRolled { seat, dice } => {
                self.dice = Some(*dice);
                self.turn.passing = Square::passes_co2(self.players[*seat].square, dice.sum());
                self.phase = Phase::Turn(Moment::Square);
            }
            EventView::EventDrawn { event, .. } => self.draw_event(*event),
            EventView::TradeProposed { trade } => {
                self.turn.offers += 1;
                self.memory.remember(trade, self.round);
                self.go_on(|then| Phase::Trade { offer: trade.clone(), then });
            }
            EventView::TradeCountered { trade } => {
                self.go_on(|then| Phase::Trade { offer: trade.clone(), then });
            }
            EventView::TradeAccepted { trade } => {
                self.go_on(Phase::Turn);
                self.trade(trade);
            }
            EventView::TradeRejected { .. } | EventView::TradeWithdrawn { .. } => self.go_on(Phase::Turn),
            EventView::Paid { seat, to, euros, credits } => {
                self.pay(*seat, Payment { to: *to, euros: *euros, credits: *credits });
            }
            EventView::DebtSettled { .. } => self.go_on(|_| Phase::Turn(Moment::Square)),
            EventView::GameFinished { result } => self.phase = Phase::Finished(result.clone()),
            _ => self.follow_player(event),
        }
    }

    fn start(&mut self, first: Seat) {
        (self.first_seat, self.turn_seat) = (first, first);
        if self.options.even_start {
            for (place, seat) in (0..).zip(self.seats.clockwise_from(first)) {
                self.players[seat].euros += EUROS_A_PLACE * place;
            }
        }
    }

    fn begin_turn(&mut self, seat: Seat) {
        let ended = self.turn_seat;
        self.last_turn = self.dice.map(|dice| LastTurn { seat: ended, dice, event: self.event });
        self.turn_seat = seat;
        (self.dice, self.event, self.turn) = (None, None, Turn::default());
        self.phase = Phase::Turn(Moment::Roll);
        self.memory.forget_turn();
    }

    fn end_turn(&mut self, seat: Seat) {
        for holding in self.holdings.iter_mut().flatten().filter(|holding| holding.owner == seat) {
            holding.rests = holding.rests.saturating_sub(1);
        }
    }

    fn draw_event(&mut self, event: EventCard) {
        self.event_deck.pop();
        self.event_discards.add(event);
        self.event = Some(event);
        if event == EventCard::CarbonMarket {
            self.turn.market_left = MARKET;
        }
    }

    fn pay(&mut self, seat: Seat, payment: Payment) {
        self.hand_over(seat, payment);
        self.phase = Phase::Turn(Moment::Square);
    }

    /// Moves money from a seat to another one, or to the bank.
    fn hand_over(&mut self, seat: Seat, Payment { to, euros, credits }: Payment) {
        let payer = &mut self.players[seat];
        payer.euros -= euros;
        payer.credits -= credits;
        if let Some(to) = to {
            let creditor = &mut self.players[to];
            creditor.euros += euros;
            creditor.credits += credits;
        }
    }

    /// Continues with the next moment, now or after an open trade.
    fn go_on(&mut self, next: impl FnOnce(Moment) -> Phase) {
        self.phase = match &self.phase {
            Phase::Trade { then, .. } | Phase::Turn(then) => next(*then),
            Phase::Finished(_) => return,
        };
    }

    fn trade(&mut self, offer: &Offer) {
        for (giver, receiver, side) in offer.sides() {
            self.players[giver].euros -= side.euros;
            self.players[giver].credits -= side.credits;
            side.actions.iter().for_each(|action| self.players[giver].hand.remove(*action));
            self.players[receiver].euros += side.euros;
            self.players[receiver].credits += side.credits;
            self.players[receiver].hand.extend(side.actions.iter().copied());
            // The turn in which a seat receives a territory does not count (CO-8.6).
            let rests = if receiver == self.turn_seat { 2 } else { 1 };
            for territory in &side.territories {
                if let Some(holding) = &mut self.holdings[territory.index()] {
                    (holding.owner, holding.rests) = (receiver, rests);
                }
            }
        }
    }

    /// Applies an event to the players.
    fn follow_player(&mut self, event: &EventView) {
        match event {
            EventView::PawnMoved { seat, square } => self.players[*seat].square = *square,
            EventView::BalanceSettled { seat, balance } => {
                self.players[*seat].credits += u64::try_from(*balance).unwrap_or(0);
            }
            EventView::CreditsReceived { seat, credits } => self.players[*seat].credits += credits,
            EventView::EurosReceived { seat, euros } => self.players[*seat].euros += euros,
            EventView::HandReturned { seat, .. } => self.return_hand(*seat),
            EventView::ActionUndone { territory, action, .. } => {
                if let Some(holding) = &mut self.holdings[territory.index()] {
                    holding.done -= 1;
                }
                self.bag.add(*action);
            }
            EventView::TerritoryBought { seat, territory, price } => {
                self.players[*seat].euros -= price;
                self.turn.bought = Some(*territory);
                self.give(*territory, *seat);
            }
            EventView::ActionImplemented { seat, territory, action } => {
                self.turn.implemented += 1;
                self.players[*seat].credits -= 1;
                self.players[*seat].hand.remove(*action);
                if let Some(holding) = &mut self.holdings[territory.index()] {
                    holding.done += 1;
                }
            }
            EventView::TerritoryFinished { territory, .. } => self.bag.extend(territory.deed().slots),
            EventView::CreditTaken { seat } => {
                self.turn.credit_taken = true;
                self.players[*seat].credits += 1;
            }
            EventView::ActionsExchanged { seat, actions, passing } => {
                self.turn.passing &= !passing;
                for action in actions {
                    self.players[*seat].hand.remove(*action);
                }
                self.bag.extend(actions.iter().copied());
            }
            EventView::CreditsBought { seat, count, euros } => {
                self.turn.market_left = self.turn.market_left.saturating_sub(*count);
                self.players[*seat].euros -= euros;
                self.players[*seat].credits += count;
            }
            EventView::TerritoryReturned { seat, territory, euros } => {
                self.free(*territory);
                self.players[*seat].euros += euros;
            }
            EventView::SeatEliminated { seat, to, .. } => {
                let before = self.seats.count() - u8::try_from(self.still_in(*seat).count()).unwrap_or(0);
                self.strip(*seat, *to);
                self.players[*seat].eliminated = Some(before);
            }
            EventView::SeatRestarted { seat, to, .. } => self.strip(*seat, *to),
            // Applied above, or beside their hidden part. Rents are paid or owed by other events. All events
            // are listed, so a new event must be handled.
            EventView::TerritoryDealt { .. }
            | EventView::EventsShuffled { .. }
            | EventView::GameStarted { .. }
            | EventView::RoundStarted { .. }
            | EventView::TurnBegan { .. }
            | EventView::DiceRolled { .. }
            | EventView::RentDue { .. }
            | EventView::EventDrawn { .. }
            | EventView::ActionDrawn { .. }
            | EventView::Paid { .. }
            | EventView::DebtIncurred { .. }
            | EventView::TradeProposed { .. }
            | EventView::TradeCountered { .. }
            | EventView::TradeAccepted { .. }
            | EventView::DebtSettled { .. }
            | EventView::TradeRejected { .. }
            | EventView::TradeWithdrawn { .. }
            | EventView::TurnEnded { .. }
            | EventView::GameFinished { .. } => {}
        }
    }

    /// A free territory goes to a seat.
    fn give(&mut self, territory: Territory, owner: Seat) {
        self.holdings[territory.index()] = Some(Holding { owner, done: 0, rests: 0 });
    }

    fn return_hand(&mut self, seat: Seat) {
        let hand = std::mem::take(&mut self.players[seat].hand);
        self.bag.extend(hand.sorted());
    }

    /// Frees a territory. The cards of a finished one are in the bag already (CO-6.7).
    fn free(&mut self, territory: Territory) {
        if let Some(holding) = self.holdings[territory.index()].take()
            && holding.done < SLOTS
        {
            self.bag.extend(territory.deed().slots.into_iter().take(holding.done.into()));
        }
    }

    /// Takes everything from a seat (CO-9.1).
    fn strip(&mut self, seat: Seat, to: Option<Seat>) {
        for territory in Territory::ALL {
            if self.owner(*territory) == Some(seat) {
                self.free(*territory);
            }
        }
        self.return_hand(seat);
        let Player { euros, credits, .. } = self.players[seat];
        self.hand_over(seat, Payment { to, euros, credits });
        self.phase = Phase::Turn(Moment::Square);
    }
}
