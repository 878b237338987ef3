"""plot, export, erase, stats, upkeep: the commands that only the shell has."""

import csv
import io
import sqlite3
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.settings import Options, load_settings
from frugal_modes.notebook import NOTEBOOK
from frugal_modes.notebook.drawing import draw_picture
from frugal_modes.notebook.lines import unquoted
from frugal_modes.notebook.plot import Picture, Point, Words
from frugal_modes.notebook.textplot import text_plot, width_of
from frugal_modes.notebook.upkeep import upkeep
from tests.notebook.conftest import SWEEP, Book
from tests.notebook.test_notebook_machine import Shell

pytestmark = pytest.mark.usefixtures("utc")

SVG = "{http://www.w3.org/2000/svg}"


def _measured(book: Book) -> None:
    book.sweep()
    rows = "\n".join(f"acc | {90 + number}.5 % | arm {number % 2} | {number}" for number in range(6))
    book(
        "measurements",
        key=SWEEP,
        rows=f"{rows}\nacc | 0.9 | arm 0\nacc | ~91 % | arm 0\nloss | 3",
        source="run.log",
    )


def test_text_plot_shows_the_quantity_with_the_most_numbers(book: Book) -> None:
    _measured(book)

    answer = book("series_plot", key="lr-sweep", width=72)

    assert answer.splitlines()[0] == f"acc [%], {SWEEP}"
    assert answer.splitlines()[1] == book.word(
        "6 values; 2 not drawn: 1 in other units, 1 no exact number",
        "6 Werte; 2 nicht gezeichnet: 1 in anderen Einheiten, 1 ohne genaue Zahl",
    )
    assert "arm 0" in answer
    assert "92.5 (n=3)" in answer


def test_text_plot_in_ascii_is_ascii(book: Book) -> None:
    _measured(book)

    assert book("series_plot", key=SWEEP, ascii=True).isascii()
    assert book("series_plot", key=SWEEP, ascii=True, kind="order").isascii()


def test_nothing_numeric_ends_with_one(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="acc | good")

    for arguments in ({}, {"quantity": "loss"}):
        reply = book.reply("series_plot", key=SWEEP, **arguments)
        assert reply.error.exit_code == 1
        assert SWEEP in reply.text


def test_other_endings_and_missing_folders_end_with_two(book: Book, tmp_path: Path) -> None:
    _measured(book)

    for out in (tmp_path / "a.pdf", tmp_path / "none" / "a.svg"):
        assert book.reply("series_plot", key=SWEEP, out=str(out)).error.exit_code == 2


def test_existing_file_is_left_alone_unless_forced(book: Book, tmp_path: Path) -> None:
    _measured(book)
    target = tmp_path / "plot.svg"
    target.write_text("mine", "utf-8")

    reply = book.reply("series_plot", key=SWEEP, out=str(target))

    assert reply.error.exit_code == 3
    assert book.word("--force ", "--ueberschreiben ") in reply.text
    assert target.read_text("utf-8") == "mine"
    book("series_plot", key=SWEEP, out=str(target), force=True)
    assert "<svg" in target.read_text("utf-8")


