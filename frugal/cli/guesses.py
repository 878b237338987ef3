"""Words that other programs have for what a mode does: a line with one of them is told the command that is meant."""

from collections.abc import Mapping

from frugal.model import Mode, Tool
from frugal.shellwords import command_name
from frugal.strings import Catalogue, nearest

_ASK = ("recall", "search", "discover", "series")
_LIST = ("topics", "series", "stats", "corpora")
_STORE = ("remember", "capture", "import", "new_series")
_HIDE = ("forget", "delete")
_READ = ("show", "series")
GUESSES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("search", "find", "query", "recall"), _ASK),
    **dict.fromkeys(("list", "ls", "tags"), _LIST),
    **dict.fromkeys(("add", "store", "save", "new", "remember"), _STORE),
    **dict.fromkeys(("delete", "remove", "rm"), _HIDE),
    **dict.fromkeys(("get", "read", "cat"), _READ),
}
"""A word and the commands it may mean, English; the first that a mode has counts."""

HELP = "help"


def meant(mode: Mode, word: str, catalogue: Catalogue) -> str:
    """Return what *word* means among the commands of *mode*: by its sense, else by its looks; "" if nothing is near.

    What cannot be taken back is never suggested for a slip.
    """
    if word == HELP:
        return "--help"
    if guessed := guess(mode, word, catalogue):
        return guessed
    safe = [tool for tool in mode.tools if not (tool.is_destructive and tool.is_shell_only)]
    return nearest(word, [command_name(tool, catalogue, mode) for tool in safe])


def guess(mode: Mode, word: str, catalogue: Catalogue) -> str:
    """Return the command of *mode* that other programs call *word*, "" if there is none."""
    for name in GUESSES.get(word, ()):
        for tool in mode.tools:
            if name in _names(tool):
                return command_name(tool, catalogue, mode)
    return ""


def _names(tool: Tool) -> tuple[str, str]:
    return tool.name, tool.command
