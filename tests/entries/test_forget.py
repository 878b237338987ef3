"""forget and its undo."""

import pytest

SUPERSEDED = "SELECT entry_id, successor_id, reason FROM event WHERE action = 'superseded' ORDER BY seq"


def lines(answer: str) -> list[str]:
    return answer.splitlines()


@pytest.fixture
def filled(memory):
    for text in ("one", "two", "three", "four"):
        memory.store(f"port {text}", kind="pitfall")
    return memory


def test_live_entries_are_hidden_without_successor(filled):
    answer = filled("forget", ids="1,3", reason="was a guess")

    assert lines(answer)[0] == filled.say("hidden", ids="#1, #3")
    assert filled.rows(SUPERSEDED) == [(1, None, "was a guess"), (3, None, "was a guess")]
    assert "#1 " not in filled("recall", query="port")


def test_reason_is_absent_when_none_was_given(filled):
    filled("forget", ids="1")

    assert filled.rows(SUPERSEDED) == [(1, None, None)]


def test_nothing_is_deleted(filled):
    filled("forget", ids="1-4")

    assert filled("show", ids="1-4").count("port") == 4


def test_reason_stands_on_one_line(filled):
    filled("forget", ids="1", reason="first\nsecond\t third")

    assert filled.rows(SUPERSEDED) == [(1, None, "first second third")]


def test_reason_of_500_characters_is_stored_and_a_longer_one_refused(filled):
    filled("forget", ids="1", reason="r" * 500)

    assert "500" in filled.refused("forget", ids="2", reason="r" * 501)
    assert filled.rows(SUPERSEDED) == [(1, None, "r" * 500)]


def test_answer_ends_with_the_undo_call(filled):
    answer = filled("forget", ids="2-4, 99")

    assert lines(answer)[-1].endswith(filled.call("forget", "2-4", undo=True))


def test_hidden_entry_is_named_with_date_and_successor(filled, clock):
    filled("forget", ids="1")
    filled.store("port two, corrected", supersedes="2")
    clock.advance(days=9)

    answer = filled("forget", ids="1,2,3")

    assert lines(answer)[0] == filled.say("hidden", ids="#3")
    assert "#1" in lines(answer)[1]
    assert "2026-11-02" in lines(answer)[1]
    assert "#2" in lines(answer)[2]
    assert "2026-11-02" in lines(answer)[2]
    assert "#5" in lines(answer)[2]


def test_further_note_is_logged_for_a_new_reason_only(filled):
    filled("forget", ids="1", reason="was a guess")

    filled("forget", ids="1", reason="was a guess")
    filled("forget", ids="1")
    assert len(filled.rows(SUPERSEDED)) == 1

    filled("forget", ids="1", reason="the port moved")
    assert filled.rows(SUPERSEDED)[1] == (1, None, "the port moved")


def test_further_reason_keeps_the_successor(filled):
    filled.store("port one, corrected", supersedes="1")

    filled("forget", ids="1", reason="typing error")

    assert filled.rows(SUPERSEDED) == [(1, 5, None), (1, 5, "typing error")]
    assert f"{filled.say('by', id='#5')}: typing error" in filled("show", ids="1")


def test_many_hidden_entries_are_named_in_one_line(filled):
    with filled.shell.workspace.store.write():
        pass
    for number in range(30):
        filled.store(f"port number {number}")
    filled("forget", ids="1-34")

    answer = filled("forget", ids="1-34")

    assert len(lines(answer)) == 8
    assert "#7-#34" in answer


def test_unknown_ids_are_named(filled):
    answer = filled("forget", ids="1,99-105,200")

    assert filled.say("unknown") in answer
    assert "#99-#105, #200" in answer


def test_only_unknown_ids_change_nothing_and_need_no_undo(filled):
    answer = filled("forget", ids="99")

    assert answer.startswith(filled.say("unknown"))
    assert filled.name("undo") not in answer


def test_hiding_a_piece_of_a_memo_names_the_others(filled):
    filled.make_memo([1, 2, 3])

    assert "#1, #3" in filled("forget", ids="2")


# Undo


def test_undo_brings_back_what_was_hidden(filled):
    filled("forget", ids="1-2")

    answer = filled("forget", ids="1-2", undo=True)

    assert lines(answer)[0] == filled.say("back", ids="#1, #2")
    assert "#1 " in filled("recall", query="port one")
    assert lines(answer)[-1].endswith(filled.call("forget", "1,2"))


def test_undo_brings_back_a_replaced_entry_and_its_successor_stays_and_is_named(filled):
    filled.store("port one, corrected", supersedes="1")

    answer = filled("forget", ids="1", undo=True)

    assert lines(answer)[0] == filled.say("back", ids="#1")
    assert "#5" in lines(answer)[1]
    assert filled.rows("SELECT count(*) FROM entry_state WHERE live = 1") == [(5,)]


def test_undo_names_ids_that_were_live_and_unknown_ones(filled):
    filled("forget", ids="1")

    answer = filled("forget", ids="1,2,99", undo=True)

    assert "#2" in lines(answer)[1]
    assert filled.say("unknown") in lines(answer)[2]
    assert "#99" in lines(answer)[2]


def test_undo_is_logged_and_the_old_note_is_gone(filled):
    filled("forget", ids="1", reason="was a guess")

    filled("forget", ids="1", undo=True)

    assert [row[0] for row in filled.rows("SELECT action FROM event ORDER BY seq")] == [
        "superseded",
        "restored",
    ]
    assert "{" not in filled("show", ids="1")


def test_undo_twice_changes_nothing_more(filled):
    filled("forget", ids="1")
    filled("forget", ids="1", undo=True)

    filled("forget", ids="1", undo=True)

    assert filled.rows("SELECT count(*) FROM event") == [(2,)]


def test_undo_call_of_the_answer_works(filled):
    before = filled("topics", tag="-")
    call = lines(filled("forget", ids="1,3-4"))[-1]

    filled("forget", ids=call.split('"')[1], undo=True)

    assert filled("topics", tag="-") == before


def test_1000_scattered_ids_stay_within_the_cap_and_keep_a_way_back(filled):
    ids = list(range(1, 2_000, 2))
    with filled.shell.workspace.store.write() as db:
        _fill(db, 2_000)

    answer = filled("forget", ids=ids)

    assert len(answer) <= 2_000
    assert filled.call("forget", "...", undo=True) in lines(answer)[-1]


def _fill(db, count: int) -> None:
    from frugal.entries import storage

    for number in range(count):
        entry = storage.NewEntry(f"entry {number}", "gemischt", (), "2026-11-02 10:14:00")
        storage.insert(db, entry)
