"""What an answer gives up first when it is too large: through the tool, and the two orders by themselves."""

from typing import Any

import pytest
from corpora import Bench, messages, unlike

from frugal_modes.evidence.packing import Line, Pick, Shown, least_worth, lowest_first

CHAT = [
    "where did you leave the harbour keys?",
    f"behind the {unlike(1, 12)}",
    f"nothing of it {unlike(2, 12)}",
    f"nothing else {unlike(3, 12)}",
    f"the harbour master has the other ones {unlike(4, 6)}",
    f"idle talk {unlike(5, 12)}",
    f"more idle talk {unlike(6, 12)}",
]


def texts(told: dict[str, Any]) -> list[str]:
    """Return the beginnings of all texts of an answer, lines before their item and behind it in order."""
    shown = [
        line for item in told["evidence"] for line in (*item.get("before", ()), item, *item.get("after", ()))
    ]
    return [" ".join(line["text"].split()[:2]) for line in shown]


def test_line_behind_a_question_outlives_lines_that_match_nothing(bench: Bench) -> None:
    bench.fill(messages(CHAT))
    query = {"clauses": [{"match": "stem", "text": word} for word in ("harbour", "keys")], "combine": "any"}
    wide = bench("discover_messages", query=query, context=2)

    told = [
        bench("discover_messages", query=query, context=2, max_bytes=size)
        for size in (3_800, 3_000, 2_600, 2_400, 2_200, 2_000)
    ]

    assert len(texts(wide)) == len(CHAT)
    shown = [texts(answer) for answer in told]
    assert any("idle talk" not in found and "behind the" in found for found in shown)
    assert all("behind the" in found for found in shown if set(found) - {"where did", "the harbour"})


def test_nothing_goes_where_everything_fits(bench: Bench) -> None:
    bench.fill(messages(CHAT))

    told = bench.discover("harbour", context=2)

    assert len(texts(told)) == len(CHAT)
    assert "response_bytes" not in told.get("stop_reasons", ())


def shown(*items: tuple[float, int, list[tuple[int, float, int]]]) -> list[Shown]:
    """Return items of a worth and a size, with lines of a distance, a worth and a size."""
    found = []
    for worth, size, around in items:
        lines = [Line(distance, None, value, cost) for distance, value, cost in around]  # type: ignore[arg-type]  # rows do not matter
        found.append(Shown(Pick(None, None, worth, size, lines), lines))  # type: ignore[arg-type]  # nor do messages
    return found


def test_least_worth_byte_for_byte_goes_first() -> None:
    items = shown((10.0, 100, [(1, 1.0, 50), (-1, 0.1, 100)]), (2.0, 100, []))

    pick, line = least_worth(items) or pytest.fail("nothing found")

    assert pick is items[0].pick
    assert line is items[0].lines[1]


def test_last_item_goes_with_its_lines_where_both_are_worth_least() -> None:
    items = shown((10.0, 100, [(1, 1.0, 50)]), (0.1, 100, [(1, 5.0, 400)]))

    pick, line = least_worth(items) or pytest.fail("nothing found")

    assert pick is items[1].pick
    assert line is None


def test_farthest_line_of_the_last_item_goes_first_then_the_item() -> None:
    items = shown((1.0, 100, [(1, 0.0, 50)]), (9.0, 100, [(-1, 0.0, 50), (2, 9.0, 50)]))

    assert lowest_first(items) == (items[1].pick, items[1].lines[1])
    assert lowest_first(shown((1.0, 100, []), (9.0, 100, [])))[1] is None  # type: ignore[index]  # there is one


@pytest.mark.parametrize("order", [least_worth, lowest_first])
def test_one_bare_item_is_never_given_up(order: Any) -> None:
    assert order(shown((1.0, 100, []))) is None
    assert order([]) is None
