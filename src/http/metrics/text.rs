//! The text format of Prometheus.

use std::fmt::{Display, Write as _};

/// Metrics as text, a family after another.
#[derive(Default)]
pub struct MetricText(String);

impl MetricText {
    /// Begins a family.
    pub fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    /// Adds a line of the family. `labels` is empty or like `a="b"`.
    pub fn line(&mut self, name: &str, labels: &str, value: impl Display) {
        let _ = if labels.is_empty() {
            writeln!(self.0, "{name} {value}")
        } else {
            writeln!(self.0, "{name}{{{labels}}} {value}")
        };
    }

    /// Adds a family of one line.
    pub fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.family(name, "gauge", help);
        self.line(name, "", value);
    }

    pub fn finish(self) -> String {
        self.0
    }
}
