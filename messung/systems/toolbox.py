"""What a memory server's three everyday tools make of a system, whatever road a call takes."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence

from messung.datasets import Entry
from messung.systems.protocol import Answer
from messung.unavailable import NotAvailable

HIT = re.compile(r"^#(\d+) ", re.MULTILINE)
FIRST_ID = re.compile(r"#(\d+)")


def answer_of(text: str) -> Answer:
    """Return the answer of a recall with the ids of its hit lines."""
    return Answer(tuple(map(int, HIT.findall(text))), text)


class Toolbox(ABC):
    """remember, recall and show over `call`; ids are read from the lines a model would read them from."""

    @abstractmethod
    def call(self, tool: str, **arguments: object) -> str:
        """Return the text of one tool call; raise `NotAvailable` if it was refused."""

    def store(self, entries: Sequence[Entry]) -> list[int]:
        """Remember *entries* one by one."""
        return [self.remember(entry.text, entry.tags) for entry in entries]

    def remember(self, text: str, tags: str = "") -> int:
        """Remember one text; return its id."""
        answer = self.call("remember", text=text, tags=tags)
        found = FIRST_ID.search(answer)
        if found is None:
            raise NotAvailable(f"remember gave no id: {answer[:80]}")
        return int(found[1])

    def ask(self, query: str, limit: int) -> Answer:
        """Return the answer of recall and the ids of its hit lines."""
        return answer_of(self.call("recall", query=query, limit=limit))

    def read(self, entry_id: int) -> str:
        """Return the answer of show."""
        return self.call("show", ids=str(entry_id))
