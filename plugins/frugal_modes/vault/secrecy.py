"""Likely credentials in what is written: class and place are told, the value never."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from frugal.api import Call, Credential, Surface, echo, mask_credentials, scan_credentials

SHOWN_SPANS = 3


@dataclass(frozen=True)
class Leak:
    """The credentials in one field of a write, which is called *field* in English."""

    field: str
    found: tuple[Credential, ...]


def leaks(call: Call, texts: Mapping[str, str]) -> tuple[Leak, ...]:
    """Return the credentials in *texts*, by field; none where MEMORY_SECRETS is off."""
    if call.settings.secret_policy == "off":
        return ()
    scanned = (Leak(field, scan_credentials(text)) for field, text in texts.items())
    return tuple(leak for leak in scanned if leak.found)


def is_refusing(call: Call, *, reject_secrets: bool) -> bool:
    """Tell whether a write with a likely credential is rejected."""
    return reject_secrets or call.settings.secret_policy == "refuse"


def leaks_refused(call: Call, texts: Mapping[str, str], *, reject_secrets: bool) -> tuple[Leak, ...]:
    """Return what forbids the write: `reject_secrets` looks even where MEMORY_SECRETS is off."""
    if not is_refusing(call, reject_secrets=reject_secrets):
        return ()
    scanned = (Leak(field, scan_credentials(text)) for field, text in texts.items())
    return tuple(leak for leak in scanned if leak.found)


def leak_lines(surface: Surface, found: Iterable[Leak]) -> list[str]:
    """Return a line a field: class, count and places, `line:first-last`."""
    lines: list[str] = []
    for leak in found:
        parts = []
        for kind, count in Counter(item.kind for item in leak.found).items():
            spans = [span(item) for item in leak.found if item.kind == kind]
            shown = ", ".join(spans[:SHOWN_SPANS]) + (", ..." if count > SHOWN_SPANS else "")
            parts.append(f"{kind} x{count} ({shown})")
        lines.append(surface.text("vault.writing.secret", field=leak.field, found="; ".join(parts)))
    return lines


def leak_items(found: Iterable[Leak]) -> list[dict[str, object]]:
    """Return the same for `--json`: class, field, count, spans."""
    return [
        {
            "class": kind,
            "field": leak.field,
            "count": count,
            "spans": [span(item) for item in leak.found if item.kind == kind],
        }
        for leak in found
        for kind, count in Counter(item.kind for item in leak.found).items()
    ]


def span(found: Credential) -> str:
    """Return the place of a credential: `3:12-31`, line and columns from 1."""
    return f"{found.line}:{found.column}-{found.end_column}"


def masked(text: str) -> str:
    """Return *text* with `[secret: class]` in the place of each likely credential."""
    return mask_credentials(text, scan_credentials(text))


def echoed(text: str) -> str:
    """Return *text* for an error line: masked, then its first characters."""
    return echo(masked(text))


def without_secrets(title: str) -> str:
    """Return *title* for a file name: each likely credential is the word `secret`."""
    done, parts = 0, []
    for found in scan_credentials(title):
        parts += [title[done : found.start], "secret"]
        done = found.end
    return "".join(parts) + title[done:]
