"""serve: the mode as a server over stdio. What can be wrong with the settings is told before the SDK is imported."""

from frugal.cli.command import Command, Values
from frugal.cli.outcome import Outcome
from frugal.cli.session import Session


def build(session: Session) -> Command:
    """Return the command."""
    return Command(session, "serve", serve, description=session.text("cli.commands.serve.help"))


def serve(session: Session, _values: Values) -> Outcome:
    """Serve the chosen mode until the client leaves; every plugin is loaded, so that conflicts are found."""
    session.registry()
    workspace = session.open(session.chosen_mode())
    from frugal.server import serve as serve_workspace

    return Outcome(exit_code=serve_workspace(workspace), is_told=True)
