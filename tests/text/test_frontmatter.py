"""Front matter of notes: fields, dates, tags, and what is none."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal.text.frontmatter import note_date, note_tags, split


def fields(*lines: str) -> dict[str, str | tuple[str, ...]]:
    return dict(split("\n".join(["---", *lines, "---", "body"])).fields)


def date(*lines: str) -> datetime | None:
    return note_date(fields(*lines))


def tags(*lines: str) -> tuple[str, ...]:
    return note_tags(fields(*lines))


# Where it begins and ends


@pytest.mark.parametrize("mark", ["---", "...", "--- ", "...\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("first", ["", "\ufeff"])
def test_front_matter_is_taken_off_the_body(mark: str, end: str, first: str) -> None:
    text = f"{first}---{end}title: x{end}{mark}{end}body{end}"

    note = split(text)

    assert note.fields == {"title": "x"}
    assert note.body == f"body{end}"
    assert text[note.body_start :] == note.body


@pytest.mark.parametrize(
    "text",
    [
        "",
        "body",
        "---",
        "---\n",
        "---\ntitle: x\n",
        " ---\ntitle: x\n---\nbody",
        "\n---\ntitle: x\n---\nbody",
        "----\ntitle: x\n---\nbody",
        "---\na rule, then text\n---\nbody",
        "---\n---\nbody",
        "---\n# only: a comment\n---\nbody",
        "---\n- only\n- a list\n---\nbody",
        "---\ntitle: x\n ---\nbody",
        "--- title: x\n---\nbody",
    ],
)
def test_anything_else_is_body(text: str) -> None:
    assert split(text).fields == {}
    assert split(text).body == text


def test_byte_order_mark_is_no_part_of_the_body() -> None:
    assert split("\ufeffbody").body == "body"
    assert split("\ufeffbody").body_start == 1


def test_indented_marker_does_not_end_front_matter() -> None:
    note = split("---\ntext: |\n  a\n  ---\n  b\ntitle: x\n---\nbody")

    assert note.fields == {"text": "a\n---\nb", "title": "x"}
    assert note.body == "body"


def test_block_with_lines_of_no_field_gives_its_fields_and_stays_in_the_body() -> None:
    text = "---\ndate: 2026-01-02\nA sentence that belongs to nothing.\n---\nbody"

    assert note_date(split(text).fields) == datetime(2026, 1, 2, tzinfo=UTC)
    assert split(text).body == text


def test_block_that_is_too_long_is_body() -> None:
    text = "---\n" + "a: b\n" * 20_000 + "---\nbody"

    assert split(text).fields == {}
    assert split(text).body == text


# Values


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a: b: c"], {"a": "b: c"}),
        (["a: b # comment", "# comment", "c: d#e"], {"a": "b", "c": "d#e"}),
        (['a: "b # \\"c\\""', "d: 'it''s'"], {"a": 'b # "c"', "d": "it's"}),
        (['"a b": c', "Key: v"], {"a b": "c", "key": "v"}),
        (["a: 1", "a: 2"], {"a": "2"}),
        (["a:", "b: 1"], {"a": "", "b": "1"}),
        (["a: [b, 'c, d', \"e\"]"], {"a": ("b", "c, d", "e")}),
        (["a: [b,", "  c,", "]", "d: 1"], {"a": ("b", "c"), "d": "1"}),
        (["a: []"], {"a": ()}),
        (["a:", "- b", "- 'c d' # x", "e: 1"], {"a": ("b", "c d"), "e": "1"}),
        (["a:", "    - b", "", "    - c"], {"a": ("b", "c")}),
        (["a: >", "  b", "  c"], {"a": "b\nc"}),
        (["a: b", "  c"], {"a": "b c"}),
        (["m:", "  a: b", "  c:", "    - d", "  e:", "    f: g"], {"m.a": "b", "m.c": ("d",), "m.e.f": "g"}),
        (["m: {a: b, c: [d, e]}"], {"m.a": "b", "m.c": ("d", "e")}),
        (["m:", "\ta: b"], {"m.a": "b"}),
        (["url: http://h.test/a"], {"url": "http://h.test/a"}),
    ],
)
def test_values_are_read(lines: list[str], expected: dict[str, str | tuple[str, ...]]) -> None:
    assert fields(*lines) == expected


# Dates


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-01-02", datetime(2026, 1, 2, tzinfo=UTC)),
        ("2026-1-2", datetime(2026, 1, 2, tzinfo=UTC)),
        ("2026/01/02", datetime(2026, 1, 2, tzinfo=UTC)),
        ("02.01.2026", datetime(2026, 1, 2, tzinfo=UTC)),
        ("2026-01-02 10:14", datetime(2026, 1, 2, 10, 14, tzinfo=UTC)),
        ("2026-01-02T10:14:15", datetime(2026, 1, 2, 10, 14, 15, tzinfo=UTC)),
        ("2026-01-02T10:14:15.123456789Z", datetime(2026, 1, 2, 10, 14, 15, 123456, tzinfo=UTC)),
        ("2026-01-02T01:14:15+02:00", datetime(2026, 1, 1, 23, 14, 15, tzinfo=UTC)),
        ("2026-01-02 22:14 -0530", datetime(2026, 1, 3, 3, 44, tzinfo=UTC)),
        ("2001-12-14 21:59:43.10 -5", datetime(2001, 12, 15, 2, 59, 43, 100_000, tzinfo=UTC)),
        ('"2026-01-02" # quoted', datetime(2026, 1, 2, tzinfo=UTC)),
        ("2026-02-31", None),
        ("2026-01-02T25:00", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("2026-01-02T00:00+99:00", None),
        ("yesterday", None),
        ("{{date}}", None),
        ("[2026-01-02]", None),
        ("", None),
    ],
)
def test_date_is_read_in_utc(value: str, expected: datetime | None) -> None:
    assert date(f"date: {value}") == expected


def test_dates_are_asked_in_order_also_under_metadata() -> None:
    assert date(
        "created: 2021-01-01", "date: 2022-01-01", "updated: 2023-01-01", "modified: 2024-01-01"
    ) == datetime(2024, 1, 1, tzinfo=UTC)
    assert date("created: 2021-01-01", "metadata:", "  updated: 2023-01-01") == datetime(
        2023, 1, 1, tzinfo=UTC
    )
    assert date("modified: soon", "created: 2021-01-01") == datetime(2021, 1, 1, tzinfo=UTC)
    assert date("title: x") is None


# Tags


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["tags: [a, '#b', c d]"], ("a", "b", "c-d")),
        (["tags:", "- a", '- "#b"', "- A"], ("a", "b")),
        (["tags: a, b c, d"], ("a", "b-c", "d")),
        (["tags: a b #c"], ("a", "b", "c")),
        (['tags: \'["a", "b"]\''], ("a", "b")),
        (["tags: ['a, b']"], ("a", "b")),
        (["tag: solo"], ("solo",)),
        (["tags: [a]", "metadata:", "  tags: [b, a]"], ("a", "b")),
        (["metadata:", "  tag: b"], ("b",)),
        (["tags: shop/web"], ("shop/web",)),
        (["tags: ['#', ' ', '']"], ()),
        (["tags:"], ()),
        (["title: x"], ()),
    ],
)
def test_tags_are_read(lines: list[str], expected: tuple[str, ...]) -> None:
    assert tags(*lines) == expected


# Properties


@given(st.text() | st.text(alphabet="-.\n\r\ufeff a:[]{}\"'#|>,&é"))
def test_any_text_is_split_without_loss(text: str) -> None:
    for candidate in (text, f"---\n{text}\n---\n{text}", f"---\na: {text}"):
        note = split(candidate)

        assert candidate.endswith(note.body)
        assert candidate[note.body_start :] == note.body
        assert note.fields or note.body_start <= 1
        note_date(note.fields)
        assert all(tag and "," not in tag and not tag.split()[1:] for tag in note_tags(note.fields))


@pytest.mark.parametrize(
    "block",
    [
        "a:\n" + "".join(" " * depth + f"k{depth}:\n" for depth in range(1, 350)),
        "a: " + "{b: " * 15_000,
        "a: " + "[" * 60_000,
        "a: [" + "'" * 60_000,
        "a: x" + " #" * 30_000,
        "a b " * 15_000,
        "a: |\n" + " x\n" * 20_000,
        "a:\n" + "- b\n" * 15_000,
        "\n" * 60_000 + "a: 1",
        "a: " + '"' * 60_000,
    ],
)
def test_hostile_block_is_read_in_linear_time(block: str) -> None:
    started = time.process_time()

    note_tags(split(f"---\n{block}\n---\nbody").fields)

    assert time.process_time() - started < 1
