//! The page of all settings, made from the declaration of the flags.

use std::{fmt::Write as _, fs, path::Path};

use clap::{Args as _, Command};
use playledger::config::Config;

/// `PLAYLEDGER_SETTINGS=write cargo test --test http settings::` writes the page.
#[test]
fn the_page_of_settings_is_the_one_that_the_flags_make() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/settings.md");
    if std::env::var("PLAYLEDGER_SETTINGS").as_deref() == Ok("write") {
        fs::write(&path, page()).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert_eq!(kept, page(), "write the page again with PLAYLEDGER_SETTINGS=write");
}

fn page() -> String {
    let mut page = String::from(
        "# Settings\n\nEvery setting is a flag or an environment variable, as in `PLAYLEDGER_LISTEN=0.0.0.0:8080`. A repeatable\n\
         setting takes several flags, or one variable with commas. `playledger --help` has the same list.\n",
    );
    let command = Config::augment_args(Command::new("playledger"));
    let mut heading = None;
    for argument in command.get_arguments() {
        let Some(flag) = argument.get_long() else { continue };
        if argument.get_help_heading() != heading {
            heading = argument.get_help_heading();
            let heading = heading.unwrap();
            write!(
                page,
                "\n## {heading}\n\n| flag | variable | default | meaning |\n| --- | --- | --- | --- |\n"
            )
            .unwrap();
        }
        let variable = argument.get_env().unwrap().to_string_lossy().into_owned();
        let defaults = argument.get_default_values();
        let default =
            defaults.first().map(|value| format!("`{}`", value.to_string_lossy())).unwrap_or_default();
        let help = argument.get_help().unwrap().to_string();
        writeln!(page, "| `--{flag}` | `{variable}` | {default} | {help} |").unwrap();
    }
    page
}
