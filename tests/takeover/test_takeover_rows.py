"""Rows that are not as they should be are kept where they can be, and counted and named where they cannot."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from old_files import MEMORY_KINDS, STAMP, is_sound, rows_of, write_file

Write = Callable[..., Path]

TAGS = "SELECT spelling FROM entry_tag WHERE entry_id = :id ORDER BY position"


def entry(entry_id: int, text: str = "A fact.", **changed: object) -> tuple[object, ...]:
    row = {"tags": "lamp", "ts": STAMP, "kind": "gemischt", "kind_at": None, "head": None, "number": None}
    values = row | changed
    return (entry_id, text, *(values[key] for key in row))


@pytest.fixture
def take(tmp_path: Path, open_file: Callable) -> Callable[..., tuple[Path, str, dict]]:
    """Take a file with these rows over; return it, the line on stderr and what the file notes."""

    def run(**rows: object) -> tuple[Path, str, dict]:
        path = write_file(tmp_path / "files" / "memory.db", **{"log": (), "questions": (), **rows})
        owner = open_file(path, language="en")
        owner("topics")
        owner.workspace.close()
        (line,) = owner.noticed()
        assert is_sound(path)
        ((noted,),) = rows_of(path, "SELECT value FROM record WHERE key = 'takeovers'")
        return path, line, json.loads(str(noted))[0]

    return run


def test_unknown_kind_becomes_unsorted_with_a_tag_and_is_named(take: Callable) -> None:
    path, line, noted = take(
        entries=[entry(1, kind="rezept", kind_at=STAMP)], kinds=(*MEMORY_KINDS, "rezept")
    )

    assert rows_of(path, "SELECT kind, kind_at FROM entry_state") == [("gemischt", STAMP)]
    assert rows_of(path, TAGS, id=1) == [("lamp",), ("was-rezept",)]
    assert "#1 (rezept)" in line
    assert noted["apart"] == {"kinds": ["#1 (rezept)"]}


def test_log_rows_of_no_entry_are_counted_apart_and_listed(take: Callable) -> None:
    log = [(99, None, STAMP, "gone"), (1, 98, STAMP, "ersetzt"), (1, None, STAMP, "wrong")]

    path, line, noted = take(entries=[entry(1), entry(2)], log=log)

    rows = rows_of(path, "SELECT entry_id, successor_id, reason, detail FROM event ORDER BY seq")
    assert rows == [(1, None, None, "#98"), (1, None, "wrong", None)]
    assert rows_of(path, "SELECT live FROM entry_state ORDER BY entry_id") == [(0,), (1,)]
    assert noted["counts"]["log"] == 2
    assert noted["apart"] == {"log": ["#99"], "successors": ["#1 -> #98"]}
    assert "1 log row (#99)" in line


def test_learned_questions_of_no_entry_are_counted_apart(take: Callable) -> None:
    questions = [("lamp port", 1, "lamp port", STAMP), ("lamp port", 50, "lamp port", STAMP)]

    path, _, noted = take(entries=[entry(1)], questions=questions)

    assert rows_of(path, "SELECT entry_id FROM learned_question") == [(1,)]
    assert noted["apart"] == {"pairs": ["#50 (lamp port)"]}


def test_learned_questions_that_come_to_be_one_stay_one_with_the_latest_date(take: Callable) -> None:
    questions = [
        ("kase lampe", 1, "Kase Lampe", "2026-01-01 00:00:00"),
        ("Kase LAMPE", 1, "lampe kase", "2026-01-03 00:00:00"),
    ]

    path, _, noted = take(entries=[entry(1)], questions=questions)

    assert rows_of(path, "SELECT question, confirmed_at FROM learned_question") == [
        ("lampe kase", "2026-01-03 00:00:00")
    ]
    assert noted["counts"]["pairs"] == 1


def test_question_of_any_length_is_kept_to_200_characters(take: Callable) -> None:
    asked = " ".join(f"word{number}" for number in range(100))

    path, _, _ = take(entries=[entry(1)], questions=[("x", 1, asked, STAMP)])

    ((question, key),) = rows_of(path, "SELECT question, word_key FROM learned_question")
    assert question == asked[:200]
    assert "99" in str(key).split()


@pytest.mark.parametrize(
    "text", ["\0 leading", "tab\tand\r\nlines\n", " blanks ", "e\u0301\U0001f600", "x" * 200_000]
)
def test_text_is_byte_for_byte_what_it_was(take: Callable, text: str) -> None:
    path, _, _ = take(entries=[entry(1, text)])

    assert rows_of(path, "SELECT text FROM entry") == [(text,)]


def test_entry_without_text_is_counted_apart_with_its_log(take: Callable) -> None:
    path, _, noted = take(entries=[entry(1, ""), entry(2)], log=[(1, None, STAMP, "x")])

    assert rows_of(path, "SELECT id FROM entry") == [(2,)]
    assert noted["apart"] == {"empty": ["#1"], "log": ["#1"]}


@pytest.mark.parametrize(
    ("ts", "stored"),
    [
        ("2026-02-03", "2026-02-03 00:00:00"),
        ("2026-02-03T04:05:06+02:00", "2026-02-03 02:05:06"),
        ("2026-02-03 04:05:06.789", "2026-02-03 04:05:06"),
        ("yesterday", STAMP),
    ],
)
def test_stamp_in_another_form_is_read_and_one_that_cannot_be_is_named(
    take: Callable, ts: str, stored: str
) -> None:
    path, _, noted = take(entries=[entry(1), entry(2, ts=ts)])

    assert rows_of(path, "SELECT created_at FROM entry WHERE id = 2") == [(stored,)]
    assert noted["apart"] == ({"stamps": ["#2 (yesterday)"]} if ts == "yesterday" else {})


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("a b", ["a", "b"]),
        ("a,b, c  d", ["a", "b", "c", "d"]),
        ("Lamp lamp", ["Lamp"]),
        ('a"b x;y', ['a"b', "x;y"]),
        ("", []),
        (" , ", []),
        ("\n\0", []),
    ],
)
def test_tags_are_split_at_blanks_and_commas(take: Callable, text: str, tags: list[str]) -> None:
    path, _, _ = take(entries=[entry(1, tags=text)])

    assert [tag for (tag,) in rows_of(path, TAGS, id=1)] == tags


def test_tag_over_64_characters_is_cut_and_named(take: Callable) -> None:
    path, _, noted = take(entries=[entry(1, tags="t" * 90)])

    assert rows_of(path, TAGS, id=1) == [("t" * 64,)]
    assert noted["apart"] == {"tags": ["#1 (" + "t" * 40 + "...)"]}


@pytest.mark.parametrize(
    ("numbers", "places"), [((1, 2, 3), [1, 2, 3]), ((1, 3, 4), [1, 3, 4]), ((None, 1, 1), [1, 2, 3])]
)
def test_memo_keeps_its_order_even_if_its_numbers_are_bad(
    take: Callable, numbers: tuple, places: list[int]
) -> None:
    rows = [entry(at, f"Piece {at}", head=1, number=number) for at, number in enumerate(numbers, 1)]

    path, _, noted = take(entries=rows)

    state = rows_of(path, "SELECT memo_position FROM entry_state ORDER BY entry_id")
    assert [place for (place,) in state] == places
    memo = rows_of(path, "SELECT subject, pieces, first_id, last_id FROM memo")
    assert memo == [("Piece 1", max(places), 1, 3)]
    assert noted["counts"]["pieces"] == 3


def test_ids_go_on_behind_the_largest(take: Callable, open_file: Callable) -> None:
    path, _, _ = take(entries=[entry(5), entry(41)])

    open_file(path)("remember", text="New.", tags="x")

    assert rows_of(path, "SELECT id FROM entry ORDER BY id") == [(5,), (41,), (42,)]
