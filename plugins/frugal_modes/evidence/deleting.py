"""What the owner takes away: single messages, and whole corpora."""

import json
from collections.abc import Sequence

from frugal.api import Call, Connection
from frugal_modes.evidence.batch import FORGET
from frugal_modes.evidence.corpus import Scope, message_number, scope_of
from frugal_modes.evidence.indexing import purge
from frugal_modes.evidence.writing import Writer

BATCH = 5_000

MESSAGES = "SELECT number FROM message WHERE corpus = :corpus ORDER BY number LIMIT :most"
CORPUS_OF_MESSAGES = """
    SELECT number, corpus, mark, rest FROM message
    WHERE number IN (SELECT value FROM json_each(:numbers)) ORDER BY number
"""
DELETE_CORPUS = "DELETE FROM corpus WHERE number = :corpus"


def delete_messages(call: Call, refs: Sequence[str], corpora: Sequence[str]) -> int:
    """Delete messages by ref and return how many there were. Reading their source again does not bring them back."""
    with call.store.write() as db:
        scope = scope_of(db, corpora)
        numbers = {message_number(db, ref, scope) for ref in refs} - {None}
        rows = db.execute(
            CORPUS_OF_MESSAGES, {"numbers": json.dumps(sorted(filter(None, numbers)))}
        ).fetchall()
        count = 0
        for corpus in scope.corpora:
            own = [row for row in rows if row["corpus"] == corpus.number]
            writer = Writer(db, corpus=corpus.number, name=corpus.name, stamp=call.stamp())
            count += writer.remove([row["number"] for row in own])
            for row in own:
                db.execute(FORGET, {"corpus": corpus.number, "mark": row["mark"], "rest": row["rest"]})
            writer.settle()
        purge(db)
    call.store.scrub()
    return count


def delete_corpus(call: Call, name: str) -> int:
    """Delete a corpus with everything in it, in transactions of 5,000 messages; return how many messages it had."""
    count = 0
    with call.progress(name) as report:
        total = 0
        while True:
            with call.store.write() as db:
                scope = scope_of(db, [name])
                if not scope.corpora:
                    break
                total = total or scope.messages
                removed = _remove_some(db, call, scope)
                count += removed
                if not removed:
                    db.execute(DELETE_CORPUS, {"corpus": scope.corpora[0].number})
                    purge(db)
            report(count, total)
    call.store.scrub()
    return count


def _remove_some(db: Connection, call: Call, scope: Scope) -> int:
    corpus = scope.corpora[0]
    writer = Writer(db, corpus=corpus.number, name=corpus.name, stamp=call.stamp())
    numbers = [row[0] for row in db.execute(MESSAGES, {"corpus": corpus.number, "most": BATCH})]
    removed = writer.remove(numbers)
    writer.settle()
    return removed
