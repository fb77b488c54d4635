-- What the server keeps beside the record: whose an answer is, keys, long work, streams, feedback, experiments.

-- The collection that an answer was asked in. One that was recorded before belongs to that of its passages.
ALTER TABLE answers ADD COLUMN collection TEXT NOT NULL DEFAULT '';
UPDATE answers SET collection = coalesce((SELECT s.collection FROM answer_passages p JOIN sources s ON s.id = p.source
    WHERE p.answer = answers.number LIMIT 1), '');
CREATE INDEX answers_by_collection ON answers (collection, number);

-- What is counted over many answers, so that counting need not read them.
CREATE TABLE answer_facts (
    answer       INTEGER PRIMARY KEY REFERENCES answers (number) ON DELETE CASCADE,
    rag          INTEGER NOT NULL, -- segments by origin
    hybrid       INTEGER NOT NULL,
    llm          INTEGER NOT NULL,
    none         INTEGER NOT NULL,
    uncited      INTEGER NOT NULL, -- claims that cite nothing
    contradicted INTEGER NOT NULL, -- claims that a source denies
    sources      REAL NOT NULL,    -- share of what is claimed
    model        REAL NOT NULL,
    milliseconds INTEGER           -- from the question to the record; NULL where it was not measured
) STRICT;

-- Each place that an answer cites.
CREATE TABLE answer_citations (
    answer     INTEGER NOT NULL REFERENCES answers (number) ON DELETE CASCADE,
    place      INTEGER NOT NULL, -- 0 for the first
    number     INTEGER NOT NULL, -- as people see it
    source     TEXT NOT NULL REFERENCES sources (id),
    document   TEXT NOT NULL,
    start      INTEGER NOT NULL,
    stop       INTEGER NOT NULL,
    confidence REAL NOT NULL,
    PRIMARY KEY (answer, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_citations_by_source ON answer_citations (source, document);

-- A stored answer attributed again. Version 1 is the answer as it was recorded.
CREATE TABLE answer_versions (
    answer     INTEGER NOT NULL REFERENCES answers (number) ON DELETE CASCADE,
    version    INTEGER NOT NULL,
    cause      TEXT NOT NULL,
    engine     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    body       BLOB NOT NULL,
    PRIMARY KEY (answer, version)
) STRICT, WITHOUT ROWID;

-- Only the hash of a key is kept: who reads the file cannot use it.
CREATE TABLE keys (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    scope      TEXT NOT NULL,
    collection TEXT, -- NULL for all
    hash       BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

-- What a write answered, so that the same write sent again is answered the same and done once.
CREATE TABLE idempotency (
    owner      TEXT NOT NULL, -- who sent it
    key        TEXT NOT NULL,
    request    BLOB NOT NULL, -- hash of method, path and body
    status     INTEGER, -- NULL while it is being done
    media_type TEXT,
    body       BLOB,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (created_at);

-- Events of streams that ended, so that a reader who was cut off gets the rest.
CREATE TABLE streams (
    id         TEXT PRIMARY KEY,
    collection TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    events     BLOB NOT NULL -- JSON
) STRICT, WITHOUT ROWID;
CREATE INDEX streams_by_time ON streams (created_at);

CREATE TABLE jobs (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT NOT NULL UNIQUE,
    collection TEXT NOT NULL,
    state      TEXT NOT NULL,
    body       TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX jobs_by_collection ON jobs (collection, number);

-- What people say of the link between a segment and a source.
CREATE TABLE feedback (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT NOT NULL UNIQUE,
    collection TEXT NOT NULL,
    answer     INTEGER NOT NULL REFERENCES answers (number) ON DELETE CASCADE,
    segment    INTEGER NOT NULL, -- 1 for the first
    source     TEXT, -- of the library, or given with the question; NULL where it speaks of the segment as a whole
    verdict    TEXT NOT NULL,
    note       TEXT NOT NULL,
    given_by   TEXT NOT NULL, -- the key's id
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX feedback_by_collection ON feedback (collection, number);
CREATE INDEX feedback_by_answer ON feedback (answer);

CREATE TABLE experiments (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT NOT NULL UNIQUE,
    collection TEXT NOT NULL,
    state      TEXT NOT NULL,
    body       TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX experiments_by_collection ON experiments (collection, number);

-- What one unit (an answer) gave under both settings, and which of them was shown.
CREATE TABLE experiment_outcomes (
    experiment INTEGER NOT NULL REFERENCES experiments (number) ON DELETE CASCADE,
    place      INTEGER NOT NULL, -- 1 for the first
    unit       TEXT NOT NULL,
    arm        TEXT NOT NULL,
    a          REAL NOT NULL,
    b          REAL NOT NULL,
    PRIMARY KEY (experiment, place)
) STRICT, WITHOUT ROWID;

-- Whose a run is. One that is not here belongs to the collection without a name.
CREATE TABLE run_collections (
    run        TEXT PRIMARY KEY,
    collection TEXT NOT NULL
) STRICT, WITHOUT ROWID;
