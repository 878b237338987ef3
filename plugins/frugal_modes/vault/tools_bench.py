"""bench, a command of the shell alone."""

from frugal.api import Line, Parameter, Switch, Tool
from frugal_modes.vault.tools_reading import unlimited

BENCH = Tool(
    name="vault_bench",
    command="bench",
    run="frugal_modes.vault.bench:bench",
    parameters=(
        Parameter("queries", Line(4_096), default=""),
        Parameter("save", Line(4_096), default=""),
        Parameter("baseline", Line(4_096), default=""),
        Parameter("allow_unresolved", Switch(), default=False),
    ),
    cap=unlimited,
    is_shell_only=True,
)

TOOLS = (BENCH,)
