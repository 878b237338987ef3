"""A guest of an evidence file: four tools, a budget that is always on, and nothing about the owner's machine."""

import json
from pathlib import Path
from typing import Any

import pytest
from corpora import Bench, Opener, clause, message, messages
from shell_line import Line

from frugal_modes.evidence.budgets import GUEST_TOTAL_BYTES

QUERY = {"clauses": [clause("harbour")]}


@pytest.fixture
def owner(open_bench: Opener) -> Bench:
    bench = open_bench()
    bench.fill([message(n, f"the harbour {n}", conversation="dock") for n in range(3)], "dock")
    bench.fill([message(n, f"the harbour {n}", conversation="quay", sender="bob") for n in range(5)], "quay")
    return bench


def every_answer(guest: Bench) -> list[dict[str, Any]]:
    """Return an answer of every tool, and errors."""
    found = guest("discover_messages", query=QUERY, context=2)
    item = found["evidence"][0]["ref"]
    return [
        guest("measure_messages"),
        guest("measure_messages", query=QUERY),
        found,
        guest("sample_messages", query=QUERY, strategy="uniform"),
        guest("expand_message_context", query_ref=found["query_ref"], message_ref=item),
        guest.refused("export_messages", query=QUERY),
        guest.refused("measure_messages", query={"clauses": [{"match": "odd"}]}),
        guest.refused("measure_messages", query="/etc/passwd"),
    ]


def test_a_guest_has_four_tools_and_is_refused_the_fifth(owner: Bench, open_bench: Opener) -> None:
    guest = open_bench(is_guest=True)

    names = [tool.name for tool in guest.workspace.definitions()]
    refused = guest.refused("export_messages", query=QUERY)

    assert len(names) == 4
    assert "export_messages" not in names
    assert refused["code"] == "export_disabled"
    assert not (guest.workspace.settings.path.parent / "exports").exists()


def test_a_guests_investigation_has_a_budget_even_if_none_is_set(owner: Bench, open_bench: Opener) -> None:
    told = open_bench(is_guest=True)("measure_messages")

    spent = told["disclosure"]["response_bytes"]
    assert told["disclosure"]["total_left"] == GUEST_TOTAL_BYTES - spent


def test_a_budget_that_is_set_holds_for_a_guest(owner: Bench, open_bench: Opener) -> None:
    told = open_bench(is_guest=True, EVIDENCE_TOTAL_BYTES="50000")("measure_messages")

    assert told["disclosure"]["total_left"] == 50_000 - told["disclosure"]["response_bytes"]


def test_reading_as_a_guest_leaves_the_file_untouched(owner: Bench, open_bench: Opener) -> None:
    path = owner.workspace.settings.path
    owner.workspace.close()
    before = (path.stat().st_mtime_ns, path.read_bytes(), sorted(item.name for item in path.parent.iterdir()))

    every_answer(open_bench(is_guest=True))

    assert (
        path.stat().st_mtime_ns,
        path.read_bytes(),
        sorted(item.name for item in path.parent.iterdir()),
    ) == before


def test_nothing_about_the_owners_machine_leaves(owner: Bench, open_bench: Opener, tmp_path: Path) -> None:
    guest = open_bench(is_guest=True)

    told = json.dumps(every_answer(guest))

    assert str(tmp_path) not in told
    assert "source.jsonl" not in told
    assert tmp_path.name not in told


def test_corpora_in_view_limit_filters_tables_overview_and_context(owner: Bench, open_bench: Opener) -> None:
    guest = open_bench(is_guest=True, corpora=("quay",))

    answers = every_answer(guest)

    told = json.dumps(answers)
    assert "dock" not in told
    assert answers[1]["counts"]["messages"] == 5
    filtered = guest.measure(clause("harbour"), filters={"corpora": ["dock"]})
    assert filtered["counts"]["messages"] == 0
    named = guest.measure(clause("harbour"), filters={"conversation_ids": ["dock"]})
    assert named["counts"]["messages"] == 0


def test_a_corpus_that_is_not_there_is_named(owner: Bench, open_bench: Opener) -> None:
    guest = open_bench(is_guest=True, corpora=("nope",))

    told = guest.refused("measure_messages")

    assert told["code"] == "no_corpus"
    assert "nope" in told["detail"]
    assert "dock" not in told["detail"]


def test_a_missing_file_is_named_and_looked_for_again(open_bench: Opener, tmp_path: Path) -> None:
    guest = open_bench(is_guest=True)

    told = guest.refused("measure_messages")

    assert told["code"] == "no_corpus"
    assert str(tmp_path / "evidence.db") in told["detail"]
    open_bench().fill(messages(["harbour"]))
    assert guest("measure_messages")["messages"] == 1


@pytest.mark.parametrize("content", [None, b""], ids=["missing", "empty"])
def test_an_owner_without_messages_is_told_how_to_import(
    open_bench: Opener, tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "evidence.db"
    if content is not None:
        path.write_bytes(content)

    told = open_bench().refused("measure_messages", query=QUERY)

    assert told["code"] == "no_corpus"
    assert "evidence import" in told["detail"]
    assert path.exists() == (content is not None)


def test_a_damaged_file_is_told_to_a_guest_without_its_folder(open_bench: Opener, tmp_path: Path) -> None:
    (tmp_path / "evidence.db").write_bytes(b"no database at all" * 100)

    told = open_bench(is_guest=True).refused("measure_messages")

    assert told["code"] == "internal"
    assert str(tmp_path) not in json.dumps(told)


def test_a_path_that_leads_through_a_file_is_told_to_a_guest_without_its_folder(
    line: Line, tmp_path: Path
) -> None:
    (tmp_path / "week.txt").write_text("mine", "utf-8")

    told = line("measure", "--guest", EVIDENCE_DB=str(tmp_path / "week.txt" / "evidence.db"))

    assert told.code == 1
    assert "week.txt is a file, no folder" in told.err
    assert str(tmp_path) not in told.err
