"""Failures as outcomes: what click and the engine raise becomes a problem with a code, a text and an exit code."""

import click

from frugal.cli import console
from frugal.cli.outcome import INTERRUPTED, Outcome, Problem
from frugal.cli.session import Session
from frugal.errors import FrugalError, Refusal, Refused, UsageError
from frugal.strings import nearest


def outcome_of(error: BaseException, session: Session) -> Outcome:
    """Return the outcome of *error*; of one that nobody expected, the traceback goes to stderr."""
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return _failed("interrupted", session.text("cli.errors.interrupted"), INTERRUPTED)
    if isinstance(error, click.ClickException):
        error = _usage_error(error)
    if isinstance(error, OSError):
        reason = error.strerror or type(error).__name__
        error = UsageError("os_error", path=str(error.filename or "-"), reason=reason)
    if not isinstance(error, FrugalError):
        import traceback

        console.tell("".join(traceback.format_exception(error)))
        error = FrugalError()
    hint = ""
    if isinstance(error, UsageError) and session.catalogue.has(f"cli.errors.{error.key}"):
        hint = session.text("cli.help_hint", command=f"{_path(session)} --help")
    return _failed(code_of(error), session.render(error), error.exit_code, hint)


def _path(session: Session) -> str:
    """Return how the command is called; serving needs no word, and an older script name has none."""
    is_plain = session.command == "serve" or session.script != "frugal-memory"
    return session.script if is_plain else f"{session.script} {session.command}"


def code_of(error: FrugalError) -> str:
    """Return the stable code of *error*: the key of a single problem, `refused` for several."""
    if isinstance(error, Refused):
        return code_of(error.problems[0]) if len(error.problems) == 1 else error.code
    return error.key if isinstance(error, Refusal | UsageError) else error.code


def _failed(code: str, message: str, exit_code: int, hint: str = "") -> Outcome:
    return Outcome(exit_code=exit_code, problem=Problem(code, message, hint))


def _usage_error(error: click.ClickException) -> UsageError:
    """Return what click found wrong with the line in words of ours."""
    if isinstance(error, click.NoSuchOption):
        return _unknown_option(error)
    if isinstance(error, click.MissingParameter):
        name = error.param.human_readable_name if error.param else ""
        return UsageError("missing_value", parameter=name)
    if isinstance(error, click.BadOptionUsage):
        key = "option_takes_no_value" if _is_flag(error) else "option_needs_value"
        return UsageError(key, value=error.option_name)
    return UsageError("bad_line", reason=error.format_message())


def _unknown_option(error: click.NoSuchOption) -> UsageError:
    """Return what is meant instead: the place of an argument, or the option that looks most like it."""
    known = error.ctx.command.get_params(error.ctx) if error.ctx else []
    word = error.option_name.removeprefix("--").replace("-", "_")
    for item in known:
        if isinstance(item, click.Argument) and word in (item.name, (item.metavar or "").lower()):
            assert error.ctx is not None
            return UsageError(
                "option_is_argument",
                value=error.option_name,
                argument=item.human_readable_name,
                usage=f"{error.ctx.command_path} {_words(error.ctx.command)}",
            )
    names = [name for item in known if isinstance(item, click.Option) for name in item.opts]
    return UsageError("unknown_option", value=error.option_name, near=nearest(error.option_name, names))


def _words(command: click.Command) -> str:
    from frugal.cli.command import Learner

    return command.usage_words() if isinstance(command, Learner) else ""


def _is_flag(error: click.BadOptionUsage) -> bool:
    """Tell whether a switch was given a value; the parser of click raises without a context, but its words differ."""
    if error.ctx is None:
        return "does not take a value" in error.message
    parameters = error.ctx.command.get_params(error.ctx)
    return any(error.option_name in item.opts and getattr(item, "is_flag", False) for item in parameters)
