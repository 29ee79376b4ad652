//! Properties of the texts of every game.

use std::collections::BTreeMap;

use serde_json::{Value, to_value};

use super::{RandomGame, Specimen};
use crate::engine::{Chance, Lang, Table, Viewer, Voice, golden};

/// Returns all texts for a viewer: the prompt, the last events and the legal commands.
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

/// Texts are made from views, so two states that a viewer cannot tell apart have the same texts.
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

/// Sentences per kind in the file.
const KEPT: usize = 8;

/// A file has sentences of each kind of command, event and prompt in both languages, so no text changes
/// unnoticed: those of the first random games that differ in more than numbers.
pub fn what_is_said_is_kept_word_for_word<R: Specimen>() {
    let mut kept: BTreeMap<String, Vec<[String; 2]>> = BTreeMap::new();
    for number in 0..40 {
        let _ = RandomGame::<R>::begin(number).play(|game, _, _| {
            for viewer in Viewer::all(game.table.seats()) {
                let kinds = kinds(&game.table, viewer);
                let [english, italian] = voices(&game.table).map(|voice| said(&game.table, viewer, &voice));
                for (kind, texts) in kinds.into_iter().zip(english.into_iter().zip(italian)) {
                    let (of_kind, texts) = (kept.entry(kind).or_default(), [texts.0, texts.1]);
                    let is_new = !of_kind.iter().any(|other| shape(&other[0]) == shape(&texts[0]));
                    if is_new && of_kind.len() < KEPT {
                        of_kind.push(texts);
                    }
                }
            }
        });
    }
    let of_kind = |(kind, texts): (String, Vec<[String; 2]>)| {
        let texts = texts.into_iter().map(|[english, italian]| format!("  {english}\n  {italian}\n"));
        format!("{kind}\n{}", texts.collect::<String>())
    };
    let folder = R::NAME.replace('-', "_");
    golden::compare(
        &format!("rulesets/{folder}/golden/words.txt"),
        &kept.into_iter().map(of_kind).collect::<String>(),
    );
}

/// Returns the kind of each text.
fn kinds<R: Specimen>(table: &Table<R>, viewer: Viewer) -> Vec<String> {
    let kind = |value: serde_json::Result<Value>| value.unwrap()["type"].as_str().unwrap().to_owned();
    let mut kinds = vec![format!("prompt of {}", table.phase())];
    kinds.extend(table.events(viewer).iter().map(|event| format!("event {}", kind(to_value(event)))));
    if let Viewer::Seat(seat) = viewer {
        let listed = table.legal(seat).commands;
        kinds.extend(listed.iter().map(|listed| format!("command {}", kind(to_value(&listed.command)))));
    }
    kinds
}

/// A sentence without its numbers.
fn shape(text: &str) -> String {
    text.chars().filter(|char| !char.is_ascii_digit()).collect()
}

/// Returns whether a text is complete, without unfilled braces.
pub fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.contains("  ") && !text.contains(['{', '}', '`', '_'])
}
