"""Memory: the facts an assistant needs again."""

from frugal.api import EntryRules, Mode, entry_mode, hookimpl
from frugal_modes.memory.kinds import KINDS

MEMORY = entry_mode(
    Mode(
        name="memory",
        package="frugal_modes.memory",
        file_name="memory.db",
        settings_prefix="MEMORY",
        kinds=KINDS,
        entry_rules=EntryRules(has_chronicle_notice=True),
    )
)


@hookimpl
def frugal_modes() -> Mode:
    """Contribute the memory mode."""
    return MEMORY
