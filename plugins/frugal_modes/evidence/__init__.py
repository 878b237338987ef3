"""Evidence: a large message corpus searched under byte budgets, honest about what it does not show."""

from frugal.api import Mode, ModeOption, SchemaFolder, hookimpl
from frugal_modes.evidence.tools import TOOLS

EVIDENCE = Mode(
    name="evidence",
    package="frugal_modes.evidence",
    file_name="evidence.db",
    settings_prefix="EVIDENCE",
    flags=("--evidence",),
    tools=TOOLS,
    schemas=(SchemaFolder("evidence", "frugal_modes.evidence"),),
    options=(ModeOption("corpus", is_many=True),),
    upkeep="frugal_modes.evidence.agreement:upkeep",
    examine="frugal_modes.evidence.agreement:examine",
    refuse="frugal_modes.evidence.desk:refuse",
    records_language=False,
)


@hookimpl
def frugal_modes() -> Mode:
    """Contribute the evidence mode."""
    return EVIDENCE
