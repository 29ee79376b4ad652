//! Senseless requests and lists. Every answer must be a refusal at worst.

use std::{thread, time::Duration};

use crate::world::World;

const PAUSE: Duration = Duration::from_millis(5);

const METHODS: [&str; 6] = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];
const PATHS: [&str; 22] = [
    "/v1/games?limit=100",
    "/v1/games?status=finished&ruleset=ecopolis&limit=100",
    "/v1/games?limit=-1&cursor=nothing",
    "/v1/players?name=a&limit=50",
    "/v1/me",
    "/v1/me/games",
    "/v1/me/tokens",
    "/v1/players",
    "/v1/sessions",
    "/v1/recoveries",
    "/v1/audits",
    "/v1/games",
    "/v1/games/00000000-0000-0000-0000-000000000000/commands",
    "/v1/games/%00/view",
    "/v1/rulesets/ecopolis/catalogue?lang=it",
    "/v1/invites/aaaaaaaaaaaa",
    "/v1/streams/tickets",
    "/tlog/checkpoint",
    "/tlog/tile/entries/000",
    "/metrics",
    "/play/nobody",
    "/.env",
];
const BODIES: [&str; 8] = [
    "",
    "{}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    r#"{"name": "\u202Eadmin"}"#,
    r#"{"ruleset":"ecopolis","seats":99}"#,
    r#"{"replay":{"format":"fairlog/3"}}"#,
    r#"{"expected_seq":-1,"command":{"type":"no"}}"#,
    "\u{fffd}\u{0}",
];

/// Asks until the world stands still.
pub fn ask(world: &World) {
    while !world.is_stopped() {
        let method = METHODS[world.random(METHODS.len())];
        let path = PATHS[world.random(PATHS.len())];
        let token = ["Bearer pl_nobody", "Bearer ", "Basic eDp5", "nonsense"][world.random(4)];
        let headers =
            [("Content-Type", "application/json"), ("Authorization", token), ("Idempotency-Key", "a key")];
        let headers = &headers[..world.random(headers.len() + 1)];
        // A killed server does not answer. Answers are checked in `try_once`.
        let _ = world.try_once(method, path, headers, BODIES[world.random(BODIES.len())]);
        thread::sleep(PAUSE);
    }
}
