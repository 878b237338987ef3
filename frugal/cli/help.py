"""Help texts: usage, what it does, what it takes; in the active language, 88 columns wide, on a narrow terminal less."""

import sys
import textwrap

import click

from frugal.cli.command import Learner, Section

WIDTH = 88
LEAST_WIDTH = 30
LEFT = 26
NARROW = 64
"""Below so many columns what a name means stands below it."""
NARROW_LEFT = 6


def help_text(ctx: click.Context) -> str:
    """Return the help of the command of *ctx*."""
    command = ctx.command
    if not isinstance(command, Learner):  # a plugin's own click command
        return command.get_help(ctx)
    session = command.session
    command.learn_flags()
    width = _width()
    usage = f"{ctx.command_path} {command.usage_words()}".rstrip()
    blocks = [session.text("cli.usage", usage=usage)]
    if description := command.description_text():
        blocks.append("\n".join(_wrapped(description, width)))
    blocks += [_block(section, width) for section in command.help_sections()]
    if ctx.parent is not None:
        names = ", ".join(_common(command))
        shared = session.text("cli.common", options=names, script=session.script)
        blocks.append("\n".join(_wrapped(shared, width)))
    return "\n\n".join(blocks)


def _width() -> int:
    """Return the columns to write in: those of the terminal if it is narrow."""
    if sys.stdout is None or not sys.stdout.isatty():
        return WIDTH
    import shutil

    return max(LEAST_WIDTH, min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns))


def _common(command: Learner) -> list[str]:
    """Return the first name of each option that is not the command's own."""
    return [
        item.opts[0]
        for item in command.params
        if isinstance(item, click.Option) and not item.expose_value and not item.hidden
    ]


def _block(section: Section, width: int) -> str:
    lines = _wrapped(section.heading, width)
    margin = LEFT if width >= NARROW else NARROW_LEFT
    for left, right in section.rows:
        wrapped = _wrapped(right, width - margin - 2) or [""]
        if len(left) > margin - 2:
            lines.append(f"  {left}")
        else:
            lines.append(f"  {left:<{margin}}{wrapped.pop(0)}".rstrip())
        lines += [" " * (margin + 2) + rest for rest in wrapped]
    return "\n".join(lines)


def _wrapped(text: str, width: int) -> list[str]:
    """Return *text* in lines; a command such as `frugal-memory` is never cut at its hyphen."""
    return textwrap.wrap(text, width, break_on_hyphens=False)
