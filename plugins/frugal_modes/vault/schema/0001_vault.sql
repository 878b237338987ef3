-- What is known of the sources and their cards. Everything but identity, former_id, access and learned can be read
-- from the files again. Times are UTC as the cards give them (text); *_ms are the same in milliseconds since 1970,
-- NULL where nothing is given or it cannot be read.

-- One registered place of cards; `vault` is the writable one. removed: not in the settings any more; detached: the
-- vault folder was moved to another place. Both keep their rows, hidden.
CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    root TEXT NOT NULL,
    options TEXT NOT NULL DEFAULT '{}',
    place INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL CHECK (state IN ('unread', 'ok', 'unreachable', 'missing', 'detached', 'removed')),
    last_good TEXT NOT NULL DEFAULT '',
    problem TEXT NOT NULL DEFAULT ''
) STRICT;

-- What is read at once: one file. is_trusted = 0: it was changed within 2 s of being read, so an equal size and time
-- prove nothing. beside: the stamps of what the unit depends on. also: further places of the same file, a JSON list.
CREATE TABLE unit (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES source (id),
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    beside TEXT NOT NULL DEFAULT '',
    file_hash TEXT NOT NULL,
    indexed_at TEXT NOT NULL,
    is_trusted INTEGER NOT NULL CHECK (is_trusted IN (0, 1)),
    is_missing INTEGER NOT NULL DEFAULT 0 CHECK (is_missing IN (0, 1)),
    also TEXT NOT NULL DEFAULT '[]',
    UNIQUE (source, path)
) STRICT;

CREATE INDEX unit_missing ON unit (source) WHERE is_missing = 1;

-- What could not be read: in a unit, or (unit NULL) while a source was listed. *path* is relative to the root.
CREATE TABLE problem (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES source (id),
    unit INTEGER REFERENCES unit (id),
    path TEXT NOT NULL,
    place TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT;

CREATE INDEX problem_of_source ON problem (source, path);
CREATE INDEX problem_of_unit ON problem (unit);

-- The number of a card, for ever. gone_since: no unit has it any more. file_hash and ordinal tell a renamed file.
CREATE TABLE identity (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    source INTEGER NOT NULL REFERENCES source (id),
    native_id TEXT NOT NULL,
    path TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    file_hash TEXT NOT NULL DEFAULT '',
    ordinal INTEGER NOT NULL DEFAULT 0,
    gone_since TEXT NOT NULL DEFAULT '',
    UNIQUE (source, native_id)
) STRICT;

CREATE INDEX identity_gone ON identity (source, content_hash) WHERE gone_since <> '';
CREATE INDEX identity_gone_file ON identity (source, file_hash) WHERE gone_since <> '';

-- Names that a card had before its file was moved; they still resolve.
CREATE TABLE former_id (
    source INTEGER NOT NULL REFERENCES source (id),
    native_id TEXT NOT NULL,
    number INTEGER NOT NULL REFERENCES identity (number),
    PRIMARY KEY (source, native_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX former_id_of ON former_id (number);

-- How often a card was read. It has no second source and outlives card and identity of a source that is away.
CREATE TABLE access (
    source INTEGER NOT NULL REFERENCES source (id),
    native_id TEXT NOT NULL,
    reads INTEGER NOT NULL CHECK (reads >= 0),
    last_read TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (source, native_id)
) STRICT, WITHOUT ROWID;

-- One searchable record as its file says it. Lists are JSON. folded_title, body_hash: for finding equal ones.
-- from_ms, until_ms: when its own front matter lets it be seen; ended_ms, successor: what cards together say
-- (written anew by `lineage` after each change). rank is the priority.
CREATE TABLE card (
    number INTEGER PRIMARY KEY REFERENCES identity (number),
    source INTEGER NOT NULL REFERENCES source (id),
    unit INTEGER NOT NULL REFERENCES unit (id),
    native_id TEXT NOT NULL,
    path TEXT NOT NULL,
    line INTEGER NOT NULL,
    member TEXT NOT NULL,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    agent TEXT NOT NULL,
    status TEXT NOT NULL,
    priority INTEGER NOT NULL,
    tags TEXT NOT NULL,
    aliases TEXT NOT NULL,
    links TEXT NOT NULL,
    headings TEXT NOT NULL,
    created TEXT NOT NULL,
    updated TEXT NOT NULL,
    expires TEXT NOT NULL,
    invalid_at TEXT NOT NULL,
    supersedes TEXT NOT NULL,
    superseded_by TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    folded_title TEXT NOT NULL,
    secrets TEXT NOT NULL,
    state TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_ms INTEGER,
    expires_ms INTEGER,
    invalid_ms INTEGER,
    ended_ms INTEGER,
    successor INTEGER
) STRICT;

CREATE INDEX card_of_unit ON card (unit);
CREATE INDEX card_of_source ON card (source, native_id);
CREATE INDEX card_by_hash ON card (content_hash, kind);
CREATE INDEX card_by_body ON card (body_hash);
CREATE INDEX card_by_title ON card (folded_title);
CREATE INDEX card_by_kind ON card (kind COLLATE NOCASE);
CREATE INDEX card_by_agent ON card (agent COLLATE NOCASE);
CREATE INDEX card_pointing ON card (number) WHERE supersedes <> '[]' OR superseded_by <> '[]';
CREATE INDEX card_ended ON card (number) WHERE ended_ms IS NOT NULL OR successor IS NOT NULL;

-- The body apart from everything else: looking at what a card is reads no text.
CREATE TABLE card_text (
    number INTEGER PRIMARY KEY REFERENCES card (number),
    body TEXT NOT NULL
) STRICT;

-- Which card answered which words; as in the memory.
CREATE TABLE learned (
    word_key TEXT NOT NULL,
    number INTEGER NOT NULL REFERENCES identity (number),
    question TEXT NOT NULL CHECK (length(question) <= 200),
    confirmed INTEGER NOT NULL DEFAULT 1 CHECK (confirmed >= 1),
    confirmed_at TEXT NOT NULL,
    misses INTEGER NOT NULL DEFAULT 0 CHECK (misses >= 0),
    PRIMARY KEY (word_key, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX learned_by_age ON learned (confirmed_at);
CREATE INDEX learned_by_number ON learned (number);

-- generation: grows with every change of the units. resume: where a sweep ran out of time. counts_taken_over: from
-- which database of memory-agent.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
