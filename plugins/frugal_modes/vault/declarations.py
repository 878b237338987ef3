"""What the declarations of the vault's tools have in common, said once."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from frugal.api import Access, Cap, Line, Parameter, Switch, Tool
from frugal_modes.vault.writing_forms import SOURCE_CHARACTERS, TITLE_CHARACTERS, Body, OneLine

PACKAGE = "frugal_modes.vault"
KIB = 1024
PATH_CHARACTERS = 4_096


Capping = Callable[[Mapping[str, Any]], Cap]


def tool(name: str, run: str, *parameters: Parameter, cap: Cap | Capping, **more: Any) -> Tool:
    """Declare a tool; *run* is `module:function` of this package, *cap* one for every call or by its arguments."""
    capping = (lambda _arguments: cap) if isinstance(cap, Cap) else cap
    return Tool(name, f"{PACKAGE}.{run}", parameters, capping, **more)


writing = partial(tool, cap=Cap(2 * KIB, 2 * KIB), access=Access.WRITES)
"""Declare a tool that writes the vault."""
shell_only = partial(tool, cap=Cap(1 << 40, 1 << 40), is_shell_only=True)
"""Declare a command of the shell: nobody pays for its output by the token."""


def switch(name: str) -> Parameter:
    """Declare a switch that is off unless given."""
    return Parameter(name, Switch(), default=False)


def words(name: str, most: int) -> Parameter:
    """Declare a line of at most *most* characters, empty unless given."""
    return Parameter(name, Line(most), default="")


def path(name: str) -> Parameter:
    """Declare a line that names a file."""
    return Parameter(name, Line(PATH_CHARACTERS), default="", is_path=True)


def title(**more: Any) -> Parameter:
    """Declare the title of a card."""
    return Parameter("title", OneLine(TITLE_CHARACTERS), **more)


def body(**more: Any) -> Parameter:
    """Declare the text of a card; in the shell it may come through a pipe."""
    return Parameter("body", Body(), reads_stdin=True, **more)


def source(**more: Any) -> Parameter:
    """Declare who says what a card says; blank is as good as not given."""
    return Parameter("source", OneLine(SOURCE_CHARACTERS, is_blank_allowed=True), **more)
