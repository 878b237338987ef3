"""How the tools and commands of this mode are declared: what several of them have in common is said here once."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from frugal.api import Access, Cap, Integer, Line, Parameter, Switch, Text, Tool
from frugal_modes.evidence.budgets import CAPS, LEAST_BYTES
from frugal_modes.evidence.queryform import OneOf, QueryObject, Words

PACKAGE = "frugal_modes.evidence"
UNLIMITED = Cap(1 << 40, 1 << 40)
"""Commands of the shell: nobody pays for their output by the token."""

LONGEST_REF = 40
LONGEST_PATH = 4_096
LONGEST_MOMENT = 80

CLAUSE_FLAGS = ("literal", "phrase", "prefix", "stem", "none")
FILTER_FLAGS = (
    "conversation",
    "conversation_type",
    "sender",
    "sender_type",
    "thread",
    "organization",
    "workspace",
)
MOMENT_FLAGS = ("since", "until", "timezone")


def line(name: str, most: int, **more: Any) -> Parameter:
    """Return a parameter that is a short text, absent if it is not given."""
    return Parameter(name, Line(most), **{"default": "", **more})


def switch(name: str, **more: Any) -> Parameter:
    """Return a parameter that is off unless it is given."""
    return Parameter(name, Switch(), default=False, **more)


def number(name: str, least: int, most: int, default: int) -> Parameter:
    """Return a parameter that is a number, with the default it declares."""
    return Parameter(name, Integer(least, most, default=default), default=default)


def choice(name: str, words: Sequence[str], default: str = "") -> Parameter:
    """Return a parameter that is one of *words*, with the default it declares."""
    return Parameter(name, OneOf(tuple(words), default=default), default=default)


def path(name: str, **more: Any) -> Parameter:
    """Return a parameter that names a file."""
    return Parameter(name, Text(LONGEST_PATH), default="", is_path=True, **more)


def words(name: str, **more: Any) -> Parameter:
    """Return a parameter that may be given several times."""
    return Parameter(name, Words(), default=(), **more)


def ref(name: str, **more: Any) -> Parameter:
    """Return a parameter that names a query or a message of an earlier answer."""
    return line(name, LONGEST_REF, **more)


QUERY = Parameter("query", QueryObject())
QUERY_REF = ref("query_ref")
SESSION = line("session", LONGEST_PATH, is_shell_only=True, is_path=True)
FLAGS = (
    *(words(name, is_shell_only=True, takes_words=name != "none") for name in CLAUSE_FLAGS),
    switch("any", is_shell_only=True),
    *(words(name, is_shell_only=True) for name in FILTER_FLAGS),
    *(line(name, LONGEST_MOMENT, is_shell_only=True) for name in MOMENT_FLAGS),
    SESSION,
)
"""What the shell has in place of a query object."""

FLAG_NAMES = tuple(parameter.name for parameter in FLAGS)


def answering(name: str, *parameters: Parameter, schema: str, **more: Any) -> Tool:
    """Return a tool whose answers are of *schema* and have the price of `CAPS`; it may be lowered in every call."""
    command = name.partition("_")[0]
    own, shell_only = _parted(parameters)
    max_bytes = Parameter("max_bytes", Integer(LEAST_BYTES, CAPS[name]), default=None)
    return Tool(
        name=name,
        command=command,
        run=f"{PACKAGE}.{command}:{name}",
        parameters=(*own, max_bytes, *shell_only),
        cap=_always(Cap(CAPS[name], CAPS[name])),
        gathers_problems=True,
        output_schema=f"{PACKAGE}.schemas:{schema}",
        **more,
    )


def asking(name: str, *parameters: Parameter, schema: str, **more: Any) -> Tool:
    """Return such a tool that is asked with a query or the ref of one; the shell spells a query with flags too."""
    return answering(name, QUERY, QUERY_REF, *parameters, *FLAGS, schema=schema, **more)


def command(name: str, run: str, *parameters: Parameter, **more: Any) -> Tool:
    """Return a command of the shell alone."""
    return Tool(
        name=f"evidence_{name}",
        command=name,
        run=f"{PACKAGE}.{run}",
        parameters=parameters,
        cap=_always(UNLIMITED),
        is_shell_only=True,
        **more,
    )


def changing(name: str, run: str, *parameters: Parameter, **more: Any) -> Tool:
    """Return a command of the shell alone that writes and may take something away."""
    return command(name, run, *parameters, access=Access.WRITES, is_destructive=True, **more)


def _parted(parameters: Sequence[Parameter]) -> tuple[list[Parameter], list[Parameter]]:
    offered = [parameter for parameter in parameters if not parameter.is_shell_only]
    return offered, [parameter for parameter in parameters if parameter.is_shell_only]


def _always(cap: Cap) -> Callable[[Mapping[str, Any]], Cap]:
    return lambda _arguments: cap
