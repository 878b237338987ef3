"""What the environment says about evidence: EVIDENCE_*."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from frugal.api import Call
from frugal_modes.evidence.budgets import GUEST_TOTAL_BYTES, LEAST_BYTES
from frugal_modes.evidence.errors import Denied, quoted

SECONDS = 5
EXPORT_SECONDS = 60
MOST_SECONDS = 30
EXPORT_BYTES = 2 << 30
_MOST_BYTES = 1 << 50


@dataclass(frozen=True)
class Given:
    """The settings of this mode: *total_bytes* is None where the investigation is unlimited."""

    total_bytes: int | None
    seconds: int
    is_brief: bool
    export_folder: Path
    export_bytes: int


def settings_of(call: Call) -> Given:
    """Return the settings; raise `Denied` for a value that cannot be meant: a limit is not to be lost by a typo."""
    values = call.settings.values
    default_total = GUEST_TOTAL_BYTES if call.is_guest else None
    folder = values.get("EVIDENCE_EXPORT_DIR", "").strip()
    beside = call.settings.path.expanduser().parent / "exports"
    return Given(
        total_bytes=_number(values, "EVIDENCE_TOTAL_BYTES", default_total, (LEAST_BYTES, _MOST_BYTES)),
        seconds=_number(values, "EVIDENCE_SECONDS", SECONDS, (1, MOST_SECONDS)) or SECONDS,
        is_brief=_is_brief(values),
        export_folder=Path(folder).expanduser() if folder else beside,
        export_bytes=_number(values, "EVIDENCE_EXPORT_BYTES", EXPORT_BYTES, (1, _MOST_BYTES)) or EXPORT_BYTES,
    )


def _is_brief(values: Mapping[str, str]) -> bool:
    word = values.get("EVIDENCE_TEXT", "").strip().lower()
    if word not in ("", "json", "brief"):
        raise _unknown("EVIDENCE_TEXT", word, "json, brief")
    return word == "brief"


def _number(values: Mapping[str, str], name: str, default: int | None, limits: tuple[int, int]) -> int | None:
    text = values.get(name, "").strip().replace("_", "")
    if not text:
        return default
    least, most = limits
    if not (text.isascii() and text.isdecimal() and len(text) < 18 and least <= int(text) <= most):
        raise _unknown(name, text, f"{least}..{most}")
    return int(text)


def _unknown(name: str, value: str, known: str) -> Denied:
    return Denied("bad_argument", key="bad_argument_setting", name=name, value=quoted(value), known=known)
