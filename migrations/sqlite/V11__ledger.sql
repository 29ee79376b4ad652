-- The first version of the schema, of 0.3.0.
--
-- Small integers are the keys inside, UUIDs the names outside: an index over integers that grow stays small, and rows
-- that belong together lie together.

CREATE TABLE player (
    id             INTEGER PRIMARY KEY,
    uuid           BLOB    NOT NULL UNIQUE CHECK (length(uuid) = 16),
    -- Null after the account was deleted.
    name           TEXT,
    -- The SHA-256 of the recovery code. During a recovery, also that of the code that replaces it when its token is first
    -- used, and what both were derived with.
    recovery       BLOB    UNIQUE CHECK (length(recovery) = 32),
    next_recovery  BLOB    UNIQUE CHECK (length(next_recovery) = 32),
    recovery_nonce BLOB    CHECK (length(recovery_nonce) = 32),
    created_at     INTEGER NOT NULL,
    -- Neither of these: a person. A level: a built-in bot. An offer: an external bot, and the games it accepts, as JSON.
    level          TEXT    CHECK (level IN ('easy', 'middle', 'hard', 'hardest')),
    offer          TEXT,
    -- Until when the operator has suspended the account.
    banned_until   INTEGER
) STRICT;

-- External bots are called by their names, so no two have the same.
CREATE UNIQUE INDEX player_program ON player (name) WHERE offer IS NOT NULL;
CREATE INDEX player_level ON player (level, id) WHERE level IS NOT NULL;
CREATE INDEX player_bot ON player (id) WHERE level IS NOT NULL OR offer IS NOT NULL;

-- Only the SHA-256 of a token is stored, so a stolen database opens no account.
CREATE TABLE token (
    id         INTEGER PRIMARY KEY,
    uuid       BLOB    NOT NULL UNIQUE CHECK (length(uuid) = 16),
    player     INTEGER NOT NULL REFERENCES player (id),
    digest     BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    name       TEXT    NOT NULL,
    -- The scopes, a bit each: read, play, account.
    scopes     INTEGER NOT NULL,
    -- The only game that it is for, if it is for one.
    game       BLOB    CHECK (length(game) = 16),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    -- To the hour.
    used_at    INTEGER,
    -- The first use of a pending token ends the one that it replaces, and puts the next recovery code in force.
    is_pending INTEGER NOT NULL DEFAULT 0,
    replaces   INTEGER,
    -- The connected app that it belongs to.
    app        BLOB    CHECK (length(app) = 16)
) STRICT;

CREATE INDEX token_of_player ON token (player, id);
CREATE INDEX token_of_app ON token (app) WHERE app IS NOT NULL;

-- An app that a player has connected by OAuth. Until its code is exchanged it has no refresh token.
CREATE TABLE app (
    uuid       BLOB    PRIMARY KEY CHECK (length(uuid) = 16),
    player     INTEGER NOT NULL REFERENCES player (id),
    client     TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    scopes     INTEGER NOT NULL,
    game       BLOB    CHECK (length(game) = 16),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- The SHA-256 of the code, where it was sent, and the challenge of its client.
    code       BLOB    NOT NULL UNIQUE CHECK (length(code) = 32),
    code_until INTEGER NOT NULL,
    redirect   TEXT    NOT NULL,
    challenge  BLOB    NOT NULL CHECK (length(challenge) = 32),
    -- The SHA-256 of the refresh token; of its replacement, whose access token was not used yet; of the one before; and of
    -- a replacement that was replaced itself, because its answer seemed lost. The last two are stolen if they come again.
    refresh    BLOB    UNIQUE CHECK (length(refresh) = 32),
    next       BLOB    UNIQUE CHECK (length(next) = 32),
    spent      BLOB    UNIQUE CHECK (length(spent) = 32),
    lost       BLOB    UNIQUE CHECK (length(lost) = 32)
) STRICT, WITHOUT ROWID;

