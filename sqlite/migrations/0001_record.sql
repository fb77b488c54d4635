-- The record: what was read, and what was answered from it.
--
--   sources 1──n versions n──1 documents 1──n chunks
--   conversations 1──n answers n──n versions
--
-- Times are microseconds since 1970, UTC. A document is stored once, however many sources say the same. A chunk's text is
-- not stored: it is the document's text at its span.

-- One row. The identity tells this store from any other, so that an index made from another one is not believed.
CREATE TABLE store (
    identity TEXT NOT NULL
) STRICT;
INSERT INTO store (identity) VALUES (lower(hex(randomblob(16))));

-- A removed source is kept, unseen, for as long as a recorded answer rests on it.
CREATE TABLE sources (
    id         TEXT PRIMARY KEY,
    collection TEXT NOT NULL,
    uri        TEXT NOT NULL,
    reference  TEXT NOT NULL, -- CSL-JSON
    added_at   INTEGER NOT NULL,
    removed    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (collection, uri)
) STRICT;

-- The key keeps the rows that point here small.
CREATE TABLE documents (
    key     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE, -- hash of the text
    length  INTEGER NOT NULL, -- of the text, in bytes
    outline TEXT -- JSON; NULL where there is none
) STRICT;

-- The text of a document in pieces of 32768 bytes, so that a passage of a thick book does not cost the whole book. They are
-- bytes, as anchors count bytes, pieces may cut a character, and a text may hold NUL.
CREATE TABLE texts (
    document INTEGER NOT NULL REFERENCES documents (key) ON DELETE CASCADE,
    piece    INTEGER NOT NULL, -- 0 for the first
    bytes    BLOB NOT NULL,
    PRIMARY KEY (document, piece)
) STRICT;

CREATE TABLE versions (
    source     TEXT NOT NULL REFERENCES sources (id),
    version    INTEGER NOT NULL,
    document   INTEGER NOT NULL REFERENCES documents (key),
    media_type TEXT NOT NULL,
    fetched_at INTEGER NOT NULL,
    PRIMARY KEY (source, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX versions_by_document ON versions (document);

CREATE TABLE chunks (
    document INTEGER NOT NULL REFERENCES documents (key) ON DELETE CASCADE,
    ordinal  INTEGER NOT NULL,
    start    INTEGER NOT NULL,
    stop     INTEGER NOT NULL,
    heading  TEXT, -- JSON; NULL where there is none
    page     INTEGER NOT NULL,
    breaks   TEXT, -- JSON; NULL where there is none
    runes    INTEGER NOT NULL, -- before the chunk
    utf16    INTEGER NOT NULL, -- before the chunk
    PRIMARY KEY (document, ordinal)
) STRICT, WITHOUT ROWID;

-- The last change of each source that ever was. What follows the record asks for those after the one it saw last. The
-- sequence only grows, also when its greatest row is replaced.
CREATE TABLE changes (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE conversations (
    id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- The number is the order of recording.
CREATE TABLE answers (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT NOT NULL UNIQUE,
    conversation TEXT REFERENCES conversations (id),
    question     TEXT NOT NULL,
    model        TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    body         BLOB NOT NULL -- the whole answer as JSON
) STRICT;
CREATE INDEX answers_by_conversation ON answers (conversation, number) WHERE conversation IS NOT NULL;

-- What an answer rests on, and so what must stay.
CREATE TABLE answer_passages (
    answer   INTEGER NOT NULL REFERENCES answers (number) ON DELETE CASCADE,
    source   TEXT NOT NULL REFERENCES sources (id),
    document INTEGER NOT NULL REFERENCES documents (key),
    PRIMARY KEY (answer, source, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_passages_by_source ON answer_passages (source, document);
CREATE INDEX answer_passages_by_document ON answer_passages (document);
