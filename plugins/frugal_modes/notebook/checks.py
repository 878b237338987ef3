"""What is looked for in every text before it is stored: memory ids without a name, likely credentials."""

import socket
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from frugal.api import Call, Credential, Refusal, Refused, host_name, scan_credentials
from frugal_modes.notebook.mentions import around, bare_mention

LITERAL = frozenset({"key", "command", "code", "parameters", "seed", "machine", "logs"})
"""Fields in which `#1` is what it is: text for a shell or a program."""

SHOWN_PLACES = 3
NOTICES = 5
POLICIES = ("warn", "refuse", "off")


@dataclass(frozen=True)
class Field:
    """A text about to be stored: *name* is the English name of its parameter, *line* that of a pasted row."""

    name: str
    text: str
    line: int = 0


@dataclass(frozen=True)
class Kept:
    """A text that was stored: *target* and *name* are what `erase` takes."""

    target: str
    name: str
    text: str


def fields_of(texts: Mapping[str, str]) -> list[Field]:
    """Return *texts* by parameter as fields, blank ones left out."""
    return [Field(name, text) for name, text in texts.items() if text]


def text_problems(call: Call, tool: str, fields: Iterable[Field]) -> list[Refusal]:
    """Return what forbids to store *fields*: bare memory ids, and credentials where the policy refuses them."""
    problems: list[Refusal] = []
    is_refused = policy(call) == "refuse"
    for field in fields:
        parameter = field_name(call, tool, field)
        found = None if field.name in LITERAL else bare_mention(field.text)
        if found:
            start, end, digits = found
            named = f"{memory_name(call)}#{digits}"
            quote = around(field.text, start, end)
            problems.append(Refusal("bare_memory_id", parameter=parameter, value=quote, named=named))
        if is_refused and (credentials := scan_credentials(field.text)):
            problems.append(Refusal("secret_refused", parameter=parameter, places=places(call, credentials)))
    return problems


def field_name(call: Call, tool: str, field: Field) -> str:
    """Return how a field is called in a message: its parameter, or the part and line of a pasted row."""
    if not field.line:
        return call.surface.parameter_word(tool, field.name)
    return call.surface.text("rows.field", name=call.surface.text(f"fields.{field.name}"), line=field.line)


def credential_notices(call: Call, kept: Iterable[Kept]) -> list[str]:
    """Return a line for each stored field that likely holds a credential: class and place, never a character of it."""
    if policy(call) == "off":
        return []
    lines: list[str] = []
    for item in kept:
        found = scan_credentials(item.text)
        if found:
            field = call.surface.text(f"fields.{item.name}")
            command = f"frugal-memory {call.mode.name} erase {item.target} --field {item.name}"
            if call.surface.shell:
                command = call.surface.call("row_erase", item.target, field=item.name)
            place = places(call, found)
            lines.append(call.surface.text("notes.credential", field=field, places=place, command=command))
    if len(lines) > NOTICES:
        lines[NOTICES:] = [call.surface.text("notes.more_credentials", count=len(lines) - NOTICES)]
    return lines


def policy(call: Call) -> str:
    """Return `warn`, `refuse` or `off`; an unknown value of MEMORY_SECRETS acts as `refuse`."""
    given = call.settings.value("MEMORY_SECRETS", "warn").lower()
    return given if given in POLICIES else "refuse"


def places(call: Call, found: Sequence[Credential]) -> str:
    """Return class, line and columns of the first credentials, the rest counted."""
    shown = [
        call.surface.text(
            "notes.credential_place",
            kind=item.kind,
            line=item.line,
            first=item.column,
            last=item.end_column,
        )
        for item in found[:SHOWN_PLACES]
    ]
    if len(found) > SHOWN_PLACES:
        shown.append(f"+{len(found) - SHOWN_PLACES}")
    return ", ".join(shown)


def memory_name(call: Call) -> str:
    """Return the name of this machine's memory, as an example of a named id."""
    return call.settings.value("MEMORY_NAME") or host_name(socket.gethostname())


def refuse(problems: Sequence[Refusal]) -> None:
    """Raise every problem at once, if there is one."""
    if problems:
        raise Refused(problems)
