"""Settings from four places, the first one that says something wins: option, environment, config file, default."""

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from frugal import paths
from frugal.errors import UsageError
from frugal.installed import entry_points
from frugal.model import Mode, resolve
from frugal.strings import resolve_language

NAME = re.compile(r"[^\W_][\w.-]{0,31}")

_TABLE_KEYS = {
    "fact_check": ("url", "model", "off", "probe", "timeout", "budget", "pause", "pause_short", "chars"),
    "http": ("hosts", "origins"),
}
_MODE_KEYS = ("db", "name", "lang")

SECRET_POLICIES = ("warn", "refuse", "off")
"""What MEMORY_SECRETS may say; anything else acts as `refuse`."""

FACT_CHECK_NUMBERS = {
    "PROBE": 3.0,
    "TIMEOUT": 20.0,
    "BUDGET": 25.0,
    "PAUSE": 300.0,
    "PAUSE_SHORT": 15.0,
    "CHARS": 200.0,
}
"""The variables MEMORY_FC_* that hold a number (seconds; characters), and their defaults."""

OLD_FACT_CHECK_NAMES = {
    "MODEL": "MODELL",
    "KEY": "SCHLUESSEL",
    "OFF": "AUS",
    "TIMEOUT": "FRIST",
    "PAUSE": "SPERRE",
    "PAUSE_SHORT": "SPERRE_KURZ",
    "CHARS": "ZEICHEN",
}
"""How the variables MEMORY_FC_* were called before; the old names still work."""

_LARGEST_NUMBER = 100_000


class Notice(NamedTuple):
    """Something worth a line on stderr and in `doctor`; *key* names the text, `notices.<key>`."""

    key: str
    data: Mapping[str, object]


class Setting(NamedTuple):
    """A value and where it came from: an option, a variable, the config file, or `default`."""

    value: str
    source: str


@dataclass(frozen=True)
class Options:
    """What the command line says; empty = not given."""

    db: str = ""
    lang: str = ""
    name: str = ""
    config: str = ""
    own: tuple[tuple[str, str], ...] = ()
    """What options of a mode were given: their names and values, in the order of the line."""


@dataclass(frozen=True)
class ModeSettings:
    """The settings of one mode: where its file lies, in which language it speaks, and what it is called.

    *language* is "" when nothing sets it (then the file's record decides). *names* are accepted before `#`. *values* is
    the environment, *given* what the mode's own options were given, *config* where the config file lies or would lie.
    """

    path: Path
    path_source: str
    language: str
    language_source: str
    name: str
    names: frozenset[str]
    has_given_name: bool
    values: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    config: Path = Path()
    system: str = ""

    def option(self, name: str) -> str:
        """Return what the mode's own option *name* was given last, "" if it was not."""
        words = self.given.get(name, ())
        return words[-1].strip() if words else ""

    def value(self, variable: str, default: str = "") -> str:
        """Return the text of an environment variable of this mode, *default* if it is not set or blank."""
        return self.values.get(variable, "").strip() or default

    def in_language(self, mode: Mode, language: str) -> "ModeSettings":
        """Return the same with the fixed name that *mode* has in *language*, if it has such and no other is set."""
        if mode.names is None or self.has_given_name:
            return self
        return replace(self, name=_fixed_name(mode.names, language))

    @property
    def secret_policy(self) -> str:
        """What happens to a text with a likely credential: `warn`, `refuse` or `off`."""
        return secret_policy(self.value("MEMORY_SECRETS"))

    def fact_check(self, name: str) -> Setting:
        """Return what MEMORY_FC_*name* is set to under its new or its old name, and that name; "" = not set."""
        return fact_check_value(self.values, name)


def secret_policy(value: str) -> str:
    """Return the policy that *value* of MEMORY_SECRETS stands for."""
    policy = value.strip().lower() or SECRET_POLICIES[0]
    return policy if policy in SECRET_POLICIES else "refuse"


def fact_check_value(values: Mapping[str, str], name: str) -> Setting:
    """Return the value of MEMORY_FC_*name* and the variable that gave it; the new name wins."""
    variables = [f"MEMORY_FC_{word}" for word in (name, OLD_FACT_CHECK_NAMES.get(name)) if word]
    for variable in variables:
        if value := values.get(variable, "").strip():
            return Setting(value, variable)
    return Setting("", variables[0])


