-- What lists go by stands beside each seat as well, and is in the indexes whole: a list costs what it shows, however many
-- games a player ever had. A change of a game's status touches its few seats too; a move touches none of it.
ALTER TABLE seat ADD COLUMN status TEXT NOT NULL DEFAULT 'open';
ALTER TABLE seat ADD COLUMN ruleset TEXT NOT NULL DEFAULT '';
ALTER TABLE seat ADD COLUMN visibility TEXT NOT NULL DEFAULT 'private';

UPDATE seat SET (status, ruleset, visibility) =
    (SELECT game.status, game.ruleset, game.visibility FROM game WHERE game.id = seat.game);

CREATE INDEX seat_listed ON seat (player, status, ruleset, visibility, game);

DROP INDEX game_listed;
CREATE INDEX game_listed ON game (status, ruleset, visibility, id);

-- How many games somebody began in a day.
CREATE INDEX game_begun ON game (creator, created_at);

-- Keys that signed for this database, the newest last: a server that finds another one beside it stops. Of a key that is
-- used no more there is the statement that says where it ended.
CREATE TABLE signing_key (
    id        INTEGER PRIMARY KEY,
    key       TEXT    NOT NULL UNIQUE,
    since     INTEGER NOT NULL,
    statement TEXT
) STRICT;
