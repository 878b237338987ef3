-- The sources an entry names. Equality of keys finds the other entries of the same source.
CREATE TABLE source (
    entry_id INTEGER NOT NULL REFERENCES entry (id),
    type TEXT NOT NULL CHECK (type IN ('arxiv', 'doi', 'isbn', 'url')),
    key TEXT NOT NULL CHECK (length(key) >= 1),
    PRIMARY KEY (entry_id, type, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX source_by_key ON source (type, key, entry_id);
