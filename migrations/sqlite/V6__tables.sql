-- A table that asks the players of a finished game to another one. There is one for each at a time.
ALTER TABLE game ADD COLUMN rematch_of INTEGER REFERENCES game (id);
CREATE UNIQUE INDEX game_rematch ON game (rematch_of) WHERE rematch_of IS NOT NULL AND status <> 'void';

-- A table is found by the code that its players hand on.
CREATE UNIQUE INDEX game_invite ON game (invite) WHERE invite IS NOT NULL;

-- What a player wrote down for itself, and the entry at which it did.
CREATE TABLE note (
    game   INTEGER NOT NULL REFERENCES game (id),
    player INTEGER NOT NULL REFERENCES player (id),
    text   TEXT    NOT NULL,
    seq    INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX note_of_player ON note (player);

-- What the seats of a game say to each other. No part of its log.
CREATE TABLE message (
    id     INTEGER PRIMARY KEY,
    game   INTEGER NOT NULL REFERENCES game (id),
    seat   INTEGER NOT NULL,
    player INTEGER NOT NULL REFERENCES player (id),
    text   TEXT    NOT NULL,
    at     INTEGER NOT NULL
) STRICT;

CREATE INDEX message_of_game ON message (game, id);

-- A player who does not want to hear another one at a game.
CREATE TABLE mute (
    game   INTEGER NOT NULL REFERENCES game (id),
    player INTEGER NOT NULL REFERENCES player (id),
    muted  INTEGER NOT NULL REFERENCES player (id),
    PRIMARY KEY (game, player, muted)
) STRICT, WITHOUT ROWID;

-- Lists tell games with a clock from those without.
ALTER TABLE game ADD COLUMN has_clock INTEGER GENERATED ALWAYS AS (move_seconds IS NOT NULL) VIRTUAL;
DROP INDEX game_listed;
CREATE INDEX game_listed ON game (status, ruleset, visibility, has_clock, id);
