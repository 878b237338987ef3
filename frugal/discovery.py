"""Find plugins: installed distributions that name an entry point in the group `frugal`, each loaded in isolation."""

import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from importlib.metadata import EntryPoint, entry_points

import pluggy

from frugal import hookspecs
from frugal.errors import UsageError
from frugal.model import Mode, Plugin
from frugal.registry import Owned, Registry, build_registry

GROUP = "frugal"
BUILT_IN = "frugal-memory"


def discover(
    manager: pluggy.PluginManager, *, blocked: frozenset[str] = frozenset(), only_built_in: bool = False
) -> Registry:
    """Load every plugin that is not blocked into *manager*; one that fails is left out with its reason."""
    found = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    plugins = [_load(manager, point, blocked=blocked, only_built_in=only_built_in) for point in found]
    owned, failed = collect(manager)
    errors = {plugin.name: plugin for plugin in failed}
    return build_registry(owned, [errors.get(plugin.name, plugin) for plugin in plugins])


def new_manager() -> pluggy.PluginManager:
    """Return a plugin manager that knows the hooks and no plugin."""
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    return manager


def _load(
    manager: pluggy.PluginManager, point: EntryPoint, *, blocked: frozenset[str], only_built_in: bool
) -> Plugin:
    distribution = point.dist.name if point.dist else "?"
    version = point.dist.version if point.dist else "?"
    if point.name in blocked:
        return Plugin(point.name, distribution, version, "blocked")
    if only_built_in and distribution != BUILT_IN:
        return Plugin(point.name, distribution, version, "not built in")
    try:
        with redirect_stdout(sys.stderr):  # a plugin that prints must not break the protocol on stdout
            manager.register(point.load(), name=point.name)
    except (Exception, SystemExit) as error:  # whatever foreign code raises, the others must start
        return Plugin(point.name, distribution, version, f"{type(error).__name__}: {error}"[:200])
    return Plugin(point.name, distribution, version)


def collect(manager: pluggy.PluginManager) -> tuple[list[Owned], list[Plugin]]:
    """Ask every registered plugin for its modes, then every plugin to extend each mode."""
    owned: list[Owned] = []
    failed: list[Plugin] = []
    names = sorted(name for name, _ in manager.list_name_plugin())
    for name in names:
        try:
            owned += [Owned(mode, name) for mode in _modes_of(manager, name)]
        except Exception as error:  # as above
            failed.append(Plugin(name, "?", "?", f"{type(error).__name__}: {error}"[:200]))
    return [Owned(extend(manager, item.mode), item.plugin) for item in owned], failed


def _modes_of(manager: pluggy.PluginManager, name: str) -> tuple[Mode, ...]:
    others = [plugin for other, plugin in manager.list_name_plugin() if other != name and plugin is not None]
    answers = manager.subset_hook_caller("frugal_modes", others)()
    modes: list[Mode] = []
    for answer in answers:
        modes += [answer] if isinstance(answer, Mode) else _checked(answer)
    return tuple(modes)


def _checked(answer: Iterable[Mode]) -> list[Mode]:
    modes = list(answer)
    for mode in modes:
        if not isinstance(mode, Mode):
            raise TypeError(f"frugal_modes gave {type(mode).__name__}, not a Mode")
    return modes


def extend(manager: pluggy.PluginManager, mode: Mode) -> Mode:
    """Return *mode* with what the plugins add; a second plugin sees what the first one added."""
    for name, plugin in sorted(manager.list_name_plugin()):
        others = [
            other for _, other in manager.list_name_plugin() if other is not plugin and other is not None
        ]
        for extended in manager.subset_hook_caller("frugal_extend", others)(mode=mode):
            if extended.name != mode.name:
                raise UsageError("renamed_mode", value=mode.name, plugin=name)
            mode = extended
    return mode
