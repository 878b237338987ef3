"""Folders and files of the user, and paths as written on another system.

Under WSL a Windows path means the mounted drive, on Windows a `/mnt/c` path means the drive; anywhere else such a
path is refused, never turned into a folder of that name.
"""

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from frugal.errors import UsageError

APPLICATION = "frugal-memory"

_DRIVE = re.compile(r"/?([A-Za-z]):(?:[\\/](.*))?", re.DOTALL)
_MOUNT = re.compile(r"/mnt/([A-Za-z])(?:/(.*))?", re.DOTALL)
_VARIABLE = re.compile(r"\$(\w+|\{\w+\})")


def system_name(environ: Mapping[str, str]) -> str:
    """Return `windows`, `macos`, `wsl` or `linux` (any other Unix counts as Linux)."""
    if sys.platform == "win32":
        return "windows"
    if sys.platform == "darwin":
        return "macos"
    return "wsl" if environ.get("WSL_DISTRO_NAME") or environ.get("WSL_INTEROP") else "linux"


def expand_path(text: str, *, environ: Mapping[str, str], system: str, base: Path | None = None) -> Path:
    """Return the path that *text* means on *system*; a relative one is taken from *base*, else the current folder."""
    expanded = _VARIABLE.sub(lambda match: environ.get(match[1].strip("{}"), match[0]), text.strip())
    expanded = _native(expanded, system)
    if expanded == "~" or expanded.startswith(("~/", "~\\")):
        expanded = str(home_folder(environ)) + expanded[1:]
    path = Path(expanded)
    return path if path.is_absolute() else (base or Path.cwd()) / path


def _native(text: str, system: str) -> str:
    """Return *text* in the form of *system*; raise `UsageError` for a path of another system."""
    if text.startswith("\\\\") and system != "windows":
        raise UsageError("path_of_other_system", value=text, system=system)
    decoded = _unquoted(text) if "%3A" in text.upper() else text
    if match := _DRIVE.fullmatch(decoded):
        drive, rest = match[1], (match[2] or "").replace("\\", "/")
        if system == "wsl":
            return f"/mnt/{drive.lower()}/{rest}"
        if system == "windows":
            return f"{drive.upper()}:\\" + rest.replace("/", "\\")
        raise UsageError("path_of_other_system", value=text, system=system)
    if system == "windows" and (match := _MOUNT.fullmatch(text)):
        return f"{match[1].upper()}:\\" + (match[2] or "").replace("/", "\\")
    return text


def _unquoted(text: str) -> str:
    from urllib.parse import unquote

    return unquote(text)


def home_folder(environ: Mapping[str, str]) -> Path:
    """Return the user's home folder."""
    home = environ.get("USERPROFILE" if sys.platform == "win32" else "HOME", "").strip()
    return Path(home) if home else Path.home()


def data_folder(environ: Mapping[str, str], system: str, *, file_name: str = "") -> Path:
    """Return the folder of the data files; where *file_name* already lies in the Unix place, that one is used."""
    if base := environ.get("XDG_DATA_HOME", "").strip():
        return Path(base) / APPLICATION
    unix = home_folder(environ) / ".local" / "share" / APPLICATION
    if system in ("linux", "wsl") or (file_name and (unix / file_name).exists()):
        return unix
    from platformdirs import user_data_path

    return user_data_path(APPLICATION, appauthor=False)


def config_folder(environ: Mapping[str, str], system: str) -> Path:
    """Return the folder of `config.toml`."""
    if base := environ.get("XDG_CONFIG_HOME", "").strip():
        return Path(base) / APPLICATION
    if system in ("linux", "wsl"):
        return home_folder(environ) / ".config" / APPLICATION
    from platformdirs import user_config_path

    return user_config_path(APPLICATION, appauthor=False)


def is_checkout(folder: Path) -> bool:
    """Tell whether *folder* is the root of a checkout of this project."""
    return (folder / "pyproject.toml").is_file() and (folder / "plugins" / "frugal_modes").is_dir()


CODE = Path(__file__).resolve().parents[1]
"""The folder of the package: that of a checkout, where this runs from one."""


def beside_checkout(file_name: str) -> list[Path]:
    """Return the files called *file_name* in and beside the checkout that this runs from, none without a checkout.

    A published version kept its file there. It is never opened by itself, only named.
    """
    if not file_name or not is_checkout(CODE):
        return []
    return [place for place in (CODE / file_name, CODE.parent / file_name) if place.is_file()]


def shown(path: Path) -> str:
    """Return *path* for a message: escapes instead of bytes that are no text."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
