"""How the shell spells a tool: the names of its commands and options, and a whole line that can be pasted."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frugal.model import Mode, Parameter, Tool
from frugal.strings import LANGUAGES, Catalogue

PROGRAM = "frugal-memory"


def command_name(tool: Tool, catalogue: Catalogue, mode: Mode) -> str:
    """Return the name of the command for *tool*: the word of that language, in English and where there is none of its
    own the shorter name, if it has one.
    """
    word = catalogue.text(f"tools.{tool.name}.name")
    has_own_word = catalogue.language != LANGUAGES[0] and word != tool.name
    return _spaced(tool, mode, word) if has_own_word else tool.command or _spaced(tool, mode, word)


def english_name(tool: Tool, mode: Mode) -> str:
    """Return the name of the command whatever the language."""
    return tool.command or _spaced(tool, mode, tool.name)


def _spaced(tool: Tool, mode: Mode, name: str) -> str:
    """Return `learned forget` for `learned_forget`: of a command of the shell alone, or with a tool `learned` beside it."""
    first = tool.name.partition("_")[0]
    is_two_words = tool.is_shell_only or any(other.name == first for other in mode.tools if other is not tool)
    return name.replace("_", " ", 1) if is_two_words else name


def option_name(parameter: str) -> str:
    """Return `--include-superseded` for `include_superseded`."""
    return "--" + parameter.replace("_", "-")


@dataclass(frozen=True)
class ShellWords:
    """The shell that a text is for: the commands of *mode*; *given* are options that every further line needs too."""

    mode: Mode
    given: tuple[str, ...] = ()

    def command(self, name: str, catalogue: Catalogue) -> str:
        """Return the command for the tool called *name* in English: `frugal-memory vault search`."""
        return " ".join([PROGRAM, self.mode.name, command_name(self._tool(name), catalogue, self.mode)])

    def parameter(self, tool: str, name: str, catalogue: Catalogue) -> str:
        """Return how help names a parameter: `--limit`, or `IDS` where its place says which it is."""
        word = catalogue.text(f"tools.{tool}.parameters.{name}.name")
        return word.upper() if self._parameter(tool, name).is_argument else option_name(word)

    def option(self, tool: str, name: str, value: object, catalogue: Catalogue) -> str:
        """Return the words that give a parameter *value*."""
        if self._parameter(tool, name).is_argument:
            return _quoted(value)
        word = self.parameter(tool, name, catalogue)
        if isinstance(value, bool):
            return word if value else ""
        text = _quoted(value)
        return f"{word}={text}" if text.startswith("-") and text != "-" else f"{word} {text}"

    def line(
        self, tool: str, values: Sequence[object], named: Mapping[str, object], catalogue: Catalogue
    ) -> str:
        """Return the line that calls *tool* with *values* in the order of its parameters, and *named* ones."""
        names = [parameter.name for parameter in self._tool(tool).parameters]
        arguments = {**dict(zip(names, values, strict=False)), **named}
        ordered = [(name, arguments[name]) for name in names if name in arguments]
        words = [
            self.option(tool, name, value, catalogue)
            for name, value in ordered
            if self._parameter(tool, name).is_argument
        ]
        options = [
            self.option(tool, name, value, catalogue)
            for name, value in ordered
            if not self._parameter(tool, name).is_argument
        ]
        options += map(shlex.quote, self.given)
        if any(word.startswith("-") and word != "-" for word in words):
            words, options = [*options, "--"], words
        return " ".join(part for part in (self.command(tool, catalogue), *words, *options) if part)

    def _tool(self, name: str) -> Tool:
        return next(tool for tool in self.mode.tools if tool.name == name)

    def _parameter(self, tool: str, name: str) -> Parameter:
        return next(item for item in self._tool(tool).parameters if item.name == name)


def _quoted(value: object) -> str:
    return shlex.quote(str(value))
