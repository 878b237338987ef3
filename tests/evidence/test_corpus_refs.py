"""Refs, threads and roots: the same after every import, whatever came first."""

from pathlib import Path

import pytest
from shelf import Shelf, asking, message, messages

from frugal_modes.evidence import refs
from frugal_modes.evidence.corpus import message_number, ref_of_key, refs_of, scope_of
from frugal_modes.evidence.records import Deletion, Place
from frugal_modes.evidence.refs import MESSAGE, THREAD, first_half, mark_of, ref_of


def test_refs_have_thirteen_characters_and_sort_like_their_marks() -> None:
    marks = sorted(mark_of(MESSAGE, "chat", str(number)) for number in range(200))

    found = [ref_of(MESSAGE, *mark) for mark in marks]

    assert all(len(ref) == 15 for ref in found)
    assert found == sorted(found)
    assert [first_half(ref, MESSAGE) for ref in found] == [mark.mark for mark in marks]


@pytest.mark.parametrize(
    "ref", ["", "m-", "m-abc", "t-2222222222222", "m-222222222222A", "m-" + "a" * 27, "m-０222222222222"]
)
def test_what_is_no_ref_is_none(ref: str) -> None:
    assert first_half(ref, MESSAGE) is None


def test_parts_of_a_key_do_not_run_into_each_other() -> None:
    assert mark_of(MESSAGE, "a", "bc") != mark_of(MESSAGE, "ab", "c") != mark_of(MESSAGE, "a\0b", "c")
    assert mark_of(MESSAGE, "a", "b") != mark_of(THREAD, "a", "b")


def test_message_keeps_its_ref_in_another_file_and_after_an_edit(shelf: Shelf, tmp_path: Path) -> None:
    shelf.add("filler", "one", first=7)
    shelf.add("filler", "other", first=7)
    other = Shelf(tmp_path / "other.db")
    other.add("one", first=8)

    with shelf.read() as db:
        number = message_number(db, ref_of_key("chat", "8"), scope_of(db))
        assert number is not None
        assert refs_of(db, [number]) == {number: ref_of_key("chat", "8")}
    with other.read() as db:
        assert list(refs_of(db, [1]).values()) == [ref_of_key("chat", "8")]
    other.store.close()


def test_ref_outside_the_corpora_in_view_is_not_known(shelf: Shelf) -> None:
    shelf.add("one")
    shelf.add("one", corpus="other")

    with shelf.read() as db:
        ref = ref_of_key("chat", "1")
        assert message_number(db, ref, scope_of(db, ["chat"])) == 1
        assert message_number(db, ref, scope_of(db, ["other"])) is None


def test_collision_lengthens_the_newer_ref(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    real = refs.digest

    def colliding(*parts: str) -> bytes:
        return bytes(8) + b"\0" + real(*parts)[9:]

    monkeypatch.setattr(refs, "digest", colliding)
    shelf.add("one")
    shelf.add("two", "three", first=2)

    with shelf.read() as db:
        found = refs_of(db, [1, 2, 3])
        assert next(len(ref) for ref in found.values()) == 15
        assert all(len(ref) > 15 for number, ref in found.items() if number > 1)
        assert len(set(found.values())) == 3
        assert [message_number(db, ref, scope_of(db)) for ref in found.values()] == [1, 2, 3]
    assert shelf.add("one").unchanged == 1


def threads(shelf: Shelf) -> list[tuple[str, str | None, bool]]:
    """Return of each message its text, its thread and whether it is the root."""
    return shelf.rows(
        """
        SELECT m.text, t.id, t.root IS m.number FROM message AS m LEFT JOIN thread AS t ON t.number = m.thread
        ORDER BY m.text
        """
    )


EXPECTED = [("lonely", None, False), ("orphan", "gone", False), ("reply", "1", False), ("root", "1", True)]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 3, 2), (3, 2, 1, 0)])
@pytest.mark.parametrize("is_split", [False, True])
def test_root_joins_its_thread_whenever_it_comes(
    shelf: Shelf, order: tuple[int, ...], is_split: bool
) -> None:
    items = [
        message("root", id="1"),
        message("reply", id="2", thread="1"),
        message("lonely", id="3"),
        message("orphan", id="4", thread="gone"),
    ]
    chosen = [items[place] for place in order]

    if is_split:
        for item in chosen:
            shelf.load([item])
    else:
        shelf.load(chosen)

    assert threads(shelf) == EXPECTED
    assert shelf.found({}).counts().threads == 3


def test_same_thread_name_in_two_conversations_is_two_threads(shelf: Shelf) -> None:
    shelf.load(
        [
            message("root", id="1"),
            message("here", id="2", thread="1"),
            message("there", id="3", thread="1", conversation_id="side"),
        ]
    )

    assert threads(shelf) == [("here", "1", False), ("root", "1", True), ("there", "1", False)]
    assert shelf.found({}).counts().threads == 2


def test_root_that_is_taken_back_leaves_its_thread_without_one(shelf: Shelf) -> None:
    shelf.load([message("root", id="1"), message("reply", id="2", thread="1")])

    shelf.load([Deletion("1", Place("chat.jsonl", 9))])

    assert threads(shelf) == [("reply", "1", False)]
    assert shelf.rows("SELECT root FROM thread") == [(None,)]


def test_message_moved_into_a_thread_is_found_there(shelf: Shelf) -> None:
    shelf.load(messages("root", "reply"))

    shelf.load([message("reply", id="2", thread="1")])

    assert threads(shelf) == [("reply", "1", False), ("root", "1", True)]
    assert len(shelf.found({**asking("literal", "reply"), "filters": {"thread_ids": ["1"]}})) == 1
