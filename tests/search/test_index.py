"""The index: removing is the inverse of adding, counts follow live documents, and every order is total."""

import pytest
from bare_store import ids, open_store
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.search import (
    EVERY_DOCUMENT,
    Document,
    LexicalRetriever,
    Request,
    Restriction,
    add,
    rebuild,
    remove,
    replace,
    set_live,
    similar,
)

TABLES = {
    "search_statistics": "SELECT * FROM search_statistics",
    "search_word": "SELECT word, df FROM search_word WHERE id >= 640 ORDER BY word, term_id",
    "search_forward": "SELECT document, live, length, title FROM search_forward ORDER BY document",
    "search_alias": "SELECT bare FROM search_alias ORDER BY bare",
}
WORDS = st.sampled_from(
    [
        "alpha",
        "betas",
        "Käse",
        "Kase",
        "getUserById",
        "数据库连接",
        "the",
        "and",
        "C++",
        "running",
        "runs",
        "🚀",
        "x",
    ]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


def state(db) -> dict[str, list[tuple[object, ...]]]:
    """What the index holds, apart from numbers of words (they follow the order of writing) and stop words (they stay)."""
    return {name: [tuple(row) for row in db.execute(query)] for name, query in TABLES.items()}


def test_found_by_every_part_and_gone_after_removal(store):
    with store.write() as db:
        add(db, Document(1, "", "Käse im Keller", ("shop",), "cheese"))
        add(db, Document(2, "", "something else entirely"))

        assert [ids(db, query) for query in ("Käse", "kase", "shop", "cheese")] == [[1], [1], [1], [1]]

        remove(db, 1)

        assert [ids(db, query) for query in ("Käse", "kase", "shop", "cheese")] == [[], [], [], []]
        assert ids(db, "something") == [2]


def test_hit_on_search_words_alone_ranks_below_a_hit_on_the_text(store):
    with store.write() as db:
        add(db, Document(1, "", "the lighthouse stands on a rock far out in the sea and is old"))
        add(
            db,
            Document(2, "", "a tower"),
        )
        replace(db, Document(2, "", "a tower", (), "lighthouse lighthouse lighthouse"))

        assert ids(db, "lighthouse") == [1, 2]


def test_frequencies_count_live_documents_only(store):
    with store.write() as db:
        for number in (1, 2, 3):
            add(db, Document(number, "", "zebra crossing"))
        set_live(db, 2, False)
        set_live(db, 2, False)

        assert db.execute("SELECT df FROM search_word WHERE word = 'zebra'").fetchone()[0] == 2
        assert db.execute("SELECT documents FROM search_statistics").fetchone()[0] == 2
        assert ids(db, "zebra") == [3, 1]
        assert ids(db, "zebra", restriction=EVERY_DOCUMENT) == [3, 2, 1]


@given(kept=st.lists(TEXTS, max_size=5), dropped=st.lists(TEXTS, min_size=1, max_size=4))
@settings(max_examples=25)
def test_removing_is_the_inverse_of_adding(tmp_path_factory, kept, dropped):
    store = open_store(tmp_path_factory.mktemp("inverse") / "search.db")
    with store.write() as db:
        for number, text in enumerate(kept, 1):
            add(db, Document(number, "", text, ("tag",)))
        before = state(db)

        for number, text in enumerate(dropped, 100):
            add(db, Document(number, "", text, ("other",), "more words"))
        for number in range(100, 100 + len(dropped)):
            remove(db, number)

        assert state(db) == before
        db.execute("INSERT INTO search_index (search_index) VALUES ('integrity-check')")
    store.close()


@given(texts=st.lists(TEXTS, min_size=1, max_size=6), query=TEXTS)
@settings(max_examples=25)
def test_rebuilt_index_gives_the_same_hits_in_the_same_order(tmp_path_factory, texts, query):
    store = open_store(tmp_path_factory.mktemp("rebuild") / "search.db")
    documents = [Document(number, "", text) for number, text in enumerate(texts, 1)]
    with store.write() as db:
        for document in documents:
            add(db, document)
        before = ids(db, query)

        assert rebuild(db, documents) == len(documents)
        assert ids(db, query) == before
    store.close()


@given(texts=st.lists(TEXTS, min_size=1, max_size=8), query=TEXTS, limit=st.integers(1, 4))
@settings(max_examples=25)
def test_smaller_limit_gives_the_beginning_of_a_larger_one_and_the_same_total(
    tmp_path_factory, texts, query, limit
):
    store = open_store(tmp_path_factory.mktemp("order") / "search.db")
    with store.write() as db:
        for number, text in enumerate(texts, 1):
            add(db, Document(number, "", text))
        short = LexicalRetriever().search(db, Request(query, limit=limit))
        long = LexicalRetriever().search(db, Request(query, limit=50))

        assert short.hits == long.hits[:limit]
        assert short.total == long.total == len(long.hits)
        assert LexicalRetriever().count(db, Request(query)) == long.total
    store.close()


def test_filters_select_before_ranking(store):
    with store.write() as db:
        for number in range(1, 501):
            add(db, Document(number, "zebra", "zebra zebra zebra crossing", ("a",)))
        add(
            db, Document(501, "", "long text in which one zebra is named among very many other words", ("b",))
        )
        only = Restriction("SELECT 501 AS id")

        found = LexicalRetriever().search(db, Request("zebra crossing", only))

        assert [hit.id for hit in found.hits] == [501]
        assert found.total == 1


def test_similar_gives_the_share_of_weight_and_nothing_below_the_floor(store):
    with store.write() as db:
        add(db, Document(1, "", "the pump of the greenhouse runs at twenty bar since march"))
        add(db, Document(2, "", "tomatoes ripen in august"))

        found = similar(db, "the pump of the greenhouse runs at thirty bar since march", EVERY_DOCUMENT)

        assert [hit.id for hit in found] == [1]
        assert 0.55 <= found[0].score <= 1.0


@pytest.mark.parametrize("query", ["zebra", '"zebra crossing"', "zeb*", "zebra OR horse", "the"])
def test_groups_take_one_slot_and_are_counted_once(store, query):
    with store.write() as db:
        db.execute("CREATE TABLE unit_of (id INTEGER PRIMARY KEY, unit INTEGER)")
        for number in range(1, 7):
            add(db, Document(number, "", f"the zebra crossing number {number}"))
            if number <= 4:
                db.execute("INSERT INTO unit_of VALUES (?, 9)", (number,))
        from frugal.search import Grouping

        grouping = Grouping("SELECT id, unit FROM unit_of")
        found = LexicalRetriever().search(db, Request(query, limit=3, grouping=grouping))

        assert found.total == 3
        assert len(found.hits) == 3
        assert sorted(hit.unit or 0 for hit in found.hits) == [0, 0, 9]


@given(texts=st.lists(TEXTS, min_size=1, max_size=8), query=TEXTS, place=st.integers(0, 7))
@settings(max_examples=25)
def test_least_score_that_a_hit_reaches_leaves_the_first_hit_as_it_is(tmp_path_factory, texts, query, place):
    store = open_store(tmp_path_factory.mktemp("least") / "search.db")
    with store.write() as db:
        for number, text in enumerate(texts, 1):
            add(db, Document(number, "", text))
        every = LexicalRetriever().search(db, Request(query, limit=50)).hits
        least = every[min(place, len(every) - 1)].score if every else 1.0

        first = LexicalRetriever().search(db, Request(query, limit=1, at_least=least)).hits

    assert first == every[:1]
    store.close()
