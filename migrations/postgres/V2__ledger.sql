-- The first version of the schema for servers that share one database, of 0.3.0. Numbers are drawn by the nodes themselves
-- (milliseconds, then chance), so nobody waits for a sequence. There are no foreign keys: one from the log to its game would
-- lock the game's row with every move.

-- One row: which ledger this is, and who may work on it.
CREATE TABLE ledger (
    one     int4 PRIMARY KEY CHECK (one = 1),
    id      uuid NOT NULL,
    -- The newest migration, and the oldest program (by its own newest migration) that may still serve beside it.
    version int4 NOT NULL,
    oldest  int4 NOT NULL,
    -- How often a hook was added, changed or taken away: every node knows them all.
    hooks   int8 NOT NULL DEFAULT 0,
    -- A file is being carried in; nobody serves meanwhile.
    moving  bool NOT NULL DEFAULT false
);

-- The servers that work on it, and when each was here last.
CREATE TABLE node (id uuid PRIMARY KEY, seen int8 NOT NULL);

-- Transactions that were committed, for an hour: whoever lost the answer to a commit sends all of it again under its id.
CREATE TABLE done (id uuid PRIMARY KEY, at int8 NOT NULL);
CREATE INDEX done_age ON done USING brin (at);

CREATE TABLE player (
    id             int8 PRIMARY KEY,
    uuid           uuid NOT NULL UNIQUE,
    -- Null for a player who has left for good.
    name           text,
    -- The SHA-256 of the recovery code, and while a recovery is under way of the next one, and what both were derived with.
    recovery       bytea UNIQUE,
    next_recovery  bytea UNIQUE,
    recovery_nonce bytea,
    created_at     int8 NOT NULL,
    level          text,
    offer          text,
    -- Until when the operator has suspended the account.
    banned_until   int8
);
CREATE UNIQUE INDEX player_program ON player (name) WHERE offer IS NOT NULL;
CREATE INDEX player_level ON player (level, id) WHERE level IS NOT NULL;
CREATE INDEX player_bot ON player (id) WHERE level IS NOT NULL OR offer IS NOT NULL;

-- A token is kept as its SHA-256 only, so that a stolen database opens no account.
CREATE TABLE token (
    id         int8 PRIMARY KEY,
    uuid       uuid  NOT NULL UNIQUE,
    player     int8  NOT NULL,
    digest     bytea NOT NULL UNIQUE,
    name       text  NOT NULL,
    scopes     int4  NOT NULL,
    game       uuid,
    created_at int8  NOT NULL,
    expires_at int8,
    used_at    int8,
    is_pending bool  NOT NULL DEFAULT false,
    replaces   int8,
    app        uuid
);
CREATE INDEX token_of_player ON token (player, id);
CREATE INDEX token_of_app ON token (app) WHERE app IS NOT NULL;

-- An app that a player has connected by OAuth. Until its code is exchanged it has no refresh token.
CREATE TABLE app (
    uuid       uuid  PRIMARY KEY,
    player     int8  NOT NULL,
    client     text  NOT NULL,
    name       text  NOT NULL,
    scopes     int4  NOT NULL,
    game       uuid,
    created_at int8  NOT NULL,
    expires_at int8  NOT NULL,
    code       bytea NOT NULL UNIQUE,
    code_until int8  NOT NULL,
    redirect   text  NOT NULL,
    challenge  bytea NOT NULL,
    refresh    bytea UNIQUE,
    next       bytea UNIQUE,
    spent      bytea UNIQUE,
    lost       bytea UNIQUE
);
CREATE INDEX app_of_player ON app (player, uuid);

CREATE TABLE link (
    player     int8 PRIMARY KEY,
    digest     bytea NOT NULL UNIQUE,
    until      int8  NOT NULL,
    scopes     int4  NOT NULL,
    name       text  NOT NULL,
    expires_at int8,
    key        bytea,
    proof      bytea
);