CREATE INDEX app_of_player ON app (player, uuid);

-- A code that links another device: one at a time, for one use.
CREATE TABLE link (
    player     INTEGER PRIMARY KEY REFERENCES player (id),
    digest     BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    until      INTEGER NOT NULL,
    scopes     INTEGER NOT NULL,
    -- The name of the token that it is exchanged for.
    name       TEXT    NOT NULL,
    expires_at INTEGER,
    -- The public key of the device that made the code, and what shows the other device that it is.
    key        BLOB    CHECK (length(key) = 32),
    proof      BLOB    CHECK (length(proof) = 32)
) STRICT;

-- Statements that two keys belong to one player. One that waits for the signature of its other key lacks it.
CREATE TABLE device (
    player INTEGER NOT NULL REFERENCES player (id),
    low    BLOB    NOT NULL CHECK (length(low) = 32),
    high   BLOB    NOT NULL CHECK (length(high) = 32),
    by_low  BLOB   CHECK (length(by_low) = 64),
    by_high BLOB   CHECK (length(by_high) = 64),
    -- What shows the device that made the code that the other key is that of the device which used it.
    proof  BLOB    CHECK (length(proof) = 32),
    at     INTEGER NOT NULL,
    PRIMARY KEY (player, low, high)
) STRICT, WITHOUT ROWID;

-- How many public games a player has finished, and how many of them it won.
CREATE TABLE tally (
    player  INTEGER NOT NULL REFERENCES player (id),
    ruleset TEXT    NOT NULL,
    played  INTEGER NOT NULL,
    won     INTEGER NOT NULL,
    PRIMARY KEY (player, ruleset)
) STRICT, WITHOUT ROWID;

-- What lists show of a game. The truth about a game is its log: a row here changes when the game is joined, begins or
-- ends, and never with a move, so a move writes one row only.
CREATE TABLE game (
    id           INTEGER PRIMARY KEY,
    uuid         BLOB    NOT NULL UNIQUE CHECK (length(uuid) = 16),
    creator      INTEGER NOT NULL REFERENCES player (id),
    ruleset      TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    seats        INTEGER NOT NULL,
    options      TEXT    NOT NULL,
    title        TEXT,
    visibility   TEXT    NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    invite       TEXT,
    -- The format of the log.
    format       INTEGER NOT NULL CHECK (format = 3),
    move_seconds INTEGER,
    bank_seconds INTEGER NOT NULL,
    takebacks    INTEGER NOT NULL,
    substitutes  INTEGER NOT NULL,
    rated        INTEGER NOT NULL,
    -- The finished game that this is a rematch of.
    rematch_of   INTEGER REFERENCES game (id),
    -- The server's seed of this game, secret until the game ends.
    server_seed  BLOB    NOT NULL CHECK (length(server_seed) = 32),
    status       TEXT    NOT NULL CHECK (status IN ('open', 'sealed', 'running', 'finished', 'void')),
    ending       TEXT    CHECK (ending IN ('finished', 'resigned', 'abandoned', 'void', 'halted')),
    result       TEXT,
    created_at   INTEGER NOT NULL,
    started_at   INTEGER,
    finished_at  INTEGER,
    -- When the server acts on the game by itself. Only games with a clock and sealed ones have a deadline, so only their
    -- moves write here.
    deadline     INTEGER,
    -- The end of the log of a game that is not running, so lists need not read the log.
    seq          INTEGER,
    head         BLOB,
    has_clock    INTEGER GENERATED ALWAYS AS (move_seconds IS NOT NULL) VIRTUAL
) STRICT;

CREATE INDEX game_listed ON game (status, ruleset, visibility, has_clock, id);
-- Tables that nobody fills are made void after a while.
CREATE INDEX game_open ON game (created_at) WHERE status = 'open';
CREATE INDEX game_due ON game (deadline) WHERE deadline IS NOT NULL;
-- How many games a player created in a day.
CREATE INDEX game_begun ON game (creator, created_at);
-- A game has one rematch at a time.
CREATE UNIQUE INDEX game_rematch ON game (rematch_of) WHERE rematch_of IS NOT NULL AND status <> 'void';
CREATE UNIQUE INDEX game_invite ON game (invite) WHERE invite IS NOT NULL;

