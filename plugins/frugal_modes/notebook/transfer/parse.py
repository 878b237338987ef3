"""Records read back: every field checked, every reference found; anything else refuses the whole."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date, datetime

from frugal.api import LARGEST_ID, Contents, Record, damaged, refuse_repeats
from frugal_modes.notebook.erase import PLACES
from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.moments import STAMP
from frugal_modes.notebook.rowids import MEASUREMENT, RECIPE, RESULT
from frugal_modes.notebook.transfer.rows import LETTERS, TEXTS, EventRow, Parts, Row, parts_of
from frugal_modes.notebook.vocabulary import STATUSES, SUPERSEDED, VERDICTS

TEXT, NUMBER, MAYBE_NUMBER = (str,), (int,), (int, type(None))
_STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
_BREAK = re.compile("[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_ROW_ID = re.compile(r"[rmeh][1-9][0-9]{0,18}")
_OWNED = {"series": NUMBER, "event": NUMBER, "superseded_event": MAYBE_NUMBER}

FIELDS: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    "series": {
        **dict.fromkeys(
            ("key", "folded", "project", "short", "question", "backfill", "started_on", "status"), TEXT
        ),
        "successor": MAYBE_NUMBER,
        "created_at": TEXT,
        "created_event": NUMBER,
        "moved_at": TEXT,
        "moved_event": NUMBER,
    },
    "event": {"series": NUMBER, "at": TEXT, "action": TEXT, "details": (dict,), "text": TEXT, "reason": TEXT},
    "criterion": {"series": NUMBER, "version": NUMBER, "text": TEXT, "timing": TEXT},
    "plan": {"series": NUMBER, "text": TEXT},
    "link": {
        "series": NUMBER,
        "key": TEXT,
        "folded": TEXT,
        "added_event": NUMBER,
        "removed_event": MAYBE_NUMBER,
    },
    **{kind: {**_OWNED, **dict.fromkeys(TEXTS[letter], TEXT)} for kind, letter in LETTERS.items()},
}
CODES = frozenset(word.code for word in STATUSES)
JUDGEMENTS = frozenset(word.code for word in VERDICTS)
TIMINGS = frozenset({"before", "late", "unknown"})
ERASABLE = frozenset(name for places in PLACES.values() for name in places)

Detail = Callable[[object], bool]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return type(value) is int


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(_is_number(item) for item in value)


def _one_of(known: Collection[str]) -> Detail:
    return lambda value: isinstance(value, str) and value in known


DETAILS: Mapping[str, tuple[Mapping[str, Detail], Mapping[str, Detail]]] = {
    "created": ({"started": _is_text}, {}),
    "status": ({"from": _one_of(CODES), "to": _one_of(CODES)}, {"successor": _is_text, "was": _is_text}),
    "criterion": ({"version": _is_number, "timing": _one_of(TIMINGS)}, {}),
    "plan": ({}, {}),
    "started": ({"from": _is_text, "to": _is_text}, {}),
    "note": ({}, {}),
    "link_added": ({"key": _is_text}, {}),
    "link_removed": ({"key": _is_text}, {}),
    "recipe": ({"row": _is_number}, {"supersedes": _is_list}),
    "measurements": ({"first": _is_number, "last": _is_number}, {"supersedes": _is_list}),
    "result": ({"row": _is_number}, {"supersedes": _is_list, "verdict": _one_of(JUDGEMENTS)}),
    "erased": ({"row": _is_text, "field": _one_of(ERASABLE)}, {}),
    "text": ({}, {}),
}
"""By type of event: what its details must and may hold."""


def parse(contents: Contents) -> Parts:
    """Return the parts of *contents*; raise `DamagedExport` for a record that this version did not write."""
    refuse_repeats(contents.records)
    known: dict[tuple[str, int], Record] = {}
    for record in contents.records:
        _check(record)
        assert isinstance(record.id, int)
        known[record.type, record.id] = record
    parts = parts_of(contents.records)
    for kind, number in _faults(parts):
        raise damaged(known[kind, number])
    return parts


def _check(record: Record) -> None:
    """Raise unless *record* has the fields of its type, each of its sort."""
    wanted = FIELDS.get(record.type)
    if wanted is None or record.fields.keys() != wanted.keys() or type(record.id) is not int:
        raise damaged(record)
    if any(type(record.fields[name]) not in types for name, types in wanted.items()):
        raise damaged(record)
    details = record.fields.get("details", {})
    assert isinstance(details, dict)
    if not all(map(_is_storable, (record.id, *record.fields.values(), *details, *details.values()))):
        raise damaged(record)


def _is_storable(value: object) -> bool:
    """Tell whether SQLite can hold *value*: no NUL, no half a surrogate pair, no number that is too large."""
    if isinstance(value, list):
        return all(map(_is_storable, value))
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= char <= "\udfff" for char in value)
    return not isinstance(value, int) or 0 <= value <= LARGEST_ID


def _faults(parts: Parts) -> Iterator[tuple[str, int]]:
    """Yield type and number of each record that cannot stand."""
    series = {row.number for row in parts.series}
    events = {(row.series, row.number) for row in parts.events}
    rows = {(row.letter, row.series, row.number) for row in parts.rows}
    yield from _bad_series(parts, events)
    yield from _bad_events(parts, series, rows)
    for kind, versions in (("criterion", parts.criteria), ("plan", parts.plans)):
        yield from ((kind, row.number) for row in versions if (row.series, row.number) not in events)
    for criterion in parts.criteria:
        if not criterion.text or criterion.timing not in TIMINGS or criterion.version < 1:
            yield "criterion", criterion.number
    for link in parts.links:
        named = {link.added_event, link.removed_event or link.added_event}
        if any((link.series, event) not in events for event in named) or not _is_line(link.key):
            yield "link", link.number
    for row in parts.rows:
        named = {row.event, row.superseded_event or row.event}
        is_known = row.letter != RESULT or row.texts[0] in JUDGEMENTS
        if any((row.series, event) not in events for event in named) or not is_known:
            yield _kind(row), row.number
    yield from _repeats(parts)


def _kind(row: Row) -> str:
    return next(kind for kind, letter in LETTERS.items() if letter == row.letter)


def _bad_series(parts: Parts, events: Collection[tuple[int, int]]) -> Iterator[tuple[str, int]]:
    numbers = {row.number for row in parts.series}
    for row in parts.series:
        folded = fold(row.key)
        is_sound = (
            _is_line(row.key)
            and (row.folded == folded or row.folded.startswith(f"{folded}~"))
            and _is_day(row.started_on)
            and row.status in CODES
            and (
                row.successor is None
                or (
                    row.status == SUPERSEDED.code and row.successor != row.number and row.successor in numbers
                )
            )
            and _is_stamp(row.created_at)
            and _is_stamp(row.moved_at)
            and {(row.number, row.created_event), (row.number, row.moved_event)} <= set(events)
        )
        if not is_sound:
            yield "series", row.number


def _bad_events(
    parts: Parts, series: Collection[int], rows: Collection[tuple[str, int, int]]
) -> Iterator[tuple[str, int]]:
    for event in parts.events:
        if event.series not in series or not _is_stamp(event.at) or not _has_sound_details(event, rows):
            yield "event", event.number


def _has_sound_details(event: EventRow, rows: Collection[tuple[str, int, int]]) -> bool:
    must, may = DETAILS.get(event.type, ({"": _is_text}, {}))
    allowed = {**must, **may}
    details = event.details
    if not must.keys() <= details.keys() <= allowed.keys():
        return False
    if not all(allowed[name](value) for name, value in details.items()):
        return False
    if event.type == "erased":
        target = str(details["row"])
        return bool(_ROW_ID.fullmatch(target)) or _is_line(target)
    letter, numbers = named_rows(event)
    return all((letter, event.series, number) in rows for number in numbers)


def named_rows(event: EventRow) -> tuple[str, list[int]]:
    """Return letter and numbers of every row that the details of *event* name; of an endless span its ends."""
    details = event.details
    old = details.get("supersedes", [])
    assert isinstance(old, list)
    if event.type == "measurements":
        first, last = details["first"], details["last"]
        assert isinstance(first, int)
        assert isinstance(last, int)
        is_span = 0 <= last - first < 100_000
        return MEASUREMENT, [*(range(first, last + 1) if is_span else (first, 0)), *old]
    if event.type in ("recipe", "result"):
        row = details["row"]
        assert isinstance(row, int)
        return RECIPE if event.type == "recipe" else RESULT, [row, *old]
    return "", []


def _is_line(text: str) -> bool:
    return bool(text) and not _BREAK.search(text)


def _is_stamp(text: str) -> bool:
    try:
        return bool(_STAMP.fullmatch(text) and datetime.strptime(text, STAMP))
    except ValueError:
        return False


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _repeats(parts: Parts) -> Iterator[tuple[str, int]]:
    """Yield what there may be only once."""

    def twice(kind: str, named: Iterable[tuple[int, object]]) -> Iterator[tuple[str, int]]:
        pairs = list(named)
        counts = Counter(key for _, key in pairs)
        yield from ((kind, number) for number, key in pairs if counts[key] > 1)

    yield from twice("series", ((row.number, row.folded) for row in parts.series))
    yield from twice("criterion", ((row.number, (row.series, row.version)) for row in parts.criteria))
    live = (row for row in parts.links if row.removed_event is None)
    yield from twice("link", ((row.number, (row.series, row.folded)) for row in live))
    results = (row for row in parts.rows if row.letter == RESULT and row.superseded_event is None)
    yield from twice("result", ((row.number, row.series) for row in results))
