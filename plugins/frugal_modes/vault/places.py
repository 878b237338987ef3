"""Where the vault, its index and its settings lie, and which layer says so.

Flags, then VAULT_*, then the variables of memory-agent, then `vault.json`, then memory-agent's own `config.json`, then
the default. A file that is there but cannot be read is an error, never a reason to take the next layer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from frugal.api import ModeSettings, UsageError, config_folder, data_folder, expand_path, shown_path

INDEX_FILE = "vault.db"
VAULT_FOLDER = "vault"
CONFIG_FILE = "vault.json"
DEFAULT = "default"
MEMORY_AGENT_CONFIG = "config.json"
MEMORY_AGENT_DATABASE = "memory.db"
HOME_VARIABLE = "MEMORY_AGENT_HOME"


@dataclass(frozen=True)
class Place:
    """A path and the layer it came from: a flag, a variable, the path of a settings file, or `default`."""

    path: Path
    layer: str

    @property
    def is_default(self) -> bool:
        """Whether nobody named it: only then a missing folder may be made."""
        return self.layer == DEFAULT


@dataclass(frozen=True)
class Places:
    """The three places of one vault. *values* is what `vault.json` holds, unknown keys too."""

    vault: Place
    index: Place
    config: Place
    values: Mapping[str, Any] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)
    system: str = ""

    def path_of(self, text: str) -> Path:
        """Return the path that *text* of `vault.json` means: a relative one begins at the file's folder."""
        return expand_path(text, environ=self.environ, system=self.system, base=self.config.path.parent)


def places_of(settings: ModeSettings) -> Places:
    """Return the places that hold for *settings*; raise `UsageError` for a settings file that cannot be read."""
    layers = _Layers(settings)
    return Places(
        vault=layers.vault(),
        index=Place(settings.path, settings.path_source),
        config=layers.config,
        values=layers.values,
        environ=settings.values,
        system=settings.system,
    )


def locate(settings: ModeSettings) -> tuple[Path, str] | None:
    """Return where the index lies when neither a flag nor VAULT_DB says it, None for the default place."""
    found = _Layers(settings).index()
    return None if found is None else (found.path, found.layer)


def cards_folder(settings: ModeSettings) -> Path:
    """Return the folder of the cards, of which the file of the mode is only an index."""
    return places_of(settings).vault.path


def memory_agent_database(settings: ModeSettings) -> Path | None:
    """Return the database of memory-agent beside which the index lies by its variables or settings, None without one.

    It is never written; what is wanted of it is read from a copy.
    """
    found = _Layers(settings).memory_agent_database()
    return found if found is not None and found.is_file() else None


class _Layers:
    """The layers below the flags of the engine, read once."""

    def __init__(self, settings: ModeSettings) -> None:
        from frugal_modes.vault.vaultjson import read_settings

        self._settings = settings
        self.config = self._config()
        self.values: Mapping[str, Any] = read_settings(self.config.path)
        home = self._value(HOME_VARIABLE)
        self._home = self._path(home) if home else None
        self._other = self._home / MEMORY_AGENT_CONFIG if self._home else Path(MEMORY_AGENT_CONFIG)
        self._other_values: Mapping[str, Any] = read_settings(self._other) if self._home else {}

    def vault(self) -> Place:
        """Return the folder of the vault."""
        if given := self._settings.option("dir"):
            return Place(self._path(given), "--dir")
        for variable in ("VAULT_DIR", "MEMORY_AGENT_VAULT"):
            if given := self._value(variable):
                return Place(self._path(given), variable)
        if self._home and not self._named(self._other_values, "vault"):
            return Place(self._home / VAULT_FOLDER, HOME_VARIABLE)
        for values, file in ((self.values, self.config.path), (self._other_values, self._other)):
            if given := self._named(values, "vault"):
                return Place(self._path(given, file.parent), shown_path(file))
        folder = data_folder(self._settings.values, self._settings.system, file_name=VAULT_FOLDER)
        return Place(folder / VAULT_FOLDER, DEFAULT)

    def index(self) -> Place | None:
        """Return the file of the index, None where no layer names one."""
        if given := self._value("MEMORY_AGENT_DB"):
            return Place(self._path(given).parent / INDEX_FILE, "MEMORY_AGENT_DB")
        if self._home and not self._named(self._other_values, "db"):
            return Place(self._home / INDEX_FILE, HOME_VARIABLE)
        if given := self._named(self.values, "db"):
            return Place(self._path(given, self.config.path.parent), shown_path(self.config.path))
        if given := self._named(self._other_values, "db"):
            file = self._path(
                given, self._other.parent
            )  # memory-agent's own database, which is never written
            return Place(file.parent / INDEX_FILE, shown_path(self._other))
        return None

    def memory_agent_database(self) -> Path | None:
        """Return where memory-agent keeps its database, whether it is there or not."""
        if given := self._value("MEMORY_AGENT_DB"):
            return self._path(given)
        if self._home and (given := self._named(self._other_values, "db")):
            return self._path(given, self._other.parent)
        return self._home / MEMORY_AGENT_DATABASE if self._home else None

    def _config(self) -> Place:
        if given := self._settings.option("vault-config"):
            return Place(self._path(given), "--vault-config")
        if given := self._value("VAULT_CONFIG"):
            return Place(self._path(given), "VAULT_CONFIG")
        return Place(config_folder(self._settings.values, self._settings.system) / CONFIG_FILE, DEFAULT)

    def _value(self, variable: str) -> str:
        return self._settings.value(variable)

    def _path(self, text: str, base: Path | None = None) -> Path:
        environ, system = self._settings.values, self._settings.system
        return expand_path(text, environ=environ, system=system, base=base)

    def _named(self, values: Mapping[str, Any], key: str) -> str:
        value = values.get(key) or ""
        if not isinstance(value, str):
            file = self.config.path if values is self.values else self._other
            raise UsageError("config_json_value", path=shown_path(file), setting=key, expected='"..."')
        return value.strip()
