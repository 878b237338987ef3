"""remember: what is stored, without the hints."""

import pytest


def test_answer_names_id_kind_and_tags(memory):
    answer = memory("remember", text="Port is 22", kind="pitfall", tags="shop, sqlite")

    assert answer.splitlines()[0] == memory.say(
        "stored", id="#1", kind=memory.kind("pitfall"), tags=" (shop, sqlite)"
    )


def test_answer_without_tags_has_no_brackets(memory):
    answer = memory("remember", text="Port is 22", kind="decision")

    assert answer == memory.say("stored", id="#1", kind=memory.kind("decision"), tags="")


def test_entry_without_kind_gets_the_classify_call_and_the_kinds(memory):
    first, second = memory("remember", text="Port is 22").splitlines()

    assert first == memory.say("stored", id="#1", kind=memory.kind("unsorted"), tags="")
    assert memory.call("classify", "1", "...") in second
    listed = ", ".join(
        memory.kind(kind) for kind in ("interface", "pitfall", "decision", "measurement", "workflow")
    )
    assert listed in second


def test_text_is_stored_exactly_as_given(memory):
    text = "  first\t\r\nsecond \n\n"

    entry = memory.store(text)

    assert memory.rows("SELECT text FROM entry WHERE id = ?", entry) == [(text,)]


def test_stamp_is_utc_and_taken_from_the_clock(memory):
    entry = memory.store("Port is 22")

    assert memory.rows("SELECT created_at FROM entry WHERE id = ?", entry) == [("2026-11-02 10:14:00",)]


@pytest.mark.parametrize("text", ["", "   ", "\n\t\n", "\u3000"])
def test_blank_text_is_refused_and_nothing_is_stored(memory, text):
    memory.refused("remember", text=text)

    assert memory.rows("SELECT count(*) FROM entry") == [(0,)]


def test_nul_character_is_refused_with_its_position(memory):
    assert "5" in memory.refused("remember", text="abcd\0efgh")


def test_half_surrogate_pair_is_refused_with_its_position(memory):
    assert "3" in memory.refused("remember", text="ab\ud83dcd")


def test_longest_text_is_stored(memory):
    entry = memory.store("x" * 100_000)

    assert memory.rows("SELECT length(text) FROM entry WHERE id = ?", entry) == [(100_000,)]


@pytest.mark.parametrize("kind", ["all", "alle"])
def test_filter_word_is_no_kind_to_store(memory, kind):
    refusal = memory.refused("remember", text="Port is 22", kind=kind)

    assert memory.kind("all") in refusal
    assert memory.kind("interface") in refusal


@pytest.mark.parametrize("kind", ["pitfall, decision", ["fallstrick", "decision"], "pitfall decision"])
def test_two_kinds_are_refused_as_two_entries(memory, kind):
    refusal = memory.refused("remember", text="Port is 22", kind=kind)

    assert ("two entries" if memory.is_english else "zwei Einträge") in refusal


def test_unsorted_is_accepted_as_no_kind(memory):
    memory.store("Port is 22", kind="unsorted")

    assert memory.rows("SELECT kind, kind_at FROM entry_state") == [("gemischt", None)]


def test_kind_is_stored_under_the_german_word(memory):
    memory.store("Port is 22", kind=memory.kind("interface"))

    assert memory.rows("SELECT kind FROM entry_state") == [("schnittstelle",)]


# Identical text


@pytest.mark.parametrize(
    "again",
    [
        "Käse\n  in two lines",
        "Ka\u0308se\n  in two lines",
        "Käse\r\n  in two lines",
        "Käse  \n  in two lines\t",
        "\n\nKäse\n  in two lines\n\n",
    ],
)
def test_text_equal_but_for_form_and_line_ends_is_no_second_entry(memory, again):
    memory.store("Käse\n  in two lines")

    answer = memory("remember", text=again)

    assert answer.startswith(memory.say("again") + "#1 ")
    assert memory.rows("SELECT times_stored FROM entry_state") == [(2,)]