-- Statements that two keys belong to one player. One that waits for the signature of its other key lacks it.
CREATE TABLE device (
    player  int8  NOT NULL,
    low     bytea NOT NULL,
    high    bytea NOT NULL,
    by_low  bytea,
    by_high bytea,
    proof   bytea,
    at      int8  NOT NULL,
    PRIMARY KEY (player, low, high)
);

-- Stands for a token for a minute, and for one stream.
CREATE TABLE ticket (digest bytea PRIMARY KEY, token bytea NOT NULL, until int8 NOT NULL);

CREATE TABLE tally (
    player  int8 NOT NULL,
    ruleset text NOT NULL,
    played  int8 NOT NULL,
    won     int8 NOT NULL,
    PRIMARY KEY (player, ruleset)
);

CREATE TABLE game (
    id           int8 PRIMARY KEY,
    uuid         uuid  NOT NULL UNIQUE,
    creator      int8  NOT NULL,
    ruleset      text  NOT NULL,
    version      int4  NOT NULL,
    seats        int4  NOT NULL,
    options      text  NOT NULL,
    title        text,
    visibility   text  NOT NULL,
    invite       text  UNIQUE,
    move_seconds int4,
    -- The server's seed of this game, secret until the game ends.
    server_seed  bytea NOT NULL,
    status       text  NOT NULL,
    result       text,
    ending       text,
    created_at   int8  NOT NULL,
    started_at   int8,
    finished_at  int8,
    seq          int4,
    head         bytea,
    rematch_of   int8,
    format       int4  NOT NULL,
    bank_seconds int4  NOT NULL,
    takebacks    bool  NOT NULL,
    substitutes  bool  NOT NULL,
    rated        bool  NOT NULL,
    has_clock    bool  NOT NULL GENERATED ALWAYS AS (move_seconds IS NOT NULL) STORED,
    -- How often something changed that a node has in memory and that stands in no log: names, seats, plans.
    beside       int8  NOT NULL DEFAULT 0
);
CREATE INDEX game_listed ON game (status, ruleset, visibility, has_clock, id);
CREATE INDEX game_open ON game (created_at) WHERE status = 'open';
CREATE INDEX game_begun ON game (creator, created_at);
CREATE UNIQUE INDEX game_rematch ON game (rematch_of) WHERE rematch_of IS NOT NULL AND status <> 'void';

CREATE TABLE seat (
    game       int8 NOT NULL,
    seat       int4 NOT NULL,
    player     int8 NOT NULL,
    control    text NOT NULL DEFAULT 'player',
    entropy    text NOT NULL DEFAULT 'none',
    resigned   bool NOT NULL DEFAULT false,
    status     text NOT NULL,
    ruleset    text NOT NULL,
    visibility text NOT NULL,
    PRIMARY KEY (game, seat)
);
CREATE UNIQUE INDEX seat_of_player ON seat (player, game);
CREATE INDEX seat_listed ON seat (player, status, ruleset, visibility, game);

-- The truth. Whoever inserts (game, seq) first has moved; there is no other owner of a game.
CREATE TABLE log (
    game   int8  NOT NULL,
    seq    int4  NOT NULL,
    -- When it was written, by the clock of the database as its node knew it. Some seconds may lie between this and the commit.
    at     int8  NOT NULL,
    x      bytea NOT NULL,
    head   bytea NOT NULL,
    body   bytea NOT NULL,
    secret bytea,
    -- Whether the head always goes into the public tree.
    landmark bool NOT NULL,
    PRIMARY KEY (game, seq)
);
-- Rows lie nearly in the order of their times, so that this index costs next to nothing.
CREATE INDEX log_age ON log USING brin (at) WITH (pages_per_range = 16, autosummarize = on);

-- When the server must act on a game by itself. Apart from `game`, whose rows are wide.
CREATE TABLE due (game int8 PRIMARY KEY, at int8 NOT NULL, held_until int8 NOT NULL DEFAULT 0);
CREATE INDEX due_at ON due (at);

