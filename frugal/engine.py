"""The composition root: settings and modes become an engine, an engine opens one mode as a workspace."""

import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pluggy

import frugal
from frugal import budget, discovery, strings
from frugal.call import Call, Client, Clock, ShowProgress, unseen
from frugal.errors import FrugalError, Refusal, Refused, StoreBusy
from frugal.model import Access, Answer, Cap, Migration, MigrationSet, Mode, Plugin, Tool, resolve
from frugal.paths import beside_checkout, shown
from frugal.registry import Owned, Registry, build_registry
from frugal.settings import ModeSettings, Notice, Settings
from frugal.shellwords import ShellWords
from frugal.store import (
    Connection,
    Later,
    Noted,
    OldFile,
    Store,
    TakenOver,
    Takeover,
    peek_language,
)
from frugal.surface import Surface, echo, within
from frugal.takeovers import told

ENGINE_PACKAGE = "frugal"
GUEST_ATTEMPTS = 5


def utc_now() -> datetime:
    """Return the present moment in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class ToolDefinition:
    """A tool as a client sees it, in one language."""

    name: str
    description: str
    input_schema: Mapping[str, object]
    is_read_only: bool
    is_destructive: bool
    is_idempotent: bool
    is_open_world: bool
    output_schema: Mapping[str, object] | None = None


@dataclass(frozen=True)
class Reply:
    """What one call came to: its text, and either the answer or the error behind it."""

    text: str
    answer: Answer | None = None
    error: FrugalError | None = None

    @property
    def is_error(self) -> bool:
        """Whether the call was refused or failed."""
        return self.answer is None or self.answer.is_refusal or self.error is not None


@dataclass(frozen=True)
class Engine:
    """Every usable mode under one set of settings. No global state: two engines do not know of each other."""

    settings: Settings
    registry: Registry
    clock: Clock
    manager: pluggy.PluginManager
    process_key: str = field(default_factory=lambda: os.urandom(16).hex())

    def open(self, mode: Mode, *, is_guest: bool = False) -> "Workspace":
        """Return *mode* ready to be used; of its file at most the language is read."""
        settings = self.settings.for_mode(mode)
        language = settings.language or peek_language(settings.path) or "en"
        return Workspace(self, mode, settings.in_language(mode, language), language, is_guest=is_guest)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What the settings and the plugins have to report at start."""
        failed = [
            Notice("plugin_failed", {"name": plugin.name, "reason": plugin.error})
            for plugin in self.registry.plugins
            if plugin.error and plugin.error not in ("blocked", "not built in")
        ]
        return (*self.settings.notices, *failed)


def build_engine(
    settings: Settings,
    *,
    modes: Iterable[Mode] | None = None,
    clock: Clock = utc_now,
    manager: pluggy.PluginManager | None = None,
) -> Engine:
    """Return an engine with *modes*, or with the modes of every installed plugin."""
    manager = manager or discovery.new_manager()
    if modes is not None:
        owned = [Owned(mode, "given") for mode in modes]
        plugins = tuple(Plugin(item.mode.name, "given", "") for item in owned)
        return Engine(settings, build_registry(owned, plugins), clock, manager)
    registry = discovery.discover(
        manager, blocked=settings.blocked_plugins, only_built_in=settings.has_only_built_in_plugins
    )
    return Engine(settings, registry, clock, manager)


def read_migrations(mode: Mode) -> tuple[MigrationSet, ...]:
    """Return the migration sets of *mode* from the `schema` folders of its packages, by file name."""
    sets: list[MigrationSet] = []
    for schema in mode.schemas:
        folder = strings.package_folder(schema.package) / "schema"
        files = sorted(file for file in folder.iterdir() if file.suffix == ".sql")
        steps = tuple(Migration(schema.set_name, file.stem, file.read_text("utf-8")) for file in files)
        sets.append(MigrationSet(schema.set_name, steps))
    return tuple(sets)


