"""A healthy store is called so, and being looked at changes nothing."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from clinic import Clinic, fill

STATES = {"ok", "note", "warn", "fail"}
OF_A_FILE = {
    "file",
    "owner",
    "permissions",
    "space",
    "integrity",
    "foreign_keys",
    "layout",
    "index",
    "language",
    "backup",
}
AROUND = {"sqlite", "fts5", "python", "plugin", "setting", "skill", "fact_check"}


def test_healthy_store_is_called_healthy_with_exit_0(clinic: Clinic) -> None:
    told = clinic()

    assert (told.code, told.is_ok, told.worst()) == (0, True, [])
    assert {item.id for item in told.items if item.mode == "memory"} >= OF_A_FILE
    assert {item.id for item in told.items if not item.mode} >= AROUND
    assert {item.state for item in told.items} <= STATES
    assert told.one("index").text == "index: agrees with 4 texts; 4 recomputed"
    assert sum(told.counts.values()) == len(told.items)


def test_text_says_that_nothing_is_wrong(clinic: Clinic) -> None:
    code, out, err = clinic.line("doctor")

    assert (code, err) == (0, "")
    assert "Nothing wrong" in out.splitlines()[-1]
    assert out.splitlines()[0] == "memory"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_line_has_a_state_in_the_language_of_the_reader(clinic: Clinic, lang: str) -> None:
    words = {"en": ("ok", "note"), "de": ("gut", "Hinweis")}[lang]

    _, out, _ = clinic.line("doctor", MEMORY_LANG=lang)

    lines = [line for line in out.splitlines() if line.startswith("  ") and not line.startswith("   ")]
    assert len(lines) > 20
    assert {line.split()[0] for line in lines} == set(words)


def test_nothing_is_written(clinic: Clinic) -> None:
    before = clinic.traces()

    clinic()

    assert clinic.traces() == before


def test_nothing_is_written_beside_a_server_that_has_the_file_open(clinic: Clinic) -> None:
    from frugal.call import Client
    from frugal.engine import build_engine
    from frugal.settings import Options, load_settings

    engine = build_engine(load_settings(Options(), clinic.environ()))
    workspace = engine.open(engine.registry.mode("memory"))
    workspace.call(Client(), "remember", {"text": "Still in the log.", "tags": "shop"})
    before = clinic.file.read_bytes(), clinic.file.stat().st_mtime_ns

    told = clinic()

    assert told.code == 0
    assert told.one("index").text.startswith("index: agrees with 5 texts")
    assert (clinic.file.read_bytes(), clinic.file.stat().st_mtime_ns) == before
    workspace.close()


def test_file_that_is_not_there_is_a_note_and_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = Clinic(tmp_path / "empty", capsys)

    told = place()

    assert (told.code, told.one("file").state) == (0, "note")
    assert not place.folder.exists()


def test_without_a_flag_every_file_that_exists_is_examined(clinic: Clinic) -> None:
    fill(clinic.environ(), ["Study, arXiv:2301.01234"], mode="archive")

    assert {item.mode for item in clinic().items} == {"memory", "archive", ""}
    assert {item.mode for item in clinic("--archive").items} == {"archive", ""}
    assert {item.mode for item in clinic("--db", str(clinic.file)).items} == {"memory", ""}


def test_processes_that_have_the_file_open_are_named(clinic: Clinic) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("processes are listed on Linux only")
    code = "import sys; file = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    reader = subprocess.Popen(
        [sys.executable, "-c", code, str(clinic.file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert reader.stdout is not None
    reader.stdout.readline()

    told = clinic()

    reader.communicate(b"")
    assert (told.code, told.one("processes").state) == (0, "note")
    assert f"{reader.pid} (" in told.one("processes").text


def test_newest_backup_is_named(clinic: Clinic) -> None:
    assert clinic().one("backup").hint == "frugal-memory backup"
    code, _, err = clinic.line("backup")
    assert code == 0, err

    told = clinic()

    assert told.one("backup").state == "ok"
    assert "backups" in told.one("backup").text


def test_doctor_imports_neither_sdk_nor_async_modules(clinic: Clinic) -> None:
    code = (
        "import os, sys; from frugal.cli.root import run; code = run(['doctor'], environ=dict(os.environ));"
        "print(sorted({'mcp', 'pydantic', 'asyncio', 'http'} & set(sys.modules)), code)"
    )
    environ = {**clinic.environ(), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, encoding="utf-8", check=False
    )

    assert done.stdout.splitlines()[-1] == "[] 0", done.stderr


def test_mode_bits_of_a_new_file_are_private(clinic: Clinic) -> None:
    assert stat.S_IMODE(clinic.file.stat().st_mode) == 0o600
    assert clinic().one("permissions").state == "ok"


def test_hint_about_a_file_named_by_db_means_that_file(clinic: Clinic) -> None:
    other = clinic.folder / "other one.db"
    fill(clinic.environ(), ["A fact."], db=str(other))

    assert clinic("--db", str(other)).one("backup").hint == f"frugal-memory backup --db '{other}'"