-- That an entry was written under an idempotency key (a digest of the player and its key).
CREATE TABLE claim (
    digest      bytea PRIMARY KEY,
    fingerprint bytea NOT NULL,
    at          int8  NOT NULL,
    game        int8  NOT NULL,
    seq         int4  NOT NULL,
    last        int4  NOT NULL
);
CREATE INDEX claim_age ON claim USING brin (at);

-- Answers to requests under a key that wrote nothing.
CREATE TABLE answer (
    player      int8  NOT NULL,
    key         text  NOT NULL,
    fingerprint bytea NOT NULL,
    body        bytea NOT NULL,
    at          int8  NOT NULL,
    PRIMARY KEY (player, key)
);
CREATE INDEX answer_age ON answer (at);

CREATE TABLE note (
    game   int8 NOT NULL,
    player int8 NOT NULL,
    text   text NOT NULL,
    seq    int4 NOT NULL,
    at     int8 NOT NULL,
    PRIMARY KEY (game, player)
);
CREATE INDEX note_of_player ON note (player);

CREATE TABLE message (
    game   int8 NOT NULL,
    id     int8 NOT NULL,
    seat   int4 NOT NULL,
    player int8 NOT NULL,
    text   text NOT NULL,
    at     int8 NOT NULL,
    PRIMARY KEY (game, id)
);
CREATE INDEX message_of_player ON message (player);

CREATE TABLE mute (game int8 NOT NULL, player int8 NOT NULL, muted int8 NOT NULL, PRIMARY KEY (game, player, muted));

CREATE TABLE plan (
    game   int8 NOT NULL,
    seat   int4 NOT NULL,
    player int8 NOT NULL,
    plan   text NOT NULL,
    PRIMARY KEY (game, seat)
);

CREATE TABLE substitution (
    game   int8 NOT NULL,
    seat   int4 NOT NULL,
    player int8 NOT NULL,
    uuid   uuid NOT NULL UNIQUE,
    code   text NOT NULL UNIQUE,
    asker  int8,
    taken  text,
    PRIMARY KEY (game, seat)
);

CREATE TABLE exploration (
    uuid       uuid PRIMARY KEY,
    player     int8  NOT NULL,
    game       int8  NOT NULL,
    seq        int4  NOT NULL,
    seat       int4,
    seed       bytea NOT NULL,
    levels     text  NOT NULL,
    commands   text  NOT NULL,
    created_at int8  NOT NULL
);
CREATE INDEX exploration_of_player ON exploration (player, created_at);
CREATE INDEX exploration_age ON exploration (created_at);

CREATE TABLE hook (
    id            int8 PRIMARY KEY,
    uuid          uuid  NOT NULL UNIQUE,
    player        int8  NOT NULL,
    game          int8,
    way           text  NOT NULL,
    target        text  NOT NULL,
    secret        bytea NOT NULL,
    settings      text  NOT NULL,
    state         text  NOT NULL,
    failing_since int8,
    failures      int4  NOT NULL DEFAULT 0,
    rests_until   int8  NOT NULL DEFAULT 0,
    created_at    int8  NOT NULL
);
CREATE INDEX hook_of_player ON hook (player);
CREATE INDEX hook_of_game ON hook (game) WHERE game IS NOT NULL;
CREATE INDEX hook_unproved ON hook (created_at) WHERE state = 'unproved';

CREATE TABLE delivery (
    id       int8 PRIMARY KEY,
    hook     int8 NOT NULL,
    message  text NOT NULL,
    body     text NOT NULL,
    at       int8 NOT NULL,
    due      int8,
    tries    int4 NOT NULL DEFAULT 0,
    outcome  text,
    failure  text,
    status   int4,
    tried_at int8,
    -- The server that sends it, as long as it lives.
    held_by  uuid,
    UNIQUE (hook, message)
);
CREATE INDEX delivery_due ON delivery (hook, due) WHERE due IS NOT NULL;
CREATE INDEX delivery_settled ON delivery (at) WHERE due IS NULL;

CREATE TABLE quiet (player int8 PRIMARY KEY, utc_offset int4 NOT NULL, from_minute int4, to_minute int4);

