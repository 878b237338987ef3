"""Files that a command writes for the user: never over another one unless that is asked for."""

import os
from contextlib import suppress
from pathlib import Path

from frugal.api import Conflict, UsageError

STDOUT = "-"
"""Typed for a path it means standard output, as no path does."""


def target_path(text: str) -> Path:
    """Return the path that the shell gave."""
    return Path(text)


def check_target(path: Path, *, has_force: bool) -> None:
    """Raise `Conflict` if *path* exists and is to stay, `UsageError` if its folder is missing."""
    if path.exists() and not has_force:
        raise Conflict("target_needs_force", path=str(path))
    if not path.parent.is_dir():
        raise UsageError("target_folder", path=str(path))


def write_target(path: Path, content: bytes, *, has_force: bool) -> None:
    """Write *content* whole or not at all; raise as `check_target`, or `UsageError` with the system's reason."""
    check_target(path, has_force=has_force)
    unfinished = path.with_name(f".{path.name[:80]}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(content)
        if has_force:
            unfinished.replace(path)
        else:
            _publish(unfinished, path)
    except FileExistsError:
        raise Conflict("target_needs_force", path=str(path)) from None
    except OSError as error:
        raise UsageError("target_failed", path=str(path), reason=error.strerror or "-") from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _publish(unfinished: Path, path: Path) -> None:
    """Give the file its name unless another process took it meanwhile."""
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise
    except OSError:  # no hard links on this file system
        if path.exists():
            raise FileExistsError(path) from None
        unfinished.replace(path)
