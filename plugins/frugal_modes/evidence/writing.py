"""Rows of messages, threads and the index, written and taken away inside a transaction of the caller."""

import json
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from frugal.api import Connection
from frugal_modes.evidence.corpus import moved, term_of
from frugal_modes.evidence.indexing import INDEX
from frugal_modes.evidence.naming import Names
from frugal_modes.evidence.prepared import Ready, text_key
from frugal_modes.evidence.proposals import indexed
from frugal_modes.evidence.refs import LONGEST_REF, MESSAGE, SHORTEST_REF, THREAD, Mark, mark_of, ref_of

NEXT_MESSAGE = "SELECT coalesce(max(number), 0) + 1 FROM message"
SAME_MARK = """
    SELECT mark, rest, ref_length, number FROM message
    WHERE mark IN (SELECT value FROM json_each(:marks)) ORDER BY number
"""
THREADS = """
    SELECT mark, rest, ref_length, number, root FROM thread
    WHERE mark IN (SELECT value FROM json_each(:marks)) ORDER BY number
"""
NEW_THREAD = """
    INSERT INTO thread (conversation, id, mark, rest, ref_length)
    VALUES (:conversation, :id, :mark, :rest, :ref_length) RETURNING number
"""
ROOT_OF = """
    SELECT number FROM message WHERE mark = :mark AND rest = :rest AND conversation = :conversation
"""
SET_ROOT = "UPDATE thread SET root = :root WHERE number = :thread"
JOIN_THREAD = "UPDATE message SET thread = :thread WHERE number = :root AND thread IS NULL"
LEAVE_ROOT = "UPDATE thread SET root = NULL WHERE root = :number"
INSERT = """
    INSERT INTO message (
        number, corpus, conversation, sender, thread, workspace, sent_at, seq, mark, rest, ref_length, words,
        zone_known, edited_at, text_key, source, line, content, subtype, reply_to, text, text_raw
    ) VALUES (
        :number, :corpus, :conversation, :sender, :thread, :workspace, :sent_at, :seq, :mark, :rest, :ref_length,
        :words, :zone_known, :edited_at, :text_key, :source, :line, :content, :subtype, :reply_to, :text, :text_raw
    )
"""
UPDATE = """
    UPDATE message SET
        conversation = :conversation, sender = :sender, thread = :thread, workspace = :workspace, sent_at = :sent_at,
        seq = :seq, words = :words, zone_known = :zone_known, edited_at = :edited_at, text_key = :text_key,
        source = :source, line = :line, content = :content, subtype = :subtype, reply_to = :reply_to, text = :text,
        text_raw = :text_raw
    WHERE number = :number
"""
STORED = (
    "SELECT number, mark, rest, content, edited_at, conversation, text FROM message WHERE number = :number"
)
REVISE = """
    INSERT INTO revision (message, imported_at, edited_at, text) VALUES (:message, :imported_at, :edited_at, :text)
"""
DELETE = "DELETE FROM message WHERE number = :number"
UNINDEX = """
    INSERT INTO word_index (word_index, rowid, words, stems) VALUES ('delete', :number, :words, :stems)
"""
SETTLE = """
    UPDATE corpus SET
        fingerprint = :fingerprint, messages = :messages, changes = changes + 1,
        first_at = (SELECT min(sent_at) FROM message WHERE corpus = :corpus),
        last_at = (SELECT max(sent_at) FROM message WHERE corpus = :corpus)
    WHERE number = :corpus
"""
STATE = "SELECT fingerprint, messages FROM corpus WHERE number = :corpus"


@dataclass(frozen=True)
class _Thread:
    number: int
    root: int | None


