"""What surrounds the files: SQLite, Python, plugins, settings, the skill, the fact check."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import frugal
from frugal import paths
from frugal.doctor.items import Item, Scribe, State
from frugal.engine import Engine
from frugal.entries.factcheck import base_url, is_configured, read_settings
from frugal.errors import Refusal, UsageError
from frugal.model import Mode, Plugin, resolve
from frugal.settings import FACT_CHECK_NUMBERS, OLD_FACT_CHECK_NAMES, Settings
from frugal.store import LEAST_SQLITE, SQLITE_VERSION, checks

GENERAL = (
    "MEMORY_SECRETS",
    "MEMORY_LEARN",
    "FRUGAL_MEMORY_CONFIG",
    "FRUGAL_MEMORY_BLOCK",
    "FRUGAL_MEMORY_NO_PLUGINS",
    "FRUGAL_MEMORY_HTTP_TOKEN",
    "FRUGAL_MEMORY_HTTP_TOKEN_FILE",
    "XDG_DATA_HOME",
    "XDG_CONFIG_HOME",
)
FACT_CHECK = ("URL", "MODEL", "KEY", "OFF", *FACT_CHECK_NUMBERS)
VALUE_CHARACTERS = 120

_SECRET = re.compile(r"KEY|TOKEN(?!_FILE)|SECRET(?!S$)|PASS", re.IGNORECASE)
_USER_IN_URL = re.compile(r"//[^/@\s]*@")


def examine_surroundings(
    engine: Engine,
    modes: Iterable[Mode],
    text: Callable[..., str],
    *,
    skill: Path,
    installed: Path,
    is_one: bool = False,
) -> Iterator[Item]:
    """Yield what is found beside the files; *skill* is the one that belongs to this version, *installed* where it goes.

    *is_one*: only *modes* are asked for places that they could read, else every mode is.
    """
    scribe = Scribe(text)
    yield from _software(scribe)
    yield from (_plugin(scribe, plugin) for plugin in engine.registry.plugins)
    chosen = list(modes)
    yield from _settings(scribe, engine.settings, chosen)
    yield from (
        scribe.quote(State.WARN, "setting", text(f"notices.{it.key}", **it.data))
        for it in engine.settings.notices
    )
    yield _skill(scribe, skill, installed)
    yield from _fact_check(scribe, engine, chosen)
    yield from _strays(scribe, engine.settings, chosen)
    yield from _sources(scribe, engine.settings, chosen if is_one else engine.registry.modes)


def _software(scribe: Scribe) -> Iterator[Item]:
    needed = ".".join(map(str, LEAST_SQLITE))
    is_enough = tuple(map(int, SQLITE_VERSION.split("."))) >= LEAST_SQLITE
    yield (
        scribe.ok("sqlite", "version", version=SQLITE_VERSION)
        if is_enough
        else scribe.fail("sqlite", "too_old", version=SQLITE_VERSION, needed=needed)
    )
    yield scribe.ok("fts5", "there") if checks.has_full_text() else scribe.fail("fts5", "missing")
    version = ".".join(map(str, sys.version_info[:3]))
    yield scribe.ok("python", "version", version=version, program=frugal.__version__)


def _plugin(scribe: Scribe, plugin: Plugin) -> Item:
    fields = {"name": plugin.name, "distribution": plugin.distribution, "version": plugin.version or "-"}
    if not plugin.error:
        return scribe.ok("plugin", "loaded", **fields)
    if plugin.error in ("blocked", "not built in"):
        return scribe.note("plugin", "left_out", **fields)
    hint = scribe.hint("block", name=plugin.name)
    return scribe.warn("plugin", "failed", hint=hint, **fields, reason=plugin.error)


def _settings(scribe: Scribe, settings: Settings, modes: Iterable[Mode]) -> Iterator[Item]:
    """Tell every setting with its value and where that comes from; of a secret only that it is set."""
    for mode in modes:
        yield from _mode_settings(scribe, settings, mode)
    language = settings.look_up(option=settings.options.lang, variable="MEMORY_LANG", table="", key="lang")
    yield _setting(
        scribe, "MEMORY_LANG", language.value if language else "", language.source if language else ""
    )
    for name in GENERAL:
        yield _setting(scribe, name, settings.environ.get(name, ""), name)
    for name in FACT_CHECK:
        yield from _fact_check_setting(scribe, settings, name)


def _mode_settings(scribe: Scribe, settings: Settings, mode: Mode) -> Iterator[Item]:
    found, prefix = settings.for_mode(mode), mode.settings_prefix
    yield _setting(scribe, f"{prefix}_DB", paths.shown(found.path), found.path_source)
    option, variable = settings.options.name, f"{prefix}_NAME"
    name = settings.look_up(option=option, variable=variable, table=mode.name, key="name")
    yield _setting(scribe, variable, found.name, name.source if name else "default")
    told = {f"{prefix}_DB", f"{prefix}_NAME", "MEMORY_LANG", *GENERAL}
    for variable, value in sorted(settings.environ.items()):
        is_own = variable.startswith(f"{prefix}_") and not variable.startswith("MEMORY_FC_")
        if is_own and variable not in told and value.strip():
            yield _setting(scribe, variable, value, variable)


def _fact_check_setting(scribe: Scribe, settings: Settings, name: str) -> Iterator[Item]:
    variable = f"MEMORY_FC_{name}"
    value, source = settings.values.get(variable, "").strip(), variable
    if value and not settings.environ.get(variable, "").strip():
        source = paths.shown(settings.config_path)
    old = f"MEMORY_FC_{OLD_FACT_CHECK_NAMES[name]}" if name in OLD_FACT_CHECK_NAMES else ""
    if not value and old and (value := settings.environ.get(old, "").strip()):
        yield scribe.note(
            "setting", "renamed", name=old, value=_shown(old + "_KEY" * (name == "KEY"), value), new=variable
        )
        return
    default = f"{FACT_CHECK_NUMBERS[name]:g}" if name in FACT_CHECK_NUMBERS else ""
    yield _setting(scribe, variable, value, source, default=default)


def _setting(scribe: Scribe, name: str, value: str, source: str, *, default: str = "") -> Item:
    if not value.strip():
        return replace(scribe.ok("setting", "default", name=name, value=default or "-"), is_default=True)
    item = scribe.ok("setting", "given", name=name, value=_shown(name, value), source=scribe.source(source))
    return replace(item, is_default=source == "default")


def _shown(name: str, value: str) -> str:
    """Return a value for a message: never a secret, one line, printable."""
    if _SECRET.search(name):
        return "set"
    plain = "".join(char if char.isprintable() else " " for char in value.strip()[:VALUE_CHARACTERS])
    return _USER_IN_URL.sub("//", plain)


def _skill(scribe: Scribe, skill: Path, installed: Path) -> Item:
    fields = {"path": paths.shown(installed)}
    try:
        wanted, found = skill.read_bytes(), installed.read_bytes()
    except FileNotFoundError:
        return scribe.note("skill", "absent", hint="frugal-memory skill", **fields)
    except OSError as error:
        return scribe.note("skill", "unreadable", **fields, reason=error.strerror or "")
    if wanted == found:
        return scribe.ok("skill", "installed", **fields)
    return scribe.note("skill", "differs", hint="frugal-memory skill --force", **fields)


def _sources(scribe: Scribe, settings: Settings, modes: Iterable[Mode]) -> Iterator[Item]:
    """Name what other programs keep at their usual places and a mode could read; nothing is added by itself."""
    for mode in modes:
        if not mode.card_source:
            continue
        try:
            waiting = resolve(mode.card_source).waiting(mode, settings.for_mode(mode))
        except UsageError as error:
            yield scribe.quote(State.FAIL, "source", scribe.text(f"errors.{error.key}", **error.data))
            continue
        for kind, place in waiting:
            hint = f"frugal-memory {mode.name} source add {kind}"
            yield scribe.note("source", "available", hint=hint, kind=kind, path=paths.shown(place))


def _fact_check(scribe: Scribe, engine: Engine, modes: Iterable[Mode]) -> Iterator[Item]:
    """Say whether a second opinion is asked for; nobody is contacted."""
    mode = next((mode for mode in modes if "entries" in mode.migration_sets), None)
    if mode is None:
        return
    values = engine.settings.for_mode(mode)
    has_opinion = bool(engine.manager.hook.frugal_second_opinion.get_hookimpls())
    if not is_configured(values, has_opinion=has_opinion):
        yield scribe.ok("fact_check", "off")
    elif has_opinion:
        yield scribe.ok("fact_check", "plugin")
    else:
        found = read_settings(values)
        try:
            yield scribe.ok("fact_check", "on", url=base_url(found.url), model=_shown("", found.model))
        except Refusal:
            yield scribe.warn("fact_check", "bad_url", url=_shown("", found.url))


def _strays(scribe: Scribe, settings: Settings, modes: Iterable[Mode]) -> Iterator[Item]:
    """Name files of a published version beside the checkout that this runs from: they are never opened by themselves."""
    for mode in modes:
        used = settings.for_mode(mode).path
        for stray in paths.beside_checkout(mode.file_name):
            if stray != used.resolve():
                line = f"{mode.settings_prefix}_DB={paths.shown(stray)}"
                yield scribe.note("stray", "found", hint=line, path=paths.shown(stray))
