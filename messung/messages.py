"""The made-up messages as JSON Lines, and how frequent their words are."""

import json
import random
import re
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from messung.corpus import SEED

FILE = "messages.jsonl"
WORD = re.compile(r"[^\W\d_]{4,}")

MESSAGES = """
    SELECT message.number, message.text, message.sent_at, sender.id, sender.name, sender.organization, sender.type,
        conversation.id, conversation.name, conversation.type, thread.id
    FROM message
    JOIN sender ON sender.number = message.sender
    JOIN conversation ON conversation.number = message.conversation
    LEFT JOIN thread ON thread.number = message.thread
    ORDER BY message.number
"""


def write(made: Path, lines: Path) -> int:
    """Write the messages of the corpus file *made* as JSON Lines; return how many there are."""
    count = 0
    with closing(sqlite3.connect(made)) as db, lines.open("w", encoding="utf-8") as out:
        for row in db.execute(MESSAGES):
            out.write(json.dumps(_record(row), ensure_ascii=False) + "\n")
            count += 1
    return count


def _record(row: tuple[object, ...]) -> dict[str, object]:
    number, text, sent_at, sender, name, organization, kind, conversation, title, channel, thread = row
    record: dict[str, object] = {
        "id": number,
        "text": text,
        "sent_at": datetime.fromtimestamp(int(str(sent_at)) / 1000, UTC).isoformat(timespec="milliseconds"),
        "sender": {"id": sender, "name": name, "organization": organization, "type": kind},
        "conversation": {"id": conversation, "name": title, "type": channel},
    }
    return record | ({"thread_id": thread} if thread is not None else {})


@dataclass(frozen=True)
class Frequencies:
    """How many messages there are, and in how many of them each word stands."""

    messages: int
    words: Counter[str]

    def between(self, least: float, most: float) -> list[str]:
        """Return the words that stand in a share of *least* to *most* of the messages, shuffled with a seed."""
        low, high = least * self.messages, most * self.messages
        found = sorted(word for word, times in self.words.items() if low <= times <= high)
        random.Random(SEED).shuffle(found)
        return found

    def most_frequent(self) -> list[str]:
        """Return the words, most frequent first, equal ones by the alphabet."""
        return sorted(self.words, key=lambda word: (-self.words[word], word))


def frequencies(lines: Path) -> Frequencies:
    """Count the words of the messages in *lines*."""
    counted: Counter[str] = Counter()
    count = 0
    with lines.open(encoding="utf-8") as file:
        for line in file:
            counted.update(set(WORD.findall(str(json.loads(line)["text"]).lower())))
            count += 1
    return Frequencies(count, counted)
