-- The audit log in one table: an append wrote a page of the file for the entry, one for its payload and one for the signed
-- head, and waited for all three. Now what it adds stands side by side.
--
--   0 … n-1   entries: only ever added. Their payloads, which hold what personal data there is, can be erased.
--   n         the head: no kind, and the signed checkpoint over the n entries as its data. The next entry takes its place.
--
-- The tree has no table of its own: an entry's row holds its hash and the roots of the subtrees that it completes. That rows
-- belong to each other is proven by hashes.

CREATE TABLE log (
    number     INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL, -- never before the row before
    clock      INTEGER, -- what the clock showed, where it was behind
    kind       TEXT NOT NULL,
    commitment BLOB NOT NULL, -- to the payload
    hashes     BLOB NOT NULL, -- 32 bytes each: the entry's own, then those of the subtrees that it completes, the smallest first
    salt       BLOB, -- with the payload: NULL where that was erased
    data       BLOB  -- last, as it may be long
) STRICT;

INSERT INTO log SELECT e.number, e.at, e.clock, e.kind, e.commitment, e.hashes, p.salt, p.data
    FROM log_entries e LEFT JOIN log_payloads p ON p.entry = e.number ORDER BY e.number;
INSERT INTO log SELECT coalesce((SELECT max(number) FROM log_entries), -1) + 1, 0, NULL, '', x'', x'', NULL, CAST(note AS BLOB)
    FROM log_head;

CREATE INDEX log_own ON log (kind) WHERE kind IN ('key', 'erasure');

DROP TABLE log_entries;
DROP TABLE log_payloads;
DROP TABLE log_head;
