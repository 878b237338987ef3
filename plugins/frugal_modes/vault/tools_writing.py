"""The tools that write the vault: capture, update, supersede, delete; in the shell restore and purge too."""

from collections.abc import Mapping
from typing import Any

from frugal.api import Access, Cap, Parameter, Switch, Tool
from frugal_modes.vault.writing_forms import (
    SOURCE_CHARACTERS,
    SUFFIX,
    TITLE_CHARACTERS,
    Age,
    Body,
    KindName,
    OneLine,
    Policy,
    Priority,
    Reference,
    TagList,
    Ttl,
)

PACKAGE = "frugal_modes.vault"
CAP = Cap(2 * 1024, 2 * 1024)
UNLIMITED = Cap(1 << 40, 1 << 40)
"""Commands of the shell: nobody pays for their output by the token."""


def _cap(_arguments: Mapping[str, Any]) -> Cap:
    return CAP


def _unlimited(_arguments: Mapping[str, Any]) -> Cap:
    return UNLIMITED


TITLE = Parameter("title", OneLine(TITLE_CHARACTERS), is_required=True, is_option=True, default="")
BODY = Parameter("body", Body(), is_required=True, is_option=True, default="", reads_stdin=True)
KIND = Parameter("kind", KindName(), default="")
TAGS = Parameter("tags", TagList(), default=())
SOURCE = Parameter("source", OneLine(SOURCE_CHARACTERS, is_blank_allowed=True), default="")
REJECT_SECRETS = Parameter("reject_secrets", Switch(), default=False)

CAPTURE = Tool(
    name="memory_capture",
    command="capture",
    run=f"{PACKAGE}.capture:capture",
    parameters=(
        TITLE,
        BODY,
        KIND,
        TAGS,
        SOURCE,
        Parameter("on_conflict", Policy(), default=SUFFIX),
        REJECT_SECRETS,
    ),
    cap=_cap,
    access=Access.WRITES,
    gathers_problems=True,
)
UPDATE = Tool(
    name="memory_update",
    command="update",
    run=f"{PACKAGE}.update:update",
    parameters=(
        Parameter("id", Reference(), is_required=True, default=""),
        Parameter("title", OneLine(TITLE_CHARACTERS)),
        Parameter("body", Body(), reads_stdin=True),
        Parameter("tags", TagList()),
        Parameter("priority", Priority()),
        Parameter("ttl", Ttl()),
        Parameter("source", OneLine(SOURCE_CHARACTERS, is_blank_allowed=True)),
        Parameter("kind", KindName(), default="", is_shell_only=True),
        Parameter("revive", Switch(), default=False),
        REJECT_SECRETS,
    ),
    cap=_cap,
    access=Access.WRITES,
    gathers_problems=True,
)
SUPERSEDE = Tool(
    name="memory_supersede",
    command="supersede",
    run=f"{PACKAGE}.supersede:supersede",
    parameters=(
        Parameter("old_id", Reference(), is_required=True, default=""),
        TITLE,
        BODY,
        KIND,
        TAGS,
        SOURCE,
        REJECT_SECRETS,
    ),
    cap=_cap,
    access=Access.WRITES,
    gathers_problems=True,
)
DELETE = Tool(
    name="memory_delete",
    command="delete",
    run=f"{PACKAGE}.delete:delete",
    parameters=(
        Parameter("id", Reference(), is_required=True, default=""),
        Parameter("undo", Switch(), default=False),
    ),
    cap=_cap,
    access=Access.WRITES,
    is_destructive=True,
)
RESTORE = Tool(
    name="vault_restore",
    command="restore",
    run=f"{PACKAGE}.restore:restore",
    parameters=(
        Parameter("which", Reference(), is_required=True, default=""),
        Parameter("force", Switch(), default=False),
    ),
    cap=_unlimited,
    access=Access.WRITES,
    is_shell_only=True,
)
PURGE = Tool(
    name="vault_purge",
    command="purge",
    run=f"{PACKAGE}.purge:purge",
    parameters=(
        Parameter("which", OneLine(4_096, is_blank_allowed=True), default="", is_positional=True),
        Parameter("older_than", Age(), default=""),
        Parameter("all", Switch(), default=False),
        Parameter("yes", Switch(), default=False),
    ),
    cap=_unlimited,
    access=Access.WRITES,
    is_destructive=True,
    is_shell_only=True,
    asks="yes",
    asks_unless="which",
)

TOOLS = (CAPTURE, UPDATE, SUPERSEDE, DELETE, RESTORE, PURGE)
