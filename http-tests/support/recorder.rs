//! Recordings of requests and answers, from which the examples of the API's document are chosen
//! (`just examples`).

use std::{
    collections::BTreeMap,
    env,
    fs::{self, OpenOptions},
    io::Write as _,
    sync::Mutex,
};

use serde_json::{Map, Value, json};

use super::{Answer, operation};

/// The file of the recordings.
const FILE: &str = "PLAYLEDGER_RECORDINGS";

/// Adds a request and its answer to the recordings, if they are wanted.
pub fn record(method: &str, path: &str, body: Option<&[u8]>, answer: &Answer) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let Ok(file) = env::var(FILE) else { return };
    let operation = operation(method, path).unwrap_or(&Value::Null);
    let _guard = ONE_AT_A_TIME.lock().unwrap();
    let request: Value = body.and_then(|body| serde_json::from_slice(body).ok()).unwrap_or_default();
    let line = json!({
        "operation": operation["operationId"], "request": request, "status": answer.status, "answer": answer.json(),
    });
    let mut file = OpenOptions::new().create(true).append(true).open(file).unwrap();
    writeln!(file, "{}", without_tokens(&line.to_string())).unwrap();
}

/// Replaces tokens, so that scanners for secrets find none.
fn without_tokens(line: &str) -> String {
    let mut parts = line.split("plg_");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_token = part.len() >= 60 && part.bytes().take(60).all(|byte| byte.is_ascii_alphanumeric());
        let (shown, rest) = if is_token { ("0".repeat(60), &part[60..]) } else { (String::new(), part) };
        kept.extend(["plg_", &shown, rest]);
    }
    kept
}

/// Chooses the examples from the recordings: the shortest answer with content, for each operation and each
/// problem.
pub fn chosen() -> Value {
    let text = fs::read_to_string(env::var(FILE).unwrap()).unwrap();
    let mut best: BTreeMap<(String, String), (usize, Value)> = BTreeMap::new();
    for line in text.lines() {
        let mut one: Value = serde_json::from_str(line).unwrap();
        shorten(&mut one["answer"]);
        shorten(&mut one["request"]);
        let answer = &one["answer"];
        let is_success = one["status"].as_u64().is_some_and(|status| (200..300).contains(&status));
        if answer.is_null() && !is_success {
            continue;
        }
        let place = match answer["code"].as_str() {
            Some(code) if one["status"].as_u64() >= Some(400) => ("problems".to_owned(), code.to_owned()),
            _ => match one["operation"].as_str() {
                Some(operation) => (operation.to_owned(), one["status"].to_string()),
                None => continue,
            },
        };
        let cost = cost(&one);
        if best.get(&place).is_none_or(|(known, _)| cost < *known) {
            best.insert(place, (cost, one));
        }
    }
    let (mut operations, mut problems) = (Map::new(), Map::new());
    for ((operation, name), (_, one)) in best {
        if operation == "problems" {
            problems.insert(name, one["answer"].clone());
            continue;
        }
        let shown = operations.entry(operation).or_insert_with(|| json!({"request": null, "answers": {}}));
        if !one["answer"].is_null() {
            shown["answers"][name] = one["answer"].clone();
        }
        shown["request"] = one["request"].clone();
    }
    json!({"operations": operations, "problems": problems})
}

/// Lists longer than this are shortened.
const LONG: usize = 4;

fn shorten(value: &mut Value) {
    match value {
        Value::Array(items) => {
            if items.len() > LONG {
                items.truncate(2);
            }
            items.iter_mut().for_each(shorten);
        }
        // A position is whole.
        Value::Object(fields) => {
            fields.iter_mut().filter(|(name, _)| *name != "state").for_each(|(_, field)| shorten(field));
        }
        _ => {}
    }
}

/// Returns the length of a recording. An empty list, or a text in another language, shows less than it could.
fn cost(one: &Value) -> usize {
    let answer = &one["answer"];
    let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    let shows_little = answer.as_object().is_some_and(|fields| {
        !fields.is_empty()
            && ["items", "events", "checks", "keys"]
                .iter()
                .any(|name| fields.get(*name).is_some_and(is_empty))
    });
    let is_foreign = !answer["title"].as_str().unwrap_or_default().is_ascii();
    let has_no_details = answer["code"] == "malformed" && is_empty(&answer["errors"])
        || answer["state"].is_null() && answer.get("state").is_some();
    let has_no_request = usize::from(one["request"].is_null());
    let penalty = usize::from(shows_little) + usize::from(is_foreign) + usize::from(has_no_details);
    one.to_string().len()
        + 100_000 * penalty
        + 1_000 * has_no_request
        + 1_000_000 * usize::from(answer.is_null())
}
