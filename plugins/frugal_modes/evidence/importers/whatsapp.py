"""WhatsApp's text exports: lines with a head of date, time and sender, and the lines that continue them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime

from frugal.api import Refusal
from frugal_modes.evidence.importers.jsonl import told_lines
from frugal_modes.evidence.importers.lines import Line
from frugal_modes.evidence.importers.reading import LINE_BYTES, Reading, Rejected, rejected
from frugal_modes.evidence.importers.sources import Source, SourceFile
from frugal_modes.evidence.importers.times import Moment, NoMoment, from_datetime
from frugal_modes.evidence.importers.whatsappheads import (
    MARKS,
    Head,
    is_system_text,
    read_head,
    sender_of,
    style_of,
)
from frugal_modes.evidence.importers.whatsappnames import Names
from frugal_modes.evidence.records import Item, Place, Reject, Repair

SYSTEM = "system"
ORDERS = ("dmy", "mdy", "ymd")
A_DAY = 1
_TITLE = re.compile(r"^_?chat$|^WhatsApp[ _-]?Chat(?: with| mit| con| avec| -)?[ _-]*(.*)$", re.IGNORECASE)
_GROUP = re.compile("gro?up", re.IGNORECASE)
_COPY = re.compile(r" ?\(\d+\)$")


@dataclass
class Survey:
    """What the whole file says before it is read: the style of its heads, the order of its dates, its senders."""

    style: str = ""
    firsts: int = 0
    seconds: int = 0
    has_year_first: bool = False
    has_dots: bool = False
    names: Names = field(default_factory=Names)
    has_group_line: bool = False
    last: dict[str, date] = field(default_factory=dict)
    back: dict[str, int] = field(default_factory=lambda: {"dmy": 0, "mdy": 0})
    is_different: bool = False

    def take(self, head: Head) -> None:
        """Learn from one head."""
        if head.is_year_first:
            self.has_year_first = True
        else:
            self.firsts = max(self.firsts, head.numbers[0])
            self.seconds = max(self.seconds, head.numbers[1])
            self.has_dots = self.has_dots or head.separator == "."
            self.is_different = self.is_different or head.numbers[0] != head.numbers[1]
            self._follow(head)
        is_told = not self.names.take(head.rest)
        self.has_group_line = self.has_group_line or (is_told and bool(_GROUP.search(head.rest)))

    def _follow(self, head: Head) -> None:
        """Count the steps back in time that each order of day and month would mean."""
        for order in ("dmy", "mdy"):
            found = head.day(order)
            if found is None:
                self.back[order] += 1
                continue
            last = self.last.get(order, found)
            self.back[order] += (last - found).days > A_DAY
            self.last[order] = max(last, found)

    def order(self) -> str:
        """Return the order of the dates, "" if the file does not say: a number above 12 decides, or that messages follow
        each other in one order only. Dates with dots begin with the day wherever they are written.
        """
        if self.firsts > 12 or self.seconds > 12:
            both = self.firsts > 12 and self.seconds > 12
            return "" if both else "dmy" if self.firsts > 12 else "mdy"
        if not self.is_different or self.has_dots:
            return "dmy"
        straight = [order for order, steps in self.back.items() if not steps]
        return straight[0] if len(straight) == 1 else ""


def read_whatsapp(source: Source, file: SourceFile, reading: Reading) -> Iterator[Item]:
    """Return the messages of *file*; raise `Refusal` at once if nothing tells day from month."""
    survey = take_survey(file)
    order = reading.date_order or survey.order()
    if not order:
        raise Refusal("import_date_order", file=file.name, option="--date-order", known=", ".join(ORDERS))
    senders = survey.names.settled()
    is_group = survey.has_group_line or len(senders) > 2
    kind = "group_direct_message" if is_group else "direct_message"
    book = _Book(chat_name(source, file), kind, order, senders, reading)
    return _messages(file, book, survey.style, reading)


def _messages(file: SourceFile, book: "_Book", style: str, reading: Reading) -> Iterator[Item]:
    for line, place in told_lines(file, reading):
        if isinstance(line, Line):
            yield from book.take(line, place, style)
        else:
            yield line
    yield from book.finish()


def take_survey(file: SourceFile) -> Survey:
    """Read the heads of *file* once."""
    survey = Survey()
    silent = Reading()
    for line, _ in told_lines(file, silent):
        if not isinstance(line, Line):
            continue
        text = line.data.decode("utf-8", "replace")
        survey.style = survey.style or style_of(text)
        if survey.style and (head := read_head(text, survey.style)):
            survey.take(head)
    return survey


def chat_name(source: Source, file: SourceFile) -> str:
    """Return what the chat is called: the export names its file after it, or the archive or folder around it."""
    for name in (file.path.stem, source.stem):
        found = _TITLE.match(_COPY.sub("", name).strip())
        if found and found[1]:
            return found[1].strip()
        if not found:
            return _COPY.sub("", name).strip()
    return source.stem or "chat"


@dataclass
class _Book:
    """The message that is being read, until the head of the next one."""

    chat: str
    kind: str
    order: str
    senders: frozenset[str]
    reading: Reading
    head: Head | None = None
    place: Place | None = None
    lines: list[str] = field(default_factory=list)
    size: int = 0

    def take(self, line: Line, place: Place, style: str) -> Iterator[Item]:
        """Take one line; yield the message before it if a new one begins."""
        try:
            text = line.data.decode("utf-8")
        except UnicodeDecodeError:
            text = line.data.decode("cp1252", "replace")
            yield Repair(place, "charset")
        head = read_head(text, style) if style else None
        if head is None:
            yield from self._continue(text, place)
            return
        yield from self.finish()
        self.head, self.place, self.lines, self.size = head, place, [], 0

    def _continue(self, text: str, place: Place) -> Iterator[Item]:
        self.size += len(text)
        if self.head is not None:
            if self.size <= LINE_BYTES:  # beyond that the text is too long whatever comes
                self.lines.append(text)
        elif text.strip():
            yield Reject(place, "time_missing", text[:200])

    def finish(self) -> Iterator[Item]:
        """Yield the message that was being read."""
        head, place, self.head = self.head, self.place, None
        if head is None or place is None:
            return
        try:
            yield from self._message(head, place)
        except Rejected as error:
            yield rejected(place, error)

    def _message(self, head: Head, place: Place) -> Iterator[Item]:
        moment = self._moment(head)
        sender, said = sender_of(head.rest, self.senders)
        raw = "\n".join((said, *self.lines)).rstrip()
        text = raw.lstrip(MARKS)
        is_system = (
            not sender
            or (raw[:1] in tuple(MARKS) and is_system_text(text))
            or is_system_text(said, strict=True)
        )
        sender = SYSTEM if is_system else sender
        parts = (self.chat, moment.key, sender)
        ordinal = str(self.reading.ordinals.next(*parts))
        former = (self.chat, str(moment.ms), sender, ordinal)
        yield from self.reading.message(
            place,
            natural_key=":".join((*parts, ordinal)),
            former_key="" if moment.ms == moment.local else ":".join(former),
            conversation_id=self.chat,
            conversation_name=self.chat,
            conversation_type=self.kind,
            sender_id=sender,
            sender_name=sender,
            sender_type="system" if is_system else "unknown",
            sent_at=moment.ms,
            zone_known=False,
            text=text,
            text_raw=raw,
        )

    def _moment(self, head: Head) -> Moment:
        found = head.day(self.order)
        if found is None:
            raise Rejected("bad_time", "-".join(map(str, head.numbers)))
        try:
            moment = datetime(found.year, found.month, found.day, *head.clock)
            return from_datetime(moment, self.reading.zone)
        except (ValueError, NoMoment):
            raise Rejected("bad_time", ":".join(map(str, head.clock))) from None