@pytest.mark.parametrize("other", ["käse 1", "Käse 2", "Käse  1", " Käse 1"])
def test_text_that_differs_in_case_digits_or_inner_space_is_another_entry(memory, other):
    memory.store("Käse 1")

    assert memory.store(other) == 2


def test_repeat_answers_with_the_hit_line_and_its_ordinal(memory):
    for _ in range(2):
        memory("remember", text="Port is 22", kind="pitfall", tags="shop")

    answer = memory("remember", text="Port is 22", kind="pitfall", tags="shop")

    line = f"#1 [{memory.kind('pitfall')}] 2026-11-02 Port is 22 (shop)"
    assert answer == memory.say("again") + line + memory.say("third")


@pytest.mark.parametrize(
    ("times", "ordinal"), [(2, "2nd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st"), (22, "22nd")]
)
def test_ordinals_are_english_words(en, times, ordinal):
    for _ in range(times - 1):
        en("remember", text="Port is 22")

    assert f", {ordinal} time" in en("remember", text="Port is 22")


def test_repeat_adds_the_tags_it_lacks_and_says_so(memory):
    memory.store("Port is 22", tags="shop", kind="pitfall")

    answer = memory("remember", text="Port is 22", tags="SHOP, net")

    assert "(shop, net)" in answer
    assert "net." in answer.splitlines()[1]
    assert memory.rows("SELECT spelling FROM entry_tag ORDER BY position") == [("shop",), ("net",)]
    assert "#1 " in memory("recall", query="port", tag="net")


def test_unsorted_entry_takes_the_kind_of_a_repeat(memory):
    memory.store("Port is 22")

    answer = memory("remember", text="Port is 22", kind="pitfall")

    assert memory.kind("pitfall") in answer.splitlines()[1]
    assert memory.rows("SELECT kind FROM entry_state") == [("fallstrick",)]


def test_other_kind_is_kept_and_the_classify_call_named(memory):
    memory.store("Port is 22", kind="pitfall")

    answer = memory("remember", text="Port is 22", kind="decision")

    assert memory.call("classify", "1", "...") in answer
    assert memory.kind("pitfall") in answer.splitlines()[1]
    assert memory.rows("SELECT kind FROM entry_state") == [("fallstrick",)]


def test_identical_text_works_as_successor(memory):
    memory.store("Port is 49222")
    memory.store("Port is 22")

    answer = memory("remember", text="Port is 49222", supersedes="2")

    assert memory.say("superseded", ids="#2") in answer
    assert memory.rows("SELECT successor_id FROM event WHERE entry_id = 2") == [(1,)]


def test_identical_text_skips_its_own_id_and_names_it(memory):
    memory.store("Port is 22", kind="pitfall")

    answer = memory("remember", text="Port is 22", supersedes="1")

    assert "#1" in answer.splitlines()[1]
    assert memory.rows("SELECT live FROM entry_state") == [(1,)]


def test_text_identical_to_a_superseded_entry_is_stored_anew_with_its_id_and_reason(memory):
    memory.store("Port is 22", kind="pitfall")
    memory("forget", ids="1", reason="was a typo")

    answer = memory("remember", text="Port is 22", kind="pitfall")

    assert answer.startswith(memory.say("stored", id="#2", kind=memory.kind("pitfall"), tags=""))
    assert "#1 " in answer
    assert "was a typo" in answer


# Search words


def test_search_words_find_an_entry_that_lacks_them(memory):
    memory.store("The parcel leaves on Monday", also="shipping delivery")

    assert "#1 " in memory("recall", query="shipping")


def test_hit_on_search_words_ranks_below_a_hit_on_the_text(memory):
    memory.store("Shipping starts on Monday")
    memory.store("The parcel leaves on Tuesday", also="shipping")

    lines = memory("recall", query="shipping").splitlines()

    assert [line.split()[0] for line in lines[1:3]] == ["#1", "#2"]


