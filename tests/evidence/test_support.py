"""Support between neighbours: what was said around a match counts for it, where more than one thing is asked for."""

from shelf import Shelf, message

from frugal_modes.evidence.ranked import Found
from frugal_modes.evidence.records import Message
from frugal_modes.evidence.support import SITTING_MS

HOUR = SITTING_MS
WORDS = "harbour", "storm"


def said(number: int, text: str, *, hour: int, **fields: str) -> Message:
    return message(text, id=str(number), sent_at=hour * HOUR + number * 1_000, **fields)


def ranked(shelf: Shelf, *words: str) -> list[str]:
    """Return the texts that a query for any of *words* ranks, best first."""
    raw = {"clauses": [{"match": "stem", "text": word} for word in words], "combine": "any"}
    query = shelf.query(raw)
    found = Found(query)
    shelf.found(raw, visit=found.visit)
    with shelf.read() as db:
        texts = dict(db.execute("SELECT number, text FROM message"))
        return [texts[found.numbers[wording.rows[0]]] for wording in found.wordings(db)]


def test_a_match_beside_another_match_comes_before_one_that_stands_alone(shelf: Shelf) -> None:
    shelf.load(
        [
            said(1, "the harbour is alone here", hour=10),
            said(2, "nobody says a thing", hour=20),
            said(3, "the harbour is quiet here", hour=30),
            said(4, "then came a storm", hour=30),
        ]
    )

    order = ranked(shelf, *WORDS)

    assert order.index("the harbour is quiet here") < order.index("the harbour is alone here")


def test_what_was_said_hours_apart_does_not_support_each_other(shelf: Shelf) -> None:
    shelf.load(
        [
            said(1, "the harbour is first here", hour=10),
            said(2, "then came a storm", hour=13),
            said(3, "the harbour is third here", hour=16),
        ]
    )

    order = ranked(shelf, *WORDS)

    assert order.index("the harbour is first here") < order.index("the harbour is third here")


def test_in_a_thread_the_next_message_counts_whenever_it_was_sent(shelf: Shelf) -> None:
    shelf.load(
        [
            said(1, "the harbour is alone here", hour=10),
            said(2, "the harbour is asked about", hour=20, thread="2"),
            said(3, "then came a storm", hour=90, thread="2"),
        ]
    )

    order = ranked(shelf, *WORDS)

    assert order.index("the harbour is asked about") < order.index("the harbour is alone here")


def test_where_one_thing_is_asked_for_neighbours_change_nothing(shelf: Shelf) -> None:
    shelf.load(
        [
            said(1, "the harbour is alone here", hour=10),
            said(2, "the harbour is asked here", hour=20),
            said(3, "the harbour is told, here", hour=20),
        ]
    )

    assert ranked(shelf, "harbour") == [
        "the harbour is alone here",
        "the harbour is asked here",
        "the harbour is told, here",
    ]


def test_what_follows_a_match_comes_before_what_stands_ahead_of_it(shelf: Shelf) -> None:
    shelf.load(
        [
            said(1, "the harbour is ahead here", hour=10),
            said(2, "then came a storm, a storm, a storm", hour=10),
            said(3, "the harbour is after here", hour=10),
        ]
    )

    order = ranked(shelf, *WORDS)

    assert order.index("the harbour is after here") < order.index("the harbour is ahead here")


def test_a_word_that_is_lacking_helps_more_than_one_that_is_there(shelf: Shelf) -> None:
    shelf.load(
        [
            said(1, "one more harbour", hour=10),
            said(2, "the harbour is beside its like", hour=10),
            said(3, "one more tempest", hour=20),
            said(4, "the harbour is beside the rest", hour=20),
        ]
    )

    order = ranked(shelf, "harbour", "tempest")

    assert order.index("the harbour is beside the rest") < order.index("the harbour is beside its like")


def test_what_was_sent_in_the_month_that_is_asked_for_comes_first(shelf: Shelf) -> None:
    january, march = 1_767_268_800_000, 1_772_366_400_000
    shelf.load(
        [
            message("the harbour in winter", id="1", sent_at=january),
            message("the harbour in spring", id="2", sent_at=march),
            message("the harbour waits for March", id="3", sent_at=january + HOUR * 48),
        ]
    )

    order = ranked(shelf, "harbour", "March", "2026")

    assert order.index("the harbour in spring") < order.index("the harbour in winter")


def test_words_of_the_first_texts_lift_others_but_never_above_the_second(shelf: Shelf) -> None:
    shelf.load(
        [
            said(1, "harbour storm, the lighthouse went dark", hour=10),
            said(2, "storm harbour, the lighthouse keeper left", hour=20),
            said(3, "a harbour with many small boats", hour=30),
            said(4, "a harbour with a new lighthouse", hour=40),
            said(5, "a harbour with some tall cranes", hour=50),
            said(6, "a storm", hour=60),
        ]
    )

    order = ranked(shelf, *WORDS)

    assert set(order[:2]) == {
        "harbour storm, the lighthouse went dark",
        "storm harbour, the lighthouse keeper left",
    }
    assert order.index("a harbour with a new lighthouse") < order.index("a harbour with many small boats")
