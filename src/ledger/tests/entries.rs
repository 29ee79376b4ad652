//! What an entry of fairlog/2 may hold: every field as it must be, and what goes with it.

use serde_json::{Value, json};

use super::{
    forged::{entries, unsigned},
    played::terms,
};
use crate::{engine::Format, ledger::entry::Entry};

fn is_read(body: &Value, secret: Option<&Value>) -> bool {
    let mut body = body.clone();
    (body["seq"], body["at"]) = (3.into(), 1_790_000_000_000_u64.into());
    Entry::read(Format::Two, &body, secret, "entry").is_ok()
}

/// So many keys, ascending.
fn keys(count: u8) -> Vec<String> {
    (1..=count).map(|key| format!("{key:02x}").repeat(32)).collect()
}

#[test]
fn keys_are_few_ascending_and_in_lowercase() {
    let is_read =
        |keys: Vec<String>| is_read(&json!({"type": "keys", "seat": 0, "keys": keys, "signed": null}), None);
    assert!(is_read(keys(1)) && is_read(keys(8)));
    assert!(!is_read(keys(9)), "more than a seat may have");
    assert!(!is_read(Vec::new()), "none at all");
    assert!(!is_read(keys(2).into_iter().rev().collect()), "descending");
    assert!(!is_read([keys(1), keys(1)].concat()), "one of them twice");
    assert!(!is_read(vec!["AB".repeat(32)]) && !is_read(vec!["ab".repeat(31)]), "not as they are written");
}

#[test]
fn a_holder_is_a_person_with_keys_or_a_bot_of_a_level() {
    let is_read = |bot: Value, keys: Vec<String>| {
        is_read(
            &json!({"type": "hand", "seat": 0, "player": "p", "keys": keys, "bot": bot, "signed": null}),
            None,
        )
    };
    assert!(is_read(Value::Null, keys(2)) && is_read(Value::Null, Vec::new()));
    assert!(is_read(json!("easy"), Vec::new()) && is_read(json!("level_2"), Vec::new()));
    for level in ["", "Easy", "very easy", "è"] {
        assert!(!is_read(json!(level), Vec::new()), "{level}");
    }
    assert!(!is_read(json!("easy"), keys(1)), "a bot has no keys");
}

#[test]
fn a_secret_holds_what_was_drawn_and_the_plan_that_decided() {
    let played = unsigned(terms(), |_| {});
    let of_start = entries(&played).into_iter().find(|entry| entry["body"]["type"] == "start").unwrap();
    let draws = &of_start["secret"]["draws"];
    let plan = json!({"rules": [{"phase": "auction", "command": {"type": "pass_bid"}}], "signed": null});
    let cmd =
        |by: &str| json!({"type": "cmd", "seat": 0, "by": by, "cmd": {"type": "pass_bid"}, "signed": null});
    let keys = json!({"type": "keys", "seat": 0, "keys": keys(1), "signed": null});
    let reads = |body: &Value, secret: Value| is_read(body, Some(&secret));
    assert!(is_read(&cmd("player"), None) && reads(&cmd("player"), json!({"draws": draws})));
    assert!(
        reads(&cmd("plan"), json!({"plan": plan}))
            && reads(&cmd("plan"), json!({"plan": plan, "draws": draws}))
    );
    assert!(
        !is_read(&cmd("plan"), None) && !reads(&cmd("plan"), json!({"draws": draws})),
        "without its plan"
    );
    assert!(!reads(&cmd("player"), json!({"plan": plan})), "a plan that decided nothing");
    assert!(
        !reads(&cmd("player"), json!({})) && !reads(&cmd("player"), json!({"draws": []})),
        "nothing was drawn"
    );
    assert!(!reads(&cmd("plan"), json!({"plan": plan, "draws": []})), "nothing was drawn beside it");
    assert!(
        !reads(&keys, json!({"draws": draws})) && !reads(&keys, json!({"plan": plan})),
        "who draws is said by the rules"
    );
    assert!(!reads(&cmd("player"), json!({"draws": draws, "more": 1})), "what nobody knows");
}
