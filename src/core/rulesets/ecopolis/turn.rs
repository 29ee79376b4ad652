//! Everything between two decisions.

use super::{
    Game,
    board::{SQUARES, Square},
    debt::{Owed, Payment},
    deck::{ALL_EVENT_CARDS, Deck, EventCards},
    event::{Event, EventView},
    event_cards,
    phase::{Moment, Phase},
    state::{Dice, State, WORST},
    tables::Territory,
};
use crate::engine::{Seat, id::Id};

const DEALT: usize = 2;
/// Money of a new start (CO-9.5).
const EUROS_AT_RESTART: u64 = 1_000;

/// The set-up (section 2), up to the first throw.
pub fn start(step: &mut Game) {
    let seats = step.state().seats;
    let all = u32::try_from(Territory::ALL.len()).unwrap_or(u32::MAX);
    let order: Vec<Territory> =
        step.shuffle("territories", all).iter().map(|place| Territory::ALL[*place as usize]).collect();
    for (seat, dealt) in seats.iter().zip(order.chunks(DEALT)) {
        for territory in dealt {
            step.emit(EventView::TerritoryDealt { seat, territory: *territory }.into());
        }
    }
    shuffle_events(step, ALL_EVENT_CARDS);
    let agreed = step.state().options.first_seat;
    let first_seat = agreed.unwrap_or_else(|| {
        let drawn = step.roll("first", &[seats.count().into()])[0];
        seats.seat(drawn.into()).unwrap_or(seats.first())
    });
    step.emit(EventView::GameStarted { first_seat }.into());
    fill_hands(step);
    step.emit(EventView::RoundStarted { round: 1 }.into());
    step.emit(EventView::TurnBegan { seat: first_seat }.into());
}

/// Shuffles these cards into a new event deck, in the order of the draw (CO-1.5).
fn shuffle_events(step: &mut Game, cards: EventCards) {
    let sorted: Deck = cards.sorted().collect();
    let order = step.shuffle("events", cards.total().into());
    let deck = order.iter().rev().map(|place| sorted[*place as usize]).collect();
    step.emit(Event::EventsShuffled { deck });
}

/// Fills all hands, while the bag has cards (CO-4.4).
pub fn fill_hands(step: &mut Game) {
    let seats: Vec<Seat> = step.state().still_in(step.state().turn_seat).collect();
    for seat in seats {
        let lacks = step.state().lacks(seat).min(step.state().bag.total());
        draw_actions(step, seat, lacks);
    }
}

/// Draws cards, which the bag must have.
pub fn draw_actions(step: &mut Game, seat: Seat, count: u8) {
    let open = step.state().options.open_hands;
    for _ in 0..count {
        let cards = step.state().bag.total();
        let place = step.roll("bag", &[cards.into()])[0];
        let drawn = step.state().bag.sorted().nth(place as usize);
        if let Some(action) = drawn {
            step.emit(Event::ActionDrawn { seat, action, open });
        }
    }
}

/// The throw, the move, VIA, and the square (CO-4.1, 4.2).
pub fn roll(step: &mut Game, seat: Seat) {
    let thrown = step.roll("dice", &[6, 6]);
    let dice = Dice::new([thrown[0], thrown[1]].map(|face| u8::try_from(face + 1).unwrap_or(6)));
    step.emit(EventView::DiceRolled { seat, dice }.into());
    let reached = step.state().players[seat].square + dice.sum();
    step.emit(EventView::PawnMoved { seat, square: reached % SQUARES }.into());
    if reached >= SQUARES {
        settle_balance(step, seat);
    } else {
        resolve_square(step, seat);
    }
}

/// At VIA (CO-5.1), and then the square.
pub fn settle_balance(step: &mut Game, seat: Seat) {
    let balance = step.state().balance(seat);
    step.emit(EventView::BalanceSettled { seat, balance }.into());
    let owed = Owed::Credits(balance.min(0).unsigned_abs());
    owe(step, seat, owed);
}

/// Pays a debt and continues, or stops at the debt (CO-7.1).
pub fn owe(step: &mut Game, seat: Seat, owed: Owed) {
    if matches!(owed, Owed::Credits(0)) {
        go_on(step, seat, owed);
    } else if owed.can_be_paid_by(&step.state().players[seat]) {
        pay(step, seat, owed, owed.payment());
    } else {
        step.emit(Event::DebtIncurred { seat, owed });
    }
}

