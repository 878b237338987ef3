-- One byte an entry, so that a search counts tens of thousands of matches without reading their rows: twice the number
-- of the kind, plus 1 if the entry is live. Block n holds the bytes of the ids from 4000 n + 1 on, 0 where there is no
-- entry; one block fills a page. Kept by triggers, so that no writer can forget it.

CREATE TABLE kind_mark (
    kind TEXT PRIMARY KEY,
    mark INTEGER NOT NULL UNIQUE CHECK (mark BETWEEN 1 AND 63)
) STRICT, WITHOUT ROWID;

CREATE TABLE entry_mark (
    block INTEGER PRIMARY KEY,
    marks BLOB NOT NULL CHECK (length(marks) = 4000)
) STRICT;

CREATE TRIGGER entry_mark_added AFTER INSERT ON entry_state
BEGIN
    INSERT OR IGNORE INTO kind_mark (kind, mark) SELECT NEW.kind, coalesce(max(mark), 0) + 1 FROM kind_mark;
    INSERT OR IGNORE INTO entry_mark (block, marks) VALUES ((NEW.entry_id - 1) / 4000, zeroblob(4000));
    UPDATE entry_mark SET marks = CAST(
        substr(marks, 1, (NEW.entry_id - 1) % 4000)
        || char((SELECT mark FROM kind_mark WHERE kind = NEW.kind) * 2 + NEW.live)
        || substr(marks, (NEW.entry_id - 1) % 4000 + 2) AS BLOB)
    WHERE block = (NEW.entry_id - 1) / 4000;
END;

CREATE TRIGGER entry_mark_changed AFTER UPDATE OF live, kind ON entry_state
BEGIN
    INSERT OR IGNORE INTO kind_mark (kind, mark) SELECT NEW.kind, coalesce(max(mark), 0) + 1 FROM kind_mark;
    INSERT OR IGNORE INTO entry_mark (block, marks) VALUES ((NEW.entry_id - 1) / 4000, zeroblob(4000));
    UPDATE entry_mark SET marks = CAST(
        substr(marks, 1, (NEW.entry_id - 1) % 4000)
        || char((SELECT mark FROM kind_mark WHERE kind = NEW.kind) * 2 + NEW.live)
        || substr(marks, (NEW.entry_id - 1) % 4000 + 2) AS BLOB)
    WHERE block = (NEW.entry_id - 1) / 4000;
END;

-- Entries that are there already: the second trigger writes their bytes.
UPDATE entry_state SET live = live;
