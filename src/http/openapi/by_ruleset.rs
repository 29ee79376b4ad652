//! Schemas of the parts that differ by ruleset: views, options, events and commands.
//!
//! Answers may contain parts of a ruleset that a client does not know yet, so each of their unions ends with
//! an `Other...` schema. The orders of requests are closed.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::rulesets::RulesetId;

/// Path of the schemas in the document.
pub const SCHEMAS: &str = "/components/schemas";

/// Start of the names of schemas for what a client does not know.
pub const OTHER: &str = "Other";

type Schemas = Map<String, Value>;

pub fn reference(name: &str) -> Value {
    json!({"$ref": format!("#{SCHEMAS}/{name}")})
}

/// Returns the rulesets with the modules of their schemas.
fn rulesets() -> Vec<(&'static str, String)> {
    RulesetId::ALL.iter().map(|id| (id.name(), id.name().replace('-', "_"))).collect()
}

/// Returns a union for answers, which ends with the schema for what is unknown. `keyword` is `oneOf` if that
/// schema fits nothing that is known.
fn open_union(
    keyword: &str,
    description: &str,
    members: impl IntoIterator<Item = String>,
    other: &str,
) -> Value {
    let all: Vec<Value> =
        members.into_iter().chain([other.to_owned()]).map(|name| reference(&name)).collect();
    json!({"description": description, keyword: all})
}

/// Returns the schema of a text that is none of these words.
fn other_than<'w>(words: impl IntoIterator<Item = &'w str>) -> Value {
    let words: BTreeSet<&str> = words.into_iter().collect();
    let words: Vec<&str> = words.into_iter().collect();
    json!({"type": "string", "pattern": format!("^(?!({})$)", words.join("|"))})
}

pub fn tell_apart(schemas: &mut Schemas) {
    leave_out_options(schemas);
    split_views(schemas);
    split_orders(schemas);
    join_options(schemas);
    open_viewer(schemas);
    for name in ["CommandDone", "Draft", "Exploration", "EventItem"] {
        if let Some(events) = property(schemas, name, "events") {
            events["items"] = reference("GameEvent");
        }
    }
    for name in ["NewCommand", "ExploredCommand", "LegalCommand_AnyCommand"] {
        if let Some(command) = property(schemas, name, "command") {
            *command = reference("Command");
        }
    }
    for name in ["NewCommand", "NewDraft"] {
        if let Some(commands) = property(schemas, name, "commands") {
            commands["items"] = reference("Command");
        }
    }
    if let Some(text) = property(schemas, "LegalCommand_AnyCommand", "text") {
        text["type"] = "string".into();
    }
    rename(schemas, "LegalCommand_AnyCommand", "LegalCommand");
    for gone in
        ["AnyOptions", "AnyView", "AnyEvent", "AnyCommand", "OfTable", "Spoken_Event", "Spoken_AnyEvent"]
    {
        schemas.remove(gone);
    }
}

fn property<'s>(schemas: &'s mut Schemas, schema: &str, name: &str) -> Option<&'s mut Value> {
    schemas.get_mut(schema)?.get_mut("properties")?.get_mut(name)
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

/// Makes a view of each ruleset, with its own state.
fn split_views(schemas: &mut Schemas) {
    let Some(whole) = schemas.remove("View") else { return };
    let with_state = |ruleset: Value, state: Value| {
        let mut view = whole.clone();
        view["properties"]["ruleset"] = ruleset;
        let nothing = json!({"type": "null"});
        view["properties"]["state"] =
            json!({"oneOf": [state, nothing], "description": "Position. `null` before the game starts."});
        view
    };
    let mut members = Vec::new();
    for (ruleset, module) in rulesets() {
        let name = format!("{module}.View");
        let state = reference(&format!("{module}.State"));
        schemas.insert(name.clone(), with_state(json!({"type": "string", "const": ruleset}), state));
        members.push(name);
    }
    let mut other =
        with_state(other_than(rulesets().iter().map(|(name, _)| *name)), json!({"type": "object"}));
    other["description"] = "The position of a game of another ruleset.".into();
    schemas.insert("OtherView".into(), other);
    let description = "The position as the caller may see it. `ruleset` tells which state it has.";
    schemas.insert("View".into(), open_union("oneOf", description, members, "OtherView"));
}

/// Makes an order for a new game of each ruleset, with its own options.
fn split_orders(schemas: &mut Schemas) {
    let Some(whole) = schemas.remove("NewGame") else { return };
    let (mut members, mut mapping) = (Vec::new(), Map::new());
    for (ruleset, module) in rulesets() {
        let mut order = whole.clone();
        order["properties"]["ruleset"] = json!({"type": "string", "const": ruleset});
        let options = reference(&format!("{module}.NewOptions"));
        order["properties"]["options"] = json!({"oneOf": [options, {"type": "null"}]});
        if order["example"]["ruleset"] != ruleset
            && let Some(fields) = order.as_object_mut()
        {
            fields.remove("example");
        }
        let name = format!("{module}.NewGame");
        members.push(reference(&name));
        mapping.insert(ruleset.to_owned(), format!("#{SCHEMAS}/{name}").into());
        schemas.insert(name, order);
    }
    let discriminator = json!({"propertyName": "ruleset", "mapping": mapping});
    let union =
        json!({"description": whole["description"], "oneOf": members, "discriminator": discriminator});
    schemas.insert("NewGame".into(), union);
}

