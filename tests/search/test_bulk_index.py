"""Many documents at once: the index is what it would be one by one, whoever else writes and whatever fails."""

from contextlib import suppress

from bare_store import open_store
from hypothesis import given, settings
from hypothesis import strategies as st
from whole_index import held

from frugal.search import Document, Indexer, add, coding, rebuild, remove, replace, replace_all
from frugal.search.agreement import Comparison, differences
from frugal.search.vocabulary import Register
from frugal.text.analysis import analyse, cuts
from frugal.text.titles import title
from tests import strategies as hostile

WORDS = st.sampled_from(
    [
        "alpha",
        "betas",
        "running",
        "runs",
        "run",
        "Käse",
        "Kase",
        "getUserById",
        "I/O",
        "v1.2.3",
        "the",
        "and",
        "数据库连接",
        "数据",
        "C++",
        "don't",
        "🚀",
        "x",
        "--",
        "É",
        "wars",
    ]
)
BODIES = st.one_of(st.lists(WORDS, min_size=1, max_size=9).map(" ".join), hostile.texts(longest=200))


@st.composite
def documents(draw, first: int = 1) -> list[Document]:
    """Draw documents with all that a document may have; titles are the body's, cut, or of their own."""
    found = []
    for number, body in enumerate(draw(st.lists(BODIES, min_size=1, max_size=7)), first):
        head = draw(st.sampled_from((title(body), title(body)[:7], "", "Another headline of its own")))
        tags = tuple(draw(hostile.tags(most=3)))
        also = draw(st.sampled_from(("", "more Käse", "getUserById")))
        sitting = draw(st.sampled_from((None, 3)))
        found.append(Document(number, head, body, tags, also, sitting, draw(st.booleans())))
    return found


@given(drawn=documents(), cut=st.integers(0, 7))
@settings(max_examples=25)
def test_documents_added_together_are_indexed_as_one_by_one(tmp_path_factory, drawn, cut):
    folder = tmp_path_factory.mktemp("bulk")
    single, bulk = open_store(folder / "single.db"), open_store(folder / "bulk.db")
    for document in drawn:
        with single.write() as db:
            add(db, document)
    indexer = Indexer()
    for part in (drawn[:cut], drawn[cut:]):
        with indexer, bulk.write() as db:
            indexer.add_all(db, part)
    single.close()
    bulk.close()

    assert held(folder / "bulk.db") == held(folder / "single.db")


@given(drawn=documents())
@settings(max_examples=20)
def test_what_was_added_together_differs_in_nothing_from_today_s_analysis(tmp_path_factory, drawn):
    store = open_store(tmp_path_factory.mktemp("agree") / "search.db")
    with store.write() as db:
        rebuild(db, drawn)

        assert Comparison().stale(db, drawn) == []
        assert differences(db).count == 0
        db.execute("INSERT INTO search_index (search_index) VALUES ('integrity-check')")
    store.close()


@given(text=hostile.texts(longest=300))
def test_a_text_is_the_sum_of_its_chunks(text):
    parts = [(cut.term, cut.surface, cut.alias, cut.flags) for chunk in text.split() for cut in cuts(chunk)]

    assert parts == [(token.term, token.surface, token.alias, token.flags) for token in analyse(text)]


def test_words_that_another_process_adds_between_two_transactions_keep_their_numbers(tmp_path):
    ours, theirs = open_store(tmp_path / "search.db"), open_store(tmp_path / "search.db")
    indexer = Indexer()
    with indexer, ours.write() as db:
        indexer.add_all(db, [Document(1, "", "zebra crossing")])
    with theirs.write() as db:
        add(db, Document(2, "", "lighthouse of the zebra"))

    with indexer, ours.write() as db:
        indexer.add_all(db, [Document(3, "", "lighthouse with quokkas")])

        assert differences(db).count == 0
        assert db.execute("SELECT df FROM search_word WHERE word = 'lighthous'").fetchone()[0] == 2
    ours.close()
    theirs.close()


def test_words_that_another_process_drops_between_two_transactions_are_added_again(tmp_path):
    ours, theirs = open_store(tmp_path / "search.db"), open_store(tmp_path / "search.db")
    indexer = Indexer()
    with indexer, ours.write() as db:
        indexer.add_all(db, [Document(1, "", "zebra crossing"), Document(2, "", "lighthouse")])
    with theirs.write() as db:
        remove(db, 1)

    with indexer, ours.write() as db:
        indexer.add_all(db, [Document(3, "", "zebra crossing")])

        assert differences(db).count == 0
    ours.close()
    theirs.close()


def write_and_fail(store, indexer: Indexer, document: Document) -> None:
    with suppress(KeyError), indexer, store.write() as db:
        indexer.add_all(db, [document])
        raise KeyError


def test_words_of_a_transaction_that_failed_are_added_again(store):
    indexer = Indexer()
    write_and_fail(store, indexer, Document(1, "", "zebra crossing"))

    with indexer, store.write() as db:
        indexer.add_all(db, [Document(1, "", "zebra crossing")])

        assert differences(db).count == 0


def test_documents_replaced_together_leave_only_words_to_tidy_up(store):
    old = [Document(1, "", "zebra crossing"), Document(2, "", "the lighthouse")]
    new = [Document(1, "", "quokka crossing"), Document(2, "", "the lighthouse", is_live=False)]
    with store.write() as db:
        rebuild(db, old)

        replace_all(db, new, Indexer())

        assert Comparison().stale(db, new) == []
        found = differences(db)
        assert (found.postings, found.frequencies, found.statistics) == (0, 0, 0)


def test_a_comparison_takes_notice_of_what_others_write_between_its_batches(tmp_path):
    ours, theirs = open_store(tmp_path / "search.db"), open_store(tmp_path / "search.db")
    document = Document(1, "", "zebra lighthouse")
    comparison = Comparison()
    with theirs.write() as db:
        add(db, Document(1, "", "zebra"))
    with ours.read() as db:
        before = comparison.stale(db, [document])
    with theirs.write() as db:
        replace(db, document)

    with ours.read() as db:
        after = comparison.stale(db, [document])

    assert (before, after) == ([1], [])
    ours.close()
    theirs.close()


def test_a_row_that_holds_what_stands_for_an_unknown_word_is_stale(store):
    document = Document(1, "", "zebra crossing")
    with store.write() as db:
        add(db, document)
        db.execute("DELETE FROM search_word WHERE word = 'crossing'")
        db.execute("UPDATE search_forward SET codes = replace(codes, char(641), '') WHERE document = 1")

        assert Comparison().stale(db, [document]) == [1]


def test_what_a_coder_remembers_is_measured_in_words_and_not_in_chunks(store, monkeypatch):
    monkeypatch.setattr(coding, "MOST_WORDS", 100)
    long = Document(1, "", "-".join(f"zebra{number}x" for number in range(200)))
    with store.write() as db:
        coder = coding.Coder(Register(db), is_writing=True)

        list(coder.rows([long]))

        assert coder.is_full
