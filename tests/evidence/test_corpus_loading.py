"""Loading: what is new, changed, repeated, older, taken back, vanished."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hostile import texts
from hypothesis import given, settings
from hypothesis import strategies as st
from shelf import STAMP, START, Shelf, asking, message, messages

from frugal_modes.evidence import loading
from frugal_modes.evidence.check import check
from frugal_modes.evidence.loading import Prune
from frugal_modes.evidence.records import Deletion, Item, Message, Place, Reject, Repair, Unknown


def assert_sound(shelf: Shelf) -> None:
    with shelf.read() as db:
        assert check(db, is_all=True).findings == ()


def taken_back(key: str) -> Deletion:
    return Deletion(key, Place("chat.jsonl", 99))


def test_second_import_changes_nothing(shelf: Shelf) -> None:
    first = shelf.add("one", "two", "three")
    second = shelf.add("one", "two", "three")

    assert (first.inserted, first.unchanged) == (3, 0)
    assert (second.inserted, second.updated, second.unchanged) == (0, 0, 3)
    assert second.version_before == second.version_after == first.version_after
    assert_sound(shelf)


def test_changed_message_is_updated_and_its_old_text_kept(shelf: Shelf) -> None:
    shelf.add("first words", "second")

    report = shelf.add("other words", "second")

    assert (report.updated, report.unchanged) == (1, 1)
    assert shelf.texts(asking("literal", "other")) == ["other words"]
    assert shelf.texts(asking("literal", "first")) == []
    assert shelf.rows("SELECT text, imported_at FROM revision") == [("first words", STAMP)]
    assert_sound(shelf)


def test_newer_edit_wins_and_an_older_one_is_ignored(shelf: Shelf) -> None:
    shelf.add("edited", edited_at=START + 10)

    older = shelf.add("original")
    newer = shelf.add("edited again", edited_at=START + 20)

    assert (older.ignored, older.updated) == (1, 0)
    assert (newer.ignored, newer.updated) == (0, 1)
    assert shelf.rows("SELECT text, edited_at FROM message") == [("edited again", START + 20)]


def test_later_edit_without_a_change_is_remembered(shelf: Shelf) -> None:
    shelf.add("same", edited_at=START + 10)
    report = shelf.add("same", edited_at=START + 20)

    stale = shelf.add("stale", edited_at=START + 15)

    assert (report.updated, report.unchanged, stale.ignored) == (0, 1, 1)
    assert shelf.rows("SELECT text, edited_at FROM message") == [("same", START + 20)]


def test_records_that_wait_are_written_before_they_are_too_many(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.add(*["old"] * 5)
    monkeypatch.setattr(loading, "BATCH", 1)
    monkeypatch.setattr(loading, "PENDING", 2)

    report = shelf.add(*["new"] * 5)

    assert (report.updated, report.unchanged) == (5, 0)
    assert_sound(shelf)


def test_one_changed_message_changes_the_version_and_reverting_restores_it(shelf: Shelf) -> None:
    before = shelf.add("one", "two").version_after

    changed = shelf.add("one", "TWO").version_after
    restored = shelf.add("one", "two").version_after

    assert changed != before
    assert restored == before


def test_version_depends_on_no_order_and_no_row_number(shelf: Shelf) -> None:
    items = messages(*(f"text {number}" for number in range(50)), thread="7")
    shelf.load(items, "forward")
    random.Random(1).shuffle(items)
    shelf.load([message("gone", id="gone"), *items], "chat")
    shelf.load([taken_back("gone")], "chat")

    shelf.load(items, "copy")
    (forward,) = shelf.rows("SELECT fingerprint FROM corpus WHERE name = 'forward'")
    (chat,) = shelf.rows("SELECT fingerprint FROM corpus WHERE name = 'chat'")

    assert forward != chat  # another corpus, other refs
    other = Shelf(shelf.store.path.with_name("other.db"))
    other.load(sorted(items, key=lambda item: item.natural_key), "chat")
    assert other.version() == shelf.version()
    other.store.close()


def test_key_twice_in_a_source_counts_once_and_the_later_line_wins(shelf: Shelf) -> None:
    source = [message("draft"), message("final"), message("other", id="2"), message("other", id="2")]

    first = shelf.load(source)
    second = shelf.load(source)

    assert (first.inserted, first.updated, first.repeated) == (2, 0, 2)
    assert (second.inserted, second.updated, second.unchanged, second.repeated) == (0, 0, 2, 2)
    assert shelf.rows("SELECT text FROM message ORDER BY number") == [("final",), ("other",)]
    assert shelf.rows("SELECT * FROM revision") == []


def test_key_twice_with_edits_keeps_the_later_edit(shelf: Shelf) -> None:
    shelf.load([message("late", edited_at=START + 5), message("early", edited_at=START + 1)])

    assert shelf.rows("SELECT text FROM message") == [("late",)]


def test_key_twice_across_batches_ends_the_same(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "BATCH", 1)
    source = [message("draft"), message("between", id="2"), message("final")]

    first = shelf.load(source)
    second = shelf.load(source)

    assert (first.inserted, first.updated) == (2, 0)
    assert (second.updated, second.unchanged) == (0, 2)
    assert second.version_after == first.version_after
    assert shelf.rows("SELECT text FROM message ORDER BY number") == [("final",), ("between",)]
    assert_sound(shelf)


def test_deletion_takes_a_message_back_once_and_for_every_import(shelf: Shelf) -> None:
    source: list[Item] = [*messages("one", "two"), taken_back("1")]

    first = shelf.load(source)
    second = shelf.load(source)
    third = shelf.load(messages("one"))

    assert (first.inserted, first.deleted) == (1, 0)
    assert (second.inserted, second.deleted, second.unchanged) == (0, 0, 1)
    assert second.version_after == first.version_after
    assert third.inserted == 1  # a source that has it again brings it back
    assert_sound(shelf)


def test_deletion_of_an_earlier_import_removes_text_index_and_revisions(shelf: Shelf) -> None:
    shelf.add("one secret", "two")
    shelf.add("one more secret", "two")

    report = shelf.load([taken_back("1")])

    assert report.deleted == 1
    assert shelf.texts(asking("literal", "secret")) == []
    assert shelf.rows("SELECT * FROM revision") == []
    assert_sound(shelf)


def test_vanished_messages_stay_unless_pruned(shelf: Shelf) -> None:
    shelf.add("one", "two", "three", "four")
    shelf.load([message("aside", id="2a", conversation_id="side", sent_at=START + 100_000)])
    rest = [message("one", id="1"), message("three", id="3")]

    kept = shelf.load(rest)
    counted = shelf.load(rest, prune=Prune.COUNT)
    pruned = shelf.load(rest, prune=Prune.YES)

    assert (kept.pruned, counted.prunable, counted.pruned, pruned.pruned) == (0, 1, 0, 1)
    stored = [row[0] for row in shelf.rows("SELECT text FROM message ORDER BY number")]
    assert stored == [
        "one",
        "three",
        "four",
        "aside",
    ]  # four is later than the source's last, aside another room's
    assert_sound(shelf)


def test_pruning_leaves_what_another_format_brought(shelf: Shelf) -> None:
    shelf.load(messages("one"), format="csv")
    shelf.load([message("two", id="2", sent_at=START)])

    report = shelf.load(
        [message("zero", id="0", sent_at=START - 1), message("last", id="9")], prune=Prune.YES
    )

    assert report.pruned == 1
    assert [row[0] for row in shelf.rows("SELECT text FROM message ORDER BY text")] == ["last", "one", "zero"]


def test_rules_label_senders_anew_and_fall_back_to_unknown(shelf: Shelf) -> None:
    shelf.add("one", sender_type="client", organization="Blue")
    before = shelf.query({}).scope.state

    shelf.add("one")
    kept = shelf.rows("SELECT type, organization FROM sender")
    shelf.load(messages("one", sender_type="internal"), has_rules=True)
    ruled = shelf.rows("SELECT type, organization FROM sender")
    shelf.load(messages("one"), has_rules=True)

    assert kept == [("client", "Blue")]
    assert ruled == [("internal", "")]
    assert shelf.rows("SELECT type, organization FROM sender") == [("unknown", "")]
    assert shelf.query({}).scope.state != before


def test_rejects_repairs_unknown_fields_and_zones_are_counted(shelf: Shelf) -> None:
    place = Place("chat.jsonl", 1)
    report = shelf.load(
        [
            Reject(place, "bad_json", "{"),
            Reject(place, "bad_time", "x"),
            Repair(place, "bom"),
            Unknown("mood"),
            Unknown("mood"),
            message("one", zone_known=False),
        ]
    )

    assert report.rejected == {"bad_json": 1, "bad_time": 1}
    assert report.repaired == {"bom": 1}
    assert report.unknown == {"mood": 2}
    assert (report.read, report.zoneless) == (1, 1)


def test_dry_run_counts_and_writes_nothing(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "BATCH", 2)
    shelf.add("one", "two", "three")

    report = shelf.load(messages("one", "TWO", "three", "four", "five"), is_dry=True, prune=Prune.YES)

    assert (report.inserted, report.updated, report.unchanged, report.is_dry) == (2, 1, 2, True)
    assert len(shelf.found({})) == 3
    assert shelf.rows("SELECT * FROM revision") == []


def test_import_that_is_cut_short_goes_on_when_it_is_run_again(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "BATCH", 2)
    items = messages("one", "two", "three", "four", "five")

    def cut() -> Iterator[Message]:
        yield from items[:3]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shelf.load(cut())
    assert len(shelf.found({})) == 2
    report = shelf.load(items)

    assert (report.inserted, report.unchanged) == (3, 2)
    assert_sound(shelf)


def test_same_text_has_the_same_key_and_another_one_another(shelf: Shelf) -> None:
    shelf.add("same", "same", "same ")

    keys = [row[0] for row in shelf.rows("SELECT text_key FROM message ORDER BY number")]

    assert keys[0] == keys[1] != keys[2]


@given(st.lists(texts(most=4), min_size=1, max_size=6, unique=True), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_import_edit_and_revert_in_any_order_lead_to_the_same_version(
    tmp_path_factory: pytest.TempPathFactory, found: list[str], order: random.Random
) -> None:
    shelf = Shelf(tmp_path_factory.mktemp("versions") / "evidence.db")
    items = messages(*found)
    shuffled = order.sample(items, len(items))

    before = shelf.load(items).version_after
    again = shelf.load(shuffled)
    edited = shelf.load([replace(items[0], text=f"{items[0].text} edited")])
    back = shelf.load(shuffled)

    assert (again.inserted, again.updated, again.version_after) == (0, 0, before)
    assert edited.version_after != before
    assert back.version_after == before
    assert_sound(shelf)
    shelf.store.close()
