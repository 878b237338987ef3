"""Statistics against the standard library and against published tables."""

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.notebook.figures import pool, six_digits, summarise, t_975, wilson

NUMBERS = st.lists(st.floats(-1e9, 1e9, allow_subnormal=False), min_size=1, max_size=40)


@given(NUMBERS)
def test_summary_equals_the_standard_library(numbers: list[float]) -> None:
    summary = summarise(numbers)

    assert summary.mean == pytest.approx(statistics.fmean(numbers), rel=1e-9, abs=1e-6)
    assert (summary.low, summary.high) == (min(numbers), max(numbers))
    if len(numbers) > 1:
        assert summary.sd == pytest.approx(statistics.stdev(numbers), rel=1e-9, abs=1e-9)


@given(NUMBERS)
def test_interval_contains_the_mean(numbers: list[float]) -> None:
    summary = summarise(numbers)

    if summary.interval:
        assert summary.interval.low <= summary.mean <= summary.interval.high


@given(NUMBERS, st.randoms())
def test_order_of_rows_does_not_matter(numbers: list[float], rng: random.Random) -> None:
    shuffled = list(numbers)
    rng.shuffle(shuffled)

    assert summarise(shuffled) == summarise(numbers)


def test_single_value_has_neither_sd_nor_interval() -> None:
    summary = summarise([3.5])

    assert (summary.sd, summary.interval) == (None, None)


@pytest.mark.parametrize(("degrees", "quantile"), [(1, 12.706), (2, 4.303), (10, 2.228), (120, 1.980)])
def test_quantile_of_student_is_the_published_one(degrees: int, quantile: float) -> None:
    assert t_975(degrees) == pytest.approx(quantile, abs=0.0005)


def _cdf(t: float, degrees: int) -> float:
    """Closed form for whole degrees: Abramowitz and Stegun 26.7.3 and 26.7.4."""
    angle = math.atan(t / math.sqrt(degrees))
    cosine = math.cos(angle)
    term = total = cosine if degrees % 2 else 1.0
    for step in range(2 if degrees % 2 else 1, degrees - 1, 2):
        term *= cosine * cosine * step / (step + 1)
        total += term
    if degrees % 2:
        total = 0.0 if degrees == 1 else total
        return 0.5 + (angle + math.sin(angle) * total) / math.pi
    return 0.5 + math.sin(angle) * total / 2


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 6, 7, 9, 15, 30, 77, 200, 1000])
def test_quantile_is_off_by_less_than_a_thousandth(degrees: int) -> None:
    quantile = t_975(degrees)

    assert _cdf(quantile - 0.001, degrees) < 0.975 < _cdf(quantile + 0.001, degrees)


@given(st.integers(0, 500), st.integers(1, 500))
def test_wilson_interval_lies_between_zero_and_one_around_the_share(k: int, of: int) -> None:
    k = min(k, of)

    interval = wilson(k, of)

    assert 0 <= interval.low <= k / of <= interval.high <= 1


def test_ratios_are_pooled() -> None:
    pooled = pool([(9, 10), (21, 22)])

    assert pooled is not None
    assert (pooled.k, pooled.of) == (30, 32)
    assert pooled.interval is not None
    assert pooled.interval.low == pytest.approx(0.7985, abs=1e-4)
    assert pool([]) is None
    assert pool([(3, 2)]) is not None


def test_numbers_are_written_with_six_digits() -> None:
    assert [six_digits(number) for number in (1 / 3, 0.0, -0.0, 1234567.0, 90.5)] == [
        "0.333333",
        "0",
        "0",
        "1.23457e+06",
        "90.5",
    ]
