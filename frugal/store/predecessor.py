"""Files of the published predecessor: which layout one has, and what of it may be taken over.

Its tables bear German names and none of them is a name of ours, so the two can stand in one file side by side.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from sqlite3 import Connection
from typing import TYPE_CHECKING

from frugal.errors import NewerFile, OldLayout, PredecessorFile

if TYPE_CHECKING:
    from frugal.store.recognition import Expectation

ENTRIES, SERIES = "eintrag", "reihe"
"""The main table of a memory or an archive, and that of a notebook: by these a file is recognised."""
FULL_TEXT = "mem"
"""Where layouts before 5 keep their entries."""
LEAST_LAYOUT, KNOWN_LAYOUT = 5, 6
NO_KIND = "gemischt"

TABLES: Mapping[str, tuple[str, ...]] = {
    ENTRIES: (ENTRIES, "veraltet", "nachfrage", "marken", "vokabel", "art_vokabular", "schema"),
    SERIES: (SERIES, "rezept", "messwert", "ergebnis", "chronik"),
}
"""Every table that belongs to a main table; the virtual ones besides are derived."""
VIRTUAL = ("suche_vocab", "suche", FULL_TEXT)
"""In the order in which they can be dropped."""

NEEDED: Mapping[str, Mapping[str, frozenset[str]]] = {
    ENTRIES: {
        ENTRIES: frozenset({"id", "content", "tags", "ts", "art", "art_am", "kopf", "nr"}),
        "veraltet": frozenset({"vermerk", "id", "durch", "am", "grund"}),
    },
    SERIES: {
        SERIES: frozenset(
            {"id", "kennung", "projekt", "frage", "kriterium", "kriterium_ts", "kriterium_nachtraeglich"}
            | {"nachtrag", "plan", "baut_auf", "status", "abgeloest_durch", "angelegt", "bewegt"}
        ),
        "rezept": frozenset(
            {"id", "reihe", "ts", "arm", "befehl", "quelltext", "parameter", "seed", "rechner", "logs"}
            | {"notiz", "veraltet"}
        ),
        "messwert": frozenset(
            {"id", "reihe", "ts", "groesse", "wert", "arm", "start", "n", "quelle", "veraltet"}
        ),
        "ergebnis": frozenset({"id", "reihe", "ts", "urteil", "fazit", "offen", "datei", "veraltet"}),
        "chronik": frozenset({"id", "reihe", "ts", "was"}),
    },
}
"""What no file can be taken over without."""
WHOLE: Mapping[str, frozenset[str]] = {
    ENTRIES: NEEDED[ENTRIES][ENTRIES] | {"stems", "teile", "ncontent", "ntags"},
    "veraltet": NEEDED[ENTRIES]["veraltet"],
    "nachfrage": frozenset({"schluessel", "id", "frage", "seit"}),
    "marken": frozenset({"marke"}),
    "vokabel": frozenset({"wort"}),
    "art_vokabular": frozenset({"art"}),
    "suche": frozenset({"ncontent", "ntags", "stems", "teile"}),
}
"""Every table of layout 6 and its columns: a later layout is understood if it still has them all."""

COLUMNS = "SELECT name FROM pragma_table_xinfo(:table)"
SETTING = 'SELECT wert FROM "schema" WHERE schluessel = :key'
HAS_ROWS = 'SELECT 1 FROM "{table}" LIMIT 1'
KINDS = "SELECT art FROM art_vokabular ORDER BY art"


@dataclass(frozen=True)
class Compared:
    """A number that has to be the same in the old tables and in ours."""

    what: str
    before: int
    after: int


@dataclass(frozen=True)
class TakenOver:
    """What became of an old file: the numbers compared, by name; what was counted apart, named row by row.

    *counts* are told, *compared* are only checked; *zone* is the time zone in which local stamps were read.
    """

    compared: tuple[Compared, ...]
    counts: Mapping[str, int]
    apart: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    zone: str = ""


@dataclass(frozen=True)
class OldFile:
    """Old tables to be taken over. *main* is the table of entries or series under its present name.

    *layout* is 0 where files name none; *is_late* says that the tables turned up in a file that is ours already, so
    that their rows need new ids. *names* are the tables and columns that exist, by their old names.
    """

    table: str
    main: str
    layout: int
    names: Mapping[str, frozenset[str]]
    language: str | None = None
    is_late: bool = False

    def has(self, table: str, column: str = "") -> bool:
        """Tell whether the file has *table*, and in it *column*."""
        return table in self.names and (not column or column in self.names[table])


@dataclass(frozen=True)
class Takeover:
    """What a store needs to take a file over: the main *table*, the *kinds* it may hold (none: any), the *copy* itself.

    *copy* runs inside the transaction of the upgrade, after our tables were made and before the old ones go.
    """

    table: str
    copy: Callable[[Connection, OldFile], TakenOver]
    kinds: frozenset[str] = frozenset()


def old_text(value: object) -> str:
    """Return a value of an old table, which has no strict types, as text; NULL is ""."""
    if value is None:
        return ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def main_table(connection: Connection, tables: Mapping[str, str]) -> str:
    """Return the main table by which a file of the predecessor is recognised, `mem` for the oldest; "" if it is none."""
    if tables.get("schema") == "table" and {"schluessel", "wert"} <= columns_of(connection, "schema"):
        for table in (ENTRIES, FULL_TEXT):
            if tables.get(table) == "table":
                return table
    if tables.get(SERIES) == "table" and "kennung" in columns_of(connection, SERIES):
        return SERIES
    return ""


def read_old(connection: Connection, tables: Mapping[str, str], expected: "Expectation") -> OldFile | None:
    """Return the old file that is to be taken over, None if the file is no old one; raise why it is refused."""
    table = main_table(connection, tables)
    if not table:
        return None
    path = str(expected.path)
    number = _setting(connection, "stand") if table != SERIES else None
    main = SERIES if table == SERIES else ENTRIES
    if expected.takeover is None or expected.takeover.table != main:
        found = f"{table} {number}" if number else table
        raise PredecessorFile(path=path, found=found, setting=expected.setting)
    names = {name: columns_of(connection, name) for name, kind in tables.items() if kind in ("table", "view")}
    layout = int(number) if number and number.isdecimal() else 0
    if main == ENTRIES:
        _check_layout(connection, names, layout, expected)
        _check_kinds(connection, names, expected, layout)
    elif not _has_all(names, NEEDED[main]):
        raise OldLayout(path=path, found=table)
    return OldFile(main, main, layout, names, language_of(connection, tables))


def language_of(connection: Connection, tables: Mapping[str, str]) -> str | None:
    """Return the language of an old file: German if it has entries and names none, None if nothing says it."""
    table = main_table(connection, tables)
    if table in ("", SERIES):
        return None
    language = _setting(connection, "sprache")
    if language:
        return language if language in ("de", "en") else None
    return "de" if _has_rows(connection, table) else None


def find_late(connection: Connection, tables: Mapping[str, str], takeover: Takeover | None) -> OldFile | None:
    """Return old tables inside a file of ours, which a program that still ran left there; None if there are none.

    Tables whose rows cannot be understood are left alone, and with them all others.
    """
    if takeover is None:
        return None
    own = [name for name in TABLES[takeover.table] if tables.get(name) == "table"]
    if not own or (tables.get(FULL_TEXT) and _has_rows(connection, FULL_TEXT)):
        return None
    names = {name: columns_of(connection, name) for name in own}
    needed = NEEDED[takeover.table]
    has_rows = any(name in names and _has_rows(connection, name) for name in needed)
    if has_rows and not _has_all(names, needed):
        return None
    return OldFile(takeover.table, takeover.table, 0, names, is_late=True)


def columns_of(connection: Connection, table: str) -> frozenset[str]:
    """Return the columns of a table or view, generated ones included."""
    return frozenset(str(name) for (name,) in connection.execute(COLUMNS, {"table": table}))


def has_rows(connection: Connection, old: OldFile) -> bool:
    """Tell whether any of the tables that hold more than derived things has a row."""
    return any(old.has(name) and _has_rows(connection, name) for name in NEEDED[old.table])


def _check_layout(
    connection: Connection, names: Mapping[str, frozenset[str]], layout: int, expected: "Expectation"
) -> None:
    path = str(expected.path)
    is_mixed = ENTRIES in names and FULL_TEXT in names and _has_rows(connection, FULL_TEXT)
    if layout < LEAST_LAYOUT or is_mixed or ENTRIES not in names:
        raise OldLayout(path=path, found=str(layout or "?"))
    if layout > KNOWN_LAYOUT and not _has_all(names, WHOLE):
        raise NewerFile(path=path, found=f"layout {layout}", version=expected.version)
    if not _has_all(names, NEEDED[ENTRIES]):
        raise OldLayout(path=path, found=str(layout))


def _check_kinds(
    connection: Connection, names: Mapping[str, frozenset[str]], expected: "Expectation", layout: int
) -> None:
    """Raise PredecessorFile if the file has kinds and all of them are another mode's: an archive read as a memory."""
    known = expected.takeover.kinds if expected.takeover else frozenset()
    if not known or "art_vokabular" not in names:
        return
    kinds = {str(kind) for (kind,) in connection.execute(KINDS)} - {NO_KIND}
    if kinds and not kinds & known:
        found = f"{ENTRIES} {layout}"
        raise PredecessorFile(path=str(expected.path), found=found, setting=expected.setting)


def _has_all(names: Mapping[str, frozenset[str]], wanted: Mapping[str, frozenset[str]]) -> bool:
    return all(table in names and columns <= names[table] for table, columns in wanted.items())


def _has_rows(connection: Connection, table: str) -> bool:
    return connection.execute(HAS_ROWS.format(table=table)).fetchone() is not None


def _setting(connection: Connection, key: str) -> str | None:
    row = connection.execute(SETTING, {"key": key}).fetchone()
    return None if row is None or row[0] is None else str(row[0])
