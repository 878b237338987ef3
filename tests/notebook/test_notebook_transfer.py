"""A notebook leaves its file and comes back: numbers, stamps, history; two notebooks become one."""

from hypothesis import given, settings
from notebook_lives import agreeable, faults, histories, live, notebooks, substance

from frugal.call import Client
from tests.side_by_side import exported, imported, merged


@settings(max_examples=25)
@given(histories)
def test_export_of_an_import_into_an_empty_file_is_byte_identical(history):
    with notebooks() as open_one:
        first, second = open_one("a"), open_one("b")
        live(first, history)

        imported(second, exported(first))

        assert exported(second) == exported(first)
        assert faults(second) == []


@settings(max_examples=8)
@given(histories)
def test_imported_notebook_answers_as_the_first_one_does_and_goes_on(history):
    with notebooks() as open_one:
        first, second = open_one("a"), open_one("b")
        live(first, history)
        imported(second, exported(first))
        second.engine.clock.moment = first.engine.clock.moment

        answers = [
            [
                book.call(Client(), "series", {"all": True}).text,
                book.call(Client(), "series", {"key": "vision/a", "full": True}).text,
                book.call(Client(), "new_series", {"key": "new/one", "question": "?", "criterion": "x"}).text,
            ]
            for book in (first, second)
        ]

        assert answers[0] == answers[1]
        assert exported(second) == exported(first)


@settings(max_examples=25)
@given(histories, histories)
def test_merged_twice_is_merged_once(left, right):
    with notebooks() as open_one:
        a, b = open_one("a"), open_one("b")
        live(a, left)
        live(b, right)
        merged(a, b)
        before = exported(a)

        report = merged(a, b)

        assert exported(a) == before
        assert report.counts["new"] == report.counts["rows"] == report.counts["events"] == 0
        assert faults(a) == []


@settings(max_examples=25)
@given(agreeable, agreeable)
def test_either_way_gives_the_same_notebook_up_to_numbers(left, right):
    with notebooks() as open_one:
        a, b = open_one("a"), open_one("b")
        live(a, left)
        live(b, right)
        c, d = open_one("c"), open_one("d")
        imported(c, exported(a))
        imported(d, exported(b))

        merged(a, b)
        merged(d, c)

        assert substance(a) == substance(d)


@settings(max_examples=15)
@given(agreeable, histories)
def test_copies_that_went_on_apart_come_together(start, more):
    with notebooks() as open_one:
        a, b = open_one("a"), open_one("b")
        live(a, start)
        imported(b, exported(a))
        live(b, more)
        left_out = {item["key"] for item in merged(a, b).items}

        again = merged(a, b)

        assert {item["key"] for item in again.items} == left_out
        assert again.counts["rows"] == again.counts["events"] == 0
        assert faults(a) == []


@settings(max_examples=15)
@given(histories, histories)
def test_nothing_recorded_is_lost_or_rewritten(left, right):
    with notebooks() as open_one:
        a, b = open_one("a"), open_one("b")
        live(a, left)
        live(b, right)
        own = recorded(a)

        merged(a, b)

        after = recorded(a)
        assert all(after[number] == texts for number, texts in own.items())


def recorded(book):
    with book.store.read() as db:
        rows = db.execute(
            "SELECT number, series, event, quantity, value, arm, source FROM measurement"
        ).fetchall()
        return {row[0]: tuple(row) for row in rows}
