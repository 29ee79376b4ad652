//! What a viewer is waited for, or whom it waits for.

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
        PhaseName::Roll if is_mine => say!(voice, "{who}, roll the dice.", "{who}, tira i dadi."),
        PhaseName::Roll => {
            say!(voice, "Waiting for {who} to roll the dice.", "Si aspetta che {who} tiri i dadi.")
        }
        PhaseName::Square => {
            let place = place(view, is_mine, voice);
            if is_mine {
                say!(voice, "{who}, you stand on {place}.", "{who}, la tua pedina è su {place}.")
            } else {
                say!(voice, "{who} stands on {place} and decides.", "{who} è su {place} e decide.")
            }
        }
        PhaseName::Debt => of_debt(view, is_mine, who, voice),
        PhaseName::Trade => of_trade(view, is_mine, who, voice),
        PhaseName::Finished => String::new(),
    }
}

/// Where the pawn stands whose turn it is, and what it costs if it is free.
fn place(view: &View, is_mine: bool, voice: &Voice) -> String {
    let Some(seat) = seat_of(view, view.turn_seat) else { return String::new() };
    let square = catalogue::square_name(seat.square, voice.lang);
    let Square::Territory(territory) = Square::at(seat.square) else { return square };
    let shown = view.territories.iter().find(|shown| shown.id == territory);
    if let Some(owner) = shown.and_then(|shown| shown.owner) {
        if is_mine && owner == view.turn_seat {
            return say!(voice, "{square}, which is yours", "{square}, che è tuo");
        }
        let owner = voice.name(owner);
        return say!(voice, "{square}, which is {owner}'s", "{square}, che è di {owner}");
    }
    let (place, price) = (name(territory), euros(territory.deed().price, voice));
    say!(voice, "{place}, free for {price}", "{place}, libero per {price}")
}

fn of_debt(view: &View, is_mine: bool, who: &str, voice: &Voice) -> String {
    let Some(debt) = view.debt else { return String::new() };
    let (owed, to) = (sum(debt.euros, debt.credits, voice), seat_or_bank(debt.to, voice));
    if is_mine {
        say!(
            voice,
            "{who}, you owe {to} {owed}, and cannot pay. Trade, buy credits, or declare bankruptcy.",
            "{who}, devi {owed} che non puoi pagare; li aspetta {to}. Scambia, compra crediti o dichiara bancarotta."
        )
    } else {
        say!(
            voice,
            "{who} owes {to} {owed} and must settle it.",
            "{who} deve {owed} e li deve saldare; li aspetta {to}."
        )
    }
}

fn of_trade(view: &View, is_mine: bool, who: &str, voice: &Voice) -> String {
    let Some(trade) = &view.trade else { return String::new() };
    let (from, offer) = (voice.name(trade.from), offer_text(trade, voice));
    if is_mine {
        say!(
            voice,
            "{who}, {from} offers you {offer}. Accept or reject it.",
            "{who}, {from} ti propone {offer}. Accetta o rifiuta."
        )
    } else {
        say!(
            voice,
            "{from} offers {who} {offer}; waiting for {who} to answer.",
            "{from} propone a {who}: {offer}. Si aspetta la risposta di {who}."
        )
    }
}
