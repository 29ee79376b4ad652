-- The format of a game's log, and what the table agreed on beside its rules. Games that stand are of the first format.
ALTER TABLE game ADD COLUMN format INTEGER NOT NULL DEFAULT 1 CHECK (format IN (1, 2));
ALTER TABLE game ADD COLUMN bank_seconds INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN takebacks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN substitutes INTEGER NOT NULL DEFAULT 0;

-- How a game ended; null for one that ended before rows said so.
ALTER TABLE game ADD COLUMN ending TEXT CHECK (ending IN ('finished', 'resigned', 'abandoned', 'void'));

-- A seat that resigned is played by the autopilot, for good or until another player gets it.
ALTER TABLE seat ADD COLUMN resigned INTEGER NOT NULL DEFAULT 0;

-- What a player has planned for its seat. It goes with its player, and when the game ends.
CREATE TABLE plan (
    game   INTEGER NOT NULL REFERENCES game (id),
    seat   INTEGER NOT NULL,
    player INTEGER NOT NULL REFERENCES player (id),
    plan   TEXT    NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

-- A code that offers a seat to another player, and who has asked for it, with which keys. One for each seat at a time.
CREATE TABLE substitution (
    game   INTEGER NOT NULL REFERENCES game (id),
    seat   INTEGER NOT NULL,
    player INTEGER NOT NULL REFERENCES player (id),
    uuid   BLOB    NOT NULL UNIQUE CHECK (length(uuid) = 16),
    code   TEXT    NOT NULL UNIQUE,
    asker  INTEGER REFERENCES player (id),
    keys   TEXT,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;
