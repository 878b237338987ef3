"""export_messages: a whole file or none, never through a link, paid for before it is written."""

import csv
import hashlib
import json
import os
import stat
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from corpora import START, Bench, Opener, clause, message, messages

from frugal_modes.evidence import export as export_module
from frugal_modes.evidence import exportfile
from frugal_modes.evidence.export import COLUMNS
from frugal_modes.evidence.ledger import Ledger

HARBOUR = {"clauses": [clause("harbour")]}


def export(bench: Bench, **arguments: Any) -> dict[str, Any]:
    """Export everything about the harbour."""
    return bench("export_messages", **{"query": HARBOUR, **arguments})


def files(folder: Path) -> set[str]:
    """Return the names in a folder, none if it is not there."""
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "exports"


@pytest.fixture
def filled(bench: Bench) -> Bench:
    bench.fill(
        [message(n, f"harbour {9 - n} =\u202e\n{'x' * 500}", sent_at=START + n % 3 * 1000) for n in range(9)]
    )
    return bench


def test_an_export_holds_every_message_in_order_with_what_it_says_of_itself(filled: Bench) -> None:
    told = export(filled)

    data = Path(told["path"]).read_bytes()
    rows = [json.loads(line) for line in data.splitlines()]
    assert told["rows"] == len(rows) == 9
    assert told["bytes"] == len(data)
    assert told["sha256"] == hashlib.sha256(data).hexdigest()
    ids = "".join(f"{row['ref']}\n" for row in rows)
    assert told["ids_sha256"] == hashlib.sha256(ids.encode()).hexdigest()
    assert [row["sent_at"] for row in rows] == sorted(row["sent_at"] for row in rows)
    assert tuple(rows[0]) == COLUMNS
    assert all("\u202e" in row["text"] for row in rows)


def test_the_manifest_says_what_was_asked_and_written(filled: Bench) -> None:
    told = export(filled)

    manifest = json.loads(Path(told["manifest"]).read_text("utf-8"))

    assert manifest["query"] == HARBOUR
    assert manifest["written_at"] == "2026-11-02 10:14:00"
    assert manifest["program"].startswith("frugal-memory ")
    for name in ("rows", "bytes", "sha256", "ids_sha256", "corpus_version"):
        assert manifest[name] == told[name]


def test_files_and_folder_are_the_owners_alone(filled: Bench, folder: Path) -> None:
    told = export(filled)

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(Path(told["path"]).stat().st_mode) == 0o600
    assert files(folder) == {Path(told["path"]).name, Path(told["manifest"]).name}


def test_the_same_content_again_changes_nothing(filled: Bench) -> None:
    first = export(filled)
    before = identities(first)

    again = export(filled, query={"clauses": [clause("HARBOUR")]})

    assert again["unchanged"] is True
    assert identities(first) == before


def identities(told: dict[str, Any]) -> list[tuple[int, int]]:
    """Return which files an export consists of, and when they were written."""
    found = [Path(told[name]).stat() for name in ("path", "manifest")]
    return [(each.st_ino, each.st_mtime_ns) for each in found]


def test_no_message_is_disclosed_by_an_export(filled: Bench) -> None:
    told = export(filled)

    ref = json.loads(Path(told["path"]).read_text("utf-8").splitlines()[0])["ref"]
    refused = filled.refused("expand_message_context", query_ref=told["query_ref"], message_ref=ref)
    assert refused["code"] == "not_disclosed"
    assert ref not in json.dumps(told)


def test_cells_that_a_spreadsheet_would_compute_are_quoted(bench: Bench) -> None:
    texts = ["=1+1 harbour", "+harbour", "-harbour", "@harbour", 'harbour, "quoted"\nand more']
    bench.fill(messages(texts))

    told = export(bench, format="csv")

    with Path(told["path"]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["text"] for row in rows] == [f"'{text}" for text in texts[:4]] + texts[4:]


def test_a_cell_with_a_bare_carriage_return_stays_one_row(bench: Bench) -> None:
    bench.fill(messages(["harbour one\rsecond line", "harbour two"]))

    told = export(bench, format="csv")

    with Path(told["path"]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["text"] for row in rows] == ["harbour one\rsecond line", "harbour two"]


