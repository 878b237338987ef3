"""Erasing in the notebook, what the file itself refuses, and the other commands that only the shell has."""

import sqlite3
from collections.abc import Callable

import pytest

from tests.notebook.conftest import SWEEP, Book

pytestmark = pytest.mark.usefixtures("utc")

SECRET = "correct-horse-battery-9"


@pytest.mark.parametrize(
    ("row", "field", "german"),
    [
        ("m1", "value", "wert"),
        ("m1", "source", "quelle"),
        ("r1", "command", "befehl"),
        ("e1", "conclusion", "fazit"),
        (SWEEP, "question", "frage"),
        ("h2", "criterion", "kriterium"),
        ("h3", "plan", "plan"),
        ("h4", "note", "notiz"),
        ("h4", "reason", "grund"),
    ],
)
def test_erased_text_is_nowhere_in_the_file_and_row_and_history_stay(
    book: Book, row: str, field: str, german: str
) -> None:
    book.sweep(question=f"q {SECRET}", criterion=f"c {SECRET}", plan=f"p {SECRET}")
    book("edit_series", key=SWEEP, note=f"n {SECRET}", reason=f"r {SECRET}")
    book("recipe", key=SWEEP, command=f"x {SECRET}")
    book("measurements", key=SWEEP, rows=f"acc | v {SECRET}\nacc | 2 | B", source=f"s {SECRET}")
    book("result", key=SWEEP, verdict="met", conclusion=f"f {SECRET}")
    names = {
        "value": "v",
        "source": "s",
        "command": "x",
        "conclusion": "f",
        "question": "q",
        "criterion": "c",
    }
    text = f"{names.get(field, field[0])} {SECRET}"

    answer = book("row_erase", row=row, field=book.word(field, german))

    assert "[⌫ 2026-11-02]" in answer
    raw = b"".join(
        path.read_bytes() for path in book.path.parent.iterdir() if path.name.startswith(book.path.name)
    )
    assert text.encode() not in raw
    full = book("series", key=SWEEP, full=True)
    assert text not in full
    assert "[⌫ 2026-11-02]" in full
    assert book.text("history.erased", row=row, field=book.word(field, german)) in full
    assert "m1 acc" in full


def test_erased_text_is_no_longer_found(book: Book) -> None:
    book.sweep(question="why", plan="the zebra hides")
    assert SWEEP in book("series", search="zebra")

    book("row_erase", row="h3", field="plan")

    assert book.reply("series", search="zebra").answer.is_empty


def test_erased_value_is_no_longer_a_number(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="acc | 5")

    book("row_erase", row="m1", field="value")

    assert book.rows("SELECT value_number FROM measurement") == [(None,)]


def test_backups_that_hold_the_text_are_listed(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows=f"acc | {SECRET}")
    backup = book.path.with_name(f"{book.path.name}.20261102-101400.bak")
    book.shell.workspace.close()
    backup.write_bytes(book.path.read_bytes())

    assert str(backup) in book("row_erase", row="m1", field="value")


@pytest.mark.parametrize(
    ("row", "field"), [("m9", "value"), ("m1", "color"), ("m1", "n"), ("m1-m2", "value"), ("m1", "")]
)
def test_what_cannot_be_erased_is_refused(book: Book, row: str, field: str) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="acc | 5\nacc | 6 | B")
    before = book.dump()

    book.refused("row_erase", row=row, field=field)

    assert book.dump() == before


def test_erasing_twice_is_refused(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="acc | 5")
    book("row_erase", row="m1", field="value")

    assert "m1" in book.refused("row_erase", row="m1", field="value")


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM measurement",
        "DELETE FROM event",
        "DELETE FROM series",
        "UPDATE measurement SET value = '6'",
        "UPDATE criterion SET text = 'easier'",
        "UPDATE criterion SET timing = 'late'",
        "UPDATE event SET at = '2020-01-01 00:00'",
        "UPDATE result SET verdict = 'missed'",
        "UPDATE recipe SET command = 'y'",
        "UPDATE series SET question = 'other'",
        "INSERT INTO reihe (id, kennung) VALUES (1, 'a/b')",
    ],
)
def test_file_itself_refuses_to_forget_or_to_change(book: Book, statement: str) -> None:
    book.sweep()
    book("recipe", key=SWEEP, command="x")
    book("measurements", key=SWEEP, rows="acc | 5")
    book("result", key=SWEEP, verdict="met", conclusion="so")
    book.shell.workspace.close()
    db = sqlite3.connect(book.path)

    with pytest.raises(sqlite3.Error):
        db.execute(statement)
    db.close()


def test_stats_give_the_whole_table(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="\n".join(f"acc | {number} | arm {number}" for number in range(150)))

    assert book("series_stats", key=SWEEP).count("| acc |") == 150
    assert book("series", key=SWEEP, table=True).count("| acc |") == 100


def test_shell_only_commands_are_no_tools_of_the_protocol(open_book: Callable[..., Book]) -> None:
    book = open_book()
    book.sweep()

    for name in ("plot", "stats", "export", "erase"):
        assert book.shell.workspace.call(book.shell.client, name, {"key": SWEEP}).is_error
