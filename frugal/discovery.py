"""Find plugins: installed distributions that name an entry point in the group `frugal`, each loaded in isolation."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress

import pluggy

from frugal import hookspecs
from frugal.errors import UsageError
from frugal.installed import EntryPoint, entry_points
from frugal.model import Mode, Plugin
from frugal.registry import Owned, Registry, build_registry
from frugal.strings import LANGUAGES, package_folder

GROUP = "frugal"
BUILT_IN = "frugal-memory"

Errors = dict[str, str]


def discover(
    manager: pluggy.PluginManager,
    *,
    blocked: frozenset[str] = frozenset(),
    only_built_in: bool = False,
    built_in: frozenset[str] | None = None,
) -> Registry:
    """Load every plugin that is not blocked into *manager*; one that fails is left out with its reason.

    With *built_in*, the built-in plugins of other names are not even looked at: a start that needs one mode is cheap.
    Whatever a plugin prints goes to stderr.
    """
    found = sorted(entry_points(GROUP), key=lambda point: (point.name, point.value))
    wanted = [
        point for point in found if built_in is None or point.name in built_in or not _is_built_in(point)
    ]
    with _stdout_kept_free():
        plugins = [_load(manager, point, blocked=blocked, only_built_in=only_built_in) for point in wanted]
        owned, errors = collect(manager)
    return build_registry(owned, [_with_error(plugin, errors) for plugin in plugins])


def new_manager() -> pluggy.PluginManager:
    """Return a plugin manager that knows the hooks and no plugin."""
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    return manager


def _is_built_in(point: EntryPoint) -> bool:
    return point.dist.name == BUILT_IN


def _load(
    manager: pluggy.PluginManager, point: EntryPoint, *, blocked: frozenset[str], only_built_in: bool
) -> Plugin:
    distribution, version = point.dist
    if point.name in blocked:
        return Plugin(point.name, distribution, version, "blocked")
    if only_built_in and not _is_built_in(point):
        return Plugin(point.name, distribution, version, "not built in")
    try:
        manager.register(point.load(), name=point.name)
    except (Exception, SystemExit) as error:  # whatever foreign code raises, the others must start
        return Plugin(point.name, distribution, version, _reason(error))
    return Plugin(point.name, distribution, version)


def _with_error(plugin: Plugin, errors: Mapping[str, str]) -> Plugin:
    return plugin if plugin.error else plugin._replace(error=errors.get(plugin.name, ""))


def _reason(error: BaseException) -> str:
    """Return one line about *error*."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


def collect(manager: pluggy.PluginManager) -> tuple[list[Owned], Errors]:
    """Ask every registered plugin for its modes, then every one to extend each mode; whoever raises is taken out."""
    owned: list[Owned] = []
    errors: Errors = {}
    for name in _names(manager):
        with _isolated(manager, name, errors):
            modes = _modes_of(manager, name)
            for mode in modes:
                _check_texts(mode)
            owned += [Owned(mode, name) for mode in modes]
    for name in _names(manager):
        with _isolated(manager, name, errors):
            owned = [Owned(_extended(manager, name, item.mode), item.plugin) for item in owned]
    return [item for item in owned if item.plugin not in errors], errors


def _names(manager: pluggy.PluginManager) -> list[str]:
    return sorted(name for name, plugin in manager.list_name_plugin() if plugin is not None)


@contextmanager
def _isolated(manager: pluggy.PluginManager, name: str, errors: Errors) -> Iterator[None]:
    """Take the plugin *name* out if the block raises, so that none of its other hooks is called either."""
    try:
        yield
    except UsageError:
        raise
    except (Exception, SystemExit) as error:  # whatever foreign code raises, the others must start
        errors[name] = _reason(error)
        manager.unregister(name=name)


def _only(manager: pluggy.PluginManager, name: str, hook: str) -> Callable[..., list[object]]:
    """Return the call of *hook* in the plugin *name* alone."""
    others = [plugin for other, plugin in manager.list_name_plugin() if other != name and plugin is not None]
    return manager.subset_hook_caller(hook, others)


def _modes_of(manager: pluggy.PluginManager, name: str) -> list[Mode]:
    modes: list[Mode] = []
    for answer in _only(manager, name, "frugal_modes")():
        modes += [answer] if isinstance(answer, Mode) else _checked(answer)
    return modes


def _checked(answer: object) -> list[Mode]:
    if not isinstance(answer, Iterable):
        raise TypeError(f"frugal_modes gave {type(answer).__name__}, not a Mode")
    modes: list[Mode] = []
    for mode in answer:
        if not isinstance(mode, Mode):
            raise TypeError(f"frugal_modes gave {type(mode).__name__}, not a Mode")
        modes.append(mode)
    return modes


def _check_texts(mode: Mode) -> None:
    """Raise if a catalogue is missing: without it every list of modes would fail, not only this mode."""
    for package in (*mode.includes, mode.package):
        folder = package_folder(package) / "languages"
        for language in LANGUAGES:
            if not (folder / f"{language}.toml").is_file():
                raise FileNotFoundError(f"{package}: languages/{language}.toml is missing")


def _extended(manager: pluggy.PluginManager, name: str, mode: Mode) -> Mode:
    """Return *mode* with what the plugin *name* adds; a second plugin sees what the first one added."""
    for extended in _only(manager, name, "frugal_extend")(mode=mode):
        if not isinstance(extended, Mode):
            raise TypeError(f"frugal_extend gave {type(extended).__name__}, not a Mode")
        if extended.name != mode.name:
            raise UsageError("renamed_mode", value=mode.name, plugin=name)
        mode = extended
    return mode


@contextmanager
def _stdout_kept_free() -> Iterator[None]:
    """Send to stderr what is printed in the block, by children and libraries too: stdout may carry the protocol."""
    with redirect_stdout(sys.stderr):
        try:
            kept = os.dup(1)
            os.dup2(2, 1)
        except OSError:  # one of them is closed
            yield
            return
        try:
            yield
        finally:
            with suppress(OSError):
                os.dup2(kept, 1)
            os.close(kept)
