"""Mode groups: every tool of a mode as a command, built from the tool's own declaration."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from frugal.call import Client
from frugal.cli import console
from frugal.cli.command import (
    Argument,
    Command,
    Learner,
    Option,
    Section,
    Values,
    common_options,
    mode_options,
)
from frugal.cli.console import STDIN
from frugal.cli.failures import code_of
from frugal.cli.outcome import DONE, NOTHING, Outcome, Problem
from frugal.cli.overview import summary_in
from frugal.cli.session import Session
from frugal.errors import MissingFile, UsageError
from frugal.model import Access, Mode, Parameter, Tool
from frugal.paths import expand_path, system_name
from frugal.shellwords import PROGRAM, command_name, english_name, option_name
from frugal.strings import LANGUAGES, Catalogue, load_catalogue
from frugal.surface import Surface

if TYPE_CHECKING:
    from frugal.engine import Reply, Workspace


class ModeGroup(Learner, click.Group):
    """The tools of one mode, under their names in either language."""

    is_leaf = False
    is_of_mode = True

    def __init__(self, session: Session, mode: Mode) -> None:
        self.session = session
        self.mode = mode
        super().__init__(
            mode.name,
            params=[*common_options(session), *mode_options(session, mode)],
            add_help_option=False,
            invoke_without_command=True,
            callback=click.pass_context(self._refuse_alone),
        )

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Choose the mode, then parse."""
        self.session.command = self.mode.name
        self.session.enter(self.mode.name)
        return super().make_context(info_name, args, parent, **extra)

    def _refuse_alone(self, ctx: click.Context) -> None:
        """Refuse a line that names no tool."""
        if ctx.invoked_subcommand is None:
            raise UsageError("missing_command", known=", ".join(self.list_commands(ctx)))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command named first; an unknown one is refused with the nearest."""
        surface = self._surface()
        for catalogue in self._catalogues():
            # `learned forget` is another command than `learned`, so two words are tried first.
            for count in range(min(len(args), 2), 0, -1):
                tool = self._find("_".join(args[:count]), catalogue)
                if tool is not None:
                    command = ToolCommand(self.session, self.mode, tool, surface)
                    return command.name, command, args[count:]
        if longer := [name for name in self.list_commands(ctx) if name.startswith(f"{args[0]} ")]:
            raise UsageError("missing_word", value=args[0], known=", ".join(longer))
        from frugal.cli.guesses import meant
        from frugal.cli.root import COMMANDS

        if args[0] in COMMANDS:
            line = " ".join([PROGRAM, *self.mode.flags[:1], args[0]])
            raise UsageError("operation_of_mode", value=args[0], line=line)
        near = meant(self.mode, args[0], surface.catalogue)
        raise UsageError("unknown_command", value=args[0][:60], near=near)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands under their names in the active language, in the order of the tools."""
        surface = self._surface()
        return [command_name(tool, surface.catalogue, self.mode) for tool in self.mode.tools]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command called *cmd_name* in either language."""
        found = (self._find(cmd_name, catalogue) for catalogue in self._catalogues())
        tool = next((tool for tool in found if tool is not None), None)
        return ToolCommand(self.session, self.mode, tool, self._surface()) if tool else None

    def _catalogues(self) -> Iterator[Catalogue]:
        """Yield the active language, then the others, which are read only if it comes to that."""
        surface = self._surface()
        yield surface.catalogue
        yield from other_catalogues(surface)

    def _find(self, name: str, catalogue: Catalogue) -> Tool | None:
        """Return the tool with this name, a hyphen or a blank for an underscore."""
        wanted = name.replace("-", "_").replace(" ", "_")
        for tool in self.mode.tools:
            names = (tool.name, tool.command, catalogue.text(f"tools.{tool.name}.name"))
            if wanted in (name.replace("-", "_").replace(" ", "_") for name in names):
                return tool
        return None

    def usage_words(self) -> str:
        """Return the placeholder for a tool."""
        return self.session.text("cli.words.tool")

    def description_text(self) -> str:
        """Return the mode's one line."""
        return summary_in(self._surface().catalogue, self.mode)

    def help_sections(self) -> Iterable[Section]:
        """Return the tools with the first sentence of their descriptions."""
        surface = self._surface()
        rows = tuple(
            (
                command_name(tool, surface.catalogue, self.mode),
                first_sentence(
                    in_commands(surface.text(f"tools.{tool.name}.description"), surface, self.mode)
                ),
            )
            for tool in self.mode.tools
        )
        yield Section(surface.text("cli.headings.commands"), rows)
        if options := _mode_option_rows(surface, self.mode):
            yield Section(surface.text("cli.headings.options"), options)

    def _surface(self) -> Surface:
        return self.session.open(self.mode).surface


