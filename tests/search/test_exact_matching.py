"""Explicit queries match exactly the documents that satisfy them, compared with reading every text."""

import pytest
from bare_store import open_store
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.search import Document, LexicalRetriever, Request, add
from frugal.search.agreement import differences

VOCABULARY = ["run", "runs", "running", "rung", "the", "who", "art", "state", "of", "stated"]
WORDS = st.sampled_from(VOCABULARY)
TEXTS = st.lists(WORDS, min_size=1, max_size=8)


def matches(words: list[str], query: str) -> bool:
    """Read *words* for a quoted phrase or a prefix."""
    if query.endswith("*"):
        return any(word.startswith(query[:-1]) for word in words)
    phrase = query.strip('"').split()
    return any(words[place : place + len(phrase)] == phrase for place in range(len(words)))


@given(
    texts=st.lists(TEXTS, min_size=1, max_size=12),
    query=st.one_of(
        st.lists(WORDS, min_size=1, max_size=3).map(lambda words: f'"{" ".join(words)}"'),
        st.sampled_from(["ru*", "run*", "runn*", "stat*", "th*", "zz*"]),
    ),
)
@settings(max_examples=80)
def test_phrases_and_prefixes_match_what_reading_finds(tmp_path_factory, texts, query):
    store = open_store(tmp_path_factory.mktemp("exact") / "search.db")
    with store.write() as db:
        for number, words in enumerate(texts, 1):
            add(db, Document(number, "", " ".join(words)))

        found = LexicalRetriever().search(db, Request(query, limit=50))

        wanted = {number for number, words in enumerate(texts, 1) if matches(words, query)}
        assert {hit.id for hit in found.hits} == wanted
        assert found.total == LexicalRetriever().count(db, Request(query)) == len(wanted)
    store.close()


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ('"GitHub"', [2, 1]),
        ('"github"', [2, 1]),
        ('"数据库"', [3]),
        ("数据*", [3]),
        ("src/ma*", [4]),
        ('"Käse"', [5]),
    ],
)
def test_identifiers_pieces_and_accents_are_compared_folded(store, query, wanted):
    texts = ["GitHub is down", "github is down", "主数据库连接池", "see src/main.py", "KASE im Keller"]
    with store.write() as db:
        for number, text in enumerate(texts, 1):
            add(db, Document(number, "", text))

        found = LexicalRetriever().search(db, Request(query, limit=50))

        assert sorted((hit.id for hit in found.hits), reverse=True) == sorted(wanted, reverse=True)


def test_an_umlaut_word_that_is_its_own_term_is_in_step(store):
    with store.write() as db:
        add(db, Document(1, "", "userÜE:abcdefgh ijkl mnop user word"))

        assert differences(db).count == 0
