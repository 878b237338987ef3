"""What a stored text may do to a terminal: nothing. Into a pipe it goes as it is."""

import json
import os
import pty
import select
import subprocess
import sys

import pytest

from frugal.cli.console import tame

HOSTILE = "red \x1b[31m, title \x1b]0;x\x07, \x9b2J, back\rwards, \u202ecba\u202c, \u2066x\u2069, \x7f"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ü 连接池 🚀\ttab\nline\r\nline", "plain ü 连接池 🚀\ttab\nline\r\nline"),
        ("\x1b[2J", r"\u001b[2J"),
        ("\x9b2J\x07", r"\u009b2J\u0007"),
        ("a\rb", r"a\u000db"),
        ("\u202eabc\u2066", r"\u202eabc\u2066"),
        ("👩\u200d🚀", "👩\u200d🚀"),
    ],
)
def test_signs_that_a_terminal_obeys_are_spelled(text, shown):
    assert tame(text) == shown


def test_object_shown_on_a_terminal_is_still_one():
    assert json.loads(tame(json.dumps({"text": HOSTILE}, ensure_ascii=False))) == {"text": HOSTILE}


def line(folder, *argv, **more):
    environ = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "FRUGAL_MEMORY_NO_PLUGINS": "1"}
    command = [sys.executable, "-m", "frugal", *argv]
    return subprocess.Popen(command, env={**os.environ, **environ}, stdin=subprocess.DEVNULL, **more)


def from_terminal(folder, *argv):
    """Return what a terminal gets to see of a line."""
    master, slave = pty.openpty()
    with line(folder, *argv, stdout=slave, stderr=slave) as process:
        os.close(slave)
        seen = b""
        while select.select([master], [], [], 30)[0]:
            try:
                data = os.read(master, 65_536)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            seen += data
        assert process.wait(30) == 0
    os.close(master)
    return seen.decode("utf-8")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_stored_text_cannot_steer_a_terminal_and_a_pipe_gets_every_byte(tmp_path):
    with line(
        tmp_path, "memory", "remember", HOSTILE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.communicate()

    seen = from_terminal(tmp_path, "memory", "show", "1", "--full")
    with line(
        tmp_path, "memory", "show", "1", "--full", stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        piped = process.communicate()[0].decode("utf-8")

    assert "\x1b" not in seen
    assert "\u202e" not in seen
    assert r"\u001b[31m" in seen
    assert HOSTILE in piped
