"""LoCoMo: long conversations with questions and the turns that answer them, as messages of a corpus.

Maharana et al., Evaluating Very Long-Term Conversational Memory of LLM Agents, ACL 2024.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from frugal.api import STOP, WHOLE, Refusal, analyse, echo
from frugal_modes.evidence.moments import to_ms
from frugal_modes.evidence.records import Message, Place

MOST_WORDS = 16
MINUTE_MS = 60_000
ADVERSARIAL = 5
_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_DATE = re.compile(r"(\d{1,2}):(\d\d)\s*([ap])m\s+on\s+(\d{1,2})\s+([A-Za-z]+),?\s+(\d{4})", re.IGNORECASE)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


@dataclass(frozen=True)
class Question:
    """One question: the words it is asked with, and the keys of the messages that answer it."""

    conversation: str
    words: tuple[str, ...]
    gold: frozenset[str]
    category: int


def read_conversations(path: Path) -> list[Mapping[str, Any]]:
    """Return the samples of a file; raise `Refusal` if it is none of this data set."""
    try:
        found = json.loads(path.read_text("utf-8"))
        samples = [
            sample for sample in found if sample["conversation"] and sample["sample_id"] and sample["qa"]
        ]
    except OSError as error:
        raise Refusal("import_unreadable", path=echo(path), reason=error.strerror or str(error)) from None
    except (ValueError, TypeError, KeyError, RecursionError):
        samples = []
    if not samples:
        raise Refusal("evaluate_no_locomo", path=echo(path))
    return samples


def messages_of(sample: Mapping[str, Any]) -> Iterator[Message]:
    """Yield the turns of a conversation: the date of their session and a minute for each turn before."""
    name, conversation = sample["sample_id"], sample["conversation"]
    for number in sorted(int(found[1]) for key in conversation if (found := _SESSION.fullmatch(key))):
        start = _session_ms(conversation.get(f"session_{number}_date_time", ""))
        for place, turn in enumerate(conversation[f"session_{number}"]):
            caption = turn.get("blip_caption")
            yield Message(
                natural_key=f"{name}:{turn['dia_id']}",
                conversation_id=name,
                conversation_name=name,
                sender_id=turn["speaker"],
                sender_name=turn["speaker"],
                sent_at=start + place * MINUTE_MS,
                text=f"{turn['text']} [{caption}]" if caption else turn["text"],
                place=Place(name, number),
                seq=number * 10_000 + place,
            )


def _session_ms(text: str) -> int:
    found = _DATE.search(text)
    if not found:
        return 0
    hour = int(found[1]) % 12 + (12 if found[3].lower() == "p" else 0)
    month = _MONTHS.index(found[5][:3].lower()) + 1
    return to_ms(datetime(int(found[6]), month, int(found[4]), hour, int(found[2]), tzinfo=UTC))


def questions_of(sample: Mapping[str, Any]) -> Iterator[Question]:
    """Yield the questions of a conversation for which some turn is marked as evidence."""
    known = {message.natural_key for message in messages_of(sample)}
    conversation = sample["conversation"]
    names = {token.term for key in ("speaker_a", "speaker_b") for token in analyse(conversation[key])}
    for item in sample["qa"]:
        marks = _EVIDENCE.findall(" ".join(map(str, item.get("evidence", ()))))
        keys = {f"{sample['sample_id']}:D{session}:{turn}" for session, turn in marks}
        gold = frozenset(keys & known)
        if gold:
            words = tuple(question_words(item["question"], names))
            yield Question(sample["sample_id"], words, gold, int(item["category"]))


def question_words(question: str, names: set[str]) -> list[str]:
    """Return the words to look for: without stop words and the speakers' names, unless nothing else is left."""
    words = [token for token in analyse(question) if not token.flags & WHOLE]
    content = [token for token in words if not token.flags & STOP]
    others = [token for token in content if token.term not in names]
    first: dict[str, str] = {}
    for token in others or content or words:
        first.setdefault(token.term, token.surface)
    return list(first.values())[:MOST_WORDS]
