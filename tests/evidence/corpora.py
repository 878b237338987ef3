"""Small corpora for tests: messages from a few words, loaded through the ordinary way in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from frugal.call import Client
from frugal.engine import Workspace, build_engine
from frugal.settings import Options, load_settings
from frugal_modes.evidence import EVIDENCE
from frugal_modes.evidence.loading import load
from frugal_modes.evidence.records import Message, Place

HOUR = 3_600_000
DAY = 24 * HOUR
START = 1_767_225_600_000
"""2026-01-01, midnight UTC."""


def message(number: int, text: str, **fields: Any) -> Message:
    """Return message *number* of a corpus, an hour after the one before unless *fields* say otherwise."""
    sender = fields.pop("sender", "ann")
    conversation = fields.pop("conversation", "main")
    told: dict[str, Any] = {
        "natural_key": f"k{number}",
        "conversation_id": conversation,
        "conversation_name": conversation,
        "sender_id": sender,
        "sender_name": sender,
        "sent_at": START + number * HOUR,
        "text": text,
        "place": Place("source.jsonl", number + 1),
        "seq": number,
        **fields,
    }
    return Message(**told)


def messages(texts: Iterable[str], **fields: Any) -> list[Message]:
    """Return one message a text."""
    return [message(number, text, **fields) for number, text in enumerate(texts)]


def unlike(number: int, words: int = 50) -> str:
    """Return words that no text of another number has."""
    return " ".join(_word(number * 1_000 + place) for place in range(words))


def _word(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number, 20)
        letters += "bcdfghjklmnpqrstvwxz"[rest] + "aeiou"[rest % 5]
    return letters or "a"


@dataclass
class Bench:
    """One evidence file and a client of it: `bench("measure_messages", query=...)` is the structured answer."""

    workspace: Workspace
    client: Client = field(default_factory=Client)

    def fill(self, items: Iterable[Message], corpus: str = "main") -> None:
        """Load messages into a corpus."""
        load(self.workspace.new_call(self.client), corpus, items, source="test", format="jsonl")

    def reply(self, tool: str, /, **arguments: object) -> Any:
        """Return what a call came to."""
        return self.workspace.call(self.client, tool, arguments)

    def __call__(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """Return the structured answer; a refusal fails the test."""
        reply = self.reply(tool, **arguments)
        assert not reply.is_error, reply.text
        return dict(reply.answer.structured)

    def refused(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """Return the structured refusal; an answer fails the test."""
        reply = self.reply(tool, **arguments)
        assert reply.is_error, reply.text
        return dict(reply.answer.structured)

    def measure(self, *clauses: Mapping[str, object], **query: object) -> dict[str, Any]:
        """Measure a query of these clauses."""
        return self("measure_messages", query={"clauses": list(clauses), **query})

    def discover(self, text: str, match: str = "literal", **arguments: object) -> dict[str, Any]:
        """Discover what matches one clause."""
        return self("discover_messages", query={"clauses": [clause(text, match)]}, **arguments)


def clause(text: str, match: str = "literal", **more: object) -> dict[str, object]:
    """Return one clause."""
    return {"match": match, "text": text, **more}


Opener = Callable[..., Bench]


def benches(folder: Path, clock: Any) -> Iterator[Opener]:
    """Yield a function that opens an evidence file in *folder*."""
    opened: list[Workspace] = []

    def open_it(
        *,
        language: str = "en",
        file: str = "evidence.db",
        is_guest: bool = False,
        corpora: tuple[str, ...] = (),
        **environ: str,
    ) -> Bench:
        own = tuple(("corpus", name) for name in corpora)
        options = Options(db=str(folder / file), lang=language, own=own)
        values = {
            "XDG_DATA_HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
            "HOME": str(folder),
            **environ,
        }
        engine = build_engine(load_settings(options, values), modes=[EVIDENCE], clock=clock)
        workspace = engine.open(EVIDENCE, is_guest=is_guest)
        opened.append(workspace)
        return Bench(workspace)

    yield open_it
    for workspace in opened:
        workspace.close()
