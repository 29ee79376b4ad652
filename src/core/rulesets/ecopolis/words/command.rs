//! Texts of commands.

use super::{
    super::{
        board::Square, cards::Action, command::Command, debt::CREDIT, tables::Territory, trade::Offer,
        view::View,
    },
    action_name, credits, euros, name, offer_text, seat_of, sum,
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
            say!(
                voice,
                "Exchange {cards} for two new cards and end your turn",
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
            let (from, settles_debt) = (view.turn_seat, *settles_debt);
            let offer = Offer { from, to, give: (**give).clone(), take: (**take).clone(), settles_debt };
            let (name, offer) = (voice.name(to), offer_text(&offer, voice));
            say!(voice, "Offer {name}: {offer}", "Proponi a {name}: {offer}")
        }
        Command::AcceptTrade {} => answer(view, voice, true),
        Command::RejectTrade {} => answer(view, voice, false),
        Command::WithdrawTrade {} => say!(voice, "Withdraw the offer", "Ritira l'offerta"),
        Command::DeclareBankruptcy {} => {
            let owed = view.debt.map_or_else(String::new, |debt| sum(debt.euros, debt.credits, voice));
            say!(
                voice,
                "Declare bankruptcy: you cannot pay {owed} and are out",
                "Dichiara bancarotta: non puoi pagare {owed} ed esci dal gioco"
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
