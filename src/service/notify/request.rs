//! Bodies of requests about subscriptions.

use serde_json::Value;
use uuid::Uuid;

use crate::{
    engine::{Fields, Lang, Malformed, Text, malformed::one_of},
    ledger::encoding::LedgerFields as _,
    service::{
        request::{Field, Patch, one_word, request},
        text::Name,
    },
    words::{HookState, News, NewsSet, Way},
};

const LONGEST_MENTION: usize = 64;

request! {
    #[schema(as = NewWebhook, example = json!({"url": "https://hooks.example/my-games", "format": "ntfy"}))]
    pub struct NewHook {
        /// Address of the receiver. Must be `https` on port 443, unless this server allows more.
        #[schema(max_length = 2_000)]
        pub url: String,
        /// Format of messages. `standard` is signed JSON (Standard Webhooks) for programs; the others are
        /// for people.
        #[schema(value_type = WebhookFormat)]
        pub format: Way,
        /// Game whose events it sends, where the caller must sit. Default: it sends the notifications of
        /// the caller.
        #[schema(value_type = Option<String>, format = Uuid)]
        pub game: Option<Uuid>,
        /// Name of the webhook. Default: its host.
        #[schema(value_type = Option<String>, max_length = 40)]
        pub name: Option<Name>,
        /// Types of events to send, as in `/v1/me/events`. Default: all except `seat`, `sealed` and
        /// `message`.
        #[schema(value_type = Option<Vec<News>>, min_items = 1)]
        pub types: Option<NewsSet>,
        /// Language of messages. Default: that of the request.
        #[schema(value_type = Option<String>, pattern = "^(en|it)$")]
        pub lang: Option<Lang>,
        /// Webhooks of a game only: how to mention the player of each seat, by seat number. For example
        /// `<@80351110224678912>` in Discord or `<@U024BE7LH>` in Slack.
        #[schema(value_type = Option<Vec<Option<String>>>, max_items = 4)]
        pub mentions: Option<Mentions>,
    }
}

request! {
    #[schema(as = WebhookChange, example = json!({"state": "on"}))]
    pub struct HookChanges {
        #[schema(value_type = Option<String>, max_length = 40)]
        pub name: Option<Name>,
        #[schema(value_type = Option<Vec<News>>, min_items = 1)]
        pub types: Option<NewsSet>,
        #[schema(value_type = Option<String>, pattern = "^(en|it)$")]
        pub lang: Option<Lang>,
        #[schema(value_type = Option<Vec<Option<String>>>, max_items = 4)]
        pub mentions: Option<Mentions>,
        /// `on` or `off`. A webhook can be turned on only after it is confirmed.
        #[schema(value_type = Option<String>, pattern = "^(on|off)$")]
        pub state: Option<HookState>,
        /// Code from the test message. Confirms the webhook.
        pub code: Option<String>,
    }
}

/// Format of a webhook's messages.
#[wire]
#[schema(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes a field")]
pub enum WebhookFormat {
    Standard,
    Discord,
    Slack,
    Ntfy,
}

/// The mentions of the seats of a table.
pub struct Mentions(pub Vec<Option<String>>);

const WEBHOOKS: [Way; 4] = [Way::Standard, Way::Discord, Way::Slack, Way::Ntfy];

impl Field for Way {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        one_word(fields, name, &WEBHOOKS, Self::word)
    }
}

impl Field for NewsSet {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let words = Vec::<String>::read(fields, name)?;
        let known = || News::ALL.iter().map(|news| news.word());
        let mut set = Self::NONE;
        for word in &words {
            let news = News::from_word(word);
            set = set.and(news.ok_or_else(|| fields.wrong(name, one_of(Some(word), known())))?);
        }
        if words.is_empty() { Err(fields.wrong(name, one_of(None, known()))) } else { Ok(set) }
    }
}

impl Field for Lang {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        one_word(fields, name, &Self::ALL, Self::tag)
    }
}

impl Field for HookState {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        one_word(fields, name, &[Self::On, Self::Off], Self::word)
    }
}

impl Field for Mentions {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let fits = |text: &str| {
            (1..=LONGEST_MENTION).contains(&text.chars().count()) && !text.chars().any(char::is_control)
        };
        let mention = |value: &Value| match value {
            Value::Null => Some(None),
            Value::String(text) if fits(text) => Some(Some(text.clone())),
            _ => None,
        };
        let mentions: Option<Vec<_>> = fields.array(name)?.iter().map(mention).collect();
        mentions.filter(|mentions| mentions.len() <= 4).map(Self).ok_or_else(|| {
            let en = "must contain for at most 4 seats either null or a text of 1 to 64 characters";
            fields.wrong(
                name,
                Text::new(en, "deve contenere, per al massimo 4 posti, null o un testo da 1 a 64 caratteri"),
            )
        })
    }
}

