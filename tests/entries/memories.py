"""One memory in either language, called under the English names of tools and parameters."""

import re
from collections.abc import Sequence

from tongues import EN, Tongue

from frugal.strings import Catalogue
from tests.wire import size_of


class Memory:
    """A client of one memory: `memory("recall", query="x")` is the text of an answer in the memory's language."""

    def __init__(self, shell, tongue: Tongue) -> None:
        self.shell = shell
        self.tongue = tongue
        self.is_english = tongue is EN

    def __call__(self, tool: str, /, **arguments: object) -> str:
        """Return the text of an answer; a refusal fails the test."""
        return self.shell(self.name(tool), **self.tongue.arguments(arguments))

    def refused(self, tool: str, /, **arguments: object) -> str:
        """Return the text of a refusal; an answer fails the test."""
        return self.shell.refused(self.name(tool), **self.tongue.arguments(arguments))

    def reply(self, tool: str, /, **arguments: object):
        """Return the reply, whatever it is."""
        arguments = self.tongue.arguments(arguments)
        return self.shell.workspace.call(self.shell.client, self.name(tool), arguments)

    def store(self, text: str, **arguments: object) -> int:
        """Store *text* and return its id."""
        return int(re.search(r"#(\d+)", self("remember", text=text, **arguments))[1])

    def name(self, english: str) -> str:
        """Return the name of a tool or parameter."""
        return self.tongue.names.get(english, english)

    def kind(self, english: str) -> str:
        """Return the word of a kind."""
        return self.tongue.kinds[english]

    def say(self, key: str, **fields: object) -> str:
        """Return what has to be said in this language."""
        return Catalogue(self.tongue.language, self.tongue.words).text(key, **fields)

    def call(self, tool: str, /, *values: object, **named: object) -> str:
        """Return a suggested call as it is printed."""
        parts = [_literal(value) for value in values]
        parts += [f"{self.name(key)}={_literal(value)}" for key, value in named.items()]
        return f"{self.name(tool)}({', '.join(parts)})"

    def rows(self, sql: str, *values: object) -> list[tuple]:
        """Return rows of the file."""
        with self.shell.workspace.store.read() as db:
            return [tuple(row) for row in db.execute(sql, values)]

    def execute(self, sql: str, *values: object) -> None:
        """Change the file."""
        with self.shell.workspace.store.write() as db:
            db.execute(sql, values)

    def make_memo(self, ids: Sequence[int]) -> None:
        """Make *ids* the pieces of one memo, as an import does."""
        with self.shell.workspace.store.write() as db:
            row = {"pieces": len(ids), "first": min(ids), "last": max(ids)}
            memo = db.execute(
                "INSERT INTO memo (pieces, first_id, last_id) VALUES (:pieces, :first, :last)", row
            ).lastrowid
            for position, entry_id in enumerate(ids, start=1):
                db.execute(
                    "UPDATE entry_state SET memo_id = :memo, memo_position = :position WHERE entry_id = :id",
                    {"memo": memo, "position": position, "id": entry_id},
                )


def _literal(value: object) -> str:
    return str(value).lower() if isinstance(value, bool | int) else f'"{value}"'


def ids(answer: str) -> list[int]:
    """Return the ids at the beginning of the lines of *answer*, in order."""
    return [int(found) for found in re.findall(r"(?m)^#(\d+) ", answer)]


REFUSAL = (800, 2 * 1024)
BLUNT = ("[cut at this answer's cap]", "[an der Grenze dieser Antwort abgeschnitten]")
"""What the engine writes when a tool did not keep its cap by itself."""


def keeps_cap(reply, characters: int, size_bytes: int) -> str:
    """Assert that an answer keeps its cap, a refusal that of refusals, and that nothing broke; return the text."""
    if reply.is_error:
        characters, size_bytes = REFUSAL
    assert len(reply.text) <= characters
    assert size_of(reply) <= size_bytes
    assert "stderr" not in reply.text, reply.text
    assert not reply.text.endswith(BLUNT), reply.text
    return reply.text
