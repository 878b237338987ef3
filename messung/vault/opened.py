"""How many files below a folder a command opens, told by an audit hook in its own process.

This file is also a program: it sets the hook and then runs `frugal-memory` with the words behind its own two.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

OPENED = "opened.txt"


def count(words: Sequence[str], *, below: Path, environ: Mapping[str, str], folder: Path) -> int:
    """Return how many times `frugal-memory` with *words* opens a file below the folder *below*."""
    from messung.child import run_child

    told = folder / OPENED
    command = [sys.executable, str(Path(__file__).resolve()), str(told), str(below.resolve()), *words]
    run_child(command, environ=environ, folder=folder)
    return int(told.read_text("utf-8"))


def main(told: str, below: str, words: Sequence[str]) -> None:
    """Run `frugal-memory` with *words*, write into *told* how often a file below *below* was opened."""
    import atexit

    opened: list[str] = []

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | bytes):
            path = arguments[0] if isinstance(arguments[0], str) else arguments[0].decode("utf-8", "replace")
            if path.startswith(f"{below}/") or path.endswith(
                ".md"
            ):  # a name alone is relative to an open folder
                opened.append(path)

    sys.addaudithook(hook)
    atexit.register(lambda: Path(told).write_text(str(len(opened)), encoding="utf-8"))
    sys.argv[1:] = words
    from frugal.cli import main as run

    run()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
