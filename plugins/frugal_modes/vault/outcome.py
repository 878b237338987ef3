"""What a write came to, as one line of fields, in the shell as sentences; notes below, and the same for `--json`."""

import json
from collections.abc import Iterable, Iterator, Sequence
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
        lines = [" ".join(self._fields())]
        if "id" in self.fields and self.fields["id"] is None:
            counts["indexed"] = False
        if self.existing:
            counts["count"] = len(self.existing)
        if self.call.is_from_shell:
            lines = list(self._sentences())
        if self.leaks:
            counts["secrets"] = leak_items(self.leaks)
        notes = [*leak_lines(surface, self.leaks), *self.notes]
        is_split = self.call.is_from_shell and exit_code is None  # there, notes and warnings go to stderr
        counts = {name: _masked(value) for name, value in counts.items()}
        items = tuple(_item(known) for known in self.existing)
        return Answer(
            "\n".join([*lines, *([] if is_split else notes)]),
            items=items,
            counts={**counts, "notes": notes},
            notes=tuple(notes) if is_split else (),
            is_refusal=exit_code is not None,
            exit_code=exit_code,
            code=self.action,
        )

    def _fields(self) -> Iterator[str]:
        """Yield what a client reads: `name=value`."""
        yield f"action={self.action}"
        for name, value in self.fields.items():
            if value not in ("", None, False) and name != "ref":
                yield f"{name}={self._shown(name, value)}"
        if "id" in self.fields and self.fields["id"] is None:
            yield "indexed=false"
        if self.existing:
            yield f"existing={', '.join(self._listed(self.existing))}"
            yield f"count={len(self.existing)}"

    def _sentences(self) -> Iterator[str]:
        """Yield the same in words, for the shell."""
        surface, fields = self.call.surface, self.fields
        number = fields.get("id")
        shown = {name: masked(str(fields.get(name) or "")) for name in ("trash", "version", "superseded")}
        yield surface.text(
            f"vault.told.{self.action}",
            card=f"{'' if number is None else surface.id(number)} {masked(fields.get('path', ''))}".strip(),
            changed=", ".join(fields.get("changed", ())),
            count=fields.get("purged", 0),
            size=fields.get("bytes", 0),
            **shown,
        ).strip()
        if shown["superseded"] and self.action == "created":
            yield surface.text("vault.told.supersedes", superseded=shown["superseded"])
        if self.existing:
            yield surface.text("vault.told.existing", cards=", ".join(self._listed(self.existing)))

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