/// Pays the debt as soon as the seat can (CO-7.2, 7.3).
pub fn pay_debt(step: &mut Game, seat: Seat) {
    let State { phase, players, .. } = step.state();
    if let Phase::Turn(Moment::Debt(owed)) = *phase
        && owed.can_be_paid_by(&players[seat])
    {
        pay(step, seat, owed, owed.payment());
    }
}

/// Pays a debt with this money, and continues.
pub fn pay(step: &mut Game, seat: Seat, owed: Owed, Payment { to, euros, credits }: Payment) {
    step.emit(EventView::Paid { seat, to, euros, credits }.into());
    go_on(step, seat, owed);
}

/// Continues the move after a possible debt. Credits owed before any event are those of VIA, so the square
/// follows.
pub fn go_on(step: &mut Game, seat: Seat, owed: Owed) {
    if matches!(owed, Owed::Credits(_)) && step.state().event.is_none() {
        resolve_square(step, seat);
    }
}

/// Resolves the square of the pawn (section 6).
fn resolve_square(step: &mut Game, seat: Seat) {
    match Square::at(step.state().players[seat].square) {
        Square::Co2 => {}
        Square::Territory(territory) => {
            let owner = step.state().owner(territory).filter(|owner| *owner != seat);
            if let Some(owner) = owner {
                let euros = step.state().rent(territory);
                step.emit(EventView::RentDue { seat, owner, territory, euros }.into());
                owe(step, seat, Owed::Euros { amount: euros, to: Some(owner) });
            }
        }
        Square::Event(action) => {
            if step.state().event_deck.is_empty() {
                let discards = step.state().event_discards;
                shuffle_events(step, discards);
            }
            if let Some(event) = step.state().event_deck.last().copied() {
                step.emit(EventView::EventDrawn { seat, event }.into());
                event_cards::happen(step, seat, event, action);
            }
        }
    }
}

/// Takes a seat out whose balance became too bad by an event (CO-3.3).
pub fn take_out_if_worst(step: &mut Game, seat: Seat) {
    if step.state().balance(seat) <= WORST {
        take_out(step, seat, None);
    }
}

/// Eliminates a seat in its own turn, or lets it start again. The turn ends (section 9).
pub fn take_out(step: &mut Game, seat: Seat, to: Option<Seat>) {
    let player = &step.state().players[seat];
    let (euros, credits) = (player.euros, player.credits);
    let territories = step.state().owned(seat).map(|(territory, _)| territory).collect();
    if step.state().options.elimination {
        step.emit(EventView::SeatEliminated { seat, to, euros, credits, territories }.into());
        if step.state().still_in(seat).nth(1).is_none() {
            finish(step);
            return;
        }
    } else {
        step.emit(EventView::SeatRestarted { seat, to, euros, credits, territories }.into());
        step.emit(EventView::EurosReceived { seat, euros: EUROS_AT_RESTART }.into());
    }
    fill_hands(step);
    end(step, seat);
}

/// Ends the turn, and begins the next one or ends the game (CO-4.3, 9.3).
pub fn end(step: &mut Game, seat: Seat) {
    step.emit(EventView::TurnEnded { seat }.into());
    let State { seats, first_seat, round, .. } = *step.state();
    let Some(next) = step.state().still_in(seats.after(seat)).next() else {
        return;
    };
    let mut passed = seats.clockwise_from(seats.after(seat)).take_while(|place| *place != next);
    if next == first_seat || passed.any(|place| place == first_seat) {
        if round == step.state().options.rounds() {
            finish(step);
            return;
        }
        step.emit(EventView::RoundStarted { round: round + 1 }.into());
    }
    step.emit(EventView::TurnBegan { seat: next }.into());
}

/// Ends the game if the seat reached the winning balance (CO-3.2).
pub fn finish_if_won(step: &mut Game, seat: Seat) {
    if step.state().balance(seat) >= step.state().wins() {
        finish(step);
    }
}

pub fn finish(step: &mut Game) {
    let result = step.state().outcome();
    step.emit(EventView::GameFinished { result }.into());
}