class Writer:
    """Changes one corpus inside one transaction; `settle` brings its version and counts up to date."""

    def __init__(self, db: Connection, *, corpus: int, name: str, stamp: str) -> None:
        self._db = db
        self._corpus = corpus
        self._name = name
        self._stamp = stamp
        self._moved = 0
        self._added = 0
        self._has_changed = False

    def insert(self, new: Sequence[Ready], names: Names) -> list[int]:
        """Store messages that the corpus does not have; return their row numbers in order."""
        if not new:
            return []
        first = int(self._db.execute(NEXT_MESSAGE).fetchone()[0])
        numbers = list(range(first, first + len(new)))
        lengths = self._ref_lengths(new)
        threads = self._threads(new, names)
        rows, entries = [], []
        for number, ready, length, thread in zip(numbers, new, lengths, threads, strict=True):
            words, stems, count = indexed(ready.message.text)
            rows.append(
                {**self._row(ready, names), "number": number, "thread": thread, "words": count}
                | {"mark": ready.mark.mark, "rest": ready.mark.rest, "ref_length": length}
            )
            entries.append({"number": number, "words": words, "stems": stems})
            self._moved += term_of(ready.mark, ready.content)
        self._db.executemany(INSERT, rows)
        self._db.executemany(INDEX, entries)
        self._added += len(rows)
        self._root_threads(new, numbers, threads)
        return numbers

    def update(self, number: int, ready: Ready, names: Names, *, keeps_old: bool = True) -> None:
        """Replace the content of the message *number*; its old text becomes a revision if it is another one."""
        old = self._db.execute(STORED, {"number": number}).fetchone()
        text = ready.message.text
        if old["text"] != text:
            if keeps_old:
                revision = {"message": number, "imported_at": self._stamp, "edited_at": old["edited_at"]}
                self._db.execute(REVISE, {**revision, "text": old["text"]})
            self._unindex(number, old["text"])
            words, stems, _ = indexed(text)
            self._db.execute(INDEX, {"number": number, "words": words, "stems": stems})
        if names.conversation(ready.message) != old["conversation"]:
            self._db.execute(LEAVE_ROOT, {"number": number})
        (thread,) = self._threads([ready], names)
        self._db.execute(
            UPDATE, {**self._row(ready, names), "number": number, "thread": thread, "words": indexed(text)[2]}
        )
        self._root_threads([ready], [number], [thread])
        self._moved += term_of(ready.mark, ready.content) - term_of(ready.mark, old["content"])
        self._has_changed = True

    def remove(self, numbers: Iterable[int]) -> int:
        """Take messages away, their revisions and index rows with them; return how many there were."""
        removed = 0
        for number in numbers:
            old = self._db.execute(STORED, {"number": number}).fetchone()
            if old is None:
                continue
            self._unindex(number, old["text"])
            self._db.execute(LEAVE_ROOT, {"number": number})
            self._db.execute(DELETE, {"number": number})
            self._moved -= term_of(Mark(old["mark"], old["rest"]), old["content"])
            removed += 1
        self._added -= removed
        return removed

    def settle(self, *, is_changed: bool = False) -> None:
        """Write what has become of the corpus; call it once, at the end of the transaction."""
        if not (self._moved or self._added or self._has_changed or is_changed):
            return
        fingerprint, messages = self._db.execute(STATE, {"corpus": self._corpus}).fetchone()
        values = {"fingerprint": moved(fingerprint, self._moved), "messages": messages + self._added}
        self._db.execute(SETTLE, {**values, "corpus": self._corpus})

    def _row(self, ready: Ready, names: Names) -> dict[str, object]:
        message = ready.message
        return {
            "corpus": self._corpus,
            "conversation": names.conversation(message),
            "sender": names.sender(message),
            "workspace": names.workspace(message.workspace),
            "sent_at": message.sent_at,
            "seq": message.seq,
            "zone_known": int(message.zone_known),
            "edited_at": message.edited_at,
            "text_key": text_key(message.text),
            "source": names.source(message.place.file),
            "line": message.place.line,
            "content": ready.content,
            "subtype": message.subtype,
            "reply_to": message.reply_to,
            "text": message.text,
            "text_raw": message.text_raw if message.text_raw not in ("", message.text) else None,
        }

    def _unindex(self, number: int, text: str) -> None:
        words, stems, _ = indexed(text)
        self._db.execute(UNINDEX, {"number": number, "words": words, "stems": stems})

    def _ref_lengths(self, new: Sequence[Ready]) -> list[int]:
        """Return how long the refs of new messages must be: longer where one like it is taken."""
        marks = [ready.mark.mark for ready in new]
        taken = {
            ref_of(MESSAGE, mark, rest, length): mark
            for mark, rest, length, _ in self._db.execute(SAME_MARK, {"marks": json.dumps(marks)})
        }
        common = {*taken.values(), *(mark for mark, count in Counter(marks).items() if count > 1)}
        lengths = []
        for ready in new:
            length = SHORTEST_REF
            if ready.mark.mark in common:
                length = _free_length(MESSAGE, ready.mark, taken)
                taken[ref_of(MESSAGE, *ready.mark, length)] = ready.mark.mark
            lengths.append(length)
        return lengths

    def _threads(self, new: Sequence[Ready], names: Names) -> list[int | None]:
        """Return the thread of each message; one is made for the first that names it, none for a root without replies."""
        marks = json.dumps([ready.thread.mark for ready in new])
        taken: set[str] = set()
        known: dict[Mark, _Thread] = {}
        for mark, rest, length, number, root in self._db.execute(THREADS, {"marks": marks}):
            taken.add(ref_of(THREAD, mark, rest, length))
            known[Mark(mark, rest)] = _Thread(number, root)
        for ready in new:
            if ready.message.thread and ready.thread not in known:
                known[ready.thread] = self._new_thread(ready, names, taken)
        return [known[ready.thread].number if ready.thread in known else None for ready in new]

    def _new_thread(self, ready: Ready, names: Names, taken: set[str]) -> _Thread:
        message = ready.message
        length = _free_length(THREAD, ready.thread, taken)
        taken.add(ref_of(THREAD, *ready.thread, length))
        conversation = names.conversation(message)
        values = {"conversation": conversation, "id": message.thread, "ref_length": length}
        number = int(self._db.execute(NEW_THREAD, {**values, **ready.thread._asdict()}).fetchone()[0])
        mark = mark_of(MESSAGE, self._name, message.thread)
        root = self._db.execute(ROOT_OF, {**mark._asdict(), "conversation": conversation}).fetchone()
        if root is None:
            return _Thread(number, None)
        self._db.execute(SET_ROOT, {"root": root[0], "thread": number})
        self._db.execute(JOIN_THREAD, {"root": root[0], "thread": number})
        return _Thread(number, int(root[0]))

    def _root_threads(
        self, new: Sequence[Ready], numbers: Sequence[int], threads: Sequence[int | None]
    ) -> None:
        """Note the messages that are the roots of their threads."""
        for ready, number, thread in zip(new, numbers, threads, strict=True):
            is_root = ready.message.thread in ("", ready.message.natural_key)
            if thread is not None and is_root:
                self._db.execute(SET_ROOT, {"root": number, "thread": thread})


def _free_length(kind: str, mark: Mark, taken: Container[str]) -> int:
    lengths = range(SHORTEST_REF, LONGEST_REF)
    return next((n for n in lengths if ref_of(kind, *mark, n) not in taken), LONGEST_REF)
