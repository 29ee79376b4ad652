//! Two versions of a game's rules: running games keep theirs, and new tables get the newest.

use serde_json::{Value, json};
use uuid::Uuid;

use super::fixture::{Fixture, id, wait};
use crate::{
    ledger::report::Outcome,
    rulesets::RulesetId,
    service::{
        Player,
        reading::{audit::Audit, context::ViewOptions},
        request::Request as _,
        tables::{
            Act,
            new_table::{JoinRequest, NewTable},
            play::Command,
        },
    },
};

/// Opens and fills a table of the game `count`. Without a version, its rules are the newest.
async fn begin(fixture: &Fixture, players: [&Player; 2], version: Option<u64>) -> Uuid {
    let mut new = NewTable::read(&json!({"ruleset": "count", "seats": 2})).unwrap();
    if let Some(version) = version {
        // As if the table had been created before version 2.
        new.setting.ruleset = RulesetId::of("count", version).unwrap();
        new.terms.version = version;
    }
    let game = id(&fixture.act(players[0], Act::Create(Box::new(new))).await);
    fixture.act(players[1], Act::Join(game, JoinRequest::read(&json!({})).unwrap())).await;
    game
}

/// Adds to the sum for the seat to act, if its rules allow the amount.
async fn add(fixture: &Fixture, game: Uuid, players: [&Player; 2], amount: u64) -> Option<Value> {
    let view = fixture.view(game, None, None, ViewOptions::default()).await;
    let player = players[usize::try_from(view["to_act"][0].as_u64().unwrap()).unwrap()];
    let sent = json!({"expected_seq": view["seq"], "command": {"type": "add", "amount": amount}});
    let command = Command::read(&sent).unwrap();
    fixture.try_act(player, &Act::Play(game, command, ViewOptions::default())).await.ok()
}

async fn rules_version(fixture: &Fixture, game: Uuid) -> Value {
    let game = fixture.service.reading.game(game, None).await.unwrap();
    serde_json::to_value(game).unwrap()["rules_version"].clone()
}

/// Returns the failed checks of the replay.
async fn failures(fixture: &Fixture, game: Uuid) -> Vec<String> {
    let document = fixture.service.reading.replay(game, None).await.unwrap();
    let audit = Audit::read(document.text, fixture.service.reading.trust()).unwrap();
    let checks = audit.run(&|| true).unwrap().checks;
    checks
        .iter()
        .filter(|check| check.outcome == Outcome::Fail)
        .map(|check| format!("{}: {}", check.name, check.detail))
        .collect()
}

#[test]
fn a_running_game_keeps_its_rules_and_a_new_table_gets_the_newest() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.player("Ada").await, fixture.player("Bob").await);
        let old = begin(&fixture, [&ada, &bob], Some(1)).await;
        assert!(add(&fixture, old, [&ada, &bob], 3).await.is_some());

        // The next release of the server knows both versions.
        let fixture = fixture.reopened().await;
        let new = begin(&fixture, [&ada, &bob], None).await;
        assert_eq!(rules_version(&fixture, old).await, 1);
        assert_eq!(rules_version(&fixture, new).await, 2);
        assert!(add(&fixture, old, [&ada, &bob], 3).await.is_some());
        assert!(add(&fixture, new, [&ada, &bob], 3).await.is_none(), "version 2 allows 1 and 2");
        for amount in [3, 1] {
            assert!(add(&fixture, old, [&ada, &bob], amount).await.is_some());
        }
        for _ in 0..5 {
            assert!(add(&fixture, new, [&ada, &bob], 2).await.is_some());
        }

        for game in [old, new] {
            let view = fixture.view(game, None, None, ViewOptions::default()).await;
            assert_eq!(view["status"], "finished");
            assert_eq!(failures(&fixture, game).await, Vec::<String>::new());
        }
    });
}
