//! Games of fairlog/2, written and read back, tampered with and disputed.

use std::collections::BTreeSet;

use serde_json::json;

use super::{
    hosted::failed,
    played::{Played, abandoned_game, check, random_game, terms},
};
use crate::{
    engine::Viewer,
    ledger::{
        document::Document,
        entry::{Body, Op},
        game::{Dealer, Game},
    },
    rulesets::RulesetId,
};

/// What an entry is, in a word or two.
fn kind(body: &Body) -> String {
    match body {
        Body::Sys { op, .. } => format!("sys {}", op.word()),
        Body::Cmd { by, .. } => format!("cmd {}", by.word()),
        Body::End { reason, .. } => format!("end {}", reason.word()),
        other => other.kind().to_owned(),
    }
}

fn kinds(document: &[u8]) -> BTreeSet<String> {
    let read = Document::read(document, &|| true).unwrap();
    read.entries().map(|recorded| kind(&recorded.entry.body)).collect()
}

/// Played again from its document, a game shows everybody what it showed while it was played.
fn assert_replays(played: &Played, document: &[u8]) {
    let read = Document::read(document, &|| true).unwrap();
    let mut game: Option<Game> = None;
    for (recorded, link) in read.entries().zip(&played.links) {
        if let Body::Genesis(genesis) = &recorded.entry.body {
            game = Some(Game::open(genesis, Dealer::Log).unwrap());
        }
        game.as_mut().unwrap().follow(&recorded.entry, link.head).unwrap();
    }
    let game = game.unwrap();
    assert_eq!((&game.standing, &game.clocks), (&played.game.standing, &played.game.clocks));
    for viewer in Viewer::all(game.setting.seats) {
        let view = |game: &Game| game.table.as_ref().unwrap().view(viewer);
        assert_eq!(view(&game), view(&played.game));
    }
}

#[test]
fn any_game_verifies_and_replays_to_the_same_views() {
    let mut seen = BTreeSet::new();
    for number in 0..60 {
        let ruleset = RulesetId::ALL[number % RulesetId::ALL.len()].name();
        let played = random_game(ruleset, number as u64);
        let document = played.document();
        let report = check(&document);
        assert_eq!(failed(&report), Vec::<&str>::new(), "{number}: {report}");
        assert_replays(&played, &document);
        seen.extend(kinds(&document));
    }
    let left = abandoned_game().document();
    assert_eq!(failed(&check(&left)), Vec::<&str>::new());
    seen.extend(kinds(&left));
    for kind in [
        "cmd player",
        "cmd autopilot",
        "cmd plan",
        "keys",
        "hand",
        "takeback",
        "sys resign",
        "sys autopilot",
        "sys resume",
        "sys unkey",
        "sys pause",
        "sys continue",
        "end finished",
        "end resigned",
        "end abandoned",
    ] {
        assert!(seen.contains(kind), "{kind} is among what was tried");
    }
}

#[test]
fn a_key_that_signed_nothing_is_told_too() {
    let mut played = Played::start("industrial-waste", &[None, None], &json!({}), terms());
    played.change_keys(0, 9);
    played.sys(Op::Resign, 1);
    let [zero, one] = &check(&played.document()).seats[..] else { panic!("two seats") };
    assert_eq!((zero.keys.len(), zero.keys[0].moves, zero.unsigned), (1, 0, 0));
    assert!(one.keys.is_empty());
}
