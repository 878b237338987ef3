"""Any sequence of calls keeps the promises: a state machine drives a notebook and compares it with a plain model."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from frugal.call import Client
from frugal.engine import build_engine
from frugal.settings import Options, load_settings
from tests.conftest import TickingClock
from tests.notebook.conftest import Book

KEYS = ("a/one", "a/two", "b/three")
TEXTS = st.sampled_from(["c", "d", "größer als 1 %", "x | y", "see box#3", "line\nbreak"])
VERDICTS = ("met", "missed", "tie", "partial", "observation", "invalid", "inconclusive")
JUDGING = {"met", "missed", "tie", "partial"}
TABLES = ("series", "event", "criterion", "plan", "link", "recipe", "measurement", "result")
RECORDED = {
    "criterion": "event, series, version, text, timing",
    "plan": "event, series, text",
    "recipe": "number, series, event, command, arm",
    "measurement": "number, series, event, quantity, value, arm, seed, n, source",
    "result": "number, series, event, verdict, conclusion",
    "event": "number, series, at, type, details, text, reason",
}


class Shell:
    """A client and its workspace, as `Book` wants them."""

    def __init__(self, workspace: Any) -> None:
        self.workspace = workspace
        self.client = Client()


class Notebook(RuleBasedStateMachine):
    """The model: what was recorded can only grow, and what was refused changes nothing."""

    @initialize(language=st.sampled_from(["en", "de"]))
    def begin(self, language: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "messbuch.db"
        self.clock = TickingClock()
        environ = {
            "MEMORY_NAME": "box",
            "XDG_DATA_HOME": self.folder.name,
            "XDG_CONFIG_HOME": self.folder.name,
        }
        engine = build_engine(load_settings(Options(db=str(path), lang=language), environ), clock=self.clock)
        self.book = Book(Shell(engine.open(engine.registry.mode("notebook"))), path)
        self.seen: dict[str, list[tuple[Any, ...]]] = {table: [] for table in RECORDED}
        self.criteria: dict[str, list[str]] = {}
        self.book.sweep(KEYS[0])
        self.criteria[KEYS[0]] = ["B beats A by 1 %"]

    def teardown(self) -> None:
        if hasattr(self, "book"):
            self.book.shell.workspace.close()
            self.folder.cleanup()

    def _try(self, tool: str, **arguments: object) -> bool:
        """Call a tool; a refusal must leave every row as it was. Return whether it was done."""
        before = self.book.dump()
        reply = self.book.reply(tool, **arguments)
        if reply.is_error:
            assert reply.text.endswith(self.book.text("refused_write")), reply.text
            assert self.book.dump() == before
        return not reply.is_error

    @rule(key=st.sampled_from(KEYS), criterion=st.one_of(st.just(""), TEXTS))
    def create(self, key: str, criterion: str) -> None:
        is_done = self._try("new_series", key=key, question="q?", criterion=criterion)

        assert is_done == (key not in self.criteria)
        if is_done:
            self.criteria[key] = [criterion] if criterion else []

    @rule(key=st.sampled_from(KEYS), supersedes=st.sampled_from(["", "r1", "r1-r3", "r2"]))
    def recipe(self, key: str, supersedes: str) -> None:
        self._try("recipe", key=key, command="run #1", supersedes=supersedes)

    @rule(
        key=st.sampled_from(KEYS),
        rows=st.lists(
            st.tuples(TEXTS.filter(lambda text: "\n" not in text), st.integers(0, 3)), min_size=1, max_size=4
        ),
        supersedes=st.sampled_from(["", "", "m1", "m1-m4", "m2,m5", "m3 m3"]),
    )
    def measure(self, key: str, rows: list[tuple[str, int]], supersedes: str) -> None:
        lines = ["acc | {} | A | {}".format(value.replace("|", r"\|"), seed) for value, seed in rows]
        self._try("measurements", key=key, rows="\n".join(lines), supersedes=supersedes)

    @rule(key=st.sampled_from(KEYS), verdict=st.sampled_from(VERDICTS))
    def result(self, key: str, verdict: str) -> None:
        is_done = self._try("result", key=key, verdict=verdict, conclusion="so")

        if key in self.criteria:
            assert is_done == (bool(self.criteria[key]) or verdict not in JUDGING)

    @rule(key=st.sampled_from(KEYS), text=TEXTS, reason=st.sampled_from(["", "because"]))
    def criterion(self, key: str, text: str, reason: str) -> None:
        known = self.criteria.get(key)
        if self._try("edit_series", key=key, criterion=text, reason=reason):
            assert known is not None
            if not known or known[-1] != text:
                known.append(text)

    @rule(
        key=st.sampled_from(KEYS),
        status=st.sampled_from(["planned", "running", "paused", "aborted", "evaluated", "superseded", ""]),
        successor=st.sampled_from(["", "", *KEYS]),
        reason=st.sampled_from(["", "because"]),
    )
    def status(self, key: str, status: str, successor: str, reason: str) -> None:
        self._try("edit_series", key=key, status=status, superseded_by=successor, reason=reason)

    @rule(key=st.sampled_from(KEYS), link=st.sampled_from([*KEYS, "-a/one", "x/later"]))
    def link(self, key: str, link: str) -> None:
        self._try("edit_series", key=key, builds_on=link)

    @rule(minutes=st.integers(-600, 6_000))
    def time_passes(self, minutes: int) -> None:
        self.clock.advance(minutes=minutes)

    @invariant()
    def nothing_vanishes(self) -> None:
        for table, columns in RECORDED.items():
            rows = self.book.rows(f"SELECT {columns} FROM {table} ORDER BY 1")
            assert rows[: len(self.seen[table])] == self.seen[table]
            self.seen[table] = rows

    @invariant()
    def ids_never_repeat(self) -> None:
        for table in ("recipe", "measurement", "result", "event"):
            numbers = [row[0] for row in self.seen[table]]
            assert numbers == sorted(set(numbers))
        for kind, letter in (("recipe", "row"), ("result", "row"), ("measurements", "first")):
            told = [json.loads(row[4])[letter] for row in self.seen["event"] if row[3] == kind]
            assert len(told) == len(set(told))

    @invariant()
    def history_of_criteria_is_complete(self) -> None:
        held: dict[str, list[str]] = {key: [] for key in self.criteria}
        sql = "SELECT s.key, c.text FROM criterion AS c JOIN series AS s ON s.number = c.series ORDER BY c.version"
        for key, text in self.book.rows(sql):
            held[key].append(text)
        assert held == self.criteria

    @invariant()
    def late_means_that_a_measurement_event_has_a_smaller_number(self) -> None:
        sql = """
            SELECT c.timing = 'late', EXISTS (
                SELECT 1 FROM measurement AS m WHERE m.series = c.series AND m.event < c.event
            ) FROM criterion AS c
        """
        assert all(is_late == bool(is_after) for is_late, is_after in self.book.rows(sql))

    @invariant()
    def no_verdict_stands_without_a_criterion_but_those_allowed(self) -> None:
        sql = """
            SELECT verdict FROM result AS r
            WHERE NOT EXISTS (SELECT 1 FROM criterion AS c WHERE c.series = r.series AND c.event < r.event)
        """
        assert not {row[0] for row in self.book.rows(sql)} & JUDGING

    @invariant()
    def at_most_one_result_is_live_and_evaluated_implies_one(self) -> None:
        counts = "SELECT max(n) FROM (SELECT count(*) AS n FROM result WHERE superseded_event IS NULL GROUP BY series)"
        assert self.book.rows(counts)[0][0] in (None, 1)
        without = (
            "SELECT 1 FROM series WHERE status = 'evaluated' AND number NOT IN (SELECT series FROM result)"
        )
        assert self.book.rows(without) == []

    @invariant()
    def successors_form_no_circle(self) -> None:
        successors = dict(self.book.rows("SELECT number, successor FROM series"))
        statuses = dict(self.book.rows("SELECT number, status FROM series"))
        for number, successor in successors.items():
            assert (successor is not None) == (statuses[number] == "superseded")
            seen, place = {number}, successor
            while place is not None:
                assert place not in seen
                seen.add(place)
                place = successors[place]

    @invariant()
    def stamps_never_go_back(self) -> None:
        stamps = [row[2] for row in self.seen["event"]]
        assert stamps == sorted(stamps)


Notebook.TestCase.settings = settings(
    max_examples=15, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
TestNotebook = Notebook.TestCase
