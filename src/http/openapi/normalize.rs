//! Normalization of the derived schemas: closed objects, constant tags, and discriminators of unions.

use serde_json::{Map, Value, json};

use super::{
    by_ruleset::{self, SCHEMAS},
    examples,
};

pub fn normalize(document: &mut Value) {
    let Some(Value::Object(schemas)) = document.pointer_mut(SCHEMAS) else { return };
    merge_flattened(schemas);
    refer_to_items(schemas);
    by_ruleset::tell_apart(schemas);
    name_variants(schemas);
    by_ruleset::name_ruleset_of_events(schemas);
    examples::add(schemas);
    require_what_is_always_sent(schemas);
    forget_unused(document);
    close(document);
    bound_integers(document);
    leave_out_null_parameters(document);
    name_headers(document);
    say_who_needs_no_token(document);
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
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

/// Adds the headers of every answer.
fn name_headers(document: &mut Value) {
    let header =
        |description: &str, kind: &str| json!({"description": description, "schema": {"type": kind}});
    for operation in operations(document) {
        let parameters = operation.get("parameters").and_then(Value::as_array);
        let takes_a_key =
            parameters.is_some_and(|all| all.iter().any(|parameter| parameter["name"] == "Idempotency-Key"));
        let Some(Value::Object(responses)) = operation.get_mut("responses") else { continue };
        for (status, response) in responses {
            response["headers"]["X-Request-Id"] =
                header("Id of this request. Quote it in bug reports.", "string");
            if matches!(status.as_str(), "429" | "503") {
                response["headers"]["Retry-After"] =
                    header("Seconds to wait before the next attempt", "integer");
            }
            if takes_a_key {
                response["headers"]["Idempotency-Replayed"] = header(
                    "`true` if this is the stored answer to an earlier request with the same key; absent otherwise",
                    "string",
                );
            }
        }
    }
}

/// Marks operations without a security requirement as public.
fn say_who_needs_no_token(document: &mut Value) {
    for operation in operations(document) {
        if operation.get("security").is_none() {
            operation["security"] = json!([]);
        }
    }
}

/// Merges an `allOf` of a flattened field, which cannot be closed, into one object.
fn merge_flattened(schemas: &mut Map<String, Value>) {
    let whole = schemas.clone();
    for schema in schemas.values_mut() {
        let Some(Value::Array(parts)) = schema.get("allOf").cloned() else { continue };
        let mut merged = json!({"type": "object", "properties": {}, "required": []});
        if let Some(description) = schema.get("description") {
            merged["description"] = description.clone();
        }
        for part in &parts {
            let part = resolve(&whole, part);
            if let (Some(to), Some(from)) =
                (merged["properties"].as_object_mut(), part["properties"].as_object())
            {
                to.extend(from.clone());
            }
            if let (Some(to), Some(from)) = (merged["required"].as_array_mut(), part["required"].as_array()) {
                to.extend(from.clone());
            }
        }
        *schema = merged;
    }
}

/// Removes schemas that nothing refers to.
fn forget_unused(document: &mut Value) {
    loop {
        let text = document.to_string();
        let Some(Value::Object(schemas)) = document.pointer_mut(SCHEMAS) else { return };
        let before = schemas.len();
        schemas.retain(|name, _| {
            text.contains(&format!("\"#{SCHEMAS}/{name}\""))
                || name.ends_with("Notice")
                || name == "EndOfStream"
        });
        if schemas.len() == before {
            return;
        }
    }
}

/// Makes pages refer to their items by name.
fn refer_to_items(schemas: &mut Map<String, Value>) {
    for (name, schema) in schemas.iter_mut() {
        let item = name.strip_prefix("Items_").or_else(|| name.strip_prefix("Page_"));
        if let (Some(item), Some(items)) = (item, schema.pointer_mut("/properties/items")) {
            items["items"] = json!({"$ref": format!("#{SCHEMAS}/{item}")});
        }
    }
}

/// Optional fields of answers, by the suffix of their schema's name.
const AT_TIMES: &[(&str, &[&str])] = &[
    ("Game", &["invite", "rematch", "seal_receipt"]),
    ("GameWithReceipt", &["invite", "rematch", "seal_receipt"]),
    ("InvitedGame", &["invite", "rematch", "seal_receipt"]),
    ("View", &["legal", "prompt"]),
    ("LegalCommand", &["text"]),
    ("Happening", &["view"]),
    (
        "Problem",
        &["errors", "rule", "seq", "scope", "no", "expected", "limit", "quota", "window", "retry_after"],
    ),
    ("Mistake", &["rule"]),
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
    "Promise",
    "NewNote",
    "WebhookOrder",
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
    "NewSeatByInvite",
    "NewName",
    "KeptReceipt",
    "NewTakeback",
    "NewPlan",
    "PlanRule",
    "NewDraft",
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
        let is_event = name.contains("Event.");
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { continue };
        let always = properties
            .keys()
            .filter(|field| !(at_times.contains(&field.as_str()) || is_event && *field == "text"));
        let always: Vec<Value> = always.cloned().map(Value::from).collect();
        schema["required"] = always.into();
    }
}

fn resolve<'s>(schemas: &'s Map<String, Value>, part: &'s Value) -> &'s Value {
    let name = part["$ref"].as_str().and_then(|name| name.rsplit('/').next());
    name.and_then(|name| schemas.get(name)).unwrap_or(part)
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
    fields.insert("additionalProperties".into(), false.into());
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

/// Closes objects, and moves what the schema types cannot express to its place.
fn close(value: &mut Value) {
    if let Some(fields) = value.as_object_mut() {
        spell_keys(fields);
    }
    if let Some(not) = value.as_object_mut().and_then(|fields| fields.remove("x-not")) {
        value["not"] = not;
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Object(fields) => {
            if fields.get("properties").is_some_and(Value::is_object)
                && !fields.contains_key("additionalProperties")
            {
                fields.insert("additionalProperties".into(), false.into());
            }
            fields.values_mut().for_each(close);
        }
        _ => {}
    }
}
