"""The shell. Nothing is imported before it is needed: `--help` has a tenth of a second to live."""

import sys


def main() -> None:
    """Run `frugal-memory`."""
    from frugal.cli.root import run

    sys.exit(run(sys.argv[1:]))
