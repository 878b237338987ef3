"""classify: a kind for entries that have none or the wrong one."""

import pytest


@pytest.fixture
def filled(memory):
    for number in range(6):
        memory.store(f"port {number}", tags="shop")
    return memory


def test_kind_is_set_and_the_ids_are_named(filled):
    answer = filled("classify", ids="1-3", kind="pitfall")

    assert answer.splitlines()[0] == f"{filled.kind('pitfall')}: #1-#3."
    assert filled.rows("SELECT entry_id FROM entry_state WHERE kind = 'fallstrick'") == [(1,), (2,), (3,)]


def test_ids_that_had_it_unknown_ones_and_the_unsorted_rest_are_named(filled):
    filled("classify", ids="1-2", kind="pitfall")

    first, had, unknown, left = filled("classify", ids="1-4,99", kind="pitfall").splitlines()

    assert first == f"{filled.kind('pitfall')}: #3, #4."
    assert "#1, #2" in had
    assert filled.say("unknown") in unknown
    assert "#99" in unknown
    assert left.startswith(filled.say("unsorted_left", count=2))


def test_nothing_unsorted_left_needs_no_line(filled):
    assert filled("classify", ids="1-6", kind="pitfall") == f"{filled.kind('pitfall')}: #1-#6."


def test_superseded_unsorted_entries_do_not_count_as_left(filled):
    filled("forget", ids="5,6")

    assert "\n" not in filled("classify", ids="1-4", kind="pitfall")


def test_stamp_and_log_row_are_written_and_nothing_else(filled, clock):
    before = filled.rows("SELECT * FROM entry")
    clock.advance(days=1)

    filled("classify", ids="1", kind="pitfall")

    assert filled.rows("SELECT kind, kind_at, live, times_stored FROM entry_state WHERE entry_id = 1") == [
        ("fallstrick", "2026-11-03 10:14:00", 1, 1)
    ]
    assert filled.rows("SELECT entry_id, action, detail, at FROM event") == [
        (1, "kind", "fallstrick", "2026-11-03 10:14:00")
    ]
    assert filled.rows("SELECT * FROM entry") == before


def test_same_kind_again_writes_nothing(filled):
    filled("classify", ids="1", kind="pitfall")

    filled("classify", ids="1", kind="pitfall")

    assert filled.rows("SELECT count(*) FROM event") == [(1,)]


def test_unsorted_takes_a_kind_away(filled):
    filled("classify", ids="1", kind="pitfall")

    answer = filled("classify", ids="1", kind=filled.kind("unsorted"))

    assert answer.startswith(f"{filled.kind('unsorted')}: #1.")
    assert filled.rows("SELECT kind FROM entry_state WHERE entry_id = 1") == [("gemischt",)]


def test_superseded_entry_takes_a_kind_too(filled):
    filled("forget", ids="1")

    assert filled("classify", ids="1", kind="pitfall").startswith(f"{filled.kind('pitfall')}: #1.")


@pytest.mark.parametrize(
    "kind", ["all", "alle", "pitfall decision", ["pitfall", "decision"], "", None, "nonsense"]
)
def test_anything_but_exactly_one_kind_is_refused(filled, kind):
    filled.refused("classify", ids="1", kind=kind)

    assert filled.rows("SELECT count(*) FROM event") == [(0,)]


def test_entry_given_a_hidden_kind_leaves_the_default_search(filled):
    filled("classify", ids="1", kind="history")

    assert "#1 " not in filled("recall", query="port")
    assert "#1 " in filled("recall", query="port", kind="history")
