-- What every file of ours holds: which migrations it has seen, and what it is.
CREATE TABLE ledger (
    set_name   TEXT NOT NULL,
    name       TEXT NOT NULL,
    applied_at TEXT NOT NULL,
    version    TEXT NOT NULL,
    PRIMARY KEY (set_name, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE record (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
