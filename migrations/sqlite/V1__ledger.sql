-- Small integers are the keys inside, UUIDs the names outside: an index over integers that grow stays
-- small, and rows that belong together lie together.

-- Who plays. A token is kept as its SHA-256 only, so that a stolen database opens no account.
CREATE TABLE player (
    id         INTEGER PRIMARY KEY,
    uuid       BLOB    NOT NULL UNIQUE CHECK (length(uuid) = 16),
    name       TEXT    NOT NULL,
    token      BLOB    NOT NULL UNIQUE CHECK (length(token) = 32),
    created_at INTEGER NOT NULL
) STRICT;

-- What the lobby knows of a game. The truth about a game is its log: a row here changes when the game
-- begins, ends or is joined, and never when somebody moves, so that a move writes one row only.
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
    move_seconds INTEGER,
    -- The server's seed of this game, secret until the game ends.
    server_seed  BLOB    NOT NULL CHECK (length(server_seed) = 32),
    status       TEXT    NOT NULL CHECK (status IN ('open', 'sealed', 'running', 'finished', 'void')),
    result       TEXT,
    created_at   INTEGER NOT NULL,
    sealed_at    INTEGER,
    started_at   INTEGER,
    finished_at  INTEGER
) STRICT;

-- The lobby lists public games by status, newest first.
CREATE INDEX game_listed ON game (status, id) WHERE visibility = 'public';

-- Tables that nobody fills are made void after a while; these few are looked through again and again.
CREATE INDEX game_open ON game (created_at) WHERE status = 'open';

-- Who sits where. A row goes when its player leaves an open game.
CREATE TABLE seat (
    game    INTEGER NOT NULL REFERENCES game (id),
    seat    INTEGER NOT NULL,
    player  INTEGER NOT NULL REFERENCES player (id),
    control TEXT    NOT NULL DEFAULT 'player' CHECK (control IN ('player', 'autopilot')),
    entropy TEXT    NOT NULL DEFAULT 'none' CHECK (entropy IN ('none', 'promised', 'revealed')),
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX seat_of_player ON seat (player, game);

-- The answer to a write that named an idempotency key, kept in the transaction of the write itself, so that
-- a second try gets it also after a crash. Rows older than a day are cleared away.
CREATE TABLE answer (
    player      INTEGER NOT NULL REFERENCES player (id),
    key         TEXT    NOT NULL,
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    body        BLOB    NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (player, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX answer_age ON answer (at);

-- The newest entries of all games, in the order in which they were written. There is no index but the row
-- number, on purpose: with one over (game, seq) every append touches a page somewhere in the middle, and
-- measured with ten million rows that is four times slower than appending at the end. Which rows belong to
-- which game is known in memory, from one scan of this table at the start; the one writer keeps the numbers of
-- a game without gap or double, and a lock beside the file keeps it the only one.
CREATE TABLE log (
    id     INTEGER PRIMARY KEY,
    game   INTEGER NOT NULL,
    seq    INTEGER NOT NULL,
    x      BLOB    NOT NULL,
    head   BLOB    NOT NULL,
    body   BLOB    NOT NULL,
    secret BLOB
) STRICT;

-- The earlier entries of a game, many in one blob. When the log has grown long, its older half is swept: every
-- game's rows go into a segment, and then the half is deleted as it lies. Reading a game then costs a few pages
-- instead of hundreds, a start reads the short log only, and finished games cost nothing. Measured with 64 callers,
-- moving game by game (as each ends, or has some hundreds of rows) gives half the appends a second, since every
-- deleted row then touches a page of its own.
CREATE TABLE segment (
    id      INTEGER PRIMARY KEY,
    game    INTEGER NOT NULL,
    first   INTEGER NOT NULL,
    last    INTEGER NOT NULL,
    entries BLOB    NOT NULL,
    CHECK (0 <= first AND first <= last)
) STRICT;

CREATE INDEX segment_of_game ON segment (game, first);

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
