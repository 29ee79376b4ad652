//! What a viewer is waited for, or whom it waits for.

use super::{
    super::{company::Zone, phase::PhaseName, view::View},
    event::winners,
    materials, mine, zone_name,
};
use crate::engine::{Viewer, Voice, voice::say};

pub fn text(view: &View, viewer: Viewer, voice: &Voice) -> String {
    if let Some(outcome) = &view.result {
        return winners(outcome, voice);
    }
    let Some(seat) = view.to_act else { return String::new() };
    let (is_mine, name) = (viewer.is(seat), voice.name(seat));
    match view.phase {
        PhaseName::Choosing if is_mine => {
            let left = view.offer.iter().flatten().count();
            say!(voice, "{name}, take one of the {left} columns.", "{name}, prendi una delle {left} colonne.")
        }
        PhaseName::Choosing => {
            say!(voice, "Waiting for {name} to take a column.", "Si aspetta che {name} prenda una colonna.")
        }
        PhaseName::Playing => prompt_of_playing(view, is_mine, name, voice),
        PhaseName::Auction => prompt_of_auction(view, is_mine, name, voice),
        PhaseName::Accident | PhaseName::FinalAccident if is_mine => {
            let zone = zone_name(mine(view).map_or(Zone::Green, |mine| mine.zone), voice.lang);
            say!(
                voice,
                "{name}: an accident, and your waste is {zone}. Accept it, or bribe?",
                "{name}: un incidente, e i tuoi rifiuti sono nel {zone}. Lo accetti o corrompi?"
            )
        }
        PhaseName::Accident | PhaseName::FinalAccident => say!(
            voice,
            "An accident: waiting for {name} to accept it or to bribe.",
            "Un incidente: si aspetta che {name} lo accetti o corrompa."
        ),
        PhaseName::Finished => String::new(),
    }
}

fn prompt_of_playing(view: &View, is_mine: bool, name: &str, voice: &Voice) -> String {
    let is_last = mine(view).is_some_and(|mine| mine.cards.len() == 1);
    match (is_mine, is_last) {
        (true, true) => {
            say!(
                voice,
                "{name}, play, discard or save your last card.",
                "{name}, gioca, scarta o conserva la tua ultima carta."
            )
        }
        (true, false) => say!(voice, "{name}, play one card.", "{name}, gioca una carta."),
        (false, _) => {
            say!(voice, "Waiting for {name} to play a card.", "Si aspetta che {name} giochi una carta.")
        }
    }
}

fn prompt_of_auction(view: &View, is_mine: bool, name: &str, voice: &Voice) -> String {
    let Some(auction) = &view.auction else { return String::new() };
    let lot = materials(auction.lot.into(), voice);
    let standing = auction.bids.iter().rev().find_map(|bid| Some((bid.seat, bid.amount?)));
    let standing = standing.map_or_else(String::new, |(seat, amount)| {
        let bidder = voice.name(seat);
        say!(voice, " {bidder} bids {amount}.", " {bidder} offre {amount}.")
    });
    if is_mine {
        say!(
            voice,
            "{name}, bid for {lot}, or pass.{standing}",
            "{name}, fai un'offerta per {lot}, o passa.{standing}"
        )
    } else {
        say!(
            voice,
            "Waiting for {name} to bid for {lot} or to pass.{standing}",
            "Si aspetta che {name} offra per {lot} o passi.{standing}"
        )
    }
}
