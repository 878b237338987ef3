"""The three streams: UTF-8 whatever the code page, never an exception because of a character or a closed pipe."""

import io
import json
import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

from frugal.cli.outcome import DONE, USAGE
from frugal.errors import UsageError

STDIN = "-"
"""Typed for a text it is standard input, for a file to write standard output."""

BAR_CHARACTERS = 30
PATIENCE_S = 5

_OBEYED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\r(?!\n)"
)


def speak_utf8() -> None:
    """Switch the streams of this process to UTF-8; what cannot be shown is escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def read_stdin() -> str:
    """Return standard input exactly as it comes; raise `UsageError` with the position of a byte that is not UTF-8."""
    if sys.stdin is None:
        return ""
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError("stdin_not_utf8", position=error.start + 1) from None


def read_piped() -> str | None:
    """Return standard input if something is piped in, None at a terminal or without a stream.

    Raise `UsageError` if no byte comes within 5 s: a pipe that nobody writes to would be waited for without end.
    """
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty() or not _is_pipe_or_file():
        return None
    if sys.platform != "win32":
        import select

        ready, _, _ = select.select([sys.stdin], [], [], PATIENCE_S)
        if not ready:
            raise UsageError("stdin_silent", seconds=PATIENCE_S)
    return read_stdin()


def _is_pipe_or_file() -> bool:
    """Return whether standard input is something that text is sent through: no device such as /dev/null."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def confirm(question: str, *, yes: str) -> bool:
    """Ask on a terminal and return whether the answer begins with a letter of *yes*; elsewhere False at once."""
    if sys.stdin is None or sys.stderr is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write(question + " ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower()[:1] in tuple(yes)


def tell(line: str) -> None:
    """Write a line to stderr; nobody listening there is no failure."""
    try:
        _write(sys.stderr, line)
    except OSError:
        silence(sys.stderr)


def answer(text: str, *, exit_code: int) -> int:
    """Write *text* to stdout and return *exit_code*; 0 if the reader has closed the pipe, 2 if there is no room."""
    try:
        _write(sys.stdout, text)
    except BrokenPipeError:
        silence(sys.stdout)
        return DONE
    except OSError as error:
        silence(sys.stdout)
        tell(f"stdout: {error.strerror}")
        return USAGE
    return exit_code


def answer_json(found: Mapping[str, object], *, exit_code: int) -> int:
    """Write *found* as one line of JSON to stdout; as `answer`."""
    return answer(json.dumps(found, ensure_ascii=False), exit_code=exit_code)


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:  # started without this stream
        return
    shown = tame(text) if stream.isatty() else text
    stream.write(shown if shown.endswith("\n") else shown + "\n")
    stream.flush()


def tame(text: str) -> str:
    """Return *text* with `\\u001b` for what a terminal would obey: escapes, and signs that turn the direction.

    Lines and tabs stay. The form is that of JSON, so that an object shown on a terminal is still one.
    """
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def silence(stream: TextIO | None) -> None:
    """Let what is still buffered go nowhere: the interpreter flushes once more when it ends."""
    if stream is None:
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except OSError:
        pass


class Progress:
    """A bar on stderr, if stderr is a terminal; otherwise nothing."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._is_shown = sys.stderr is not None and sys.stderr.isatty()
        self._drawn = ""

    def __call__(self, done: int, total: int) -> None:
        """Draw *done* of *total*."""
        if not self._is_shown:
            return
        filled = BAR_CHARACTERS * done // max(total, 1)
        bar = "#" * filled + "." * (BAR_CHARACTERS - filled)
        drawn = f"\r{self._label} [{bar}] {done}/{total}"
        if drawn != self._drawn:
            sys.stderr.write(drawn)
            sys.stderr.flush()
            self._drawn = drawn

    def close(self) -> None:
        """Take the bar away."""
        if self._drawn:
            sys.stderr.write("\r" + " " * (len(self._drawn) - 1) + "\r")
            sys.stderr.flush()
            self._drawn = ""


@contextmanager
def shown_progress(label: str) -> Iterator[Progress]:
    """Yield a bar called *label* and take it away at the end."""
    progress = Progress(label)
    try:
        yield progress
    finally:
        progress.close()
