"""Statistics of groups of numbers: mean, spread, intervals. Unweighted; exact sums; no dependency."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import stdev

Z_95 = 1.959963984540054
"""Quantile 0.975 of the normal distribution."""


@dataclass(frozen=True)
class Interval:
    """A 95 % interval."""

    low: float
    high: float


@dataclass(frozen=True)
class Summary:
    """What *n* numbers come to; *sd* (with n-1) and *interval* (of the mean, Student's t) are None for one alone."""

    n: int
    mean: float
    low: float
    high: float
    sd: float | None = None
    interval: Interval | None = None


@dataclass(frozen=True)
class Pooled:
    """Ratios put together: *k* of *of*, with Wilson's interval (None where k exceeds of)."""

    k: int
    of: int
    interval: Interval | None


def summarise(numbers: Sequence[float]) -> Summary:
    """Return the summary of at least one number; the order does not matter."""
    n = len(numbers)
    mean = _mean(numbers)
    low, high = min(numbers), max(numbers)
    if n == 1:
        return Summary(n, mean, low, high)
    try:
        sd = stdev(numbers)
    except OverflowError:  # squares beyond what a float holds
        return Summary(n, mean, low, high)
    half = t_975(n - 1) * sd / math.sqrt(n)
    if not math.isfinite(mean - half) or not math.isfinite(mean + half):
        return Summary(n, mean, low, high, sd)
    return Summary(n, mean, low, high, sd, Interval(mean - half, mean + half))


def _mean(numbers: Sequence[float]) -> float:
    try:
        mean = math.fsum(numbers) / len(numbers)
    except OverflowError:
        mean = math.fsum(number / len(numbers) for number in numbers)
    return min(max(mean, min(numbers)), max(numbers))


def pool(ratios: Iterable[tuple[int, int]]) -> Pooled | None:
    """Return all *ratios* (k, of) as one, None where there are none."""
    pairs = list(ratios)
    if not pairs:
        return None
    k, of = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
    return Pooled(k, of, wilson(k, of) if k <= of else None)


def wilson(k: int, of: int) -> Interval:
    """Return the 95 % interval of the share k/of (Wilson, 1927: J. Am. Stat. Assoc. 22, 209-212)."""
    share, z2 = k / of, Z_95 * Z_95
    centre = share + z2 / (2 * of)
    half = Z_95 * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    scale = 1 + z2 / of
    low, high = (centre - half) / scale, (centre + half) / scale
    return Interval(0.0 if k == 0 else max(low, 0.0), 1.0 if k == of else min(high, 1.0))


def t_975(degrees: int) -> float:
    """Return the quantile 0.975 of Student's t for *degrees* of freedom, at least 1; error below 1e-5.

    One and two degrees in closed form; else the expansion of G. W. Hill, Communications of the ACM 13 (1970), 619-620.
    """
    tail = 0.05
    if degrees == 1:
        return 1 / math.tan(tail * math.pi / 2)
    if degrees == 2:
        return math.sqrt(2 / (tail * (2 - tail)) - 2)
    n = float(degrees)
    a = 1 / (n - 0.5)
    b = 48 / (a * a)
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * n
    y = (d * tail) ** (2 / n)
    if y > 0.05 + a:
        x = -Z_95
        y = x * x
        if degrees < 5:
            c += 0.3 * (n - 4.5) * (x + 0.6)
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = math.expm1(a * y * y)
    else:
        inner = ((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3
        y = ((1 / inner + 0.5 / (n + 4)) * y - 1) * (n + 1) / (n + 2) + 1 / y
    return math.sqrt(n * y)


def six_digits(number: float) -> str:
    """Write *number* with six significant digits and a decimal point."""
    text = f"{number:.6g}"
    return "0" if text == "-0" else text
