"""Hypothesis: what a memory has lived through, so that every table of its file holds something."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from frugal.call import Client
from frugal.engine import Workspace
from frugal.entries import storage
from frugal.entries.learned import PAIRS
from frugal.entries.lessons import Confirmed, Lesson
from frugal.entries.memos import record_memo

TEXTS = (
    "port is 22",
    "port is 49222",
    "Grüße an 连接池 🚀",
    "**Head.** body\n\n```\ncode #1\n```",
    "a\tb \r\nc",
)
KINDS = ("pitfall", "decision", "history", "unsorted")
TAGS = ("shop", "Shop", "shop/web", "über", "🚀a")

texts = st.one_of(
    st.sampled_from(TEXTS),
    st.text(
        st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=60
    ).filter(lambda text: bool(text.strip())),
)
places = st.integers(0, 7)
reasons = st.sampled_from(("", "wrong", "überholt"))
remembers = st.fixed_dictionaries(
    {
        "text": texts,
        "tags": st.lists(st.sampled_from(TAGS), max_size=3).map(",".join),
        "kind": st.sampled_from(("", *KINDS)),
        "also": st.sampled_from(("", "other words", "mehr")),
        "supersedes": st.lists(places, max_size=2),
    }
).map(lambda values: ("remember", values))
steps = st.one_of(
    remembers,
    remembers,
    st.tuples(st.just("forget"), st.fixed_dictionaries({"place": places, "reason": reasons})),
    st.tuples(st.just("undo"), st.fixed_dictionaries({"place": places})),
    st.tuples(st.just("classify"), st.fixed_dictionaries({"place": places, "kind": st.sampled_from(KINDS)})),
    st.tuples(st.just("erase"), st.fixed_dictionaries({"place": places})),
    st.tuples(st.just("learn"), st.fixed_dictionaries({"place": places, "question": st.sampled_from(TEXTS)})),
    st.tuples(st.just("memo"), st.fixed_dictionaries({"place": places})),
    st.tuples(
        st.just("origin"),
        st.fixed_dictionaries({"place": places, "origin": st.sampled_from(("c#5", "file:/n.md#2"))}),
    ),
    st.tuples(st.just("wait"), st.fixed_dictionaries({"minutes": st.integers(1, 90)})),
)
histories = st.lists(steps, min_size=1, max_size=10)


class Life:
    """Lives through the steps of a history in one workspace, whose clock it moves."""

    def __init__(self, workspace: Workspace, clock: Any) -> None:
        self.workspace = workspace
        self.clock = clock
        self.ids: list[int] = []

    def live(self, history: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Do every step."""
        for name, values in history:
            getattr(self, f"_{name}")(**values)

    def _call(self, tool: str, **arguments: object) -> Any:
        reply = self.workspace.call(Client(), tool, arguments, from_shell=True)
        assert not reply.is_error, reply.text
        return reply.answer

    def _at(self, place: int) -> int | None:
        return self.ids[place % len(self.ids)] if self.ids else None

    def _remember(self, *, supersedes: list[int], **arguments: object) -> None:
        ids = ",".join(str(self._at(place)) for place in supersedes if self.ids)
        answer = self._call("remember", supersedes=ids, **arguments)
        self.ids.append(int(answer.items[0]["id"]))

    def _forget(self, *, place: int, reason: str) -> None:
        if entry := self._at(place):
            self._call("forget", ids=entry, reason=reason)

    def _undo(self, *, place: int) -> None:
        if entry := self._at(place):
            self._call("forget", ids=entry, undo=True)

    def _classify(self, *, place: int, kind: str) -> None:
        if entry := self._at(place):
            self._call("classify", ids=entry, kind=kind)

    def _erase(self, *, place: int) -> None:
        if entry := self._at(place):
            self._call("erase", ids=entry)

    def _learn(self, *, place: int, question: str) -> None:
        if entry := self._at(place):
            with self.workspace.store.write() as db:
                at = self.clock().strftime("%Y-%m-%d %H:%M:%S")
                PAIRS.write(db, Lesson((Confirmed(question, question, entry),)), at=at)

    def _memo(self, *, place: int) -> None:
        pieces = list(dict.fromkeys(self.ids))[place : place + 3]
        with self.workspace.store.write() as db:
            entries = storage.fetch(db, pieces)
            if pieces and not any(entry.piece for entry in entries.values()):
                record_memo(db, sorted(pieces), subject="memo über")

    def _origin(self, *, place: int, origin: str) -> None:
        if entry := self._at(place):
            with self.workspace.store.write() as db:
                db.execute("UPDATE entry SET origin = ? WHERE id = ?", (origin, entry))

    def _wait(self, *, minutes: int) -> None:
        self.clock.advance(minutes=minutes)
