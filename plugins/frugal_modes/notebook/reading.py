"""Read a number from a value as written: `[qualifier] number [± spread] [unit]` or `k/of`; the text itself stays.

The language plays no part. What is not certain is no number: better none than a wrong one.
"""

import math
import re
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

READING_VERSION = 1
"""Rises when the rules change; upkeep then reads every value again."""

UNIT_CHARACTERS = 24
VALUE_CHARACTERS = 200
"""Longer texts hold no number alone."""

_LETTER = r"[^\W\d_]"
_COMPONENT = rf"(?:{_LETTER}|[°µμ])(?:{_LETTER}|[°µμ_%])*[0-9]?"
_UNIT = rf"%|{_COMPONENT}(?:[/·*^.-]+-?(?:{_COMPONENT}|[0-9]))*"
_DIGITS = r"[0-9][0-9.,_'’ ]*|[.,][0-9]+"
_NUMBER = rf"(?:[+−-]\s?)?(?:{_DIGITS})(?:(?<=[0-9])[eE][+−-]?[0-9]{{1,6}})?"
_VALUE = re.compile(
    rf"(?P<qualifier><=|>=|[<>≤≥~≈])?\s*(?P<number>{_NUMBER})"
    rf"(?:\s*(?:±|\+-)\s*(?P<spread>{_NUMBER}))?\s*(?P<unit>{_UNIT})?"
)
_RATIO = re.compile(r"(?P<k>[0-9]{1,15})\s?/\s?(?P<of>[0-9]{1,15})")
_PARTS = re.compile(
    r"(?P<sign>[+−-])?\s?(?P<digits>[0-9.,_'’ ]+?)\s*(?:[eE](?P<exponent>[+−-]?[0-9]+))?", re.DOTALL
)
_RAISED_DIGIT = re.compile("[0-9.,][\u00b2\u00b3\u00b9\u2070-\u209c]")
_OTHER_BASE = re.compile(r"[+−-]?0[xXbBoO][0-9a-fA-F]")
_CLOCK_UNIT = re.compile(r"[hdHD][0-9]")
_GROUPED = re.compile(r"[0-9]{1,3}(?:(?P<sign>[ _'’])[0-9]{3})(?:(?P=sign)[0-9]{3})*")
_QUALIFIERS = {"≤": "<=", "≥": ">=", "≈": "~"}


@dataclass(frozen=True)
class Reading:
    """What a value says as a number. *number* is None where it says none; *k* and *of* make a ratio.

    *is_ambiguous*: `1,650` may be either, so the answer asks for `1650` or `1.650`.
    """

    number: float | None = None
    unit: str = ""
    qualifier: str = ""
    spread: float | None = None
    k: int | None = None
    of: int | None = None
    is_ambiguous: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether statistics use the number."""
        return self.number is not None and not self.qualifier


NOTHING = Reading()


class _Parsed(NamedTuple):
    number: float | None
    is_ambiguous: bool = False


def read_value(text: str) -> Reading:
    """Return the number in *text*, `NOTHING` where there is none; never raises."""
    if len(text) > VALUE_CHARACTERS or _RAISED_DIGIT.search(text):
        return NOTHING
    plain = unicodedata.normalize("NFKC", text).strip()
    if ratio := _RATIO.fullmatch(plain):
        return _ratio(int(ratio["k"]), int(ratio["of"]))
    match = None if _OTHER_BASE.match(plain) else _VALUE.fullmatch(plain)
    return _measured(match) if match and _is_unit(match["unit"] or "") else NOTHING


def _is_unit(unit: str) -> bool:
    """Tell whether *unit* may be one: not too long, and no rest of a clock time such as `h30`."""
    return len(unit) <= UNIT_CHARACTERS and not _CLOCK_UNIT.match(unit)


def _measured(match: re.Match[str]) -> Reading:
    number = _read_number(match["number"])
    spread = _read_number(match["spread"]) if match["spread"] else None
    if number.is_ambiguous or (spread is not None and spread.is_ambiguous):
        return Reading(is_ambiguous=True)
    if number.number is None or (spread is not None and (spread.number is None or spread.number < 0)):
        return NOTHING
    qualifier = match["qualifier"] or ""
    return Reading(
        number=number.number,
        unit=match["unit"] or "",
        qualifier=_QUALIFIERS.get(qualifier, qualifier),
        spread=spread.number if spread else None,
    )


def _ratio(k: int, of: int) -> Reading:
    return Reading(number=k / of, k=k, of=of) if of else NOTHING


def _read_number(text: str) -> _Parsed:
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return _Parsed(None)
    digits = parts["digits"].strip()
    plain = _plain_digits(digits)
    if plain is None:
        return _Parsed(None, is_ambiguous=_is_ambiguous(digits) and not parts["exponent"])
    sign = "-" if parts["sign"] in ("-", "−") else ""
    exponent = (parts["exponent"] or "0").replace("−", "-")
    number = float(f"{sign}{plain}e{exponent}")
    has_vanished = number == 0 and any(digit in plain for digit in "123456789")
    return _Parsed(None if math.isinf(number) or has_vanished else number)


def _plain_digits(digits: str) -> str | None:
    """Return *digits* with a decimal point and without grouping, None where their signs have no certain meaning."""
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        decimal = "." if digits.rfind(".") > digits.rfind(",") else ","
        grouping = "," if decimal == "." else "."
        whole, _, fraction = digits.partition(decimal)
        return _joined(_ungrouped(whole, grouping), fraction)
    if points + commas > 1:
        return _ungrouped(digits, "." if points else ",")
    if points + commas == 1:
        sign = "." if points else ","
        whole, _, fraction = digits.partition(sign)
        if sign == "," and _is_ambiguous(digits):
            return None
        return _joined(_whole(whole), fraction)
    return _whole(digits)


def _is_ambiguous(digits: str) -> bool:
    """Tell whether a single comma stands before exactly three digits after a group that is not zero."""
    match = re.fullmatch(r"([0-9]+),[0-9]{3}", digits)
    return match is not None and match[1].strip("0") != ""


def _joined(whole: str | None, fraction: str) -> str | None:
    if whole is None or not fraction.isdecimal():
        return None
    return f"{whole or '0'}.{fraction}"


def _ungrouped(text: str, sign: str) -> str | None:
    groups = text.split(sign)
    is_grouped = 1 <= len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    return "".join(groups) if is_grouped and all(group.isdecimal() for group in groups) else None


def _whole(text: str) -> str | None:
    """Return a whole number without its groups of three, apart by one kind of blank, `_` or apostrophe."""
    if text == "" or text.isdecimal():
        return text
    match = _GROUPED.fullmatch(text)
    return text.replace(match["sign"], "") if match else None
