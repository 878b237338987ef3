"""What a write came to, as one line of fields, notes below, and the same for `--json`."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from frugal.api import Answer, Call
from frugal_modes.vault.secrecy import Leak, leak_items, leak_lines, masked
from frugal_modes.vault.shelf import Known

SHOWN_CARDS = 5
CONFLICT_EXIT = 3
REFUSED_EXIT = 1


@dataclass
class Outcome:
    """Collected while a call writes. *fields* in their order; "", None and False are not shown in the text."""

    call: Call
    action: str
    fields: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    existing: Sequence[Known] = ()
    leaks: Sequence[Leak] = ()

    def note(self, key: str, /, **data: object) -> None:
        """Add a line, `vault.writing.KEY`."""
        shown = {name: masked(value) if isinstance(value, str) else value for name, value in data.items()}
        self.notes.append(self.call.surface.text(f"vault.writing.{key}", **shown))

    def card(self, number: int | None, path: str) -> None:
        """Say which card it is about; no number: it could not be indexed."""
        self.fields["id"] = number
        self.fields["ref"] = f"vault:{path}"
        self.fields["path"] = path
        if number is None:
            self.note("not_indexed", path=path)

    def answer(self, *, exit_code: int | None = None) -> Answer:
        """Return the answer; one with an exit code is a refusal."""
        surface = self.call.surface
        counts: dict[str, object] = {"action": self.action, **self.fields}
        line = [f"action={self.action}"]
        for name, value in self.fields.items():
            if value not in ("", None, False) and name != "ref":
                line.append(f"{name}={self._shown(name, value)}")
        if "id" in self.fields and self.fields["id"] is None:
            line.append("indexed=false")
            counts["indexed"] = False
        if self.existing:
            line.append(f"existing={', '.join(self._listed(self.existing))}")
            line.append(f"count={len(self.existing)}")
            counts["count"] = len(self.existing)
        if self.leaks:
            counts["secrets"] = leak_items(self.leaks)
        notes = [*leak_lines(surface, self.leaks), *self.notes]
        is_split = self.call.is_from_shell and exit_code is None  # there, notes and warnings go to stderr
        counts = {name: _masked(value) for name, value in counts.items()}
        items = tuple(_item(known) for known in self.existing)
        return Answer(
            "\n".join([" ".join(line), *([] if is_split else notes)]),
            items=items,
            counts={**counts, "notes": notes},
            notes=tuple(notes) if is_split else (),
            is_refusal=exit_code is not None,
            exit_code=exit_code,
            code=self.action,
        )

    def _shown(self, name: str, value: object) -> str:
        if name == "id" and isinstance(value, int):
            return self.call.surface.id(value)
        if isinstance(value, bool):
            return "true"
        if isinstance(value, list | tuple):
            return ",".join(map(str, value)) or "[]"
        text = masked(str(value))
        return json.dumps(text, ensure_ascii=False) if any(char in text for char in ' "=') else text

    def _listed(self, cards: Sequence[Known]) -> Iterable[str]:
        surface = self.call.surface
        for known in cards[:SHOWN_CARDS]:
            yield f"{surface.id(known.number)} {masked(known.path)}"
        if len(cards) > SHOWN_CARDS:
            yield f"+{len(cards) - SHOWN_CARDS}"


def _masked(value: object) -> object:
    if isinstance(value, str):
        return masked(value)
    return (
        [masked(item) if isinstance(item, str) else item for item in value]
        if isinstance(value, list | tuple)
        else value
    )


def _item(known: Known) -> dict[str, object]:
    return {"id": known.number, "ref": masked(known.ref), "path": masked(known.path), "state": known.state}


def rejected(call: Call, found: Sequence[Leak]) -> Answer:
    """Return the refusal of a write with likely credentials; nothing was written."""
    outcome = Outcome(call, "rejected", leaks=found)
    outcome.note("secret_rejected")
    return outcome.answer(exit_code=REFUSED_EXIT)
