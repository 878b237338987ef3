"""Guest: a read-only view of any other mode. It keeps the tools a mode declares readable and names every id.

The wrapping itself is the engine's: a workspace opened for a guest reads beside its owner, never migrates, never learns.
"""

from frugal.api import Mode, hookimpl

GUEST = Mode(
    name="guest",
    package="frugal_modes.guest",
    flags=("--guest", "--gast"),
    is_wrapper=True,
)


@hookimpl
def frugal_modes() -> Mode:
    """Contribute the guest mode."""
    return GUEST
