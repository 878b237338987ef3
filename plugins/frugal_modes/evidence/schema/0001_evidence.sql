-- A corpus of messages. Times are milliseconds since 1970, UTC.
-- mark and rest are the two halves of the 128-bit hash of (corpus, natural key), read as signed integers with the order of
-- the bytes kept; the ref is the first `ref_length` characters of that hash in base32, behind "m-" or "t-".

-- A number is never used again: what a server remembers of a dropped corpus is not true of the next one.
CREATE TABLE corpus (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 40 AND name NOT GLOB '*[^a-z0-9-]*'),
    format TEXT NOT NULL,
    label TEXT NOT NULL,
    first_import TEXT NOT NULL,
    last_import TEXT NOT NULL,
    messages INTEGER NOT NULL DEFAULT 0 CHECK (messages >= 0),
    first_at INTEGER,
    last_at INTEGER,
    -- The sum, modulo 2^128, of a hash of every (ref, content): the same for the same messages, whatever their order.
    fingerprint BLOB NOT NULL DEFAULT x'00000000000000000000000000000000' CHECK (length(fingerprint) = 16),
    -- Grows with every transaction that changes anything, labels and names included.
    changes INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What was imported: a file of a format. Its name leaves the machine in no answer.
CREATE TABLE source (
    number INTEGER PRIMARY KEY,
    corpus INTEGER NOT NULL REFERENCES corpus (number) ON DELETE CASCADE,
    format TEXT NOT NULL,
    file TEXT NOT NULL,
    UNIQUE (corpus, format, file)
) STRICT;

CREATE TABLE conversation (
    number INTEGER PRIMARY KEY,
    corpus INTEGER NOT NULL REFERENCES corpus (number) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN (
        'public_channel', 'private_channel', 'direct_message', 'group_direct_message', 'mailbox', 'unknown'
    )),
    UNIQUE (corpus, id)
) STRICT;

CREATE INDEX conversation_by_name ON conversation (folded);

CREATE TABLE sender (
    number INTEGER PRIMARY KEY,
    corpus INTEGER NOT NULL REFERENCES corpus (number) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    organization TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('internal', 'client', 'bot', 'system', 'unknown')),
    UNIQUE (corpus, id)
) STRICT;

CREATE INDEX sender_by_name ON sender (folded);

CREATE TABLE workspace (
    number INTEGER PRIMARY KEY,
    corpus INTEGER NOT NULL REFERENCES corpus (number) ON DELETE CASCADE,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    UNIQUE (corpus, name)
) STRICT;

-- id is the natural key of the message that started the thread, or any name; root is that message if the corpus has it.
CREATE TABLE thread (
    number INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversation (number) ON DELETE CASCADE,
    id TEXT NOT NULL,
    mark INTEGER NOT NULL,
    rest INTEGER NOT NULL,
    ref_length INTEGER NOT NULL DEFAULT 13 CHECK (ref_length BETWEEN 13 AND 26),
    root INTEGER,
    UNIQUE (conversation, id),
    UNIQUE (mark, rest)
) STRICT;

CREATE INDEX thread_by_root ON thread (root) WHERE root IS NOT NULL;

-- source has no foreign key: to drop a corpus would mean to look through all messages for each of its files.
-- The text stands last: filters and counts read the front of a row only.
CREATE TABLE message (
    number INTEGER PRIMARY KEY,
    corpus INTEGER NOT NULL REFERENCES corpus (number) ON DELETE CASCADE,
    conversation INTEGER NOT NULL REFERENCES conversation (number),
    sender INTEGER NOT NULL REFERENCES sender (number),
    thread INTEGER REFERENCES thread (number),
    workspace INTEGER REFERENCES workspace (number),
    sent_at INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    rest INTEGER NOT NULL,
    ref_length INTEGER NOT NULL DEFAULT 13 CHECK (ref_length BETWEEN 13 AND 26),
    words INTEGER NOT NULL,
    zone_known INTEGER NOT NULL CHECK (zone_known IN (0, 1)),
    edited_at INTEGER,
    text_key INTEGER NOT NULL,
    source INTEGER NOT NULL,
    line INTEGER NOT NULL,
    content BLOB NOT NULL CHECK (length(content) = 16),
    subtype TEXT NOT NULL,
    reply_to TEXT NOT NULL,
    text TEXT NOT NULL,
    text_raw TEXT
) STRICT;

CREATE UNIQUE INDEX message_by_mark ON message (mark, rest);
CREATE INDEX message_by_conversation ON message (conversation, sent_at, seq, mark);
CREATE INDEX message_by_thread ON message (thread, sent_at, seq, mark) WHERE thread IS NOT NULL;
CREATE INDEX message_by_sender ON message (sender, sent_at);
CREATE INDEX message_by_workspace ON message (workspace) WHERE workspace IS NOT NULL;
CREATE INDEX message_by_time ON message (corpus, sent_at);

-- Earlier texts of edited messages; never searched.
CREATE TABLE revision (
    number INTEGER PRIMARY KEY,
    message INTEGER NOT NULL REFERENCES message (number) ON DELETE CASCADE,
    imported_at TEXT NOT NULL,
    edited_at INTEGER,
    text TEXT NOT NULL
) STRICT;

CREATE INDEX revision_by_message ON revision (message, number);

-- Messages that their source took back, so that reading it again changes nothing; is_final: deleted by the owner, so that
-- no source brings them back.
CREATE TABLE taken_back (
    corpus INTEGER NOT NULL REFERENCES corpus (number) ON DELETE CASCADE,
    mark INTEGER NOT NULL,
    rest INTEGER NOT NULL,
    is_final INTEGER NOT NULL DEFAULT 0 CHECK (is_final IN (0, 1)),
    PRIMARY KEY (corpus, mark, rest)
) STRICT, WITHOUT ROWID;

-- Tokens are derived in Python and hold letters, digits and marks only, so the tokenizer has nothing to decide. The
-- column stems holds the stems that differ from their word. A row is taken out with exactly what was put in.
CREATE VIRTUAL TABLE word_index USING fts5 (
    words, stems, content = '', columnsize = 0, detail = full, tokenize = 'ascii'
);
