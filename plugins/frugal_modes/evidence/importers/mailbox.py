"""Mailboxes: mails one after another in a file, each behind a line that begins with `From `."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from email.message import Message as Mail
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parseaddr, parsedate_tz
from hashlib import blake2b

from frugal_modes.evidence.importers.jsonl import told_lines
from frugal_modes.evidence.importers.lines import Line
from frugal_modes.evidence.importers.mailtext import Decoded, body_of, decode_words, without_quotes
from frugal_modes.evidence.importers.reading import LINE_BYTES, Reading, Rejected, mended, rejected
from frugal_modes.evidence.importers.sources import SourceFile
from frugal_modes.evidence.importers.times import Moment, NoMoment, from_datetime
from frugal_modes.evidence.records import Item, Place, Reject, Repair

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
MOST_KNOWN_THREADS = 400_000
SUBJECT_CHARACTERS = 1_000
_FROM_LINE = re.compile(
    rb"^From .*?\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +"
    rb"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +(\d{1,2}) +(\d\d):(\d\d)(?::(\d\d))?(?: +[A-Z]{2,5})?"
    rb"(?: +([+-]\d{4}))?(?: +[A-Z]{2,5})? +(\d{4})(?: +([+-]\d{4}))?\s*$"
)
_FIELD = re.compile(rb"^[!-9;-~]+[ \t]*:")
_QUOTED_FROM = re.compile(rb"^>+From ")
_MESSAGE_ID = re.compile(r"<([^<>\s]+)>")


@dataclass
class _Pile:
    """The lines of the mail that is being read."""

    place: Place
    from_line: bytes
    lines: list[bytes] = field(default_factory=list)
    size: int = 0

    def add(self, line: bytes) -> None:
        """Take a line, without the sign that protects a `From ` inside a mail; attachments may be cut off."""
        self.size += len(line) + 1
        if self.size <= LINE_BYTES:
            self.lines.append(line[1:] if _QUOTED_FROM.match(line) else line)


@dataclass
class Threads:
    """Which thread a mail belongs to whose headers name only the mail it answers."""

    roots: dict[int, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def root(self, identity: str, references: list[str], answered: str) -> str:
        """Return the first mail of the thread, "" for a mail that begins one."""
        root = references[0] if references else self.roots.get(hash(answered), answered) if answered else ""
        if root and len(self.roots) < MOST_KNOWN_THREADS:
            self.roots[hash(identity)] = self.names.setdefault(root, root)
        return root


def is_from_line(line: bytes) -> bool:
    """Tell whether *line* may begin a mail."""
    return bool(_FROM_LINE.match(line))


def read_mailbox(file: SourceFile, reading: Reading) -> Iterator[Item]:
    """Yield the mails of *file*."""
    threads = Threads()
    for item in _piles(file, reading):
        if not isinstance(item, _Pile):
            yield item
            continue
        try:
            yield from _mail(item, file.path.stem, threads, reading)
        except Rejected as error:
            yield rejected(item.place, error)


def _piles(file: SourceFile, reading: Reading) -> Iterator["_Pile | Item"]:
    """Yield the mails as lines. A mail begins with a full `From ` line behind an empty one, with a header behind it."""
    pile: _Pile | None = None
    waiting: tuple[bytes, Place] | None = None
    is_blank = True
    for line, place in told_lines(file, reading):
        if not isinstance(line, Line):
            yield line
            continue
        data = line.data
        if waiting is not None:
            if _FIELD.match(data) or _FROM_LINE.match(data) or _QUOTED_FROM.match(data):
                if pile is not None:
                    yield pile
                pile = _Pile(waiting[1], waiting[0])
            elif pile is not None:
                pile.add(waiting[0])
            else:
                yield Reject(waiting[1], "truncated_source", "no header")
            waiting = None
        if is_blank and _FROM_LINE.match(data):
            waiting = (data, place)
        elif pile is not None:
            pile.add(data)
        elif data.strip():
            yield Reject(place, "bad_type", "no From line")
            return
        is_blank = not data.strip()
    if waiting is not None and pile is not None:
        pile.add(waiting[0])
    if pile is not None:
        yield pile


def _mail(pile: _Pile, mailbox: str, threads: Threads, reading: Reading) -> Iterator[Item]:
    mail = _parsed(pile)
    subject = decode_words(_header(mail, "Subject"))[:SUBJECT_CHARACTERS]
    body = body_of(mail)
    if body.is_repaired:
        yield Repair(pile.place, "charset")
    moment = _moment(mail, pile, reading)
    name, address = _sender(mail)
    key = _first_id(_header(mail, "Message-ID")) or _hashed(mail, subject, body)
    references = _MESSAGE_ID.findall(_header(mail, "References"))
    answered = _first_id(_header(mail, "In-Reply-To")) or (references[-1] if references else "")
    said = without_quotes(body.text)
    text = _below(subject, said) if said or subject else body.text
    yield from reading.message(
        pile.place,
        natural_key=key,
        conversation_id=mailbox,
        conversation_name=mailbox,
        conversation_type="mailbox",
        sender_id=address or name or "unknown",
        sender_name=name or address or "unknown",
        sender_email=address,
        sent_at=moment.ms,
        zone_known=moment.zone_known,
        text=text,
        text_raw=_below(subject, body.text.strip("\n")),
        thread=threads.root(key, references, answered),
        reply_to=answered,
    )


def _parsed(pile: _Pile) -> "Mail[str, str]":
    try:
        return BytesParser(policy=compat32).parsebytes(b"\n".join(pile.lines))
    except (
        Exception
    ) as error:  # the parser promises never to raise, and malformed mail made it do so for years
        raise Rejected("bad_encoding", f"{type(error).__name__}: {error}") from None


def _header(mail: "Mail[str, str]", name: str) -> str:
    """Return a header as it stands; of bytes outside ASCII the parser makes an object that turns into text."""
    try:
        value = mail.get(name, "")
        return " ".join(str(value).split())
    except Exception:  # a header so broken that it cannot be told is none
        return ""


def _below(subject: str, body: str) -> str:
    return "\n\n".join(part for part in (subject, body) if part.strip())


def _first_id(header: str) -> str:
    found = _MESSAGE_ID.search(header)
    return mended(found[1] if found else header.strip("<> "))[:256]


def _hashed(mail: "Mail[str, str]", subject: str, body: Decoded) -> str:
    whole = "\x1f".join((_header(mail, "From"), _header(mail, "Date"), subject, body.text))
    return "hash:" + blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _sender(mail: "Mail[str, str]") -> tuple[str, str]:
    """Return name and address; the address in lower case identifies."""
    raw = _header(mail, "From") or _header(mail, "Sender")
    try:
        name, address = parseaddr(raw)
    except Exception:  # parseaddr is known to fail on some malformed lists
        name, address = "", ""
    if "@" not in address:
        return decode_words(raw), ""
    return decode_words(name).strip('" '), address.lower()


def _moment(mail: "Mail[str, str]", pile: _Pile, reading: Reading) -> Moment:
    """Return the time of the header; where nobody can read that, of the line before the mail."""
    found = _read_date(_header(mail, "Date"), reading) or _read_from_line(pile.from_line, reading)
    if found is None:
        raise Rejected("bad_time", _header(mail, "Date"))
    return found


def _read_date(text: str, reading: Reading) -> Moment | None:
    try:
        parts = parsedate_tz(text)
        if parts is None:
            return None
        moment = datetime(*parts[:5], min(parts[5], 59))
        if parts[9] is not None:
            moment = moment.replace(tzinfo=timezone(timedelta(seconds=parts[9])))
        return from_datetime(moment, reading.zone)
    except (ValueError, TypeError, IndexError, OverflowError, NoMoment):
        return None


def _read_from_line(line: bytes, reading: Reading) -> Moment | None:
    found = _FROM_LINE.match(line)
    if not found:
        return None
    month, day, hour, minute, second, zone, year, late_zone = (
        part.decode("ascii") if part else "" for part in found.groups()
    )
    try:
        moment = datetime(
            int(year), MONTHS.index(month) + 1, int(day), int(hour), int(minute), min(int(second or 0), 59)
        )
        if offset := zone or late_zone:
            span = timedelta(hours=int(offset[1:3]), minutes=int(offset[3:]))
            moment = moment.replace(tzinfo=UTC) - (span if offset[0] == "+" else -span)
        return from_datetime(moment, reading.zone)
    except (ValueError, NoMoment, OverflowError):
        return None
