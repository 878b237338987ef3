"""recall: header, hits and filters, without query language, expansion and learned questions."""

import re

import pytest
from memories import ids, keeps_cap


def head(answer: str) -> str:
    return answer.splitlines()[0]


@pytest.mark.parametrize("query", ["", "  ", ":::", "---", "\n", "🚀", '"', "*"])
def test_query_without_letter_or_digit_is_refused(memory, query):
    memory.store("Port is 22")

    assert "query" in memory.refused("recall", query=query)


def test_longest_query_is_answered_and_a_longer_one_refused(memory):
    memory.store("Port is 22")

    assert ids(memory("recall", query="port " * 400)) == [1]
    assert "2000" in memory.refused("recall", query="p" * 2_001)


def test_header_counts_shown_and_all_matches(memory):
    for number in range(12):
        memory.store(f"port {number}")

    answer = memory("recall", query="port")

    assert head(answer).startswith(memory.say("match", shown=8, total=12, query="port"))
    assert len(ids(answer)) == 8


def test_limit_sets_the_number_of_hits(memory):
    for number in range(12):
        memory.store(f"port {number}")

    assert len(ids(memory("recall", query="port", limit=3))) == 3
    assert len(ids(memory("recall", query="port", limit=50))) == 12


def test_header_names_tag_and_kind(memory):
    memory.store("port 22", kind="pitfall", tags="shop")

    first = head(memory("recall", query="port", tag="shop", kind="pitfall"))

    where = " in shop" + memory.say("with_kind", kind=memory.kind("pitfall"))
    assert first.startswith(memory.say("match", shown=1, total=1, query="port") + where + ";")


def test_kind_filter_takes_several_kinds_in_either_language(memory):
    for kind in ("pitfall", "decision", "workflow", "history", "unsorted"):
        memory.store(f"port as {kind}", kind=kind)

    assert sorted(ids(memory("recall", query="port", kind="pitfall, entscheidung"))) == [1, 2]
    assert sorted(ids(memory("recall", query="port", kind="unsorted"))) == [5]
    assert sorted(ids(memory("recall", query="port", kind="all"))) == [1, 2, 3, 4, 5]
    assert sorted(ids(memory("recall", query="port"))) == [1, 2, 3, 5]


def test_header_says_that_no_entry_has_all_words(memory):
    memory.store("port 22 is open")

    assert memory.say("not_all") in head(memory("recall", query="port closed"))
    assert memory.say("not_all") not in head(memory("recall", query="open port"))


def test_all_words_are_looked_for_within_the_filters(memory):
    memory.store("port is closed", tags="other")
    memory.store("port 22", tags="shop")

    assert memory.say("not_all") in head(memory("recall", query="port closed", tag="shop"))


def test_only_the_first_64_words_count(memory):
    memory.store("word zebra")

    first = head(memory("recall", query=" ".join(["zebra", *(f"w{n}x" for n in range(70))])))

    assert memory.say("first_64") in first


def test_hidden_kind_is_counted_with_the_argument_that_shows_it(memory):
    memory.store("port 22")
    for number in range(4):
        memory.store(f"port changed {number}", kind="history")

    history = memory.kind("history")
    assert memory.say("kind_hidden", count=4, kind=history) in head(memory("recall", query="port"))
    total = head(memory("recall", query="port", kind="history"))
    assert total.startswith(memory.say("match", shown=4, total=4, query="port"))


def test_hidden_kind_is_not_counted_when_a_kind_was_asked_for(memory):
    memory.store("port 22", kind="pitfall")
    memory.store("port changed", kind="history")

    assert memory.kind("history") not in memory("recall", query="port", kind="pitfall")


def test_superseded_entries_are_hidden_and_counted(memory):
    memory.store("port 22")
    memory.store("port 23", supersedes="1")

    answer = memory("recall", query="port")

    assert ids(answer) == [2]
    assert memory.say("superseded_hidden", count=1) in head(answer)
    shown = memory("recall", query="port", include_superseded=True)
    assert sorted(ids(shown)) == [1, 2]
    assert memory.say("superseded_hidden", count=1) not in shown


