//! Prompts.

use super::{
    super::{board::Square, phase::PhaseName, view::View},
    euros,
    event::winners,
    name, offer_text, seat_of, seat_or_bank, sum,
};
use crate::{
    engine::{Viewer, Voice, voice::say},
    rulesets::ecopolis::catalogue,
};

pub fn text(view: &View, viewer: Viewer, voice: &Voice) -> String {
    if let Some(outcome) = &view.result {
        return winners(outcome, voice);
    }
    let Some(seat) = view.to_act else { return String::new() };
    let (is_mine, who) = (viewer.is(seat), voice.name(seat));
    match view.phase {
        PhaseName::Roll if is_mine => say!(voice, "Roll the dice.", "Tira i dadi."),
        PhaseName::Roll => {
            say!(voice, "Waiting for {who} to roll.", "In attesa dei dadi di {who}.")
        }
        PhaseName::Square => {
            let place = place(view, is_mine, voice);
            if is_mine {
                say!(voice, "You are on {place}.", "Sei su {place}.")
            } else {
                say!(voice, "{who} is on {place} and decides.", "{who} è su {place} e decide.")
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
    let square = catalogue::square_name(seat.square, voice.lang);
    let Square::Territory(territory) = Square::at(seat.square) else { return square };
    let shown = view.territories.iter().find(|shown| shown.id == territory);
    if let Some(owner) = shown.and_then(|shown| shown.owner) {
        if is_mine && owner == view.turn_seat {
            return say!(voice, "{square} (yours)", "{square} (tuo)");
        }
        let owner = voice.name(owner);
        return say!(voice, "{square} ({owner}'s)", "{square} (di {owner})");
    }
    let (place, price) = (name(territory), euros(territory.deed().price, voice));
    say!(voice, "{place} (for sale at {price})", "{place} (in vendita a {price})")
}

fn of_debt(view: &View, is_mine: bool, who: &str, voice: &Voice) -> String {
    let Some(debt) = view.debt else { return String::new() };
    let (owed, to) = (sum(debt.euros, debt.credits, voice), seat_or_bank(debt.to, voice));
    if is_mine {
        say!(
            voice,
            "You owe {to} {owed} and cannot pay. Trade, buy credits or declare bankruptcy.",
            "Non puoi pagare {owed} (creditore: {to}). Fai uno scambio, compra crediti o dichiara bancarotta."
        )
    } else {
        say!(
            voice,
            "{who} owes {to} {owed} and must settle it.",
            "{who} deve saldare un debito di {owed} (creditore: {to})."
        )
    }
}

fn of_trade(view: &View, is_mine: bool, who: &str, voice: &Voice) -> String {
    let Some(trade) = &view.trade else { return String::new() };
    let (from, offer) = (voice.name(trade.from), offer_text(trade, voice));
    if is_mine {
        say!(
            voice,
            "{from} offers you {offer}. Accept or reject.",
            "{from} ti propone {offer}. Accetta o rifiuta."
        )
    } else {
        say!(
            voice,
            "{from} offers {who} {offer}. Waiting for {who}.",
            "{from} propone a {who} {offer}. In attesa di {who}."
        )
    }
}
