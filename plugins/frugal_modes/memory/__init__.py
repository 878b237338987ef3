"""Memory: the facts an assistant needs again."""

from frugal.api import ENTRY_PACKAGES, ENTRY_SCHEMAS, ENTRY_TOOLS, ENTRY_UPKEEP, EntryRules, Mode, hookimpl
from frugal_modes.memory.kinds import KINDS

MEMORY = Mode(
    name="memory",
    package="frugal_modes.memory",
    file_name="memory.db",
    settings_prefix="MEMORY",
    kinds=KINDS,
    tools=ENTRY_TOOLS,
    schemas=ENTRY_SCHEMAS,
    includes=ENTRY_PACKAGES,
    entry_rules=EntryRules(has_chronicle_notice=True),
    upkeep=ENTRY_UPKEEP,
)


@hookimpl
def frugal_modes() -> Mode:
    """Contribute the memory mode."""
    return MEMORY
