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
