//! Texts of events.

use super::{
    super::{event::EventView, outcome::Outcome, tables::Territory},
    action_name, at, credits, euros, name, offer_text, sum, to_seat_or_bank,
};
use crate::{
    engine::{
        Seat, Voice,
        voice::{printed, say},
    },
    rulesets::ecopolis::catalogue,
};

pub fn text(event: &EventView, voice: &Voice) -> String {
    use EventView as E;
    let called = |seat: &Seat| voice.name(*seat);
    match event {
        E::TerritoryDealt { seat, territory } => {
            let (who, place) = (called(seat), name(*territory));
            say!(voice, "{who} starts with {place}.", "{who} comincia con {place}.")
        }
        E::EventsShuffled { cards } => {
            say!(voice, "{cards} event cards are shuffled.", "{cards} carte evento mescolate.")
        }
        E::GameStarted { first_seat } => {
            let who = called(first_seat);
            say!(voice, "The game starts. {who} goes first.", "La partita inizia. Comincia {who}.")
        }
        E::RoundStarted { round } => say!(voice, "Round {round}.", "Round {round}."),
        E::TurnBegan { seat } => {
            let (who, to) = (called(seat), voice.to(*seat));
            say!(voice, "{who}'s turn.", "Tocca {to}.")
        }
        E::DiceRolled { seat, dice } => {
            let (who, [one, other]) = (called(seat), dice.faces());
            say!(voice, "{who} rolled {one} and {other}.", "{who} tira {one} e {other}.")
        }
        E::PawnMoved { seat, square } => {
            let (who, at) = (called(seat), at(*square, voice));
            say!(voice, "{who} landed {at}.", "{who} si ferma {at}.")
        }
        E::BalanceSettled { seat, balance } => {
            let (who, balance) = (called(seat), printed(*balance));
            say!(
                voice,
                "{who} passed VIA with a balance of {balance}.",
                "{who} passa dal VIA con un bilancio di {balance}."
            )
        }
        E::RentDue { seat, owner, territory, euros: due } => {
            let (who, place, due) = (called(seat), name(*territory), euros(*due, voice));
            let (owner, to) = (called(owner), voice.to(*owner));
            say!(
                voice,
                "{who} owes {owner} {due} rent for {place}.",
                "{who} deve {to} una rendita di {due} per {place}."
            )
        }
        E::EventDrawn { seat, event } => {
            let (who, (title, what)) = (called(seat), catalogue::event_words(*event, voice.lang));
            say!(
                voice,
                "{who} drew \u{201c}{title}\u{201d}: {what}",
                "{who} pesca \u{201c}{title}\u{201d}: {what}"
            )
        }
        E::TradeProposed { trade } => {
            let (from, offer) = (called(&trade.from), offer_text(trade, voice));
            let (name, to) = (called(&trade.to), voice.to(trade.to));
            say!(voice, "{from} offered {name} {offer}.", "{from} propone {to}: {offer}.")
        }
        E::TradeCountered { trade } => {
            let (from, offer) = (called(&trade.from), offer_text(trade, voice));
            let (name, to) = (called(&trade.to), voice.to(trade.to));
            say!(voice, "{from} answered {name}: {offer}.", "{from} risponde {to}: {offer}.")
        }
        E::TradeAccepted { trade } => {
            let (from, to, offer) = (called(&trade.from), called(&trade.to), offer_text(trade, voice));
            say!(voice, "{to} accepted: {from} gave {offer}.", "{to} accetta: {from} dà {offer}.")
        }
        E::DebtSettled { seat, to } => {
            let (who, to) = (called(seat), called(to));
            say!(voice, "{who}'s debt to {to} is settled.", "Il debito di {who} con {to} è saldato.")
        }
        E::TradeRejected { seat } => {
            let who = called(seat);
            say!(voice, "{who} rejected the offer.", "{who} rifiuta l'offerta.")
        }
        E::TradeWithdrawn { seat } => {
            let who = called(seat);
            say!(voice, "{who} withdrew the offer.", "{who} ritira l'offerta.")
        }
        E::SeatEliminated { seat, to, euros, credits, territories } => {
            let who = called(seat);
            let out = say!(voice, "{who} is out.", "{who} è fuori dal gioco.");
            let lost = lost(*to, (*euros, *credits), territories, voice);
            format!("{out}{lost}")
        }
        E::SeatRestarted { seat, to, euros, credits, territories } => {
            let who = called(seat);
            let again = say!(voice, "{who} starts again.", "{who} ricomincia.");
            let lost = lost(*to, (*euros, *credits), territories, voice);
            format!("{again}{lost}")
        }
        E::TurnEnded { seat } => {
            let who = called(seat);
            say!(voice, "{who} ended the turn.", "{who} finisce il turno.")
        }
        E::GameFinished { result } => winners(result, voice),
        deed => deed_text(deed, voice),
    }
}