def test_missing_extra_ends_with_two_and_the_install_line(
    book: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _measured(book)
    monkeypatch.delitem(sys.modules, "frugal_modes.notebook.drawing", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    reply = book.reply("series_plot", key=SWEEP, out=str(tmp_path / "plot.svg"))

    assert reply.error.exit_code == 2
    assert "frugal-memory[plot]" in reply.text
    assert not (tmp_path / "plot.svg").exists()


@pytest.mark.parametrize("kind", ["arms", "order"])
def test_svg_has_the_same_bytes_for_the_same_data_and_titles_each_point(
    book: Book, tmp_path: Path, kind: str
) -> None:
    _measured(book)
    first, second = tmp_path / "1.svg", tmp_path / "2.svg"

    book("series_plot", key=SWEEP, kind=kind, out=str(first))
    book("series_plot", key=SWEEP, kind=kind, out=str(second))

    assert first.read_bytes() == second.read_bytes()
    titles = [title.text for title in ET.parse(first).iter(f"{SVG}title")]
    assert sorted(titles) == [f"m{number}" for number in range(1, 7)]


def test_plot_with_the_suffix_of_a_png_is_a_png(book: Book, tmp_path: Path) -> None:
    _measured(book)

    book("series_plot", key=SWEEP, out=str(tmp_path / "plot.PNG"))

    assert (tmp_path / "plot.PNG").read_bytes().startswith(b"\x89PNG")


HOSTILE = [
    "<script>alert(1)</script>",
    "$\\frac{",
    "a & b --> c",
    "学习率 \x01\x1b[0m",
    "\u202eabc",
    "x" * 300,
    "]]>",
]


@pytest.mark.parametrize("kind", ["arms", "order"])
def test_hostile_texts_give_an_svg_without_script_or_outside_reference(kind: str) -> None:
    points = tuple(Point(place + 1, arm, float(place), place + 1) for place, arm in enumerate(HOSTILE))
    picture = Picture("k", HOSTILE[0], "$x", points, tuple(HOSTILE), 0, 0)
    words = Words(HOSTILE[1], (HOSTILE[2],), HOSTILE[3], "arm", "order", "point", "mean", "-")

    svg = draw_picture(picture, words, kind=kind, form="svg")

    root = ET.fromstring(svg)
    assert not list(root.iter(f"{SVG}script"))
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert not name.endswith("href") or value.startswith("#")
    assert b"<!DOCTYPE" not in svg
    assert b"<metadata" not in svg


ARMS = st.lists(st.text(max_size=30), min_size=1, max_size=40, unique=True)


@given(
    arms=ARMS,
    values=st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=40),
    columns=st.integers(40, 120),
    kind=st.sampled_from(["arms", "order"]),
    is_ascii=st.booleans(),
)
def test_text_plot_is_never_wider_than_asked_for(
    arms: list[str], values: list[float], columns: int, kind: str, is_ascii: bool
) -> None:
    points = tuple(
        Point(place, arms[place % len(arms)], value, place + 1) for place, value in enumerate(values)
    )
    drawn = tuple(dict.fromkeys(point.arm for point in points))
    picture = Picture("k/学", "学 " * 60, "", points, drawn, 0, 0)
    words = Words("学习" * 60, ("n" * 200,), "v", "arm", "order " * 40, "p" * 200, "m", "-")

    lines = text_plot(picture, words, kind=kind, columns=columns, is_ascii=is_ascii).splitlines()

    assert max(width_of(line) for line in lines) <= columns


def test_markdown_export_is_the_full_sheet_in_utc(book: Book) -> None:
    _measured(book)
    book("measurements", key=SWEEP, rows="acc | 99 % | arm 0", supersedes="m1")

    text = book("series_export", key=SWEEP)

    assert text.startswith(f"# {SWEEP} [")
    assert "UTC)" in text
    note = book.text("sheet.superseded_by", by="m10", stamp="2026-11-02 10:14")
    assert f"- m1 acc | 90.5 % | arm 0 | 0 {{{note}}}\n" in text


def test_csv_export_has_one_line_a_measurement_superseded_ones_too(book: Book) -> None:
    _measured(book)
    book("measurements", key=SWEEP, rows="acc | 99 % | arm 0", supersedes="m1")

    text = book.reply("series_export", key=SWEEP, format="csv").text

    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == 10
    assert rows[0] | {} == {
        "series": SWEEP,
        "id": "m1",
        "quantity": "acc",
        "value": "90.5 %",
        "number": "90.5",
        "unit": "%",
        "qualifier": "",
        "spread": "",
        "k": "",
        "of": "",
        "arm": "arm 0",
        "seed": "0",
        "n": "",
        "source": "run.log",
        "recorded_utc": "2026-11-02 10:14",
        "superseded_by": "m10",
        "superseded_utc": "2026-11-02 10:14",
    }
    assert text.count("\r\n") == 11


def test_excel_export_has_a_byte_order_mark_and_disarms_formulas(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="=cmd() | @x\nplain | -5")

    text = book.reply("series_export", key=SWEEP, format="csv", excel=True).text

    assert text.startswith("\ufeffseries,")
    assert "'=cmd(),'@x," in text
    assert "plain,-5,-5," in text
    book.refused("series_export", key=SWEEP, excel=True)


def test_pattern_exports_one_file_or_one_each_into_a_folder(book: Book, tmp_path: Path) -> None:
    book.sweep("a/one")
    book.sweep("a/two")
    folder = tmp_path / "out"
    folder.mkdir()

    book("series_export", key="a/*", out=str(tmp_path / "all.md"))
    book("series_export", key="a/*", out=str(folder))

    assert (tmp_path / "all.md").read_text("utf-8").count("\n# a/") == 1
    assert sorted(path.name for path in folder.iterdir()) == ["a__one.md", "a__two.md"]
    assert book.reply("series_export", key="a/*", out=str(folder)).error.exit_code == 3


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60)


@settings(max_examples=25)
@given(
    texts=st.lists(
        TEXT.filter(lambda text: text.strip() and "#" not in text and "[" not in text), min_size=3, max_size=3
    )
)
def test_every_recorded_text_reads_back_from_full_and_markdown(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    question, command, conclusion = texts
    book = _quick_book(tmp_path_factory.mktemp("readback"))
    book.sweep(question=question, criterion="")
    book("recipe", key=SWEEP, command=command)
    book("result", key=SWEEP, verdict="observation", conclusion=conclusion)

    for answer in (book("series", key=SWEEP, full=True), book("series_export", key=SWEEP)):
        assert f"Question: {question.strip()}\n" in unquoted(answer)
        assert f"command: {command.strip()}\n" in unquoted(answer)
        assert f"observation: {conclusion.strip()}\n" in unquoted(answer)
    book.shell.workspace.close()


def _quick_book(folder: Path) -> Book:
    from frugal.engine import build_engine

    environ = {"MEMORY_NAME": "box", "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    environ["MEMORY_SECRETS"] = "off"
    options = Options(db=str(folder / "m.db"), lang="en")
    engine = build_engine(load_settings(options, environ), modes=[NOTEBOOK])
    return Book(Shell(engine.open(NOTEBOOK)), folder / "m.db")


def test_upkeep_mends_numbers_and_index_once(book: Book) -> None:
    _measured(book)
    book.shell.workspace.close()
    db = sqlite3.connect(book.path)
    db.execute("UPDATE measurement SET value_number = 7, reading = 0 WHERE number = 2")
    db.execute("UPDATE indexed SET digest = x'00'")
    db.commit()
    db.close()
    call = book.shell.workspace.new_call(book.shell.client)

    dry = upkeep(call, is_dry_run=True)
    first, second = upkeep(call), upkeep(call)

    assert [item["count"] for item in dry.items] == [1, 1]
    assert [item["count"] for item in first.items] == [1, 1]
    assert [item["count"] for item in second.items] == [0, 0]
    assert book.rows("SELECT value_number FROM measurement WHERE number = 2") == [(91.5,)]
