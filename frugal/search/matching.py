"""Exactly which documents satisfy an explicit query, or hold stop words: sets of ids, read from the two indexes."""

import json
import re
from collections.abc import Iterable, Sequence

from frugal.search.candidates import Matches, all_of, any_of
from frugal.search.codes import STOPS_BELOW, code_of
from frugal.search.explicit import All, Any, Node, Phrase, Prefix, Word
from frugal.search.groups import Group, resolve
from frugal.search.protocol import Restriction
from frugal.search.query import PlainQuery, parse_plain
from frugal.search.vocabulary import stop_text
from frugal.store import Connection
from frugal.text.analysis import PIECE, STOP, WHOLE, Token, analyse, query_words

WRITTEN = """
SELECT id, term_id FROM search_word
WHERE word IN (SELECT value FROM json_each(:words))
"""
BEGINNING = """
SELECT id, term_id FROM search_word WHERE word >= :first AND word < :end
"""
CODES_OF = "SELECT document, codes FROM search_forward WHERE document IN (SELECT value FROM json_each(:ids))"
CODES_WITHIN = """
SELECT forward.document, forward.codes FROM search_forward AS forward
WHERE forward.document IN (SELECT id FROM ({select}))
"""
_LAST = "\U0010ffff"
TERMS_A_MATCH = 400
"""FTS5 limits the depth of an expression; more terms are asked in several."""


class Matching:
    """The documents of one restriction that satisfy parts of a query."""

    def __init__(self, db: Connection, restriction: Restriction) -> None:
        self._db = db
        self._restriction = restriction
        self._matches = Matches(db, restriction)

    def ids(self, node: Node) -> set[int]:
        """Return the documents that satisfy *node*."""
        if isinstance(node, Word):
            return self._word(node.text)
        if isinstance(node, Phrase):
            return self._phrase(node.text)
        if isinstance(node, Prefix):
            return self._prefix(node.text)
        if isinstance(node, Any):
            return set().union(*(self.ids(part) for part in node.parts))
        return self._all(node)

    def _all(self, node: All) -> set[int]:
        counted = [part for part in node.parts if not _is_stop_word(part)] or node.parts
        found = self.ids(counted[0])
        for part in counted[1:]:
            if not found:
                return found
            found &= self.ids(part)
        for part in node.without:
            if found:
                found -= self.ids(part)
        return found

    def _word(self, text: str) -> set[int]:
        """A bare word, or all parts of a compound one (`src/main.py`), by stem."""
        query = parse_plain(text)
        groups = resolve(self._db, query)
        if query.is_stops:
            return self.with_any_word(groups, every=True)
        if not all(group.every_term for group in groups):
            return set()
        return self._matches.every(all_of(group.every_term for group in groups))

    def with_any_word(self, groups: Sequence[Group], *, every: bool = False) -> set[int]:
        """Return the documents whose forward row has a code of any (or of *every*) group: for stop words."""
        patterns = [_one_of(group.codes) for group in groups if group.codes]
        if not patterns or (every and len(patterns) < len(groups)):
            return set()
        judge = all if every else any
        return {
            document
            for document, codes in self._rows_within()
            if judge(pattern.search(codes) for pattern in patterns)
        }

    def _phrase(self, text: str) -> set[int]:
        tokens = [token for token in analyse(text) if not token.flags & WHOLE]
        tokens = _without_tails(tokens)
        words = [self._written(token) for token in tokens]
        if not words or not all(words):
            return set()
        counted = [
            {term for _, term in rows}
            for token, rows in zip(tokens, words, strict=True)
            if all(term >= STOPS_BELOW for _, term in rows)
        ]
        pattern = re.compile("".join(_one_of(code_of(word) for word, _ in rows).pattern for rows in words))
        return self._verified(self._matches.every(all_of(counted)) if counted else None, pattern)

    def _written(self, token: Token) -> list[tuple[int, int]]:
        words = {"words": json.dumps([token.surface, stop_text(token.term)])}
        return [(word, term) for word, term in self._db.execute(WRITTEN, words)]

    def _prefix(self, text: str) -> set[int]:
        """The parts before the last are words as written, the last one the beginning of one."""
        tokens = [token for token in analyse(text) if not token.flags & WHOLE]
        rows = self.words_beginning(text)
        if not rows:
            return set()
        before = [self._written(token) for token in tokens[:-1]]
        if not all(before):
            return set()
        terms = list(dict.fromkeys(term for _, term in rows))
        candidates: set[int] | None = None
        if all(term >= STOPS_BELOW for term in terms):
            candidates = set()
            for start in range(0, len(terms), TERMS_A_MATCH):
                candidates |= self._matches.every(any_of(terms[start : start + TERMS_A_MATCH]))
        parts = [*before, rows]
        pattern = "".join(_one_of(code_of(word) for word, _ in part).pattern for part in parts)
        return self._verified(candidates, re.compile(pattern))

    def words_beginning(self, text: str) -> list[tuple[int, int]]:
        """Return (word, term) of the written words that begin with the last part of *text*."""
        tokens = [token for token in analyse(text) if not token.flags & WHOLE]
        if not tokens:
            return []
        first = tokens[-1].surface
        bounds = [(text, text + _LAST) for text in (first, stop_text(first))]
        return [
            row
            for low, high in bounds
            for row in self._db.execute(BEGINNING, {"first": low, "end": high}).fetchall()
        ]

    def _verified(self, candidates: set[int] | None, pattern: re.Pattern[str]) -> set[int]:
        """Return those of *candidates* (None: all within the restriction) whose words in order match *pattern*."""
        if candidates is None:
            rows = self._rows_within()
        else:
            rows = self._db.execute(CODES_OF, {"ids": json.dumps(list(candidates))}).fetchall()
        return {document for document, codes in rows if pattern.search(codes)}

    def _rows_within(self) -> list[tuple[int, str]]:
        statement = CODES_WITHIN.replace("{select}", self._restriction.select)
        return self._db.execute(statement, dict(self._restriction.parameters)).fetchall()


def _is_stop_word(node: Node) -> bool:
    """Whether *node* is a bare stop word, which does not count beside other words; quoted it does."""
    return isinstance(node, Word) and parse_plain(node.text).is_stops


def _one_of(codes: Iterable[str]) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(map(re.escape, codes))})")


def _without_tails(tokens: Sequence[Token]) -> list[Token]:
    """Drop the last single character of a run of pieces: inside a longer text it is no token of its own."""
    whole = [token for token in tokens if token.flags & (PIECE | STOP) != PIECE | STOP]
    return whole or list(tokens)


def positive_words(texts: Iterable[str]) -> PlainQuery:
    """Return the words by which the matches of an explicit query are ranked."""
    words = query_words(" ".join(texts))
    return PlainQuery(tuple(words), is_stops=all(word.flags & STOP for word in words))
