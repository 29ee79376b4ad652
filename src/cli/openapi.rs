use std::{error::Error, process::ExitCode};

use clap::Args;
use playledger::http::document::TEXT;

/// Print the OpenAPI document
#[derive(Args)]
pub struct OpenApi {}

impl OpenApi {
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the commands are alike")]
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        print!("{TEXT}");
        Ok(ExitCode::SUCCESS)
    }
}