request! {
    #[schema(as = NewQuietHours, example = json!({"from": "22:00", "to": "07:30", "utc_offset": 120}))]
    pub struct Quiet {
        #[schema(value_type = String, pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
        pub from: TimeOfDay,
        #[schema(value_type = String, pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
        pub to: TimeOfDay,
        /// Difference of the player's local time from UTC, in minutes.
        #[schema(value_type = i32, minimum = -840, maximum = 840)]
        pub utc_offset: UtcOffset,
    }
}

request! {
    #[schema(as = NewPushSubscription)]
    pub struct NewPush {
        /// `endpoint` of the browser's push subscription.
        #[schema(max_length = 2_000)]
        pub endpoint: String,
        pub keys: PushKeys,
        #[schema(value_type = Option<String>, max_length = 40)]
        pub name: Option<Name>,
        /// Types of events to send, as in `/v1/me/events`. Default: all except `seat`, `sealed` and
        /// `message`.
        #[schema(value_type = Option<Vec<News>>, min_items = 1)]
        pub types: Option<NewsSet>,
        #[schema(value_type = Option<String>, pattern = "^(en|it)$")]
        pub lang: Option<Lang>,
    }
}

request! {
    #[schema(
        as = NewMailSettings,
        example = json!({"address": "ada@mail.example", "digest": "18:00", "utc_offset": 120})
    )]
    pub struct NewMail {
        #[schema(max_length = 254, format = Email)]
        pub address: String,
        /// Types of events to send, as in `/v1/me/events`. Default: all except `seat`, `sealed` and
        /// `message`.
        #[schema(value_type = Option<Vec<News>>, min_items = 1)]
        pub types: Option<NewsSet>,
        #[schema(value_type = Option<String>, pattern = "^(en|it)$")]
        pub lang: Option<Lang>,
        /// Time of a daily email that collects all notifications. Default: send each at once.
        #[schema(value_type = Option<String>, pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
        pub digest: Option<TimeOfDay>,
        /// Difference of the player's local time from UTC, in minutes.
        #[schema(value_type = Option<i32>, minimum = -840, maximum = 840)]
        pub utc_offset: Option<UtcOffset>,
        /// Whether to send deadline warnings at once even with `digest`.
        #[schema(value_type = Option<bool>)]
        pub deadlines_at_once: bool,
    }
}

request! {
    #[schema(as = NotificationChange, example = json!({
        "quiet": {"from": "22:00", "to": "07:30", "utc_offset": 120}, "mail": null,
    }))]
    pub struct NotificationChanges {
        /// Daily hours in which nothing is sent. `null` removes them.
        #[schema(value_type = Option<Quiet>)]
        pub quiet: Patch<Quiet>,
        /// Email address, and what is sent there. `null` turns email off.
        #[schema(value_type = Option<NewMail>)]
        pub mail: Patch<NewMail>,
    }
}

impl Field for Quiet {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let place = fields.place(name);
        Self::of(Fields::of(fields.need(name)?, place)?)
    }
}

impl Field for NewMail {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let place = fields.place(name);
        Self::of(Fields::of(fields.need(name)?, place)?)
    }
}

request! {
    #[schema(as = MailCode)]
    pub struct MailCode {
        /// Code from the link in the email.
        #[schema(max_length = 100)]
        pub code: String,
    }
}

/// Keys that encrypt messages for the browser, in base64url.
#[wire]
pub struct PushKeys {
    #[schema(max_length = 100)]
    pub p256dh: String,
    #[schema(max_length = 30)]
    pub auth: String,
}

impl Field for PushKeys {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let place = fields.place(name);
        let mut keys = Fields::of(fields.need(name)?, place)?;
        let mut text = |name| keys.note(|keys| keys.text(name).map(str::to_owned));
        let (p256dh, auth) = (text("p256dh"), text("auth"));
        keys.end()?;
        Ok(Self { p256dh: p256dh?, auth: auth? })
    }
}

/// A minute of the day.
pub struct TimeOfDay(pub u16);

impl std::fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl Field for TimeOfDay {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let text = fields.text(name)?;
        let number = |text: &str, below: u16| {
            let is_plain = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|number: &u16| is_plain && *number < below)
        };
        let read = text
            .split_once(':')
            .and_then(|(hour, minute)| Some(number(hour, 24)? * 60 + number(minute, 60)?));
        read.map(Self).ok_or_else(|| {
            fields
                .wrong(name, Text::new("must be a time of day such as 07:30", "dev'essere un'ora come 07:30"))
        })
    }
}

/// Minutes by which a clock is ahead of UTC.
pub struct UtcOffset(pub i32);

impl Field for UtcOffset {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let minutes = fields.need(name)?.as_i64().and_then(|minutes| i32::try_from(minutes).ok());
        minutes.filter(|minutes| (-840..=840).contains(minutes)).map(Self).ok_or_else(|| {
            let en = "must be a whole number of minutes from -840 to 840";
            fields.wrong(name, Text::new(en, "dev'essere un numero intero di minuti da -840 a 840"))
        })
    }
}
