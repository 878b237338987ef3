-- What an entry is, apart from everything that can be recomputed from it.
-- entry: what was written; only `also` and derived columns are ever updated.
-- entry_state: what changes; narrow, so that filters and counts do not read the pages of the texts.

CREATE TABLE memo (
    id INTEGER PRIMARY KEY,
    subject TEXT NOT NULL DEFAULT '' CHECK (length(subject) <= 60),
    pieces INTEGER NOT NULL CHECK (pieces >= 1),
    first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL CHECK (last_id >= first_id)
) STRICT;

CREATE TABLE sitting (
    id INTEGER PRIMARY KEY,
    process_key TEXT NOT NULL,
    tags_key TEXT NOT NULL,
    last_at TEXT NOT NULL
) STRICT;

CREATE INDEX sitting_of_process ON sitting (process_key, tags_key);

CREATE TABLE entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    text TEXT NOT NULL CHECK (text <> ''),
    title TEXT NOT NULL,
    also TEXT NOT NULL DEFAULT '' CHECK (length(also) <= 600),
    created_at TEXT NOT NULL CHECK (length(created_at) = 19),
    identity BLOB NOT NULL,
    sitting_id INTEGER REFERENCES sitting (id),
    evidence TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX entry_by_identity ON entry (identity);
CREATE INDEX entry_by_sitting ON entry (sitting_id, id) WHERE sitting_id IS NOT NULL;
CREATE INDEX entry_by_origin ON entry (origin) WHERE origin <> '';

CREATE TABLE entry_state (
    entry_id INTEGER PRIMARY KEY REFERENCES entry (id),
    kind TEXT NOT NULL,
    kind_at TEXT,
    live INTEGER NOT NULL DEFAULT 1 CHECK (live IN (0, 1)),
    times_stored INTEGER NOT NULL DEFAULT 1 CHECK (times_stored >= 1),
    memo_id INTEGER REFERENCES memo (id),
    memo_position INTEGER CHECK (memo_position >= 1),
    CHECK ((memo_id IS NULL) = (memo_position IS NULL))
) STRICT;

CREATE INDEX entry_state_by_memo ON entry_state (memo_id, memo_position) WHERE memo_id IS NOT NULL;
CREATE INDEX entry_state_by_kind ON entry_state (live, kind);

-- The log only grows. Reasons of ours are codes; what a user wrote stands in `reason` as written.
CREATE TABLE event (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    entry_id INTEGER NOT NULL REFERENCES entry (id),
    action TEXT NOT NULL CHECK (action IN ('superseded', 'restored', 'kind', 'tags', 'also', 'erased')),
    successor_id INTEGER REFERENCES entry (id),
    reason TEXT,
    detail TEXT,
    at TEXT NOT NULL
) STRICT;

CREATE INDEX event_by_entry ON event (entry_id, seq);

CREATE TABLE entry_tag (
    entry_id INTEGER NOT NULL REFERENCES entry (id),
    position INTEGER NOT NULL,
    spelling TEXT NOT NULL CHECK (length(spelling) BETWEEN 1 AND 64),
    folded TEXT NOT NULL,
    PRIMARY KEY (entry_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX entry_tag_by_folded ON entry_tag (folded, entry_id);
CREATE UNIQUE INDEX entry_tag_once ON entry_tag (entry_id, folded);

-- The directory of tags: each once, in the spelling first used, with its number of live entries. Kept by triggers,
-- so that no writer can forget it.
CREATE TABLE tag_directory (
    folded TEXT PRIMARY KEY,
    spelling TEXT NOT NULL,
    live INTEGER NOT NULL CHECK (live >= 0)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tag_directory_tag_added AFTER INSERT ON entry_tag
BEGIN
    INSERT INTO tag_directory (folded, spelling, live)
    VALUES (NEW.folded, NEW.spelling, (SELECT live FROM entry_state WHERE entry_id = NEW.entry_id))
    ON CONFLICT (folded) DO UPDATE SET live = live + excluded.live;
END;

CREATE TRIGGER tag_directory_tag_removed AFTER DELETE ON entry_tag
BEGIN
    UPDATE tag_directory SET live = live - (SELECT live FROM entry_state WHERE entry_id = OLD.entry_id)
    WHERE folded = OLD.folded;
END;

CREATE TRIGGER tag_directory_state_changed AFTER UPDATE OF live ON entry_state WHEN OLD.live <> NEW.live
BEGIN
    UPDATE tag_directory SET live = live + NEW.live - OLD.live
    WHERE folded IN (SELECT folded FROM entry_tag WHERE entry_id = NEW.entry_id);
END;

-- A search that was followed by show: asked again with the same words, that entry comes first.
CREATE TABLE learned_question (
    word_key TEXT NOT NULL,
    entry_id INTEGER NOT NULL REFERENCES entry (id),
    question TEXT NOT NULL CHECK (length(question) <= 200),
    confirmed INTEGER NOT NULL DEFAULT 1 CHECK (confirmed >= 1),
    confirmed_at TEXT NOT NULL,
    misses INTEGER NOT NULL DEFAULT 0 CHECK (misses >= 0),
    PRIMARY KEY (word_key, entry_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX learned_question_by_age ON learned_question (confirmed_at);
CREATE INDEX learned_question_by_entry ON learned_question (entry_id);
