"""Archive: literature shared by all projects, each source recognised by its id."""

from frugal.api import EntryRules, Mode, SchemaFolder, entry_mode, hookimpl
from frugal_modes.archive.kinds import KINDS

ARCHIVE = entry_mode(
    Mode(
        name="archive",
        package="frugal_modes.archive",
        file_name="archive.db",
        settings_prefix="ARCHIVE",
        flags=("--archive", "--archiv"),
        kinds=KINDS,
        schemas=(SchemaFolder("archive", "frugal_modes.archive"),),
        names=("archive", "archiv"),
        entry_rules=EntryRules(
            long_characters=3_000,
            store_hook="frugal_modes.archive.notices:note_sources",
            hint_hook="frugal_modes.archive.notices:source_lines",
            erase_hook="frugal_modes.archive.notices:forget_sources",
            query_hook="frugal_modes.archive.notices:entries_named",
            derive_hook="frugal_modes.archive.notices:derive_sources",
        ),
    )
)


@hookimpl
def frugal_modes() -> Mode:
    """Contribute the archive mode."""
    return ARCHIVE
