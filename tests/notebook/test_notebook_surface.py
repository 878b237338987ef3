"""What a client is offered: names, sizes, texts in both languages, the guest's view."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from mcp_types import ListToolsResult

from frugal.server.edge import as_tool
from frugal.strings import read_texts
from frugal_modes.notebook import NOTEBOOK
from tests.notebook.conftest import SWEEP, Book

PACKAGE = Path(__file__).parents[2] / "plugins" / "frugal_modes" / "notebook"
ENGLISH = read_texts(PACKAGE / "languages" / "en.toml")
GERMAN = read_texts(PACKAGE / "languages" / "de.toml")
FIELD = re.compile(r"\{(\w+)\}")

NAMES = {
    "series": ("series", "reihen"),
    "new_series": ("new_series", "reihe_anlegen"),
    "edit_series": ("edit_series", "reihe_aendern"),
    "recipe": ("recipe", "rezept"),
    "measurements": ("measurements", "messwerte"),
    "result": ("result", "ergebnis"),
}


def _tools(book: Book) -> list[object]:
    return [as_tool(item) for item in book.shell.workspace.definitions()]


def test_six_tools_have_their_names_in_order(book: Book) -> None:
    expected = [pair[book.language == "de"] for pair in NAMES.values()]

    assert [item.name for item in book.shell.workspace.definitions()] == expected


def test_tool_list_takes_at_most_seven_kibibytes(book: Book) -> None:
    result = ListToolsResult(tools=_tools(book))

    assert len(result.model_dump_json(by_alias=True, exclude_none=True).encode()) <= 7_168


def test_instructions_have_at_most_600_characters_and_guests_get_none(open_book: Callable[..., Book]) -> None:
    for language in ("en", "de"):
        assert 0 < len(open_book(language).shell.workspace.instructions) < 600
    assert open_book("en", is_guest=True).shell.workspace.instructions == ""


def test_only_series_reads_and_no_tool_destroys(book: Book) -> None:
    for item in book.shell.workspace.definitions():
        assert item.is_read_only == (item.name in NAMES["series"])
        assert not item.is_destructive


def test_every_parameter_has_a_description(book: Book) -> None:
    for item in book.shell.workspace.definitions():
        for name, schema in item.input_schema["properties"].items():
            assert schema["description"], (item.name, name)


def test_both_languages_have_the_same_keys_with_the_same_fields() -> None:
    assert list(ENGLISH) == list(GERMAN)
    for key, text in ENGLISH.items():
        assert set(FIELD.findall(text)) == set(FIELD.findall(GERMAN[key])), key


def test_every_text_that_the_code_asks_for_exists() -> None:
    asked = re.compile(r"""(?:\.text\(\s*|Refusal\(\s*|Conflict\(\s*|UsageError\(\s*)"([a-z_.]+)\"""")
    engine = read_texts(PACKAGE.parents[2] / "frugal" / "languages" / "en.toml")
    known = {**engine, **ENGLISH}

    for file in PACKAGE.glob("*.py"):
        for key in asked.findall(file.read_text("utf-8")):
            assert key in known or f"errors.{key}" in known, (file.name, key)


def _scenario(book: Book) -> list[str]:
    """Return answers to calls of every kind."""
    answers = [book("series"), book.sweep(builds_on="x/y"), book.sweep("vision/next", criterion="")]
    answers.append(book("recipe", key=SWEEP, command="c", arm="A"))
    answers.append(book("measurements", key=SWEEP, rows="acc | 0.9 | A\nacc | q | A\nacc | 1,650 | A"))
    answers.append(book("measurements", key=SWEEP, rows="acc | 0.9 | A", supersedes="m1"))
    answers.append(book("edit_series", key=SWEEP, criterion="d", reason="r", note="t", status="paused"))
    answers.append(book("result", key=SWEEP, verdict="met", conclusion="f"))
    answers.append(book("edit_series", key=SWEEP, superseded_by="next"))
    answers += [book("series"), book("series", all=True), book("series", all=True, table=True)]
    answers += [
        book("series", key=SWEEP),
        book("series", key=SWEEP, full=True),
        book("series", key=SWEEP, table=True),
    ]
    answers += [book("series", search="acc"), book("series", search="zzz"), book("series_plot", key=SWEEP)]
    answers += [book.refused("series", key="nope"), book.refused("edit_series", key=SWEEP, status="q")]
    answers += [
        book("row_erase", row="m2", field=book.word("value", "wert")),
        book("series_stats", key=SWEEP),
    ]
    answers.append(book("series_export", key="*"))
    return answers


GERMAN_WORDS = re.compile(
    r"\b(und|oder|nicht|kein\w*|für|von|jetzt|schon|Reihe\w*|Messwert\w*|Kriterium|Urteil|Frage|Verlauf|ersetzt|angelegt"
    r"|laeuft|ruht|ausgewertet|abgeloest|geplant|erfuellt|Zeiten|begonnen|bewegt|Größe|Mittel)\b"
)
ENGLISH_WORDS = re.compile(
    r"\b(and|or|not|no|for|of|now|already|values?|criterion|verdict|question|history|superseded|created|running|paused"
    r"|evaluated|planned|met|times|started|moved|mean|unit|which|with)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize(("language", "foreign"), [("en", GERMAN_WORDS), ("de", ENGLISH_WORDS)])
def test_no_word_of_the_other_language_is_in_any_line_of_ours(
    open_book: Callable[..., Book], language: str, foreign: re.Pattern[str]
) -> None:
    book = open_book(language)

    for answer in _scenario(book):
        own = answer.replace("Which learning rate wins?", "").replace("B beats A by 1 %", "")
        assert not foreign.search(own), (foreign.search(own), own)


def test_history_is_shown_in_the_readers_language_whatever_wrote_it(open_book: Callable[..., Book]) -> None:
    german, english = open_book("de"), open_book("en")
    german.sweep()
    german("edit_series", key=SWEEP, status="running")

    assert "status planned -> running" in english("series", key=SWEEP)
    assert "Status geplant -> laeuft" in german("series", key=SWEEP)
    assert german.rows("SELECT details FROM event WHERE type = 'status'") == [
        ('{"from":"planned","to":"running"}',)
    ]


def test_file_without_a_set_language_speaks_english(open_book: Callable[..., Book]) -> None:
    open_book("de").sweep()

    assert open_book("").language == "en"


def test_guest_is_offered_series_alone(open_book: Callable[..., Book]) -> None:
    guest = open_book("en", is_guest=True)

    assert [item.name for item in guest.shell.workspace.definitions()] == ["series"]


def test_guest_is_refused_every_writing_tool_by_name(open_book: Callable[..., Book]) -> None:
    open_book().sweep()
    guest = open_book("en", is_guest=True)

    for tool in (
        "new_series",
        "edit_series",
        "recipe",
        "measurements",
        "result",
        "series_stats",
        "row_erase",
    ):
        name = ENGLISH[f"tools.{tool}.name"]
        reply = guest.shell.workspace.call(guest.shell.client, name, {})
        assert reply.is_error
        assert name in reply.text


def test_guest_sees_named_row_ids_and_leaves_the_file_as_it_is(open_book: Callable[..., Book]) -> None:
    owner = open_book("en", MESSBUCH_NAME="lab")
    owner.sweep()
    owner("recipe", key=SWEEP, command="x")
    owner("measurements", key=SWEEP, rows="acc | 1\nacc | 2")
    owner("measurements", key=SWEEP, rows="acc | 3", supersedes="m1")
    owner.shell.workspace.close()
    before = (hashlib.sha256(owner.path.read_bytes()).hexdigest(), owner.path.stat().st_mtime_ns)
    guest = open_book("en", is_guest=True, MESSBUCH_NAME="lab")

    sheet = guest("series", key=SWEEP, full=True)
    for arguments in ({}, {"key": SWEEP}, {"search": "acc"}, {"table": True}, {"key": SWEEP, "table": True}):
        guest("series", **arguments)

    assert "lab#m2 acc | 2" in sheet
    assert "lab#r1 " in sheet
    assert "superseded by lab#m3" in sheet
    assert "lab#" not in owner("series", key=SWEEP, full=True)
    owner.shell.workspace.close()
    assert (hashlib.sha256(owner.path.read_bytes()).hexdigest(), owner.path.stat().st_mtime_ns) == before


def test_named_row_ids_are_taken_back_by_the_owner(open_book: Callable[..., Book]) -> None:
    owner = open_book("en", MESSBUCH_NAME="lab")
    owner.sweep()
    owner("measurements", key=SWEEP, rows="acc | 1\nacc | 2")

    owner("measurements", key=SWEEP, rows="acc | 3", supersedes="lab#m1-lab#m2")

    assert owner.rows("SELECT count(*) FROM measurement WHERE superseded_event IS NOT NULL") == [(2,)]


def test_guest_without_a_file_is_refused_in_words_and_makes_none(open_book: Callable[..., Book]) -> None:
    guest = open_book("en", is_guest=True)

    refusal = guest.refused("series")

    assert str(guest.path) in refusal
    assert not guest.path.exists()


def test_mode_is_reached_by_both_flags_and_has_a_file_of_its_own() -> None:
    assert NOTEBOOK.flags == ("--messbuch", "--notebook")
    assert (NOTEBOOK.file_name, NOTEBOOK.settings_prefix) == ("messbuch.db", "MESSBUCH")
