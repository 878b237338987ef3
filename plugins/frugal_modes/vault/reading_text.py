"""How one card is told: warnings, what it is, then a window of its text between marker lines, within the cap."""

from collections.abc import Sequence
from dataclasses import dataclass

from frugal.api import Call, Room, cost, cut, one_line
from frugal_modes.vault.secrecy import masked
from frugal_modes.vault.shelf import Known
from frugal_modes.vault.tools_reading import get_cap

SHOWN_TAGS = 30
LEAST_MARKER = 8


@dataclass(frozen=True)
class Shown:
    """Everything that is told of one card. *secrets* are classes of likely credentials in it."""

    known: Known
    title: str
    body: str
    kind: str
    agent: str = ""
    status: str = ""
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    expires: str = ""
    invalid_at: str = ""
    reads: int = 0
    line: int = 0
    member: str = ""
    secrets: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    is_foreign_instruction: bool = False
    state: str = ""
    warnings: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Window:
    """A stretch of the body: *text* from *offset* on; *next_offset* is None at the end."""

    text: str
    offset: int
    length: int

    @property
    def next_offset(self) -> int | None:
        """Where the next window begins."""
        end = self.offset + len(self.text)
        return end if end < self.length else None


def say(call: Call, key: str, /, **fields: object) -> str:
    """Return a text of this tool."""
    return call.surface.text(f"vault.get.{key}", **fields)


def fitted(call: Call, shown: Shown, window: Window, *, full: bool) -> tuple[str, Window]:
    """Return the answer with as much of *window* as the cap allows, and that window."""
    room = Room(get_cap({"full": full}))
    head, last = _head(call, shown), _last(call, 10**9, 10**9)
    frame = "\n".join(
        [*head, _span(call, Window("", 10**9, 10**9)), *_markers(call, shown, window.text), last, ""]
    )
    kept = cut(window.text, room.less(cost(frame)))
    window = Window(kept, window.offset, window.length)
    start, end = _markers(call, shown, kept)
    lines = [*head, _span(call, window), start, kept, end]
    if window.next_offset is not None:
        lines.append(_last(call, window.length - window.next_offset, window.next_offset))
    return "\n".join(lines), window


def _last(call: Call, count: int, next_offset: int) -> str:
    return say(call, "more", count=count, next_offset=next_offset)


def _span(call: Call, window: Window) -> str:
    end = window.offset + len(window.text)
    return say(call, "window", start=window.offset, end=end, length=window.length)


def _markers(call: Call, shown: Shown, text: str) -> tuple[str, str]:
    """Return the lines around a text, longer than any row of the same sign at the beginning of a line in it."""
    size = LEAST_MARKER
    for line in text.splitlines():
        size = max(size, len(line) - len(line.lstrip("=")) + 1)
    rule = "=" * min(size, 200)
    origin = f"{call.surface.id(shown.known.number)} {one_line(masked(shown.known.ref), 200)}"
    key = "begin_foreign" if shown.is_foreign_instruction else "begin"
    return f"{rule} {say(call, key, origin=origin)}", f"{rule} {say(call, 'end', origin=origin)}"


def _head(call: Call, shown: Shown) -> list[str]:
    surface = call.surface
    place = f":{shown.line}" if shown.line else ""
    member = f" ({one_line(shown.member, 100)})" if shown.member else ""
    first = f"{surface.id(shown.known.number)} {one_line(masked(shown.title), 200)}"
    parts = [
        f"{one_line(masked(shown.known.ref), 300)}{place}{member}",
        _named(call, "kind", shown.kind),
        _named(call, "agent", masked(shown.agent)),
        _named(call, "status", shown.status),
        _named(call, "tags", _tags(shown.tags)),
    ]
    dates = [
        _named(call, name, getattr(shown, name)) for name in ("created", "updated", "expires", "invalid_at")
    ]
    counts = [_named(call, "reads", str(shown.reads)), _named(call, "length", str(len(shown.body)))]
    copies = ", ".join(one_line(masked(ref), 200) for ref in shown.copies[:5])
    lines = [*shown.warnings, first, " · ".join(part for part in parts if part)]
    lines.append(" · ".join(part for part in [*dates, *counts, _named(call, "copies", copies)] if part))
    if shown.secrets:
        lines.append(say(call, "secrets", classes=", ".join(shown.secrets)))
    return lines


def _named(call: Call, name: str, value: str) -> str:
    return say(call, name, value=one_line(value, 600)) if value else ""


def _tags(tags: Sequence[str]) -> str:
    shown = ", ".join(masked(tag) for tag in tags[:SHOWN_TAGS])
    return f"{shown}, +{len(tags) - SHOWN_TAGS}" if len(tags) > SHOWN_TAGS else shown


def item_of(shown: Shown) -> dict[str, object]:
    """Return what `--json` says of the card."""
    known = shown.known
    return {
        "id": known.number,
        "ref": masked(known.ref),
        "path": masked(known.path),
        "title": masked(shown.title),
        "kind": shown.kind,
        "source": known.source,
        "agent": masked(shown.agent),
        "status": shown.status,
        "tags": [masked(tag) for tag in shown.tags],
        "created": shown.created,
        "updated": shown.updated,
        "invalid_at": shown.invalid_at,
        "expires_at": shown.expires,
        "state": shown.state,
        "superseded_by": known.successor,
        "supersedes": list(known.supersedes),
        "reads": shown.reads,
        "copies": [masked(ref) for ref in shown.copies],
        "secrets": list(shown.secrets),
        "line": shown.line,
        "metadata": dict(shown.metadata),
    }


def counts_of(shown: Shown, window: Window) -> dict[str, object]:
    """Return what `--json` says of the card and of the window."""
    return {
        **item_of(shown),
        "text": window.text,
        "offset": window.offset,
        "length": window.length,
        "returned": len(window.text),
        "truncated": len(window.text) < window.length,
        "has_more": window.next_offset is not None,
        "next_offset": window.next_offset,
        "warnings": list(shown.warnings),
    }
