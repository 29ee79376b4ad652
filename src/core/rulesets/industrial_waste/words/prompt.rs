//! Prompts.

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
            say!(voice, "Take one of the {left} columns.", "Prendi uno dei {left} gruppi.")
        }
        PhaseName::Choosing => {
            say!(voice, "Waiting for {name} to take a column.", "In attesa che {name} prenda un gruppo.")
        }
        PhaseName::Playing => prompt_of_playing(view, is_mine, name, voice),
        PhaseName::Auction => prompt_of_auction(view, is_mine, name, voice),
        PhaseName::Accident | PhaseName::FinalAccident if is_mine => {
            let zone = zone_name(mine(view).map_or(Zone::Green, |mine| mine.zone), voice.lang);
            say!(
                voice,
                "Accident: your waste is {zone}. Accept or bribe?",
                "Incidente: sei in {zone}. Accetti l'incidente o paghi una tangente?"
            )
        }
        PhaseName::Accident | PhaseName::FinalAccident => say!(
            voice,
            "Accident: waiting for {name} to accept or bribe.",
            "Incidente: in attesa della scelta di {name}."
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
                "Play, discard or save your last card.",
                "Gioca, scarta o conserva la tua ultima carta."
            )
        }
        (true, false) => say!(voice, "Play a card.", "Gioca una carta."),
        (false, _) => {
            say!(voice, "Waiting for {name} to play a card.", "In attesa che {name} giochi una carta.")
        }
    }
}

fn prompt_of_auction(view: &View, is_mine: bool, name: &str, voice: &Voice) -> String {
    let Some(auction) = &view.auction else { return String::new() };
    let lot = materials(auction.lot.into(), voice);
    let standing = auction.bids.iter().rev().find_map(|bid| Some((bid.seat, bid.amount?)));
    let standing = standing.map_or_else(String::new, |(seat, amount)| {
        let bidder = voice.name(seat);
        say!(voice, " Highest bid: {amount} ({bidder}).", " Offerta più alta: {amount} ({bidder}).")
    });
    if is_mine {
        say!(voice, "Bid for {lot} or pass.{standing}", "Fai un'offerta per {lot} o passa.{standing}")
    } else {
        say!(
            voice,
            "Waiting for {name} to bid for {lot} or pass.{standing}",
            "In attesa dell'offerta di {name} per {lot}.{standing}"
        )
    }
}
