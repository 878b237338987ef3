-- Everything here is derived from the documents and can be rebuilt from them.

-- One row: what ranking needs to know about the live documents. length = words that count, summed.
CREATE TABLE search_statistics (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    documents INTEGER NOT NULL CHECK (documents >= 0),
    length INTEGER NOT NULL CHECK (length >= 0)
) STRICT;

INSERT INTO search_statistics (id, documents, length) VALUES (1, 0, 0);

-- A term of the analysis; df = live documents that have it. Ids below 640 are stop words (df stays 0).
CREATE TABLE search_term (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    term TEXT NOT NULL UNIQUE,
    df INTEGER NOT NULL DEFAULT 0 CHECK (df >= 0)
) STRICT;

-- The bare spelling's term of a word with an umlaut ("kas" of "Käse"), and the term the index holds ("kaes").
CREATE TABLE search_alias (
    bare TEXT NOT NULL,
    term_id INTEGER NOT NULL,
    PRIMARY KEY (bare, term_id)
) STRICT, WITHOUT ROWID;

-- Words as written (folded) and their term: for expansion, near words and prefixes.
CREATE TABLE search_word (
    id INTEGER PRIMARY KEY,
    word TEXT NOT NULL,
    term_id INTEGER NOT NULL,
    UNIQUE (word, term_id)
) STRICT;

CREATE VIRTUAL TABLE search_word_piece USING fts5 (
    word, content = '', columnsize = 0, detail = none, tokenize = 'trigram'
);

-- The forward index: a document's terms in order, one code point (or an escaped pair) a term, sections
-- text, tags, search words, whole identifiers ended by a line feed. title = terms of the title in front.
CREATE TABLE search_forward (
    document INTEGER PRIMARY KEY,
    live INTEGER NOT NULL CHECK (live IN (0, 1)),
    sitting INTEGER,
    length INTEGER NOT NULL,
    title INTEGER NOT NULL,
    codes TEXT NOT NULL
) STRICT;

-- The inverted index. Its tokens are the codes of the forward index, so that no tokenizer ever sees a word and
-- a row is taken out with exactly the text that was put in. One column: with columnsize=0 FTS5 cannot
-- tell the lengths of several.
CREATE VIRTUAL TABLE search_index USING fts5 (
    codes, content = '', columnsize = 0, detail = full, tokenize = 'ascii'
);
