//! The log of the server: one line an event, to standard error.

use std::io::Write as _;

use serde_json::{Map, Value, json};

use crate::config::LogFormat;

/// No field of a line is longer, whatever it tells of.
const LONGEST: usize = 500;

/// Writes an event, all of it at once. Nobody waits for a log that cannot be written.
pub fn write(format: LogFormat, event: &str, fields: impl FnOnce() -> Value) {
    let line = match format {
        LogFormat::Off => return,
        LogFormat::Json => in_json,
        LogFormat::Text => in_text,
    };
    let now = chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now());
    let at = now.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
    let _ = std::io::stderr().write_all(line(&at, event, fields()).as_bytes());
}

fn in_json(at: &str, event: &str, fields: Value) -> String {
    let mut line = json!({"at": at, "event": event});
    if let Some(line) = line.as_object_mut() {
        line.extend(clipped(fields));
    }
    format!("{line}\n")
}

fn in_text(at: &str, event: &str, fields: Value) -> String {
    let shown = clipped(fields).map(|(name, value)| match value {
        Value::String(text) => format!("{name}={}", text.escape_debug()),
        other => format!("{name}={other}"),
    });
    format!("{at} {event} {}\n", shown.collect::<Vec<_>>().join(" "))
}

/// The fields of a line, none of them too long.
fn clipped(fields: Value) -> impl Iterator<Item = (String, Value)> {
    let fields = if let Value::Object(fields) = fields { fields } else { Map::new() };
    fields.into_iter().map(|(name, value)| match value {
        Value::String(text) if text.len() > LONGEST => {
            (name, text.chars().take(LONGEST).chain(['…']).collect::<String>().into())
        }
        other => (name, other),
    })
}
