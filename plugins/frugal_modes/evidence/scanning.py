"""From a query to its population: the index proposes, the stored text decides, and a scan that is cut says so."""

import json
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import compress
from operator import xor
from typing import Any

from frugal.api import Connection, Limited, OutOfTime, limited
from frugal_modes.evidence.access import FROM_KEPT, Access, access_to
from frugal_modes.evidence.kept import Kept
from frugal_modes.evidence.matching import Hit, Prepared, Span, matcher_of
from frugal_modes.evidence.query import Query

CANDIDATES = 2_000_000
SECONDS = 5.0
LOOK_AT_CLOCK = 64
LONG_TEXT = 10_000
BLOCK = 512
KEPT_BLOCK = 4_096

ROWS = """
    SELECT m.number, m.sent_at, m.conversation, m.sender, coalesce(m.thread, -m.number), m.mark{text}
    FROM {source} WHERE {conditions}
"""

Visit = Callable[[int, str, list[Hit]], None]
"""Is given row number, text and hits of each matching message, in the order of the scan."""


@dataclass(frozen=True)
class Limits:
    """How much a scan may look at before it is cut."""

    candidates: int = CANDIDATES
    seconds: float = SECONDS


@dataclass(frozen=True)
class Counts:
    """How much matches. A message outside threads counts as a thread of its own."""

    messages: int
    occurrences: int
    threads: int
    conversations: int
    senders: int


@dataclass(frozen=True)
class Incomplete:
    """A scan that was cut: *reason* is `time_limit` or `candidate_limit`; nothing it counted is true of the query."""

    reason: str
    candidates: int


@dataclass
class Population:
    """The messages that a complete scan found, as parallel columns in the order of the scan.

    *threads* holds minus the message's number for one outside threads; *frequencies* the matches of each thing wanted
    (`Query.wanted`), none if the scan did not look at the texts.
    """

    numbers: "array[int]" = field(default_factory=lambda: array("q"))
    sent_at: "array[int]" = field(default_factory=lambda: array("q"))
    conversations: "array[int]" = field(default_factory=lambda: array("q"))
    senders: "array[int]" = field(default_factory=lambda: array("q"))
    threads: "array[int]" = field(default_factory=lambda: array("q"))
    frequencies: "tuple[array[int], ...]" = ()
    fingerprint: str = ""
    candidates: int = 0

    def __len__(self) -> int:
        """How many messages match."""
        return len(self.numbers)

    def counts(self, places: Sequence[int] | None = None) -> Counts:
        """Return what matches; with *places* (in `Query.wanted`) the messages in which one of those was found."""
        columns: tuple[Sequence[int], ...] = (self.threads, self.conversations, self.senders)
        chosen = self.frequencies if places is None else tuple(self.frequencies[place] for place in places)
        messages = len(self.numbers)
        if places is not None:
            found = [any(row) for row in zip(*chosen, strict=True)] if chosen else [False] * messages
            columns = tuple(list(compress(column, found)) for column in columns)
            messages = sum(found)
        threads, conversations, senders = columns
        outside = sum(map((0).__gt__, threads))
        inside = {thread for thread in threads if thread > 0}
        occurrences = sum(map(sum, chosen))
        return Counts(
            messages, occurrences, outside + len(inside), len(set(conversations)), len(set(senders))
        )


class Judge:
    """Decides about texts for one query."""

    def __init__(self, query: Query) -> None:
        self._matchers = [matcher_of(wanted) for wanted in query.wanted]
        self._numbers = query.numbers
        self._groups = query.groups
        self._excluded = [matcher_of(wanted) for wanted in query.excluded]

    def spans(self, text: Prepared, limit: Limited | None = None) -> list[list[Span]]:
        """Return where each thing wanted stands in the folded text; of a long one *limit* is asked on the way."""
        found = []
        for matcher in self._matchers:
            if limit is not None and len(text.folded) > LONG_TEXT:
                limit.check()
            found.append(matcher.spans(text))
        return found

    def accepts(self, text: Prepared, spans: Sequence[Sequence[Span]]) -> bool:
        """Tell whether a text with these *spans* is what the query wants."""
        for group in self._groups:
            if not any(spans[place] for place in group):
                return False
        return not any(matcher.spans(text) for matcher in self._excluded)

    def hits(self, text: Prepared, spans: Sequence[Sequence[Span]]) -> list[Hit]:
        """Return *spans* as hits in the original text, in its order."""
        original = text.original
        return sorted(
            (*original(*span), number)
            for number, found in zip(self._numbers, spans, strict=True)
            for span in found
        )


def matches(text: str, query: Query) -> list[Hit]:
    """Return where *text* has what the clauses of *query* want: start, end (code points), number of the clause."""
    return examine(text, query)[1]


def examine(text: str, query: Query) -> tuple[bool, list[Hit]]:
    """Return whether *text* alone is what *query* wants, filters aside, and the hits of its clauses."""
    judge, prepared = Judge(query), Prepared(text)
    spans = judge.spans(prepared)
    return judge.accepts(prepared, spans), judge.hits(prepared, spans)


