//! Texts of the game: commands, events and prompts.

mod command;
mod event;
mod prompt;

use super::{
    Ecopolis,
    board::{Square, VIA},
    cards::Action,
    catalogue,
    command::Command,
    event::EventView,
    tables::Territory,
    trade::{Offer, Side},
    view::{SeatView, View},
};
use crate::engine::{Lang, Seat, Viewer, Voice, Wording, catalogue::Catalogue, voice::say};
use crate::rulesets::board::{Board, OnBoard};

impl OnBoard for Ecopolis {
    fn board(lang: Lang) -> Board {
        catalogue::board(lang)
    }
}

impl Wording for Ecopolis {
    fn command(command: &Command, view: &View, voice: &Voice) -> String {
        command::text(command, view, voice)
    }

    fn event(event: &EventView, voice: &Voice) -> String {
        event::text(event, voice)
    }

    fn prompt(view: &View, viewer: Viewer, voice: &Voice) -> String {
        prompt::text(view, viewer, voice)
    }

    fn catalogue(lang: Lang) -> Catalogue {
        catalogue::of(lang)
    }
}

/// Returns the seat's part of a view.
fn seat_of(view: &View, seat: Seat) -> Option<&SeatView> {
    view.seats.iter().find(|shown| shown.seat == seat)
}

/// Returns an offer from its proposer's point of view.
fn offer_text(offer: &Offer, voice: &Voice) -> String {
    goods(&offer.give, &offer.take, offer.settles_debt, voice)
}

fn goods(give: &Side, take: &Side, settles_debt: bool, voice: &Voice) -> String {
    let (give, take) = (side(give, voice), side(take, voice));
    let settles = if settles_debt {
        say!(voice, "; the trade settles the debt", "; lo scambio salda il debito")
    } else {
        String::new()
    };
    say!(voice, "{give} for {take}{settles}", "{give} in cambio di {take}{settles}")
}

/// Returns where a pawn is.
fn at(square: u8, voice: &Voice) -> String {
    match Square::at(square) {
        Square::Territory(territory) => {
            let name = name(territory);
            say!(voice, "on {name}", "a {name}")
        }
        Square::Co2 if square == VIA => say!(voice, "on VIA", "al VIA"),
        Square::Co2 => say!(voice, "on a CO2 square", "su una casella CO2"),
        Square::Event(action) => {
            let action = action_name(action, voice.lang);
            say!(voice, "on an event square ({action})", "su una casella evento ({action})")
        }
    }
}

/// Returns the goods of a side.
fn side(side: &Side, voice: &Voice) -> String {
    if side.is_empty() {
        return say!(voice, "nothing", "nulla");
    }
    let territories = side.territories.iter().map(|territory| name(*territory).to_owned());
    let money = (side.euros > 0).then(|| euros(side.euros, voice));
    let of_bank = (side.credits > 0).then(|| credits(side.credits, voice));
    let actions =
        side.actions.iter().map(|action| format!("\u{201c}{}\u{201d}", action_name(*action, voice.lang)));
    voice.list(territories.chain(money).chain(of_bank).chain(actions))
}

fn name(territory: Territory) -> &'static str {
    territory.deed().name
}

fn action_name(action: Action, lang: Lang) -> &'static str {
    catalogue::action_name(action, lang)
}

/// An amount of money, with its thousands apart.
fn euros(amount: u64, voice: &Voice) -> String {
    let digits = amount.to_string();
    let apart = match voice.lang {
        Lang::En => ",",
        Lang::It => ".",
    };
    let (mut grouped, length) = (String::new(), digits.len());
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (length - place) % 3 == 0 {
            grouped.push_str(apart);
        }
        grouped.push(digit);
    }
    say!(voice, "{grouped} euros", "{grouped} euro")
}

fn credits(count: u64, voice: &Voice) -> String {
    voice.count(count, ("credit", "credits"), ("credito", "crediti"))
}

/// Euros, credits or both, whichever are owed or paid.
fn sum(of_euros: u64, of_credits: u64, voice: &Voice) -> String {
    match (of_euros, of_credits) {
        (_, 0) => euros(of_euros, voice),
        (0, _) => credits(of_credits, voice),
        _ => voice.list([euros(of_euros, voice), credits(of_credits, voice)]),
    }
}

/// To a seat, or to the bank.
fn to_seat_or_bank(seat: Option<Seat>, voice: &Voice) -> String {
    seat.map_or_else(|| say!(voice, "to the bank", "alla banca"), |seat| voice.to(seat))
}
