"""show: what it prints of entries, and what it refuses."""

import re

import pytest
from following import follow


def test_superseded_entry_is_shown(memory):
    memory.store("one")
    memory.store("two", supersedes="1")

    answer = memory("show", ids="1")

    assert memory.say("by", id="#2") in answer
    assert answer.endswith("\none")


def test_asked_pieces_of_a_memo_stand_together_at_the_place_of_the_first(memory):
    for text in ("one", "apart", "two", "three"):
        memory.store(text)
    memory.make_memo([1, 3, 4])

    answer = memory("show", ids="4,2,1")

    assert answer.index("\none") < answer.index("\nthree") < answer.index("\napart")


def test_next_unit_that_would_pass_the_cap_and_all_behind_it_are_deferred(memory):
    for number, size in enumerate((3_000, 2_000, 2_000, 10)):
        memory.store(f"{number} " + "x" * (size - 2))

    answer = memory("show", ids="1-4")

    assert answer.count(memory.say("characters", count="")) == 2
    tail = answer.split("\n\n")[-1].splitlines()
    assert tail[0].startswith(memory.say("not_shown", count=2))
    assert memory.call("show", "3,4") in tail[0]
    assert [line.split()[0] for line in tail[1:]] == ["#3", "#4"]


def test_deferred_ids_stand_in_the_call_as_ranges_with_at_most_20_lines(memory):
    for number in range(40):
        memory.store(f"{number} " + "x" * 2_900)

    answer = memory("show", ids="1-40")

    assert memory.call("show", "3-40") in answer
    assert len(re.findall(r"(?m)^#\d+ 2026", answer)) == 20


def test_memo_that_does_not_fit_is_deferred_as_a_whole(memory):
    memory.store("x" * 3_000)
    for number in range(4):
        memory.store(f"{number} " + "x" * 1_000)
    memory.make_memo([2, 3, 4, 5])

    assert memory.call("show", "2-5") in memory("show", ids="1-5")


def test_first_unit_too_long_is_cut_at_a_line_end_with_the_call_for_all(memory):
    memory.store("\n".join(["x" * 99] * 100))

    answer = memory("show", ids="1")

    body, notice = answer.rsplit("\n", 1)
    assert body.split("\n", 1)[1] == "\n".join(["x" * 99] * 60)
    assert "6000" in notice
    assert "9999" in notice
    assert memory.call("show", "1", full=True) in notice


def test_line_end_before_half_the_cap_is_no_place_to_cut(memory):
    memory.store("x" * 2_000 + "\n" + "y" * 9_000)

    answer = memory("show", ids="1")

    assert answer.count("y" * 3_999) == 1
    assert "6000" in answer.rsplit("\n", 1)[1]


def test_text_is_never_cut_inside_a_character_that_a_reader_sees_as_one(memory):
    memory.store("👩‍🚀" * 3_000)

    shown = memory("show", ids="1").split("\n")[1]

    assert len(shown) % 3 == 0


def test_search_words_count_against_the_cap_but_not_in_the_length(memory):
    memory.store("x" * 5_800, also="w" * 250)

    answer = memory("show", ids="1")

    assert memory.say("characters", count=5800) in answer
    assert memory.call("show", "1", full=True) in answer


@pytest.mark.parametrize("size", [5_999, 6_000, 6_001, 20_000])
def test_following_the_calls_loses_no_character(memory, size):
    texts = [f"{number}\n" + "ä" * (size - 2) for number in range(3)]
    for text in texts:
        memory.store(text)

    assert follow(memory, memory.call("show", "1-3")) >= set(texts)


@pytest.mark.parametrize("filling", ["x", "连", "\x07"])
def test_longest_entry_fits_with_full(memory, filling):
    text = "a" + filling * 99_998 + "b"
    memory.store(text)

    assert memory("show", ids="1", full=True).endswith(text)


def test_longer_migrated_entry_names_the_shell_command(memory):
    memory.store("x")
    memory.execute("UPDATE entry SET text = ?", "x" * 700_000)

    answer = memory("show", ids="1", full=True)

    assert len(answer) <= 640 * 1024
    assert f"frugal-memory memory {memory.name('show')} 1 --json" in answer
    assert "700000" in answer


def test_full_defers_what_passes_640_kib_with_a_call_that_asks_for_full(memory):
    for letter in "abcdefgh":
        memory.store(letter * 100_000)

    answer = memory("show", ids="1-8", full=True)

    assert memory.call("show", "7,8", full=True) in answer


def test_unknown_ids_stand_in_one_line_before_the_deferred_ones(memory):
    for _ in range(2):
        memory.store(f"{_} " + "x" * 4_000)

    tail = memory("show", ids="1,2,50-60,99").split("\n\n")[-1].splitlines()

    assert tail[0].startswith(memory.say("unknown"))
    assert "#50-#60, #99" in tail[0]
    assert tail[1].startswith(memory.say("not_shown", count=1))


def test_only_unknown_ids_give_that_line_alone_and_no_error(memory):
    memory.store("one")

    answer = memory("show", ids="7")

    assert answer.startswith(memory.say("unknown"))
    assert "\n" not in answer


def test_scattered_deferred_ids_all_stand_in_the_call(memory):
    for number in range(100):
        memory.store(f"{number} " + "x" * 5_000)
    asked = ",".join(str(number) for number in range(1, 400, 2))

    answer = memory("show", ids=asked)

    deferred = ",".join(str(number) for number in range(3, 100, 2))
    assert memory.call("show", deferred) in answer
