"""Asking the tools in this process, as a client would, and keeping what every answer cost and showed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from frugal.api import Answer, Call, Client
from frugal_modes.evidence.budgets import CAPS, counted

ACCOUNT_BYTES = 48 * 1024


@dataclass(frozen=True)
class Told:
    """One answer: what was sent, its size as counted here, and the cap of the call."""

    tool: str
    structured: Mapping[str, Any]
    size_bytes: int
    cap: int
    is_error: bool

    @property
    def is_within_cap(self) -> bool:
        """Whether it is no larger than it may be and says so of itself."""
        disclosure = self.structured.get("disclosure", self.structured)
        return self.size_bytes <= self.cap and disclosure.get("response_bytes") == self.size_bytes

    @property
    def items(self) -> Sequence[Mapping[str, Any]]:
        """The messages that it shows as items."""
        found = self.structured.get("evidence") or self.structured.get("messages") or ()
        return found if isinstance(found, list) else ()

    @property
    def lines(self) -> Sequence[Mapping[str, Any]]:
        """The lines of context around its items."""
        return [line for item in self.items for side in ("before", "after") for line in item.get(side, ())]

    def refs(self, *, is_whole: bool = False) -> set[str]:
        """Return the refs it shows, context included; with *is_whole* only those whose text is not cut."""
        shown = (*self.items, *self.lines)
        return {item["ref"] for item in shown if not (is_whole and item.get("clipped"))}


@dataclass
class Asker:
    """A client of one corpus file with a ledger of its own."""

    call: Call
    told: list[Told] = field(default_factory=list)

    def ask(self, name: str, arguments: Mapping[str, object]) -> Told:
        """Call a tool and return what it told."""
        surface = self.call.surface
        tool = next(item for item in self.call.mode.tools if item.name == name)
        raw = {surface.parameter_name(name, key): value for key, value in arguments.items()}
        values, problems = surface.collect_arguments(tool, raw)
        answer: Answer = tool.resolve()(replace(self.call, problems=problems), **values)
        assert answer.structured is not None
        size = counted(answer.structured, answer.text, is_error=answer.is_refusal)
        cap = int(str(arguments.get("max_bytes") or CAPS[name]))
        told = Told(name, answer.structured, size, cap, answer.is_refusal)
        self.told.append(told)
        return told

    @property
    def size_bytes(self) -> int:
        """What all answers cost together."""
        return sum(told.size_bytes for told in self.told)


def new_asker(call: Call, **settings: str) -> Asker:
    """Return a client with a fresh ledger over the file of *call*; of the environment only *settings* count."""
    fresh = replace(
        call,
        settings=replace(call.settings, values=settings, given={}),
        client=Client(),
        process={},
        problems=(),
        is_from_shell=False,
    )
    return Asker(fresh)


@contextmanager
def over(call: Call, path: Path) -> Iterator[Call]:
    """Give *call* over the file at *path* as long as it is needed."""
    with closing(call.store.at(path)) as store:
        yield replace(call, store=store, settings=replace(call.settings, path=path))
