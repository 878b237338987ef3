"""What the search index holds of a series: one document of what is live, one of what was superseded."""

import json
from collections.abc import Container, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from frugal.api import Connection, Document, index_document

DOCUMENT_CHARACTERS = 100_000
"""As much as one text of a memory has: a series with hundreds of long recipes is still indexed in a moment."""

PARTS = """
    SELECT s.number, 'key' AS field, s.key AS text, 0 AS is_stale, 0 AS rank, 0 AS place FROM series AS s
    WHERE s.number IN (SELECT value FROM json_each(:series))
    UNION ALL SELECT number, 'question', question, 0, 1, 0 FROM series
    WHERE number IN (SELECT value FROM json_each(:series))
    UNION ALL SELECT number, 'backfill', backfill, 0, 8, 0 FROM series
    WHERE number IN (SELECT value FROM json_each(:series))
    UNION ALL SELECT series, 'criterion', text,
        event <> (SELECT c.event FROM criterion AS c JOIN event AS e ON e.number = c.event
                  WHERE c.series = criterion.series ORDER BY e.at DESC, c.version DESC LIMIT 1), 2, event
    FROM criterion WHERE series IN (SELECT value FROM json_each(:series))
    UNION ALL SELECT series, 'plan', text,
        event <> (SELECT p.event FROM plan AS p JOIN event AS e ON e.number = p.event
                  WHERE p.series = plan.series ORDER BY e.at DESC, p.event DESC LIMIT 1), 3, event
    FROM plan WHERE series IN (SELECT value FROM json_each(:series))
    UNION ALL SELECT series, 'conclusion', conclusion || char(10) || open_questions,
        superseded_event IS NOT NULL, 4, number
    FROM result WHERE series IN (SELECT value FROM json_each(:series))
    UNION ALL SELECT series, 'recipe', command || char(10) || arm || char(10) || code || char(10) || parameters
            || char(10) || machine || char(10) || logs || char(10) || note,
        superseded_event IS NOT NULL, 9, -number
    FROM recipe WHERE series IN (SELECT value FROM json_each(:series))
    UNION ALL SELECT series, 'quantity', quantity, min(superseded_event IS NOT NULL), 5, min(number)
    FROM measurement WHERE series IN (SELECT value FROM json_each(:series)) GROUP BY series, quantity
    UNION ALL SELECT series, 'arm', arm, min(superseded_event IS NOT NULL), 6, min(number)
    FROM measurement WHERE series IN (SELECT value FROM json_each(:series)) AND arm <> '' GROUP BY series, arm
    UNION ALL SELECT series, 'note', text, 0, 7, number
    FROM event WHERE series IN (SELECT value FROM json_each(:series)) AND type IN ('note', 'text') AND text <> ''
    ORDER BY 1, 4, 5, 6
"""
DIGEST = "SELECT digest FROM indexed WHERE document = :document"
SET_DIGEST = """
    INSERT INTO indexed (document, digest) VALUES (:document, :digest)
    ON CONFLICT (document) DO UPDATE SET digest = excluded.digest
"""

FORGET_DIGESTS = "UPDATE indexed SET digest = x'' WHERE document IN (:live, :stale)"


@dataclass(frozen=True)
class Part:
    """One searchable text of a series: the *field* it stands in, and whether it was superseded."""

    series: int
    field: str
    text: str
    is_stale: bool


def parts_of(db: Connection, numbers: list[int]) -> Iterator[Part]:
    """Yield the searchable texts of some series: live ones first, the long ones last, of recipes the newest first."""
    for number, field, text, is_stale, _rank, _place in db.execute(PARTS, {"series": json.dumps(numbers)}):
        if text.strip():
            yield Part(number, field, text.strip(), bool(is_stale))


def live_document(series: int) -> int:
    """Return the document of what is live."""
    return 2 * series


def stale_document(series: int) -> int:
    """Return the document of what was superseded."""
    return 2 * series + 1


def reindex(db: Connection, series: int) -> bool:
    """Bring the index of *series* up to date; return whether anything had to be changed."""
    changes = [_put(db, document) for document in _documents(db, series)]
    return any(changes)


def is_indexed(db: Connection, series: int, present: Container[int]) -> bool:
    """Tell whether the index holds what it should of *series*; *present* are the documents that it has."""
    documents = _documents(db, series)
    return all(
        document.id in present and _digest(document) == _stored(db, document) for document in documents
    )


def _documents(db: Connection, series: int) -> list[Document]:
    parts = list(parts_of(db, [series]))
    key = parts[0].text
    live = "\n".join(part.text for part in parts[1:] if not part.is_stale)[:DOCUMENT_CHARACTERS]
    stale = "\n".join(part.text for part in parts if part.is_stale)[:DOCUMENT_CHARACTERS]
    words = tuple(key.split("/"))
    documents = [Document(id=live_document(series), title=key, body=live, tags=(key, *words))]
    if stale or db.execute(DIGEST, {"document": stale_document(series)}).fetchone():
        documents.append(Document(id=stale_document(series), title="", body=stale, is_live=False))
    return documents


def _digest(document: Document) -> bytes:
    text = "\x1f".join((document.title, document.body))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _stored(db: Connection, document: Document) -> bytes:
    row = db.execute(DIGEST, {"document": document.id}).fetchone()
    return bytes(row[0]) if row else b""


def _put(db: Connection, document: Document) -> bool:
    digest = _digest(document)
    if _stored(db, document) == digest:
        return False
    index_document(db, document)
    db.execute(SET_DIGEST, {"document": document.id, "digest": digest})
    return True
