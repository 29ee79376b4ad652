//! Games of fairlog/2 that never began: what a table may become void for, and what an operator could make of it.

use serde_json::{Value, json};

use super::{
    forged::{after, put_in, renumber, unsigned},
    played::terms,
};
use crate::ledger::encoding::hex;

/// The checks that fail of a table that was sealed and made void then, at which seat 0 had made this promise.
fn voided(promise: Option<[u8; 32]>, result: &Value) -> Vec<&'static str> {
    after(&unsigned(terms(), |_| {}), |entries| {
        let seal = entries.iter().position(|entry| entry["body"]["type"] == "seal").unwrap();
        entries.truncate(seal + 1);
        let end = json!({"type": "end", "reason": "void", "result": result});
        put_in(entries, seal + 1, end);
        entries[1]["body"]["commit"] = promise.map_or(Value::Null, |promise| hex(&promise).into());
        renumber(entries);
    })
}

#[test]
fn a_sealed_table_is_void_for_a_promise_that_was_not_kept_and_for_nothing_else() {
    assert_eq!(voided(Some([9; 32]), &Value::Null), Vec::<&str>::new());
    assert_eq!(voided(None, &Value::Null), ["entropy"], "all was opened, so it had to begin");
    assert_eq!(voided(Some([9; 32]), &json!([{"seat": 0, "place": 1}])), ["chain"], "nobody wins it");
}

#[test]
fn a_game_that_begins_before_all_is_revealed_fails_entropy() {
    let begun = after(&unsigned(terms(), |_| {}), |entries| {
        entries[1]["body"]["commit"] = hex(&[9; 32]).into();
    });
    assert_eq!(begun, ["entropy"]);
}
