"""With a person at a terminal: what asks is answered, Ctrl-C ends with 130."""

import contextlib
import os
import select
import signal
import struct
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")

ASKING = ["memory", "learned", "clear"]


@pytest.fixture
def at_terminal(line, heard_interruption):
    """Start a line with its streams on a terminal; return the process and the terminal's other end."""
    ends = []

    def start(*argv, columns=0):
        ours, theirs = pty.openpty()
        if columns:
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environ = {**os.environ, **line.environ("en")}
        environ.pop("COLUMNS", None)
        command = [sys.executable, "-m", "frugal", *argv]
        process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ)
        os.close(theirs)
        ends.append((process, ours))
        return process, ours

    yield start
    for process, ours in ends:
        process.kill()
        process.wait()
        os.close(ours)


def read_until(end, word):
    """Read from the terminal until *word* stands there."""
    seen = b""
    while word not in seen:
        part = os.read(end, 4096)
        assert part, seen
        seen += part
    return seen


@pytest.mark.parametrize(
    ("answer", "told"),
    [(b"y\n", b"Forgotten: 0."), (b"n\n", b"Nothing was changed"), (b"\n", b"Nothing was changed")],
)
def test_what_asks_is_done_only_if_it_is_meant(at_terminal, answer, told):
    process, end = at_terminal(*ASKING)

    read_until(end, b"(y/n)")
    os.write(end, answer)

    assert read_until(end, told)
    assert process.wait(timeout=30) == 1, "there was nothing to forget"


def interrupt(process, end):
    """Send Ctrl-C until something comes back: one that falls between the question and the read does not wake the read."""
    for _ in range(5):
        process.send_signal(signal.SIGINT)
        if select.select([end], [], [], 10)[0]:
            return


def test_interruption_ends_with_130_and_without_a_traceback(at_terminal):
    process, end = at_terminal(*ASKING)
    read_until(end, b"(y/n)")

    interrupt(process, end)

    assert b"Traceback" not in read_until(end, b"Interrupted.")
    assert process.wait(timeout=30) == 130


def read_all(end):
    """Read what the terminal is given until the program at its other side ends."""
    seen = b""
    with contextlib.suppress(OSError):  # how Linux tells that the other side is closed
        while part := os.read(end, 4096):
            seen += part
    return seen.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_help_keeps_to_the_width_of_the_terminal(at_terminal, columns):
    process, end = at_terminal("memory", "recall", "--help", columns=columns)

    told = read_all(end)

    process.wait()
    assert "--include-superseded" in told
    assert max(map(len, told.splitlines()[1:])) <= min(columns, 88)