class Workspace:
    """One mode in one language over one file. Thread-safe: reads run beside each other, writes one after another."""

    def __init__(
        self, engine: Engine, mode: Mode, settings: ModeSettings, language: str, *, is_guest: bool
    ) -> None:
        self.engine = engine
        self.mode = mode
        self.settings = settings
        self.is_guest = is_guest
        self.may_create = not is_guest
        """Whether a missing file is made; as a guest, an owner who only asks may be told instead that there is none."""
        self.process: dict[str, object] = {}
        self._making = threading.Lock()
        self._store: Store | None = None
        self.behind = Later()
        self.given: tuple[str, ...] = ()
        self.packages = (ENGINE_PACKAGE, *mode.includes, mode.package)
        tools = tuple(tool for tool in mode.tools if tool.is_for_guests or not is_guest)
        self.surface = Surface(
            catalogue=strings.load_catalogue(language, self.packages),
            kinds=mode.kinds,
            tools=tools,
            packages=self.packages,
            name=settings.name,
            names=settings.names,
            prints_names=is_guest or mode.names is not None,
            flag=mode.flags[0] if mode.flags else "",
            place="" if is_guest or settings.path_source == "default" else shown(settings.path),
        )

    @property
    def store(self) -> Store:
        """The store, made on first use and opened at its first read or write."""
        with self._making:  # first calls may come together, and of two stores one would never be closed
            if self._store is None:
                self._store = self._new_store()
            return self._store

    def _new_store(self) -> Store:
        return Store(
            self.settings.path,
            mode=self.mode.name,
            setting=f"{self.mode.settings_prefix}_DB",
            migrations=read_migrations(self.mode),
            clock=self.engine.clock,
            version=frugal.__version__,
            language=self.surface.language if self.mode.records_language else None,
            read_only=self.is_guest or not (self.may_create or self.settings.path.exists()),
            command=self._upkeep_command(),
            takeover=self._takeover(),
            report=self.report,
        )

    def _upkeep_command(self) -> str:
        """Return what the owner runs to bring the file up to date."""
        import shlex

        words = ["frugal-memory", "upkeep", *self.mode.flags[:1]]
        if self.settings.path_source != "default":
            words += ["--db", shown(self.settings.path)]
        return shlex.join(words)

    def _takeover(self) -> Takeover | None:
        """Return how the store takes over a file of the predecessor, None if the mode has none."""
        predecessor = self.mode.predecessor
        if predecessor is None:
            return None

        def copy(db: Connection, old: OldFile) -> TakenOver:
            taken: TakenOver = resolve(predecessor.take_over)(self.new_call(Client()), db, old)
            return taken

        return Takeover(predecessor.table, copy, frozenset(kind.stored for kind in self.mode.kinds.kinds))

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What there is to report when this mode starts: settings, plugins, files of it that lie unused."""
        prefix, used = self.mode.settings_prefix, self.settings.path.resolve()
        strays = [shown(place) for place in beside_checkout(self.mode.file_name) if place != used]
        found = [Notice("stray_file", {"path": path, "line": f"{prefix}_DB={path}"}) for path in strays]
        return (*self.engine.notices, *found)

    def report(self, key: str, data: Mapping[str, object]) -> None:
        """Write one line about the store to stderr."""
        taken = data.get("taken")
        what = told(taken, self.surface) if isinstance(taken, Noted) else ""
        line = self.surface.text(f"notices.{key}", **{**data, "taken": what})
        print(line, file=sys.stderr, flush=True)  # noqa: T201  # stderr

    @property
    def instructions(self) -> str:
        """The server's short instructions, `{name}` in them filled in; a guest gives none."""
        return "" if self.is_guest else self.surface.text("instructions", name=self.surface.name)

    def definitions(self) -> tuple[ToolDefinition, ...]:
        """Return the tools as a client sees them, in their fixed order."""
        return tuple(self._define(tool) for tool in self.surface.tools if not tool.is_shell_only)

    def _define(self, tool: Tool) -> ToolDefinition:
        surface = self.surface
        key = f"tools.{tool.name}"
        properties: dict[str, object] = {}
        for parameter in tool.offered:
            described = {"description": surface.text(f"{key}.parameters.{parameter.name}.description")}
            name = surface.parameter_name(tool.name, parameter.name)
            properties[name] = {**parameter.form.schema(surface), **described}
        schema: dict[str, object] = {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        }
        required = [surface.parameter_name(tool.name, item.name) for item in tool.offered if item.is_required]
        if required:
            schema["required"] = required
        return ToolDefinition(
            name=surface.tool_name(tool.name),
            description=surface.text(f"{key}.description"),
            input_schema=schema,
            is_read_only=tool.access is Access.READS,
            is_destructive=tool.is_destructive,
            is_idempotent=tool.is_idempotent,
            is_open_world=self._is_open_world(tool),
            output_schema=resolve(tool.output_schema) if tool.output_schema else None,
        )

    def _is_open_world(self, tool: Tool) -> bool:
        if isinstance(tool.is_open_world, bool):
            return tool.is_open_world
        return bool(
            resolve(tool.is_open_world)(self.settings, has_opinion=self._second_opinion() is not None)
        )

    def is_writing(self, name: str) -> bool:
        """Tell whether the tool called *name* writes."""
        tool = self.surface.find_tool(name)
        return tool is not None and tool.access is Access.WRITES

    def call(
        self,
        client: Client,
        name: str,
        arguments: Mapping[str, Any],
        *,
        from_shell: bool = False,
        progress: ShowProgress = unseen,
    ) -> Reply:
        """Call the tool called *name* in this language; every failure comes back as a reply with a text."""
        try:
            tool = self.surface.find_tool(name)
            if tool is None or (tool.is_shell_only and not from_shell):
                raise self._unknown_tool(name, from_shell=from_shell)
            surface = self.shown_surface(from_shell=from_shell)
            values, problems = surface.collect_arguments(tool, arguments, from_shell=from_shell)
            if problems and not tool.gathers_problems:
                raise Refused(self._explained(problems))
            call = self.new_call(client, from_shell=from_shell, problems=problems, progress=progress)
            answer = self._run(tool, call, values)
            if answer.structured is not None:
                return Reply(answer.text, answer=answer)
            return Reply(within(answer.text, tool.cap(values), self.surface), answer=answer)
        except FrugalError as error:
            return self._refusal(error, client, name, arguments, from_shell=from_shell)
        except Exception:  # the last line of defence: the client gets words, the owner the traceback
            import traceback

            traceback.print_exc(file=sys.stderr)
            return self._refusal(FrugalError(), client, name, arguments, from_shell=from_shell)
        finally:
            self.behind.wake()

    def _refusal(
        self,
        error: FrugalError,
        client: Client,
        name: str,
        arguments: Mapping[str, Any],
        *,
        from_shell: bool,
    ) -> Reply:
        """Tell *error*, in the mode's own way if it has one."""
        if not self.mode.refuse:
            return Reply(self._error_text(error, name), error=error)
        call = self.new_call(client, from_shell=from_shell)
        answer: Answer = resolve(self.mode.refuse)(call, error, name, arguments)
        return Reply(answer.text, answer=answer, error=error)

    def _explained(self, problems: tuple[Refusal, ...]) -> tuple[Refusal, ...]:
        """Let the mode say more about arguments than they tell by themselves; a file that is in trouble says nothing."""
        if not self.mode.explain:
            return problems
        with suppress(FrugalError):
            explained: tuple[Refusal, ...] = resolve(self.mode.explain)(self.new_call(Client()), problems)
            return explained
        return problems

    def _run(self, tool: Tool, call: Call, values: Mapping[str, Any]) -> Answer:
        """Run *tool*. A guest takes no part in locking, so what it read while somebody wrote is read again."""
        run = tool.resolve()
        for _ in range(GUEST_ATTEMPTS - 1 if self.is_guest else 0):
            with suppress(StoreBusy):
                return run(call, **values)
        return run(call, **values)

    def _error_text(self, error: FrugalError, name: str) -> str:
        """Return the text of *error*; where a mode has a line for it, a refused write ends with that."""
        cap = Cap(800, 2048)
        is_refused_write = isinstance(error, Refusal | Refused) and self.is_writing(name)
        if not is_refused_write or not self.surface.catalogue.has("refused_write"):
            return within(self.surface.render(error), cap, self.surface)
        closing = "\n" + self.surface.text("refused_write")
        spent = budget.cost(closing)
        rest = Cap(cap.characters - spent.characters, cap.size_bytes - spent.size_bytes)
        return within(self.surface.render(error), rest, self.surface) + closing

    def settle(self, timeout_s: float = 10.0) -> bool:
        """Wait for what is done behind the answers; return whether nothing is left."""
        return self.behind.settle(timeout_s)

    def shown_surface(self, *, from_shell: bool) -> Surface:
        """Return the surface for the texts of one call: in the shell a suggested call is a line to paste."""
        return replace(self.surface, shell=ShellWords(self.mode, self.given)) if from_shell else self.surface

    def _unknown_tool(self, name: str, *, from_shell: bool) -> Refusal:
        offered = [tool for tool in self.surface.tools if from_shell or not tool.is_shell_only]
        hidden = {self.surface.tool_name(tool.name): tool for tool in self.mode.tools}
        key = "tool_not_for_guests" if self.is_guest and name in hidden else "unknown_tool"
        shown = self.shown_surface(from_shell=from_shell).short_word
        value = shown(hidden[name]) if name in hidden else name
        return Refusal(key, value=echo(value), known=", ".join(map(shown, offered)), path=self.settings.path)

    def new_call(
        self,
        client: Client,
        *,
        from_shell: bool = False,
        problems: tuple[Refusal, ...] = (),
        progress: ShowProgress = unseen,
    ) -> Call:
        """Return the context of one call."""
        return Call(
            mode=self.mode,
            store=self.store,
            surface=self.shown_surface(from_shell=from_shell),
            settings=self.settings,
            clock=self.engine.clock,
            process_key=self.engine.process_key,
            client=client,
            process=self.process,
            is_guest=self.is_guest,
            is_from_shell=from_shell,
            problems=problems,
            opinion=self._second_opinion(),
            later=self.behind.put,
            progress=progress,
        )

    def _second_opinion(self) -> Callable[[str, str], str | None] | None:
        hook = self.engine.manager.hook.frugal_second_opinion
        if not hook.get_hookimpls():
            return None
        return lambda new, old: hook(new=new, old=old)

    def close(self) -> None:
        """Close the store if it was opened; what was to be done behind the answers and is not yet is dropped."""
        self.behind.close()
        if self._store is not None:
            self._store.close()
