//! Values of rows that `playledger move` copies to another store.

#[derive(Clone, PartialEq, Eq)]
pub enum Cell {
    Null,
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }
}

/// A table to copy: its name, its columns, and the query that reads them if the file has them elsewhere.
pub struct CopiedTable {
    pub name: &'static str,
    pub columns: &'static str,
    pub read: Option<&'static str>,
}

const fn same(name: &'static str, columns: &'static str) -> CopiedTable {
    CopiedTable { name, columns, read: None }
}

const fn other(name: &'static str, columns: &'static str, read: &'static str) -> CopiedTable {
    CopiedTable { name, columns, read: Some(read) }
}

/// All tables but the log with its claims, and explorations, which live for a day.
pub const TABLES: &[CopiedTable] = &[
    same("signing_key", "id, key, since, statement"),
    same("pulse", "id, at"),
    same("own_key", "purpose, key"),
    same("player", "id, uuid, name, recovery, next_recovery, recovery_nonce, created_at, level, offer"),
    same(
        "token",
        "id, uuid, player, digest, name, scopes, game, created_at, expires_at, used_at, is_pending, replaces, \
         app",
    ),
    same(
        "app",
        "uuid, player, client, name, scopes, game, created_at, expires_at, code, code_until, redirect, challenge, \
         refresh, next, spent, lost",
    ),
    same("link", "player, digest, until, scopes, name, expires_at, key, proof"),
    same("device", "player, low, high, by_low, by_high, proof, at"),
    same("tally", "player, ruleset, played, won"),
    same(
        "game",
        "id, uuid, creator, ruleset, version, seats, options, title, visibility, invite, move_seconds, server_seed, \
         status, result, ending, created_at, started_at, finished_at, seq, head, rematch_of, format, bank_seconds, \
         takebacks, substitutes, rated",
    ),
    same("seat", "game, seat, player, control, entropy, resigned, status, ruleset, visibility"),
    other("due", "game, at", "SELECT id, deadline FROM game WHERE deadline IS NOT NULL"),
    other(
        "answer",
        "player, key, fingerprint, body, at",
        "SELECT player, key, substr(fingerprint, 1, 16), body, at FROM answer",
    ),
    same("claim", "digest, fingerprint, at, game, seq, last"),
    same("note", "game, player, text, seq, at"),
    same("message", "game, id, seat, player, text, at"),
    same("mute", "game, player, muted"),
    same("plan", "game, seat, player, plan"),
    same("substitution", "game, seat, player, uuid, code, asker, taken"),
    same(
        "hook",
        "id, uuid, player, game, way, target, secret, settings, state, failing_since, failures, rests_until, created_at",
    ),
    same("delivery", "id, hook, message, body, at, due, tries, outcome, failure, status, tried_at"),
    same("quiet", "player, utc_offset, from_minute, to_minute"),
    same("leaf", "id, game, seq, head"),
    same("tree_node", "level, place, hash"),
    same("tree_key", "id, origin, key, since"),
    // Another store numbers its log rows differently, so the tree reads them again.
    other(
        "tree",
        "one, size, upto, note, published, pinned",
        "SELECT one, size, 0, note, published, pinned FROM tree",
    ),
    same("pinned", "game, seq, leaf"),
];
