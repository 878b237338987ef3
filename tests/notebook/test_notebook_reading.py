"""Numbers in values: what is read, what is not, and that reading never harms."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.notebook.reading import NOTHING, read_value


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("0.912", 0.912, ""),
        ("97.3 %", 97.3, "%"),
        ("97,3%", 97.3, "%"),
        ("1.650", 1.65, ""),
        ("0,650", 0.65, ""),
        ("1,65", 1.65, ""),
        ("1,234,567", 1234567, ""),
        ("1.234.567", 1234567, ""),
        ("1.234.567,8", 1234567.8, ""),
        ("1,234.5", 1234.5, ""),
        ("1 650", 1650, ""),
        ("12\u202f345,6 ms", 12345.6, "ms"),
        ("1'000.5", 1000.5, ""),
        ("1_000", 1000, ""),
        ("-3.2e-4", -0.00032, ""),
        ("−3", -3, ""),
        ("+5 GB/s", 5, "GB/s"),
        ("5 µs", 5, "μs"),
        ("21 °C", 21, "°C"),
        ("9.81 m/s^2", 9.81, "m/s^2"),
        ("５", 5, ""),
        ("1.5x", 1.5, "x"),
        (".5", 0.5, ""),
    ],
)
def test_number_and_unit_are_read(text: str, number: float, unit: str) -> None:
    reading = read_value(text)

    assert reading.number == pytest.approx(number)
    assert reading.unit == unit
    assert reading.is_exact


@pytest.mark.parametrize(
    ("sign", "code"), [("<", "<"), (">", ">"), ("<=", "<="), ("≥", ">="), ("~", "~"), ("≈", "~")]
)
def test_qualified_number_is_kept_but_not_exact(sign: str, code: str) -> None:
    reading = read_value(f"{sign} 3 ms")

    assert (reading.number, reading.unit, reading.qualifier) == (3, "ms", code)
    assert not reading.is_exact


@pytest.mark.parametrize("text", ["0.9 ± 0.01 %", "0.9 +- 0.01 %", "0,9±0,01%"])
def test_spread_is_read_beside_the_number(text: str) -> None:
    reading = read_value(text)

    assert (reading.number, reading.spread, reading.unit) == (0.9, 0.01, "%")


def test_ratio_gives_k_and_of() -> None:
    reading = read_value("30/32")

    assert (reading.k, reading.of, reading.number) == (30, 32, 0.9375)
    assert read_value("3/0") == NOTHING


@pytest.mark.parametrize("text", ["1,650", "12,345 ms", "1,650 ± 0.1"])
def test_single_comma_before_three_digits_is_no_number_but_a_question(text: str) -> None:
    reading = read_value(text)

    assert reading.number is None
    assert reading.is_ambiguous


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "n/a",
        "1-3",
        "10..20",
        "12:30",
        "12h30",
        "2026-11-30",
        "1.2.3",
        "v1.2",
        "nan",
        "inf",
        "1e400",
        "1e-400",
        "0x1F",
        "3fa9c21",
        "10²",
        "½",
        "12 apples and pears",
        "1,23.4",
        "12,5,5",
        "1 65",
        "5 ±",
        "3 u" + "n" * 30,
    ],
)
def test_what_is_not_certain_is_no_number(text: str) -> None:
    assert read_value(text) == NOTHING


@given(st.text() | st.text(alphabet="0123456789.,_' +-−±<>~/eE%msµ°", max_size=40))
def test_reading_never_raises_and_never_gives_an_infinite_number(text: str) -> None:
    reading = read_value(text)

    assert reading.number is None or math.isfinite(reading.number)


def _grouped(digits: str, sign: str) -> str:
    head = len(digits) % 3 or 3
    return sign.join([digits[:head], *(digits[place : place + 3] for place in range(head, len(digits), 3))])


@given(
    whole=st.integers(1_000_000, 10**12),
    fraction=st.integers(0, 99),
    grouping=st.sampled_from(["", ",", ".", " ", "_", "'", "\u202f"]),
    is_negative=st.booleans(),
)
def test_every_written_form_of_a_number_reads_back_equal(
    whole: int, fraction: int, grouping: str, is_negative: bool
) -> None:
    decimal = "," if grouping == "." else "."
    text = f"{'-' if is_negative else ''}{_grouped(str(whole), grouping)}{decimal}{fraction:02d}"

    number = read_value(text).number

    assert number == float(f"{'-' if is_negative else ''}{whole}.{fraction:02d}")


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_what_programs_print_reads_back_equal(number: float) -> None:
    assert read_value(repr(number)).number == number
