-- Runs of agents, what they retrieved and claimed; policies; what waits for a person.
--
--   runs 1──n run_sources n──1 snapshots
--   runs 1──n run_claims n──0..1 run_sources
--
-- What is recorded here is only ever added to. A run that is finished has its verdict and takes nothing more.

CREATE TABLE runs (
    id          TEXT PRIMARY KEY,
    number      INTEGER NOT NULL UNIQUE, -- the order in which they began
    started_at  INTEGER NOT NULL,
    finished_at INTEGER, -- NULL while it goes on
    verdict     TEXT -- JSON
) STRICT;

-- What was retrieved, once, by its hash. Bytes, as they came.
CREATE TABLE snapshots (
    id   TEXT PRIMARY KEY,
    body BLOB NOT NULL
) STRICT;

-- One retrieval each: the same address twice is two rows. A reference may be kept whose snapshot is not.
CREATE TABLE run_sources (
    run        TEXT NOT NULL REFERENCES runs (id),
    hash       TEXT NOT NULL, -- of all of it
    agent      TEXT NOT NULL,
    call       INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    snapshot   TEXT NOT NULL, -- hash, or '' where none was taken
    body       TEXT NOT NULL, -- JSON
    PRIMARY KEY (run, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_claims (
    run    TEXT NOT NULL REFERENCES runs (id),
    id     TEXT NOT NULL,
    agent  TEXT NOT NULL,
    number INTEGER NOT NULL,
    source TEXT, -- hash; NULL where it has none
    body   TEXT NOT NULL, -- JSON, without the source
    PRIMARY KEY (run, id),
    FOREIGN KEY (run, source) REFERENCES run_sources (run, hash)
) STRICT, WITHOUT ROWID;

-- Every policy that a decision was made by, and which is in use.
CREATE TABLE policies (
    version TEXT PRIMARY KEY,
    body    TEXT NOT NULL, -- JSON
    in_use  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE reviews (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT NOT NULL UNIQUE,
    decided_at INTEGER, -- NULL while it waits
    body       TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX reviews_waiting ON reviews (number) WHERE decided_at IS NULL;
