"""How the hits of few scored documents are compared with those of many."""

from messung.agreement import Agreement, compared, rows


def test_agreement_counts_hits_that_are_the_same_and_first_hits_apart() -> None:
    found = compared([[1, 2, 3], [5, 4]], [[1, 3, 9], [4, 5]])

    assert found == Agreement(hits=4 / 5, first=1 / 2)


def test_nothing_wanted_is_agreed() -> None:
    assert compared([[]], [[]]) == Agreement(hits=1.0, first=1.0)


def test_table_has_a_column_a_size_and_says_what_was_not_measured() -> None:
    stages = {
        1_000: {"60": Agreement(0.995, 1.0)},
        5_000: {"60": Agreement(0.9, 0.99), "120": Agreement(1.0, 1.0)},
    }

    assert rows(stages) == [["60", "99.5 / 100", "90.0 / 99"], ["120", "-", "100.0 / 100"]]
