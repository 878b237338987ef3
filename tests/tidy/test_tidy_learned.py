"""Learned questions: a search that led to a show is kept word for word, and answered first when it is asked again."""

import re

import pytest
from learning import QUERY, hits, pairs, plant

# Storing


def test_asked_again_the_shown_entry_comes_first_and_the_header_says_so(shop):
    assert hits(shop("recall", query=QUERY))[0] == 2

    shop.learn(QUERY, 1)
    answer = shop("recall", query=QUERY)

    assert hits(answer)[0] == 1
    assert shop.say("asked_before", ids="#1") in answer.splitlines()[0]


@pytest.mark.parametrize(
    "query",
    ["IMPORTER limit Retry", "importer, retry limit?", "limit limit importer retry", "Rétry limit importer"],
)
def test_case_accents_order_and_punctuation_do_not_matter(shop, query):
    shop.learn(QUERY, 1)

    assert hits(shop("recall", query=query))[0] == 1


@pytest.mark.parametrize(
    "query", ["retry limits importer", "retry limit", "retry limit importer shop", "retry limit importers"]
)
def test_nothing_fuzzy_fires(shop, query):
    shop.learn(QUERY, 1)

    assert shop.say("asked_before", ids="#1") not in shop("recall", query=query)


def test_a_show_without_a_recall_teaches_nothing(shop):
    shop("show", ids="1")

    assert pairs(shop) == []


def test_only_listed_entries_are_learned(shop):
    entry = shop.store("A retry has a limit in the importer, it seems")
    shop("recall", query=QUERY, limit=1)
    shop("show", ids=str(entry))

    assert pairs(shop) == []


def test_only_the_first_three_of_a_show_are_learned(shop):
    for number in range(4):
        shop.store(f"The retry limit of importer{number} and importer")
    shop("recall", query=QUERY)
    shop("show", ids="7,6,5,4,1")

    assert [entry for _, entry in pairs(shop)] == [5, 6, 7]


def test_what_was_deferred_or_unknown_is_not_learned(shop):
    long = shop.store("The retry limit of the importer " + "x" * 7_000)
    shop("recall", query=QUERY)
    shop("show", ids=f"99,2,{long}")

    assert [entry for _, entry in pairs(shop)] == [2]


def test_a_query_that_names_only_the_tag_is_not_learned(desk):
    entry = desk.store("The lighthouse keeps its light on at night", tags="lighthouse")
    desk("recall", query="lighthouse")
    desk("show", ids=str(entry))

    assert pairs(desk) == []


def test_words_of_tags_and_search_words_are_not_words_of_the_text(desk):
    entry = desk.store("The keeper sleeps by day", tags="harbour", also="tower schedule")
    for query in ("harbour", "tower schedule"):
        desk("recall", query=query)
    desk("show", ids=str(entry))

    assert pairs(desk) == []


@pytest.mark.parametrize("query", ["of the", "go", "x y"])
def test_stop_words_and_short_stems_are_not_enough(desk, query):
    entry = desk.store("Go to the end of the road, x y", tags="road")
    desk("recall", query=query)
    desk("show", ids=str(entry))

    assert pairs(desk) == []


def test_two_characters_are_enough_in_chinese(desk):
    entry = desk.store("这台设备已经停产")
    desk("recall", query="设备")
    desk("show", ids=str(entry))

    assert pairs(desk) == [("设备", entry)]


def test_from_fifty_entries_on_a_common_word_teaches_nothing(desk):
    for number in range(50):
        desk.store(f"The importer does thing{number}")
    rare = desk.store("The importer has a quirk with semicolons")
    for query in ("importer", "importer semicolons"):
        desk("recall", query=query, limit=50)
        desk("show", ids=str(rare))
        desk.workspace.settle()

    assert pairs(desk) == [("importer semicolons", rare)]


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": '"retry limit" importer'},
        {"query": "retry AND importer"},
        {"query": "retr* importer"},
        {"full": True},
    ],
)
def test_explicit_queries_and_full_recalls_store_nothing(shop, arguments):
    shop("recall", **{"query": QUERY, **arguments})
    shop("show", ids="2")

    assert pairs(shop) == []


def test_an_explicit_query_is_not_answered_from_what_was_learned(shop):
    shop.learn(QUERY, 1)

    answer = shop("recall", query="retry AND limit AND importer")

    assert shop.say("asked_before", ids="#1") not in answer


def test_a_show_settles_every_question_asked_since_the_last_one(shop):
    shop("recall", query="importer limit")
    shop("recall", query="retry importer")
    shop("show", ids="2")
    shop("recall", query="limit")
    shop("show", ids="1")

    assert pairs(shop) == [("importer limit", 2), ("limit", 1), ("retry importer", 2)]


def test_a_show_of_nothing_known_keeps_the_questions(shop):
    shop("recall", query=QUERY)
    shop("show", ids="99")
    shop("show", ids="2")

    assert pairs(shop) == [(QUERY, 2)]


