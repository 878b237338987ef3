"""The tools that write the vault: capture, update, supersede, delete; in the shell restore and purge too."""

from frugal.api import Access, Parameter
from frugal_modes.vault.declarations import (
    PATH_CHARACTERS,
    body,
    shell_only,
    source,
    switch,
    title,
    writing,
)
from frugal_modes.vault.writing_forms import (
    SUFFIX,
    Age,
    KindName,
    OneLine,
    Policy,
    Priority,
    Reference,
    TagList,
    Ttl,
)


def _card(name: str) -> Parameter:
    return Parameter(name, Reference(), is_required=True, default="")


NEW_CARD = (
    title(is_required=True, is_option=True, default=""),
    body(is_required=True, is_option=True, default=""),
    Parameter("kind", KindName(), default=""),
    Parameter("tags", TagList(), default=()),
    source(default=""),
)
"""What a new card is made of."""

CAPTURE = writing(
    "memory_capture",
    "capture:capture",
    *NEW_CARD,
    Parameter("on_conflict", Policy(), default=SUFFIX),
    switch("reject_secrets"),
    command="capture",
    gathers_problems=True,
)
UPDATE = writing(
    "memory_update",
    "update:update",
    _card("id"),
    title(),
    body(),
    Parameter("tags", TagList()),
    Parameter("priority", Priority()),
    Parameter("ttl", Ttl()),
    source(),
    Parameter("kind", KindName(), default="", is_shell_only=True),
    switch("revive"),
    switch("reject_secrets"),
    command="update",
    gathers_problems=True,
)
SUPERSEDE = writing(
    "memory_supersede",
    "supersede:supersede",
    _card("old_id"),
    *NEW_CARD,
    switch("reject_secrets"),
    command="supersede",
    gathers_problems=True,
)
DELETE = writing(
    "memory_delete", "delete:delete", _card("id"), switch("undo"), command="delete", is_destructive=True
)
RESTORE = shell_only(
    "vault_restore",
    "restore:restore",
    _card("which"),
    switch("force"),
    command="restore",
    access=Access.WRITES,
)
PURGE = shell_only(
    "vault_purge",
    "purge:purge",
    Parameter("which", OneLine(PATH_CHARACTERS, is_blank_allowed=True), default="", is_positional=True),
    Parameter("older_than", Age(), default=""),
    switch("all"),
    switch("yes"),
    command="purge",
    access=Access.WRITES,
    is_destructive=True,
    asks="yes",
    asks_unless="which",
)

TOOLS = (CAPTURE, UPDATE, SUPERSEDE, DELETE, RESTORE, PURGE)
