//! The messages of webhooks, and the events of streams.

use serde_json::{Map, Value, json};

use super::by_ruleset::reference;
use crate::words::News;

/// Returns the schema of the data of a notification, and what the notification says.
fn about(news: News) -> (&'static str, &'static str) {
    match news {
        News::Turn => ("TurnNotice", "It is your turn"),
        News::Deadline => ("DeadlineNotice", "A quarter of your time is left"),
        News::Started => ("GameNotice", "A game started"),
        News::Finished => ("GameNotice", "A game finished"),
        News::Void => ("GameNotice", "A game became void"),
        News::Sealed => ("GameNotice", "A game waits for your random bytes"),
        News::Seat => ("SeatNotice", "A seat changed"),
        News::Autopilot => ("TurnNotice", "The autopilot plays for you"),
        News::Message => ("MessageNotice", "A chat message was sent"),
        News::Rematch => ("RematchNotice", "A player wants a rematch"),
        News::Substitution => ("SubstitutionNotice", "A player asks for your seat"),
        News::Invitation => ("InvitationNotice", "Your bot is invited"),
        News::Webhook => ("WebhookNotice", "A webhook was turned off"),
        News::Account => ("AccountNotice", "A key of your account changed"),
    }
}

/// Adds the section `webhooks`, and the schemas of stream events.
pub fn add(document: &mut Value) {
    let webhooks: Map<String, Value> =
        News::ALL.iter().map(|news| (news.word().to_owned(), webhook(*news))).collect();
    document["webhooks"] = webhooks.into();
    let texts = json!({
        "type": "object", "description": "Texts for people.",
        "properties": {
            "title": {"type": "string"}, "text": {"type": "string"},
            "url": {"type": ["string", "null"], "description": "Page to look at. `null` without a public address."},
            "picture": {
                "type": ["string", "null"],
                "description": "Picture of the position. `null` for private games, before the start, and without a public address."
            },
        },
        "required": ["title", "text", "url", "picture"],
    });
    let account = News::ALL.iter().map(|news| event(news.word(), &reference(about(*news).0)));
    let reset = event("reset", &reference("ResetNotice"));
    let account: Vec<Value> = account.chain([reset]).collect();
    let item = json!({
        "type": "object", "description": "An entry of the game.",
        "properties": {"id": {"type": "string"}, "data": reference("EventItem")}, "required": ["id", "data"],
    });
    let game = [item, event("message", &reference("Message")), event("end", &reference("EndOfStream"))];
    let schemas = [
        (
            "ResetNotice",
            json!({"type": "object", "description": "Missed events are lost: read `/v1/me/games` again."}),
        ),
        ("WebhookTexts", texts),
        ("AccountStreamEvent", json!({"description": "An event of `/v1/me/events`.", "anyOf": account})),
        ("GameStreamEvent", json!({"description": "An event of a game's stream.", "anyOf": game})),
    ];
    let schemas = schemas.map(|(name, schema)| (name.to_owned(), schema));
    for (name, schema) in schemas.into_iter().chain(News::ALL.iter().flat_map(|news| message(*news))) {
        document["components"]["schemas"][name] = schema;
    }
    for (path, schema) in
        [("/v1/me/events", "AccountStreamEvent"), ("/v1/games/{id}/events", "GameStreamEvent")]
    {
        let content = &mut document["paths"][path]["get"]["responses"]["200"]["content"];
        content["text/event-stream"]["schema"] = reference(schema);
    }
}

/// Returns the headers of a message.
pub fn headers() -> [(&'static str, Value); 3] {
    let header = |name: &str, description: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": description,
            "schema": {"type": "string"},
        })
    };
    let id = "Id of the message. It stays the same when the message is sent again.";
    let signature = "`v1` signature by the webhook's secret, and `v1a` signature by the server's key.";
    [
        ("SentWebhookId", header("webhook-id", id)),
        ("SentWebhookTimestamp", header("webhook-timestamp", "Time of sending, in seconds since 1970.")),
        ("SentWebhookSignature", header("webhook-signature", signature)),
    ]
}

/// Returns the schema of a server-sent event.
fn event(name: &str, data: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {"event": {"type": "string", "const": name}, "id": {"type": "string"}, "data": data},
        "required": ["event", "data"],
    })
}

/// Returns the name of a message's schema.
fn name_of(news: News) -> String {
    let word = news.word();
    format!("{}{}Message", word[..1].to_uppercase(), &word[1..])
}

/// Returns the schemas of a message and of its data.
fn message(news: News) -> [(String, Value); 2] {
    let (name, data) = (name_of(news), format!("{}Data", name_of(news)));
    let message = json!({
        "type": "object",
        "properties": {
            "type": {"type": "string", "const": news.word()},
            "timestamp": {"type": "string", "format": "date-time"},
            "data": reference(&data),
        },
        "required": ["type", "timestamp", "data"],
    });
    let parts = json!({"allOf": [reference(about(news).0), reference("WebhookTexts")]});
    [(name, message), (data, parts)]
}

fn webhook(news: News) -> Value {
    let parameters = headers().map(|(name, _)| json!({"$ref": format!("#/components/parameters/{name}")}));
    json!({"post": {
        "operationId": format!("notify_{}", news.word()),
        "tags": ["messages"],
        "summary": about(news).1,
        "description": "Sent to `standard` webhooks as signed JSON (Standard Webhooks 1.0).",
        "security": [],
        "parameters": parameters,
        "requestBody": {
            "required": true, "content": {"application/json": {"schema": reference(&name_of(news))}},
        },
        "responses": {
            "2XX": {"description": "The message has arrived."},
            "410": {"description": "Deletes the webhook."},
        },
    }})
}
