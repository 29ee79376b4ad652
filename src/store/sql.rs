//! Statements that are the same for both backends.

/// A statement with the placeholders of each backend: `?1` for SQLite, `$1` for PostgreSQL.
pub struct Statement {
    pub sqlite: &'static str,
    pub postgres: &'static str,
}

/// Replaces each `?` by `$`.
const fn with_dollars<const LENGTH: usize>(text: &str) -> [u8; LENGTH] {
    let (text, mut changed, mut at) = (text.as_bytes(), [0; LENGTH], 0);
    while at < LENGTH {
        changed[at] = if text[at] == b'?' { b'$' } else { text[at] };
        at += 1;
    }
    changed
}

/// Declares statements in the form of SQLite. PostgreSQL takes the type of a value from its first use, so a
/// comparison comes before `IS NULL`. The other form is made at compile time.
macro_rules! statements {
    ($($NAME:ident = $text:literal;)+) => {$(
        pub const $NAME: Statement = {
            const POSTGRES: [u8; $text.len()] = with_dollars($text);
            match str::from_utf8(&POSTGRES) {
                Ok(postgres) => Statement { sqlite: $text, postgres },
                Err(_) => unreachable!(),
            }
        };
    )+};
}

statements! {
    OFFER_OF_PLAYER = "SELECT offer FROM player WHERE id = ?1";
    GAMES_OF_BOTS = "\
        SELECT DISTINCT game.uuid, game.creator FROM player JOIN seat ON seat.player = player.id JOIN \
        game ON game.id = seat.game WHERE level IS NOT NULL AND seat.status = 'running'";
    DEVICES_OF_PLAYER = "\
        SELECT low, high, by_low, by_high, proof, at FROM device WHERE player = ?1 ORDER BY at";
    TALLY_OF_PLAYER = "\
        SELECT ruleset, played, won FROM tally WHERE player = ?1 ORDER BY ruleset";
    DELETE_NOTE = "DELETE FROM note WHERE game = ?1 AND player = ?2";
    DELETE_MUTE = "DELETE FROM mute WHERE game = ?1 AND player = ?2 AND muted = ?3";
    NOTE_OF_PLAYER = "SELECT text, seq, at FROM note WHERE game = ?1 AND player = ?2";
    MESSAGES_AFTER = "\
        SELECT message.id, seat, player, text, at, uuid, name, level, offer IS NOT NULL FROM message \
        JOIN player ON player.id = message.player WHERE game = ?1 AND message.id > ?3 AND NOT EXISTS \
        (SELECT 1 FROM mute WHERE mute.game = ?1 AND mute.player = ?2 AND muted = message.player) AND NOT \
        EXISTS (SELECT 1 FROM block WHERE block.player = ?2 AND blocked = message.player) ORDER BY \
        message.id LIMIT ?4";
    MUTES_OF_GAME = "SELECT player, muted FROM mute WHERE game = ?1";
    SET_EXPLORED_COMMANDS = "\
        UPDATE exploration SET commands = ?3 WHERE uuid = ?1 AND commands = ?2";
    DELETE_EXPLORATION = "DELETE FROM exploration WHERE uuid = ?1 AND player = ?2";
    DELETE_OLD_EXPLORATIONS = "DELETE FROM exploration WHERE created_at < ?1";
    ADD_EXPLORATION = "\
        INSERT INTO exploration (uuid, player, game, seq, seat, seed, levels, commands, created_at) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    TRIM_EXPLORATIONS = "\
        DELETE FROM exploration WHERE player = ?1 AND uuid NOT IN (SELECT uuid FROM exploration WHERE \
        player = ?1 ORDER BY created_at DESC, uuid DESC LIMIT ?2)";
    HAS_OLD_EXPLORATIONS = "SELECT EXISTS (SELECT 1 FROM exploration WHERE created_at < ?1)";
    EXPLORATION = "\
        SELECT exploration.uuid, player, exploration.game, game.uuid, exploration.seq, seat, seed, \
        levels, commands, exploration.created_at FROM exploration JOIN game ON game.id = \
        exploration.game WHERE exploration.uuid = ?1";
    GAME_BY_UUID = "SELECT id FROM game WHERE uuid = ?1";
    PLANS_OF_GAME = "\
        SELECT seat, plan FROM plan JOIN seat USING (game, seat, player) WHERE game = ?1";
    GAME_BY_INVITE = "SELECT uuid FROM game WHERE invite = ?1";
    REMATCH_OF_GAME = "SELECT uuid FROM game WHERE rematch_of = ?1 AND status <> 'void'";
    SEAT_OF_PLAYER = "SELECT seat FROM seat WHERE game = ?1 AND player = ?2";
    COUNT_ACTIVE_GAMES = "\
        SELECT count(*) FROM seat WHERE player = ?1 AND status IN ('open', 'sealed', 'running')";
    OPEN_GAMES_BEFORE = "\
        SELECT uuid FROM game WHERE status = 'open' AND created_at < ?1 ORDER BY created_at LIMIT ?2";
    HAS_GAMES = "SELECT EXISTS (SELECT 1 FROM game)";
    HOOKS = "\
        SELECT id, uuid, player, game, way, target, secret, settings, state, failing_since, failures, \
        rests_until, created_at FROM hook";
    SET_HOOK_SETTINGS = "UPDATE hook SET settings = ?2 WHERE id = ?1";
    SET_HOOK_STATE = "\
        UPDATE hook SET state = ?2, failing_since = ?3, failures = ?4, rests_until = ?5 WHERE id = ?1";
    GIVE_UP_DELIVERIES = "\
        UPDATE delivery SET due = NULL, outcome = 'failed' WHERE hook = ?1 AND due IS NOT NULL";
    SET_HOOK_HEALTH = "\
        UPDATE hook SET failing_since = ?2, failures = ?3, rests_until = ?4 WHERE id = ?1";
    DELETE_DELIVERIES_OF_HOOK = "DELETE FROM delivery WHERE hook = ?1";
    DELETE_HOOK = "DELETE FROM hook WHERE id = ?1";
    DELETE_OLD_DELIVERIES = "DELETE FROM delivery WHERE due IS NULL AND at < ?1";
    DELETE_DELIVERIES_OF_PLAYER = "\
        DELETE FROM delivery WHERE hook IN (SELECT id FROM hook WHERE player = ?1)";
    DELETE_HOOKS_OF_PLAYER = "DELETE FROM hook WHERE player = ?1";
    DELETE_QUIET = "DELETE FROM quiet WHERE player = ?1";
    ADD_HOOK = "\
        INSERT INTO hook (id, uuid, player, game, way, target, secret, settings, state, created_at) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    HAS_OLD_DELIVERIES = "\
        SELECT EXISTS (SELECT 1 FROM delivery WHERE due IS NULL AND at < ?1) OR EXISTS (SELECT 1 FROM \
        hook WHERE state = 'unproved' AND created_at < ?2)";
    QUIET_OF_PLAYER = "SELECT utc_offset, from_minute, to_minute FROM quiet WHERE player = ?1";
    DELETE_SUBSTITUTION = "DELETE FROM substitution WHERE game = ?1 AND seat = ?2";
    SUBSTITUTIONS = "\
        SELECT substitution.uuid, code, game.uuid, seat, substitution.player, asker, player.uuid, \
        player.name, taken, level, offer IS NOT NULL FROM substitution JOIN game ON game.id = \
        substitution.game LEFT JOIN player ON player.id = asker";
    ADD_PLAYER = "\
        INSERT INTO player (id, uuid, name, recovery, level, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    LOCK_TOKEN = "UPDATE token SET is_pending = is_pending WHERE id = ?1";
    DELETE_TOKENS_OF_PLAYER = "DELETE FROM token WHERE player = ?1";
    DELETE_LINK_OF_PLAYER = "DELETE FROM link WHERE player = ?1";
    CLEAR_PLAYER = "\
        UPDATE player SET name = NULL, offer = NULL, recovery = NULL, next_recovery = NULL, \
        recovery_nonce = NULL WHERE id = ?1";
    DELETE_TOKEN_OF_PLAYER = "DELETE FROM token WHERE player = ?1 AND uuid = ?2";
    USE_TOKEN = "UPDATE token SET used_at = ?2 WHERE id = ?1";
    SETTLE_RECOVERY = "\
        UPDATE player SET recovery = next_recovery, next_recovery = NULL, recovery_nonce = NULL WHERE id \
        = ?1 AND next_recovery IS NOT NULL";
    SET_RECOVERY = "\
        UPDATE player SET recovery = ?2, next_recovery = NULL, recovery_nonce = NULL WHERE id = ?1 AND \
        name IS NOT NULL";
    BEGIN_RECOVERY = "\
        UPDATE player SET recovery = ?2, next_recovery = ?3, recovery_nonce = ?4 WHERE id = ?1 AND \
        (next_recovery = ?2 OR (recovery = ?2 AND next_recovery IS NULL))";
    ADD_APP = "\
        INSERT INTO app (uuid, player, client, name, scopes, game, created_at, expires_at, code, code_until, \
        redirect, challenge) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    DELETE_OLD_APPS = "\
        DELETE FROM app WHERE player = ?1 AND (expires_at <= ?2 OR (refresh IS NULL AND code_until <= ?2))";
    BEGIN_APP = "UPDATE app SET refresh = ?2 WHERE uuid = ?1 AND refresh IS NULL";
    ROTATE_APP = "\
        UPDATE app SET spent = CASE WHEN next = ?2 THEN refresh ELSE spent END, \
        lost = CASE WHEN next = ?2 THEN NULL ELSE coalesce(next, lost) END, refresh = ?2, next = ?3 \
        WHERE uuid = ?1 AND (refresh = ?2 OR next = ?2)";
    SETTLE_APP = "\
        UPDATE app SET spent = refresh, refresh = next, next = NULL WHERE next IS NOT NULL AND uuid = \
        (SELECT app FROM token WHERE id = ?1)";
    DELETE_OTHERS_OF_APP = "\
        DELETE FROM token WHERE app = (SELECT app FROM token WHERE id = ?1) AND id <> ?1";
    DELETE_PENDING_OF_APP = "DELETE FROM token WHERE app = ?1 AND is_pending";
    DELETE_TOKENS_OF_APP = "DELETE FROM token WHERE app = ?1";
    DELETE_APP = "DELETE FROM app WHERE player = ?1 AND uuid = ?2";
    DELETE_APPS_OF_PLAYER = "DELETE FROM app WHERE player = ?1";
    DELETE_LINK = "DELETE FROM link WHERE digest = ?1";
    DELETE_DEVICE = "DELETE FROM device WHERE player = ?1 AND (low = ?2 OR high = ?2)";
    NODES_OF_LEVEL = "\
        SELECT hash FROM tree_node WHERE level = ?1 AND place BETWEEN ?2 AND ?3 ORDER BY place";
    TREE = "SELECT size, upto, note, published, pinned FROM tree";
    PUBLISH_TREE = "UPDATE tree SET note = ?2, published = ?1 WHERE size >= ?1";
    TREE_KEYS = "SELECT origin, key, since FROM tree_key ORDER BY id DESC";
    PINNED_OF_GAME = "\
        SELECT pinned.seq, leaf, head FROM pinned JOIN leaf ON leaf.id = leaf WHERE pinned.game = ?1";
    TAKE_SEAT = "\
        INSERT INTO seat (game, seat, player, entropy, status, ruleset, visibility) SELECT ?1, ?2, ?3, \
        ?4, status, ruleset, visibility FROM game WHERE id = ?1";
    FREE_SEAT = "DELETE FROM seat WHERE game = ?1 AND seat = ?2";
    SET_SHARE = "UPDATE seat SET entropy = ?3 WHERE game = ?1 AND seat = ?2";
    DELETE_PLAN = "DELETE FROM plan WHERE game = ?1 AND seat = ?2";
    SET_NEWEST = "UPDATE game SET seq = ?2, head = ?3 WHERE id = ?1";
    ADD_OWN_KEY = "INSERT INTO own_key (purpose, key) VALUES (?1, ?2)";
    END_SIGNING_KEY = "\
        UPDATE signing_key SET statement = ?2 WHERE key = ?1 AND statement IS NULL";
    SET_STATUS = "\
        UPDATE game SET status = ?2, result = ?3, ending = ?6, started_at = coalesce(?4, started_at), \
        finished_at = ?5 WHERE id = ?1 AND status NOT IN ('finished', 'void')";
    SET_STATUS_OF_SEATS = "UPDATE seat SET status = ?2 WHERE game = ?1";
    OWN_KEY = "SELECT key FROM own_key WHERE purpose = ?1";
    DELETE_SIGNING_KEY = "DELETE FROM signing_key WHERE key = ?1 AND statement IS NULL";
    SIGNING_KEYS = "SELECT key, since, statement FROM signing_key ORDER BY id DESC";
    ADD_ACT = "\
        INSERT INTO act (uuid, at, operator, what, player, game, details, reason) VALUES (?1, ?2, ?3, ?4, \
        ?5, ?6, ?7, ?8)";
    ACTS = "\
        SELECT uuid, at, operator, what, player, game, details, reason FROM act WHERE (uuid < ?1 OR ?1 IS \
        NULL) ORDER BY uuid DESC LIMIT ?2";
    ACTS_ABOUT = "\
        SELECT uuid, at, operator, what, player, game, details, reason FROM act WHERE uuid IN (SELECT uuid \
        FROM act WHERE player = ?1 UNION SELECT uuid FROM act WHERE game = ?1) AND (uuid < ?2 OR ?2 IS \
        NULL) ORDER BY uuid DESC LIMIT ?3";
    ACT = "\
        SELECT uuid, at, operator, what, player, game, details, reason FROM act WHERE uuid = ?1";
    SETTINGS = "SELECT name, value FROM setting ORDER BY name";
    SET_SETTING = "\
        INSERT INTO setting (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = \
        excluded.value";
    DELETE_SETTING = "DELETE FROM setting WHERE name = ?1";
    BAN_PLAYER = "UPDATE player SET banned_until = ?2 WHERE id = ?1 AND name IS NOT NULL";
    ADD_OPERATOR_TOKEN = "\
        INSERT INTO operator_token (uuid, digest, name, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)";
    DELETE_OPERATOR_TOKEN = "DELETE FROM operator_token WHERE uuid = ?1";
    OPERATOR_TOKEN = "\
        SELECT uuid, name, created_at, expires_at FROM operator_token WHERE digest = ?1";
    OPERATOR_TOKENS = "SELECT uuid, name, created_at, expires_at FROM operator_token ORDER BY uuid";
    ADD_INVITATION = "\
        INSERT INTO invitation (uuid, digest, note, uses, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, \
        ?5, ?6)";
    DELETE_INVITATION = "DELETE FROM invitation WHERE uuid = ?1";
    USE_INVITATION = "\
        UPDATE invitation SET uses = uses - 1 WHERE digest = ?1 AND uses > 0 AND expires_at > ?2";
    INVITATIONS = "\
        SELECT uuid, note, uses, created_at, expires_at FROM invitation ORDER BY uuid";
    ADD_REPORT = "\
        INSERT INTO report (uuid, reporter, subject, body, at) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT \
        (reporter, subject) DO UPDATE SET uuid = excluded.uuid, body = excluded.body, at = excluded.at, \
        closed_at = NULL";
    CLOSE_REPORT = "UPDATE report SET closed_at = ?2 WHERE uuid = ?1";
    REPORTS = "\
        SELECT report.uuid, player.uuid, body, at, closed_at FROM report LEFT JOIN player ON player.id = \
        reporter WHERE (closed_at IS NULL) = (?1 = 1) AND (report.uuid < ?2 OR ?2 IS NULL) ORDER BY \
        report.uuid DESC LIMIT ?3";
    REPORT = "\
        SELECT report.uuid, player.uuid, body, at, closed_at FROM report LEFT JOIN player ON player.id = \
        reporter WHERE report.uuid = ?1";
    COUNT_OPEN_REPORTS = "SELECT count(*) FROM report WHERE closed_at IS NULL";
    BLOCK = "\
        INSERT INTO block (player, blocked, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    UNBLOCK = "DELETE FROM block WHERE player = ?1 AND blocked = ?2";
    BLOCKS = "\
        SELECT player.uuid, player.name, block.at FROM block JOIN player ON player.id = blocked WHERE \
        block.player = ?1 ORDER BY block.at";
    BLOCKERS = "SELECT player FROM block WHERE blocked = ?1";
    COUNT_GAMES = "SELECT status, count(*) FROM game GROUP BY status ORDER BY status";
    COUNT_PLAYERS = "SELECT count(*) FROM player WHERE name IS NOT NULL AND level IS NULL";
    COUNT_ACTIVE_PLAYERS = "SELECT count(DISTINCT player) FROM token WHERE used_at >= ?1";
    KNOWN_PLAYERS = "\
        SELECT id, uuid, name, created_at, level, offer IS NOT NULL, banned_until FROM player \
        WHERE level IS NULL AND (lower(name) LIKE ?1 ESCAPE '!' OR ?1 IS NULL) AND (banned_until > ?2 OR ?2 IS \
        NULL) AND (id < ?3 OR ?3 IS NULL) ORDER BY id DESC LIMIT ?4";
    KNOWN_PLAYER = "\
        SELECT id, uuid, name, created_at, level, offer IS NOT NULL, banned_until FROM player \
        WHERE uuid = ?1";
    MESSAGE = "\
        SELECT player.uuid, text, at FROM message JOIN player ON player.id = message.player WHERE game = ?1 \
        AND message.id = ?2";
    DELETE_MESSAGE = "DELETE FROM message WHERE game = ?1 AND id = ?2";
    MESSAGES_OF_PLAYER = "\
        SELECT game.uuid, text, at FROM message JOIN game ON game.id = game WHERE player = ?1 \
        ORDER BY message.id";
    NOTES_OF_PLAYER = "\
        SELECT game.uuid, text, at FROM note JOIN game ON game.id = game WHERE player = ?1 ORDER \
        BY at";
    GAMES_OF_PLAYER = "\
        SELECT game.uuid, game.ruleset, game.title, game.visibility, game.status, created_at, finished_at, \
        seat.seat FROM seat JOIN game ON game.id = seat.game WHERE seat.player = ?1 ORDER BY game.id";
    MUTES_OF_PLAYER = "\
        SELECT game.uuid, player.uuid FROM mute JOIN game ON game.id = mute.game JOIN player ON player.id = \
        muted WHERE mute.player = ?1 ORDER BY mute.game, muted";
    PLANS_OF_PLAYER = "\
        SELECT game.uuid, plan FROM plan JOIN game ON game.id = plan.game WHERE plan.player = ?1 ORDER BY \
        plan.game";
    DELETE_TALLY_OF_PLAYER = "DELETE FROM tally WHERE player = ?1";
    DELETE_EXPLORATIONS_OF_PLAYER = "DELETE FROM exploration WHERE player = ?1";
    REPORTS_OF_PLAYER = "SELECT body, at FROM report WHERE reporter = ?1 ORDER BY at";
    DELETE_MESSAGES_OF_PLAYER = "DELETE FROM message WHERE player = ?1";
    DELETE_MUTES_OF_PLAYER = "DELETE FROM mute WHERE player = ?1 OR muted = ?1";
    DELETE_BLOCKS_OF_PLAYER = "DELETE FROM block WHERE player = ?1 OR blocked = ?1";
    FORGET_REPORTER = "UPDATE report SET reporter = NULL WHERE reporter = ?1";
    FORGET_MESSAGES = "\
        DELETE FROM message WHERE at < ?1 AND game IN (SELECT id FROM game WHERE status IN ('finished', \
        'void'))";
    FORGET_REPORTS = "DELETE FROM report WHERE at < ?1";
    FORGET_INVITATIONS = "DELETE FROM invitation WHERE expires_at < ?1 OR uses <= 0";
    FORGET_OPERATOR_TOKENS = "DELETE FROM operator_token WHERE expires_at < ?1";
    HAS_FORGETTABLE = "\
        SELECT EXISTS (SELECT 1 FROM report WHERE at < ?1) OR EXISTS (SELECT 1 FROM invitation WHERE \
        expires_at < ?2 OR uses <= 0) OR EXISTS (SELECT 1 FROM operator_token WHERE expires_at < ?2)";
    UNUSED_PLAYERS = "\
        SELECT uuid FROM player WHERE name IS NOT NULL AND level IS NULL AND created_at < ?1 AND NOT EXISTS \
        (SELECT 1 FROM token WHERE token.player = player.id AND coalesce(used_at, token.created_at) >= ?1) \
        AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.player = player.id AND status IN ('open', 'sealed', \
        'running')) ORDER BY id LIMIT ?2";
    PULSE = "SELECT at FROM pulse";
}

/// Removes the title of a game, also in the memory of other servers.
pub const DELETE_TITLE: Statement = Statement {
    sqlite: "UPDATE game SET title = NULL WHERE id = ?1",
    postgres: "UPDATE game SET title = NULL, beside = beside + 1 WHERE id = $1",
};

pub const DELETE_TITLES_OF_PLAYER: Statement = Statement {
    sqlite: "UPDATE game SET title = NULL WHERE creator = ?1 AND title IS NOT NULL",
    postgres: "UPDATE game SET title = NULL, beside = beside + 1 WHERE creator = $1 AND title IS NOT NULL",
};

/// Statements that delete the rows of a player who leaves, besides the account.
pub const LEAVE: [Statement; 7] = [
    DELETE_TALLY_OF_PLAYER,
    DELETE_EXPLORATIONS_OF_PLAYER,
    DELETE_MESSAGES_OF_PLAYER,
    DELETE_MUTES_OF_PLAYER,
    DELETE_BLOCKS_OF_PLAYER,
    FORGET_REPORTER,
    DELETE_TITLES_OF_PLAYER,
];
