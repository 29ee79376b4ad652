-- What plays for an account. Neither of these: a person. A level: a player of the server's own. An offer: somebody's program, and
-- what it takes part in, as JSON.
ALTER TABLE player ADD COLUMN level TEXT CHECK (level IN ('easy', 'middle', 'hard', 'hardest'));
ALTER TABLE player ADD COLUMN offer TEXT;

-- Programs are called by their names, so no two have the same.
CREATE UNIQUE INDEX player_program ON player (name) WHERE offer IS NOT NULL;
CREATE INDEX player_level ON player (level, id) WHERE level IS NOT NULL;
CREATE INDEX player_bot ON player (id) WHERE level IS NOT NULL OR offer IS NOT NULL;

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
