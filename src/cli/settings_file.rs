//! Settings in a TOML file. Each becomes the flag of its name, unless the flag or its variable is given.

use std::{
    collections::BTreeSet,
    env,
    error::Error,
    ffi::{OsStr, OsString},
    fs,
    path::PathBuf,
};

use clap::{Arg, Command};
use toml::{Table, Value};

const FLAG: &str = "--config";
const VARIABLE: &str = "PLAYLEDGER_CONFIG";
const PREFIX: &str = "PLAYLEDGER_";

/// Returns the arguments of the program with those of the settings file before the others.
pub fn expanded(arguments: Vec<OsString>, declaration: &Command) -> Result<Vec<OsString>, Box<dyn Error>> {
    let Some(path) = path(&arguments) else { return Ok(arguments) };
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| told(&error))?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        told(&format!("line {}: {}", before.matches('\n').count() + 1, error.message()))
    })?;
    let command = arguments.get(1).and_then(|word| declaration.find_subcommand(word));
    let begin = if command.is_some() { 2 } else { 1 };
    let mut flags = Vec::new();
    for (name, value) in &table {
        let long = name.replace('_', "-");
        let of = |declaration: &Command| find(declaration, &long).cloned();
        let Some(flag) = of(command.unwrap_or(declaration)) else {
            // Settings of the server may stand in the file of all commands.
            if of(declaration).is_some() {
                continue;
            }
            return Err(told(&format!("`{name}` is not a setting: see `playledger serve --help`")).into());
        };
        if !is_given(&arguments, &flag) {
            flags.extend(as_flags(&long, value).ok_or_else(|| {
                told(&format!("`{name}` must be a text, a number, true or false, or a list of texts"))
            })?);
        }
    }
    let mut expanded = arguments;
    expanded.splice(begin..begin, flags);
    Ok(expanded)
}

/// Returns the path of the file, from the flag or the variable.
fn path(arguments: &[OsString]) -> Option<PathBuf> {
    let flag = arguments.iter().enumerate().find_map(|(place, argument)| {
        if argument == FLAG {
            return arguments.get(place + 1).cloned();
        }
        argument.to_str()?.strip_prefix(FLAG)?.strip_prefix('=').map(OsString::from)
    });
    flag.or_else(|| env::var_os(VARIABLE)).map(PathBuf::from)
}

fn find<'c>(declaration: &'c Command, long: &str) -> Option<&'c Arg> {
    declaration.get_arguments().find(|argument| argument.get_long() == Some(long))
}

/// Returns whether a setting is given by a flag or a variable, which count more than the file.
fn is_given(arguments: &[OsString], flag: &Arg) -> bool {
    let long = format!("--{}", flag.get_long().unwrap_or_default());
    let is_flag = |argument: &OsString| {
        let rest = argument.to_str().and_then(|text| text.strip_prefix(&long));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    arguments.iter().any(is_flag) || flag.get_env().is_some_and(|variable| env::var_os(variable).is_some())
}

fn as_flags(long: &str, value: &Value) -> Option<Vec<OsString>> {
    let flag = |text: String| OsString::from(format!("--{long}={text}"));
    Some(match value {
        Value::Boolean(true) => vec![format!("--{long}").into()],
        Value::Boolean(false) => Vec::new(),
        Value::Array(items) => {
            items.iter().map(|item| item.as_str().map(|text| flag(text.to_owned()))).collect::<Option<_>>()?
        }
        Value::String(text) => vec![flag(text.clone())],
        Value::Integer(number) => vec![flag(number.to_string())],
        _ => return None,
    })
}

/// Fails if the environment has a variable `PLAYLEDGER_*` that is not a setting.
pub fn refuse_unknown_variables(declaration: &Command) -> Result<(), String> {
    let mut known = BTreeSet::from([OsString::from(VARIABLE)]);
    let all = declaration.get_subcommands().chain([declaration]).flat_map(Command::get_arguments);
    known.extend(all.filter_map(Arg::get_env).map(OsStr::to_owned));
    let is_unknown =
        |name: &OsString| name.to_str().is_some_and(|text| text.starts_with(PREFIX)) && !known.contains(name);
    match env::vars_os().map(|(name, _)| name).find(is_unknown) {
        Some(name) => Err(format!(
            "the variable {} is not a setting: see `playledger serve --help`",
            name.to_string_lossy()
        )),
        None => Ok(()),
    }
}