class ToolCommand(Command):
    """One tool. Required and positional parameters are arguments, the rest options; a boolean is a switch."""

    is_of_mode = True

    def __init__(self, session: Session, mode: Mode, tool: Tool, surface: Surface) -> None:
        self.mode = mode
        self.tool = tool
        self.surface = surface
        words = [item for item in tool.parameters if item.is_argument]
        variadic = next((item for item in words if item.form.takes_list), None)
        super().__init__(
            session,
            command_name(tool, surface.catalogue, mode),
            self.call,
            description=in_commands(surface.text(f"tools.{tool.name}.description"), surface, mode),
            arguments=[self._argument(item, is_list=item is variadic) for item in words],
            options=[self._option(item) for item in tool.parameters if item not in words],
            path=f"{mode.name} {english_name(tool, mode)}",
        )
        taken = {name for item in self.params for name in item.opts}
        self.params += [item for item in mode_options(session, mode) if not taken & set(item.opts)]

    def _argument(self, parameter: Parameter, *, is_list: bool) -> Argument:
        return Argument(
            parameter.name,
            self.surface.parameter_name(self.tool.name, parameter.name).upper(),
            self._description_of(parameter),
            is_required=parameter.is_required,
            is_list=is_list,
        )

    def _option(self, parameter: Parameter) -> Option:
        name = option_name(self.surface.parameter_name(self.tool.name, parameter.name))
        schema = parameter.form.schema(self.surface)
        is_switch = schema.get("type") == "boolean"
        metavar = "" if is_switch else self.surface.text(f"cli.words.{_metavar(schema)}")
        return Option(
            parameter.name,
            (name, *([f"-{parameter.short}"] if parameter.short else [])),
            name,
            self._needed(parameter),
            metavar=metavar,
            is_list=parameter.form.takes_list and not is_switch,
            takes_words=parameter.takes_words or (parameter.is_required and not is_switch),
        )

    def _needed(self, parameter: Parameter) -> str:
        described = self._description_of(parameter)
        return (
            self.surface.text("cli.required", description=described) if parameter.is_required else described
        )

    def _description_of(self, parameter: Parameter) -> str:
        description = self.surface.text(f"tools.{self.tool.name}.parameters.{parameter.name}.description")
        description = in_commands(description, self.surface, self.mode)
        words = parameter.form.schema(self.surface).get("enum")
        return f"{description}: {', '.join(map(str, words))}" if isinstance(words, list) else description

    def help_sections(self) -> Iterable[Section]:
        """Return arguments and options, those of the mode behind the command's own."""
        heading = self.surface.text("cli.headings.options")
        own = {option.shown for option in self.options}
        rows = [row for row in _mode_option_rows(self.surface, self.mode) if row[0].split()[0] not in own]
        for section in super().help_sections():
            if section.heading == heading:
                rows = [*section.rows, *rows]
            else:
                yield section
        if rows:
            yield Section(heading, tuple(rows))

    def learn(self, unknown: frozenset[str]) -> None:
        """Take the names of the other language; whatever is left may be a mode flag."""
        own = {item.name: item for item in self.params if isinstance(item, click.Option)}
        learned: set[str] = set()
        for catalogue in other_catalogues(self.surface):
            for option in self.options:
                name = option_name(catalogue.text(f"tools.{self.tool.name}.parameters.{option.key}.name"))
                if name in unknown and name not in own[option.key].opts:
                    own[option.key].opts.append(name)
                    learned.add(name)
        if unknown - learned:
            self.learn_flags()

    def call(self, session: Session, values: Values) -> Outcome:
        """Call the tool with what the line gave."""
        workspace = session.open(self.mode)
        session.tell_notices()
        surface = workspace.surface
        name = surface.tool_name(self.tool.name)
        arguments = {
            surface.parameter_name(self.tool.name, key): value for key, value in self._given(values).items()
        }
        if self._is_meant(values):
            arguments[surface.parameter_name(self.tool.name, self.tool.asks)] = True
        reply = self._asked(workspace, name, arguments)
        for note in reply.answer.notes if reply.answer is not None else ():
            console.tell(note)
        return _outcome(reply)

    def _asked(self, workspace: "Workspace", name: str, arguments: dict[str, object]) -> "Reply":
        """Call the tool. One that only reads makes no file, unless the file is an index of what lies elsewhere."""
        path = workspace.settings.path
        is_asking = self.tool.access is Access.READS and not self.mode.kept_in and not path.exists()
        if is_asking and not workspace.is_guest and "db" in self.session.options:
            raise UsageError("no_such_file", path=self.session.file)
        workspace.may_create = not is_asking and not workspace.is_guest
        reply = workspace.call(Client(), name, arguments, from_shell=True, progress=console.shown_progress)
        if workspace.is_guest or not isinstance(reply.error, MissingFile) or self.mode.refuse:
            return reply
        from frugal.cli.contents import copy_of

        with copy_of(
            workspace, path
        ) as empty:  # what the tool says of a mode in which nothing was stored yet
            empty.given = workspace.given
            return empty.call(Client(), name, arguments, from_shell=True)

    def _is_meant(self, values: Values) -> bool:
        """Ask whether it is meant, where the tool wants that and a person can answer."""
        if not self.tool.asks or values.get(self.tool.asks) or self.session.is_json:
            return False
        if self.tool.asks_unless and values.get(self.tool.asks_unless):
            return False
        return console.confirm(self.surface.text("cli.ask"), yes=self.surface.text("cli.yes"))

    def _path(self, text: str) -> str:
        """Return the path that was typed as this machine has it; `-` and a blank stay what they are."""
        if text == STDIN or not text.strip():
            return text
        environ = self.session.environ
        return str(expand_path(text, environ=environ, system=system_name(environ), base=Path()))

    def _given(self, values: Values) -> dict[str, object]:
        """Return what was given, `-` or what is not there replaced by standard input where that can stand for it."""
        given: dict[str, object] = {}
        stdin = _Stdin()
        for parameter in self.tool.parameters:
            value = values.get(parameter.name)
            if value is None and parameter.reads_stdin:
                value = stdin.piped()
                if value is not None:
                    given[parameter.name] = value
                    continue
            if value is None or value is False or value == ():
                continue
            if parameter.is_path and isinstance(value, str):
                value = self._path(value)
            if isinstance(value, str | tuple) and _may_be_stdin(parameter):
                value = stdin.filled_in(value)
            given[parameter.name] = list(value) if isinstance(value, tuple) else value
        return given


