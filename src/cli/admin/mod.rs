//! Administration of a running server.

mod act;

use std::{
    error::Error, fmt::Write as _, fs, net::SocketAddr, path::PathBuf, process::ExitCode, time::Duration,
};

use clap::Args;
use playledger::{
    config::Database,
    keys,
    service::{
        moderation::key_token,
        ports::{Clock as _, SystemClock},
    },
};
use serde_json::Value;

use super::{
    client::{agent, reached},
    serve::key_path,
};
use act::{Act, Sent};

/// Administer a running server: ban, rename, end games, read reports
///
/// Run it where the server's signing key is, and it needs no more. Elsewhere, give it the token of an
/// operator (`admin add-token`). Everything it changes is public in the operators' log.
#[derive(Args)]
pub struct Admin {
    /// Address of the server [default: where it listens on this machine]
    #[arg(long, global = true, env = "PLAYLEDGER_SERVER")]
    server: Option<String>,
    /// Address that the server listens on
    #[arg(long, global = true, env = "PLAYLEDGER_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// File with the token of an operator [default: the server's signing key is used]
    #[arg(long, global = true, env = "PLAYLEDGER_ADMIN_TOKEN_FILE")]
    token_file: Option<PathBuf>,
    /// Database of the server, next to which the key is
    #[arg(
        long,
        global = true,
        env = "PLAYLEDGER_DATABASE",
        default_value = "playledger.db",
        hide_env_values = true
    )]
    database: Database,
    /// File with the signing key [default: FILE.key]
    #[arg(long, global = true, env = "PLAYLEDGER_KEY")]
    key: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    act: Act,
}

impl Admin {
    pub fn run(&self) -> Result<ExitCode, Box<dyn Error>> {
        let answer = match self.act.request() {
            Sent::List(path) => self.list(&path, true)?,
            Sent::Public(path) => self.list(&path, false)?,
            Sent::Get(path) => self.ask("GET", &path, None)?,
            Sent::Patch(path, body) => self.ask("PATCH", &path, Some(&body))?,
            Sent::Act(body) => self.ask("POST", "/v1/operator-log", Some(&body))?,
        };
        if self.json {
            println!("{answer:#}");
        } else if let Value::Array(items) = &answer {
            for item in items {
                println!("{}", line(item));
            }
        } else if !answer.is_null() {
            println!("{}", line(&answer));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Returns the token of the operator: from its file, or made from the signing key.
    fn token(&self) -> Result<String, Box<dyn Error>> {
        if let Some(file) = &self.token_file {
            let token = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
            return Ok(token.trim().to_owned());
        }
        let path = key_path(self.key.as_deref(), &self.database)?;
        let missing = || {
            format!("{} is missing: run this where the server's key is, or give --token-file", path.display())
        };
        let signer = keys::read(&path)?.ok_or_else(missing)?;
        key_token(&signer, now()).ok_or_else(|| "no token can be made from this key".into())
    }

    /// Returns all items of a list.
    fn list(&self, path: &str, is_operators: bool) -> Result<Value, Box<dyn Error>> {
        let (mut items, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let mark = if path.contains('?') { '&' } else { '?' };
            let page = match &cursor {
                Some(cursor) => {
                    self.ask_as("GET", &format!("{path}{mark}cursor={cursor}"), None, is_operators)?
                }
                None => self.ask_as("GET", path, None, is_operators)?,
            };
            items.extend(page["items"].as_array().cloned().unwrap_or_default());
            cursor = page["next_cursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                return Ok(Value::Array(items));
            }
        }
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Box<dyn Error>> {
        self.ask_as(method, path, body, true)
    }

    fn ask_as(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        is_operators: bool,
    ) -> Result<Value, Box<dyn Error>> {
        let server = match &self.server {
            Some(server) => server.trim_end_matches('/').to_owned(),
            None => format!("http://{}", reached(self.listen)),
        };
        let agent = agent(|config| config.timeout_global(Some(Duration::from_mins(1))));
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{server}{path}"))
            .header("Content-Type", "application/json");
        let request = if is_operators {
            request.header("Authorization", format!("Bearer {}", self.token()?))
        } else {
            request
        };
        let mut answer = match body {
            Some(body) => agent.run(request.body(body.to_string())?),
            None => agent.run(request.body(())?),
        }
        .map_err(|error| format!("{server}: {error}. Is this the address of the server (--server)?"))?;
        let text = answer.body_mut().read_to_string()?;
        let value: Value = if text.is_empty() { Value::Null } else { serde_json::from_str(&text)? };
        if answer.status().is_success() {
            return Ok(value);
        }
        let told = value["detail"].as_str().or_else(|| value["title"].as_str());
        Err(told.map_or_else(|| format!("{server} answers {}", answer.status()), str::to_owned).into())
    }
}

/// Returns the time in milliseconds.
fn now() -> u64 {
    SystemClock::default().now()
}

/// Fields that come first in a line.
const FIRST: [&str; 6] = ["at", "act", "id", "name", "reason", "address"];

/// Returns a text as it is if it is one plain word. Otherwise in quotes and escaped: texts of players must
/// not look like other fields, nor change the line.
fn shown(text: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.:/+@".contains(sign);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { format!("{text:?}") }
}

/// Returns an item as one line: its values, without those that are missing.
fn line(item: &Value) -> String {
    let Some(fields) = item.as_object() else { return item.to_string() };
    let mut line = String::new();
    let mut fields: Vec<_> = fields.iter().filter(|(_, value)| !value.is_null()).collect();
    fields.sort_by_key(|(name, _)| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len()));
    for (name, value) in fields {
        let text = value.as_str().map_or_else(|| value.to_string(), shown);
        let space = if line.is_empty() { "" } else { "  " };
        // Writing to a string cannot fail.
        let _ = write!(line, "{space}{name}={text}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_a_player_is_one_field_of_one_line() {
        let item = serde_json::json!({"name": "Bob  banned=false", "banned": true, "at": "2027-01-15T08:00:00Z",
            "text": "x\nid=1 \u{202e}abc", "until": null});
        let line = line(&item);
        assert_eq!(
            line,
            r#"at=2027-01-15T08:00:00Z  name="Bob  banned=false"  banned=true  text="x\nid=1 \u{202e}abc""#
        );
    }
}
