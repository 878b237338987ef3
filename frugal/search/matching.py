"""Exactly which documents satisfy an explicit query, or hold stop words: sets of ids, read from the two indexes."""

import json
import re
from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from frugal.search.candidates import Matches, all_of, any_of, mask_of
from frugal.search.codes import STOPS_BELOW, code_of
from frugal.search.explicit import All, Any, Node, Phrase, Prefix, Word
from frugal.search.groups import Group, resolve, words_of
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
HOLDING = """
SELECT forward.document, {every} FROM search_forward AS forward
WHERE forward.document IN (SELECT id FROM ({documents})) AND ({condition})
"""
HOLDING_BY_MARK = """
SELECT forward.document, {every} FROM search_forward AS forward
WHERE substr(:search_mask, forward.document, 1) = x'01' AND ({condition})
"""
CODES_OF = "SELECT document, codes FROM search_forward WHERE document IN (SELECT value FROM json_each(:ids))"
WRITTEN_OF = "SELECT id FROM search_word WHERE id IN (SELECT value FROM json_each(:ids)) AND written = 1"
_LAST = "\U0010ffff"
STRETCHES = 16
"""Spellings of a phrase of stop words that are looked for as they are; of more, each word is looked for alone first."""
TERMS_A_MATCH = 400
"""FTS5 limits the depth of an expression; more terms are asked in several."""


class Matching:
    """The documents of one restriction that satisfy parts of a query."""

    def __init__(self, db: Connection, restriction: Restriction) -> None:
        self._db = db
        self._restriction = restriction
        self._mask = mask_of(restriction)
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
        known = [group.codes for group in groups if group.codes]
        if not known or (every and len(known) < len(groups)):
            return set()
        return self._holding(known, every=every)

    def with_stop_words(self, groups: Sequence[Group]) -> tuple[set[int], set[int]]:
        """Return the documents with any word of *groups*, and those with all of them, in one pass."""
        known = [group.codes for group in groups if group.codes]
        if not known:
            return set(), set()
        found = self._rows_holding(known, every=False)
        is_complete = len(known) == len(groups)
        every = {document for document, has_every in found if has_every} if is_complete else set()
        return {document for document, _ in found}, every

    def _holding(self, alternatives: Sequence[Sequence[str]], *, every: bool) -> set[int]:
        """Return the documents that have one of each of *alternatives* (stretches of codes), or one of any of them."""
        return {document for document, _ in self._rows_holding(alternatives, every=every)}

    def _rows_holding(self, alternatives: Sequence[Sequence[str]], *, every: bool) -> list[tuple[int, int]]:
        """Return the same documents, and for each whether it has one of each."""
        parameters: dict[str, str | int | bytes] = {}
        parts = []
        for texts in alternatives:
            names = [f"search_text_{len(parameters) + place}" for place in range(len(texts))]
            parameters |= dict(zip(names, texts, strict=True))
            parts.append(f"({' OR '.join(f'instr(forward.codes, :{name})' for name in names)})")
        if self._mask is None:
            statement = HOLDING.replace("{documents}", self._restriction.select)
            parameters |= self._restriction.parameters
        else:
            statement = HOLDING_BY_MARK
            parameters["search_mask"] = self._mask
        statement = statement.replace("{condition}", (" AND " if every else " OR ").join(parts))
        return self._db.execute(statement.replace("{every}", " AND ".join(parts)), parameters).fetchall()

    def _phrase(self, text: str) -> set[int]:
        analysed = analyse(text)
        words = [self._written(token) for token in _without_tails(_parts(analysed))]
        found: set[int] = set()
        if len(text.split()) == 1 and analysed and analysed[0].flags & WHOLE:
            found = self._with_word(self._written(analysed[0]))  # `GitHub` is written `github` too
        if not words or not all(words):
            return found
        if len(words) == 1:
            return found | self._with_word(words[0])
        return found | self._in_sequence(words)

    def _in_sequence(self, words: Sequence[Sequence[tuple[int, int]]]) -> set[int]:
        counted = [
            {term for _, term in rows} for rows in words if all(term >= STOPS_BELOW for _, term in rows)
        ]
        codes = [[code_of(word) for word, _ in rows] for rows in words]
        if not counted and prod(map(len, codes)) <= STRETCHES:
            return self._holding([["".join(stretch) for stretch in product(*codes)]], every=True)
        candidates = self._matches.every(all_of(counted)) if counted else self._holding(codes, every=True)
        return self._verified(candidates, re.compile("".join(_one_of(one).pattern for one in codes)))

    def _with_word(self, rows: Sequence[tuple[int, int]]) -> set[int]:
        """Return the documents with any of some written words (word, term)."""
        wanted = {word for word, _ in rows}
        terms = list(dict.fromkeys(term for _, term in rows))
        counted = [term for term in terms if term >= STOPS_BELOW]
        stops = [[code_of(word) for word, term in rows if term < STOPS_BELOW]]
        found = self._holding(stops, every=False) if stops[0] else set()
        exact = self._terms_within(wanted, counted)
        found |= self._with_term(exact)
        inexact = [term for term in counted if term not in exact]
        if not inexact:
            return found
        pattern = _one_of(code_of(word) for word, term in rows if term in inexact)
        return found | self._verified(self._with_term(inexact) - found, pattern)

    def _terms_within(self, wanted: set[int], terms: Sequence[int]) -> list[int]:
        """Return those of *terms* that stand for *wanted* words only: their documents need no second look."""
        others = words_of(self._db, terms)
        written = {row[0] for row in self._db.execute(WRITTEN_OF, {"ids": json.dumps(list(terms))})}
        return [
            term
            for term in terms
            if (term in wanted or term not in written)
            and all(word in wanted for word, _ in others.get(term, ()))
        ]

    def _with_term(self, terms: Sequence[int]) -> set[int]:
        found: set[int] = set()
        for start in range(0, len(terms), TERMS_A_MATCH):
            found |= self._matches.every(any_of(terms[start : start + TERMS_A_MATCH]))
        return found

    def _written(self, token: Token) -> list[tuple[int, int]]:
        words = {"words": json.dumps([token.surface, stop_text(token.term)])}
        return [(word, term) for word, term in self._db.execute(WRITTEN, words)]

    def _prefix(self, text: str) -> set[int]:
        """The parts before the last are words as written, the last one the beginning of one."""
        before = [self._written(token) for token in _parts(analyse(text))[:-1]]
        rows = self.words_beginning(text)
        if not rows or not all(before):
            return set()
        return self._in_sequence([*before, rows]) if before else self._with_word(rows)

    def words_beginning(self, text: str) -> list[tuple[int, int]]:
        """Return (word, term) of the written words that begin with the last part of *text*."""
        tokens = _parts(analyse(text))
        if not tokens:
            return []
        first = tokens[-1].surface
        bounds = [(text, text + _LAST) for text in (first, stop_text("_" + first))]
        return [
            row
            for low, high in bounds
            for row in self._db.execute(BEGINNING, {"first": low, "end": high}).fetchall()
        ]

    def _verified(self, candidates: set[int], pattern: re.Pattern[str]) -> set[int]:
        """Return those of *candidates* whose words in order match *pattern*."""
        rows = self._db.execute(CODES_OF, {"ids": json.dumps(list(candidates))})
        return {document for document, codes in rows if pattern.search(codes)}


def _parts(tokens: Iterable[Token]) -> list[Token]:
    return [token for token in tokens if not token.flags & WHOLE]


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
