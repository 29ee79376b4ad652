//! Normalization of the derived schemas: required fields, constant tags, and names of parts.

use serde_json::{Map, Value, json};

use super::{
    by_ruleset::{self, SCHEMAS},
    examples, notifications,
};

pub fn normalize(document: &mut Value) {
    let Some(Value::Object(schemas)) = document.pointer_mut(SCHEMAS) else { return };
    by_ruleset::tell_apart(schemas);
    name_variants(schemas);
    by_ruleset::join_kinds(schemas);
    examples::add(schemas);
    require_what_is_always_sent(schemas);
    schemas.values_mut().for_each(tidy);
    notifications::add(document);
    name_pages(document);
    forget_unused(document);
    bound_integers(document);
    leave_out_null_parameters(document);
    name_headers(document);
    say_who_needs_a_token(document);
}

pub fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    paths.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut).flat_map(Map::values_mut)
}

/// Makes optional parameters not nullable: a query and a header have no null.
fn leave_out_null_parameters(document: &mut Value) {
    let parameters =
        operations(document).filter_map(|operation| operation.get_mut("parameters")?.as_array_mut());
    for parameter in parameters.flatten() {
        let kinds = parameter.pointer("/schema/type").and_then(Value::as_array);
        let only = kinds.and_then(|kinds| kinds.iter().find(|kind| *kind != "null").cloned());
        if let (Some(only), Some(kind)) = (only, parameter.pointer_mut("/schema/type")) {
            *kind = only;
        }
    }
}

/// Adds the address of what was created.
fn name_headers(document: &mut Value) {
    for operation in operations(document) {
        if let Some(created) = operation.pointer_mut("/responses/201") {
            created["headers"]["Location"] = json!({
                "description": "Path of what was created.", "schema": {"type": "string", "format": "uri-reference"},
            });
        }
    }
}

/// Marks operations without a security requirement as public, and names the scope of others in `x-scope`.
fn say_who_needs_a_token(document: &mut Value) {
    for operation in operations(document) {
        let Some(ways) = operation.get_mut("security").and_then(Value::as_array_mut) else {
            operation["security"] = json!([]);
            continue;
        };
        let mut scopes = ways.iter_mut().filter_map(|way| way.get_mut("token")?.as_array_mut()?.pop());
        if let Some(scope) = scopes.next() {
            operation["x-scope"] = scope;
        }
    }
}

/// Removes schemas that nothing refers to.
fn forget_unused(document: &mut Value) {
    loop {
        let text = document.to_string();
        let Some(Value::Object(schemas)) = document.pointer_mut(SCHEMAS) else { return };
        let before = schemas.len();
        schemas.retain(|name, _| text.contains(&format!("\"#{SCHEMAS}/{name}\"")));
        if schemas.len() == before {
            return;
        }
    }
}

const COMPONENTS: &str = "components";

/// Gives each page the name of its items, and makes it refer to them.
fn name_pages(document: &mut Value) {
    let schemas = document[COMPONENTS]["schemas"].as_object().into_iter().flat_map(Map::keys);
    let pages: Vec<String> =
        schemas.filter_map(|name| name.strip_prefix("Page_")).map(str::to_owned).collect();
    for item in pages {
        let (from, to) = (format!("Page_{item}"), format!("{item}Page"));
        let mut page = document[COMPONENTS]["schemas"][&from].take();
        page["properties"]["items"]["items"] = by_ruleset::reference(&item);
        document[COMPONENTS]["schemas"][&to] = page;
        let (from, to) = (format!("#{SCHEMAS}/{from}"), format!("#{SCHEMAS}/{to}"));
        by_ruleset::rename_within(&mut document["paths"], &from, &to);
    }
}

/// Optional fields of answers, by the suffix of their schema's name.
const AT_TIMES: &[(&str, &[&str])] = &[
    ("Game", &["invite", "rematch", "seal_receipt"]),
    ("View", &["legal", "prompt"]),
    ("OtherView", &["legal", "prompt"]),
    ("LegalCommand", &["text"]),
    ("EventItem", &["view"]),
    (
        "Problem",
        &["errors", "rule", "seq", "scope", "index", "expected", "limit", "quota", "window", "retry_after"],
    ),
    ("Mistake", &["pointer", "parameter", "header", "rule"]),
    ("Check", &["seq"]),
];
/// Schemas of requests. Their parsers define what is required.
const REQUESTS: &[&str] = &[
    "NewGame",
    "NewSeat",
    "NewCommand",
    "NewPlayer",
    "NewToken",
    "NewOptions",
    "RecoveryCode",
    "SessionCode",
    "AuditRequest",
    "Reveal",
    "NewNote",
    "NewWebhook",
    "WebhookChange",
    "NewQuietHours",
    "NewMailSettings",
    "MailCode",
    "NewPushSubscription",
    "NewMessage",
    "Command",
    "SentSide",
    "NewClock",
    "NewBot",
    "NewExploration",
    "ExploredCommand",
    "BotAtTable",
    "Consent",
    "NewRevocation",
    "NewLink",
    "NewDevice",
    "NewRematch",
    "Acceptance",
    "AuthorizationRequest",
    "NewConsent",
    "NotificationChange",
    "NewName",
    "KeptReceipt",
    "NewTakeback",
    "NewPlan",
    "PlanRule",
    "NewDraft",
    "NewOperatorAct",
    "NewReport",
    "ReportChange",
    "Signature",
];