-- Who has which seat. A row goes when its player leaves an open game. Status, ruleset and visibility are copies, so a
-- player's list is read from one index, however many games the player ever had.
CREATE TABLE seat (
    game       INTEGER NOT NULL REFERENCES game (id),
    seat       INTEGER NOT NULL,
    player     INTEGER NOT NULL REFERENCES player (id),
    control    TEXT    NOT NULL DEFAULT 'player' CHECK (control IN ('player', 'autopilot')),
    -- Played by the autopilot until the end, or until another player takes the seat.
    resigned   INTEGER NOT NULL DEFAULT 0,
    entropy    TEXT    NOT NULL DEFAULT 'none' CHECK (entropy IN ('none', 'promised', 'revealed')),
    status     TEXT    NOT NULL,
    ruleset    TEXT    NOT NULL,
    visibility TEXT    NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX seat_of_player ON seat (player, game);
CREATE INDEX seat_listed ON seat (player, status, ruleset, visibility, game);

-- The newest entries of all games, in the order in which they were written. There is no index but the row number: with one
-- over (game, seq) every append touches a page in the middle, and measured with ten million rows that is four times
-- slower. Which rows belong to which game is known in memory, from one scan of this table at the start. The one writer
-- keeps the numbers of a game without gap or double, and a lock beside the file keeps it the only one.
CREATE TABLE log (
    id       INTEGER PRIMARY KEY,
    game     INTEGER NOT NULL,
    seq      INTEGER NOT NULL,
    x        BLOB    NOT NULL,
    head     BLOB    NOT NULL,
    body     BLOB    NOT NULL,
    secret   BLOB,
    -- The idempotency key under which the entry was written (a digest of the player and its key), what the request was, and
    -- the last entry of its commit. Which keys there are is known in memory, from the scan at the start.
    claim    BLOB,
    -- Whether the head always goes into the public tree.
    landmark INTEGER NOT NULL
) STRICT;

-- The earlier entries of a game, many in one blob. When the log has grown long, its older half is swept: every game's rows
-- go into a segment, and the half is deleted. Reading a game then costs a few pages instead of hundreds, a start reads the
-- short log only, and finished games cost nothing. Measured with 64 callers, moving game by game gives half the appends a
-- second, since every deleted row then touches a page of its own.
CREATE TABLE segment (
    id      INTEGER PRIMARY KEY,
    game    INTEGER NOT NULL,
    first   INTEGER NOT NULL,
    last    INTEGER NOT NULL,
    entries BLOB    NOT NULL,
    CHECK (0 <= first AND first <= last)
) STRICT;

CREATE INDEX segment_of_game ON segment (game, first);

-- The claims of entries that were swept into segments, under the number that the row of the entry had in the log: they
-- come in that order, and the oldest are forgotten first.
CREATE TABLE claim (
    id          INTEGER PRIMARY KEY,
    digest      BLOB    NOT NULL CHECK (length(digest) = 16),
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 16),
    at          INTEGER NOT NULL,
    game        INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    last        INTEGER NOT NULL
) STRICT;

