-- A player has several tokens, each with its rights, and a code that brings a lost account back. A table whose columns are
-- to be taken away is written anew; the checks of references are off meanwhile, and made once at the end.
CREATE TABLE new_player (
    id             INTEGER PRIMARY KEY,
    uuid           BLOB    NOT NULL UNIQUE CHECK (length(uuid) = 16),
    -- Null for a player who has left for good.
    name           TEXT,
    -- The SHA-256 of the recovery code. While a recovery is under way, also that of the code which takes its place when the
    -- token is used that came with it, and what both were derived with.
    recovery       BLOB    UNIQUE CHECK (length(recovery) = 32),
    next_recovery  BLOB    UNIQUE CHECK (length(next_recovery) = 32),
    recovery_nonce BLOB    CHECK (length(recovery_nonce) = 32),
    created_at     INTEGER NOT NULL
) STRICT;

INSERT INTO new_player (id, uuid, name, created_at) SELECT id, uuid, name, created_at FROM player;

-- A token is kept as its SHA-256 only, so that a stolen database opens no account.
CREATE TABLE token (
    id         INTEGER PRIMARY KEY,
    uuid       BLOB    NOT NULL UNIQUE CHECK (length(uuid) = 16),
    player     INTEGER NOT NULL REFERENCES player (id),
    digest     BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    name       TEXT    NOT NULL,
    -- The scopes, a bit each: read, play, account.
    scopes     INTEGER NOT NULL,
    -- The one game that it is for, if it is for one.
    game       BLOB    CHECK (length(game) = 16),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    -- To the hour.
    used_at    INTEGER,
    -- The first use of such a token ends the one that it replaces, and makes the next recovery code the one that counts.
    is_pending INTEGER NOT NULL DEFAULT 0,
    replaces   INTEGER
) STRICT;

CREATE INDEX token_of_player ON token (player, id);

-- The one token that a player had has all rights. Its id is that of its player, which no other token has.
INSERT INTO token (uuid, player, digest, name, scopes, created_at)
    SELECT uuid, id, token, 'first', 7, created_at FROM player;

DROP TABLE player;
ALTER TABLE new_player RENAME TO player;

-- A code for another device of a player: one at a time, for one use.
CREATE TABLE link (
    player     INTEGER PRIMARY KEY REFERENCES player (id),
    digest     BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    until      INTEGER NOT NULL,
    scopes     INTEGER NOT NULL,
    expires_at INTEGER
) STRICT;

-- How many games a player has finished that others could see, and how many of them it won.
CREATE TABLE tally (
    player  INTEGER NOT NULL REFERENCES player (id),
    ruleset TEXT    NOT NULL,
    played  INTEGER NOT NULL,
    won     INTEGER NOT NULL,
    PRIMARY KEY (player, ruleset)
) STRICT, WITHOUT ROWID;

INSERT INTO tally (player, ruleset, played, won)
    SELECT seat.player, game.ruleset, count(*), sum(EXISTS (
        SELECT 1 FROM json_each(game.result) AS placed
        WHERE placed.value ->> 'seat' = seat.seat AND placed.value ->> 'place' = 1
    ))
    FROM seat JOIN game ON game.id = seat.game
    WHERE game.status = 'finished' AND game.visibility <> 'private'
    GROUP BY seat.player, game.ruleset;
