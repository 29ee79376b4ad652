//! Real examples, from a game that is played whenever the document is made.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    engine::{Chance, Format, Seats, Seed, Viewer},
    rulesets::{AnyStatus, AnyTable, RulesetId},
};

/// A position in the middle of the game, whose view shows most.
const HALF: usize = 40;
const MOST_COMMANDS: usize = 4_000;

/// Adds the first command, event and state of each kind to its schema as an example.
pub fn add(schemas: &mut Map<String, Value>) {
    for ruleset in RulesetId::ALL {
        play(*ruleset, schemas);
    }
}

fn play(ruleset: RulesetId, schemas: &mut Map<String, Value>) {
    let Some(seats) = Seats::new(2) else { return };
    let read = |options| ruleset.read_options(&options, seats);
    let Ok(options) = read(json!({"first_seat": 0})).or_else(|_| read(json!({}))) else { return };
    let mut table = AnyTable::start(&options, seats, Chance::seeded(Seed::new(Format::Three, [7; 32])));
    let module = ruleset.name().replace('-', "_");
    let mut show = |schema: &str, value: &Value| {
        let name = match value["type"].as_str() {
            Some(kind) => format!("{module}.{schema}.{kind}"),
            None => format!("{module}.{schema}"),
        };
        if let Some(Value::Object(schema)) = schemas.get_mut(&name) {
            schema.entry("examples").or_insert_with(|| json!([value]));
        }
    };
    show("Options", &written(&options));
    for number in 0..MOST_COMMANDS {
        for event in table.events(Viewer::Seat(seats.first())) {
            show("Event", &written(&event));
        }
        let status = table.status();
        // A short game may have no such position.
        if number == HALF || !matches!(status, AnyStatus::ToAct(_)) {
            show("State", &written(&table.view(Viewer::Seat(seats.first()))));
        }
        let AnyStatus::ToAct(seat) = status else { return };
        let legal = table.legal(seat).commands;
        for listed in &legal {
            show("Command", &written(&listed.command));
        }
        // Varies the choice, so that many kinds of commands are played.
        let Some(listed) = legal.get(number * 7 % legal.len().max(1)) else { return };
        if table.submit(seat, &listed.command).is_err() {
            return;
        }
    }
}

fn written(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