def test_header_ends_with_the_call_that_reads_the_first_two_hits(memory):
    memory.store("port")
    memory.store("port port port")
    memory.store("something else")

    answer = memory("recall", query="port")

    best = ",".join(map(str, ids(answer)[:2]))
    assert head(answer).endswith(memory.say("read", call=memory.call("show", best)))


def test_fields_of_the_header_stand_in_a_fixed_order(memory):
    memory.store("port 22")
    memory.store("port 23", supersedes="1")
    memory.store("port changed", kind="history")

    first = head(memory("recall", query="port closed", limit=99))

    fields = [
        memory.say("not_all"),
        memory.say("limit", most=50),
        memory.say("kind_hidden", count=1, kind=memory.kind("history")),
        memory.say("superseded_hidden", count=1),
        memory.say("read", call=memory.call("show", "2")),
    ]
    assert first.split("; ")[1:] == fields


def test_header_has_at_most_320_characters_and_640_bytes_and_keeps_the_counts(memory):
    tags = [f"{n}连接池" * 8 for n in range(4)]
    memory.store("port 22", tags=tags)
    memory.store("port 22 b", tags=tags)
    memory.store("port 23", supersedes="1", tags=tags)
    memory.store("port changed", kind="history", tags=tags)

    first = head(memory("recall", query="port " + "连接池设备" * 100, tag=tags, limit=99))

    assert len(first) <= 320
    assert len(first.encode()) <= 640
    assert memory.say("kind_hidden", count=1, kind=memory.kind("history")) in first
    assert memory.say("superseded_hidden", count=1) in first


def test_echoed_query_is_cut_to_60_characters(memory):
    memory.store("port")

    echo = re.search(r'"([^"]*)"', head(memory("recall", query="port " + "x" * 200)))[1]

    assert len(echo) == 60


@pytest.mark.parametrize("query", ["1", "#1", "1,2", "#1 box#2", "1-2"])
def test_query_of_ids_only_also_gets_the_show_call(memory, query):
    memory.store("one")
    memory.store("two")

    asked = "1" if query in ("1", "#1") else "1,2"
    assert memory.call("show", asked) in head(memory("recall", query=query))


@pytest.mark.parametrize("query", ["1 port", "attic#1", "1-9223372036854775807"])
def test_other_queries_get_no_show_call_for_their_numbers(memory, query):
    memory.store("one")

    assert memory.call("show", "1") not in memory("recall", query=query)


def test_full_gives_whole_texts_in_the_full_form(memory):
    memory.store("port 22\nand more", tags="shop")

    answer = memory("recall", query="port", full=True)

    assert answer.splitlines()[1].startswith(f"#1 [{memory.kind('unsorted')}] 2026-11-02 10:14Z (shop)")
    assert answer.endswith("\nport 22\nand more")
    assert memory.say("read", call="") not in answer


def test_full_defers_what_does_not_fit_and_its_header_counts_what_is_there(memory):
    for number in range(5):
        memory.store(f"port {number} " + "x" * 2_500)

    answer = memory("recall", query="port", full=True)

    assert head(answer).startswith(memory.say("match", shown=2, total=5, query="port"))
    assert memory.say("not_shown", count=3) in answer


def test_preview_that_does_not_fit_drops_lines_from_the_end_and_names_them(memory):
    ids_of_long = "9" * 15
    memory.store("port", tags=["连接池设备" * 12] * 1)
    memory.execute("UPDATE sqlite_sequence SET seq = ?", int(ids_of_long))
    for number in range(49):
        entry = memory.store(f"port {number} " + "连接池设备" * 30, tags=["设备" * 30, "x"])
        memory("forget", ids=entry, reason="连接池设备" * 50)

    answer = memory("recall", query="port", limit=50, include_superseded=True)

    listed = len(ids(answer))
    assert head(answer).startswith(memory.say("match", shown=listed, total=50, query="port"))
    if listed < 50:
        assert str(50 - listed) in answer.splitlines()[-1]


