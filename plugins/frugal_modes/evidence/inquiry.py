"""One query at work: read with all its problems, scanned, and led to its account."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from frugal.api import Connection, Refusal, Refused
from frugal_modes.evidence.asides import asides
from frugal_modes.evidence.budgets import Body
from frugal_modes.evidence.corpus import Scope
from frugal_modes.evidence.desk import Desk, raise_problems
from frugal_modes.evidence.envelope import Draft
from frugal_modes.evidence.errors import Action, Denied, quoted
from frugal_modes.evidence.kept import Kept
from frugal_modes.evidence.query import Query, read_query
from frugal_modes.evidence.queryform import LONGEST_JSON, read_json
from frugal_modes.evidence.scanning import CANDIDATES, Counts, Incomplete, Limits, Population, Visit, scan

_KEPT = "evidence.kept"
OVERVIEW = Action("measure_messages", {}, "overview")
NARROW = Action("measure_messages", {}, "narrow")
OPEN = Action("measure_messages", {}, "open")
EXAMPLE = '{"clauses": [{"match": "stem", "text": "..."}]}'


@dataclass
class Inquiry:
    """A query that was scanned; *population* is None where the scan was cut, then *cut* says how."""

    desk: Desk
    db: Connection
    scope: Scope
    query: Query
    query_ref: str
    population: Population | None
    cut: Incomplete | None = None
    warnings: list[Mapping[str, object]] = field(default_factory=list)

    @property
    def stop_reasons(self) -> frozenset[str]:
        """Why the scan was cut, if it was."""
        return frozenset({self.cut.reason} if self.cut else ())

    @property
    def has_alias(self) -> bool:
        """Whether any clause is an alias: then roles are told."""
        return any(clause.role == "alias" for clause in self.query.clauses)

    def draft(self, kind: str, fields: Mapping[str, object], **more: object) -> Draft:
        """Return a draft with everything that the query says about the frame."""
        told = {"examined": self.cut.candidates} if self.cut else {}
        frame: dict[str, object] = {
            "stop_reasons": self.stop_reasons,
            "omitted": None if self.cut else {},
            **more,
        }
        return Draft(
            kind,
            self.scope.version,
            {**told, **fields},
            query_ref=self.query_ref,
            is_complete=self.cut is None,
            warnings=self.warnings,
            **frame,  # type: ignore[arg-type]  # the fields of Draft by name
        )

    def next_actions(
        self, items: Sequence[Body], omitted: Mapping[str, int] | None, more: Action
    ) -> list[Body]:
        """Return what to call after an answer with *items*; *more* gets what it held back (*omitted*, None = unknown)."""
        if omitted is None:
            return [NARROW.as_body(self.desk.call)]
        found: list[Action] = []
        if set(omitted) - {"total", "already_disclosed"}:
            found.append(more)
        if items:
            args = {"query_ref": self.query_ref, "message_ref": items[0]["ref"]}
            found.append(Action("expand_message_context", args, "around"))
        elif not omitted:
            found.append(OVERVIEW)
        return [action.as_body(self.desk.call) for action in found]


def inquire(  # noqa: PLR0913 - what a scan can be told
    desk: Desk,
    db: Connection,
    scope: Scope,
    query: Query,
    *,
    raw: Mapping[str, object],
    visit: Visit | None = None,
    limits: Limits | None = None,
    share: float = 1.0,
    behind_s: float = 0.0,
    counts_occurrences: bool = True,
) -> Inquiry:
    """Scan *query* and find its account, which the desk is given; accounts that are one are merged.

    *share* of the time is for the scan, where there is more to do behind it: about *behind_s* seconds for each message
    that matches. Where that would take longer than there is time, the scan counts as cut.
    """
    kept = _kept(desk)
    started = time.monotonic()
    limits = limits or Limits(CANDIDATES, desk.given.seconds * share)
    found = scan(db, query, limits, visit=visit, kept=kept, counts_occurrences=counts_occurrences)
    if isinstance(found, Population):
        needed_s = time.monotonic() - started + behind_s * len(found)
        found = found if needed_s <= desk.given.seconds else Incomplete("time_limit", found.candidates)
    population = found if isinstance(found, Population) else None
    with desk.ledger.turn():
        same = population.fingerprint if population is not None and len(population) else ""
        desk.ledger.account(query.canonical, same)
        desk.canonical = query.canonical
        query_ref, is_changed = desk.ledger.note(query.canonical, query.roles, raw=raw, version=scope.version)
    warnings: list[Mapping[str, object]] = [{"code": "corpus_changed"}] if is_changed else []
    warnings += [{"code": "unknown_values", "field": name, "count": count} for name, count in query.warnings]
    cut = found if isinstance(found, Incomplete) else None
    if desk.call.is_from_shell:
        is_nothing = population is not None and not len(population)
        desk.asides = asides(desk.call.surface, db, query, is_nothing=is_nothing)
    return Inquiry(desk, db, scope, query, query_ref, population, cut, warnings)


def _kept(desk: Desk) -> Kept:
    found = desk.call.process.setdefault(_KEPT, Kept())
    assert isinstance(found, Kept)
    return found


def is_kept(desk: Desk, query: Query) -> bool:
    """Tell whether the rows of *query* are known from an earlier scan."""
    return _kept(desk).get((query.canonical, query.scope.state)) is not None


def raw_query(desk: Desk, query: object, query_ref: str) -> Mapping[str, object]:
    """Return the query as it was sent, or as it was when its ref was made; raise every problem of the call."""
    try:
        raw = _raw_query(desk, query, query_ref)
    except (Refusal, Refused) as problem:
        raise_problems(desk.call, problem)
        raise
    return raw


def _raw_query(desk: Desk, query: object, query_ref: str) -> Mapping[str, object]:
    if desk.call.is_from_shell:
        _check_line(desk, query, query_ref)
    if bool(query is not None) == bool(query_ref):
        raise Denied("bad_argument", key="bad_argument_both", field="query")
    if query_ref:
        asked = desk.ledger.find(query_ref)
        if asked is None:
            raise Denied("unknown_query_ref", field="query_ref", value=quoted(query_ref), action=OPEN)
        desk.canonical = asked.canonical
        return asked.raw
    if isinstance(query, str):
        if not desk.call.is_from_shell:
            raise Denied("bad_query", key="bad_query_words", field="query", example=EXAMPLE)
        query = read_json(_text_of_file(Path(query)))
    assert isinstance(query, dict)
    return query


def _check_line(desk: Desk, query: object, query_ref: str) -> None:
    """Refuse a line of the shell without a query, or with the ref of one that no command before it can have asked."""
    if query is None and not query_ref:
        raise Denied("bad_argument", key="bad_argument_no_query", field="query", all="'{}'")
    if query_ref and not desk.has_session:
        raise Denied("bad_argument", key="bad_argument_no_session", field="session")


def _text_of_file(path: Path) -> str:
    try:
        with path.expanduser().open(encoding="utf-8") as file:
            return file.read(LONGEST_JSON + 1)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise Denied("bad_argument", key="bad_argument_file", path=quoted(str(path)), reason=reason) from None


def read(desk: Desk, db: Connection, raw: Mapping[str, object]) -> Query:
    """Return the query *raw*; raise its problems together with those of the other arguments."""
    try:
        query = read_query(raw, db, desk.corpora)
    except (Refusal, Refused) as problem:
        raise_problems(desk.call, problem)
        raise
    desk.canonical = query.canonical
    raise_problems(desk.call)
    return query


def counts_body(counts: Counts) -> dict[str, object]:
    """Return counts as they are transmitted."""
    return {
        "messages": counts.messages,
        "occurrences": counts.occurrences,
        "threads": counts.threads,
        "conversations": counts.conversations,
        "senders": counts.senders,
    }


def normalized(query: Query) -> dict[str, object]:
    """Return what is asked in its normal form; of the filters how many rows a list selects, since ids are corpus text."""
    told: dict[str, object] = json.loads(query.canonical)
    filters = told.get("filters")
    if isinstance(filters, dict):
        told["filters"] = {
            name: len(value) if isinstance(value, list) else value for name, value in filters.items()
        }
    return told
