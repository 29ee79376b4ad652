//! Legal commands of a seat.

use serde::Serialize;

/// Every command that a seat may send now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct Legal<C> {
    pub commands: Vec<LegalCommand<C>>,
    /// Types of commands that are legal but too many to list.
    pub free_form: Vec<&'static str>,
}

impl<C> Default for Legal<C> {
    fn default() -> Self {
        Self { commands: Vec::new(), free_form: Vec::new() }
    }
}

impl<C> Legal<C> {
    pub fn add(&mut self, command: C) {
        self.commands.push(LegalCommand { command, vary: None, text: None });
    }

    pub fn add_range(&mut self, command: C, field: &'static str, min: u64, max: u64) {
        self.commands.push(LegalCommand { command, vary: Some(Vary { field, min, max }), text: None });
    }

    pub fn map<D>(self, wrap: impl Fn(C) -> D) -> Legal<D> {
        let commands = self.commands.into_iter().map(|LegalCommand { command, vary, text }| LegalCommand {
            command: wrap(command),
            vary,
            text,
        });
        Legal { commands: commands.collect(), free_form: self.free_form }
    }
}

/// A command that can be sent as it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct LegalCommand<C> {
    pub command: C,
    /// Numeric field that may take other values. The listed command uses one of them.
    pub vary: Option<Vary>,
    /// Localized description. Requires `words=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub text: Option<String>,
}

/// A numeric field of a command and its range, both ends included.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
pub struct Vary {
    pub field: &'static str,
    pub min: u64,
    pub max: u64,
}
