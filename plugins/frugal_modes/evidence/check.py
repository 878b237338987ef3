"""Whether the file is what it should be: index against texts, fingerprints, rows that point to nothing. Only reads."""

import random
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from frugal.api import Connection
from frugal_modes.evidence.corpus import Scope, scope_of, term_of
from frugal_modes.evidence.indexing import is_current
from frugal_modes.evidence.proposals import indexed
from frugal_modes.evidence.refs import Mark

SAMPLE = 1_000
NAMED = 20
"""So many findings of a kind are named; all are counted."""
WORDS_ASKED = 12

NUMBERS = "SELECT number FROM message WHERE corpus = :corpus ORDER BY number"
TEXT = "SELECT number, words, text FROM message WHERE number = :number"
ASK = "SELECT EXISTS (SELECT 1 FROM word_index WHERE word_index MATCH :words AND rowid = :number)"
CONTENTS = "SELECT mark, rest, content FROM message WHERE corpus = :corpus"
COUNT = "SELECT count(*), min(sent_at), max(sent_at) FROM message WHERE corpus = :corpus"
DANGLING = {
    "thread_root": """
        SELECT number FROM thread
        WHERE root IS NOT NULL AND NOT EXISTS (SELECT 1 FROM message WHERE message.number = thread.root)
        ORDER BY number
    """,
    "message_conversation": """
        SELECT m.number FROM message AS m LEFT JOIN conversation AS c ON c.number = m.conversation
        WHERE c.number IS NULL OR c.corpus <> m.corpus ORDER BY m.number
    """,
    "message_sender": """
        SELECT m.number FROM message AS m LEFT JOIN sender AS s ON s.number = m.sender
        WHERE s.number IS NULL OR s.corpus <> m.corpus ORDER BY m.number
    """,
    "message_thread": """
        SELECT m.number FROM message AS m LEFT JOIN thread AS t ON t.number = m.thread
        WHERE m.thread IS NOT NULL AND (t.number IS NULL OR t.conversation <> m.conversation) ORDER BY m.number
    """,
    "message_source": """
        SELECT m.number FROM message AS m LEFT JOIN source AS s ON s.number = m.source
        WHERE s.number IS NULL OR s.corpus <> m.corpus ORDER BY m.number
    """,
    "revision_message": """
        SELECT r.number FROM revision AS r LEFT JOIN message AS m ON m.number = r.message
        WHERE m.number IS NULL ORDER BY r.number
    """,
}


@dataclass(frozen=True)
class Finding:
    """Something wrong: *what*, how many *rows* of it, and the numbers of the first."""

    what: str
    rows: int
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Checked:
    """What a check looked at, and what it found; no findings: the file is sound."""

    messages: int
    corpora: int
    findings: tuple[Finding, ...]


def check(db: Connection, scope: Scope | None = None, *, is_all: bool = False) -> Checked:
    """Compare what is derived with what it is derived from: a sample of 1,000 messages a corpus, or all of them."""
    scope = scope or scope_of(db)
    findings = [] if is_current(db) else [Finding("index_rules", 1)]
    looked = 0
    for corpus in scope.corpora:
        numbers = array("q", (row[0] for row in db.execute(NUMBERS, {"corpus": corpus.number})))
        chosen = numbers if is_all or len(numbers) <= SAMPLE else _sample(numbers)
        looked += len(chosen)
        findings += _found("index", differing(db, chosen))
        if _fingerprint(db, corpus.number) != corpus.fingerprint:
            findings.append(Finding("fingerprint", 1, (corpus.number,)))
        counted = tuple(db.execute(COUNT, {"corpus": corpus.number}).fetchone())
        if counted != (corpus.messages, corpus.first_at, corpus.last_at):
            findings.append(Finding("counts", 1, (corpus.number,)))
    for what, statement in DANGLING.items():
        findings += _found(what, [int(row[0]) for row in db.execute(statement)])
    return Checked(looked, len(scope.corpora), tuple(findings))


def _sample(numbers: "array[int]") -> list[int]:
    return sorted(random.Random(len(numbers)).sample(numbers, SAMPLE))


def _found(what: str, numbers: list[int]) -> Iterator[Finding]:
    if numbers:
        yield Finding(what, len(numbers), tuple(numbers[:NAMED]))


def differing(db: Connection, numbers: Iterable[int]) -> list[int]:
    """Return which messages of these *numbers* the index does not hold as it should."""
    return [number for number in numbers if not _is_indexed(db, number)]


def _is_indexed(db: Connection, number: int) -> bool:
    """Tell whether the index has the first words of a message, and the message how many there are."""
    _, count, text = db.execute(TEXT, {"number": number}).fetchone()
    words, stems, counted = indexed(text)
    if counted != count:
        return False
    asked = [f'words : "{word}"' for word in dict.fromkeys(words.split(" ")[:WORDS_ASKED]) if word]
    asked += [f'stems : "{stem}"' for stem in stems.split(" ")[:WORDS_ASKED] if stem]
    return not asked or bool(db.execute(ASK, {"words": " AND ".join(asked), "number": number}).fetchone()[0])


def _fingerprint(db: Connection, corpus: int) -> bytes:
    total = sum(
        term_of(Mark(mark, rest), content) for mark, rest, content in db.execute(CONTENTS, {"corpus": corpus})
    )
    return (total % (1 << 128)).to_bytes(16, "big")
