//! What must hold of the words of every game.

use super::{RandomGame, Specimen};
use crate::engine::{Chance, Lang, Table, Viewer, Voice};

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
pub fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.contains("  ") && !text.contains(['{', '}', '`', '_'])
}
