//! Unions of the parts that differ by ruleset, with `ruleset` as the discriminator.

use serde_json::{Map, Value, json};

use crate::rulesets::RulesetId;

/// Path of the schemas in the document.
pub const SCHEMAS: &str = "/components/schemas";

type Schemas = Map<String, Value>;

/// The differing part of each union: its schema, its field, and its name in the ruleset.
const UNIONS: [(&str, &str, &str); 5] = [
    ("View", "state", "State"),
    ("Game", "options", "Options"),
    ("GameWithReceipt", "options", "Options"),
    ("InvitedGame", "options", "Options"),
    ("NewGame", "options", "NewOptions"),
];

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#{SCHEMAS}/{name}")})
}

/// Returns the rulesets with the modules of their schemas.
fn rulesets() -> Vec<(&'static str, String)> {
    RulesetId::ALL.iter().map(|id| (id.name(), id.name().replace('-', "_"))).collect()
}

/// Returns a union with the discriminator `ruleset`.
fn union(description: &Value, members: &[(String, String)]) -> Value {
    let mapping: Map<String, Value> =
        members.iter().map(|(name, schema)| (name.clone(), format!("#{SCHEMAS}/{schema}").into())).collect();
    json!({
        "description": description,
        "oneOf": members.iter().map(|(_, schema)| reference(schema)).collect::<Vec<_>>(),
        "discriminator": {"propertyName": "ruleset", "mapping": mapping},
    })
}

pub fn tell_apart(schemas: &mut Schemas) {
    leave_out_options(schemas);
    for (name, field, part) in UNIONS {
        split(schemas, name, field, part);
    }
    join_events(schemas);
    join_commands(schemas);
    rename(schemas, "LegalCommand_AnyCommand", "LegalCommand");
    for gone in ["AnyOptions", "AnyView", "AnyEvent", "OfTable", "Spoken_Event", "Spoken_AnyEvent"] {
        schemas.remove(gone);
    }
}

/// Makes all options of a request optional; an answer has all of them.
fn leave_out_options(schemas: &mut Schemas) {
    for (_, module) in rulesets() {
        let mut whole = schemas.get(&format!("{module}.Options")).cloned().unwrap_or_default();
        if let Some(fields) = whole.as_object_mut() {
            fields.remove("required");
        }
        schemas.insert(format!("{module}.NewOptions"), whole);
    }
}

/// Splits a schema into one for each ruleset, and their union.
fn split(schemas: &mut Schemas, name: &str, field: &str, part: &str) {
    let Some(whole) = schemas.remove(name) else { return };
    let mut members = Vec::new();
    for (ruleset, module) in rulesets() {
        let mut one = whole.clone();
        one["properties"]["ruleset"] = json!({"type": "string", "const": ruleset});
        let part = reference(&format!("{module}.{part}"));
        one["properties"][field] = match field {
            // The state is null before the start.
            "state" => {
                json!({"oneOf": [part, {"type": "null"}], "description": "Null before the game starts."})
            }
            "options" if name == "NewGame" => json!({"oneOf": [part, {"type": "null"}]}),
            _ => part,
        };
        if one["example"]["ruleset"].as_str().is_some_and(|shown| shown != ruleset)
            && let Some(fields) = one.as_object_mut()
        {
            fields.remove("example");
        }
        let member = format!("{module}.{name}");
        schemas.insert(member.clone(), one);
        members.push((ruleset.to_owned(), member));
    }
    schemas.insert(name.to_owned(), union(&whole["description"], &members));
}

/// Joins the events of all rulesets and of the table.
fn join_events(schemas: &mut Schemas) {
    let mut members: Vec<_> =
        rulesets().into_iter().map(|(name, module)| (name.to_owned(), format!("{module}.Event"))).collect();
    schemas.insert("GameEvent".into(), union(&"An event of the game.".into(), &members));
    members.push(("table".into(), "TableEvent".into()));
    let description = "An event of the game or of its table. Ignore types that you do not know.";
    schemas.insert("Event".into(), union(&description.into(), &members));
    for (schema, items) in [
        ("Happening", "Event"),
        ("CommandDone", "GameEvent"),
        ("Draft", "GameEvent"),
        ("Exploration", "GameEvent"),
    ] {
        if let Some(events) =
            schemas.get_mut(schema).and_then(|schema| schema.pointer_mut("/properties/events"))
        {
            events["items"] = reference(items);
        }
    }
}

/// Adds the ruleset and the text to each kind of event, once the kinds have names.
pub fn name_ruleset_of_events(schemas: &mut Schemas) {
    let mut unions: Vec<_> =
        rulesets().into_iter().map(|(name, module)| (name, format!("{module}.Event."))).collect();
    unions.push(("table", "TableEvent.".into()));
    for (ruleset, prefix) in unions {
        for (_, schema) in schemas.iter_mut().filter(|(name, _)| name.starts_with(&prefix)) {
            schema["properties"]["ruleset"] = json!({"type": "string", "const": ruleset});
            schema["properties"]["text"] =
                json!({"type": "string", "description": "Localized description. Requires `words=true`."});
            match schema.get_mut("required").and_then(Value::as_array_mut) {
                Some(required) => required.push("ruleset".into()),
                None => schema["required"] = json!(["ruleset"]),
            }
        }
    }
}

/// Joins the commands of all rulesets. No two games share a command type.
fn join_commands(schemas: &mut Schemas) {
    let modules = rulesets().into_iter().map(|(_, module)| format!("{module}.Command"));
    let commands: Vec<Value> = modules.map(|name| reference(&name)).collect();
    schemas.remove("AnyCommand");
    let description = "A command of any ruleset. `type` tells which kind.";
    schemas.insert("Command".into(), json!({"description": description, "oneOf": commands}));
    for name in ["NewCommand", "ExploredCommand", "LegalCommand_AnyCommand"] {
        if let Some(command) =
            schemas.get_mut(name).and_then(|schema| schema.pointer_mut("/properties/command"))
        {
            *command = reference("Command");
        }
    }
    for name in ["NewCommand", "NewDraft"] {
        if let Some(commands) =
            schemas.get_mut(name).and_then(|schema| schema.pointer_mut("/properties/commands"))
        {
            commands["items"] = reference("Command");
        }
    }
    if let Some(text) =
        schemas.get_mut("LegalCommand_AnyCommand").and_then(|schema| schema.pointer_mut("/properties/text"))
    {
        text["type"] = "string".into();
    }
}

/// Renames a schema and all references to it.
fn rename(schemas: &mut Schemas, from: &str, to: &str) {
    let Some(schema) = schemas.remove(from) else { return };
    schemas.insert(to.to_owned(), schema);
    let (from, to) = (format!("#{SCHEMAS}/{from}"), format!("#{SCHEMAS}/{to}"));
    schemas.values_mut().for_each(|schema| rename_within(schema, &from, &to));
}

fn rename_within(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::String(text) if text == from => to.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(|item| rename_within(item, from, to)),
        Value::Object(fields) => fields.values_mut().for_each(|field| rename_within(field, from, to)),
        _ => {}
    }
}