def test_two_topics_asked_show_for_the_second_does_not_teach_the_first(desk):
    desk.store("The backup runs at three in the night")
    port = desk.store("The bastion listens on port 49222")
    desk("recall", query="backup night")
    desk("recall", query="bastion port")
    desk("show", ids=str(port))

    assert pairs(desk) == [("bastion port", port)]


def test_at_most_eight_questions_are_kept(shop):
    for number in range(9):
        shop("recall", query=f"importer limit{number} word")
    shop("show", ids="2")

    assert [question for question, _ in pairs(shop)] == [
        f"importer limit{number} word" for number in range(1, 9)
    ]


def test_questions_older_than_half_an_hour_are_forgotten(shop, clock):
    shop("recall", query="importer limit")
    clock.advance(minutes=20)
    shop("recall", query="importer retry")
    clock.advance(minutes=11)
    shop("show", ids="2")

    assert pairs(shop) == [("importer retry", 2)]


def test_the_question_is_kept_as_asked_up_to_two_hundred_characters(shop):
    query = "Importer limit " + "word " * 60
    shop("recall", query=query)
    shop("show", ids="2")

    assert pairs(shop) == [(query[:200], 2)]


# Firing


def test_filters_are_obeyed(shop):
    shop.learn(QUERY, 1)

    answer = shop("recall", query=QUERY, kind="decision")

    assert hits(answer) == [2]
    assert shop.say("asked_before", ids="#1") not in answer


def test_hidden_kinds_stay_hidden(shop):
    shop("recall", query=QUERY, kind="all")
    shop("show", ids="3")
    shop.workspace.settle()

    assert 3 not in hits(shop("recall", query=QUERY))
    assert hits(shop("recall", query=QUERY, kind="all"))[0] == 3


def test_latest_confirmed_comes_first_and_at_most_three(shop):
    for number in range(3):
        shop.store(f"Retry limit of importer {number}")
    plant(shop, 1, 4, 5, 2)

    answer = shop("recall", query=QUERY)

    assert hits(answer)[:3] == [2, 5, 4]
    assert hits(answer)[3] != 1
    assert shop.say("asked_before", ids="#2, #5, #4") in answer.splitlines()[0]


def test_limit_and_total_stay_true(shop):
    before = shop("recall", query=QUERY, limit=1)
    shop.learn(QUERY, 1)

    answer = shop("recall", query=QUERY, limit=1)

    assert hits(answer) == [1]
    assert before.splitlines()[0].startswith(shop.say("match", shown=1, total=2, query=QUERY))
    assert answer.splitlines()[0].startswith(shop.say("match", shown=1, total=2, query=QUERY))


def test_a_superseded_answer_passes_its_place_to_its_successor(shop):
    shop.learn(QUERY, 1)
    middle = shop.store("The feeds are tried five times", supersedes="1")
    last = shop.store("Feeds: tried seven times", supersedes=str(middle))

    answer = shop("recall", query=QUERY)

    assert hits(answer)[0] == last
    assert shop.say("asked_before", ids=f"#{last}") in answer
    assert answer.splitlines()[0].startswith(shop.say("match", shown=2, total=2, query=QUERY))


def test_hidden_counts_stay_exact_with_a_successor_that_matches_nothing(shop):
    shop.learn(QUERY, 1)
    shop.store("The feeds are tried five times", supersedes="1", kind="history")

    shown = shop("recall", query=QUERY)
    with_kind = shop("recall", query=QUERY, kind="history")

    total = int(re.search(r"\d+ (?:of|von) (\d+)", with_kind.splitlines()[0])[1])
    assert f"{total} in {shop.kind('history')} " in shown.splitlines()[0]


def test_an_answer_without_a_live_successor_is_silent(shop):
    shop.learn(QUERY, 1)
    shop("forget", ids="1")

    answer = shop("recall", query=QUERY)

    assert 1 not in hits(answer)
    assert shop.say("asked_before", ids="#1") not in answer


def test_a_piece_of_a_memo_takes_the_slot_of_its_memo(shop):
    other = shop.store("Retry limit importer of the memo")
    shop.spoil(
        f"INSERT INTO memo (id, subject, pieces, first_id, last_id) VALUES (1, 'm', 2, 1, {other})",
        "UPDATE entry_state SET memo_id = 1, memo_position = 1 WHERE entry_id = 1",
        f"UPDATE entry_state SET memo_id = 1, memo_position = 2 WHERE entry_id = {other}",
    )
    before = shop("recall", query=QUERY)
    plant(shop, 1)

    answer = shop("recall", query=QUERY)

    assert other in hits(before)
    assert hits(answer) == [1, 2]
    assert answer.splitlines()[0].startswith(shop.say("match", shown=2, total=2, query=QUERY))
