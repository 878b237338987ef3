"""Where coding agents keep their files: the homes of Claude Code and Codex, and what their settings say."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from frugal.api import home_folder
from frugal_modes.vault.readers.sniffing import beginning


def claude_home(environ: Mapping[str, str]) -> Path:
    """Return the folder of Claude Code."""
    given = environ.get("CLAUDE_CONFIG_DIR", "").strip()
    return Path(given).expanduser() if given else home_folder(environ) / ".claude"


def codex_home(environ: Mapping[str, str]) -> Path:
    """Return the folder of Codex."""
    given = environ.get("CODEX_HOME", "").strip()
    return Path(given).expanduser() if given else home_folder(environ) / ".codex"


def managed_folders() -> tuple[Path, ...]:
    """Return the folders in which an administrator puts instructions for everybody."""
    if sys.platform == "darwin":
        return (Path("/Library/Application Support/ClaudeCode"),)
    if sys.platform == "win32":
        return (Path("C:/Program Files/ClaudeCode"), Path("C:/ProgramData/ClaudeCode"))
    return (Path("/etc/claude-code"), Path("/etc/codex"))


def claude_setting(environ: Mapping[str, str], key: str) -> str:
    """Return a text of Claude Code's own settings, "" if it is not set."""
    for name in ("settings.local.json", "settings.json"):
        try:
            values = json.loads(beginning(claude_home(environ) / name) or "{}")
        except (ValueError, RecursionError):
            continue
        value = values.get(key) if isinstance(values, dict) else None
        if isinstance(value, str) and value.strip():
            text = value.strip()
            return str(home_folder(environ)) + text[1:] if text.startswith("~/") else text
    return ""
