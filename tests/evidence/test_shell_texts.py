"""What the shell says in words: counts with their nouns, warnings, time, refusals that name the way on."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from corpora import Bench, message
from shell_line import Line

from frugal_modes.evidence.session import kept_ledger


@pytest.fixture
def owner(bench: Bench) -> Bench:
    bench.fill([message(0, "the harbour is closed", sender="ann", sender_type="client")])
    return bench


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "1 message, 1 occurrence, 1 thread, 1 conversation, 1 sender."),
        ("de", "1 Nachricht, 1 Vorkommen, 1 Strang, 1 Gespräch, 1 Absender."),
    ],
)
def test_one_of_a_thing_is_told_in_the_singular(owner: Bench, line: Line, language: str, said: str) -> None:
    assert said in line("measure", "--literal", "harbour", "--lang", language).out


@pytest.mark.parametrize(
    ("language", "dropped", "checked"),
    [
        ("en", "with its 1 message.", "1 message of 1 corpus"),
        ("de", "mit 1 Nachricht.", "1 Nachricht aus 1 Korpus"),
    ],
)
def test_commands_of_the_owner_count_in_the_singular_too(
    owner: Bench, line: Line, language: str, dropped: str, checked: str
) -> None:
    assert checked in line("check", "--lang", language).out
    assert dropped in line("drop", "main", "--yes", "--lang", language).out


def test_a_corpus_is_listed_with_what_its_figures_mean(owner: Bench, line: Line) -> None:
    told = line("corpora").out

    assert re.match(r"main  1 message, 2026-\S+ \.\. 2026-\S+; jsonl from test, imported 20", told)


@pytest.mark.parametrize(
    ("language", "said"), [("en", "1 value of sender_types"), ("de", "1 Wert bei sender_types")]
)
def test_a_filter_that_nobody_passes_is_told_in_words(
    owner: Bench, line: Line, language: str, said: str
) -> None:
    assert said in line("measure", "--sender-type", "boss", "--lang", language).out


def test_a_change_of_the_corpus_is_told_in_words(owner: Bench, line: Line) -> None:
    line("measure", "--literal", "harbour", "--session", "case.json")
    owner.fill([message(1, "the harbour is open")])

    assert "The corpus has changed" in line("measure", "--literal", "harbour", "--session", "case.json").out


@pytest.mark.parametrize(
    ("language", "said"), [("en", "per hour from 2026-01-01T"), ("de", "je Stunde ab 2026-01-01T")]
)
def test_counts_over_time_name_their_unit(owner: Bench, line: Line, language: str, said: str) -> None:
    owner.fill([message(2, "the harbour is open")])

    assert said in line("measure", "--literal", "harbour", "--lang", language).out


def test_what_is_left_is_told_of_the_query_and_of_everything(owner: Bench, line: Line) -> None:
    free = line("measure", "--literal", "harbour").out
    limited = line("measure", "--literal", "harbour", EVIDENCE_TOTAL_BYTES="9000").out

    assert re.search(r"left: \d+ for this query\n", free)
    assert re.search(r"left: \d+ for this query, \d+ in all\n", limited)
    line("measure", "--session", "case.json")
    assert "no limit" in line("budget", "--session", "case.json").out


@pytest.mark.parametrize(
    "command", [("budget",), ("expand", "m-abc", "--query-ref", "q-abc"), ("measure", "--query-ref", "q-abc")]
)
def test_a_session_that_was_never_begun_is_not_made_by_asking_of_it(
    owner: Bench, line: Line, tmp_path: Path, command: tuple[str, ...]
) -> None:
    told = line(*command, "--session", "typo.json")

    assert told.code == 2
    assert "typo.json" in told.err
    assert not list(tmp_path.rglob("typo.json"))


@pytest.mark.parametrize(
    "command",
    [
        ("measure", "--literal", "!"),
        ("discover", "--literal", "harbour", "--limit", "0"),
        ("sample", "--literal", "harbour", "--strategy", "none"),
        ("export", "--query", "missing.json"),
        ("measure", "--literal", "harbour", "--db", "missing.db"),
    ],
    ids=lambda command: command[0],
)
def test_a_refused_call_begins_no_session(
    owner: Bench, line: Line, tmp_path: Path, command: tuple[str, ...]
) -> None:
    told = line(*command, "--session", "case.json")

    assert told.code != 0
    assert not list(tmp_path.rglob("case.json"))


def test_a_refused_call_is_paid_by_a_session_that_was_begun(owner: Bench, line: Line, tmp_path: Path) -> None:
    line("measure", "--literal", "harbour", "--session", "case.json")
    before = next(tmp_path.rglob("case.json")).read_bytes()

    line("measure", "--literal", "!", "--session", "case.json")

    assert next(tmp_path.rglob("case.json")).read_bytes() != before


def test_a_command_that_waited_for_a_session_begun_in_vain_begins_it(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    waiting = threading.Event()

    def begin() -> None:
        waiting.set()
        with kept_ledger(path, key="k", total_cap=None) as ledger:
            ledger.charge(None, 7)

    with ThreadPoolExecutor(1) as pool:
        with kept_ledger(path, key="k", total_cap=None):
            second = pool.submit(begin)
            waiting.wait()
        second.result()

    with kept_ledger(path, key="k", total_cap=None, is_reading=True) as ledger:
        assert ledger.total == 7


def test_a_session_that_is_looked_at_stays_byte_for_byte(owner: Bench, line: Line, tmp_path: Path) -> None:
    line("measure", "--literal", "harbour", "--session", "case.json")
    session = next(tmp_path.rglob("case.json"))
    before = session.read_bytes(), session.stat().st_mtime_ns

    assert line("budget", "--session", "case.json").code == 0
    assert (session.read_bytes(), session.stat().st_mtime_ns) == before


@pytest.mark.parametrize(
    "command", [("measure", "--query-ref", "q-abc"), ("discover", "--query-ref", "q-abc")]
)
def test_a_ref_without_a_session_is_refused_with_the_option(
    owner: Bench, line: Line, command: tuple[str, ...]
) -> None:
    told = line(*command)

    assert told.code == 2
    assert "--session" in told.err


def test_a_command_without_a_query_names_the_flags(owner: Bench, line: Line) -> None:
    told = line("discover")

    assert told.code == 2
    assert "--stem" in told.err
    assert line("sample", "--strategy", "uniform", "--query", "{}").code == 0


def test_a_file_that_is_no_session_is_named_without_the_words_of_a_library(owner: Bench, line: Line) -> None:
    line("measure", "--literal", "harbour", "--session", "case.json")
    told = line("budget", "--session", "evidence.db")

    assert told.code == 2
    assert "evidence.db is no session file" in told.err
    assert "Error" not in told.err