def read_number(text: str) -> float | None:
    """Return *text* as a number from 0 to 100,000, a decimal comma understood; None if it is none."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return None
    return number if 0 <= number <= _LARGEST_NUMBER else None


@dataclass(frozen=True)
class Settings:
    """Everything that was set, before a mode is chosen."""

    options: Options
    environ: Mapping[str, str]
    config: Mapping[str, Mapping[str, object]]
    config_path: Path
    system: str
    notices: tuple[Notice, ...] = ()

    def look_up(self, *, option: str, variable: str, table: str, key: str) -> Setting | None:
        """Return the first value that is given, None if nothing is; raise `UsageError` if the file has no text there."""
        if option.strip():
            return Setting(option.strip(), f"--{key}")
        if value := self.environ.get(variable, "").strip():
            return Setting(value, variable)
        configured = self.config.get(table, {}).get(key)
        if configured is not None and not isinstance(configured, str):
            place = paths.shown(self.config_path)
            raise UsageError(
                "config_not_text", path=place, setting=f"[{table}] {key}", value=str(configured)[:60]
            )
        if configured is not None and configured.strip():
            return Setting(configured.strip(), paths.shown(self.config_path))
        return None

    @property
    def blocked_plugins(self) -> frozenset[str]:
        """Names of the plugins to leave out."""
        given = self.environ.get("FRUGAL_MEMORY_BLOCK", "")
        return frozenset(name.strip() for name in given.split(",") if name.strip())

    @property
    def has_only_built_in_plugins(self) -> bool:
        """Whether plugins of other distributions stay out."""
        return bool(self.environ.get("FRUGAL_MEMORY_NO_PLUGINS", "").strip())

    def for_mode(self, mode: Mode) -> ModeSettings:
        """Return the settings of *mode*; raise `UsageError` for a bad name or a path of another system."""
        prefix = mode.settings_prefix
        path = self.look_up(option=self.options.db, variable=f"{prefix}_DB", table=mode.name, key="db")
        name = self.look_up(option=self.options.name, variable=f"{prefix}_NAME", table=mode.name, key="name")
        language, language_source = self.language(mode)
        shown, accepted = _names(mode, name, language or "en")
        own = tuple(option.name for option in mode.options)
        settings = ModeSettings(
            path=self._path(path, mode),
            path_source=path.source if path else "default",
            language=language,
            language_source=language_source,
            name=shown,
            names=accepted,
            has_given_name=name is not None,
            values=self.values,
            given={key: tuple(word for name, word in self.options.own if name == key) for key in own},
            config=self.config_path,
            system=self.system,
        )
        return settings if path or not mode.locate else _located(settings, mode)

    @property
    def values(self) -> Mapping[str, str]:
        """The environment, under it what the config file says of the fact check; a key is never read from there."""
        return values_with_config(self.environ, self.config)

    def language(self, mode: Mode) -> tuple[str, str]:
        """Return the language that is set and its source, both "" when none is (or none we speak)."""
        given = self.look_up(option=self.options.lang, variable="MEMORY_LANG", table=mode.name, key="lang")
        language = resolve_language(given.value) if given else None
        return (language, given.source) if given and language else ("", "")

    def _path(self, given: Setting | None, mode: Mode) -> Path:
        if given is None:
            return paths.data_folder(self.environ, self.system, file_name=mode.file_name) / mode.file_name
        is_configured = given.source == paths.shown(self.config_path)
        base = self.config_path.parent if is_configured else None
        return paths.expand_path(given.value, environ=self.environ, system=self.system, base=base)


def _located(settings: ModeSettings, mode: Mode) -> ModeSettings:
    """Return *settings* with the place that *mode* itself knows, if it knows one."""
    found: tuple[Path, str] | None = resolve(mode.locate)(settings)
    return settings if found is None else replace(settings, path=found[0], path_source=found[1])


def load_settings(options: Options, environ: Mapping[str, str]) -> Settings:
    """Return the settings of one process; raise `UsageError` if the config file cannot be read as TOML."""
    system = paths.system_name(environ)
    given = options.config.strip() or environ.get("FRUGAL_MEMORY_CONFIG", "").strip()
    if given:
        config_path = paths.expand_path(given, environ=environ, system=system)
    else:
        config_path = paths.config_folder(environ, system) / "config.toml"
    parsed = _read_config(config_path, is_required=bool(given))
    config = {table: values for table, values in parsed.items() if isinstance(values, dict)}
    settings = Settings(options, environ, config, config_path, system)
    language = options.lang.strip() or environ.get("MEMORY_LANG", "").strip()
    notices = [*_unknown_tables(parsed), *_unknown_keys(config)]
    if language and resolve_language(language) is None:
        source = "--lang" if options.lang.strip() else "MEMORY_LANG"
        notices.append(Notice("unknown_language", {"source": source, "value": language[:40]}))
    notices += _malformed(settings.values)
    return Settings(settings.options, environ, config, config_path, system, tuple(notices))


def _read_config(path: Path, *, is_required: bool) -> Mapping[str, object]:
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        if is_required:
            raise UsageError("config_missing", path=paths.shown(path)) from None
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("config_unreadable", path=paths.shown(path), reason=str(error)[:120]) from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError("config_not_toml", path=paths.shown(path), reason=str(error)[:120]) from None


def _unknown_tables(parsed: Mapping[str, object]) -> list[Notice]:
    """Return a notice for each key that stands outside a table, and for each table that nothing here reads.

    A plugin may name its mode otherwise than itself: with one of other origin, only what looks like a typo is told.
    """
    from difflib import get_close_matches

    notices = [
        Notice("unknown_setting_alone", {"value": key[:60]})
        for key, value in parsed.items()
        if not isinstance(value, dict)
    ]
    tables = [key for key, value in parsed.items() if isinstance(value, dict) and key not in _TABLE_KEYS]
    points = entry_points("frugal") if tables else ()
    known = {*_TABLE_KEYS, *(point.name for point in points)}
    is_alone = all(point.dist.name == "frugal-memory" for point in points)
    for table in tables:
        if table in known:
            continue
        if near := get_close_matches(table, sorted(known), n=1, cutoff=0.6):
            notices.append(Notice("unknown_setting", {"value": f"[{table}]"[:60], "near": f"[{near[0]}]"}))
        elif is_alone:
            notices.append(Notice("unknown_setting_alone", {"value": f"[{table}]"[:60]}))
    return notices


def _unknown_keys(config: Mapping[str, Mapping[str, object]]) -> list[Notice]:
    notices: list[Notice] = []
    for table, values in config.items():
        known = _TABLE_KEYS.get(table, _MODE_KEYS)
        for key in values:
            if key not in known:
                from difflib import get_close_matches

                near = get_close_matches(key, known, n=1, cutoff=0.5)
                data = {"value": f"[{table}] {key}"[:60], **({"near": near[0]} if near else {})}
                notices.append(Notice("unknown_setting" if near else "unknown_setting_alone", data))
    return notices


def values_with_config(
    environ: Mapping[str, str], config: Mapping[str, Mapping[str, object]]
) -> Mapping[str, str]:
    """Return *environ* with the table `[fact_check]` of the config file beneath it, as variables MEMORY_FC_*."""
    known = {key: key.upper() for key in _TABLE_KEYS["fact_check"]}
    table = {
        known[key]: str(value)
        for key, value in config.get("fact_check", {}).items()
        if key in known and value is not False  # `off = false` sets nothing
    }
    given = {name: value for name, value in table.items() if not fact_check_value(environ, name).value}
    return {**environ, **{f"MEMORY_FC_{name}": value for name, value in given.items()}}


def _malformed(values: Mapping[str, str]) -> list[Notice]:
    """Return a notice for each value that is not understood and what is done instead."""
    notices: list[Notice] = []
    policy = values.get("MEMORY_SECRETS", "").strip()
    if policy and policy.lower() not in SECRET_POLICIES:
        data = {"value": _shown(policy), "known": ", ".join(SECRET_POLICIES), "used": secret_policy(policy)}
        notices.append(Notice("bad_secret_policy", data))
    for name, default in FACT_CHECK_NUMBERS.items():
        value, variable = fact_check_value(values, name)
        if value and read_number(value) is None:
            data = {"variable": variable, "value": _shown(value), "used": f"{default:g}"}
            notices.append(Notice("bad_number", data))
    return notices


def _shown(value: str) -> str:
    return "".join(char if char.isprintable() else " " for char in value[:40])


def _names(mode: Mode, given: Setting | None, language: str) -> tuple[str, frozenset[str]]:
    """Return the printed name and every accepted one, case folded."""
    if given is not None:
        if not NAME.fullmatch(given.value):
            raise UsageError("bad_name", value=given.value[:60], source=given.source)
        return given.value, frozenset({given.value.casefold()})
    if mode.names is not None:
        names = frozenset(word.casefold() for word in mode.names)
        return _fixed_name(mode.names, language), names
    host = _host()
    short = host_name(host)
    return short, frozenset({short.casefold(), host.casefold()})


def _fixed_name(names: tuple[str, str], language: str) -> str:
    english, german = names
    return german if language == "de" else english


def _host() -> str:
    if sys.platform == "win32":
        from socket import gethostname

        return gethostname()
    return os.uname().nodename


def host_name(host: str) -> str:
    """Return the name a memory gets from *host*: up to the first dot, lower case, at most 32 safe characters."""
    cleaned = re.sub(r"[^\w.-]", "-", host.split(".", maxsplit=1)[0].lower())
    cleaned = re.sub(r"^[\W_]+", "", cleaned)[:32]
    return cleaned if NAME.fullmatch(cleaned) else "memory"
