//! Descriptions that many operations share, and the order in which a reader meets the operations.

use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Value, json};

/// Descriptions of parameters by name. A description next to the handler takes precedence.
const PARAMETERS: &[(&str, &str)] = &[
    ("seat", "Number of the seat, from 0."),
    ("delivery", "Id of the delivery, as in the `webhook-id` header."),
    ("message", "Number of the message."),
    ("page", "Name of the page, as in `present`."),
    ("limit", "Maximum number of items. Default: 25."),
    ("cursor", "`next_cursor` of the previous page. Default: the first page."),
    (
        "words",
        "Include localized texts (`text`, `prompt`) in the language of `Accept-Language`. Default: `false`.",
    ),
    (
        "If-None-Match",
        "`ETag` of an earlier answer. If nothing has changed, the answer is 304 without a body.",
    ),
    ("Accept-Language", "Language of texts and problems: `en` (default) or `it`."),
    ("Last-Event-ID", "Id of the last event that was received. The stream continues after it."),
];

/// Descriptions of `{id}` and `{code}` by the start of the path.
const NAMED_BY_PATH: &[(&str, &str)] = &[
    ("/v1/games/", "Id of the game."),
    ("/v1/explorations/", "Id of the exploration."),
    ("/v1/players/", "Id of the player."),
    ("/v1/rulesets/", "Id of the ruleset."),
    ("/v1/me/tokens/", "Id of the token."),
    ("/v1/me/apps/", "Id of the app."),
    ("/v1/webhooks/", "Id of the webhook."),
    ("/v1/me/pushes/", "Id of the browser."),
    ("/v1/me/blocks/", "Id of the other player."),
    ("/v1/admin/players/", "Id of the player."),
    ("/v1/admin/games/", "Id of the game."),
    ("/v1/admin/reports/", "Id of the report."),
    ("/v1/operator-log/", "Id of the act."),
    ("/v1/invites/", "Code of an invite or of a substitution."),
    ("/problems/", "Code of the problem."),
];

/// The operations that a client needs, in the order in which it needs them.
const CORE: &[&str] = &[
    "create_player",
    "list_rulesets",
    "get_catalogue",
    "create_game",
    "list_games",
    "join_game",
    "get_view",
    "send_command",
    "list_events",
    "list_my_games",
    "stream_my_events",
    "get_replay",
];

/// Paths in the order of a game. All others follow in alphabetical order.
const PATHS: &[&str] = &[
    "/v1/players",
    "/v1/rulesets",
    "/v1/rulesets/{id}",
    "/v1/rulesets/{id}/catalogue",
    "/v1/rulesets/{id}/rules",
    "/v1/games",
    "/v1/games/{id}",
    "/v1/games/{id}/seats",
    "/v1/games/{id}/entropy",
    "/v1/games/{id}/view",
    "/v1/games/{id}/commands",
    "/v1/games/{id}/drafts",
    "/v1/games/{id}/events",
    "/v1/me/games",
    "/v1/me/events",
    "/v1/games/{id}/replay",
    "/v1/games/{id}/rematch",
    "/v1/me",
];

/// Describes shared parameters and marks the core operations in `document`.
pub fn describe(document: &mut Value) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for (path, item) in paths {
        for operation in item.as_object_mut().into_iter().flat_map(|item| item.values_mut()) {
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            for parameter in parameters.into_iter().flatten() {
                if parameter.get("description").is_none() {
                    parameter["description"] = description(path, parameter["name"].as_str()).into();
                }
            }
            if operation["operationId"].as_str().is_some_and(|id| CORE.contains(&id)) {
                // One tag each: generators make a class of a tag.
                operation["tags"] = json!(["core"]);
            }
        }
    }
}

fn description(path: &str, name: Option<&str>) -> Option<&'static str> {
    let name = name?;
    if matches!(name, "id" | "code") {
        return NAMED_BY_PATH.iter().find(|(start, _)| path.starts_with(start)).map(|(_, text)| *text);
    }
    PARAMETERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Serializes a document with its paths in the order of a game.
pub struct InOrder<'a>(pub &'a Value);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.0.as_object().into_iter().flatten() {
            if name == "paths" {
                map.serialize_entry(name, &Paths(value))?;
            } else {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

struct Paths<'a>(&'a Value);

impl Serialize for Paths<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut paths: Vec<_> = self.0.as_object().into_iter().flatten().collect();
        paths.sort_by_key(|(path, _)| PATHS.iter().position(|first| first == path).unwrap_or(PATHS.len()));
        let mut map = serializer.serialize_map(None)?;
        for (path, item) in paths {
            map.serialize_entry(path, item)?;
        }
        map.end()
    }
}