def test_bytes_kept_for_the_reply_are_never_anothers(filled: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    export(filled)
    ledger = filled.workspace.process["evidence.ledger"]
    assert isinstance(ledger, Ledger)
    send = export_module._send
    others: list[Thread] = []

    def spend_everything() -> None:
        with ledger.turn():
            ((_, account),) = ledger.newest(9)
            ledger.charge(account, account.left)

    def send_beside_another(*arguments: Any) -> Any:
        others.append(Thread(target=spend_everything))
        others[0].start()
        others[0].join(0.2)
        return send(*arguments)

    monkeypatch.setattr(export_module, "_send", send_beside_another)

    told = export(filled)

    others[0].join()
    assert told["rows"] == 9


@pytest.mark.parametrize("name", ["path", "manifest"])
def test_a_link_at_the_target_is_refused_and_left_alone(filled: Bench, tmp_path: Path, name: str) -> None:
    told = export(filled)
    victim = tmp_path / "victim"
    victim.write_text("precious", "utf-8")
    Path(told[name]).unlink()
    Path(told[name]).symlink_to(victim)

    refused = filled.refused("export_messages", query=HARBOUR)

    assert refused["code"] == "unsafe_target"
    assert victim.read_text("utf-8") == "precious"
    assert Path(told[name]).is_symlink()


def test_a_folder_that_is_a_link_is_refused(open_bench: Opener, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    bench = open_bench(EVIDENCE_EXPORT_DIR=str(tmp_path / "link"))
    bench.fill(messages(["harbour"]))

    refused = bench.refused("export_messages", query=HARBOUR)

    assert refused["code"] == "unsafe_target"
    assert files(tmp_path / "real") == set()


def test_a_folder_that_everybody_may_write_to_is_refused(open_bench: Opener, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    bench = open_bench(EVIDENCE_EXPORT_DIR=str(shared))
    bench.fill(messages(["harbour"]))

    assert bench.refused("export_messages", query=HARBOUR)["code"] == "unsafe_target"


def test_without_budget_for_the_reply_nothing_is_written(filled: Bench, folder: Path) -> None:
    filled.workspace.process["evidence.ledger"] = Ledger("key", total_cap=900)

    refused = filled.refused("export_messages", query=HARBOUR)

    assert refused["code"] == "total_budget_exhausted"
    assert files(folder) == set()


def test_an_account_without_room_for_the_reply_writes_nothing(filled: Bench, folder: Path) -> None:
    filled.measure(clause("harbour"))
    ledger: Any = filled.workspace.process["evidence.ledger"]
    ((_, account),) = ledger.newest(1)
    account.spent = 48 * 1024 - 800

    assert filled.refused("export_messages", query=HARBOUR)["code"] == "query_budget_exhausted"
    assert files(folder) == set()
    assert account.reserved == ledger.reserved == 0


@pytest.mark.parametrize("most", [100, 5_000], ids=["known before", "found out while writing"])
def test_an_export_beyond_its_limit_leaves_the_older_file(
    open_bench: Opener, folder: Path, most: int
) -> None:
    bench = open_bench()
    bench.fill([message(n, f"harbour {n} {'x' * 500}") for n in range(9)])
    told = export(bench)
    before = Path(told["path"]).read_bytes()
    small = open_bench(EVIDENCE_EXPORT_BYTES=str(most))

    refused = small.refused("export_messages", query=HARBOUR)

    assert refused["code"] == "export_too_large"
    assert Path(told["path"]).read_bytes() == before
    assert len(files(folder)) == 2


def test_a_full_disk_is_told_before_anything_is_written(
    filled: Bench, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exportfile.Folder, "free_bytes", 17)

    refused = filled.refused("export_messages", query=HARBOUR)

    assert refused["code"] == "no_space"
    assert files(folder) == set()


def test_a_failing_write_leaves_nothing_behind(
    filled: Bench, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)

    refused = filled.refused("export_messages", query=HARBOUR)

    assert refused["code"] == "no_space"
    assert files(folder) == set()


def test_an_empty_population_is_an_empty_file(filled: Bench) -> None:
    told = export(filled, query={"clauses": [clause("unicorn")]})

    assert (told["rows"], told["bytes"]) == (0, 0)
    assert Path(told["path"]).read_bytes() == b""


def test_another_version_of_the_corpus_is_another_file(filled: Bench, folder: Path) -> None:
    first = export(filled)
    filled.fill([message(77, "harbour at last")])

    second = export(filled)

    assert first["path"] != second["path"]
    assert second["warnings"] == [{"code": "corpus_changed"}]
    assert len(files(folder)) == 4
