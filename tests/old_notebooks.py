"""Notebooks as the published predecessor laid them out, written through SQL from the description of its tables."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

STAMP = "2026-03-01 10:30"
TABLES = (
    """CREATE TABLE reihe (
        id INTEGER PRIMARY KEY, kennung TEXT NOT NULL UNIQUE COLLATE NOCASE, projekt TEXT NOT NULL, frage TEXT NOT NULL,
        kriterium TEXT NOT NULL DEFAULT '', kriterium_ts TEXT NOT NULL DEFAULT '',
        kriterium_nachtraeglich TEXT NOT NULL DEFAULT '', nachtrag TEXT NOT NULL DEFAULT '',
        plan TEXT NOT NULL DEFAULT '', baut_auf TEXT NOT NULL DEFAULT '', status TEXT NOT NULL,
        abgeloest_durch TEXT NOT NULL DEFAULT '', angelegt TEXT NOT NULL, bewegt TEXT NOT NULL{begun})""",
    """CREATE TABLE rezept (
        id INTEGER PRIMARY KEY, reihe INTEGER NOT NULL REFERENCES reihe (id), ts TEXT NOT NULL,
        arm TEXT NOT NULL DEFAULT '', befehl TEXT NOT NULL, quelltext TEXT NOT NULL DEFAULT '',
        parameter TEXT NOT NULL DEFAULT '', seed TEXT NOT NULL DEFAULT '', rechner TEXT NOT NULL DEFAULT '',
        logs TEXT NOT NULL DEFAULT '', notiz TEXT NOT NULL DEFAULT '', veraltet TEXT NOT NULL DEFAULT '')""",
    """CREATE TABLE messwert (
        id INTEGER PRIMARY KEY, reihe INTEGER NOT NULL REFERENCES reihe (id), ts TEXT NOT NULL,
        groesse TEXT NOT NULL, wert TEXT NOT NULL, arm TEXT NOT NULL DEFAULT '', start TEXT NOT NULL DEFAULT '',
        n TEXT NOT NULL DEFAULT '', quelle TEXT NOT NULL DEFAULT '', veraltet TEXT NOT NULL DEFAULT '')""",
    """CREATE TABLE ergebnis (
        id INTEGER PRIMARY KEY, reihe INTEGER NOT NULL REFERENCES reihe (id), ts TEXT NOT NULL,
        urteil TEXT NOT NULL, fazit TEXT NOT NULL, offen TEXT NOT NULL DEFAULT '',
        datei TEXT NOT NULL DEFAULT '', veraltet TEXT NOT NULL DEFAULT '')""",
    "CREATE TABLE chronik (id INTEGER PRIMARY KEY, reihe INTEGER NOT NULL, ts TEXT NOT NULL, was TEXT NOT NULL)",
)
DEFAULTS: Mapping[str, Mapping[str, object]] = {
    "reihe": {
        "kennung": "lab/alpha",
        "projekt": "lab",
        "frage": "How much?",
        "status": "laeuft",
        "angelegt": STAMP,
        "bewegt": STAMP,
    },
    "rezept": {"reihe": 1, "ts": STAMP, "befehl": "run"},
    "messwert": {"reihe": 1, "ts": STAMP, "groesse": "width", "wert": "12"},
    "ergebnis": {"reihe": 1, "ts": STAMP, "urteil": "erfuellt", "fazit": "yes"},
    "chronik": {"reihe": 1, "ts": STAMP, "was": "created"},
}
Rows = Sequence[Mapping[str, object]]


def write_notebook(path: Path, *, has_begun: bool = True, **rows: Rows) -> Path:
    """Write a notebook with *rows* by table; what a row leaves out is the default. One series unless told otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db:
        begun = ",\n begonnen TEXT NOT NULL DEFAULT ''" if has_begun else ""
        for statement in TABLES:
            db.execute(statement.replace("{begun}", begun))
        for table, given in {"reihe": [{}], **rows}.items():
            for row in given:
                values = {**DEFAULTS[table], **row}
                names = ", ".join(values)
                marks = ", ".join(f":{name}" for name in values)
                db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)
        db.commit()
    return path
