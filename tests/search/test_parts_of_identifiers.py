"""A word with a number behind it: who asks for `uniq26` wants it, not its parts apart."""

from bare_store import open_store

from frugal.search import Document, LexicalRetriever, Request, add

IDENTIFIER = (
    "a long text about the device uniq26 which stands between many other words and is named only once"
)
APART = (
    "uniq 26",
    "uniq 26 uniq 26 uniq 26",
    "26 uniq",
    "room 26 and the uniq thing",
    "uniq27 beside 26 and uniq25",
)


def scores_of(store, query: str) -> dict[int, float]:
    with store.write() as db:
        for number, text in enumerate((IDENTIFIER, *APART, *("filler text" for _ in range(20))), 1):
            add(db, Document(number, text[:20], text))
        return {hit.id: hit.score for hit in LexicalRetriever().search(db, Request(query)).hits}


def test_the_identifier_stands_far_above_its_parts_apart(store):
    scores = scores_of(store, "uniq26")

    assert max(scores, key=scores.__getitem__) == 1
    assert 2 * max(score for number, score in scores.items() if number > 1) < scores[1]
    assert set(scores) >= {1, 2, 3, 4, 5, 6}


def test_parts_that_are_asked_apart_count_in_full(store):
    scores = scores_of(store, "uniq 26")

    assert scores[2] > scores[1]


def test_an_identifier_that_nobody_wrote_is_found_by_its_parts(tmp_path):
    store = open_store(tmp_path / "other.db")
    with store.write() as db:
        add(db, Document(1, "", "the release of python 3 in spring"))
        add(db, Document(2, "", "something else"))

        found = LexicalRetriever().search(db, Request("python3"))

        assert [hit.id for hit in found.hits] == [1]
    store.close()