/// Makes fields with a default optional: generators treat them as always present.
fn leave_out_defaults(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        property.remove("default");
    }
}

/// Makes all fields of answers required, even nullable ones, with a few exceptions.
fn require_what_is_always_sent(schemas: &mut Map<String, Value>) {
    for (name, schema) in schemas.iter_mut() {
        let of_request = |known: &&str| name == known || name.contains(&format!(".{known}"));
        if REQUESTS.iter().any(of_request) {
            leave_out_defaults(schema);
            continue;
        }
        let short = name.rsplit('.').next().unwrap_or(name);
        let at_times =
            AT_TIMES.iter().find(|(known, _)| *known == short).map_or(&[][..], |(_, fields)| fields);
        let is_event = name.contains("Event.") || name.ends_with("OtherEvent") || name == "OtherTableEvent";
        require_all(schema, &|field| !(at_times.contains(&field) || is_event && field == "text"));
        let parts = schema.get_mut("allOf").and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(|part| require_all(part, &|field| !at_times.contains(&field)));
    }
}

/// Makes the fields required that are always sent.
fn require_all(schema: &mut Value, is_always_sent: &dyn Fn(&str) -> bool) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let always = properties.keys().filter(|field| is_always_sent(field));
    let always: Vec<Value> = always.cloned().map(Value::from).collect();
    schema["required"] = always.into();
}

/// Gives each variant of a tagged union its own schema, and the union a discriminator with its mapping.
fn name_variants(schemas: &mut Map<String, Value>) {
    let mut named = Vec::new();
    for (union, schema) in schemas.iter_mut() {
        let Some(Value::Array(variants)) = schema.get_mut("oneOf") else { continue };
        let tags: Option<Vec<String>> = variants.iter().map(tag).collect();
        let Some(tags) = tags else { continue };
        let mut mapping = Map::new();
        for (variant, tag) in variants.iter_mut().zip(tags) {
            let name = format!("{union}.{tag}");
            let reference = format!("#{SCHEMAS}/{name}");
            let mut whole = std::mem::replace(variant, json!({"$ref": reference}));
            if let Some(field) = whole.pointer_mut("/properties/type") {
                *field = json!({"type": "string", "const": tag});
            }
            mapping.insert(tag, reference.into());
            named.push((name, whole));
        }
        schema["discriminator"] = json!({"propertyName": "type", "mapping": mapping});
    }
    schemas.extend(named);
}

fn tag(variant: &Value) -> Option<String> {
    match variant["properties"]["type"]["enum"].as_array()?.as_slice() {
        [Value::String(tag)] => Some(tag.clone()),
        _ => None,
    }
}

/// Turns a map with ids as keys into an object with these optional fields.
fn spell_keys(fields: &mut Map<String, Value>) {
    let Some(Value::Array(keys)) = fields.get("propertyNames").map(|names| names["enum"].clone()) else {
        return;
    };
    let value = fields.get("additionalProperties").cloned().unwrap_or_default();
    let properties = keys.iter().filter_map(Value::as_str).map(|key| (key.to_owned(), value.clone()));
    fields.insert("properties".into(), Value::Object(properties.collect()));
    fields.remove("additionalProperties");
    fields.remove("propertyNames");
}

/// Largest integer that a JSON number can carry to every client.
const LARGEST: u64 = (1 << 53) - 1;

/// Gives every 64-bit integer without a maximum the one of JSON.
fn bound_integers(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(bound_integers),
        Value::Object(fields) => {
            if fields.get("format").is_some_and(|format| format == "int64") {
                fields.entry("maximum").or_insert_with(|| LARGEST.into());
            }
            fields.values_mut().for_each(bound_integers);
        }
        _ => {}
    }
}

/// Moves what the schema types cannot express to its place.
fn tidy(value: &mut Value) {
    if let Some(fields) = value.as_object_mut() {
        spell_keys(fields);
        if let Some(not) = fields.remove("x-not") {
            fields.insert("not".into(), not);
        }
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(fields) => fields.values_mut().for_each(tidy),
        _ => {}
    }
}
