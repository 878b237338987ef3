"""Pasted rows: plain lines, tables, literal bars, faults."""

from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.notebook.rows import RowDraft, join_fields, parse_rows, split_fields


def test_row_has_two_to_five_fields() -> None:
    parsed = parse_rows("acc | 0.9\n\nloss | 0.1 | A | 7 | 100")

    assert parsed.rows == (RowDraft(1, "acc", "0.9"), RowDraft(3, "loss", "0.1", "A", "7", "100"))
    assert parsed.faults == ()


def test_pasted_table_loses_its_bars_rulers_and_headings() -> None:
    text = "| **Größe** | Wert | Arm |\n|---|:--:|---:|\n| acc | 0.9 | A |\n| quantity | value |\n"

    assert parse_rows(text).rows == (RowDraft(3, "acc", "0.9", "A"),)


def test_escaped_bar_is_literal_and_value_stays_verbatim() -> None:
    (row,) = parse_rows(r"loss   \| total |  a  \|  b  | A   1").rows

    assert (row.quantity, row.value, row.arm) == ("loss | total", "a  |  b", "A 1")


def test_every_fault_names_its_line_and_reason() -> None:
    long = "x" * 401
    text = f"acc\na|b|c|d|e|f\n|1|\n | 2\nacc | \nvalue | quantity\nacc | {long}"

    faults = parse_rows(text).faults

    assert [(fault.line, fault.key) for fault in faults] == [
        (1, "too_few_fields"),
        (2, "too_many_fields"),
        (3, "too_few_fields"),
        (4, "no_quantity"),
        (5, "no_value"),
        (6, "heading_order"),
        (7, "field_too_long"),
    ]


def test_line_ends_of_every_system_separate_rows() -> None:
    assert [row.value for row in parse_rows("a|1\r\na|2\ra|3\na|4").rows] == ["1", "2", "3", "4"]


FIELD = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), min_size=1).map(
    str.strip
)


@given(st.lists(FIELD.filter(bool), min_size=2, max_size=5))
def test_fields_written_as_a_row_read_back_equal(fields: list[str]) -> None:
    assert split_fields(join_fields(tuple(fields))) == fields
