-- Everything here is derived from the documents and can be rebuilt from them.

-- One row: what ranking needs to know about the live documents. length = words that count, summed.
CREATE TABLE search_statistics (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    documents INTEGER NOT NULL CHECK (documents >= 0),
    length INTEGER NOT NULL CHECK (length >= 0)
) STRICT;

INSERT INTO search_statistics (id, documents, length) VALUES (1, 0, 0);

-- Words as written (folded) and the terms they are indexed as, in one table because most words are their own term.
-- term_id = id: a term; df = live documents that have it. written = 1: some document has it as a word.
-- Ids below 640 are stop words, their text begins with a blank and their df stays 0.
CREATE TABLE search_word (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    word TEXT NOT NULL,
    term_id INTEGER NOT NULL,
    written INTEGER NOT NULL CHECK (written IN (0, 1)),
    df INTEGER NOT NULL DEFAULT 0 CHECK (df >= 0),
    UNIQUE (word, term_id)
) STRICT;

CREATE INDEX search_word_of_term ON search_word (term_id) WHERE term_id <> id;

-- The letters of written words, three at a time: finds words that contain a word or are spelled like it.
CREATE VIRTUAL TABLE search_word_piece USING fts5 (
    word, content = '', columnsize = 0, detail = none, tokenize = 'trigram'
);

-- The bare spelling's term of a word with an umlaut ("kas" of "Käse"), and the term the index holds ("kaes").
CREATE TABLE search_alias (
    bare TEXT NOT NULL,
    term_id INTEGER NOT NULL,
    PRIMARY KEY (bare, term_id)
) STRICT, WITHOUT ROWID;

-- The forward index: a document's words in order, the id of each as one code point (or an escaped pair); sections
-- text, tags, search words, whole identifiers (a blank between two tags or identifiers), each ended by a line feed. title = words in front that are the title.
CREATE TABLE search_forward (
    document INTEGER PRIMARY KEY,
    live INTEGER NOT NULL CHECK (live IN (0, 1)),
    sitting INTEGER,
    length INTEGER NOT NULL CHECK (length >= 0),
    title INTEGER NOT NULL CHECK (title >= 0),
    codes TEXT NOT NULL
) STRICT;

-- The inverted index. Its tokens are term ids in the same code, so that no tokenizer ever sees a word and a row is
-- taken out with exactly the text that was put in. One column: with columnsize=0 FTS5 cannot tell the
-- lengths of several.
CREATE VIRTUAL TABLE search_index USING fts5 (
    codes, content = '', columnsize = 0, detail = full, tokenize = 'ascii'
);
