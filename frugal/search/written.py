"""Words of the index as somebody wrote them: `fusionskatalysator` is shown as `Fusionskatalysator`."""

from collections.abc import Sequence

from frugal.search.codes import SECTION_END, code_of
from frugal.search.protocol import TextOf
from frugal.store import Connection
from frugal.text.analysis import as_written

WORD = "SELECT id, term_id FROM search_word WHERE word = :word AND written = 1 ORDER BY id LIMIT 1"
# The documents of a term that is asked in place of another are few; the newest say how a word is written now.
HOLDING = """
SELECT document, codes FROM search_forward
WHERE document IN (
    SELECT rowid FROM search_index WHERE search_index MATCH :term ORDER BY rowid DESC LIMIT 8
)
ORDER BY document DESC
"""


def spelled_as_written(db: Connection, words: Sequence[str], text_of: TextOf) -> tuple[str, ...]:
    """Return folded store *words* in the spelling of the newest text that has them; as they are where none is found."""
    return tuple(_spelling(db, word, text_of) for word in words)


def _spelling(db: Connection, word: str, text_of: TextOf) -> str:
    row = db.execute(WORD, {"word": word}).fetchone()
    if row is None:
        return word
    code = code_of(row[0])
    for document, codes in db.execute(HOLDING, {"term": code_of(row[1])}):
        if code in codes.partition(SECTION_END)[0]:
            text = text_of([document]).get(document, "")
            return _in_text(word, text)
    return word


def _in_text(word: str, text: str) -> str:
    """Return the first spelling of *word* in *text*; a plain one is seen at once, any other by analysis."""
    for chunk in text.split():
        if word in chunk.casefold() or not chunk.isascii():
            spellings = as_written(chunk)
            if word in spellings:
                return spellings[word]
    return word
