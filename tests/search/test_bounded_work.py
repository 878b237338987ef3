"""Frequent words are left out of the first look only where they could not change the hits; counts in one pass agree."""

from dataclasses import replace

from bare_store import open_store
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.search import Document, Grouping, Labels, LexicalRetriever, Request, Restriction, add
from frugal.search.tuning import Tuning

PLAIN = replace(Tuning(), neighbour_words=0.0, neighbour_score=0.0, feedback=0.0)
WORDS = st.sampled_from(["common", "often", "usual", "rare", "seldom", "odd", "the", "unique"])
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
STORES = st.lists(TEXTS, min_size=1, max_size=25)


def fill(db, texts: list[str]) -> None:
    for number, text in enumerate([*texts, "common often usual", "common often"], 1):
        add(db, Document(number, "", text))


@given(texts=STORES, query=st.lists(WORDS, min_size=1, max_size=5).map(" ".join), limit=st.integers(1, 5))
@settings(max_examples=60)
def test_asking_the_essential_words_first_gives_the_hits_of_asking_all(tmp_path_factory, texts, query, limit):
    store = open_store(tmp_path_factory.mktemp("essential") / "search.db")
    with store.write() as db:
        fill(db, texts)

        bounded = LexicalRetriever(replace(PLAIN, postings=0)).search(db, Request(query, limit=limit))
        whole = LexicalRetriever(replace(PLAIN, postings=10**9)).search(db, Request(query, limit=limit))

        assert [round(hit.score, 9) for hit in bounded.hits] == [round(hit.score, 9) for hit in whole.hits]
        assert bounded.total == whole.total
    store.close()


LABELS = "SELECT document AS id, CASE document % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'b' ELSE '' END AS label"
PAIRS = Grouping("SELECT document AS id, document / 2 AS unit FROM search_forward WHERE document < 10")


@given(
    texts=STORES,
    query=st.sampled_from(["common", "rare odd", "the", '"common often"', "nowhere", "unus*"]),
    grouping=st.sampled_from([None, PAIRS]),
)
@settings(max_examples=40)
def test_counts_in_one_pass_equal_counts_one_by_one(tmp_path_factory, texts, query, grouping):
    store = open_store(tmp_path_factory.mktemp("labels") / "search.db")
    labels = Labels(f"{LABELS} FROM search_forward")
    with store.write() as db:
        fill(db, texts)
        retriever = LexicalRetriever()
        request = Request(query, grouping=grouping)

        counts = retriever.count_by(db, request, labels)

        for label in ("a", "b", ""):
            only = Restriction(f"SELECT id FROM ({labels.select}) WHERE label = :wanted", {"wanted": label})
            alone = retriever.count(db, replace(request, restriction=only))
            assert counts.get(label, 0) == alone
    store.close()


def test_a_total_that_is_known_is_not_counted_again(store):
    with store.write() as db:
        fill(db, [])

        found = LexicalRetriever().search(db, Request("common", total=2))

        assert (found.total, len(found.hits)) == (2, 2)
