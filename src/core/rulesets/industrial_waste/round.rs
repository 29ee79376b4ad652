//! Everything between two decisions.

use super::{
    Game,
    cards::{BOX, Cards, Kind, Supply},
    company::FIRST_COLUMN,
    event::{Event, EventView},
    phase::{ColumnOffer, Phase},
    state::State,
};
use crate::engine::Seat;

/// Price of a bribe, besides the fine (IW-8.2).
const BRIBE: u64 = 1;

/// The set-up (section 2), up to the first choice.
pub fn start(step: &mut Game) {
    shuffle(step, BOX);
    let seats = step.state().seats;
    let agreed = step.state().options.first_seat;
    let starting_seat = agreed.unwrap_or_else(|| {
        let drawn = step.roll("first", &[seats.count().into()])[0];
        seats.seat(drawn.into()).unwrap_or(seats.first())
    });
    step.emit(EventView::GameStarted { starting_seat }.into());
    begin_round(step, starting_seat);
}

fn begin_round(step: &mut Game, starting_seat: Seat) {
    let round = step.state().round + 1;
    let final_round = round == step.state().options.max_rounds;
    step.emit(EventView::RoundStarted { round, starting_seat, final_round }.into());
    deal(step);
}

/// Shuffles these cards into a new supply, in the order of the draw (IW-2.2, 5.3, 10.2).
fn shuffle(step: &mut Game, cards: Cards) {
    let sorted: Supply = cards.sorted().collect();
    let order = step.shuffle("deck", cards.total().into());
    let supply = order.iter().rev().map(|place| sorted[*place as usize]).collect();
    step.emit(Event::Shuffled { supply });
}

/// Deals (phase 1). Stops at a decision in an accident, and continues there afterwards.
fn deal(step: &mut Game) {
    while let Phase::Dealing(offer) = &step.state().phase {
        let Some(place) = offer.next_place() else {
            step.emit(EventView::OfferCompleted {}.into());
            return;
        };
        let Some(card) = step.state().supply.last().copied() else {
            let discards = step.state().discards;
            shuffle(step, discards);
            continue;
        };
        let doubled = offer.get(place).is_some_and(|cards| cards.contains(&card));
        let column = u8::try_from(place).unwrap_or(u8::MAX);
        step.emit(match card {
            Kind::Accident => EventView::AccidentDrawn {}.into(),
            card if doubled => EventView::DuplicateDiscarded { column, card }.into(),
            card => EventView::CardDealt { column, card }.into(),
        });
        if card == Kind::Accident {
            settle_accident(step);
        }
    }
}

/// Settles an accident seat by seat, up to a decision (section 8).
fn settle_accident(step: &mut Game) {
    while let Some(seat) = step.state().phase.to_settle().and_then(|seats| seats.first().copied()) {
        if step.state().companies[seat].may_bribe() {
            return;
        }
        settle(step, seat, false);
    }
    match step.state().phase {
        Phase::FinalAccident { .. } => {
            let result = step.state().outcome();
            step.emit(EventView::GameFinished { result }.into());
        }
        _ => step.emit(EventView::AccidentEnded {}.into()),
    }
}

/// Settles a seat after its decision, and continues.
pub fn resume_accident(step: &mut Game, seat: Seat, bribed: bool) {
    settle(step, seat, bribed);
    settle_accident(step);
    deal(step);
}

fn settle(step: &mut Game, seat: Seat, bribed: bool) {
    let company = &step.state().companies[seat];
    let (zone, from) = (company.zone(), company.column);
    let paid = zone.fine() + if bribed { BRIBE } else { 0 };
    let column = if bribed { from } else { from.saturating_sub(zone.setback()).max(FIRST_COLUMN) };
    force_loans(step, seat, paid);
    step.emit(EventView::AccidentSettled { seat, zone, paid, bribed, column }.into());
}

/// Takes the loans that a payment needs (IW-3.2).
fn force_loans(step: &mut Game, seat: Seat, amount: u64) {
    let count = step.state().companies[seat].loans_to_pay(amount);
    if count > 0 {
        step.emit(EventView::LoansTaken { seat, count, forced: true }.into());
    }
}

/// Continues after a choice. When one column is left, phase 3 begins (IW-6.2, 6.3).
pub fn after_choice(step: &mut Game) {
    let State { seats, starting_seat, phase, .. } = step.state();
    let (seats, first) = (*seats, *starting_seat);
    let mut left = phase.offer().into_iter().flat_map(ColumnOffer::left);
    let (Some((column, cards)), None) = (left.next(), left.next()) else {
        return;
    };
    let (column, cards) = (u8::try_from(column).unwrap_or(u8::MAX), cards.clone());
    drop(left);
    step.emit(EventView::LastColumnDiscarded { column, cards }.into());
    for seat in seats.clockwise_from(first) {
        if let Some(card) = step.state().companies[seat].saved {
            step.emit(EventView::SavedCardTurnedUp { seat, card }.into());
        }
    }
    step.emit(EventView::TurnBegan { seat: first }.into());
}

/// Continues after a turn of phase 3 with the next seat, or ends the round (IW-7.1).
pub fn after_turn(step: &mut Game, seat: Seat) {
    let State { seats, companies, .. } = step.state();
    let next = seats.clockwise_from(seats.after(seat)).find(|next| !companies[*next].out);
    match next {
        Some(seat) => step.emit(EventView::TurnBegan { seat }.into()),
        None => end_round(step),
    }
}

/// Phases 4 and 5, or the end of the game (sections 10 and 11).
fn end_round(step: &mut Game) {
    let State { seats, starting_seat, final_round, accident_aside, .. } = *step.state();
    for seat in seats.clockwise_from(starting_seat) {
        let amount = step.state().companies[seat].row.into();
        force_loans(step, seat, amount);
        step.emit(EventView::BasicCostsPaid { seat, amount }.into());
    }
    if final_round {
        step.emit(EventView::FinalAccidentBegan {}.into());
        settle_accident(step);
        return;
    }
    if accident_aside {
        step.emit(EventView::AccidentReturned {}.into());
        let mut all = step.state().discards;
        all.extend(step.state().supply.iter().copied());
        all.add(Kind::Accident);
        shuffle(step, all);
    }
    begin_round(step, seats.after(starting_seat));
}
