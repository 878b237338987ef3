"""What one run of the shell knows: its options so far, the plugins it needed, the mode that was chosen."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from frugal import paths
from frugal.cli import console
from frugal.errors import FrugalError, Refusal, Refused, StoreError, UsageError
from frugal.settings import Options, Settings, load_settings
from frugal.strings import LANGUAGES, Catalogue, load_catalogue, resolve_language

if TYPE_CHECKING:
    import pluggy

    from frugal.engine import Engine, Workspace
    from frugal.model import Mode
    from frugal.registry import Registry

ENGINE_PACKAGE = "frugal"
SERVE = "serve"
VALUE_OPTIONS = ("db", "lang", "name", "config")


class Peeked(NamedTuple):
    """What has to be known before the line is parsed: the language and the form of the first error."""

    options: Options
    is_json: bool


def peek(argv: Sequence[str]) -> Peeked:
    """Look through *argv* for the common options, wherever they stand; nothing is judged here."""
    values: dict[str, str] = {}
    is_json = False
    for index, token in enumerate(argv):
        if token == "--":
            break
        is_json |= token == "--json"
        name, equals, value = token.partition("=")
        if name[:2] == "--" and name[2:] in VALUE_OPTIONS:
            following = argv[index + 1] if index + 1 < len(argv) else ""
            values[name[2:]] = value if equals else following
    return Peeked(Options(**values, own=()), is_json)


class Session:
    """One run of the shell. *command*, *mode* and *file* are told in every envelope, also of a failure."""

    def __init__(self, script: str, argv: Sequence[str], environ: Mapping[str, str]) -> None:
        self.script = script
        self.argv = tuple(argv)
        self.environ = environ
        self.command = SERVE
        self.http: str | None = None
        self.is_interrupted = False
        self.mode: Mode | None = None
        self.file: str | None = None
        self.peeked = peek(self.argv)
        lang = self.peeked.options.lang
        self.options: dict[str, str] = {"lang": lang} if lang else {}
        self.own: list[tuple[str, str]] = []
        self.flagged: list[tuple[str, Mode]] = []
        self._registry: Registry | None = None
        self._manager: pluggy.PluginManager | None = None
        self._is_complete = False
        self._workspace: Workspace | None = None
        self._opened: tuple[object, ...] = ()
        self._told: set[str] = set()
        self._absent: Path | None = None

    @property
    def is_json(self) -> bool:
        """Whether the answer is one JSON object."""
        return self.peeked.is_json

    # --- plugins and settings ---

    def registry(self, *, needed: str = "") -> "Registry":
        """Return the modes; with *needed*, built-in plugins of other names may be left unloaded."""
        if self._registry is None or not (self._is_complete or needed):
            from frugal import discovery

            self._manager = discovery.new_manager()
            self._is_complete = not needed
            bare = Settings(Options(), self.environ, {}, Path(), "")
            self._registry = discovery.discover(
                self._manager,
                blocked=bare.blocked_plugins,
                only_built_in=bare.has_only_built_in_plugins,
                built_in=frozenset({needed}) if needed else None,
            )
        return self._registry

    def is_mode(self, name: str) -> bool:
        """Tell whether *name* is a mode, at the cost of loading that plugin alone if it is a built-in one."""
        registry = self.registry(needed=name)
        return any(mode.name == name and not mode.is_wrapper for mode in registry.modes)

    @property
    def manager(self) -> "pluggy.PluginManager":
        """The plugins that are loaded."""
        self.registry()
        assert self._manager is not None
        return self._manager

    def settings(self) -> Settings:
        """Return the settings with the options read so far; raise `UsageError` if the config file is bad."""
        return load_settings(Options(**self.options, own=tuple(self.own)), self.environ)

    def note_interruption(self) -> None:
        """Remember that the user wants this to end, whatever error comes of it."""
        self.is_interrupted = True

    def refuse_http(self, command: str) -> None:
        """Raise `UsageError` if an address to listen at was given to a *command* that does not serve."""
        if self.http is not None and command != SERVE:
            raise UsageError("http_with_command", command=command)

    # --- the mode ---

    def flag(self, flag: str, mode: "Mode") -> None:
        """Note a mode flag; raise `UsageError` if it excludes an earlier one."""
        if not mode.is_wrapper:
            for other, earlier in self.flagged:
                if not earlier.is_wrapper and earlier.name != mode.name:
                    raise UsageError("two_modes", first=other, second=flag)
            self.mode = mode
        self.flagged.append((flag, mode))

    @property
    def is_guest(self) -> bool:
        """Whether a mode that wraps another was asked for."""
        return any(mode.is_wrapper for _, mode in self.flagged)

    def chosen_mode(self) -> "Mode":
        """Return the mode of the flags, or the one that needs none."""
        if self.mode is None:
            self.mode = self.registry().default()
        return self.mode

    def enter(self, name: str) -> "Mode":
        """Make the mode called *name* the chosen one; raise `UsageError` if a flag chose another."""
        mode = self.registry(needed=name).mode(name)
        self.flag(name, mode)
        return mode

    @cached_property
    def engine(self) -> "Engine":
        """The engine, built with the plugins that are loaded."""
        from frugal.engine import Engine, utc_now

        registry = self.registry(needed=self.mode.name if self.mode else "")
        assert self._manager is not None
        return Engine(self.settings(), registry, utc_now, self._manager)

    def open(self, mode: "Mode", *, is_guest: bool | None = None) -> "Workspace":
        """Return *mode* ready to be used under the options read so far; notices go to stderr, each once."""
        guest = self.is_guest if is_guest is None else is_guest
        wanted = (mode.name, guest, tuple(sorted(self.options.items())), tuple(self.own))
        if self._workspace is None or wanted != self._opened:
            self.close()
            self.__dict__.pop("engine", None)
            self.__dict__.pop("catalogue", None)
            self._workspace = self.engine.open(mode, is_guest=guest)
            self._workspace.given = self._needed_again(is_guest=guest)
            self._opened = wanted
            self.file = str(self._workspace.settings.path)
            if "db" in self.options and not self._workspace.settings.path.exists():
                self._absent = self._workspace.settings.path
        return self._workspace

    def _needed_again(self, *, is_guest: bool) -> tuple[str, ...]:
        """Return the options of this line without which another line would look at another file."""
        kept = [
            (f"--{name}", self.options[name]) for name in ("db", "name", "config") if name in self.options
        ]
        pairs = [*kept, *((f"--{name}", value) for name, value in self.own)]
        flags = [flag for flag, mode in self.flagged if mode.is_wrapper] if is_guest else []
        return (*(word for pair in pairs for word in pair), *flags)

    def tell_notices(self) -> None:
        """Report on stderr what settings and plugins have to say."""
        for notice in self.engine.notices:
            line = self.text(f"notices.{notice.key}", **notice.data)
            if line not in self._told:
                self._told.add(line)
                console.tell(line)

    def tell_new_file(self) -> None:
        """Report on stderr that a file which `--db` named was not there before: the name may be a slip."""
        if self._absent is not None and self.command != SERVE and self._absent.exists():
            console.tell(self.text("cli.new_file", path=paths.shown(self._absent)))

    def close(self) -> None:
        """Close what was opened; a write that goes on elsewhere is not waited for."""
        workspace, self._workspace = self._workspace, None
        if workspace is not None:
            with suppress(StoreError):
                workspace.close()

    # --- texts ---

    @cached_property
    def catalogue(self) -> Catalogue:
        """The texts of the active language: those of the mode if one is open, else the engine's own."""
        if self._workspace is not None:
            return self._workspace.surface.catalogue
        return load_catalogue(self.language(), [ENGINE_PACKAGE])

    def text(self, key: str, **fields: object) -> str:
        """Return the text of *key* in the active language."""
        return self.catalogue.text(key, **fields)

    def language(self) -> str:
        """Return the language of help and messages: option, environment, config, the file's record, English."""
        given = self.peeked.options.lang.strip() or self.environ.get("MEMORY_LANG", "").strip()
        if language := resolve_language(given):
            return language
        try:
            settings = load_settings(self.peeked.options, self.environ)
            mode = self.mode or self.registry().default()
            language, _ = settings.language(mode)
            path = settings.for_mode(mode).path
        except FrugalError:  # told elsewhere: a text is needed to tell it in
            return LANGUAGES[0]
        if language or not path.exists():
            return language or LANGUAGES[0]
        from frugal.store import peek_language

        return peek_language(path) or LANGUAGES[0]

    def render(self, error: FrugalError) -> str:
        """Return the text of *error*."""
        if self._workspace is not None and not isinstance(error, UsageError):
            return self._workspace.shown_surface(from_shell=True).render(error)
        problems = error.problems if isinstance(error, Refused) else (error,)
        return "\n".join(self._render_one(problem) for problem in problems)

    def _render_one(self, error: FrugalError) -> str:
        key = error.key if isinstance(error, UsageError | Refusal) else error.code
        fields = {"parameter": "", **error.data}
        if fields.get("near") == "":
            key = f"{key}_alone"
        own = f"cli.errors.{key}"
        return self.text(own if self.catalogue.has(own) else f"errors.{key}", **fields)
