"""Pasted measurement rows: `quantity | value | arm | seed | n`, one a line, or a Markdown table."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from frugal.api import spell_out

MOST_ROWS = 500
FIELD_CHARACTERS = 400
FIELDS = ("quantity", "value", "arm", "seed", "n")

_LINE_END = re.compile(r"\r\n|\n|\r")
_BAR = re.compile(r"(?<!\\)\|")
_RULER = re.compile(r":?-{2,}:?")
_HEADINGS = ({"quantity", "groesse"}, {"value", "wert"}, {"arm"}, {"seed", "start"}, {"n"})
_EVERY_HEADING = frozenset().union(*_HEADINGS)


@dataclass(frozen=True)
class RowDraft:
    """One row as read; *line* counts from 1. `quantity`, `arm`, `seed` and `n` are on one line, `value` is verbatim."""

    line: int
    quantity: str
    value: str
    arm: str = ""
    seed: str = ""
    n: str = ""


@dataclass(frozen=True)
class Fault:
    """A line that is no row: *key* names the reason, *most* and *length* the numbers in it."""

    line: int
    text: str
    key: str
    length: int = 0


@dataclass(frozen=True)
class ParsedText:
    """The rows of a text, and its faults: with one of them no row counts."""

    rows: tuple[RowDraft, ...]
    faults: tuple[Fault, ...]


def parse_rows(text: str) -> ParsedText:
    """Return the rows of *text*; blank lines, ruler lines and headings of either language are skipped."""
    rows: list[RowDraft] = []
    faults: list[Fault] = []
    for number, line in _lines(text):
        fields = split_fields(line)
        if _is_ruler(fields) or _is_heading(fields):
            continue
        read = _read(number, line, fields)
        if isinstance(read, Fault):
            faults.append(read)
        else:
            rows.append(read)
    return ParsedText(tuple(rows), tuple(faults))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if line.strip():
            yield number, line.strip()


def split_fields(line: str) -> list[str]:
    r"""Return the fields of *line*, stripped; `\|` is a literal bar, bars at both ends are a table's."""
    pieces = [piece.strip() for piece in _BAR.split(line)]
    if len(pieces) > 2 and not pieces[0] and not pieces[-1]:
        pieces = pieces[1:-1]
    return [piece.replace(r"\|", "|") for piece in pieces]


def join_fields(fields: tuple[str, ...]) -> str:
    """Write *fields* as a row, empty ones at the end left off; `split_fields` reads them back."""
    last = max((index for index, field in enumerate(fields) if field), default=0)
    return " | ".join(field.replace("|", r"\|") for field in fields[: last + 1])


def _is_ruler(fields: list[str]) -> bool:
    return len(fields) > 1 and all(_RULER.fullmatch(field) for field in fields)


def _words(fields: list[str]) -> list[str]:
    return [spell_out(field.strip("*_ ")) for field in fields]


def _is_heading(fields: list[str]) -> bool:
    pairs = zip(_words(fields), _HEADINGS, strict=False)
    return 2 <= len(fields) <= len(FIELDS) and all(word in names for word, names in pairs)


def _read(number: int, line: str, fields: list[str]) -> RowDraft | Fault:
    if fault := _fault_of(fields):
        return Fault(number, line, fault, len(fields))
    quantity, value, *rest = fields
    draft = RowDraft(number, _one_line(quantity), value, *(_one_line(field) for field in rest))
    longest = max(len(draft.quantity), len(draft.value), len(draft.arm), len(draft.seed), len(draft.n))
    if longest > FIELD_CHARACTERS:
        return Fault(number, line, "field_too_long", longest)
    return draft


def _fault_of(fields: list[str]) -> str:
    """Return the key of what is wrong with *fields*, "" if nothing is."""
    if len(fields) < 2:
        return "too_few_fields"
    if len(fields) > len(FIELDS):
        return "too_many_fields"
    if all(word in _EVERY_HEADING for word in _words(fields)):
        return "heading_order"
    if not fields[0]:
        return "no_quantity"
    return "" if fields[1] else "no_value"


def _one_line(text: str) -> str:
    return " ".join(text.split())
