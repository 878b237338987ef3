"""Standard input as a source: kept in a file as long as it is read, since telling a format takes a pass of its own."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from frugal.api import Refusal
from frugal_modes.evidence.importers.detection import Detected
from frugal_modes.evidence.importers.sources import Source, open_source

STDIN = "-"
NAME = "stdin"
"""How what came this way is called: the label of the corpus, the file of a reject."""

NAMED_BY_FILE = frozenset({"whatsapp"})
"""Formats whose conversations have the names of their files: two chats without one would become one."""


@contextmanager
def open_given(source: str) -> Iterator[Source]:
    """Give what *source* names, a path or `-`, as long as it is needed; raise `Refusal` for what may not be read."""
    if source != STDIN:
        with open_source(Path(source).expanduser()) as found:
            yield found
        return
    with TemporaryDirectory(prefix="frugal-", ignore_cleanup_errors=True) as folder:
        path = Path(folder, NAME)
        _keep(path)
        with open_source(path) as found:
            if found.is_archive:
                raise Refusal("import_stdin", value="zip")
            yield found


def _keep(path: Path) -> None:
    try:
        with path.open("xb") as file:
            if sys.stdin is not None:
                shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
    except OSError as error:
        raise Refusal("import_unreadable", path=NAME, reason=error.strerror or str(error)) from None


def check_given(source: str, detected: Detected) -> None:
    """Raise `Refusal` for a format that is not read from standard input."""
    if source == STDIN and detected.format in NAMED_BY_FILE:
        raise Refusal("import_stdin", value=detected.format)
