//! Prompts.

use super::{
    super::{board::Square, phase::PhaseName, view::View},
    at, euros,
    event::winners,
    offer_text, seat_of, sum, to_seat_or_bank,
};
use crate::engine::{Viewer, Voice, voice::say};

pub fn text(view: &View, viewer: Viewer, voice: &Voice) -> String {
    if let Some(outcome) = &view.result {
        return winners(outcome, voice);
    }
    let Some(seat) = view.to_act else { return String::new() };
    let (is_mine, who) = (viewer.is(seat), voice.name(seat));
    match view.phase {
        PhaseName::Roll if is_mine => say!(voice, "Roll the dice.", "Tira i dadi."),
        PhaseName::Roll => {
            say!(voice, "Waiting for {who} to roll.", "In attesa che {who} tiri i dadi.")
        }
        PhaseName::Square => {
            let place = place(view, is_mine, voice);
            if is_mine {
                say!(voice, "You are {place}.", "Sei {place}.")
            } else {
                say!(voice, "{who} is {place} and decides.", "{who} è {place}. In attesa della sua scelta.")
            }
        }
        PhaseName::Debt => of_debt(view, is_mine, who, voice),
        PhaseName::Trade => of_trade(view, is_mine, who, voice),
        PhaseName::Finished => String::new(),
    }
}

/// Returns the square of the turn's pawn, with its price if it is free.
fn place(view: &View, is_mine: bool, voice: &Voice) -> String {
    let Some(seat) = seat_of(view, view.turn_seat) else { return String::new() };
    let square = at(seat.square, voice);
    let Square::Territory(territory) = Square::at(seat.square) else { return square };
    let shown = view.territories.iter().find(|shown| shown.id == territory);
    if let Some(owner) = shown.and_then(|shown| shown.owner) {
        if is_mine && owner == view.turn_seat {
            return say!(voice, "{square} (yours)", "{square} (tuo)");
        }
        let owner = voice.name(owner);
        return say!(voice, "{square} ({owner}'s)", "{square} (di {owner})");
    }
    let price = euros(territory.deed().price, voice);
    say!(voice, "{square} (for sale at {price})", "{square} (in vendita a {price})")
}

fn of_debt(view: &View, is_mine: bool, who: &str, voice: &Voice) -> String {
    let Some(debt) = view.debt else { return String::new() };
    let (owed, to) = (sum(debt.euros, debt.credits, voice), to_seat_or_bank(debt.to, voice));
    if is_mine && debt.credits > 0 {
        say!(
            voice,
            "You owe {owed} {to}. Buy the missing ones, trade or return territories.",
            "Devi {owed} {to}. Compra quelli che mancano, fai uno scambio o restituisci territori."
        )
    } else if is_mine {
        say!(
            voice,
            "You owe {owed} {to}. Pay with credits, trade or return territories.",
            "Devi {owed} {to}. Paga con i crediti, fai uno scambio o restituisci territori."
        )
    } else {
        say!(
            voice,
            "{who} owes {owed} {to} and must settle it.",
            "{who} deve {owed} {to}. In attesa che saldi il debito."
        )
    }
}

fn of_trade(view: &View, is_mine: bool, who: &str, voice: &Voice) -> String {
    let Some(trade) = &view.trade else { return String::new() };
    let (from, to, offer) = (voice.name(trade.from), voice.to(trade.to), offer_text(trade, voice));
    if is_mine && !trade.counter {
        say!(
            voice,
            "{from} offers you {offer}. Accept, reject or make a counter-offer.",
            "{from} ti propone {offer}. Accetta, rifiuta o fai una controfferta."
        )
    } else if is_mine {
        say!(
            voice,
            "{from} offers you {offer}. Accept or reject.",
            "{from} ti propone {offer}. Accetta o rifiuta."
        )
    } else {
        say!(
            voice,
            "{from} offers {who} {offer}. Waiting for {who}.",
            "{from} propone {to} {offer}. In attesa di {who}."
        )
    }
}
