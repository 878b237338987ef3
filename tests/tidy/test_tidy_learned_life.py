"""Learned questions: confirmed and missed, who learns and when it is written, and the commands of the shell."""

import threading

import pytest
from desk import Desk
from learning import QUERY, hits, pairs, plant

# Confirming and missing


def test_a_repeat_confirms(shop):
    for _ in range(3):
        shop.learn(QUERY, 1)

    assert shop.rows("SELECT confirmed, misses FROM learned_question") == [(3, 0)]


def test_an_answer_ignored_twice_is_gone(shop):
    shop.learn(QUERY, 1)
    for _ in range(2):
        shop.learn(QUERY, 2)

    assert pairs(shop) == [(QUERY, 2)]


def test_one_miss_between_confirmations_does_not_count(shop):
    for entry in (1, 2, 1, 2):
        shop.learn(QUERY, entry)

    assert pairs(shop) == [(QUERY, 1), (QUERY, 2)]


def test_a_show_that_belongs_to_a_later_question_is_no_miss(shop):
    backup = shop.store("The backup runs at three in the night")
    shop.learn(QUERY, 1)
    for _ in range(2):
        shop("recall", query=QUERY)
        shop("recall", query="backup night")
        shop("show", ids=str(backup))
        shop.workspace.settle()

    assert (QUERY, 1) in pairs(shop)


def test_at_most_five_entries_a_question(shop, clock):
    for number in range(7):
        shop.store(f"Retry limit of importer {number} again")
    for entry in range(4, 11):
        shop.learn(QUERY, entry)
        clock.advance(seconds=1)

    assert len(pairs(shop)) <= 5
    assert (QUERY, 10) in pairs(shop)


def test_at_most_five_thousand_pairs_the_longest_unconfirmed_go_first(shop):
    shop.spoil(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
        "INSERT INTO learned_question (word_key, entry_id, question, confirmed_at) "
        "SELECT 'word' || i, 1, 'q' || i, printf('2025-01-01 %02d:%02d:%02d', i / 3600, i / 60 % 60, i % 60) FROM n"
    )

    shop.learn(QUERY, 2)

    assert shop.rows("SELECT count(*) FROM learned_question") == [(5000,)]
    assert shop.rows("SELECT count(*) FROM learned_question WHERE question IN ('q1', 'q2')") == [(1,)]
    assert shop.rows("SELECT count(*) FROM learned_question WHERE question = ?", QUERY) == [(1,)]


def test_a_wrong_answer_in_front_does_not_keep_the_right_one_from_being_learned(shop):
    plant(shop, 1)
    assert hits(shop("recall", query=QUERY, limit=1)) == [1]

    shop("show", ids="2")

    assert (QUERY, 2) in pairs(shop)


# Who learns, and when it is written


def test_off_neither_stores_nor_fires(shop, language, open_desk):
    shop.learn(QUERY, 1)
    off = open_desk(language, MEMORY_LEARN="off")

    assert off.say("asked_before", ids="#1") not in off("recall", query=QUERY)
    off("show", ids="2")
    assert pairs(off) == [(QUERY, 1)]


def test_a_guest_is_answered_but_never_teaches(shop, language, open_desk):
    shop.learn(QUERY, 1)
    shop.workspace.close()
    guest = open_desk(language, is_guest=True)
    before = guest.workspace.settings.path.read_bytes()

    assert guest.say("asked_before", ids="box#1") in guest("recall", query=QUERY)
    guest("show", ids="box#2")
    guest.workspace.settle()

    assert guest.workspace.settings.path.read_bytes() == before


def test_a_shell_call_collects_nothing(shop):
    shop.shell("recall", query=QUERY)
    shop.shell("show", ids="2")

    assert pairs(shop) == []


def test_two_connections_of_one_process_do_not_mix(shop):
    other = Desk(shop.workspace)
    shop("recall", query=QUERY)
    other("show", ids="2")
    assert pairs(shop) == []

    shop("show", ids="2")

    assert pairs(shop) == [(QUERY, 2)]


def test_a_busy_file_delays_no_answer_and_the_lesson_follows_at_the_next_call(shop):
    shop("recall", query=QUERY)
    with shop.workspace.store.write():
        answer = []
        reader = threading.Thread(target=lambda: answer.append(shop("show", ids="2")))
        reader.start()
        reader.join(10)
        assert answer
        assert not shop.workspace.settle()

    shop("topics")

    assert pairs(shop) == [(QUERY, 2)]


def test_what_is_not_written_at_exit_is_dropped(shop, language, open_desk):
    shop("recall", query=QUERY)
    with shop.workspace.store.write():
        reader = threading.Thread(target=lambda: shop("show", ids="2"))
        reader.start()
        reader.join(10)
        shop.workspace.settle()
        shop.workspace.behind.close()

    shop("topics")

    assert pairs(shop) == []


# In the shell


def test_the_list_gives_question_entry_confirmations_misses_and_date(shop):
    for entry in (1, 1, 2):
        shop.learn(QUERY, entry)

    reply = shop.shell("learned")

    assert reply.answer is not None
    assert QUERY in reply.text
    assert "2026-11-02" in reply.text
    assert {
        (item["question"], item["id"], item["confirmed"], item["misses"]) for item in reply.answer.items
    } == {
        (QUERY, 1, 2, 1),
        (QUERY, 2, 1, 0),
    }


def test_an_empty_list_is_a_result(desk):
    reply = desk.shell("learned")

    assert reply.answer is not None
    assert reply.answer.is_empty


@pytest.mark.parametrize("what", ["limit RETRY importer", "2", "#2", "box#2"])
def test_forget_takes_a_question_or_an_id(shop, what):
    shop.learn(QUERY, 2)
    shop.learn("importer raised", 1)

    reply = shop.shell("learned forget", what=what)

    assert not reply.is_error
    assert (QUERY, 2) not in pairs(shop)


def test_a_question_of_digits_can_be_forgotten(desk):
    desk.store("The bastion listens on port 49222")
    desk.learn("49222", 1)

    desk.shell("learned forget", what="49222")

    assert pairs(desk) == []


def test_nothing_to_forget_is_no_result(desk):
    desk.store("one")

    reply = desk.shell("learned forget", what="never asked")

    assert reply.answer is not None
    assert reply.answer.is_empty


def test_clear_wants_to_be_confirmed(shop):
    shop.learn(QUERY, 2)

    asked = shop.shell("learned clear")
    assert asked.is_error
    assert pairs(shop) != []

    shop.shell("learned clear", yes=True)
    assert pairs(shop) == []


def test_clients_of_the_protocol_are_not_offered_them(desk):
    for tool in ("learned", "learned forget", "learned clear", "erase"):
        desk.refused(tool)
    offered = {item.name for item in desk.workspace.definitions()}
    assert not offered & {desk.name(tool) for tool in ("learned", "learned forget", "learned clear", "erase")}