-- Acts of operators, for everyone to read.
CREATE TABLE act (
    uuid     uuid PRIMARY KEY,
    at       int8 NOT NULL,
    operator text NOT NULL,
    what     text NOT NULL,
    player   uuid,
    game     uuid,
    details  text NOT NULL,
    reason   text NOT NULL
);
CREATE INDEX act_about_player ON act (player, uuid) WHERE player IS NOT NULL;
CREATE INDEX act_about_game ON act (game, uuid) WHERE game IS NOT NULL;

-- Settings that operators change while the servers run, and banned addresses, as JSON.
CREATE TABLE setting (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE operator_token (
    uuid       uuid PRIMARY KEY,
    digest     bytea NOT NULL UNIQUE,
    name       text NOT NULL,
    created_at int8 NOT NULL,
    expires_at int8 NOT NULL
);

CREATE TABLE invitation (
    uuid       uuid PRIMARY KEY,
    digest     bytea NOT NULL UNIQUE,
    note       text NOT NULL,
    uses       int4 NOT NULL,
    created_at int8 NOT NULL,
    expires_at int8 NOT NULL
);

CREATE TABLE report (
    uuid      uuid PRIMARY KEY,
    reporter  int8,
    subject   text NOT NULL,
    body      text NOT NULL,
    at        int8 NOT NULL,
    closed_at int8,
    UNIQUE (reporter, subject)
);
CREATE INDEX report_open ON report (uuid) WHERE closed_at IS NULL;

CREATE TABLE block (
    player  int8 NOT NULL,
    blocked int8 NOT NULL,
    at      int8 NOT NULL,
    PRIMARY KEY (player, blocked)
);
CREATE INDEX block_of ON block (blocked);

CREATE TABLE pulse (id int4 PRIMARY KEY CHECK (id = 1), at int8 NOT NULL);

CREATE TABLE own_key (purpose text PRIMARY KEY, key bytea NOT NULL);

CREATE TABLE signing_key (id int8 PRIMARY KEY, key text NOT NULL UNIQUE, since int8 NOT NULL, statement text);

CREATE TABLE leaf (id int8 PRIMARY KEY, game int8 NOT NULL, seq int4 NOT NULL, head bytea NOT NULL);
CREATE INDEX leaf_of_game ON leaf (game, seq);

CREATE TABLE tree_node (level int4 NOT NULL, place int8 NOT NULL, hash bytea NOT NULL, PRIMARY KEY (level, place));

CREATE TABLE tree_key (id int8 PRIMARY KEY, origin text NOT NULL UNIQUE, key text NOT NULL, since int8 NOT NULL);

CREATE TABLE tree (
    one       int4 PRIMARY KEY CHECK (one = 1),
    size      int8 NOT NULL,
    upto      int8 NOT NULL,
    note      text,
    published int8 NOT NULL DEFAULT 0,
    pinned    int8 NOT NULL DEFAULT 0
);

CREATE TABLE pinned (game int8 PRIMARY KEY, seq int4 NOT NULL, leaf int8 NOT NULL);

-- Nothing that was played can be changed or lost, whatever a bug or a hand at the console tries.
CREATE FUNCTION is_append_only() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''% is append-only'', TG_TABLE_NAME; END';
CREATE TRIGGER log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log EXECUTE FUNCTION is_append_only();
CREATE TRIGGER leaf_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON leaf EXECUTE FUNCTION is_append_only();
CREATE TRIGGER node_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tree_node EXECUTE FUNCTION is_append_only();
CREATE TRIGGER tree_is_never_lost BEFORE DELETE OR TRUNCATE ON tree EXECUTE FUNCTION is_append_only();
CREATE FUNCTION tree_never_shrinks() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN IF NEW.size < OLD.size OR NEW.upto < OLD.upto OR NEW.published < OLD.published OR NEW.pinned < OLD.pinned
     THEN RAISE EXCEPTION ''the tree is append-only''; END IF; RETURN NEW; END';
CREATE TRIGGER tree_never_shrinks BEFORE UPDATE ON tree FOR EACH ROW EXECUTE FUNCTION tree_never_shrinks();
