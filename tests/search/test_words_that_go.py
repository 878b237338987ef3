"""Words that no document has any more leave nothing behind, and what a text brings is what the index is asked for."""

from contextlib import closing

import pytest
from bare_store import open_store
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.search import Document, Indexer, add, remove
from frugal.search.agreement import differences, settle
from frugal.search.codes import STOPS_BELOW
from frugal.text.analysis import analyse
from tests import strategies as hostile

ALIASES = "SELECT bare FROM search_alias ORDER BY bare"
IS_WRITTEN = "SELECT max(written) FROM search_word WHERE word GLOB ' *'"
KEPT = """
    SELECT word.word, term.word, word.written, word.df FROM search_word AS word
    JOIN search_word AS term ON term.id = word.term_id WHERE word.word NOT GLOB ' *' ORDER BY 1, 2
"""
WORDS = ("Bücher", "buecher", "Bucher", "Käse", "Kase", "kaese", "bought", "buys", "数据", "数\u07ed")
BODIES = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join),
    hostile.texts(longest=80),
)
SINGLE_LETTERS = [chr(code) for code in range(0x400, 0x1000) if chr(code).isalpha()]


def test_umlaut_that_only_a_removed_document_had_leaves_no_bare_spelling(store):
    with store.write() as db:
        add(db, Document(1, "", "Bücher im Regal"))
        add(db, Document(2, "", "buecher ohne Umlaut"))
        before = db.execute(ALIASES).fetchall()

        remove(db, 1)

        assert [tuple(row) for row in before] == [("buch",)]
        assert db.execute(ALIASES).fetchall() == []
        assert differences(db).count == 0


def test_bare_spelling_stays_while_another_word_has_it(store):
    with store.write() as db:
        add(db, Document(1, "", "Bücher im Regal"))
        add(db, Document(2, "", "Büchern ohne Regal, buecher"))

        remove(db, 1)

        assert [tuple(row) for row in db.execute(ALIASES)] == [("buch",)]
        assert differences(db).count == 0


def test_more_stop_words_than_there_are_numbers_for_them_are_no_spellings(store):
    assert len(SINGLE_LETTERS) > STOPS_BELOW
    with store.write() as db:
        add(db, Document(1, "", " ".join(SINGLE_LETTERS)))
        add(db, Document(2, "", "the lighthouse and the zebra"))

        found = differences(db)
        settle(db)

        assert found.count == 0
        assert db.execute(IS_WRITTEN).fetchone()[0] == 0
        remove(db, 1)
        assert differences(db).count == 0


@pytest.mark.parametrize("run", ["数\u07ed", "数\u0f71\u0f74", "数\u0345", "数\u0345\u0345", "ก\u1a77"])
def test_mark_at_the_end_of_a_run_is_no_spelling(store, run):
    with store.write() as db:
        add(db, Document(1, "", f"zebra {run} crossing"))

        assert differences(db).count == 0


def test_iota_below_a_character_of_a_run_is_no_letter():
    assert [token.term for token in analyse("数\u0345")] == ["数"]


@given(bodies=st.lists(BODIES, min_size=1, max_size=8), gone=st.sets(st.integers(1, 8)))
@settings(max_examples=25)
def test_what_is_left_is_what_a_fresh_file_with_the_rest_would_hold(tmp_path_factory, bodies, gone):
    folder = tmp_path_factory.mktemp("rest")
    documents = [Document(number, "", body) for number, body in enumerate(bodies, 1)]
    rest = [document for document in documents if document.id not in gone]
    with closing(open_store(folder / "used.db")) as used, closing(open_store(folder / "fresh.db")) as fresh:
        with used.write() as db:
            Indexer().add_all(db, documents)
            for number in sorted(gone):
                remove(db, number)
            left = [db.execute(query).fetchall() for query in (KEPT, ALIASES)]

            assert differences(db).count == 0
        with fresh.write() as db:
            Indexer().add_all(db, rest)

            assert [db.execute(query).fetchall() for query in (KEPT, ALIASES)] == left