def _mode_option_rows(surface: Surface, mode: Mode) -> tuple[tuple[str, str], ...]:
    """Return the options that every command of *mode* takes as rows of help."""
    word = surface.text("cli.words.text")
    return tuple(
        (f"--{option.name} {word}", surface.text(f"options.{option.name.replace('-', '_')}"))
        for option in mode.options
    )


def _may_be_stdin(parameter: Parameter) -> bool:
    """Return whether `-` stands for standard input: in an option that takes a list it means "without a tag"."""
    return not parameter.is_path and (parameter.is_argument or not parameter.form.takes_list)


class _Stdin:
    """Standard input, which can stand for one value of a line."""

    def __init__(self) -> None:
        self._is_taken = False

    def piped(self) -> str | None:
        """Return what is piped in, None if nothing is or another value took it."""
        if self._is_taken:
            return None
        found = console.read_piped()
        self._is_taken = found is not None
        return found

    def filled_in(self, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
        """Return *value* with standard input for the word `-`; raise `UsageError` for a second one."""
        words = value if isinstance(value, tuple) else (value,)
        if STDIN not in words:
            return value
        if self._is_taken or words.count(STDIN) > 1:
            raise UsageError("stdin_twice")
        self._is_taken = True
        read = console.read_stdin()
        filled = tuple(read if word == STDIN else word for word in words)
        return filled if isinstance(value, tuple) else filled[0]


def _outcome(reply: "Reply") -> Outcome:
    """Return what the command came to."""
    answer, error = reply.answer, reply.error
    if error is not None:
        counts = answer.counts if answer is not None else {}
        code = answer.exit_code if answer is not None and answer.exit_code is not None else error.exit_code
        return Outcome(counts=counts, exit_code=code, problem=Problem(code_of(error), reply.text))
    assert answer is not None
    if answer.is_refusal:
        code = NOTHING if answer.exit_code is None else answer.exit_code
        return Outcome(
            items=answer.items, counts=answer.counts, exit_code=code, problem=Problem(answer.code, reply.text)
        )
    code = NOTHING if answer.is_empty else DONE
    code = code if answer.exit_code is None else answer.exit_code
    return Outcome(reply.text, items=answer.items, counts=answer.counts, exit_code=code)


def _metavar(schema: dict[str, object]) -> str:
    return "number" if schema.get("type") in ("integer", "number") else "text"


def in_commands(text: str, surface: Surface, mode: Mode) -> str:
    """Return *text* with commands for the tools it names, where a command is called otherwise than its tool."""
    for tool in mode.tools:
        name, command = surface.tool_name(tool.name), command_name(tool, surface.catalogue, mode)
        if "_" in name and name in text and command != name:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"{mode.name} {command}", text)
    return text


def first_sentence(text: str) -> str:
    """Return *text* up to its first full stop or colon that ends a clause."""
    ends = [end for end in (text.find(". "), text.find(": ")) if end > 0]
    return text[: min(ends)] if ends else text.rstrip(".")


def other_catalogues(surface: Surface) -> Iterator[Catalogue]:
    """Yield the catalogues of the languages that are not active."""
    for language in LANGUAGES:
        if language != surface.language:
            yield load_catalogue(language, surface.packages)
