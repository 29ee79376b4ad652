//! Texts of the game: commands, events and prompts.

mod command;
mod event;
mod prompt;

use super::{
    IndustrialWaste,
    cards::Kind,
    catalogue,
    command::Command,
    company::{Area, Zone},
    event::EventView,
    view::{CompanyView, View},
};
use crate::engine::{Lang, Viewer, Voice, Wording, catalogue::Catalogue, id::Id, voice::say};
use crate::rulesets::board::OnBoard;

impl OnBoard for IndustrialWaste {}

impl Wording for IndustrialWaste {
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

/// Returns the company of the seat to act.
fn mine(view: &View) -> Option<&CompanyView> {
    let seat = view.to_act?;
    view.companies.iter().find(|company| company.seat == seat)
}

fn card_name(card: Kind, lang: Lang) -> &'static str {
    catalogue::card_name(card, lang)
}

fn cards_of(cards: &[Kind], voice: &Voice) -> String {
    cards.iter().map(|card| card_name(*card, voice.lang)).collect::<Vec<_>>().join(", ")
}

fn areas_of(areas: &[Area], voice: &Voice) -> String {
    voice.list(areas.iter().map(|area| catalogue::AREAS[area.index()].1.get(voice.lang).to_string()))
}

fn zone_name(zone: Zone, lang: Lang) -> &'static str {
    catalogue::ZONES[zone.index()].1.get(lang)
}

fn with_advisor(advisor: bool, voice: &Voice) -> String {
    if advisor { say!(voice, " with an advisor", " con un consigliere") } else { String::new() }
}

fn loans(count: u64, voice: &Voice) -> String {
    voice.count(count, ("loan", "loans"), ("prestito", "prestiti"))
}

fn materials(count: u64, voice: &Voice) -> String {
    voice.count(count, ("raw material", "raw materials"), ("materia prima", "materie prime"))
}

fn columns(count: u64, voice: &Voice) -> String {
    voice.count(count, ("column", "columns"), ("colonna", "colonne"))
}

fn rows(count: u64, voice: &Voice) -> String {
    voice.count(count, ("row", "rows"), ("riga", "righe"))
}
