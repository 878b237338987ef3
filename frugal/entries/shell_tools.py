"""Commands over the same entries that no client of the protocol is offered: looking after learned questions, erasing."""

from collections.abc import Mapping
from typing import Any

from frugal.entries import caps
from frugal.entries.forms import Ids
from frugal.forms import Switch, Text
from frugal.model import Access, Cap, Parameter, Tool

QUESTION_CHARACTERS = 2_000
ERASED_AT_ONCE = 100


def _cap(_arguments: Mapping[str, Any]) -> Cap:
    return caps.SHELL


LEARNED = Tool(
    name="learned",
    run="frugal.entries.learned_list:learned_questions",
    parameters=(),
    cap=_cap,
    is_shell_only=True,
)
LEARNED_FORGET = Tool(
    name="learned_forget",
    run="frugal.entries.learned_list:forget_learned",
    parameters=(Parameter("what", Text(QUESTION_CHARACTERS), is_required=True),),
    cap=_cap,
    access=Access.WRITES,
    is_destructive=True,
    is_shell_only=True,
)
LEARNED_CLEAR = Tool(
    name="learned_clear",
    run="frugal.entries.learned_list:clear_learned",
    parameters=(Parameter("yes", Switch(), default=False),),
    cap=_cap,
    access=Access.WRITES,
    is_destructive=True,
    is_shell_only=True,
    asks="yes",
)
ERASE = Tool(
    name="erase",
    run="frugal.entries.erase:erase",
    parameters=(Parameter("ids", Ids(ERASED_AT_ONCE), is_required=True),),
    cap=_cap,
    access=Access.WRITES,
    is_destructive=True,
    is_shell_only=True,
)

SHELL_TOOLS = (LEARNED, LEARNED_FORGET, LEARNED_CLEAR, ERASE)
