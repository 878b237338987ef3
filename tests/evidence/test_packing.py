"""What an answer gives up first when it is too large: through the tool, and the plain order by itself."""

from typing import Any

from corpora import Bench, messages, unlike

from frugal_modes.evidence.packing import Line, Pick, Shown, lowest_first

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


def test_farthest_line_of_the_last_item_goes_first_then_the_item() -> None:
    items = shown((1.0, 100, [(1, 0.0, 50)]), (9.0, 100, [(-1, 0.0, 50), (2, 9.0, 50)]))

    assert lowest_first(items) == (items[1].pick, items[1].lines[1])
    assert lowest_first(shown((1.0, 100, []), (9.0, 100, [])))[1] is None  # type: ignore[index]  # there is one


def test_one_bare_item_is_never_given_up() -> None:
    assert lowest_first(shown((1.0, 100, []))) is None
    assert lowest_first([]) is None


def test_where_there_is_room_for_one_message_a_statement_stands_instead_of_the_question(bench: Bench) -> None:
    bench.fill(
        messages(
            [f"are the harbour keys here? {unlike(1, 60)}, are they?", "the keys of the harbour are lost"]
        )
    )
    query = {"clauses": [{"match": "stem", "text": word} for word in ("harbour", "keys")], "combine": "any"}

    told = bench("discover_messages", query=query, max_bytes=1_800)

    assert texts(told) == ["the keys"]


def test_room_that_is_left_over_is_filled_by_a_message_small_enough(bench: Bench) -> None:
    long = [f"harbour keys {number} {unlike(number, 40)}" for number in range(6)]
    bench.fill(messages([*long, "keys"]))
    query = {"clauses": [{"match": "stem", "text": word} for word in ("harbour", "keys")], "combine": "any"}

    told = [
        bench("discover_messages", query=query, max_bytes=size, limit=7) for size in range(3_000, 6_000, 250)
    ]

    counts = [(len(texts(answer)), "keys" in texts(answer)) for answer in told]
    assert all(
        count == 7 or "response_bytes" in answer["stop_reasons"]
        for (count, _), answer in zip(counts, told, strict=True)
    )
    assert any(is_there and count < 6 for count, is_there in counts), counts
