//! The command that prints the API document.

use std::{error::Error, io::Write as _, process::ExitCode};

use clap::{Args, ValueEnum};
use playledger::http::document::Rendering;

/// Print the OpenAPI document
#[derive(Args)]
pub struct OpenApi {
    /// Rendering of the document
    #[arg(long, value_enum, default_value_t = Chosen::Open)]
    rendering: Chosen,
}

#[derive(Clone, Copy, ValueEnum)]
enum Chosen {
    /// As the server publishes it: answers may gain fields, words and kinds
    Open,
    /// With closed answers, for contract tests and for types that narrow
    Strict,
    /// OpenAPI 3.0
    #[value(name = "3.0")]
    Older,
}

impl OpenApi {
    pub fn run(&self) -> Result<ExitCode, Box<dyn Error>> {
        let rendering = match self.rendering {
            Chosen::Open => Rendering::Open,
            Chosen::Strict => Rendering::Strict,
            Chosen::Older => Rendering::Older,
        };
        writeln!(std::io::stdout().lock(), "{}", rendering.text())?;
        Ok(ExitCode::SUCCESS)
    }
}
