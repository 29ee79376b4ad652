//! Every kind of command and event in the schemas has texts.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{RandomGame, Specimen, words::is_whole};
use crate::engine::{Lang, Viewer, catalogue::NamedEntry};

/// Returns the possible values of a field over all variants of a schema.
fn kinds(schema: &Value) -> BTreeSet<String> {
    let variants = schema["oneOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of_variant = |variant: &Value| variant["properties"]["type"]["enum"][0].as_str().map(str::to_owned);
    variants.iter().filter_map(of_variant).collect()
}

fn ids(entries: &[NamedEntry]) -> BTreeSet<String> {
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
    let names = |entries: &[NamedEntry]| -> BTreeSet<&'static str> {
        entries.iter().map(|entry| entry.name).collect()
    };
    assert_eq!(names(&english.commands).len(), english.commands.len(), "names that can be told apart");
    assert_eq!(names(&italian.commands).len(), italian.commands.len());
}
