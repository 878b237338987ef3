"""How a line of a WhatsApp export begins: in brackets, or before a dash, with dates and clocks of many countries."""

import re
from dataclasses import dataclass
from datetime import date

MARKS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_MARKS = f"[{MARKS}]*"
_BLANK = "[ \u00a0\u202f]"
_HALF = r"(?:[ap]\.?\s?m\.?|上午|下午|오전|오후|午前|午後)"
_DATE = r"(\d{1,4})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{1,4})\.?"
_CLOCK = rf"(?:({_HALF}){_BLANK}?)?(\d{{1,2}})[:.](\d{{2}})(?:[:.](\d{{2}}))?(?:{_BLANK}?({_HALF}))?"
_STYLES = {
    "brackets": re.compile(
        rf"^{_MARKS}\[{_DATE},?{_BLANK}{_MARKS}{_CLOCK}\]{_BLANK}?(.*)$", re.IGNORECASE | re.DOTALL
    ),
    "dash": re.compile(
        rf"^{_MARKS}{_DATE},?{_BLANK}{_MARKS}{_CLOCK}{_BLANK}-{_BLANK}(.*)$", re.IGNORECASE | re.DOTALL
    ),
}
_AFTERNOON = ("p", "下", "午後", "오후")

_SYSTEM_BEGINS = re.compile(
    r"^(messages and calls are end-to-end encrypted|messages to this (chat|group)|this (chat|business|group)\b"
    r"|nachrichten und anrufe sind|your security code|deine sicherheitsnummer|you('re| are) now an admin"
    r"|tap to learn more|les messages et les appels|los mensajes y las llamadas)",
    re.IGNORECASE,
)
_SYSTEM_WITHIN = re.compile(
    r"\b(created (this )?group|changed (the|this) (subject|group|group's icon|group description|settings)"
    r"|added|removed|left|joined using|security code|changed their phone number|changed to|turned (on|off) disappearing"
    r"|hat (die|den|das) (gruppe|betreff|gruppenbild)|hat .{1,60} (hinzugefügt|entfernt)|hat die gruppe verlassen"
    r"|ist der gruppe beigetreten|sicherheitsnummer)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Head:
    """Date, clock and the rest of a line. *numbers* are the three of the date as they stand."""

    numbers: tuple[int, int, int]
    separator: str
    is_year_first: bool
    clock: tuple[int, int, int]
    rest: str

    def day(self, order: str) -> date | None:
        """Return the date if its numbers come in *order*, None if there is no such day; a year in front is one anyhow."""
        first, second, third = self.numbers
        if self.is_year_first or order == "ymd":
            year, month, day = first, second, third
        elif order == "dmy":
            day, month, year = first, second, third
        else:
            month, day, year = first, second, third
        try:
            return date(year + 2000 if year < 100 else year, month, day)
        except ValueError:
            return None


def style_of(text: str) -> str:
    """Return the style of the head of *text*, "" if it has none."""
    return next((name for name, pattern in _STYLES.items() if pattern.match(text)), "")


def read_head(text: str, style: str) -> Head | None:
    """Return the head of *text* in *style*."""
    found = _STYLES[style].match(text)
    if not found:
        return None
    first, second, third = int(found[1]), int(found[3]), int(found[4])
    is_year_first = len(found[1]) == 4
    if len(found[1]) == 3 or len(found[4]) == 3 or (len(found[4]) == 4 and is_year_first):
        return None
    half = (found[5] or found[9] or "").lower()
    hour = int(found[6])
    if half and hour <= 12:
        hour = hour % 12 + (12 if half.startswith(_AFTERNOON) else 0)
    clock = (hour, int(found[7]), int(found[8] or 0))
    return Head((first, second, third), found[2], is_year_first, clock, found[10])


def sender_of(rest: str, senders: frozenset[str]) -> tuple[str, str]:
    """Return sender and text of what follows a head; "" for a line of the program itself."""
    at = -1
    while (at := rest.find(":", at + 1)) > 0:
        name = plain_name(rest[:at])
        if name in senders and (rest[at + 1 : at + 2] in ("", " ", "\n", "\u00a0")):
            return name, rest[at + 1 :].removeprefix(" ")
    return "", rest


def plain_name(name: str) -> str:
    """Return a name without direction marks and without the sign of somebody who is no contact."""
    plain = "".join(char for char in name if char not in MARKS).replace("\u202f", " ").replace("\u00a0", " ")
    return plain.strip().removeprefix("~").strip()


def is_system_text(text: str, *, strict: bool = False) -> bool:
    """Tell whether *text* is one of the program's own lines; *strict* takes only what nobody types."""
    plain = text.lstrip(MARKS)
    return bool(_SYSTEM_BEGINS.match(plain)) or (not strict and bool(_SYSTEM_WITHIN.search(plain)))
