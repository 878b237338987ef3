"""Messages as evidence: the fields of one item, cut around its matches."""

from collections.abc import Iterable, Sequence

from frugal_modes.evidence.cuts import Cut, Hit, cut
from frugal_modes.evidence.query import Query
from frugal_modes.evidence.rows import Row
from frugal_modes.evidence.scanning import matches

TEXT_CHARACTERS = 320
SHORT_CHARACTERS = 160
CONTEXT_CHARACTERS = 160


class Quoting:
    """Cuts messages around their matches, each once however often an answer is built."""

    def __init__(self, query: Query, *, has_roles: bool) -> None:
        self._query = query
        self._has_roles = has_roles
        self._hits: dict[int, list[Hit]] = {}
        self._cuts: dict[tuple[int, int], Cut] = {}
        self._ends: dict[int, Cut] = {}

    def hits(self, row: Row) -> list[Hit]:
        """Return where a message matches."""
        if row.number not in self._hits:
            self._hits[row.number] = [Hit(*hit) for hit in matches(row.text, self._query)]
        return self._hits[row.number]

    def cut(self, row: Row, limit: int) -> Cut:
        """Return what is transmitted of a message, at most *limit* characters around its matches."""
        if (row.number, limit) not in self._cuts:
            self._cuts[row.number, limit] = cut(row.text, self.hits(row), limit)
        return self._cuts[row.number, limit]

    def _end(self, row: Row) -> Cut:
        if row.number not in self._ends:
            self._ends[row.number] = cut(row.text, (), CONTEXT_CHARACTERS)
        return self._ends[row.number]

    def item(self, row: Row, limit: int) -> dict[str, object]:
        """Return the fields of one item."""
        shown = self.cut(row, limit)
        body: dict[str, object] = {
            "ref": row.ref,
            "at": row.at,
            "sender": row.sender_key,
            "conversation": row.conversation_key,
        }
        if row.thread_ref:
            body["thread"] = row.thread_ref
        body["text"] = shown.text
        if shown.hits:
            body["hits"] = hits_body(shown.hits)
        if self._has_roles and "alias" in (roles := roles_of(self.hits(row), self._query)):
            body["roles"] = roles
        return body | shown.extras

    def line(self, row: Row, *, is_hit: bool) -> dict[str, object]:
        """Return the fields of a line of context: a match is cut around what matched, any other message at its end."""
        shown = self.cut(row, CONTEXT_CHARACTERS) if is_hit else self._end(row)
        body: dict[str, object] = {"ref": row.ref, "sender": row.sender_key, "text": shown.text}
        return body | shown.extras | ({"hit": True} if is_hit else {})


def roles_of(hits: Iterable[tuple[int, int, int]], query: Query) -> list[str]:
    """Return the roles of what was found in a message."""
    found = {query.clauses[clause].wanted for _, _, clause in hits}
    return sorted({clause.role for clause in query.clauses if clause.wanted in found}, reverse=True)


def hits_body(hits: Sequence[Hit]) -> list[list[int]]:
    """Return hits as they are transmitted: start, end, clause."""
    return [list(hit) for hit in hits]
