-- When the server must act on a game by itself: decide for a seat whose time has run out, or give up waiting for bytes
-- that were promised. Only games with a clock and sealed ones have a deadline, so that only their moves write here.
ALTER TABLE game ADD COLUMN deadline INTEGER;

CREATE INDEX game_due ON game (deadline) WHERE deadline IS NOT NULL;

-- Games from before are looked at once, and get their true deadline then.
UPDATE game SET deadline = 0 WHERE status = 'sealed' OR (status = 'running' AND move_seconds IS NOT NULL);
