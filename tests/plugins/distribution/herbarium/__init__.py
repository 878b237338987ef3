"""Herbarium: pressed plants and where they were found."""

from frugal.api import Access, Cap, Integer, Line, Mode, Parameter, SchemaFolder, Tool, hookimpl
from herbarium.kinds import KINDS, KindOfPlant

PRESS = Tool(
    name="press",
    run="herbarium.tools:press",
    parameters=(
        Parameter("plant", Line(120), is_required=True),
        Parameter("kind", KindOfPlant()),
        Parameter("place", Line(120), default=""),
    ),
    cap=lambda arguments: Cap(400, 1600),
    access=Access.WRITES,
    is_idempotent=False,
)
LEAF = Tool(
    name="leaf_through",
    run="herbarium.tools:leaf_through",
    parameters=(
        Parameter("limit", Integer(1, 50, default=10), default=10),
        Parameter("kind", KindOfPlant()),
    ),
    cap=lambda arguments: Cap(100 + 300 * arguments["limit"], 300 + 1200 * arguments["limit"]),
    is_for_guests=True,
)

HERBARIUM = Mode(
    name="herbarium",
    package="herbarium",
    file_name="herbarium.db",
    settings_prefix="HERBARIUM",
    flags=("--herbarium", "--pflanzen"),
    kinds=KINDS,
    tools=(PRESS, LEAF),
    schemas=(SchemaFolder("herbarium", "herbarium"),),
)


@hookimpl
def frugal_modes() -> Mode:
    """Contribute the herbarium."""
    return HERBARIUM
