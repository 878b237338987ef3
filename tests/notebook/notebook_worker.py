"""A process of its own that records values; it imports the engine without the protocol."""

import sys
from pathlib import Path

from frugal.call import Client
from frugal.engine import build_engine
from frugal.settings import Options, load_settings


def main(path: str, key: str, arm: str, count: int) -> int:
    """Record *count* values, one call each; create the series if nobody has. Return how many calls succeeded."""
    folder = str(Path(path).parent)
    environ = {"MEMORY_NAME": "box", "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
    engine = build_engine(load_settings(Options(db=path, lang="en"), environ))
    workspace = engine.open(engine.registry.mode("notebook"))
    created = workspace.call(Client(), "new_series", {"key": key, "question": "q?", "criterion": "c"})
    stored = 0
    for number in range(count):
        rows = f"acc | {number} | {arm} | {number}"
        stored += not workspace.call(Client(), "measurements", {"key": key, "rows": rows}).is_error
    workspace.close()
    assert "mcp" not in sys.modules
    print(int(not created.is_error), stored)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
