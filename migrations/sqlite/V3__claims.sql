-- Where the log ends of a game that is not running, so that a list need not look. Of games that ended before this column
-- was there, it says nothing, and the log is asked.
ALTER TABLE game ADD COLUMN seq INTEGER;
ALTER TABLE game ADD COLUMN head BLOB;

-- Nobody reads when a table was sealed: its log says so.
ALTER TABLE game DROP COLUMN sealed_at;

-- That an entry was written under an idempotency key: which (a digest of the player and its key), what the request was,
-- and the last entry of its commit. It stands in the row of the entry, so that a key costs no row of its own; which keys
-- there are is known in memory, from the scan of the log at the start.
ALTER TABLE log ADD COLUMN claim BLOB;

-- The claims of entries that were swept into segments, under the number that the row of the entry had in the log: they
-- come in that order, and the oldest are forgotten first, so that nothing in the middle is touched.
CREATE TABLE claim (
    id          INTEGER PRIMARY KEY,
    digest      BLOB    NOT NULL CHECK (length(digest) = 16),
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 16),
    at          INTEGER NOT NULL,
    game        INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    last        INTEGER NOT NULL
) STRICT;

-- The table `answer` keeps what does not follow from the log: refusals, and the answers that were kept before this.
