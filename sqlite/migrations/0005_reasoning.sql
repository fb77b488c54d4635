-- Long work that can be taken up again.

-- A study is written over as it goes on. What it found is recorded as answers, which never change; the body holds their ids
-- and what was gathered from them.
CREATE TABLE studies (
    id         TEXT PRIMARY KEY,
    topic      TEXT NOT NULL,
    done       INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    body       BLOB NOT NULL -- the whole study as JSON
) STRICT;
CREATE INDEX studies_by_update ON studies (updated_at);
