"""Run the shell with `python -m frugal`."""

from frugal.cli import main

main()
