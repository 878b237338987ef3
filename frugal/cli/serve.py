"""serve: the mode as a server, over stdio or HTTP. What can be wrong is told before the SDK is imported."""

from frugal.cli.command import Command, Values
from frugal.cli.outcome import Outcome
from frugal.cli.session import Session
from frugal.errors import UsageError


def build(session: Session) -> Command:
    """Return the command."""
    return Command(session, "serve", serve, description=session.text("cli.commands.serve.help"))


def serve(session: Session, _values: Values) -> Outcome:
    """Serve the chosen mode until the client leaves; every plugin is loaded, so that conflicts are found."""
    if session.is_json:
        raise UsageError("json_with_serve")  # stdout belongs to the protocol
    session.registry()
    if session.http is not None:
        return _serve_http(session, session.http)
    workspace = session.open(session.chosen_mode())
    from frugal.server import serve as serve_workspace

    return Outcome(exit_code=serve_workspace(workspace), is_told=True)


def _serve_http(session: Session, address: str) -> Outcome:
    """Serve over HTTP; address and token are settled first."""
    from frugal.server import serve_http
    from frugal.server.door import open_door

    door = open_door(address, session.settings())
    workspace = session.open(session.chosen_mode())
    return Outcome(exit_code=serve_http(workspace, door), is_told=True)