/// Returns the text of a seat's gain, payment or act.
fn deed_text(event: &EventView, voice: &Voice) -> String {
    use EventView as E;
    let called = |seat: &Seat| voice.name(*seat);
    match event {
        E::CreditsReceived { seat, credits: count } => {
            let (who, got) = (called(seat), credits(*count, voice));
            say!(voice, "{who} got {got}.", "{who} riceve {got}.")
        }
        E::EurosReceived { seat, euros: amount } => {
            let (who, got) = (called(seat), euros(*amount, voice));
            say!(voice, "{who} got {got}.", "{who} riceve {got}.")
        }
        E::HandReturned { seat, cards } => {
            let who = called(seat);
            let cards = voice.count((*cards).into(), ("card", "cards"), ("carta", "carte"));
            say!(voice, "{who} put {cards} back into the bag.", "{who} rimette {cards} nel sacchetto.")
        }
        E::ActionDrawn { seat, action: Some(action) } => {
            let (who, card) = (called(seat), action_name(*action, voice.lang));
            say!(voice, "{who} drew \u{201c}{card}\u{201d}.", "{who} pesca \u{201c}{card}\u{201d}.")
        }
        E::ActionDrawn { seat, action: None } => {
            let who = called(seat);
            say!(voice, "{who} drew an action card.", "{who} pesca una carta azione.")
        }
        E::ActionUndone { seat, territory, action } => {
            let (who, place, card) = (called(seat), name(*territory), action_name(*action, voice.lang));
            say!(
                voice,
                "{who} lost \u{201c}{card}\u{201d} in {place}.",
                "{who} perde \u{201c}{card}\u{201d} a {place}."
            )
        }
        E::TerritoryBought { seat, territory, price } => {
            let (who, place, price) = (called(seat), name(*territory), euros(*price, voice));
            say!(voice, "{who} bought {place} for {price}.", "{who} compra {place} per {price}.")
        }
        E::ActionImplemented { seat, territory, action } => {
            let (who, place, card) = (called(seat), name(*territory), action_name(*action, voice.lang));
            say!(
                voice,
                "{who} carried out \u{201c}{card}\u{201d} in {place}.",
                "{who} realizza \u{201c}{card}\u{201d} a {place}."
            )
        }
        E::TerritoryFinished { seat, territory } => {
            let (who, place) = (called(seat), name(*territory));
            say!(
                voice,
                "{who} finished {place}. Its four cards are back in the bag.",
                "{who} completa {place}. Le sue quattro carte tornano nel sacchetto."
            )
        }
        E::TerritoryReturned { seat, territory, euros: price } => {
            let (who, place, price) = (called(seat), name(*territory), euros(*price, voice));
            say!(
                voice,
                "{who} returned {place} to the bank for {price}.",
                "{who} restituisce {place} alla banca per {price}."
            )
        }
        E::CreditTaken { seat } => {
            let who = called(seat);
            say!(voice, "{who} took 1 credit.", "{who} riceve 1 credito.")
        }
        E::ActionsExchanged { seat, actions, .. } => {
            let cards = voice.list(
                actions.iter().map(|action| format!("\u{201c}{}\u{201d}", action_name(*action, voice.lang))),
            );
            let who = called(seat);
            say!(voice, "{who} swapped {cards}.", "{who} cambia {cards}.")
        }
        E::CreditsBought { seat, count, euros: price } => {
            let (who, bought, price) = (called(seat), credits(*count, voice), euros(*price, voice));
            say!(voice, "{who} bought {bought} for {price}.", "{who} compra {bought} per {price}.")
        }
        E::Paid { seat, to, euros, credits } => {
            let (who, paid) = (called(seat), sum(*euros, *credits, voice));
            let to = to_seat_or_bank(*to, voice);
            say!(voice, "{who} paid {paid} {to}.", "{who} paga {paid} {to}.")
        }
        E::DebtIncurred { seat, to, euros, credits } => {
            let (who, owed) = (called(seat), sum(*euros, *credits, voice));
            let to = to_seat_or_bank(*to, voice);
            say!(voice, "{who} cannot pay and owes {owed} {to}.", "{who} non può pagare e deve {owed} {to}.")
        }
        _ => String::new(),
    }
}

/// Tells who got the money of a seat, and which territories are free.
fn lost(to: Option<Seat>, had: (u64, u64), lost: &[Territory], voice: &Voice) -> String {
    let (to, left) = (to_seat_or_bank(to, voice), sum(had.0, had.1, voice));
    let free = voice.list(lost.iter().map(|territory| name(*territory).to_owned()));
    let free = match lost.len() {
        0 => String::new(),
        _ => say!(voice, " Free again: {free}.", " Territori di nuovo liberi: {free}."),
    };
    let got = match had {
        (0, 0) => String::new(),
        _ => say!(voice, " {left} went {to}.", " {left} vanno {to}."),
    };
    format!("{got}{free}")
}

pub fn winners(outcome: &Outcome, voice: &Voice) -> String {
    let Outcome(scores) = outcome;
    let balance = printed(scores.first().map_or(0, |best| best.balance));
    let winners: Vec<Seat> = scores.iter().filter(|score| score.place == 1).map(|score| score.seat).collect();
    let names = voice.seats(winners.iter().copied());
    if winners.len() == 1 {
        say!(
            voice,
            "{names} wins with a balance of {balance}.",
            "{names} vince con un bilancio di {balance}."
        )
    } else {
        say!(
            voice,
            "{names} share first place with a balance of {balance}.",
            "{names} vincono a pari merito con un bilancio di {balance}."
        )
    }
}
