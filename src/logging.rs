//! The log of the server: one line an event, to standard error.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::config::LogFormat;

/// No field of a line is longer, whatever it tells of.
const LONGEST: usize = 500;

/// Writes an event. Nobody waits for a log that cannot be written.
pub fn write(format: LogFormat, event: &str, fields: &Value) {
    let now = chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now());
    let at = now.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
    let mut out = std::io::stderr().lock();
    let _ = match format {
        LogFormat::Off => Ok(()),
        LogFormat::Json => {
            let mut line = json!({"at": at, "event": event});
            if let (Some(line), Some(fields)) = (line.as_object_mut(), fields.as_object()) {
                line.extend(fields.iter().map(|(name, value)| (name.clone(), clipped(value))));
            }
            writeln!(out, "{line}")
        }
        LogFormat::Text => {
            let shown = fields.as_object().into_iter().flatten().map(|(name, value)| match clipped(value) {
                Value::String(text) => format!("{name}={}", text.escape_debug()),
                other => format!("{name}={other}"),
            });
            writeln!(out, "{at} {event} {}", shown.collect::<Vec<_>>().join(" "))
        }
    };
}

fn clipped(value: &Value) -> Value {
    match value {
        Value::String(text) if text.len() > LONGEST => {
            text.chars().take(LONGEST).chain(['…']).collect::<String>().into()
        }
        other => other.clone(),
    }
}
