"""Files as the published predecessor laid them out, written through SQL from the description of its tables."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

STAMP = "2026-01-02 03:04:05"
MEMORY_KINDS = (
    "schnittstelle",
    "fallstrick",
    "entscheidung",
    "messwert",
    "arbeitsweise",
    "verlauf",
    "gemischt",
)
ARCHIVE_KINDS = ("befund", "methode", "ueberblick", "werkzeug", "luecke", "spur", "verworfen", "gemischt")

SETTINGS = 'CREATE TABLE "schema" (schluessel TEXT PRIMARY KEY, wert TEXT)'
PLAIN_ENTRIES = """
    CREATE TABLE eintrag (
        id INTEGER PRIMARY KEY, content TEXT NOT NULL, tags TEXT NOT NULL DEFAULT '', ts TEXT NOT NULL,
        stems TEXT NOT NULL DEFAULT '', teile TEXT NOT NULL DEFAULT '',
        art TEXT NOT NULL DEFAULT 'gemischt' REFERENCES art_vokabular (art), art_am TEXT,
        kopf INTEGER REFERENCES eintrag (id), nr INTEGER{generated}
    )
"""
GENERATED = """,
        ncontent TEXT GENERATED ALWAYS AS (lower(content)) VIRTUAL,
        ntags TEXT GENERATED ALWAYS AS (lower(tags)) VIRTUAL
"""
REST = (
    "CREATE TABLE art_vokabular (art TEXT PRIMARY KEY)",
    """CREATE TABLE veraltet (
        vermerk INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL, durch INTEGER, am TEXT, grund TEXT)""",
    "CREATE INDEX veraltet_nach_id ON veraltet (id)",
    "CREATE TABLE marken (marke TEXT PRIMARY KEY, seit TEXT)",
    "CREATE TABLE vokabel (wort TEXT PRIMARY KEY) WITHOUT ROWID",
    """CREATE TABLE nachfrage (
        schluessel TEXT NOT NULL, id INTEGER NOT NULL REFERENCES eintrag (id) ON DELETE CASCADE,
        frage TEXT NOT NULL, seit TEXT NOT NULL, PRIMARY KEY (schluessel, id)) WITHOUT ROWID""",
)
SEARCH = (
    """CREATE VIRTUAL TABLE suche USING fts5 (
        ncontent, ntags, stems, teile, content = 'eintrag', content_rowid = 'id')""",
    """CREATE TRIGGER eintrag_ai AFTER INSERT ON eintrag BEGIN
        INSERT INTO suche (rowid, ncontent, ntags, stems, teile)
        VALUES (new.id, new.ncontent, new.ntags, new.stems, new.teile); END""",
    """CREATE TRIGGER eintrag_ad AFTER DELETE ON eintrag BEGIN
        INSERT INTO suche (suche, rowid, ncontent, ntags, stems, teile)
        VALUES ('delete', old.id, old.ncontent, old.ntags, old.stems, old.teile); END""",
    "CREATE VIRTUAL TABLE suche_vocab USING fts5vocab (suche, col)",
)
FULL_TEXT = "CREATE VIRTUAL TABLE mem USING fts5 (content, tags, ts UNINDEXED, stems)"

ADD_ENTRY = (
    "INSERT INTO eintrag (id, content, tags, ts, art, art_am, kopf, nr) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
ADD_LOG = "INSERT INTO veraltet (id, durch, am, grund) VALUES (?, ?, ?, ?)"
ADD_QUESTION = "INSERT INTO nachfrage (schluessel, id, frage, seit) VALUES (?, ?, ?, ?)"

Entry = tuple[object, ...]
ENTRIES: Sequence[Entry] = (
    (1, "The lamp driver resets after 5 s.", "lamp bus", STAMP, "fallstrick", STAMP, None, None),
    (2, "The lamp driver resets after 9 s.", "lamp, bus", STAMP, "fallstrick", STAMP, None, None),
    (3, "A memo about valves that was cut and", "valves", STAMP, "gemischt", None, 3, 1),
    (4, "goes on here.", "valves", STAMP, "gemischt", None, 3, 2),
    (7, "Version 3 stays in use.", "", STAMP, "entscheidung", STAMP, None, None),
)
LOG: Sequence[Entry] = ((1, 2, STAMP, "ersetzt"), (7, None, STAMP, "withdrawn"))
QUESTIONS: Sequence[Entry] = (("driver lamp resets", 2, "lamp driver resets", STAMP),)


def write_file(
    path: Path,
    *,
    layout: str = "6",
    language: str | None = "en",
    entries: Sequence[Entry] = ENTRIES,
    log: Sequence[Entry] = LOG,
    questions: Sequence[Entry] = QUESTIONS,
    kinds: Sequence[str] = MEMORY_KINDS,
    journal: str = "WAL",
    more: Sequence[str] = (),
) -> Path:
    """Write a memory or an archive in a layout that has the table `eintrag`: 5 and later, or a broken 4."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA journal_mode = {journal}")
        db.execute("BEGIN")
        _describe(db, layout, language)
        db.execute(PLAIN_ENTRIES.format(generated="" if layout == "5" else GENERATED))
        for statement in (*REST, *(() if layout == "5" else SEARCH)):
            db.execute(statement)
        db.executemany("INSERT INTO art_vokabular (art) VALUES (?)", [(kind,) for kind in kinds])
        db.executemany(ADD_ENTRY, entries)
        db.executemany(ADD_LOG, log)
        db.executemany(ADD_QUESTION, questions)
        for statement in more:
            db.execute(statement)
        db.execute("COMMIT")
    return path


def write_full_text_file(path: Path, *, layout: str, language: str | None = "en") -> Path:
    """Write a memory in a layout before 5: its entries lie in a full-text table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN")
        _describe(db, layout, language)
        db.execute(FULL_TEXT)
        db.execute(
            "INSERT INTO mem (rowid, content, tags, ts) VALUES (1, 'The lamp resets.', 'lamp', ?)", (STAMP,)
        )
        db.execute("COMMIT")
    return path


def _describe(db: sqlite3.Connection, layout: str, language: str | None) -> None:
    db.execute(SETTINGS)
    rows = [("stand", layout), ("einheit", "umschrift1"), *([("sprache", language)] if language else [])]
    db.executemany('INSERT INTO "schema" (schluessel, wert) VALUES (?, ?)', rows)


def leave_tables(path: Path, *statements: str) -> None:
    """Do in an existing file what an old program that still runs would do."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def rows_of(path: Path, statement: str, **values: object) -> list[tuple[object, ...]]:
    """Return the rows of a query on a copy of nothing: the file is opened read-only."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        return db.execute(statement, values).fetchall()


def tables_of(path: Path) -> set[str]:
    """Return the names of every table, view and trigger."""
    return {
        str(name)
        for (name,) in rows_of(path, "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
    }


def is_sound(path: Path) -> bool:
    """Tell whether SQLite finds nothing wrong with the file."""
    return rows_of(path, "PRAGMA integrity_check") == [("ok",)] and not rows_of(
        path, "PRAGMA foreign_key_check"
    )


def backups_of(path: Path) -> list[Path]:
    """Return the backups beside the file."""
    return sorted(path.parent.glob(f"{path.name}.*.bak"))