/// Makes the options of a game a union.
fn join_options(schemas: &mut Schemas) {
    let names = rulesets().into_iter().map(|(_, module)| format!("{module}.Options"));
    schemas.insert("Options".into(), open_union("anyOf", "The options of a game.", names, "OtherOptions"));
    let other = json!({"type": "object", "description": "The options of another ruleset."});
    schemas.insert("OtherOptions".into(), other);
    if let Some(options) = property(schemas, "Game", "options") {
        *options = reference("Options");
    }
}

fn open_viewer(schemas: &mut Schemas) {
    let Some(viewer) = schemas.get_mut("Viewer").and_then(Value::as_object_mut) else { return };
    if let Some(Value::Array(mut members)) = viewer.remove("oneOf") {
        members.push(reference("OtherViewer"));
        viewer.insert("anyOf".into(), members.into());
    }
    schemas.insert("OtherViewer".into(), json!({"type": "object", "description": "Another viewer."}));
}

/// Joins all kinds of events, and all kinds of commands, once they have names.
pub fn join_kinds(schemas: &mut Schemas) {
    join_events(schemas);
    join_commands(schemas);
}

/// Joins all kinds of events, and adds the ruleset and the text to each. Each ruleset may gain kinds, and so
/// may the server gain rulesets.
fn join_events(schemas: &mut Schemas) {
    let mut rulesets: Vec<_> =
        rulesets().into_iter().map(|(name, module)| (name, format!("{module}."), "Event")).collect();
    rulesets.push(("table", String::new(), "TableEvent"));
    let (mut kinds, mut others) = (Vec::new(), Vec::new());
    for (ruleset, module, event) in &rulesets {
        let prefix = format!("{module}{event}.");
        let own: Vec<String> = schemas.keys().filter(|name| name.starts_with(&prefix)).cloned().collect();
        let name = format!("{module}{OTHER}{event}");
        let types = own.iter().filter_map(|name| name.strip_prefix(&prefix));
        schemas.insert(name.clone(), unknown("An event of another type.", &other_than(types)));
        for name in own.iter().chain([&name]) {
            if let Some(schema) = schemas.get_mut(name) {
                name_ruleset(schema, json!({"type": "string", "const": ruleset}));
            }
        }
        kinds.extend(own);
        others.push(name);
    }
    let mut other = unknown("An event of another ruleset.", &json!({"type": "string"}));
    name_ruleset(&mut other, other_than(rulesets.iter().map(|(name, ..)| *name)));
    schemas.insert("OtherEvent".into(), other);
    kinds.extend(others);
    let description = "An event of the game or of its table (`ruleset` is then `table`).";
    schemas.insert("GameEvent".into(), open_union("oneOf", description, kinds, "OtherEvent"));
}

fn join_commands(schemas: &mut Schemas) {
    let prefixes: Vec<_> = rulesets().into_iter().map(|(_, module)| format!("{module}.Command.")).collect();
    let kind = |name: &str| prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).map(str::to_owned);
    let commands: Vec<String> = schemas.keys().filter(|name| kind(name).is_some()).cloned().collect();
    let types: Vec<String> = commands.iter().filter_map(|name| kind(name)).collect();
    let other = unknown("A command of another type.", &other_than(types.iter().map(String::as_str)));
    schemas.insert("OtherCommand".into(), other);
    let description = "A command of any ruleset. `type` tells which kind.";
    schemas.insert("Command".into(), open_union("oneOf", description, commands, "OtherCommand"));
}

/// Returns the schema of something whose type is none of the known ones.
fn unknown(description: &str, kind: &Value) -> Value {
    json!({
        "type": "object", "description": description, "properties": {"type": kind}, "required": ["type"],
    })
}

fn name_ruleset(event: &mut Value, ruleset: Value) {
    event["properties"]["ruleset"] = ruleset;
    event["properties"]["text"] =
        json!({"type": "string", "description": "Localized description. Requires `words=true`."});
    match event.get_mut("required").and_then(Value::as_array_mut) {
        Some(required) => required.push("ruleset".into()),
        None => event["required"] = json!(["ruleset"]),
    }
}

/// Renames a schema and all references to it.
pub fn rename(schemas: &mut Schemas, from: &str, to: &str) {
    let Some(schema) = schemas.remove(from) else { return };
    schemas.insert(to.to_owned(), schema);
    let (from, to) = (format!("#{SCHEMAS}/{from}"), format!("#{SCHEMAS}/{to}"));
    schemas.values_mut().for_each(|schema| rename_within(schema, &from, &to));
}

/// Replaces a reference everywhere.
pub fn rename_within(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::String(text) if text == from => to.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(|item| rename_within(item, from, to)),
        Value::Object(fields) => fields.values_mut().for_each(|field| rename_within(field, from, to)),
        _ => {}
    }
}
