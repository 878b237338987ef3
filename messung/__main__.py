"""`python -m messung <what>`: measure, and write a report into `messung/results/`."""

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from messung import ablation, check, cost, evidence, languages, learned, notes, report, search, similar, speed
from messung.datasets import data_folder
from messung.systems import COMPARED, SYSTEMS
from messung.unavailable import NotAvailable
from messung.vault import indexing

MEASUREMENTS = {
    "search": search.run,
    "ablation": ablation.run,
    "notes": notes.run,
    "cost": cost.run,
    "languages": languages.run,
    "check": check.run,
    "speed": speed.run,
    "evidence": evidence.run,
    "vault": indexing.run,
    "similar": similar.run,
    "learned": learned.run,
}

WITHOUT_DATA = {"evidence"}
"""Measurements that make all their data themselves."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m messung", description=__doc__)
    parser.add_argument("what", choices=[*MEASUREMENTS, "all"])
    parser.add_argument("--data", metavar="DIR", help="folder of the public data (default: FRUGAL_DATA)")
    parser.add_argument("--out", metavar="DIR", help="folder of the reports (default: messung/results)")
    parser.add_argument("--quick", action="store_true", help="ask fewer questions, fill smaller stores")
    parser.add_argument("--systems", nargs="+", choices=list(SYSTEMS), default=list(COMPARED), metavar="NAME")
    return parser


def _command(chosen: argparse.Namespace, what: str) -> str:
    """Return the command that gives the report of *what* again, without paths of this machine."""
    words = ["python -m messung", what]
    if chosen.quick:
        words.append("--quick")
    if chosen.systems != list(COMPARED):
        words += ["--systems", *chosen.systems]
    return " ".join(words)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen measurements; 0 if every report was written, 2 if the data is missing."""
    chosen = _parser().parse_args(arguments)
    default = report.RESULTS / "quick" if chosen.quick else report.RESULTS
    out = Path(chosen.out) if chosen.out else default
    names = list(MEASUREMENTS) if chosen.what == "all" else [chosen.what]
    try:
        folder = Path() if set(names) <= WITHOUT_DATA else data_folder(chosen.data)
        for name in names:
            path = MEASUREMENTS[name](
                folder,
                chosen.systems,
                out=out,
                is_quick=chosen.quick,
                command=_command(chosen, name),
                today=date.today(),
            )
            print(f"written: {path.name}")
    except NotAvailable as reason:
        print(reason, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
