//! Any game's log, written and read back, verifies and replays to the same views.

use crate::{
    engine::Viewer,
    ledger::{
        document::Document,
        entry::Body,
        game::{Dealer, Game},
    },
    rulesets::RulesetId,
};

use super::{
    played::{Played, check, failed},
    random::random_game,
};

/// A replay shows every viewer the same as the game did.
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
    for number in 0..60 {
        let ruleset = RulesetId::ALL[number % RulesetId::ALL.len()].name();
        let played = random_game(ruleset, number as u64);
        let document = played.document();
        let report = check(&document);
        assert_eq!(failed(&report), Vec::<&str>::new(), "{number}: {report}");
        assert_replays(&played, &document);
    }
}
