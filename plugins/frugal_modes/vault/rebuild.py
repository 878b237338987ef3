"""The index made anew from the cards, beside the one in use, and put in its place in one transaction."""

from collections.abc import Callable, Iterator
from hashlib import blake2b

from frugal.api import Call, Connection, Document, Shadow, index_document, new_shadow, remove_document
from frugal_modes.vault.documents import document

CARDS = """
    SELECT card.number, card.title, card_text.body, card.path, card.tags, card.aliases, card.headings
    FROM card JOIN card_text ON card_text.number = card.number ORDER BY card.number
"""
COUNT = "SELECT count(*) FROM card"


def rebuild(call: Call, report: Callable[[int, int], None]) -> int:
    """Make the search index anew; return how many cards it holds. Readers see the old one until the new one is whole.

    Nothing is locked while it is made. Cards that changed meanwhile are indexed in the transaction that swaps.
    """
    with new_shadow() as shadow:
        made = _fill(call, shadow, report)
        shadow.finish()
        with call.store.write() as db:
            shadow.pour(db)
            return _catch_up(db, made)


def _fill(call: Call, shadow: Shadow, report: Callable[[int, int], None]) -> dict[int, bytes]:
    """Index every card of one snapshot; return what each was made from."""
    made: dict[int, bytes] = {}
    with call.store.read() as db:
        total = db.execute(COUNT).fetchone()[0]
        for found in documents(db):
            shadow.add(found)
            made[found.id] = _digest(found)
            report(len(made), total)
    return made


def _catch_up(db: Connection, made: dict[int, bytes]) -> int:
    """Make the new index agree with the cards as they are now."""
    left = dict(made)
    count = 0
    for found in documents(db):
        count += 1
        if left.pop(found.id, b"") != _digest(found):
            index_document(db, found)
    for number in left:
        remove_document(db, number)
    return count


def documents(db: Connection) -> Iterator[Document]:
    """Yield the search document of every card."""
    import json

    for number, title, body, path, *lists in db.execute(CARDS):
        tags, aliases, headings = (json.loads(text) for text in lists)
        yield document(
            number, title=title, body=body, path=path, tags=tags, aliases=aliases, headings=headings
        )


def _digest(found: Document) -> bytes:
    text = "\x1f".join((found.title, found.body, found.also, *found.tags))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