def scan(
    db: Connection,
    query: Query,
    limits: Limits,
    *,
    visit: Visit | None = None,
    kept: Kept | None = None,
    counts_occurrences: bool = True,
) -> Population | Incomplete:
    """Return the population of *query* after one pass over its candidates, or that the pass was cut.

    *visit* sees each matching message on the way, also those of a pass that is cut later. With *kept* the rows of an
    earlier scan are used, and those of this one are kept; only then `counts_occurrences=False` saves reading the texts.
    """
    if query.filters.is_empty:
        return Population(frequencies=tuple(array("I") for _ in query.wanted), fingerprint=_fingerprint([]))
    scanning = _Scanning(db, query, limits, visit)
    key = (query.canonical, query.scope.state)
    rows = kept.get(key) if kept is not None else None
    try:
        with limited(db, limits.seconds) as limit:
            if rows is not None:
                scanning.read_kept(rows, limit, reads_texts=visit is not None or counts_occurrences)
            else:
                scanning.read(limit)
    except OutOfTime:
        return Incomplete("time_limit", scanning.candidates)
    except _TooMany:
        return Incomplete("candidate_limit", scanning.candidates)
    population = scanning.population()
    if kept is not None and rows is None:
        kept.put(key, population.numbers)
    return population


class _TooMany(Exception):
    """More candidates than a scan may look at."""


class _Scanning:
    """One pass over the candidates of a query."""

    def __init__(self, db: Connection, query: Query, limits: Limits, visit: Visit | None) -> None:
        self._db = db
        self._cursor = db.cursor()
        self._cursor.row_factory = None
        self._query = query
        self._limits = limits
        self._visit = visit
        self._judge = Judge(query)
        self._found = Population(frequencies=tuple(array("I") for _ in query.wanted))
        self._marks = array("q")
        self.candidates = 0

    def read(self, limit: Limited) -> None:
        """Read every candidate that passes the filters."""
        query = self._query
        groups = [[query.wanted[place] for place in group] for group in query.groups]
        access = access_to(self._db, query.filters, groups, messages=query.scope.messages)
        self._read(access, limit, has_texts=bool(groups or query.excluded or self._visit))

    def read_kept(self, rows: "array[int]", limit: Limited, *, reads_texts: bool) -> None:
        """Read the rows of an earlier scan."""
        has_texts = reads_texts and bool(self._query.wanted or self._visit)
        if not has_texts:
            self._found.frequencies = ()
        for start in range(0, len(rows), KEPT_BLOCK):
            values: dict[str, object] = {"kept": json.dumps(rows[start : start + KEPT_BLOCK].tolist())}
            self._read(Access(FROM_KEPT, "TRUE", values), limit, has_texts=has_texts)

    def population(self) -> Population:
        """Return what was found, after all candidates were read."""
        self._found.candidates = self.candidates
        self._found.fingerprint = _fingerprint(self._marks)
        return self._found

    def _read(self, access: Access, limit: Limited, *, has_texts: bool) -> None:
        text = ", m.text" if has_texts else ""
        statement = ROWS.format(text=text, source=access.source, conditions=access.conditions)
        rows = self._cursor.execute(statement, access.values)
        if has_texts:
            self._verify(rows, limit)
            return
        while block := rows.fetchmany(BLOCK):
            limit.check()
            self._count(len(block))
            self._keep(block)

    def _verify(self, rows: Any, limit: Limited) -> None:
        """Keep the rows whose text matches."""
        judge, visit = self._judge, self._visit
        while block := rows.fetchmany(LOOK_AT_CLOCK):
            limit.check()
            self._count(len(block))
            matching, frequencies = [], []
            for row in block:
                text = Prepared(row[-1])
                spans = judge.spans(text, limit)
                if not judge.accepts(text, spans):
                    continue
                matching.append(row)
                frequencies.append([len(found) for found in spans])
                if visit is not None:
                    visit(row[0], row[-1], judge.hits(text, spans))
            self._keep(matching)
            if matching:
                for column, counts in zip(
                    self._found.frequencies, zip(*frequencies, strict=True), strict=True
                ):
                    column.extend(counts)

    def _keep(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add rows to the columns; a text at their end is left out."""
        found = self._found
        columns = found.numbers, found.sent_at, found.conversations, found.senders, found.threads, self._marks
        for column, values in zip(columns, zip(*rows, strict=True), strict=False):
            column.extend(values)

    def _count(self, looked: int) -> None:
        self.candidates += looked
        if self.candidates > self._limits.candidates:
            raise _TooMany


def _fingerprint(marks: Sequence[int]) -> str:
    """Return what is equal for equal sets of messages, in whatever order they were found."""
    return f"{len(marks)}-{sum(marks):x}-{reduce(xor, marks, 0):x}"