-- Answers under an idempotency key that do not follow from the log, such as refusals. Rows older than a day are deleted.
CREATE TABLE answer (
    player      INTEGER NOT NULL REFERENCES player (id),
    key         TEXT    NOT NULL,
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    body        BLOB    NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (player, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX answer_age ON answer (at);

-- Nothing that was played can be changed or lost, whatever a bug or a hand at the console tries.
CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

-- A row may go only when a segment has it.
CREATE TRIGGER log_moves_into_segments_only BEFORE DELETE ON log
WHEN NOT EXISTS (SELECT 1 FROM segment WHERE game = OLD.game AND OLD.seq BETWEEN first AND last) BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER segment_is_never_changed BEFORE UPDATE ON segment BEGIN
    SELECT RAISE(ABORT, 'segments are never changed');
END;

CREATE TRIGGER segment_gives_way_to_a_longer_one_only BEFORE DELETE ON segment
WHEN NOT EXISTS (
    SELECT 1 FROM segment WHERE game = OLD.game AND id > OLD.id AND first <= OLD.first AND OLD.last <= last
) BEGIN
    SELECT RAISE(ABORT, 'segments are never lost');
END;

-- The private note of a player, and the newest entry at that time.
CREATE TABLE note (
    game   INTEGER NOT NULL REFERENCES game (id),
    player INTEGER NOT NULL REFERENCES player (id),
    text   TEXT    NOT NULL,
    seq    INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX note_of_player ON note (player);

-- What players say to each other at a table. It is not part of the log.
CREATE TABLE message (
    id     INTEGER PRIMARY KEY,
    game   INTEGER NOT NULL REFERENCES game (id),
    seat   INTEGER NOT NULL,
    player INTEGER NOT NULL REFERENCES player (id),
    text   TEXT    NOT NULL,
    at     INTEGER NOT NULL
) STRICT;

CREATE INDEX message_of_game ON message (game, id);
CREATE INDEX message_of_player ON message (player);

-- A player who does not want to hear another one at a table.
CREATE TABLE mute (
    game   INTEGER NOT NULL REFERENCES game (id),
    player INTEGER NOT NULL REFERENCES player (id),
    muted  INTEGER NOT NULL REFERENCES player (id),
    PRIMARY KEY (game, player, muted)
) STRICT, WITHOUT ROWID;

-- The plan of a seat. It goes with its player, and when the game ends.
CREATE TABLE plan (
    game   INTEGER NOT NULL REFERENCES game (id),
    seat   INTEGER NOT NULL,
    player INTEGER NOT NULL REFERENCES player (id),
    plan   TEXT    NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

-- An offer of a seat by code, who asked for it, and that player's signature for the seat, as JSON. One for each seat.
CREATE TABLE substitution (
    game   INTEGER NOT NULL REFERENCES game (id),
    seat   INTEGER NOT NULL,
    player INTEGER NOT NULL REFERENCES player (id),
    uuid   BLOB    NOT NULL UNIQUE CHECK (length(uuid) = 16),
    code   TEXT    NOT NULL UNIQUE,
    asker  INTEGER REFERENCES player (id),
    taken  TEXT,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

-- Games that are played on from a position, by one player for itself: a record of nothing, and gone after a day. The position
-- follows from the log and the seed; the commands are a JSON list of seats and commands.
CREATE TABLE exploration (
    uuid       BLOB    PRIMARY KEY CHECK (length(uuid) = 16),
    player     INTEGER NOT NULL REFERENCES player (id),
    game       INTEGER NOT NULL REFERENCES game (id),
    seq        INTEGER NOT NULL,
    -- Whose knowledge the position was dealt from; null for the true position of a finished game.
    seat       INTEGER,
    seed       BLOB    NOT NULL CHECK (length(seed) = 32),
    levels     TEXT    NOT NULL,
    commands   TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX exploration_of_player ON exploration (player, created_at);
CREATE INDEX exploration_age ON exploration (created_at);

-- A way by which a player is told of its games, or a table of itself: an address that messages are sent to.
CREATE TABLE hook (
    id            INTEGER PRIMARY KEY,
    uuid          BLOB    NOT NULL UNIQUE CHECK (length(uuid) = 16),
    player        INTEGER NOT NULL REFERENCES player (id),
    -- The one game that it tells of; null for all games of the player.
    game          INTEGER REFERENCES game (id),
    way           TEXT    NOT NULL CHECK (way IN ('standard', 'discord', 'slack', 'ntfy', 'mail', 'push')),
    -- An address, a mail address, or what a browser subscribed with, as JSON.
    target        TEXT    NOT NULL,
    secret        BLOB    NOT NULL CHECK (length(secret) = 32),
    -- What it tells of and in which language, as JSON.
    settings      TEXT    NOT NULL,
    state         TEXT    NOT NULL CHECK (state IN ('unproved', 'on', 'off')),
    -- Since when nothing has arrived, how often in a row, and before which time nothing more is tried.
    failing_since INTEGER,
    failures      INTEGER NOT NULL DEFAULT 0,
    rests_until   INTEGER NOT NULL DEFAULT 0,
    created_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX hook_of_player ON hook (player);
CREATE INDEX hook_of_game ON hook (game) WHERE game IS NOT NULL;
CREATE INDEX hook_unproved ON hook (created_at) WHERE state = 'unproved';

-- A message for a hook, written with the change of which it tells, and kept for some days after it was sent.
CREATE TABLE delivery (
    id       INTEGER PRIMARY KEY,
    hook     INTEGER NOT NULL REFERENCES hook (id),
    -- The same whenever and however often it is sent.
    message  TEXT    NOT NULL,
    -- What is told, as JSON.
    body     TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    -- When it is to be sent; null when that is settled.
    due      INTEGER,
    tries    INTEGER NOT NULL DEFAULT 0,
    outcome  TEXT CHECK (outcome IN ('delivered', 'failed', 'dropped')),
    failure  TEXT,
    status   INTEGER,
    tried_at INTEGER,
    UNIQUE (hook, message)
) STRICT;

CREATE INDEX delivery_due ON delivery (hook, due) WHERE due IS NOT NULL;
CREATE INDEX delivery_settled ON delivery (at) WHERE due IS NULL;

-- When a player wants to hear nothing: minutes of its own day.
CREATE TABLE quiet (
    player     INTEGER PRIMARY KEY REFERENCES player (id),
    utc_offset INTEGER NOT NULL,
    from_minute INTEGER,
    to_minute   INTEGER
) STRICT;

-- Acts of operators, for everyone to read.
CREATE TABLE act (
    uuid     BLOB    PRIMARY KEY CHECK (length(uuid) = 16),
    at       INTEGER NOT NULL,
    -- The name of the operator's token.
    operator TEXT    NOT NULL,
    what     TEXT    NOT NULL,
    player   BLOB    CHECK (length(player) = 16),
    game     BLOB    CHECK (length(game) = 16),
    -- What else is public of the act, as JSON.
    details  TEXT    NOT NULL,
    reason   TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX act_about_player ON act (player, uuid) WHERE player IS NOT NULL;
CREATE INDEX act_about_game ON act (game, uuid) WHERE game IS NOT NULL;

-- Settings that operators change while the server runs, and banned addresses, as JSON.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Only the SHA-256 of an operator's token is stored.
CREATE TABLE operator_token (
    uuid       BLOB    PRIMARY KEY CHECK (length(uuid) = 16),
    digest     BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    name       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Codes for new accounts, by their SHA-256.
CREATE TABLE invitation (
    uuid       BLOB    PRIMARY KEY CHECK (length(uuid) = 16),
    digest     BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    note       TEXT    NOT NULL,
    uses       INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Reports of players to the operator. The reporter is null after it left.
CREATE TABLE report (
    uuid      BLOB    PRIMARY KEY CHECK (length(uuid) = 16),
    reporter  INTEGER REFERENCES player (id),
    -- The subject, once for each reporter, and a copy of it, as JSON.
    subject   TEXT    NOT NULL,
    body      TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    closed_at INTEGER,
    UNIQUE (reporter, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX report_open ON report (uuid) WHERE closed_at IS NULL;

-- A player who wants nothing to do with another one.
CREATE TABLE block (
    player  INTEGER NOT NULL REFERENCES player (id),
    blocked INTEGER NOT NULL REFERENCES player (id),
    at      INTEGER NOT NULL,
    PRIMARY KEY (player, blocked)
) STRICT, WITHOUT ROWID;

CREATE INDEX block_of ON block (blocked);

-- When a server was last there: the time until the next start counts for nobody's clock.
CREATE TABLE pulse (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
) STRICT;

-- Keys of the server's own that follow from no other.
CREATE TABLE own_key (
    purpose TEXT PRIMARY KEY,
    key     BLOB NOT NULL
) STRICT;

-- Keys that signed receipts for this database, the newest last: a server that finds another one beside it stops. A key that
-- ended has the restore statement that says so.
CREATE TABLE signing_key (
    id        INTEGER PRIMARY KEY,
    key       TEXT    NOT NULL UNIQUE,
    since     INTEGER NOT NULL,
    statement TEXT
) STRICT;

-- The public tree over all games. Its leaves are heads of the log, in the order of the commits, for ever.
CREATE TABLE leaf (
    -- Its place in the tree, from 0.
    id   INTEGER PRIMARY KEY,
    game INTEGER NOT NULL,
    seq  INTEGER NOT NULL,
    head BLOB    NOT NULL CHECK (length(head) = 32)
) STRICT;

-- The hashes over 256 to the power of `level` leaves, from level 1 on.
CREATE TABLE tree_node (
    level INTEGER NOT NULL,
    place INTEGER NOT NULL,
    hash  BLOB    NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (level, place)
) STRICT, WITHOUT ROWID;

-- Under which names and keys the tree has been published, the last one now.
CREATE TABLE tree_key (
    id     INTEGER PRIMARY KEY,
    origin TEXT    NOT NULL UNIQUE,
    key    TEXT    NOT NULL,
    since  INTEGER NOT NULL
) STRICT;

-- One row, once the tree has begun.
CREATE TABLE tree (
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    -- How many leaves there are, and the row of the log up to which all has been looked at.
    size      INTEGER NOT NULL,
    upto      INTEGER NOT NULL,
    -- The newest checkpoint that may be seen, as it was signed, and the size in it.
    note      TEXT,
    published INTEGER NOT NULL DEFAULT 0,
    -- How many leaves stand in `pinned`.
    pinned    INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The newest entry of each game that a published checkpoint covers, and its leaf. It follows from the leaves.
CREATE TABLE pinned (
    game INTEGER PRIMARY KEY,
    seq  INTEGER NOT NULL,
    leaf INTEGER NOT NULL
) STRICT;

CREATE TRIGGER leaf_is_never_changed BEFORE UPDATE ON leaf BEGIN
    SELECT RAISE(ABORT, 'the tree is append-only');
END;

CREATE TRIGGER leaf_is_never_lost BEFORE DELETE ON leaf BEGIN
    SELECT RAISE(ABORT, 'the tree is append-only');
END;

CREATE TRIGGER leaf_stands_behind_the_last BEFORE INSERT ON leaf
WHEN NEW.id <> (SELECT coalesce(max(id) + 1, 0) FROM leaf) BEGIN
    SELECT RAISE(ABORT, 'the tree has no gaps');
END;

CREATE TRIGGER tree_node_is_never_changed BEFORE UPDATE ON tree_node BEGIN
    SELECT RAISE(ABORT, 'the tree is append-only');
END;

CREATE TRIGGER tree_node_is_never_lost BEFORE DELETE ON tree_node BEGIN
    SELECT RAISE(ABORT, 'the tree is append-only');
END;

CREATE TRIGGER tree_never_shrinks BEFORE UPDATE ON tree
WHEN NEW.size < OLD.size OR NEW.upto < OLD.upto OR NEW.published < OLD.published OR NEW.pinned < OLD.pinned BEGIN
    SELECT RAISE(ABORT, 'the tree is append-only');
END;

CREATE TRIGGER tree_is_never_lost BEFORE DELETE ON tree BEGIN
    SELECT RAISE(ABORT, 'the tree is append-only');
END;
