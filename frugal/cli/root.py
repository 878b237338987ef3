"""The root of the shell: which command runs, and how its outcome is told."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from frugal.cli import SCRIPTS, console
from frugal.cli.command import Learner, Section, common_options
from frugal.cli.outcome import DONE, Finished, Outcome, envelope
from frugal.cli.session import Session
from frugal.errors import UsageError

COMMANDS: dict[str, str] = {
    "serve": "frugal.cli.serve:build",
    "import": "frugal.cli.importing:build",
    "modes": "frugal.cli.modes:build",
    "skill": "frugal.cli.skill:build",
    "demo": "frugal.cli.demo:build",
    "export": "frugal.cli.export:build",
    "merge": "frugal.cli.merge:build",
    "backup": "frugal.cli.backup:build",
    "restore": "frugal.cli.restore:build",
    "upkeep": "frugal.cli.upkeep:build",
    "doctor": "frugal.cli.doctor:build",
}
"""Every operation and the function that builds its command; the module is imported when the command is used."""


class Root(Learner, click.Group):
    """`frugal-memory`: operations, one group for each mode, and the commands of plugins."""

    is_leaf = False

    def __init__(self, session: Session) -> None:
        self.session = session
        version = click.Option(["--version"], is_flag=True, expose_value=False, callback=self._tell_version)
        super().__init__(
            session.script,
            params=[*common_options(session), version],
            add_help_option=False,
            invoke_without_command=True,
            callback=click.pass_context(self._serve_alone),
        )

    def _serve_alone(self, ctx: click.Context) -> Outcome | None:
        """Serve if the line names no command."""
        if ctx.invoked_subcommand is not None:
            return None
        from frugal.cli.serve import serve

        return serve(self.session, {})

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command named first; an unknown one is refused with the nearest."""
        command = self.get_command(ctx, args[0])
        if command is None:
            raise UsageError("unknown_command", value=args[0][:60], near=self._nearest(ctx, args[0]))
        self.session.refuse_http(args[0])
        return command.name, command, args[1:]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return an operation, a mode group or a command of a plugin."""
        if cmd_name in COMMANDS:
            return build(self.session, cmd_name)
        if self.session.is_mode(cmd_name) or self._is_any_mode(cmd_name):
            from frugal.cli.tools import ModeGroup

            return ModeGroup(self.session, self.session.registry(needed=cmd_name).mode(cmd_name))
        return self._of_plugins().get(cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return every command: operations, modes, commands of plugins."""
        modes = [mode.name for mode in self.session.registry().modes if not mode.is_wrapper]
        return [*COMMANDS, *modes, *self._of_plugins()]

    def _is_any_mode(self, name: str) -> bool:
        return any(mode.name == name and not mode.is_wrapper for mode in self.session.registry().modes)

    def _of_plugins(self) -> dict[str, click.Command]:
        """Return what plugins add; a name of ours stays ours."""
        self.session.manager.hook.frugal_commands(cli=self)
        return {name: command for name, command in self.commands.items() if name not in COMMANDS}

    def _nearest(self, ctx: click.Context, name: str) -> str:
        from frugal.cli.guesses import HELP, guess
        from frugal.strings import nearest

        if name == HELP:
            return "--help"
        mode = self.session.mode or self.session.registry().default()
        if name in {word for tool in mode.tools for word in (tool.name, tool.command)}:
            return f"{mode.name} {name}"
        if guessed := guess(mode, name, self.session.open(mode).surface.catalogue):
            return f"{mode.name} {guessed}"
        for mode in self.session.registry().modes:
            if f"--{name}" in mode.flags:
                return f"--{name}" if mode.is_wrapper else mode.name
        return nearest(name, self.list_commands(ctx))

    def usage_words(self) -> str:
        """Return the placeholders of the root."""
        return self.session.text("cli.words.root")

    def description_text(self) -> str:
        """Return what the program does without a command."""
        return self.session.text("cli.about")

    def help_sections(self) -> Iterable[Section]:
        """Return mode flags, options and commands."""
        from frugal.cli.overview import sections

        return sections(self.session, list(COMMANDS), self._of_plugins())

    def _tell_version(self, _ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
        if value:
            from frugal.cli.overview import version

            raise Finished(version())


def build(session: Session, name: str) -> click.Command:
    """Return the command of the operation *name*."""
    module, _, function = COMMANDS[name].partition(":")
    builder: Callable[[Session], click.Command] = getattr(import_module(module), function)
    return builder(session)


def run(
    argv: Sequence[str], *, script: str = "frugal-memory", environ: Mapping[str, str] | None = None
) -> int:
    """Run one line of the shell and return its exit code; whatever happens is told in words."""
    session = Session(script, argv, os.environ if environ is None else environ)
    try:
        outcome = _dispatch(session)
        session.tell_new_file()
    except BrokenPipeError:
        console.silence(sys.stdout)
        return DONE
    finally:
        session.close()
    if session.is_interrupted and outcome.problem is not None:
        outcome = _interrupted(session)
    return _tell(outcome, session)


def _dispatch(session: Session) -> Outcome:
    try:
        refuse_bytes(session.argv)
        return _as_outcome(_parse_and_invoke(session))
    except Finished as finished:
        return finished.outcome
    except BrokenPipeError:
        raise
    except (Exception, KeyboardInterrupt) as error:  # the last line of defence: words for the user
        from frugal.cli.failures import outcome_of

        return outcome_of(error, session)


def _interrupted(session: Session) -> Outcome:
    from frugal.cli.failures import outcome_of

    return outcome_of(KeyboardInterrupt(), session)


def _parse_and_invoke(session: Session) -> Any:
    name = next(iter(SCRIPTS.get(session.script, ())), "")
    command = build(session, name) if name else Root(session)
    with command.make_context(session.script, list(session.argv)) as ctx:
        return command.invoke(ctx)


def _as_outcome(result: Any) -> Outcome:
    """Return the outcome; a plugin's own click command may return an exit code or nothing."""
    if isinstance(result, Outcome):
        return result
    return Outcome(exit_code=result if isinstance(result, int) else 0, is_told=True)


def refuse_bytes(argv: Sequence[str]) -> None:
    """Raise `UsageError` if a word of the line holds bytes that are not UTF-8."""
    for number, word in enumerate(argv, 1):
        try:
            word.encode("utf-8", "surrogateescape").decode("utf-8")
        except (UnicodeDecodeError, UnicodeEncodeError) as error:
            raise UsageError("argument_not_utf8", number=number, position=error.start + 1) from None


def _tell(outcome: Outcome, session: Session) -> int:
    if session.is_json and not outcome.is_told:
        mode = session.mode.name if session.mode else None
        found = envelope(outcome, command=session.command, mode=mode, file=session.file)
        return console.answer_json(found, exit_code=outcome.exit_code)
    code = outcome.exit_code
    if outcome.text:
        code = console.answer(outcome.text, exit_code=code)
    if outcome.problem is not None:
        console.tell("\n".join(part for part in (outcome.problem.message, outcome.problem.hint) if part))
    return code
