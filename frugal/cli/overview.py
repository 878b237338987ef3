"""What the root tells about the program: its help and its version."""

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import frugal
from frugal.cli.command import Section
from frugal.cli.outcome import Outcome
from frugal.cli.session import VALUE_OPTIONS, Session
from frugal.strings import Catalogue, load_catalogue

if TYPE_CHECKING:
    import click

    from frugal.model import Mode


def version() -> Outcome:
    """Return the versions of the program, of Python and of SQLite."""
    from frugal.store import SQLITE_VERSION

    python = ".".join(map(str, sys.version_info[:3]))
    text = f"frugal-memory {frugal.__version__} (Python {python}, SQLite {SQLITE_VERSION})"
    return Outcome(text, counts={"version": frugal.__version__, "python": python, "sqlite": SQLITE_VERSION})


def sections(
    session: Session, operations: Sequence[str], plugged: Mapping[str, "click.Command"]
) -> tuple[Section, ...]:
    """Return the blocks of the root's help: modes by flag, options, operations, mode groups."""
    text = session.text
    modes = session.registry().modes
    lines = {mode.name: summary(mode, session.catalogue.language) for mode in modes}
    flags = [(", ".join(mode.flags), lines[mode.name]) for mode in modes if mode.flags]
    options = [
        (f"--{key} {text(f'cli.options.{key}.value')}", text(f"cli.options.{key}.help"))
        for key in VALUE_OPTIONS
    ]
    options += [(f"--{key}", text(f"cli.options.{key}.help")) for key in ("json", "version", "help")]
    options.append((f"--http {text('cli.options.http.value')}", text("cli.options.http.help")))
    commands = [(name, text(f"cli.commands.{name}.summary")) for name in operations]
    commands += [(name, command.get_short_help_str()) for name, command in plugged.items()]
    groups = [(mode.name, lines[mode.name]) for mode in modes if not mode.is_wrapper]
    found = [
        Section(text("cli.headings.modes", default=session.registry().default().name), tuple(flags)),
        Section(text("cli.headings.options"), tuple(options)),
        Section(text("cli.headings.commands"), tuple(commands)),
        Section(text("cli.headings.groups"), tuple(groups)),
    ]
    return tuple(section for section in found if section.rows)


def summary(mode: "Mode", language: str) -> str:
    """Return the one line that says what *mode* is for; its name if it has none."""
    return summary_in(load_catalogue(language, [mode.package]), mode)


def summary_in(catalogue: Catalogue, mode: "Mode") -> str:
    """Return the one line of *mode* from its own catalogue."""
    return catalogue.text("summary") if catalogue.has("summary") else mode.name
