"""What a learned question needs of the index: a key that ignores case, accents and order, and the words in common."""

from collections.abc import Iterable

from frugal.search.codes import SECTION_END, code_of
from frugal.search.groups import words_of
from frugal.store import Connection
from frugal.text.analysis import PIECE, STOP, WHOLE, analyse

LEAST_LETTERS = 3
LEAST_PIECE_LETTERS = 2
SMALL_STORE = 50
COMMON_SHARE = 5
"""From 50 documents on, a word in more than a fifth of them says nothing about one of them."""


def query_key(query: str) -> str:
    """Return the set of words of *query* as text: the same for other case, accents and order, else different."""
    surfaces = {token.surface for token in analyse(query) if not token.flags & WHOLE}
    return " ".join(sorted(surfaces))


DOCUMENTS = "SELECT documents FROM search_statistics WHERE id = 1"
TERM = "SELECT id, df FROM search_word WHERE word = :term AND term_id = id"
CODES = "SELECT codes FROM search_forward WHERE document = :document"


def common_words(db: Connection, query: str, document: int, tags: Iterable[str]) -> tuple[str, ...]:
    """Return the words of *query* that the text of *document* shares and that tell it from others.

    No stop words, at least 3 letters (2 in scripts without spaces), in no tag of the document, not in more than a
    fifth of all live documents once there are 50.
    """
    row = db.execute(CODES, {"document": document}).fetchone()
    if row is None:
        return ()
    body = row[0].partition(SECTION_END)[0]
    documents = db.execute(DOCUMENTS).fetchone()[0]
    tag_terms = {token.term for tag in tags for token in analyse(tag)}
    found: list[str] = []
    for token in analyse(query):
        least = LEAST_PIECE_LETTERS if token.flags & PIECE else LEAST_LETTERS
        if token.flags & STOP or len(token.surface) < least:
            continue
        for term in {token.term, token.alias} - tag_terms - {""}:
            known = db.execute(TERM, {"term": term}).fetchone()
            is_telling = known and (documents < SMALL_STORE or known[1] * COMMON_SHARE <= documents)
            if is_telling and _has_term(db, body, known[0]) and token.surface not in found:
                found.append(token.surface)
    return tuple(found)


def _has_term(db: Connection, body: str, term: int) -> bool:
    others = words_of(db, [term]).get(term, [])
    return any(code_of(number) in body for number in (term, *(word for word, _ in others)))
