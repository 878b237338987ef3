"""demo: a short show of the memory in a temporary folder."""

import io
import sys

from frugal.cli.command import Command, Values
from frugal.cli.outcome import Outcome
from frugal.cli.session import Session


def build(session: Session) -> Command:
    """Return the command."""
    return Command(session, "demo", demo, description=session.text("cli.commands.demo.help"))


def demo(session: Session, _values: Values) -> Outcome:
    """Run the demo; it writes as it goes, with `--json` its text is kept for the envelope."""
    import frugal.demo

    language = session.language()
    if not session.is_json:
        return Outcome(exit_code=frugal.demo.run(sys.stdout, language=language), is_told=True)
    written = io.StringIO()
    code = frugal.demo.run(written, language=language)
    return Outcome(written.getvalue(), exit_code=code)
