-- The audit log: entries that are only ever added, a Merkle tree over them, and the signed head.
--
--   log_entries 1──0..1 log_payloads
--
-- The tree has no table of its own: an entry's row holds its hash and the roots of the subtrees that it completes. What
-- personal data there is stands in log_payloads alone, whose rows can be erased; entries hold salted commitments to them.
-- That rows belong to each other is proven by hashes, so no foreign key is looked up for each entry.

CREATE TABLE log_entries (
    number     INTEGER PRIMARY KEY, -- 0, 1, 2 …
    at         INTEGER NOT NULL, -- never before the row before
    clock      INTEGER, -- what the clock showed, where it was behind
    kind       TEXT NOT NULL,
    commitment BLOB NOT NULL, -- to the payload
    hashes     BLOB NOT NULL -- 32 bytes each: the entry's own, then those of the subtrees that it completes, the smallest first
) STRICT;
CREATE INDEX log_keys ON log_entries (number) WHERE kind = 'key';
CREATE INDEX log_erasures ON log_entries (number) WHERE kind = 'erasure';

CREATE TABLE log_payloads (
    entry INTEGER PRIMARY KEY,
    salt  BLOB NOT NULL,
    data  BLOB NOT NULL
) STRICT;

-- One row: the signed checkpoint over all entries.
CREATE TABLE log_head (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    note TEXT NOT NULL
) STRICT;

-- The checkpoints at which the key changed, signed by the old key and the new one.
CREATE TABLE log_checkpoints (
    size INTEGER PRIMARY KEY,
    note TEXT NOT NULL
) STRICT;
