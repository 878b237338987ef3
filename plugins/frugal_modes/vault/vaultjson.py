"""`vault.json`: read strictly, written whole, with every key that is not ours kept as it was."""

import json
import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from frugal.api import UsageError, shown_path

Values = dict[str, Any]


def read_settings(path: Path) -> Values:
    """Return the object in *path*, empty if there is no such file.

    Raise `UsageError` with line and column for what is no JSON object.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise _broken(path, 1, error.start + 1, "not UTF-8") from None
    except OSError as error:
        raise UsageError(
            "config_unreadable", path=shown_path(path), reason=error.strerror or str(error)
        ) from None
    if not text.strip():
        return {}
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise _broken(path, error.lineno, error.colno, error.msg) from None
    except RecursionError:
        raise _broken(path, 1, 1, "nested too deep") from None
    if not isinstance(values, dict):
        raise _broken(path, 1, 1, "no object")
    return values


def _broken(path: Path, line: int, column: int, reason: str) -> UsageError:
    return UsageError(
        "config_json_broken", path=shown_path(path), line=line, column=column, reason=reason[:120]
    )


def rewrite_settings(path: Path, change: Callable[[Values], Mapping[str, Any]]) -> None:
    """Replace what *path* holds by what *change* makes of it, in one step; the folder is made if need be.

    The caller keeps other writers out. Raise `UsageError` if the file cannot be read or written.
    """
    values = change(read_settings(path))
    data = (json.dumps(values, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "surrogatepass")
    target = Path(os.path.realpath(path))  # a link stays a link
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise UsageError(
            "config_unwritable", path=shown_path(path), reason=error.strerror or str(error)
        ) from None
