//! Flags about the instance: its name and links, who may come in, and what is deleted when.

use clap::Args;

use crate::{service::instance::InstanceInfo, words::Registration};

const INSTANCE: &str = "Instance, registration and privacy";

/// Name and links of the instance, registration, and retention.
#[derive(Args, Clone, Debug)]
pub struct InstanceFlags {
    /// Name of this instance, shown on the page
    #[arg(long, help_heading = INSTANCE, env = "PLAYLEDGER_INSTANCE_NAME")]
    pub instance_name: Option<String>,
    /// Page with the rules of the house
    #[arg(long, help_heading = INSTANCE, env = "PLAYLEDGER_RULES_URL", value_parser = link)]
    pub rules_url: Option<String>,
    /// Contact of the operator: a page, or an address such as `mailto:host@play.example`
    #[arg(long, help_heading = INSTANCE, env = "PLAYLEDGER_CONTACT_URL", value_parser = link)]
    pub contact_url: Option<String>,
    /// Page with the imprint
    #[arg(long, help_heading = INSTANCE, env = "PLAYLEDGER_IMPRINT_URL", value_parser = link)]
    pub imprint_url: Option<String>,
    /// Page about privacy
    #[arg(long, help_heading = INSTANCE, env = "PLAYLEDGER_PRIVACY_URL", value_parser = link)]
    pub privacy_url: Option<String>,
    /// Registration: open, invited or closed; `playledger admin registration` changes it later
    #[arg(long, help_heading = INSTANCE, env = "PLAYLEDGER_REGISTRATION", default_value = "open", value_parser = registration)]
    pub registration: Registration,
    /// Name that no player may have, in any case and spacing; repeatable
    #[arg(long = "reserved-name", help_heading = INSTANCE, env = "PLAYLEDGER_RESERVED_NAME", value_delimiter = ',', default_values = ["admin", "administrator", "moderator", "operator", "playledger", "server", "system"])]
    pub reserved_names: Vec<String>,
    /// Days after which messages of finished games are deleted; 0: never
    #[arg(long, help_heading = INSTANCE, env = "PLAYLEDGER_KEEP_MESSAGES_DAYS", default_value_t = 0)]
    pub keep_messages_days: u64,
    /// Days after which unused accounts without running games are deleted; 0: never
    #[arg(long, help_heading = INSTANCE, env = "PLAYLEDGER_KEEP_ACCOUNTS_DAYS", default_value_t = 0)]
    pub keep_accounts_days: u64,
    /// Days after which reports of players are deleted
    #[arg(long, help_heading = INSTANCE, env = "PLAYLEDGER_KEEP_REPORTS_DAYS", default_value_t = 180)]
    pub keep_reports_days: u64,
}

impl InstanceFlags {
    /// Returns the description of the instance.
    pub fn info(&self) -> InstanceInfo {
        InstanceInfo {
            name: self.instance_name.clone(),
            rules_url: self.rules_url.clone(),
            contact_url: self.contact_url.clone(),
            imprint_url: self.imprint_url.clone(),
            privacy_url: self.privacy_url.clone(),
            registration: Some(self.registration),
            reserved_names: self.reserved_names.clone(),
        }
    }
}

/// Parses a link of the page: `https:`, `http:` or `mailto:`.
fn link(text: &str) -> Result<String, String> {
    let url = url::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "https" | "http" | "mailto"));
    url.map(String::from).ok_or_else(|| "must be an address that begins with https:// or mailto:".to_owned())
}

fn registration(text: &str) -> Result<Registration, String> {
    Registration::from_word(text).ok_or_else(|| "must be open, invited or closed".to_owned())
}
