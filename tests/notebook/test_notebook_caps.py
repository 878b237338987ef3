"""A large and hostile notebook: no answer without `full` above 16 KiB, and pages that show every row once."""

import random
import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from frugal.engine import build_engine
from frugal.settings import Options, load_settings
from frugal_modes.notebook import NOTEBOOK
from frugal_modes.notebook.index import reindex
from frugal_modes.notebook.journal import Journal, open_journal
from frugal_modes.notebook.keys import parse_key
from frugal_modes.notebook.measurements import write_rows
from frugal_modes.notebook.new_series import Draft, create
from frugal_modes.notebook.result import write_result
from frugal_modes.notebook.rows import parse_rows
from frugal_modes.notebook.series import Series, matching
from frugal_modes.notebook.supersession import Named
from frugal_modes.notebook.vocabulary import OBSERVATION
from tests.notebook.conftest import SWEEP, Book, size_of
from tests.notebook.test_notebook_machine import Shell

CAP = 16_384
SERIES = 1_000
VALUES = 20_000
PIECES = ["学习率", "🧪", "|", '"quote"', "\x07", "tail", "épöch", "x" * 90, "\n", "\\", "warm start"]


def _noise(rng: random.Random, count: int) -> str:
    return " ".join(rng.choice(PIECES) for _ in range(count))


def _key(number: int) -> str:
    return f"{'漢' * 58}{number % 10}/{'字' * 55}-{number}" if number % 2 else f"p{number % 10}/s-{number}"


@pytest.fixture(scope="module", params=["en", "de"])
def large(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    """Return 1,000 series with 20,000 values, one of them with 1,000 rows; the file is made once."""
    folder = tmp_path_factory.getbasetemp() / "large-notebook"
    path = folder / "m.db"
    environ = {"MEMORY_NAME": "box", "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    options = Options(db=str(path), lang=request.param)
    engine = build_engine(load_settings(options, environ), modes=[NOTEBOOK])
    book = Book(Shell(engine.open(NOTEBOOK)), path)
    if not path.exists():
        _fill(book, folder)
    yield book
    book.shell.workspace.close()


def _fill(book: Book, folder: Path) -> None:
    """Write through the tools' own functions, all in one transaction: 3,000 commits would take half a minute."""
    folder.mkdir(exist_ok=True)
    rng = random.Random(7)
    call = book.shell.workspace.new_call(book.shell.client)
    with call.store.write() as db:
        journal = open_journal(call, db)
        for number in range(SERIES):
            series = _add_series(journal, rng, number)
            for _ in range(2 if number == 0 else 1):
                rows = parse_rows(_rows(rng, 19 if number else 500)).rows
                write_rows(journal, series, rows, _noise(rng, 300) if number == 0 else "", Named(()))
            if number < 60:
                texts = {"conclusion": _noise(rng, 100), "open_questions": "", "file": ""}
                write_result(journal, series, OBSERVATION, texts)
            reindex(db, series.number)
    for _ in range(20):
        book("recipe", key=_key(0), command=_noise(rng, 150), note=_noise(rng, 100))


def _add_series(journal: Journal, rng: random.Random, number: int) -> Series:
    key = parse_key(_key(number))
    assert key is not None
    question = _noise(rng, 200 if number < 20 else 12).strip() + "?"
    criterion = _noise(rng, 8).strip() if number % 3 else ""
    create(journal, Draft(key, question, criterion, "", "", date(2026, 11, 2)), [])
    return matching(journal.db, key.written)[0]


def _rows(rng: random.Random, count: int) -> str:
    noise = [" ".join(_noise(rng, 3).split()).replace("|", r"\|").replace("\\ ", "") for _ in range(count)]
    return "\n".join(
        f"q{n % 7} {noise[n]} | {rng.random():.4f} % | arm {n % 60} {noise[n]} | {n}" for n in range(count)
    )


CALLS: list[dict[str, object]] = [
    {},
    {"all": True},
    {"all": True, "page": 2},
    {"table": True},
    {"table": True, "all": True, "page": 3},
    {"search": "warm start"},
    {"search": "学习率", "page": 2},
    {"project": "p4"},
    {"status": "evaluated"},
    {"key": "p*/*", "full": True},
    {"key": _key(0)},
    {"key": _key(0), "page": 2},
    {"key": _key(0), "page": 7},
    {"key": _key(0), "table": True},
    {"key": _key(0), "table": True, "page": 2},
    {"key": _key(1)},
    {"key": "学" * 300},
    {"search": "nowhere " * 200},
]


@pytest.mark.parametrize("arguments", CALLS, ids=str)
def test_no_answer_without_full_is_larger_than_16_kibibytes(
    large: Book, arguments: dict[str, object]
) -> None:
    reply = large.reply("series", **arguments)

    assert size_of(reply.text) <= CAP
    assert large.text("answer_cut") not in reply.text


def test_notebook_is_as_large_as_it_is_said_to_be(large: Book) -> None:
    counts = "SELECT (SELECT count(*) FROM series), (SELECT count(*) FROM measurement)"
    most = "SELECT max(n) FROM (SELECT count(*) AS n FROM measurement GROUP BY series)"

    series, values = large.rows(counts)[0]

    assert series == SERIES
    assert values >= 19_900
    assert large.rows(most) == [(1_000,)]


def test_all_pages_of_the_list_show_every_series_once(large: Book) -> None:
    seen: list[str] = []
    for page in range(1, SERIES):
        shown = [item["key"] for item in large.items("series", all=True, page=page)]
        if not shown:
            break
        seen += shown

    assert sorted(seen) == sorted(_key(number) for number in range(SERIES))


def test_all_pages_of_a_sheet_show_every_row_once(large: Book) -> None:
    seen: list[str] = []
    for page in range(1, 200):
        reply = large.reply("series", key=_key(0), page=page)
        assert size_of(reply.text) <= CAP
        ids = re.findall(r"^(m[0-9]+) q", reply.text, re.MULTILINE)
        if page > 1 and not ids:
            break
        seen += ids

    expected = large.rows("SELECT number FROM measurement WHERE series = 1 AND superseded_event IS NULL")
    assert len(seen) == len(set(seen))
    assert sorted(seen) == sorted(f"m{number}" for (number,) in expected)


def test_full_sheet_of_the_largest_series_keeps_its_ceiling(large: Book) -> None:
    reply = large.reply("series", key=_key(0), full=True)

    assert size_of(reply.text) <= 640 * 1024


def test_full_sheet_over_the_ceiling_points_to_the_export(open_book: Callable[..., Book]) -> None:
    book = open_book()
    book.sweep()
    for _ in range(8):
        book("recipe", key=SWEEP, command=f"x{chr(7) * 15_000}x")

    text = book("series", key=SWEEP, full=True)

    assert size_of(text) <= 640 * 1024
    assert f"frugal-memory notebook export {SWEEP}" in text
