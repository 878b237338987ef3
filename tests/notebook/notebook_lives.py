"""Hypothesis: what a notebook has lived through, so that every table of its file holds something."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from hypothesis import strategies as st

from frugal.call import Client
from frugal.cli.contents import read_contents
from frugal.engine import Workspace
from tests.side_by_side import workspaces

KEYS = ("vision/a", "vision/b", "text/a", "Über/连接", "shop/x.1")
TEXTS = ("B beats A by 1 %", "p < 0.05", "Grüße 连接 🚀", "a | b\n\ttab", "---\nstatus: x\n---")

texts = st.one_of(
    st.sampled_from(TEXTS),
    st.text(
        st.characters(exclude_categories=("Cs",), exclude_characters="\0#"), min_size=1, max_size=40
    ).filter(lambda text: bool(text.strip())),
)
keys = st.sampled_from(KEYS)
values = st.sampled_from(("81.2 %", "3/4", "< 5 ms", "ca. 12", "viel", "1,234", "12 ± 3 s"))
row_lines = st.lists(
    st.builds(
        lambda quantity, value, arm: f"{quantity} | {value} | {arm}",
        st.sampled_from(("acc", "loss", "Zeit")),
        values,
        st.sampled_from(("", "A", "B")),
    ),
    min_size=1,
    max_size=3,
).map("\n".join)


def step(name: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """Return a step: the tool called *name* with these arguments."""
    return st.tuples(st.just(name), st.fixed_dictionaries(fields))


steps = st.one_of(
    step("new_series", key=keys, question=st.just("Which wins?"), criterion=st.just(TEXTS[0])),
    step("recipe", key=keys, command=texts, arm=st.sampled_from(("", "A"))),
    step("recipe", key=keys, command=texts, supersedes=st.sampled_from(("r1", "r2"))),
    step("measurements", key=keys, rows=row_lines, source=st.sampled_from(("", "log 1"))),
    step("measurements", key=keys, rows=row_lines, supersedes=st.sampled_from(("m1", "m1-m2", "m3"))),
    step("result", key=keys, verdict=st.sampled_from(("met", "missed")), conclusion=texts),
    step("edit_series", key=keys, note=texts),
    step("edit_series", key=keys, plan=texts),
    step("edit_series", key=keys, status=st.sampled_from(("running", "paused", "aborted")), reason=texts),
    step("edit_series", key=keys, superseded_by=keys),
    step("edit_series", key=keys, builds_on=st.sampled_from((*KEYS, "new/one", "-vision/a", "-new/one"))),
    step("wait", minutes=st.integers(1, 30)),
)
revisions = step("edit_series", key=keys, criterion=texts, reason=texts)
erasures = st.one_of(
    step(
        "row_erase", row=st.sampled_from(("m1", "m2")), field=st.sampled_from(("value", "source", "quantity"))
    ),
    step("row_erase", row=st.sampled_from(("r1", "e1")), field=st.sampled_from(("command", "conclusion"))),
    step("row_erase", row=keys, field=st.just("question")),
)
beginnings = st.sets(st.sampled_from(KEYS[:3])).map(
    lambda found: [
        ("new_series", {"key": key, "question": "Which wins?", "criterion": TEXTS[0]})
        for key in sorted(found)
    ]
)


def _lives(later: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[list[Any]]:
    return st.builds(lambda first, rest: first + rest, beginnings, st.lists(later, min_size=1, max_size=most))


histories = _lives(st.one_of(steps, steps, steps, revisions, erasures), 14)
"""Everything that may happen to a notebook."""
agreeable = _lives(steps, 12)
"""Nothing that makes two notebooks contradict each other: no second criterion, nothing erased."""


def notebooks() -> AbstractContextManager[Callable[[str], Workspace]]:
    """Open notebooks by name, each over a fresh file and with a clock of its own."""
    return workspaces("notebook")


def live(workspace: Workspace, history: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Let a notebook live through *history*; what is refused does not happen."""
    for name, arguments in history:
        if name == "wait":
            workspace.engine.clock.advance(**arguments)
        else:
            workspace.call(Client(), name, arguments, from_shell=True)


def faults(workspace: Workspace) -> list[object]:
    """Return what is derived and not as it would be made today, and broken references."""
    from frugal.model import resolve

    with workspace.store.read() as db:
        agreement = resolve(workspace.mode.examine)(db, 1_000)
        broken = db.execute("PRAGMA foreign_key_check").fetchall()
    return [*broken, *([] if agreement.is_right else [agreement])]


def substance(workspace: Workspace) -> dict[str, object]:
    """Return what a notebook says, whatever numbers its rows have: series, rows with stamp and state, lines."""
    records = read_contents(workspace).records
    by_type: dict[str, dict[Any, dict[str, Any]]] = {}
    for record in records:
        by_type.setdefault(record.type, {})[record.id] = dict(record.fields)
    series, events = by_type.get("series", {}), by_type.get("event", {})

    def key(row: dict[str, Any]) -> str:
        return str(series[row["series"]]["folded"])

    rows = sorted(
        (kind, key(row), events[row["event"]]["at"], row["superseded_event"] is None, *_texts(row))
        for kind in ("recipe", "measurement", "result")
        for row in by_type.get(kind, {}).values()
    )
    notes = sorted(
        (key(event), event["at"], event["action"], event["text"], event["reason"])
        for event in events.values()
    )
    states = {
        row["folded"]: (row["question"], row["status"], row["started_on"], row["moved_at"], _key(series, row))
        for row in series.values()
    }
    versions = sorted(
        (kind, key(row), row["text"])
        for kind in ("criterion", "plan")
        for row in by_type.get(kind, {}).values()
    )
    links = sorted(
        (key(row), row["folded"]) for row in by_type.get("link", {}).values() if row["removed_event"] is None
    )
    return {"states": states, "rows": rows, "versions": versions, "links": links, "notes": notes}


def _texts(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(value for value in row.values() if isinstance(value, str))


def _key(series: dict[Any, dict[str, Any]], row: dict[str, Any]) -> object:
    return series[row["successor"]]["folded"] if row["successor"] else None
