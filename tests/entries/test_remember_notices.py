"""What remember points out about a kind that is hidden, tags of what it supersedes, and successors."""

import pytest


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", 'Hidden from recall unless kind="history".'),
        ("de", 'In recall verborgen, außer mit art="verlauf".'),
    ],
)
def test_hidden_kind_is_told_once_and_only_for_a_hidden_kind(open_memory, language, line):
    memory = open_memory(language)

    told = memory("remember", text="Moved the pool to port 49222", kind="history")
    again = memory("remember", text="Moved the pool to port 49222", kind="history")
    plain = memory("remember", text="The pool listens on port 49222", kind="decision")

    assert told.splitlines()[1] == line
    assert line not in again
    assert line not in plain


def test_unsorted_entry_that_gets_a_hidden_kind_is_told(memory):
    memory("remember", text="Moved the pool to port 49222")

    again = memory("remember", text="Moved the pool to port 49222", kind="history")

    assert memory.kind("history") in again.splitlines()[-1]


def test_tag_of_the_only_entry_that_is_superseded_is_not_new(memory):
    first = memory("remember", text="A book costs 12 euros", tags="prices", kind="decision")
    old = memory.store("A pencil costs 1 euro", tags="pencils", kind="decision")

    told = memory("remember", text="A pencil costs 2 euros", tags="pencils", kind="decision", supersedes=old)

    assert "prices" in first.splitlines()[-1]
    assert [line for line in told.splitlines()[1:] if "pencils" in line] == []


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", 'If this replaces #1: the same text again with supersedes="1"'),
        ("de", 'Falls das #1 ersetzt: denselben Text noch einmal mit ersetzt="1"'),
    ],
)
def test_similar_entry_is_replaced_by_what_the_last_line_says(open_memory, language, line):
    memory = open_memory(language)
    memory.store("The connection pool of the shop listens on port 22", kind="decision")
    text = "The connection pool of the shop listens on port 49222"

    told = memory("remember", text=text, kind="decision")
    again = memory("remember", text=text, supersedes="1")

    assert told.splitlines()[-1] == line
    assert memory.say("superseded", ids="#1") in again.splitlines()
    assert line not in again


def test_live_successor_of_a_superseded_id_is_told_and_stays(memory):
    for text, before in (("Port is 22", ""), ("Port is 2222", "1"), ("Port is 49222", "1")):
        told = memory("remember", text=text, kind="decision", supersedes=before)

    lines = [line for line in told.splitlines() if memory.call("x", supersedes="2")[2:-1] in line]

    assert lines[0].startswith("#2 ")
    assert memory.rows("SELECT entry_id FROM entry_state WHERE live = 1 ORDER BY entry_id") == [(2,), (3,)]


def test_successor_that_is_replaced_in_the_same_call_is_not_told_as_live(memory):
    memory.store("Port is 22", kind="decision")
    memory.store("Port is 2222", kind="decision", supersedes="1")

    told = memory("remember", text="Port is 49222", kind="decision", supersedes="1,2")

    assert memory.call("x", supersedes="2")[2:-1] not in told


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "#1 was superseded by this entry before; nothing was changed."),
        ("de", "#1 war schon durch diesen Eintrag ersetzt; nichts wurde geändert."),
    ],
)
def test_same_call_again_changes_nothing_and_says_so(open_memory, language, line):
    memory = open_memory(language)
    memory.store("Port is 22")
    memory.store("Port is 2222", supersedes="1")

    assert line in memory("remember", text="Port is 2222", supersedes="1").splitlines()
