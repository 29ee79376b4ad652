//! Texts of commands.

use super::{
    super::{
        board::Square, cards::Action, command::Command, debt::CREDIT, state::Exchange, tables::Territory,
        view::View,
    },
    action_name, credits, euros, goods, name, offer_text, seat_of, sum, to_seat_or_bank,
};
use crate::engine::{Voice, voice::say};

pub fn text(command: &Command, view: &View, voice: &Voice) -> String {
    match command {
        Command::Roll {} => say!(voice, "Roll the dice", "Tira i dadi"),
        Command::BuyTerritory {} => buy(view, voice),
        Command::ImplementAction { territory } => implement(*territory, view, voice),
        Command::ExchangeActions { actions } => {
            let cards =
                voice.list(actions.iter().map(|action: &Action| action_name(*action, voice.lang).to_owned()));
            if view.turn.exchange == Some(Exchange::Passing) {
                return say!(voice, "Swap {cards} for two new cards", "Cambia {cards} con due nuove carte");
            }
            say!(
                voice,
                "Swap {cards} for two new cards and end your turn",
                "Cambia {cards} con due nuove carte e finisci il turno"
            )
        }
        Command::EndTurn {} => say!(voice, "End turn", "Fine turno"),
        Command::BuyCredits { count } => {
            let (credits, price) = (credits(*count, voice), euros(count.saturating_mul(CREDIT), voice));
            say!(voice, "Buy {credits} for {price}", "Compra {credits} per {price}")
        }
        Command::ProposeTrade { to, give, take, settles_debt } => {
            let seats = view.seats.iter().map(|seat| seat.seat);
            let Some(to) = seats.into_iter().find(|seat| u64::from(seat.number()) == *to) else {
                return String::new();
            };
            let offer = goods(give, take, *settles_debt, voice);
            let (name, to) = (voice.name(to), voice.to(to));
            say!(voice, "Offer {name}: {offer}", "Proponi {to}: {offer}")
        }
        Command::CounterTrade { give, take } => {
            let Some(first) = &view.trade else { return String::new() };
            let offer = goods(give, take, first.settles_debt, voice);
            let (name, to) = (voice.name(first.from), voice.to(first.from));
            say!(voice, "Answer {name}: {offer}", "Rispondi {to}: {offer}")
        }
        Command::PayInCredits {} => pay(view, voice),
        Command::ReturnTerritory { territory } => {
            let (name, price) = (name(*territory), euros(territory.return_price(), voice));
            say!(voice, "Return {name} to the bank for {price}", "Restituisci {name} alla banca per {price}")
        }
        Command::AcceptTrade {} => answer(view, voice, true),
        Command::RejectTrade {} => answer(view, voice, false),
        Command::WithdrawTrade {} => say!(voice, "Withdraw the offer", "Ritira l'offerta"),
        Command::DeclareBankruptcy {} => {
            let owed = view.debt.map_or_else(String::new, |debt| sum(debt.euros, debt.credits, voice));
            say!(
                voice,
                "Declare bankruptcy: you cannot pay {owed} and lose everything",
                "Dichiara bancarotta: non puoi pagare {owed} e perdi tutto"
            )
        }
    }
}

fn buy(view: &View, voice: &Voice) -> String {
    let square = seat_of(view, view.turn_seat).map(|seat| Square::at(seat.square));
    let Some(Square::Territory(territory)) = square else { return String::new() };
    let (name, price) = (name(territory), euros(territory.deed().price, voice));
    say!(voice, "Buy {name} for {price}", "Compra {name} per {price}")
}

/// Returns the text of a payment in euros and credits, with the sums.
fn pay(view: &View, voice: &Voice) -> String {
    let payer = seat_of(view, view.turn_seat);
    let Some((debt, payer)) = view.debt.zip(payer) else { return String::new() };
    let in_credits = debt.euros.saturating_sub(payer.euros) / CREDIT;
    let (sum, to) = (sum(payer.euros, in_credits, voice), to_seat_or_bank(debt.to, voice));
    say!(voice, "Pay {sum} {to}", "Paga {sum} {to}")
}

fn implement(territory: Territory, view: &View, voice: &Voice) -> String {
    let done =
        view.territories.iter().find(|shown| shown.id == territory).map_or(0, |shown| shown.actions_done);
    let slot = territory.deed().slots.get(usize::from(done)).copied();
    let (place, action) = (name(territory), slot.map_or("", |action| action_name(action, voice.lang)));
    say!(voice, "{action} in {place}, for 1 credit", "{action} a {place}, per 1 credito")
}

fn answer(view: &View, voice: &Voice, accepts: bool) -> String {
    let Some(offer) = &view.trade else { return String::new() };
    let (from, offer) = (voice.name(offer.from), offer_text(offer, voice));
    if accepts {
        say!(voice, "Accept: {from} gives {offer}", "Accetta: {from} dà {offer}")
    } else {
        say!(voice, "Reject: {from} gives {offer}", "Rifiuta: {from} dà {offer}")
    }
}
