"""Commands built from declarations, with the options that every command has.

Words that a line uses and the command does not know yet (mode flags, names in the other language) are learned only
then: they cost plugins and catalogues that most calls do not need.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

from frugal.cli.interrupts import noted
from frugal.cli.outcome import Finished, Outcome
from frugal.cli.session import SERVE, VALUE_OPTIONS, Session
from frugal.errors import UsageError
from frugal.model import Mode, ModeOption

Values = Mapping[str, Any]
Run = Callable[[Session, Values], Outcome]

HELP_NAMES = ("--help", "-h")


class Argument(NamedTuple):
    """A value without a name; *is_list* takes all the words that are left for it."""

    key: str
    shown: str
    description: str
    is_required: bool = True
    is_list: bool = False


class Option(NamedTuple):
    """A value with a name, or a switch. *shown* is the name in the active language; *names* has it and others.

    Words that came without an option may have been meant for one that *takes_words*.
    """

    key: str
    names: tuple[str, ...]
    shown: str
    description: str
    metavar: str = ""
    is_list: bool = False
    takes_words: bool = False

    @property
    def is_switch(self) -> bool:
        """Whether the name alone says it."""
        return not self.metavar


class Section(NamedTuple):
    """One block of a help text: a heading and pairs of what is typed and what it means."""

    heading: str
    rows: tuple[tuple[str, str], ...]


class Learner(click.Command):
    """What every command of ours has: common options, words learned when they occur, help from the catalogue."""

    session: Session
    is_leaf = True
    is_of_mode = False
    """Whether the command belongs to a mode already: then its help leaves out the flags that choose one."""

    def learn(self, unknown: frozenset[str]) -> None:
        """Make the options of *unknown* known, if there is any such."""
        self.learn_flags()

    def learn_flags(self) -> None:
        """Take the flags of every mode."""
        known = {name for parameter in self.params for name in parameter.opts}
        for mode in self.session.registry().modes:
            if mode.flags and mode.flags[0] not in known:
                is_hidden = self.is_of_mode and not mode.is_wrapper
                self.params.append(_mode_flag(self.session, mode, is_hidden=is_hidden))
            for option in mode_options(self.session, mode):
                if not known & set(option.opts):
                    self.params.append(option)
                    known |= set(option.opts)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse *args*; whatever is left over is refused by name."""
        known = _option_values(self.params)
        unknown = frozenset(_names(args, known, is_leaf=self.is_leaf)) - known.keys()
        if unknown:
            self.learn(unknown)
        rest = super().parse_args(ctx, args)
        if self.is_leaf and rest:
            usage = f"{ctx.command_path} {self.usage_words()}".rstrip()
            raise self.refuse_words(" ".join(rest)[:60], usage)
        return rest

    def refuse_words(self, value: str, usage: str) -> UsageError:
        """Return what is wrong with words that no argument takes."""
        return UsageError("extra_words", value=value, usage=usage)

    def help_sections(self) -> Iterable[Section]:
        """Return the blocks of this command's help."""
        return ()

    def usage_words(self) -> str:
        """Return what follows the command in the usage line."""
        return ""

    def description_text(self) -> str:
        """Return what the command does."""
        return ""


def _names(args: Sequence[str], known: Mapping[str, bool], *, is_leaf: bool) -> Iterator[str]:
    """Yield the long options in *args*, for a group only those before its sub-command."""
    words = iter(args)
    for word in words:
        if word == "--":
            return
        if word.startswith("-") and len(word) > 1:
            name, equals, _ = word.partition("=")
            yield name
            if known.get(name) and not equals:
                next(words, None)
        elif not is_leaf:
            return


def _option_values(parameters: Iterable[click.Parameter]) -> dict[str, bool]:
    """Return the names of the options among *parameters*, and whether a value follows."""
    return {
        name: not item.is_flag
        for item in parameters
        if isinstance(item, click.Option)
        for name in (*item.opts, *item.secondary_opts)
    }


