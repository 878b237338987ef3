"""sample_messages: a fixed draw from what was not shown yet, fair to every stratum."""

from typing import Any

import pytest
from corpora import DAY, START, Bench, Opener, clause, message, messages
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.evidence.sampling import Drawable, draw
from frugal_modes.evidence.tools import STRATEGIES


def refs(told: dict[str, Any]) -> list[str]:
    """Return the refs of the items."""
    return [item["ref"] for item in told.get("evidence", ())]


def sample(bench: Bench, **arguments: Any) -> dict[str, Any]:
    """Sample everything about the harbour."""
    return bench(
        "sample_messages", **{"query": {"clauses": [clause("harbour")]}, "strategy": "uniform", **arguments}
    )


def test_a_sample_needs_no_earlier_call_and_reports_its_seed(bench: Bench) -> None:
    bench.fill(messages([f"harbour {n}" for n in range(30)]))

    told = sample(bench)

    assert len(told["evidence"]) == 12
    assert told["seed"] == 1
    assert told["population"] == {"messages": 30, "strata": 1}
    assert told["omitted"] == {"total": 18, "over_limit": 18}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_seed_gives_the_same_refs_whatever_the_order_of_import(
    open_bench: Opener, strategy: str
) -> None:
    items = [message(n, f"harbour {n}", conversation=f"c{n % 3}", sent_at=START + n * DAY) for n in range(40)]
    forwards, backwards = open_bench(file="one.db"), open_bench(file="two.db")
    forwards.fill(items)
    backwards.fill(items[::-1])

    one, two = (sample(bench, strategy=strategy, seed=7) for bench in (forwards, backwards))

    assert refs(one) == refs(two)
    assert refs(one) != refs(sample(open_bench(file="one.db"), strategy=strategy, seed=8))


def test_only_messages_not_shown_yet_are_drawn_until_none_is_left(bench: Bench) -> None:
    bench.fill(messages([f"harbour {n} {'x' * n}" for n in range(10)]))
    shown = refs(bench.discover("harbour", limit=4))

    seen = list(shown)
    told = sample(bench, limit=4)
    while refs(told):
        seen += refs(told)
        told = sample(bench, limit=4)

    assert sorted(seen) == sorted(set(seen))
    assert len(seen) == 10
    assert told["stop_reasons"] == ["already_disclosed"]
    assert told["omitted"] == {"total": 10, "already_disclosed": 10}


def test_strata_take_turns(bench: Bench) -> None:
    rooms = ["loud"] * 50 + ["calm"] * 2 + ["quiet"]
    bench.fill([message(n, f"harbour {n}", conversation=room) for n, room in enumerate(rooms)])

    told = sample(bench, strategy="across_conversations", limit=3)

    assert told["population"]["strata"] == told["returned_strata"] == 3
    assert len({item["conversation"] for item in told["evidence"]}) == 3


def test_strata_of_time_are_the_buckets_of_the_measurement(bench: Bench) -> None:
    bench.fill([message(n, f"harbour {n}", sent_at=START + n * 3 * DAY) for n in range(60)])
    buckets = bench.measure(clause("harbour"))["buckets"]

    told = sample(bench, strategy="across_time", limit=20)

    assert told["population"]["strata"] == sum(1 for count in buckets["counts"] if count)


def test_distinct_text_draws_no_text_twice(bench: Bench) -> None:
    bench.fill(messages([f"harbour {n % 4}" for n in range(40)]))

    told = sample(bench, distinct_text=True)

    texts = [item["text"] for item in told["evidence"]]
    assert len(texts) == len(set(texts)) == 4
    assert told["population"] == {"messages": 40, "strata": 1, "distinct_texts": 4}
    assert told["omitted"] == {"total": 36, "duplicate_text": 36}


def test_filters_alone_can_be_sampled(bench: Bench) -> None:
    bench.fill(messages(["a", "b", "c"]))

    told = bench("sample_messages", query={"filters": {"sender_ids": ["ann"]}}, strategy="uniform")

    assert len(told["evidence"]) == 3
    assert all("hits" not in item for item in told["evidence"])


def test_an_unknown_strategy_is_refused_with_the_known_ones(bench: Bench) -> None:
    bench.fill(messages(["harbour"]))

    told = bench.refused("sample_messages", query={"clauses": [clause("harbour")]}, strategy="random")

    assert told["code"] == "bad_argument"
    assert all(strategy in told["detail"] for strategy in STRATEGIES)


ITEMS = st.lists(
    st.builds(
        Drawable, st.integers(0, 9_999), st.text(max_size=4), st.sampled_from("abc"), st.integers(0, 5)
    ),
    unique_by=(lambda item: item.row, lambda item: item.ref),
    max_size=30,
)


@given(ITEMS, st.randoms(), st.integers(0, 9))
def test_a_draw_is_a_shuffle_that_no_order_of_rows_changes(
    items: list[Drawable], chance: Any, seed: int
) -> None:
    shuffled = list(items)
    chance.shuffle(shuffled)

    one = list(draw(items, strategy="uniform", seed=seed, is_distinct=False))
    two = list(draw(shuffled, strategy="uniform", seed=seed, is_distinct=False))

    assert one == two
    assert sorted(one) == sorted(items)


@given(ITEMS)
def test_every_stratum_has_a_turn_before_one_has_two(items: list[Drawable]) -> None:
    strata = {item.stratum for item in items}

    first = list(draw(items, strategy="uniform", seed=1, is_distinct=False))[: len(strata)]

    assert {item.stratum for item in first} == strata
