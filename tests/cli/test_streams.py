"""Streams of real processes: UTF-8 whatever the code page, a closed pipe, no terminal, no server by accident."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = "Müllers Käse – 连接池 🧀"
PLACES = [
    {"PYTHONIOENCODING": "cp1252"},
    {"LC_ALL": "C"},
    {"LC_ALL": "C", "PYTHONUTF8": "0"},
    {"LC_ALL": "POSIX"},
]


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_any_code_page_takes_and_gives_utf8(line, place):
    stored = line.process("memory", "remember", "-", stdin=TEXT.encode(), **place)
    shown = line.process("memory", "show", "1", **place)
    argument = line.process("memory", "recall", "Käse 连接池", "--json", **place)

    assert stored.code == 0, stored.err
    assert TEXT in shown.out
    assert json.loads(argument.out)["total"] == 1


def test_half_a_surrogate_pair_is_escaped_not_raised(line):
    told = line.process("memory", "recall", b"\xed\xa0\x80", "--json", PYTHONIOENCODING="ascii")

    assert told.code == 2
    assert json.loads(told.out)["error"]["code"] == "argument_not_utf8"


def test_closed_pipe_ends_quietly_with_0(line):
    for number in range(40):
        line("memory", "remember", f"fact {number} " + "x" * 3_000)
    environ = {**os.environ, **line.environ("en")}
    reading, writing = os.pipe()
    os.close(reading)

    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "frugal", "memory", "show", "1-40", "--full"],
            stdout=closed,
            stderr=subprocess.PIPE,
            env=environ,
            timeout=60,
            check=False,
        )

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_full_device_on_stdout_is_exit_2_in_words(line):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "frugal", "--version"],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, **line.environ("en")},
            timeout=60,
            check=False,
        )

    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert done.stderr.startswith(b"stdout: ")


def test_missing_streams_are_no_failure(line):
    command = f'"{sys.executable}" -m frugal memory topics <&- >&- 2>&-'

    done = subprocess.run(
        command, shell=True, env={**os.environ, **line.environ("en")}, timeout=60, check=False
    )

    assert done.returncode in (0, 1)


def test_results_go_to_stdout_and_everything_else_to_stderr(line):
    told = line.process("memory", "recall", "x", MEMORY_LANG="xx")

    assert "xx" in told.err
    assert "xx" not in told.out


def test_unknown_flag_is_exit_2_never_a_server(line):
    told = line.process("--geust")

    assert told.code == 2
    assert told.out == ""


def test_server_starts_without_a_command_and_with_serve(line):
    for argv in ([], ["serve"]):
        told = line.process(*argv)

        assert told.code == 0
        assert told.out == ""
        assert str(line.file) in told.err
        assert not line.file.exists()


def test_older_script_names_start_their_commands(line, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("A paragraph that is long enough to stand alone.", encoding="utf-8")
    code = "import sys; from frugal.cli import main_import; sys.argv = sys.argv[:1] + {}; main_import()"

    done = subprocess.run(
        [sys.executable, "-c", code.format(["--trocken", "--mit-index", str(folder)])],
        capture_output=True,
        env={**os.environ, **line.environ("de")},
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "Probelauf" in done.stdout.decode()
    assert not line.file.exists()
