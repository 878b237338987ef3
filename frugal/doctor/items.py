"""What the doctor says: one line a finding."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """How serious a finding is: only `fail` makes a check fail."""

    OK = "ok"
    NOTE = "note"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Item:
    """One finding: *id* is stable, *mode* "" for what belongs to none, *hint* the command or advice that helps.

    *is_default* marks a setting that nobody set: a list for readers counts those.
    """

    id: str
    mode: str
    state: State
    text: str
    hint: str = ""
    is_default: bool = False


@dataclass(frozen=True)
class Scribe:
    """Writes findings about one mode; *text* gives the texts of the reader's language."""

    text: Callable[..., str]
    mode: str = ""

    def ok(self, item: str, key: str, **fields: object) -> Item:
        """Say that all is well; the text is `doctor.<item>.<key>`."""
        return self._write(State.OK, item, key, "", fields)

    def note(self, item: str, key: str, *, hint: str = "", **fields: object) -> Item:
        """Say what is worth knowing."""
        return self._write(State.NOTE, item, key, hint, fields)

    def warn(self, item: str, key: str, *, hint: str = "", **fields: object) -> Item:
        """Say what may do harm."""
        return self._write(State.WARN, item, key, hint, fields)

    def fail(self, item: str, key: str, *, hint: str = "", **fields: object) -> Item:
        """Say what is wrong."""
        return self._write(State.FAIL, item, key, hint, fields)

    def quote(self, state: State, item: str, text: str, *, hint: str = "") -> Item:
        """Pass on a *text* that exists already."""
        return Item(item, self.mode, state, text, hint)

    def source(self, source: str) -> str:
        """Return where a setting came from, in words."""
        return self.text("doctor.default") if source == "default" else source

    def hint(self, key: str, **fields: object) -> str:
        """Return the advice `doctor.hints.<key>`."""
        return self.text(f"doctor.hints.{key}", **fields)

    def _write(self, state: State, item: str, key: str, hint: str, fields: dict[str, object]) -> Item:
        return Item(item, self.mode, state, self.text(f"doctor.{item}.{key}", **fields), hint)
