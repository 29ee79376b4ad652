//! The log of the server: one line an event, to standard error.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::config::LogFormat;

/// No field of a line is longer, whatever it tells of.
const LONGEST: usize = 500;

/// Writes an event, all of it at once. Nobody waits for a log that cannot be written.
pub fn write(format: LogFormat, event: &str, fields: impl FnOnce() -> Value) {
    if format == LogFormat::Off {
        return;
    }
    let now = chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now());
    let at = now.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
    let line = line(format, &at, event, &fields());
    let _ = std::io::stderr().write_all(line.as_bytes());
}

fn line(format: LogFormat, at: &str, event: &str, fields: &Value) -> String {
    let fields = fields.as_object().into_iter().flatten().map(|(name, value)| (name, clipped(value)));
    match format {
        LogFormat::Off => String::new(),
        LogFormat::Json => {
            let mut line = json!({"at": at, "event": event});
            if let Some(line) = line.as_object_mut() {
                line.extend(fields.map(|(name, value)| (name.clone(), value)));
            }
            format!("{line}\n")
        }
        LogFormat::Text => {
            let shown = fields.map(|(name, value)| match value {
                Value::String(text) => format!("{name}={}", text.escape_debug()),
                other => format!("{name}={other}"),
            });
            format!("{at} {event} {}\n", shown.collect::<Vec<_>>().join(" "))
        }
    }
}

fn clipped(value: &Value) -> Value {
    match value {
        Value::String(text) if text.len() > LONGEST => {
            text.chars().take(LONGEST).chain(['…']).collect::<String>().into()
        }
        other => other.clone(),
    }
}
