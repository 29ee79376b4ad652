//! Formats of messages for their receivers.

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::{
    item::Item,
    push::{PushKey, Subscription},
    settings::Settings,
};
use crate::{
    engine::hash::keyed,
    service::{ports::HttpRequest, reading::time},
    store::HookRow,
    tree::secret_key::SecretKey,
    words::Way,
};

/// Longer texts are cut: no service accepts more.
const LONGEST: usize = 1_500;

/// A message to be sent.
pub struct Outgoing<'a> {
    pub hook: &'a HookRow,
    pub message: &'a str,
    pub item: &'a Item,
    /// Time of the event.
    pub at: u64,
    /// Address of the page to look at.
    pub link: Option<String>,
    /// Address of a picture of the position.
    pub picture: Option<String>,
}

/// Returns a secret in the form that receivers use to check signatures.
pub fn shown_secret(secret: &[u8; 32]) -> String {
    format!("whsec_{}", BASE64.encode(secret))
}

pub fn shown_key(key: &SecretKey) -> String {
    format!("whpk_{}", BASE64.encode(key.public().as_bytes()))
}

impl Outgoing<'_> {
    /// Returns the request for the service of the hook. `None` if the message cannot be written for it.
    pub fn parcel(&self, now: u64, key: &SecretKey, push_key: &PushKey) -> Option<HttpRequest> {
        if self.hook.way == Way::Push {
            let to = Subscription::read(&self.hook.target)?;
            return push_key.message(&to, self.item, self.link.as_deref(), now / 1_000);
        }
        let url = self.hook.target.clone();
        let json = |body: &Value| (vec![("content-type", "application/json".to_owned())], body.to_string());
        let (headers, body) = match self.hook.way {
            Way::Discord => json(&self.discord()),
            Way::Slack => json(&self.slack()),
            Way::Ntfy => self.ntfy(),
            Way::Standard | Way::Mail | Way::Push => {
                let (mut headers, body) = json(&self.standard());
                headers.extend(signatures(self.message, now / 1_000, &body, &self.hook.secret, key));
                (headers, body)
            }
        };
        Some(HttpRequest { url, headers, body: body.into_bytes() })
    }

    /// Formats a message for Standard Webhooks.
    fn standard(&self) -> Value {
        let Item { kind, title, text, data, .. } = self.item;
        let mut data = data.clone();
        if let Value::Object(fields) = &mut data {
            fields.insert("title".into(), title.as_str().into());
            fields.insert("text".into(), text.as_str().into());
            fields.insert("url".into(), self.link.clone().into());
            fields.insert("picture".into(), self.picture.clone().into());
        }
        json!({"type": kind, "timestamp": time(self.at), "data": data})
    }

    fn discord(&self) -> Value {
        let (title, text) = (escaped(&self.item.title, MARKDOWN), escaped(&self.item.text, MARKDOWN));
        let mention = self.mention();
        let link = self.link.as_deref().map(|link| format!("\n<{link}>")).unwrap_or_default();
        let called = |mark: &str| -> Vec<&str> {
            let id = mention.trim().strip_prefix(mark).and_then(|id| id.strip_suffix('>'));
            id.into_iter().filter(|id| id.bytes().all(|byte| byte.is_ascii_digit())).collect()
        };
        let (users, roles) = (called("<@"), called("<@&"));
        json!({
            "content": format!("{mention}**{title}**: {text}{link}"),
            "allowed_mentions": {"parse": [], "users": users, "roles": roles},
            "embeds": self.picture.iter().map(|url| json!({"image": {"url": url}})).collect::<Vec<_>>(),
        })
    }

    fn slack(&self) -> Value {
        let escape = |text: &str| cut(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let (title, text) = (escape(&self.item.title), escape(&self.item.text));
        let mention = self.mention();
        let link = self.link.as_deref().map(|link| format!("\n<{link}>")).unwrap_or_default();
        let pictures = self.picture.iter().map(|url| json!({"fallback": title, "image_url": url}));
        let pictures: Vec<Value> = pictures.collect();
        json!({"text": format!("{mention}*{title}*: {text}{link}"), "attachments": pictures})
    }

    fn ntfy(&self) -> (Vec<(&'static str, String)>, String) {
        // A header is ASCII: other text is encoded by RFC 2047, which these services read.
        let title = match cut(&self.item.title) {
            plain if plain.is_ascii() && !plain.starts_with("=?") => plain.to_owned(),
            other => format!("=?UTF-8?B?{}?=", BASE64.encode(other.as_bytes())),
        };
        let mut headers = vec![("content-type", "text/plain; charset=utf-8".to_owned()), ("title", title)];
        headers.extend(self.link.clone().map(|link| ("click", link)));
        headers.extend(self.picture.clone().map(|picture| ("attach", picture)));
        (headers, format!("{}{}", self.mention(), cut(&self.item.text)))
    }

    /// Returns the mention of the seat's player, with a space after it.
    fn mention(&self) -> String {
        let settings = Settings::read(&self.hook.settings);
        settings.mention(self.item.seat).map(|mention| format!("{mention} ")).unwrap_or_default()
    }
}

/// Characters that have a meaning in Markdown.
const MARKDOWN: &[char] = &['\\', '*', '_', '~', '`', '|', '>', '<', '#', '[', ']', '(', ')', '-', '@', ':'];

fn escaped(text: &str, signs: &[char]) -> String {
    let mut escaped = String::new();
    for sign in cut(text).chars() {
        if signs.contains(&sign) {
            escaped.push('\\');
        }
        escaped.push(sign);
    }
    escaped
}

fn cut(text: &str) -> &str {
    text.char_indices().nth(LONGEST).map_or(text, |(end, _)| &text[..end])
}

/// Signs a message with the secret of its receiver and with the public key of this server.
fn signatures(
    message: &str,
    seconds: u64,
    body: &str,
    secret: &[u8; 32],
    key: &SecretKey,
) -> [(&'static str, String); 3] {
    let signed = format!("{message}.{seconds}.{body}");
    let by_secret = BASE64.encode(&keyed(secret, &[signed.as_bytes()]));
    let by_key = BASE64.encode(&key.sign(signed.as_bytes()));
    [
        ("webhook-id", message.to_owned()),
        ("webhook-timestamp", seconds.to_string()),
        ("webhook-signature", format!("v1,{by_secret} v1a,{by_key}")),
    ]
}
