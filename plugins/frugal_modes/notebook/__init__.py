"""Lab notebook: measurement series whose criterion stands before their numbers."""

from frugal.api import ENTRY_SCHEMAS, Mode, Predecessor, SchemaFolder, Transfer, hookimpl
from frugal_modes.notebook.tools import TOOLS

NOTEBOOK = Mode(
    name="notebook",
    package="frugal_modes.notebook",
    file_name="messbuch.db",
    settings_prefix="MESSBUCH",
    flags=("--messbuch", "--notebook"),
    tools=TOOLS,
    schemas=(ENTRY_SCHEMAS[0], SchemaFolder("notebook", "frugal_modes.notebook")),
    upkeep="frugal_modes.notebook.upkeep:upkeep",
    transfer=Transfer(
        records="frugal_modes.notebook.transfer.records:records",
        load="frugal_modes.notebook.transfer.load:load",
        merge="frugal_modes.notebook.transfer.merge:merge",
        pages="frugal_modes.notebook.transfer.pages:pages",
    ),
    examine="frugal_modes.notebook.examine:examine",
    predecessor=Predecessor("reihe", "frugal_modes.notebook.takeover:take_over"),
    records_language=False,
)


@hookimpl
def frugal_modes() -> Mode:
    """Contribute the notebook mode."""
    return NOTEBOOK
