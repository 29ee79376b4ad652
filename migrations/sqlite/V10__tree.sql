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
