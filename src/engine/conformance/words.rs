//! What must hold of the words of every game.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{RandomGame, Specimen};
use crate::engine::{Chance, Lang, Table, Viewer, Voice, catalogue::Entry};

/// All that is said to a viewer at a moment: the prompt, what just happened, and what it may do.
fn said<R: Specimen>(table: &Table<R>, viewer: Viewer, voice: &Voice) -> Vec<String> {
    let view = table.view(viewer);
    let mut said = vec![R::prompt(&view, viewer, voice)];
    said.extend(table.events(viewer).iter().map(|event| R::event(event, voice)));
    if let Viewer::Seat(seat) = viewer {
        said.extend(
            table.legal(seat).commands.iter().map(|listed| R::command(&listed.command, &view, voice)),
        );
    }
    said
}

fn voices<R: Specimen>(table: &Table<R>) -> [Voice; 2] {
    let name = |seat: crate::engine::Seat| {
        Some(["Ada", "Bruno", "Chiara", "Dario"][usize::from(seat.number())].into())
    };
    Lang::ALL.map(|lang| Voice::new(lang, table.seats(), name))
}

/// Words are made of what a viewer sees, so a state that it cannot tell from the true one is told in the same words.
pub fn words_tell_a_viewer_no_more_than_it_sees<R: Specimen>() {
    for number in 0..40 {
        let _ = RandomGame::<R>::begin(number).play(|game, _, _| {
            let [english, italian] = voices(&game.table);
            for viewer in Viewer::all(game.table.seats()) {
                let told = said(&game.table, viewer, &english);
                assert!(told.iter().all(|text| is_whole(text)), "{told:?}");
                let told_in_italian = said(&game.table, viewer, &italian);
                assert!(told_in_italian.iter().all(|text| is_whole(text)), "{told_in_italian:?}");
                let mut chance = Chance::seeded(game.dice.seed());
                let state = R::redeal(game.table.state(), viewer, &mut chance);
                let other = Table::at(game.table.seats(), state, Chance::seeded(game.dice.seed()));
                let commands = |table: &Table<R>| {
                    let events = table.events(viewer).len();
                    let all = said(table, viewer, &english);
                    [&all[..1], &all[1 + events..]].concat()
                };
                assert_eq!(commands(&game.table), commands(&other));
            }
        });
    }
}

/// A text that says something, with nothing left open in it.
fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.contains("  ") && !text.contains(['{', '}', '`', '_'])
}

/// The values that a field may have in all that a type can be.
fn kinds(schema: &Value) -> BTreeSet<String> {
    let variants = schema["oneOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of_variant = |variant: &Value| variant["properties"]["type"]["enum"][0].as_str().map(str::to_owned);
    variants.iter().filter_map(of_variant).collect()
}

fn ids(entries: &[Entry]) -> BTreeSet<String> {
    entries.iter().map(|entry| entry.id.to_owned()).collect()
}

pub fn every_kind_has_its_words_in_both_languages<R: Specimen>()
where
    R::Command: utoipa::PartialSchema,
    R::EventView: utoipa::PartialSchema,
    R::Options: utoipa::PartialSchema,
{
    let schema =
        |schema| serde_json::to_value::<utoipa::openapi::RefOr<utoipa::openapi::Schema>>(schema).unwrap();
    let [english, italian] = Lang::ALL.map(R::catalogue);
    for catalogue in [&english, &italian] {
        assert_eq!(ids(&catalogue.commands), kinds(&schema(<R::Command as utoipa::PartialSchema>::schema())));
        assert_eq!(
            ids(&catalogue.event_types),
            kinds(&schema(<R::EventView as utoipa::PartialSchema>::schema()))
        );
        let options = schema(<R::Options as utoipa::PartialSchema>::schema());
        let options: BTreeSet<String> = options["properties"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(
            catalogue.options.iter().map(|option| option.id.to_owned()).collect::<BTreeSet<_>>(),
            options
        );
        for card in catalogue.cards.iter().chain(&catalogue.events) {
            assert!(
                card.count > 0 && is_whole(card.text) && R::RULES.en.contains(&format!("### {} ", card.rule))
            );
        }
    }
    let mut phases = BTreeSet::new();
    for number in 0..200 {
        let mut note = |view: &R::View| {
            phases.insert(serde_json::to_value(view).unwrap()["phase"].as_str().unwrap().to_owned())
        };
        let game = RandomGame::<R>::begin(number).play(|game, _, _| {
            note(&game.table.view(Viewer::Spectator));
        });
        note(&game.table.view(Viewer::Spectator));
    }
    assert_eq!(ids(&english.phases), phases, "those that games come to");
    let names =
        |entries: &[Entry]| -> BTreeSet<&'static str> { entries.iter().map(|entry| entry.name).collect() };
    assert_eq!(names(&english.commands).len(), english.commands.len(), "names that can be told apart");
    assert_eq!(names(&italian.commands).len(), italian.commands.len());
}
