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

-- Keys of the server's own that follow from no other.
CREATE TABLE own_key (
    purpose TEXT PRIMARY KEY,
    key     BLOB NOT NULL
) STRICT;
