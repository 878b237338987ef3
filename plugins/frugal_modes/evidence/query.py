"""A query as it is given, read with all its problems at once, and the form in which equal queries are equal."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo

from frugal.api import Connection, Refusal, Refused
from frugal_modes.evidence.clauses import Clause, Wanted, wanted_of
from frugal_modes.evidence.corpus import Scope, scope_of
from frugal_modes.evidence.errors import Denied, quoted
from frugal_modes.evidence.filters import MOST_VALUES, Filters, resolve
from frugal_modes.evidence.moments import moment_of, zone_of
from frugal_modes.evidence.vocabulary import LIST_FILTERS, MATCH_KINDS, ROLES, TIME_FILTERS

MOST_CLAUSES = 16
LONGEST_TEXT = 200
LONGEST_VALUE = 256
COMBINE = ("all", "any")

_KEYS = ("clauses", "combine", "none", "filters", "timezone")
_CLAUSE_KEYS = ("match", "text", "role", "group")
_NONE_KEYS = ("match", "text")


@dataclass(frozen=True)
class Query:
    """A query that can be asked. *canonical* is equal for equal questions; *version* and *state* are those it was read for.

    *wanted* are the distinct things to find, *numbers* the clause that each was first asked by; *groups* holds, as places
    in *wanted*, alternatives of which every group needs one; *excluded* must not be found.
    """

    clauses: tuple[Clause, ...]
    none: tuple[Clause, ...]
    combine: str
    timezone: str
    filters: Filters
    scope: Scope
    wanted: tuple[Wanted, ...]
    numbers: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    excluded: tuple[Wanted, ...]
    canonical: str
    roles: str
    """The roles of what is wanted, in an order of their own: with *canonical* what a query_ref stands for."""
    warnings: tuple[tuple[str, int], ...] = ()
    """Lists of filters with values that nothing bears, and how many."""

    @property
    def zone(self) -> tzinfo:
        """The time zone of dates and buckets."""
        found = zone_of(self.timezone)
        if found is None:
            raise LookupError(self.timezone)
        return found

    def places(self, role: str) -> tuple[int, ...]:
        """Return the places in *wanted* that a clause of this role asks for."""
        named = {clause.wanted for clause in self.clauses if clause.role == role}
        return tuple(place for place, wanted in enumerate(self.wanted) if wanted in named)


def read_query(raw: object, db: Connection, corpora: Sequence[str] = ()) -> Query:
    """Return the query *raw* over the *corpora* (names; all without any); raise Refused with all its problems."""
    return _Reader(db, scope_of(db, corpora)).read(raw)


@dataclass
class _Reader:
    db: Connection
    scope: Scope
    problems: list[Refusal] = field(default_factory=list)

    def read(self, raw: object) -> Query:
        given = self._object(_parsed(raw), "query", _KEYS)
        clauses = self._clauses(given.get("clauses"), "clauses", _CLAUSE_KEYS)
        none = self._clauses(given.get("none"), "none", _NONE_KEYS)
        if len(clauses) + len(none) > MOST_CLAUSES:
            self._deny("bad_query", "many_clauses", "query.clauses", most=MOST_CLAUSES)
        combine = self._choice(given, "combine", COMBINE, "query", "all")
        timezone = self._timezone(given.get("timezone"))
        lists, from_at, to_at = self._filters(given.get("filters"), zone_of(timezone))
        if self.problems:
            raise Refused(self.problems)
        filters = resolve(lists, from_at=from_at, to_at=to_at, db=self.db, scope=self.scope)
        return build(
            [clause for clause in clauses if clause],
            [clause for clause in none if clause],
            combine=combine,
            timezone=timezone,
            filters=filters,
            scope=self.scope,
        )

    def _deny(self, code: str, key: str, where: str, **data: str | int) -> None:
        self.problems.append(Denied(code, key=f"{code}_{key}", field=where, action=None, where=where, **data))

    def _object(self, value: object, where: str, keys: Sequence[str]) -> Mapping[str, object]:
        if not isinstance(value, Mapping):
            self._deny("bad_query", "no_object", where)
            return {}
        for key in value:
            if key not in keys:
                known = ", ".join(keys)
                self._deny("unknown_argument", "key", where, name=quoted(key), known=known)
        return {str(key): item for key, item in value.items() if item is not None}

    def _clauses(self, value: object, name: str, keys: Sequence[str]) -> list[Clause | None]:
        where = f"query.{name}"
        value = _parsed([] if value is None else value)
        if isinstance(value, Mapping):  # one clause without its list
            value = [value]
        if not isinstance(value, Sequence) or isinstance(value, str):
            self._deny("bad_query", "no_list", where)
            return []
        if len(value) > MOST_CLAUSES:
            return [None] * len(value)
        return [self._clause(item, f"{where}[{place}]", keys) for place, item in enumerate(value)]

    def _clause(self, value: object, where: str, keys: Sequence[str]) -> Clause | None:
        before = len(self.problems)
        given = self._object(value, where, keys)
        match = self._match(given.get("match"), f"{where}.match")
        role = self._choice(given, "role", ROLES, where, "canonical")
        group = self._group(given.get("group"), where)
        text = self._text(given.get("text"), where)
        if len(self.problems) > before:
            return None
        wanted = wanted_of(match, text)
        if isinstance(wanted, str):
            self._deny("bad_query", wanted, f"{where}.text", text=quoted(text))
            return None
        return Clause(match, text, wanted, role, group)

    def _text(self, value: object, where: str) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str) or not value:
            self._deny("bad_query", "text_missing", f"{where}.text")
            return ""
        if len(value) > LONGEST_TEXT:
            self._deny("bad_query", "text_long", f"{where}.text", most=LONGEST_TEXT, characters=len(value))
        return value

    def _match(self, value: object, where: str) -> str:
        if value is None or value == "":
            self._deny("bad_query", "match_missing", where)
        elif isinstance(value, str) and value.strip().lower() in MATCH_KINDS:
            return value.strip().lower()
        else:
            self._deny("bad_query", "match", where, value=quoted(value))
        return ""

    def _choice(
        self, given: Mapping[str, object], name: str, known: Sequence[str], where: str, default: str
    ) -> str:
        value = given.get(name, default)
        if isinstance(value, str) and value.strip().lower() in known:
            return value.strip().lower()
        self._deny("bad_query", "choice", f"{where}.{name}", value=quoted(value), known=", ".join(known))
        return default

    def _group(self, value: object, where: str) -> int:
        if value is None:
            return 0
        number = _whole(value)
        if number is None or not 1 <= number <= MOST_CLAUSES:
            self._deny("bad_query", "group", f"{where}.group", value=quoted(value), most=MOST_CLAUSES)
            return 0
        return number

    def _timezone(self, value: object) -> str:
        if value is None:
            return "UTC"
        if isinstance(value, str) and zone_of(value.strip()) is not None:
            return value.strip()
        self._deny("bad_time", "zone", "query.timezone", value=quoted(value))
        return "UTC"

    def _filters(
        self, value: object, zone: tzinfo | None
    ) -> tuple[dict[str, list[str]], int | None, int | None]:
        given = self._object(
            {} if value is None else _parsed(value), "query.filters", (*LIST_FILTERS, *TIME_FILTERS)
        )
        lists = {
            name: self._values(given[name], f"query.filters.{name}") for name in LIST_FILTERS if name in given
        }
        times = {name: self._moment(given.get(name), f"query.filters.{name}", zone) for name in TIME_FILTERS}
        from_at, to_at = times["from"], times["to"]
        if from_at is not None and to_at is not None and from_at >= to_at:
            self._deny("bad_time", "order", "query.filters.from")
        return {name: values for name, values in lists.items() if values}, from_at, to_at

    def _values(self, value: object, where: str) -> list[str]:
        value = _parsed(value) if isinstance(value, str) and value.lstrip().startswith("[") else value
        items = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        if len(items) > MOST_VALUES:
            self._deny("bad_query", "many_values", where, most=MOST_VALUES)
            return []
        is_sound = all(
            isinstance(item, (str, int))
            and not isinstance(item, bool)
            and 0 < len(str(item)) <= LONGEST_VALUE
            for item in items
        )
        if not is_sound:
            self._deny("bad_query", "values", where, most=LONGEST_VALUE)
            return []
        return list(dict.fromkeys(str(item) for item in items))

    def _moment(self, value: object, where: str, zone: tzinfo | None) -> int | None:
        if value is None or zone is None:
            return None
        moment = moment_of(value, zone)
        if moment is None:
            self._deny("bad_time", "value", where, value=quoted(value))
        return moment


def build(
    clauses: Sequence[Clause],
    none: Sequence[Clause],
    *,
    combine: str,
    timezone: str,
    filters: Filters,
    scope: Scope,
) -> Query:
    """Return the query of sound parts."""
    wanted = tuple(dict.fromkeys(clause.wanted for clause in clauses))
    numbers = tuple(next(n for n, clause in enumerate(clauses) if clause.wanted == each) for each in wanted)
    groups = _absorbed(_alternatives(clauses, combine))
    excluded = tuple(sorted({clause.wanted for clause in none}))
    return Query(
        clauses=tuple(clauses),
        none=tuple(none),
        combine=combine,
        timezone=timezone,
        filters=filters,
        scope=scope,
        wanted=wanted,
        numbers=numbers,
        groups=tuple(tuple(sorted(wanted.index(each) for each in group)) for group in groups),
        excluded=excluded,
        canonical=_canonical(groups, excluded, filters),
        roles=_dump(sorted({(*_pair(clause.wanted), clause.role) for clause in clauses})),
        warnings=tuple(sorted(filters.unknown.items())),
    )


def _alternatives(clauses: Iterable[Clause], combine: str) -> set[frozenset[Wanted]]:
    """Return the groups of alternatives; under `any` all clauses are one."""
    if combine == "any":
        every = frozenset(clause.wanted for clause in clauses)
        return {every} if every else set()
    groups: dict[int, set[Wanted]] = {}
    for place, clause in enumerate(clauses):
        groups.setdefault(clause.group or -1 - place, set()).add(clause.wanted)
    return {frozenset(group) for group in groups.values()}


def _absorbed(groups: set[frozenset[Wanted]]) -> list[frozenset[Wanted]]:
    """Leave out groups that another one implies: `A and (A or B)` is `A`."""
    kept = (group for group in groups if not any(other < group for other in groups))
    return sorted(kept, key=sorted)


def _canonical(groups: Iterable[frozenset[Wanted]], excluded: Iterable[Wanted], filters: Filters) -> str:
    parts: dict[str, object] = {}
    if all_of := [[_pair(each) for each in sorted(group)] for group in groups]:
        parts["all"] = all_of
    if none := [_pair(each) for each in excluded]:
        parts["none"] = none
    if filters.canonical:
        parts["filters"] = dict(filters.canonical)
    return _dump(parts)


def _pair(wanted: Wanted) -> tuple[str, str]:
    return wanted.kind, wanted.text


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _parsed(value: object) -> object:
    """Return what a JSON text holds; some clients send an object as text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return int(value) if value.strip().isdecimal() and len(value) < 10 else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None
