"""One mode in one language: the names, texts and ids a caller sees, and the reading of what a caller sends."""

import json
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from frugal import budget
from frugal.errors import BadValue, FrugalError, Refusal, Refused
from frugal.ids import as_ranges
from frugal.model import Cap, Kind, KindVocabulary, Parameter, Tool
from frugal.shellwords import PROGRAM, ShellWords, command_name
from frugal.strings import LANGUAGES, Catalogue, load_catalogue, nearest

ECHO_CHARACTERS = 60
REFUSAL_CHARACTERS = 800
LONGEST_PLACE = 80
"""Characters of a path that a header has room for."""


@dataclass(frozen=True)
class Surface:
    """What one process shows: *name* is this memory's; *names* are accepted before `#`, case folded.

    *flag* chooses the mode on the command line, "" if none is needed; *place* is its file where that is not the usual
    one, else "". With *shell*, tools and parameters are told as the shell takes them, so that what a text suggests can
    be pasted.
    """

    catalogue: Catalogue
    kinds: KindVocabulary
    tools: tuple[Tool, ...]
    packages: tuple[str, ...] = ()
    name: str = ""
    names: frozenset[str] = field(default_factory=frozenset)
    prints_names: bool = False
    shell: ShellWords | None = None
    flag: str = ""
    place: str = ""

    @property
    def language(self) -> str:
        """The language of every text of this surface."""
        return self.catalogue.language

    def text(self, key: str, **fields: object) -> str:
        """Return the text of *key* in this language."""
        return self.catalogue.text(key, **fields)

    def kind(self, kind: Kind) -> str:
        """Return the word for *kind*."""
        return kind.word(self.language)

    def id(self, number: int) -> str:
        """Return how an id is printed: `#12`, or `b#12` where ids carry the memory's name."""
        return f"{self.name}#{number}" if self.prints_names else f"#{number}"

    def ids(self, numbers: Sequence[int]) -> str:
        """Return *numbers* printed in a line, runs as ranges: `#3, #7-#9`."""
        return as_ranges(list(numbers), prefix=self.id_prefix(), between=", ")

    def id_prefix(self) -> str:
        """What stands before the digits of a printed id."""
        return f"{self.name}#" if self.prints_names else "#"

    def id_argument(self, numbers: Sequence[int]) -> str:
        """Return *numbers* as they stand inside a suggested call."""
        prefix = self.id_prefix() if self.prints_names else ""
        return as_ranges(list(numbers), prefix=prefix)

    def tool_name(self, tool: str) -> str:
        """Return the name of *tool* (its English name) in this language."""
        return self.text(f"tools.{tool}.name")

    def parameter_name(self, tool: str, parameter: str) -> str:
        """Return the name of a parameter in this language."""
        return self.text(f"tools.{tool}.parameters.{parameter}.name")

    def tool_word(self, tool: str) -> str:
        """Return how a text names *tool*: its name, in the shell the command."""
        return self.shell.command(tool, self.catalogue) if self.shell else self.tool_name(tool)

    def short_word(self, tool: Tool) -> str:
        """Return how a list of tools names *tool*: its name, in the shell that of the command."""
        return (
            command_name(tool, self.catalogue, self.shell.mode) if self.shell else self.tool_name(tool.name)
        )

    def parameter_word(self, tool: str, parameter: str) -> str:
        """Return how a text names a parameter: its name, in the shell the option."""
        if self.shell is not None:
            return self.shell.parameter(tool, parameter, self.catalogue)
        return self.parameter_name(tool, parameter)

    def argument(self, tool: str, parameter: str, value: object) -> str:
        """Return how a text gives a parameter *value*: `kind="plan"`, in the shell `--kind plan`."""
        if self.shell is not None:
            return self.shell.option(tool, parameter, value, self.catalogue)
        return f"{self.parameter_name(tool, parameter)}={_literal(value)}"

    def call(self, tool: str, /, *values: object, **named: object) -> str:
        """Write a call a reader can copy: `show("376,481", full=true)`, in the shell a line."""
        if self.shell is not None:
            return self.shell.line(tool, values, named, self.catalogue)
        parts = [_literal(value) for value in values]
        parts += [self.argument(tool, key, value) for key, value in named.items()]
        return f"{self.tool_name(tool)}({', '.join(parts)})"

    def find_tool(self, name: str) -> Tool | None:
        """Return the tool called *name* in this language."""
        return next((tool for tool in self.tools if self.tool_name(tool.name) == name), None)

    def read_arguments(self, tool: Tool, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of one call under English names; raise `Refused` with every problem found."""
        values, problems = self.collect_arguments(tool, raw)
        if problems:
            raise Refused(problems)
        return values

    def collect_arguments(
        self, tool: Tool, raw: Mapping[str, Any], *, from_shell: bool = False
    ) -> tuple[dict[str, Any], tuple[Refusal, ...]]:
        """Return the values of one call under English names, defaults for those that cannot be read, and why."""
        taken = tool.parameters if from_shell else tool.offered
        known = {self.parameter_name(tool.name, parameter.name): parameter for parameter in taken}
        problems = [self._unknown_argument(tool, name, known) for name in raw if name not in known]
        values = {parameter.name: parameter.default for parameter in tool.parameters}
        for name, parameter in known.items():
            try:
                values[parameter.name] = self._read_value(parameter, raw.get(name))
            except Refused as refused:
                word = self.parameter_word(tool.name, parameter.name)
                problems += [with_parameter(problem, word) for problem in refused.problems]
            except Refusal as problem:
                problems.append(with_parameter(problem, self.parameter_word(tool.name, parameter.name)))
        return values, tuple(problems)

    def _read_value(self, parameter: Parameter, raw: Any) -> Any:
        if raw is None:
            if parameter.is_required:
                raise self._missing(parameter)
            return parameter.default
        return parameter.form.read(raw, self)

    def _missing(self, parameter: Parameter) -> Refusal:
        known = parameter.form.schema(self).get("enum")
        if isinstance(known, list):
            return Refusal("missing_choice", known=", ".join(map(str, known)))
        return Refusal("missing_argument")

    def _unknown_argument(self, tool: Tool, name: str, known: Collection[str]) -> Refusal:
        for language in LANGUAGES:
            if language == self.language or not self.packages:
                continue
            other = load_catalogue(language, self.packages)
            for parameter in tool.parameters:
                right = self.parameter_name(tool.name, parameter.name)
                if (
                    right in known
                    and other.text(f"tools.{tool.name}.parameters.{parameter.name}.name") == name
                ):
                    return BadValue("argument_of_other_language", value=echo(name), right=right)
        like = nearest(name[:ECHO_CHARACTERS], list(known))
        near = self.text("errors.nearest_argument", near=like) if like else ""
        return BadValue("unknown_argument", value=echo(name), near=near, known=", ".join(known) or "-")

    @property
    def upkeep_line(self) -> str:
        """The shell line that makes everything derived anew; of a path too long for a header only that there is one."""
        told = shlex.quote(self.place) if len(self.place) <= LONGEST_PLACE else "..."
        place = ("--db", told) if self.place else ()
        return " ".join(word for word in (PROGRAM, "upkeep", self.flag, *place) if word)

    def _restore(self, problem: FrugalError) -> str:
        """Return the start of a line that brings a backup back to the file that *problem* is about."""
        path = ("--db", shlex.quote(str(problem.data["path"]))) if "path" in problem.data else ()
        return " ".join(word for word in (PROGRAM, self.flag, "restore", *path) if word)

    def render(self, error: FrugalError) -> str:
        """Return the text of *error*, at most 800 characters; of several problems, as many as fit."""
        problems = error.problems if isinstance(error, Refused) else (error,)
        lines: list[str] = []
        spent = 0
        for index, problem in enumerate(problems):
            key = getattr(problem, "key", problem.code)
            line = self.text(f"errors.{key}", **{"restore": self._restore(problem), **problem.data})
            rest = len(problems) - index
            if lines and spent + len(line) > REFUSAL_CHARACTERS - 60:
                lines.append(self.text("errors.more_problems", count=rest))
                break
            lines.append(line[:REFUSAL_CHARACTERS])
            spent += len(line) + 1
        return "\n".join(lines)


def with_parameter(problem: Refusal, parameter: str) -> Refusal:
    """Return *problem* with the surface name of its parameter, and the tool's own fields kept."""
    return BadValue(problem.key, **{"parameter": parameter, **problem.data})


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def echo(value: object, limit: int = ECHO_CHARACTERS) -> str:
    """Return *value* for an error line: its first characters, anything unprintable as a space."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    shown = "".join(char if char.isprintable() else " " for char in text[: limit + 1])
    return shown if len(text) <= limit else shown[:limit] + "..."


def within(text: str, cap: Cap, surface: Surface) -> str:
    """Return *text* if it keeps *cap*; else its start and a line that says so. Tools shrink themselves before this."""
    room = budget.Room(cap)
    if room.fits(budget.cost(text)):
        return text
    notice = "\n" + surface.text("answer_cut")
    return budget.cut(text, room.less(budget.cost(notice))) + notice
