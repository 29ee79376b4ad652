//! Payment of a debt in euros with credits (CO-7.6).

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::rulesets::ecopolis::{
    debt::Owed,
    phase::{Moment, Phase},
    turn,
};

pub fn check(state: &State, seat: Seat) -> Verdict {
    let Phase::Turn(Moment::Debt(owed @ Owed::Euros { .. })) = state.phase else {
        return Err(Rejection::NoDebtInEuros);
    };
    let lacking = owed.lacking(&state.players[seat]);
    ensure(lacking == 0, Rejection::CreditsDoNotSuffice { lacking })
}

pub fn play(step: &mut Game, seat: Seat) {
    let Some(owed) = step.state().phase.debt() else { return };
    if let Some(payment) = owed.in_kind(&step.state().players[seat]) {
        turn::pay(step, seat, owed, payment);
    }
}