def test_titles_give_way_before_lines_do_and_the_last_lines_first(memory):
    for number in range(8):
        memory.store(f"port {number} " + "word " * 30, tags="shop, sqlite, frontend", kind="measurement")
    memory("forget", ids="1-8", reason="r" * 100)

    lines = memory("recall", query="port", include_superseded=True).splitlines()[1:]

    assert len(lines) == 8
    assert len(lines[0]) > len(lines[-1])
    assert all("(shop, sqlite, frontend)" in line for line in lines)


def test_memo_takes_one_slot_and_counts_once(memory):
    for number in range(3):
        memory.store(f"port piece {number}")
    memory.store("port alone")
    memory.make_memo([1, 2, 3])

    answer = memory("recall", query="port")

    assert head(answer).startswith(memory.say("match", shown=2, total=2, query="port"))
    assert len(ids(answer)) == 2


def test_ties_go_to_the_newer_entry_then_to_the_higher_id(memory, clock):
    memory.store("port alpha", tags="a")
    memory.store("port bravo", tags="b")
    clock.advance(days=1)
    memory.store("port delta", tags="c")

    assert ids(memory("recall", query="port")) == [3, 2, 1]


# Empty answers


def test_empty_memory_says_only_that(memory):
    assert memory("recall", query="port") == memory.say("empty")


def test_empty_answer_names_words_that_occur_nowhere(memory):
    memory.store("something else")

    answer = memory("recall", query="qwertz yxcvbn")

    assert head(answer) == memory.say("none", query="qwertz yxcvbn")
    assert all(word in answer.splitlines()[1] for word in ("qwertz", "yxcvbn"))


def test_empty_answer_names_at_most_five_words(memory):
    memory.store("something else")

    answer = memory("recall", query=" ".join(f"qwertz{n}y" for n in range(9)))

    assert sum(f"qwertz{n}y" in answer.splitlines()[1] for n in range(9)) == 5


def test_empty_answer_counts_words_that_occur_outside_the_filters_only(memory):
    memory.store("port 22", tags="shop")
    memory.store("port 23", tags="shop")
    memory.store("something else", tags="net")

    answer = memory("recall", query="port", tag="net")

    assert head(answer) == memory.say("none", query="port") + " in net"
    assert "port (2)" in answer


def test_empty_answer_has_the_hidden_counts_and_one_advice(memory):
    memory.store("port 22")
    memory.store("port 23", kind="history")
    memory("forget", ids="1")

    answer = memory("recall", query="port")

    history = memory.kind("history")
    assert memory.say("kind_hidden", count=1, kind=history) in head(answer)
    assert memory.say("superseded_hidden", count=1) in head(answer)
    assert memory.call("topics") in answer.splitlines()[-1]


def test_empty_answer_with_tag_advises_to_drop_it(memory):
    memory.store("port 22", tags="shop")

    answer = memory("recall", query="port", tag="net")

    assert ("Ask without tag" if memory.is_english else "Ohne marke") in answer


def test_empty_answer_has_at_most_1200_characters(memory):
    memory.store("some " + " ".join(f"word{n}" + "x" * 50 for n in range(20)), tags="other")

    known = " ".join(f"word{n}" + "x" * 50 for n in range(10))
    unknown = " ".join(f"none{n}" + "y" * 50 for n in range(10))
    answer = memory("recall", query=f"{unknown} {known}", tag=["t" * 64, "u" * 64], limit=50)

    assert len(answer) <= 1_200


def test_empty_answer_keeps_the_cap_of_a_small_limit(memory):
    memory.store("some words")

    answer = keeps_cap(memory.reply("recall", query="x" * 60 + " " + "qwertz " * 9, limit=1), 577, 1_154)

    assert answer.startswith(memory.say("none", query="")[:9])


def test_words_asked_besides_are_shown_as_they_were_written(memory):
    memory.store("Der Fusionskatalysator wird heiß")
    memory.store("getUserByIdentity is slow")

    assert "Fusionskatalysator" in memory("recall", query="Katalysator").splitlines()[0]
