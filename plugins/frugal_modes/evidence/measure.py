"""measure_messages: exact counts of a query without any text, or the overview of what there is."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from frugal.api import Answer
from frugal_modes.evidence.buckets import MEASURE_BUCKETS, Buckets, bucketed
from frugal_modes.evidence.cuts import name_for_client
from frugal_modes.evidence.desk import Desk, DeskTool, raise_problems
from frugal_modes.evidence.envelope import Draft
from frugal_modes.evidence.errors import Action
from frugal_modes.evidence.form import fold
from frugal_modes.evidence.inquiry import (
    NARROW,
    OVERVIEW,
    Inquiry,
    counts_body,
    inquire,
    normalized,
    raw_query,
    read,
)
from frugal_modes.evidence.matching import Hit
from frugal_modes.evidence.overview import overview
from frugal_modes.evidence.query import Query
from frugal_modes.evidence.shelltext import measurement as in_shell
from frugal_modes.evidence.tools import FLAG_NAMES, MEASURE

TOOL = MEASURE.name
MOST_FORMS = 8
FEW_BUCKETS = 4
_MOST_COUNTED_FORMS = 10_000


class Forms:
    """Counts how the matches of stem clauses are written."""

    def __init__(self, query: Query) -> None:
        self.clauses = [number for number in query.numbers if query.clauses[number].match == "stem"]
        self._written: dict[int, Counter[str]] = {number: Counter() for number in self.clauses}

    def visit(self, _number: int, text: str, hits: Sequence[Hit]) -> None:
        """Note one message."""
        for start, end, clause in hits:
            written = self._written.get(clause)
            if written is not None and len(written) < _MOST_COUNTED_FORMS:
                written[text[start:end]] += 1

    def most(self, clause: int, most: int) -> list[str]:
        """Return the most frequent forms of a clause, spellings that match alike as one."""
        merged: Counter[str] = Counter()
        for form, count in self._written[clause].items():
            merged[name_for_client(fold(form))] += count
        return sorted(merged, key=lambda form: (-merged[form], form))[:most]


@dataclass
class _Measurement:
    """What is sent of a measurement, made smaller step by step."""

    inquiry: Inquiry
    forms: Forms
    buckets: Buckets | None
    most_forms: int = MOST_FORMS
    tells_query: bool = True
    has_action: bool = True
    has_roles: bool = True

    def build(self, limits: frozenset[str]) -> Draft:
        """Return the draft."""
        inquiry, population = self.inquiry, self.inquiry.population
        if population is None:
            return incomplete(inquiry, "measurement")
        counts = population.counts()
        fields: dict[str, object] = {"counts": counts_body(counts)}
        if inquiry.has_alias and self.has_roles:
            roles = {
                role: counts_body(population.counts(inquiry.query.places(role)))
                for role in ("canonical", "alias")
            }
            fields["roles"] = roles
        forms = [
            {"clause": clause, "forms": found}
            for clause in self.forms.clauses
            if (found := self.forms.most(clause, self.most_forms))
        ]
        fields |= {
            "forms": forms,
            "normalized_query": normalized(inquiry.query) if self.tells_query else None,
            "buckets": self.buckets.as_body() if self.buckets else None,
        }
        brief = inquiry.desk.text("brief.measurement", **counts_body(counts))
        return inquiry.draft(
            "measurement",
            fields,
            stop_reasons=limits,
            is_truncated=bool(limits),
            actions=[self._action().as_body(inquiry.desk.call)] if self.has_action else [],
            is_untrusted=bool(forms),
            brief=brief,
        )

    def _action(self) -> Action:
        inquiry = self.inquiry
        if not len(inquiry.population or ()):
            return OVERVIEW
        if inquiry.query.clauses:
            return Action("discover_messages", {"query_ref": inquiry.query_ref}, "evidence")
        return Action(
            "sample_messages", {"query_ref": inquiry.query_ref, "strategy": "across_time"}, "spread"
        )

    def shrink(self) -> bool:
        """Leave out the query, coarsen the buckets, tell fewer forms, at last leave out the next action and the roles."""
        population = self.inquiry.population
        if population is None:
            return False
        if self.tells_query:
            self.tells_query = False
        elif self.buckets and len(self.buckets.counts) > FEW_BUCKETS:
            zone, unit = self.inquiry.query.zone, self.buckets.unit
            self.buckets = bucketed(sorted(population.sent_at), zone, MEASURE_BUCKETS, coarser_than=unit)
        elif self.most_forms > 0 and self.forms.clauses:
            self.most_forms -= 2
        elif self.has_action:
            self.has_action = False
        elif self.has_roles:
            self.has_roles = False
        else:
            return False
        return True


def incomplete(inquiry: Inquiry, kind: str) -> Draft:
    """Return the draft of a scan that was cut: no numbers but how much was looked at, and how to narrow."""
    desk = inquiry.desk
    return inquiry.draft(kind, {}, actions=[NARROW.as_body(desk.call)], brief=desk.text("brief.incomplete"))


def _measure(desk: Desk, query: object, query_ref: str, max_bytes: int | None) -> Answer:
    if query is None and not query_ref:
        raise_problems(desk.call)
        return overview(desk, max_bytes)
    raw = raw_query(desk, query, query_ref)
    with desk.reading() as (db, scope):
        wanted = read(desk, db, raw)
        forms = Forms(wanted)
        inquiry = inquire(desk, db, scope, wanted, raw=raw, visit=forms.visit if forms.clauses else None)
        population = inquiry.population
        times = sorted(population.sent_at) if population is not None else []
        told = _Measurement(inquiry, forms, bucketed(times, wanted.zone, MEASURE_BUCKETS))
        with desk.ledger.turn():
            return desk.send(desk.fitted(told, tool=TOOL, max_bytes=max_bytes), shown=in_shell)


measure_messages = DeskTool(_measure, MEASURE.parameters, FLAG_NAMES)