class Command(Learner):
    """A leaf: arguments, options and the function that does the work."""

    def __init__(
        self,
        session: Session,
        name: str,
        run: Run,
        *,
        description: str,
        arguments: Sequence[Argument] = (),
        options: Sequence[Option] = (),
        path: str = "",
    ) -> None:
        self.session = session
        self.arguments = tuple(arguments)
        self.options = tuple(options)
        self.path = path or name
        self._run = run
        self._description = description
        own = [_click_argument(item) for item in arguments] + [_click_option(item) for item in options]
        taken = {option for parameter in own for option in parameter.opts}
        common = [item for item in common_options(session) if not taken & set(item.opts)]
        super().__init__(
            name, params=[*own, *common], add_help_option=False, context_settings={"allow_extra_args": True}
        )

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Note which command runs, then parse."""
        self.session.command = self.path
        return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Outcome:
        """Do the work."""
        self.session.refuse_http(self.path)
        if self.path == SERVE:  # a server ends in its own way
            return self._run(self.session, ctx.params)
        with noted(self.session.note_interruption):
            return self._run(self.session, ctx.params)

    def usage_words(self) -> str:
        """Return the placeholder for options, and the arguments."""
        words = [item.shown + ("..." if item.is_list else "") for item in self.arguments]
        needed = zip(words, self.arguments, strict=True)
        shown = [word if item.is_required else f"[{word}]" for word, item in needed]
        options = [self.session.text("cli.words.options")] if self.options else []
        return " ".join([*options, *shown])

    def refuse_words(self, value: str, usage: str) -> UsageError:
        """Name the options that take words, where the command has such."""
        options = ", ".join(item.shown for item in self.options if item.takes_words)
        if not options:
            return super().refuse_words(value, usage)
        key = "words_after_arguments" if self.arguments else "words_without_option"
        return UsageError(key, command=self.path, value=value, options=options, usage=usage)

    def description_text(self) -> str:
        """Return what the command does."""
        return self._description

    def help_sections(self) -> Iterable[Section]:
        """Return arguments, own options, and where the common ones are explained."""
        text = self.session.text
        if self.arguments:
            rows = tuple((item.shown, item.description) for item in self.arguments)
            heading = "tool_arguments" if self.is_of_mode else "arguments"
            yield Section(text(f"cli.headings.{heading}"), rows)
        if self.options:
            yield Section(text("cli.headings.options"), tuple(option_row(item) for item in self.options))


def option_row(option: Option) -> tuple[str, str]:
    """Return an option as a row of help."""
    return (f"{option.shown} {option.metavar}".rstrip(), option.description)


def _click_argument(item: Argument) -> click.Argument:
    return click.Argument(
        [item.key],
        required=item.is_required,
        nargs=-1 if item.is_list else 1,
        metavar=item.shown,
    )


def _click_option(item: Option) -> click.Option:
    names = [*item.names, item.key]
    if item.is_switch:
        return click.Option(names, is_flag=True, default=False)
    return click.Option(names, multiple=item.is_list, default=None, metavar=item.metavar)


def common_options(session: Session) -> list[click.Option]:
    """Return the options that every command takes."""

    def keep(key: str) -> Callable[[click.Context, click.Parameter, Any], None]:
        def note(_ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
            if value is not None:
                session.options[key] = value

        return note

    def keep_http(_ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
        session.http = session.http if value is None else value

    def show_help(ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
        if value:
            from frugal.cli.help import help_text

            raise Finished(Outcome(help_text(ctx)))

    values = [
        click.Option([f"--{key}", f"common_{key}"], expose_value=False, callback=keep(key), is_eager=True)
        for key in VALUE_OPTIONS
    ]
    http = click.Option(
        ["--http", "common_http"], expose_value=False, callback=keep_http, is_eager=True, hidden=True
    )
    as_json = click.Option(["--json", "common_json"], is_flag=True, expose_value=False)
    # Not eager, so that the options before it count; without arguments it still comes before "missing".
    helped = click.Option([*HELP_NAMES, "common_help"], is_flag=True, expose_value=False, callback=show_help)
    return [*values, http, as_json, helped]


def mode_options(session: Session, mode: Mode) -> list[click.Option]:
    """Return the options that *mode* has of its own; their values go to `Options.own`."""

    def keep(option: ModeOption) -> Callable[[click.Context, click.Parameter, Any], None]:
        def note(_ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
            words = value if option.is_many else [] if value is None else [value]
            session.own += [(option.name, word) for word in words]

        return note

    return [
        click.Option(
            [f"--{option.name}", f"own_{option.name}".replace("-", "_")],
            expose_value=False,
            callback=keep(option),
            multiple=option.is_many,
            hidden=True,
        )
        for option in mode.options
    ]


def _mode_flag(session: Session, mode: Mode, *, is_hidden: bool) -> click.Option:
    def note(_ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
        if value:
            typed = next((flag for flag in mode.flags if flag in session.argv), mode.flags[0])
            session.flag(typed, mode)

    names = [*mode.flags, f"mode_{mode.name}".replace("-", "_")]
    return click.Option(names, is_flag=True, expose_value=False, callback=note, hidden=is_hidden)