def test_search_words_stand_on_one_line_and_never_in_the_title(memory):
    memory.store("The parcel leaves", also="shipping\n delivery", kind="pitfall")

    assert memory.say("also", words="shipping delivery") in memory("show", ids="1").splitlines()
    assert "shipping" not in memory("topics", tag="-")


def test_more_than_300_characters_of_search_words_are_refused(memory):
    assert "300" in memory.refused("remember", text="x", also="w " * 200)


def test_search_words_do_not_make_a_text_another_one(memory):
    memory.store("The parcel leaves", also="shipping")

    answer = memory("remember", text="The parcel leaves", also="delivery", kind="pitfall")

    assert answer.startswith(memory.say("again"))
    assert "#1 " in memory("recall", query="delivery")
    assert "#1 " in memory("recall", query="shipping")
    assert memory.say("also", words="shipping | delivery") in memory("show", ids="1")


def test_search_words_beyond_what_an_entry_takes_are_named(memory):
    for letter in "abc":
        answer = memory("remember", text="The parcel leaves", also=letter * 250, kind="pitfall")

    assert "600" in answer


# Supersession


def test_superseded_ids_are_named_and_hidden(memory):
    memory.store("Port is 22")
    memory.store("Port is 23")

    answer = memory("remember", text="Port is 49222", kind="pitfall", supersedes="1,2")

    assert answer.splitlines()[1] == memory.say("superseded", ids="#1, #2")
    assert memory.rows("SELECT entry_id FROM entry_state WHERE live = 1") == [(3,)]


def test_unknown_ids_are_named_and_the_fact_is_stored_all_the_same(memory):
    answer = memory("remember", text="Port is 22", kind="pitfall", supersedes="7, 376-380")

    assert "#7, #376-#380" in answer
    assert memory.rows("SELECT count(*) FROM entry") == [(1,)]


def test_superseded_stands_before_unknown_and_already_superseded(memory):
    for text in ("one", "two", "three"):
        memory.store(text, kind="pitfall")
    memory.store("two again", supersedes="2", kind="pitfall")

    lines = memory("remember", text="all", kind="pitfall", supersedes="2,99,3").splitlines()

    assert lines[1] == memory.say("superseded", ids="#3")
    assert "#99" in lines[2]
    assert "#2" in lines[3]
    assert "#4" in lines[3]


def test_second_successor_is_noted_and_the_same_one_is_not(memory):
    memory.store("one")
    memory.store("two", supersedes="1")
    memory.store("two", supersedes="1")
    assert memory.rows("SELECT count(*) FROM event WHERE action = 'superseded'") == [(1,)]

    memory.store("three", supersedes="1")

    assert memory.rows("SELECT successor_id FROM event WHERE action = 'superseded' ORDER BY seq") == [
        (2,),
        (3,),
    ]


def test_superseding_a_piece_of_a_memo_hides_it_and_names_the_others(memory):
    for text in ("one", "two", "three"):
        memory.store(text)
    memory.make_memo([1, 2, 3])

    answer = memory("remember", text="two, corrected", supersedes="2", kind="pitfall")

    assert "#1, #3" in answer
    assert memory.rows("SELECT entry_id FROM entry_state WHERE live = 0") == [(2,)]


def test_more_than_100_ids_to_supersede_are_refused(memory):
    assert "100" in memory.refused("remember", text="x", supersedes="1-101")
    assert memory.rows("SELECT count(*) FROM entry") == [(0,)]


def test_refused_call_stores_nothing_and_names_every_problem(memory):
    refusal = memory.refused("remember", text="x", kind="nonsense", supersedes="the one", tags="...")

    assert [word for word in ("nonsense", "the", "...") if word not in refusal] == []
    assert memory.rows("SELECT count(*) FROM entry") == [(0,)]
