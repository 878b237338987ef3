"""Failures from outside: each comes as an answer with its code, and leaves files as they were."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from corpora import Bench, Opener, clause, message, unlike

from frugal_modes.evidence import exportfile

HARBOUR = {"clauses": [clause("harbour")]}


@pytest.fixture
def filled(bench: Bench) -> Bench:
    bench.fill([message(0, "harbour")])
    return bench


def test_a_file_of_a_newer_version_is_told(filled: Bench, open_bench: Opener) -> None:
    with filled.workspace.store.write() as db:
        db.execute("INSERT INTO ledger VALUES ('evidence', '9999_later', '2030-01-01 00:00:00', '99')")
    filled.workspace.close()

    told = open_bench().refused("measure_messages")

    assert (told["code"], told["retryable"]) == ("corpus_newer_version", False)


@pytest.mark.skipif(os.name == "nt", reason="has no lock of a folder")
def test_an_export_beside_another_is_told_to_come_again(
    filled: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exportfile, "WAIT_S", -1.0)
    with exportfile.opened_folder(tmp_path / "exports"):
        told = filled.refused("export_messages", query=HARBOUR)

    assert (told["code"], told["retryable"]) == ("busy", True)
    assert filled("export_messages", query=HARBOUR)["rows"] == 1


def test_a_write_that_fails_is_told_and_its_reserve_given_back(
    filled: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    left = filled("measure_messages", query=HARBOUR)["disclosure"]["query_left"]
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        told = filled.refused("export_messages", query=HARBOUR)

    assert told["code"] == "write_failed"
    assert told["query_left"] == left
    assert list((tmp_path / "exports").iterdir()) == []


def test_what_the_investigation_has_left_makes_an_answer_smaller_and_says_so(open_bench: Opener) -> None:
    bench = open_bench(EVIDENCE_TOTAL_BYTES="4000")
    bench.fill([message(number, f"harbour {unlike(number)}") for number in range(9)])

    told: dict[str, Any] = bench("discover_messages", query=HARBOUR)

    assert "total_budget" in told["stop_reasons"]
    assert told["omitted"]["over_bytes"] > 0
    assert told["disclosure"]["response_bytes"] <= 4000


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "is missing: give one of uniform, across_time"), ("de", "fehlt: eines von uniform, across_time")],
)
def test_a_missing_choice_is_told_with_what_there_is_to_choose(
    open_bench: Opener, language: str, said: str
) -> None:
    bench = open_bench(language=language)
    bench.fill([message(0, "harbour")])

    told = bench.refused("sample_messages", query=HARBOUR)

    assert said in told["detail"]
    assert (told["code"], told["field"]) == ("bad_argument", "strategy")


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "literal finds whole words"), ("de", "literal findet ganze Wörter")],
)
@pytest.mark.parametrize("given", [{"match": "word"}, {"match": ["stem"]}, {"match": ""}, {}])
def test_a_kind_of_match_that_is_none_is_told_with_what_each_kind_finds(
    open_bench: Opener, language: str, said: str, given: dict[str, object]
) -> None:
    bench = open_bench(language=language)
    bench.fill([message(0, "harbour")])

    told = bench.refused("measure_messages", query={"clauses": [{"text": "harbour", **given}]})

    assert said in told["detail"]
    assert (told["code"], told["field"]) == ("bad_query", "query.clauses[0].match")


@pytest.mark.parametrize(("language", "said"), [("en", "not words"), ("de", "keine Wörter")])
def test_words_in_place_of_a_query_are_refused_with_an_example(
    open_bench: Opener, language: str, said: str
) -> None:
    bench = open_bench(language=language)
    bench.fill([message(0, "harbour")])

    told = bench.refused("measure_messages", query="harbour")

    assert said in told["detail"]
    assert '{"clauses": [{"match"' in told["detail"]
    assert told["code"] == "bad_query"


def test_a_ref_of_another_process_is_refused_with_the_way_to_those_of_this_one(filled: Bench) -> None:
    told = filled.refused("discover_messages", query_ref="q-abc")

    assert told["next_action"]["why"] == "see which queries are open"
